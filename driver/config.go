package driver

import (
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/tarndb/tarn/storage"
)

// Config says what a Connector opens. The zero value of a field is its default.
type Config struct {
	// Warehouse is the URL of the warehouse: a directory, file://…, memory://….
	Warehouse string
	// Catalog names what keeps the tables' metadata pointers, as
	// sqlite:/data/cat.db; empty for the warehouse directory itself. Its package is
	// imported by name.
	Catalog string
	// CatalogName tells the tables of several catalogs in one database apart, and is
	// the first part of a name of three; empty for "default".
	CatalogName string
	// Schema is the schema of tables named without one; empty for "default",
	// whose tables are directly in the warehouse.
	Schema string
	// Format is what CREATE TABLE makes without USING; empty for delta.
	Format string
	// Threads is the number of workers of a statement; 0 for GOMAXPROCS.
	Threads int
	// MemoryLimitBytes bounds the memory of all statements of the connector
	// together; 0 for half of the machine's or of its control group's. What goes
	// beyond is kept in temporary files.
	MemoryLimitBytes int64
	// TempDir is the directory for temporary files; empty for os.TempDir.
	TempDir string
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
	// LogLevel is the least level that is logged; the zero value is info.
	LogLevel slog.Level
	// Logger takes what the driver logs; nil for slog.Default.
	Logger *slog.Logger
}

// ParseDSN reads a warehouse URL with options in its query string.
func ParseDSN(dsn string) (Config, error) {
	c, err := parseDSN(dsn)
	return c, wrapError(err)
}

func parseDSN(dsn string) (Config, error) {
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

// findOption finds an option by its name, ignoring case.
func findOption(name string) (option, error) {
	known := make([]string, len(options))
	for i, o := range options {
		if strings.EqualFold(o.name, name) {
			return o, nil
		}
		known[i] = o.name
	}
	problem := "unknown option"
	if slices.Contains(futureOptions, strings.ToLower(name)) {
		problem = "not yet supported option"
	}
	return option{}, fmt.Errorf("%w: %s %q; the options are %s", ErrConfig, problem, name, strings.Join(known, ", "))
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
