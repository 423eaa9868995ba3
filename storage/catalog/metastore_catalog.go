package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/iceberg"
	"github.com/tarndb/tarn/storage/object"
)

// MetastoreCatalog has Iceberg tables whose metadata pointers a Backend keeps. It
// is safe for concurrent use.
//
//  1. A schema is a namespace; the default one is the namespace of that name. A
//     name of three parts begins with the catalog's name, or names a namespace
//     of two levels.
//  2. A table is where its metadata says. A new one is made in
//     <warehouse>/<namespace>/<table>, with a directory for each level.
//  3. By-path names are those of FileCatalog.
type MetastoreCatalog struct {
	files   *FileCatalog
	backend Backend
	options Options
	volumes object.Volumes // of tables outside the warehouse
}

// Close closes the backend and the store.
func (c *MetastoreCatalog) Close() error { return errors.Join(c.backend.Close(), c.files.Close()) }

// identify gives a name the form that the backend has for it.
func (c *MetastoreCatalog) identify(name types.TableName) (Identifier, error) {
	schema := name.Schema
	if name.Catalog != "" {
		schema = name.Catalog + "." + schema
	}
	id := Identifier{Namespace: c.namespace(schema), Name: name.Name}
	for _, part := range append(strings.Split(id.Namespace, "."), name.Name) {
		if part == "" || part == "." || part == ".." || strings.ContainsAny(part, `/\`) {
			return id, noName(name)
		}
	}
	return id, nil
}

// namespace gives the namespace of a schema, before which the catalog's name may be.
func (c *MetastoreCatalog) namespace(schema string) string {
	if schema == "" {
		return c.options.Schema
	}
	if first, rest, ok := strings.Cut(schema, "."); ok && strings.EqualFold(first, c.catalogName()) {
		return rest
	}
	return schema
}

func (c *MetastoreCatalog) catalogName() string {
	if c.options.CatalogName == "" {
		return DefaultCatalogName
	}
	return c.options.CatalogName
}

// tableName is the one name that a table has, however a statement spells it.
func (c *MetastoreCatalog) tableName(id Identifier) types.TableName {
	if id.Namespace == c.options.Schema {
		return types.TableName{Name: id.Name}
	}
	return types.TableName{Schema: id.Namespace, Name: id.Name}
}

// LoadTable implements storage.Catalog.
func (c *MetastoreCatalog) LoadTable(ctx context.Context, name types.TableName) (storage.Table, error) {
	if byPath(name).IsPath() {
		return c.files.LoadTable(ctx, name)
	}
	id, err := c.identify(name)
	if err != nil {
		return nil, err
	}
	location, err := c.backend.Load(ctx, id)
	if errors.Is(err, storage.ErrTableNotFound) {
		return nil, fmt.Errorf("%w%s", err, c.suggest(ctx, id.Namespace))
	}
	if err != nil {
		return nil, err
	}
	store, dir, err := iceberg.Locate(c.files.store, &c.volumes, directoryOf(location))
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", name, err)
	}
	return iceberg.OpenTable(store, dir, c.tableName(id), c.tableOptions(id, directoryOf(location))), nil
}

func (c *MetastoreCatalog) tableOptions(id Identifier, directory string) iceberg.Options {
	return iceberg.Options{Metadata: &metadataPointer{catalog: c, table: id, directory: directory}, CreatedBy: c.options.CreatedBy}
}

// directoryOf is the directory of a table by the location of its metadata file.
func directoryOf(location string) string {
	scheme, rest, ok := strings.Cut(location, "://")
	if !ok {
		return path.Dir(path.Dir(location))
	}
	return scheme + "://" + path.Dir(path.Dir(rest)) // path.Dir would join the slashes
}

// suggest lists the tables of a namespace where they are few.
func (c *MetastoreCatalog) suggest(ctx context.Context, namespace string) string {
	names, err := c.backend.List(ctx, namespace)
	switch {
	case errors.Is(err, storage.ErrSchemaNotFound):
		return fmt.Sprintf("; the catalog %s has no schema %s", c.catalogName(), types.QuoteIdent(namespace))
	case err != nil || len(names) > mostSuggested:
		return ""
	case len(names) == 0:
		return fmt.Sprintf("; the catalog %s has no tables in the schema %s", c.catalogName(), types.QuoteIdent(namespace))
	}
	return "; the tables are " + strings.Join(names, ", ")
}

// NewTable implements storage.Catalog.
func (c *MetastoreCatalog) NewTable(ctx context.Context, name types.TableName, definition storage.TableDefinition) (storage.Table, error) {
	if byPath(name).IsPath() {
		return c.files.NewTable(ctx, name, definition)
	}
	if word := cmp.Or(definition.Format, c.options.Format, "iceberg"); !strings.EqualFold(word, "iceberg") {
		return nil, &storage.UnsupportedFeature{Table: name.String(), Feature: "CREATE TABLE USING " + word + " in a catalog of Iceberg tables", Writing: true}
	}
	if definition.Location != "" {
		return nil, &storage.UnsupportedFeature{Table: name.String(), Feature: "LOCATION", Writing: true}
	}
	id, err := c.identify(name)
	if err != nil {
		return nil, err
	}
	switch _, err := c.backend.Load(ctx, id); {
	case err == nil:
		return nil, fmt.Errorf("%w: %s", storage.ErrTableExists, name)
	case !errors.Is(err, storage.ErrTableNotFound):
		return nil, err
	}
	dir := strings.ReplaceAll(id.Namespace, ".", "/") + "/" + id.Name
	return iceberg.NewTable(c.files.store, dir, c.tableName(id), c.tableOptions(id, iceberg.LocationOf(c.files.store, dir))), nil
}

// DropTable implements storage.Catalog. The table's files stay, as with the other
// engines that use such a catalog.
func (c *MetastoreCatalog) DropTable(ctx context.Context, name types.TableName) error {
	if byPath(name).IsPath() {
		return c.files.DropTable(ctx, name)
	}
	id, err := c.identify(name)
	if err != nil {
		return err
	}
	for {
		location, err := c.backend.Load(ctx, id)
		if err == nil {
			err = c.backend.Swap(ctx, []Change{{Table: id, From: location}})
		}
		if !errors.Is(err, storage.ErrLostRace) {
			return err
		}
	}
}

// ListTables implements storage.Catalog.
func (c *MetastoreCatalog) ListTables(ctx context.Context, schema string) ([]types.TableName, error) {
	namespace := c.namespace(schema)
	names, err := c.backend.List(ctx, namespace)
	if err != nil {
		return nil, err
	}
	out := make([]types.TableName, len(names))
	for i, n := range names {
		out[i] = types.TableName{Schema: namespace, Name: n}
	}
	return out, nil
}
