package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/delta"
	"github.com/tarndb/tarn/storage/iceberg"
	"github.com/tarndb/tarn/storage/object"
)

// Options configure a catalog.
type Options struct {
	Schema string // of tables named without one; empty for types.DefaultSchema
	Format string // of CREATE TABLE without USING; empty for delta
	// MustExist refuses a warehouse directory that does not exist; otherwise it
	// is made with the first table.
	MustExist bool
	CreatedBy string // the engine that the tables' commits name, not their data files
	// Metastore names what keeps the tables' metadata pointers, as
	// sqlite:/data/cat.db; empty for the warehouse directory itself.
	Metastore   string
	CatalogName string // of the Metastore's tables; empty for DefaultCatalogName
}

// format is how tables of one format are found and opened.
type format struct {
	word   string // in SQL
	title  string // "a Delta table"
	log    string // the directory without which there is no table
	exists func(ctx context.Context, store object.Store, root string) (bool, error)
	open   func(store object.Store, root string, name types.TableName, o Options) storage.Table
	// create gives the handle of a table that does not exist yet.
	create func(store object.Store, root string, name types.TableName, o Options) storage.Table
}

// formats are the table formats, in the order in which a directory is asked.
var formats = []format{
	{
		word:   "delta",
		title:  "a Delta table",
		log:    delta.LogDir,
		exists: delta.Exists,
		open: func(store object.Store, root string, name types.TableName, o Options) storage.Table {
			return delta.OpenTable(store, root, name, delta.Options{EngineInfo: o.CreatedBy})
		},
		create: func(store object.Store, root string, name types.TableName, o Options) storage.Table {
			return delta.NewTable(store, root, name, delta.Options{EngineInfo: o.CreatedBy})
		},
	},
	{
		word:   "iceberg",
		title:  "an Iceberg table",
		log:    iceberg.MetadataDir,
		exists: iceberg.Exists,
		open: func(store object.Store, root string, name types.TableName, o Options) storage.Table {
			options := iceberg.Options{CreatedBy: o.CreatedBy}
			if isMetadataFile(name) {
				options.Metadata = iceberg.MetadataFile(iceberg.MetadataDir + "/" + filepath.Base(name.Path))
			}
			return iceberg.OpenTable(store, root, name, options)
		},
		create: func(store object.Store, root string, name types.TableName, o Options) storage.Table {
			return iceberg.NewTable(store, root, name, iceberg.Options{CreatedBy: o.CreatedBy})
		},
	},
}

// isMetadataFile tells whether a by-path name is that of one metadata file of
// an Iceberg table.
func isMetadataFile(name types.TableName) bool {
	return name.Format == "iceberg" && strings.HasSuffix(name.Path, ".metadata.json")
}

// FileCatalog is a warehouse directory. It is safe for concurrent use.
type FileCatalog struct {
	store   object.Store
	options Options
}

var _ storage.Catalog = (*FileCatalog)(nil)

// openFiles opens the warehouse at a URL.
func openFiles(url string, o Options) (*FileCatalog, error) {
	store, err := object.Open(url)
	if err != nil {
		return nil, err
	}
	if f, ok := store.(*object.FileStore); ok && o.MustExist {
		if _, err := os.Stat(f.Root()); err != nil {
			return nil, fmt.Errorf("%w: %w", object.ErrNotFound, err)
		}
	}
	return &FileCatalog{store: store, options: o}, nil
}

// Close closes the store.
func (c *FileCatalog) Close() error {
	if closer, ok := c.store.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

func formatOf(word string) (format, error) {
	i := formatIndex(word)
	if i < 0 {
		return format{}, fmt.Errorf("%w: there is no table format %s; USING takes delta or iceberg", storage.ErrUnsupportedFeature, word)
	}
	return formats[i], nil
}

// formatIndex finds a format by its word; -1 if there is none.
func formatIndex(word string) int {
	return slices.IndexFunc(formats, func(f format) bool { return strings.EqualFold(f.word, word) })
}

// place is where a table is: a store, a directory in it, and the name by which
// it is known from then on.
type place struct {
	store object.Store
	root  string
	name  types.TableName
}

// byPath gives a name of two parts of which the first is a format and the second
// looks like a path as a by-path name, and any other as it is.
func byPath(name types.TableName) types.TableName {
	if formatIndex(name.Schema) >= 0 && !name.IsPath() && name.Catalog == "" && strings.ContainsAny(name.Name, `/\`) {
		return types.TableName{Format: strings.ToLower(name.Schema), Path: name.Name}
	}
	return name
}

// locate finds the directory of a name.
func (c *FileCatalog) locate(name types.TableName) (place, error) {
	if name = byPath(name); name.IsPath() {
		return c.locatePath(name)
	}
	if name.Catalog != "" {
		return place{}, fmt.Errorf("%w: no catalog %s is attached; leave the first part of %s out", storage.ErrTableNotFound, name.Catalog, name)
	}
	schema := name.Schema
	if schema == "" {
		schema = c.options.Schema
	}
	if !isTableName(name.Name) || !isTableName(schema) {
		return place{}, noName(name)
	}
	root := name.Name
	if !strings.EqualFold(schema, types.DefaultSchema) {
		root = schema + "/" + name.Name
	}
	if err := object.ValidatePath(root); err != nil {
		return place{}, fmt.Errorf("%w: %s: %w", storage.ErrTableNotFound, name, err)
	}
	return place{store: c.store, root: root, name: name}, nil
}

// isTableName refuses what is no single directory, and directories that the
// formats keep for themselves.
func isTableName(name string) bool {
	return name != "" && name[0] != '.' && name[0] != '_' && !strings.ContainsAny(name, `/\`)
}

// locatePath opens the store of a by-path name.
func (c *FileCatalog) locatePath(name types.TableName) (place, error) {
	if _, err := formatOf(name.Format); err != nil {
		return place{}, err
	}
	if scheme, _, ok := strings.Cut(name.Path, "://"); ok && scheme != "file" {
		return place{}, fmt.Errorf("%w: %s: a path is a directory or file://…; the store %s:// is not supported yet", storage.ErrUnsupportedFeature, name, scheme)
	}
	dir, err := filepath.Abs(strings.TrimPrefix(name.Path, "file://"))
	if err != nil {
		return place{}, err
	}
	if isMetadataFile(name) {
		dir = filepath.Dir(filepath.Dir(dir))
	}
	store, err := object.NewFileStore(dir)
	return place{store: store, name: name}, err
}

// LoadTable implements storage.Catalog.
func (c *FileCatalog) LoadTable(ctx context.Context, name types.TableName) (storage.Table, error) {
	p, err := c.locate(name)
	if err != nil {
		return nil, err
	}
	found, err := c.find(ctx, p)
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, c.notFound(ctx, name, p)
	}
	return found.open(p.store, p.root, p.name, c.options), nil
}

// find gives the format of the table at a place; nil if there is no table.
func (c *FileCatalog) find(ctx context.Context, p place) (*format, error) {
	found, err := p.formats(ctx)
	switch {
	case err != nil || len(found) == 0:
		return nil, err
	case len(found) == 1:
		return &found[0], nil
	}
	writer, err := p.writerOf(ctx, found)
	return &writer, err
}

// formats are those that a place has a table of; of a by-path name at most the
// one that it names.
func (p place) formats(ctx context.Context) ([]format, error) {
	var found []format
	for _, f := range formats {
		if p.name.IsPath() && f.word != p.name.Format {
			continue
		}
		ok, err := f.exists(ctx, p.store, p.root)
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, f)
		}
	}
	return found, nil
}

// writerOf gives the one of several formats in which the table at a place is
// written. A Delta table whose metadata an engine translates for readers of
// Iceberg says so in its properties; elsewhere nothing tells which one is
// meant, and one of two logs taken by chance would be a wrong table.
func (p place) writerOf(ctx context.Context, found []format) (format, error) {
	universal, err := delta.IsUniversal(ctx, p.store, p.root)
	if err == nil && !universal {
		dir := p.store.String() + "/" + p.root
		if files, ok := p.store.(*object.FileStore); ok {
			dir = filepath.Join(files.Root(), p.root)
		}
		var names []string
		for _, f := range found {
			names = append(names, types.TableName{Format: f.word, Path: dir}.String())
		}
		err = fmt.Errorf("%w: %s is in a directory of several table formats, and the property %s of the Delta table does not say that it is the one that is written; name the one that is meant: %s",
			storage.ErrUnsupportedFeature, p.name, delta.UniversalFormats, strings.Join(names, " or "))
	}
	return found[0], err
}

// NewTable implements storage.Catalog.
func (c *FileCatalog) NewTable(ctx context.Context, name types.TableName, definition storage.TableDefinition) (storage.Table, error) {
	word := cmp.Or(definition.Format, c.options.Format, "delta")
	f, err := formatOf(word)
	if err != nil {
		return nil, err
	}
	if definition.Location != "" {
		return nil, &storage.UnsupportedFeature{Table: name.String(), Feature: "LOCATION", Writing: true}
	}
	p, err := c.locate(name)
	if err != nil {
		return nil, err
	}
	found, err := c.find(ctx, p)
	if err != nil {
		return nil, err
	}
	if found != nil {
		return nil, fmt.Errorf("%w: %s", storage.ErrTableExists, name)
	}
	return f.create(p.store, p.root, p.name, c.options), nil
}

// DropTable implements storage.Catalog. The log goes first, beginning with its
// oldest file, so that a table half removed is no table or a damaged one, but
// none with other rows; before it goes what was derived from it.
func (c *FileCatalog) DropTable(ctx context.Context, name types.TableName) error {
	p, err := c.locate(name)
	if err != nil {
		return err
	}
	if p.name.IsPath() {
		return fmt.Errorf("%w: %s is named by its path; remove the directory instead", storage.ErrTableNotFound, name)
	}
	found, err := c.find(ctx, p)
	if err != nil {
		return err
	}
	if found == nil {
		return c.notFound(ctx, name, p)
	}
	for _, f := range append(derivedFrom(found), *found) {
		for info, err := range c.store.List(ctx, p.root+"/"+f.log) {
			if err == nil {
				err = c.store.Delete(ctx, info.Path)
			}
			if err != nil {
				return err
			}
		}
	}
	var errs []error
	for info, err := range c.store.List(ctx, p.root) {
		if err != nil {
			return errors.Join(append(errs, err)...)
		}
		errs = append(errs, c.store.Delete(ctx, info.Path))
	}
	return errors.Join(errs...)
}

// derivedFrom are the formats other than the one that a table is written in.
func derivedFrom(writer *format) []format {
	return slices.DeleteFunc(slices.Clone(formats), func(f format) bool { return f.word == writer.word })
}

// ListTables implements storage.Catalog.
func (c *FileCatalog) ListTables(ctx context.Context, schema string) ([]types.TableName, error) {
	if schema == "" {
		schema = c.options.Schema
	}
	dir := schema
	if strings.EqualFold(schema, types.DefaultSchema) {
		dir = ""
	}
	if err := object.ValidatePath(dir); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", storage.ErrSchemaNotFound, schema, err)
	}
	if dir != "" {
		schemas, err := c.store.ListDirs(ctx, "")
		if err != nil {
			return nil, err
		}
		if !slices.Contains(schemas, dir) {
			return nil, fmt.Errorf("%w: %s", storage.ErrSchemaNotFound, schema)
		}
	}
	names, err := c.store.ListDirs(ctx, dir)
	if err != nil {
		return nil, err
	}
	var out []types.TableName
	for _, n := range names {
		if !isTableName(n) {
			continue
		}
		name := types.TableName{Schema: schema, Name: n}
		p, err := c.locate(name)
		if err != nil {
			return nil, err
		}
		found, err := p.formats(ctx)
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			out = append(out, name)
		}
	}
	return out, nil
}
