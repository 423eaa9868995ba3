package catalog

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/iceberg"
)

// metadataPointer is the iceberg.Pointer of a table in a metastore: a metadata
// file is written under a name of its own, and then the backend is told of it.
type metadataPointer struct {
	catalog   *MetastoreCatalog
	table     Identifier
	directory string // that the table was opened in
}

var _ iceberg.Pointer = (*metadataPointer)(nil)

// Current implements iceberg.Pointer. A table that is in another directory than
// it was is another one of the same name, or has to be opened anew.
func (p *metadataPointer) Current(ctx context.Context) (string, error) {
	location, err := p.catalog.backend.Load(ctx, p.table)
	if err == nil && directoryOf(location) != p.directory {
		err = fmt.Errorf("%w: %s is no longer in %s", storage.ErrTableNotFound, p.table, p.directory)
	}
	return location, err
}

// Next implements iceberg.Pointer by the names that other engines give: a number,
// which only tells people the order, and a UUID.
func (p *metadataPointer) Next(current string, compressed bool) (string, error) {
	version, directory, extension := 0, p.directory+"/"+iceberg.MetadataDir, ".metadata.json"
	if compressed {
		extension = ".gz.metadata.json"
	}
	if current != "" {
		number, _, _ := strings.Cut(path.Base(current), "-")
		if n, err := strconv.Atoi(number); err == nil && n >= 0 {
			version = n + 1
		}
		directory = current[:strings.LastIndexByte(current, '/')]
	}
	return fmt.Sprintf("%s/%05d-%s%s", directory, version, uuid.NewString(), extension), nil
}

// Publish implements iceberg.Pointer. The file of a commit that is none is
// removed.
func (p *metadataPointer) Publish(ctx context.Context, current, next string, body []byte) error {
	store, name, err := iceberg.Locate(p.catalog.files.store, &p.catalog.volumes, next)
	if err != nil {
		return err
	}
	err = store.PutIfAbsent(ctx, name, body)
	if err == nil {
		err = p.catalog.backend.Swap(ctx, []Change{{Table: p.table, From: current, To: next}})
	}
	var ambiguous *storage.AmbiguousError
	if err != nil && !errors.As(err, &ambiguous) {
		_ = store.Delete(context.WithoutCancel(ctx), name) // nothing names it
	}
	return err
}

// Committed implements iceberg.Pointer: there is nothing left to do.
func (p *metadataPointer) Committed(context.Context, string) error { return nil }
