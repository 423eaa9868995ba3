package driver

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/tarndb/tarn/storage"
)

// option is a setting that DSN, SET and RESET know by name.
type option struct {
	name string
	// session tells that SET may change it for a connection.
	session bool
	set     func(c *Config, value string) error
	format  func(c *Config) string // the value as set takes it; "" if it is the default
	copy    func(to, from *Config)
}

// options is the one table of options.
var options = []option{
	optionOf("catalog", false, func(c *Config) *string { return &c.Catalog }, parseText, text),
	optionOf("catalog_name", false, func(c *Config) *string { return &c.CatalogName }, parseText, text),
	optionOf("commit_retries", false, func(c *Config) *int { return &c.CommitRetries }, parseCount, strconv.Itoa),
	optionOf("format", true, func(c *Config) *string { return &c.Format }, parseFormat, text),
	optionOf("isolation", true, func(c *Config) *storage.Isolation { return &c.Isolation }, nameParser(isolationNames), nameFormatter(isolationNames)),
	optionOf("log_level", false, func(c *Config) *slog.Level { return &c.LogLevel }, nameParser(levelNames), nameFormatter(levelNames)),
	optionOf("memory_limit", false, func(c *Config) *int64 { return &c.MemoryLimitBytes }, parseSize, formatSize),
	optionOf("read_only", false, func(c *Config) *bool { return &c.ReadOnly }, parseBool, strconv.FormatBool),
	optionOf("schema", true, func(c *Config) *string { return &c.Schema }, parseText, text),
	optionOf("target_file_size", false, func(c *Config) *int64 { return &c.TargetFileSizeBytes }, parseSize, formatSize),
	optionOf("temp_dir", false, func(c *Config) *string { return &c.TempDir }, parseDirectory, text),
	optionOf("threads", true, func(c *Config) *int { return &c.Threads }, parseCount, strconv.Itoa),
	optionOf("timezone", true, func(c *Config) **time.Location { return &c.Timezone }, parseTimezone, (*time.Location).String),
}

// futureOptions are refused by name until there is something behind them.
var futureOptions = []string{"engine", "multi_table"}

// optionOf makes an entry of the table from a field of Config.
func optionOf[T comparable](name string, session bool, field func(*Config) *T, parse func(string) (T, error), format func(T) string) option {
	return option{
		name: name, session: session,
		set: func(c *Config, value string) error {
			v, err := parse(value)
			if err == nil {
				*field(c) = v
			}
			return err
		},
		format: func(c *Config) string {
			var zero T
			if *field(c) == zero {
				return ""
			}
			return format(*field(c))
		},
		copy: func(to, from *Config) { *field(to) = *field(from) },
	}
}

func text(s string) string { return s }

func parseCount(v string) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 {
		return 0, errors.New("is not a whole number above zero")
	}
	return n, nil
}

func parseFormat(v string) (string, error) {
	if v = strings.ToLower(v); v != "delta" && v != "iceberg" {
		return "", errors.New("is neither delta nor iceberg")
	}
	return v, nil
}

func parseText(v string) (string, error) {
	if v == "" {
		return "", errors.New("names nothing")
	}
	return v, nil
}

func parseBool(v string) (bool, error) {
	b, err := strconv.ParseBool(v)
	if err != nil {
		return false, errors.New("is neither true nor false")
	}
	return b, nil
}

func parseTimezone(v string) (*time.Location, error) {
	loc, err := time.LoadLocation(v)
	if err != nil || v == "" || v == "Local" {
		return nil, errors.New("is not an IANA time zone, such as Europe/Vienna")
	}
	return loc, nil
}

// named is a value of an option and its word.
type named[T comparable] struct {
	name  string
	value T
}

var isolationNames = []named[storage.Isolation]{
	{"write_serializable", storage.WriteSerializable}, {"serializable", storage.Serializable}, {"snapshot", storage.SnapshotIsolation},
}

var levelNames = []named[slog.Level]{
	{"debug", slog.LevelDebug}, {"info", slog.LevelInfo}, {"warn", slog.LevelWarn}, {"error", slog.LevelError},
}

func nameParser[T comparable](table []named[T]) func(string) (T, error) {
	return func(v string) (T, error) {
		names := make([]string, len(table))
		for i, n := range table {
			if strings.EqualFold(n.name, v) {
				return n.value, nil
			}
			names[i] = n.name
		}
		var zero T
		return zero, fmt.Errorf("is none of %s", strings.Join(names, ", "))
	}
}

func nameFormatter[T comparable](table []named[T]) func(T) string {
	return func(v T) string {
		for _, n := range table {
			if n.value == v {
				return n.name
			}
		}
		return ""
	}
}

// sizeUnits are the suffixes of a size in bytes, longest first.
var sizeUnits = []struct {
	suffix string
	bytes  int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1}, {"", 1}}

func formatSize(n int64) string { return strconv.FormatInt(n, 10) + "B" }

// parseDirectory takes the path of a directory that exists: a mistake is to be
// seen now and not when a statement first needs it.
func parseDirectory(v string) (string, error) {
	if info, err := os.Stat(v); err != nil || !info.IsDir() {
		return "", errors.New("is no directory")
	}
	return v, nil
}

func parseSize(v string) (int64, error) {
	for _, u := range sizeUnits {
		digits, found := strings.CutSuffix(v, u.suffix)
		if !found {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || n < 1 || n > (1<<62)/u.bytes {
			break
		}
		return n * u.bytes, nil
	}
	return 0, errors.New("is not a size, such as 128MiB")
}
