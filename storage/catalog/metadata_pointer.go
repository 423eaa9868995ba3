package catalog

import (
	"context"
	"fmt"

	"github.com/tarndb/tarn/storage"
)

// metadataPointer is the iceberg.Pointer of a table in a metastore.
type metadataPointer struct {
	backend   Backend
	table     Identifier
	directory string // that the table was opened in
}

// Current implements iceberg.Pointer. A table that is in another directory than
// it was is another one of the same name, or has to be opened anew.
func (p *metadataPointer) Current(ctx context.Context) (string, error) {
	location, err := p.backend.Load(ctx, p.table)
	if err == nil && directoryOf(location) != p.directory {
		err = fmt.Errorf("%w: %s is no longer in %s", storage.ErrTableNotFound, p.table, p.directory)
	}
	return location, err
}

// Next implements iceberg.Pointer.
func (p *metadataPointer) Next(string, bool) (string, error) {
	return "", &storage.UnsupportedFeature{Table: p.table.String(), Feature: "commits to a catalog", Writing: true}
}

// Publish implements iceberg.Pointer.
func (p *metadataPointer) Publish(context.Context, string, string, []byte) error {
	_, err := p.Next("", false)
	return err
}

// Committed implements iceberg.Pointer.
func (p *metadataPointer) Committed(context.Context, string) error { return nil }
