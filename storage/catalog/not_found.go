package catalog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

// notFound says why there may be no table at a place.
func (c *FileCatalog) notFound(ctx context.Context, name types.TableName, p place) error {
	why := ""
	if p.name.IsPath() {
		why = p.whatElse(ctx)
	} else {
		why = c.suggest(ctx, p.name.Schema)
	}
	return fmt.Errorf("%w: %s%s", storage.ErrTableNotFound, name, why)
}

// whatElse says what is at a path where no table of the format is.
func (p place) whatElse(ctx context.Context) string {
	for _, f := range formats {
		if ok, err := f.exists(ctx, p.store, p.root); err == nil && ok {
			other := types.TableName{Format: f.word, Path: p.name.Path}
			return fmt.Sprintf(": it is %s, %s", f.title, other)
		}
	}
	if dir, ok := p.store.(*object.FileStore); ok {
		if _, err := os.Stat(dir.Root()); os.IsNotExist(err) {
			return ": the directory does not exist"
		}
	}
	return ": the directory has no table of this format"
}

// mostSuggested is how many tables an error lists.
const mostSuggested = 20

// suggest lists the tables of a schema where they are few.
func (c *FileCatalog) suggest(ctx context.Context, schema string) string {
	if schema == "" {
		schema = c.options.Schema
	}
	tables, err := c.ListTables(ctx, schema)
	switch {
	case errors.Is(err, storage.ErrSchemaNotFound):
		return fmt.Sprintf("; the schema %s does not exist", types.QuoteIdent(schema))
	case err != nil || len(tables) > mostSuggested:
		return ""
	case len(tables) == 0 && !strings.EqualFold(schema, types.DefaultSchema):
		return fmt.Sprintf("; the schema %s has no tables", types.QuoteIdent(schema))
	case len(tables) == 0:
		return c.emptiness(ctx)
	}
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = t.Name
	}
	return "; the tables are " + strings.Join(names, ", ")
}

// emptiness says what the warehouse is if it has no tables of the default schema.
func (c *FileCatalog) emptiness(ctx context.Context) string {
	for _, f := range formats {
		if ok, err := f.exists(ctx, c.store, ""); err == nil && ok {
			return fmt.Sprintf("; the warehouse %s is itself %s: open the directory above it", c.warehouse(), f.title)
		}
	}
	dirs, err := c.store.ListDirs(ctx, "")
	switch {
	case err != nil:
		return ""
	case slices.ContainsFunc(dirs, isTableName):
		return fmt.Sprintf("; the warehouse %s has no tables in the schema %s", c.warehouse(), types.DefaultSchema)
	}
	return fmt.Sprintf("; the warehouse %s has no tables", c.warehouse())
}

// warehouse is the warehouse for an error message.
func (c *FileCatalog) warehouse() string {
	if dir, ok := c.store.(*object.FileStore); ok {
		return dir.Root()
	}
	return c.store.String()
}

// fileFormats are words before a path that other engines read files by.
var fileFormats = []string{"parquet", "csv", "json", "orc", "avro", "text", "hudi"}

// noName refuses a name that no directory of the warehouse can have.
func noName(name types.TableName) error {
	switch {
	case slices.Contains(fileFormats, strings.ToLower(name.Schema)) && strings.ContainsAny(name.Name, `/\`):
		return fmt.Errorf("%w: %s: only delta.`…` and iceberg.`…` name a table by its path yet", storage.ErrUnsupportedFeature, name)
	case strings.ContainsAny(name.Name, `/\`):
		return fmt.Errorf("%w: %s: a table is named by its path as delta.`…` or iceberg.`…`", storage.ErrTableNotFound, name)
	}
	return fmt.Errorf("%w: %s: a name that begins with . or _ or has / or \\ in it is no table's", storage.ErrTableNotFound, name)
}
