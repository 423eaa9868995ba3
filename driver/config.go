package driver

import (
	"fmt"
	"log/slog"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/tarndb/tarn/storage"
)

// Config says what a Connector opens. The zero value of a field is its default.
type Config struct {
	// Warehouse is the URL of the warehouse: a directory, file://…, memory://….
	Warehouse string
	// Schema is the namespace of tables named without one; empty for "default",
	// whose tables are directly in the warehouse.
	Schema string
	// Format is what CREATE TABLE makes without USING; empty for delta.
	Format string
	// Threads is the number of workers of a statement; 0 for GOMAXPROCS.
	Threads int
	// Timezone is the session time zone; nil for UTC.
	Timezone *time.Location
	// ReadOnly refuses every change.
	ReadOnly bool
	// TargetFileSizeBytes is the size at which data files roll; 0 for 128 MiB.
	TargetFileSizeBytes int64
	// Isolation is the level of transactions that ask for none.
	Isolation storage.Isolation
	// CommitRetries bounds how often a commit is tried again after a lost race;
	// 0 for 100.
	CommitRetries int
	// Logger takes what the driver logs; nil for slog.Default.
	Logger *slog.Logger
}

// isolationNames are the values of the option isolation.
var isolationNames = map[string]storage.Isolation{
	"write_serializable": storage.WriteSerializable, "serializable": storage.Serializable, "snapshot": storage.SnapshotIsolation,
}

// option is a setting that DSN, SET and RESET know by name.
type option struct {
	name string
	// session tells that SET may change it for a connection.
	session bool
	set     func(c *Config, value string) error
	format  func(c *Config) string // the value as set takes it; "" if it is the default
}

// options is the one table of options.
var options = []option{
	{"commit_retries", false, setInt(func(c *Config) *int { return &c.CommitRetries }), formatInt(func(c *Config) int { return c.CommitRetries })},
	{"format", true, func(c *Config, v string) error { c.Format = strings.ToLower(v); return nil }, func(c *Config) string { return c.Format }},
	{"isolation", true, setIsolation, formatIsolation},
	{"read_only", false, setReadOnly, func(c *Config) string { return map[bool]string{true: "true"}[c.ReadOnly] }},
	{"schema", true, func(c *Config, v string) error { c.Schema = v; return nil }, func(c *Config) string { return c.Schema }},
	{"target_file_size", false, setFileSize, formatFileSize},
	{"threads", true, setInt(func(c *Config) *int { return &c.Threads }), formatInt(func(c *Config) int { return c.Threads })},
	{"timezone", true, setTimezone, formatTimezone},
}

func findOption(name string) (option, error) {
	known := make([]string, len(options))
	for i, o := range options {
		if o.name == strings.ToLower(name) {
			return o, nil
		}
		known[i] = o.name
	}
	return option{}, fmt.Errorf("%w: unknown option %q; the options are %s", ErrConfig, name, strings.Join(known, ", "))
}

// apply sets an option by its name.
func (c *Config) apply(name, value string) error {
	o, err := findOption(name)
	if err != nil {
		return err
	}
	if err := o.set(c, value); err != nil {
		return fmt.Errorf("%w: option %s: %q %w", ErrConfig, o.name, value, err)
	}
	return nil
}

func setInt(field func(*Config) *int) func(*Config, string) error {
	return func(c *Config, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			return fmt.Errorf("is not a whole number above zero")
		}
		*field(c) = n
		return nil
	}
}

func formatInt(field func(*Config) int) func(*Config) string {
	return func(c *Config) string {
		if field(c) == 0 {
			return ""
		}
		return strconv.Itoa(field(c))
	}
}

func setIsolation(c *Config, v string) error {
	level, ok := isolationNames[strings.ToLower(v)]
	if !ok {
		return fmt.Errorf("is none of write_serializable, serializable, snapshot")
	}
	c.Isolation = level
	return nil
}

func formatIsolation(c *Config) string {
	for name, level := range isolationNames {
		if level == c.Isolation && level != storage.WriteSerializable {
			return name
		}
	}
	return ""
}

func setReadOnly(c *Config, v string) error {
	b, err := strconv.ParseBool(v)
	if err != nil {
		return fmt.Errorf("is neither true nor false")
	}
	c.ReadOnly = b
	return nil
}

func setTimezone(c *Config, v string) error {
	loc, err := time.LoadLocation(v)
	if err != nil || v == "" || v == "Local" {
		return fmt.Errorf("is not an IANA time zone, such as Europe/Vienna")
	}
	c.Timezone = loc
	return nil
}

func formatTimezone(c *Config) string {
	if c.Timezone == nil {
		return ""
	}
	return c.Timezone.String()
}

// sizeUnits are the suffixes of a size in bytes, longest first.
var sizeUnits = []struct {
	suffix string
	bytes  int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1}, {"", 1}}

func setFileSize(c *Config, v string) error {
	for _, u := range sizeUnits {
		digits, found := strings.CutSuffix(v, u.suffix)
		if !found {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || n < 1 || n > (1<<62)/u.bytes {
			break
		}
		c.TargetFileSizeBytes = n * u.bytes
		return nil
	}
	return fmt.Errorf("is not a size, such as 128MiB")
}

func formatFileSize(c *Config) string {
	if c.TargetFileSizeBytes == 0 {
		return ""
	}
	return strconv.FormatInt(c.TargetFileSizeBytes, 10) + "B"
}

// ParseDSN reads a warehouse URL with options in its query string.
func ParseDSN(dsn string) (Config, error) {
	warehouse, query, _ := strings.Cut(dsn, "?")
	c := Config{Warehouse: warehouse}
	if warehouse == "" {
		return c, fmt.Errorf("%w: the DSN names no warehouse; it is a directory or URL, such as ./warehouse or memory://", ErrConfig)
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return c, fmt.Errorf("%w: the options of the DSN are no query string: %w", ErrConfig, err)
	}
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if len(values[name]) > 1 {
			return c, fmt.Errorf("%w: option %s is given %d times", ErrConfig, name, len(values[name]))
		}
		if err := c.apply(name, values[name][0]); err != nil {
			return c, err
		}
	}
	return c, nil
}

// FormatDSN gives a DSN that ParseDSN reads back as the same Config; Logger,
// which no text can name, is left out.
func (c Config) FormatDSN() string {
	values := url.Values{}
	for _, o := range options {
		if v := o.format(&c); v != "" {
			values.Set(o.name, v)
		}
	}
	if len(values) == 0 {
		return c.Warehouse
	}
	return c.Warehouse + "?" + values.Encode()
}
