package delta

import (
	"context"

	"github.com/tarndb/tarn/storage"
)

// NewDeltaWriter implements storage.Table.
func (t *Table) NewDeltaWriter(context.Context, storage.Snapshot, storage.WriteOptions) (storage.DeltaWriter, error) {
	return nil, &storage.UnsupportedFeature{Table: t.name.String(), Feature: "writing", Writing: true}
}

// RemoveFiles implements storage.Table.
func (t *Table) RemoveFiles(context.Context, []storage.DataFile) error {
	return &storage.UnsupportedFeature{Table: t.name.String(), Feature: "writing", Writing: true}
}

// Committer implements storage.Table.
func (t *Table) Committer() storage.Committer { return nil }
