package iceberg

import (
	"context"
	"fmt"

	"github.com/tarndb/tarn/storage"
)

// refusal says that Iceberg tables can't be written to yet.
func (t *Table) refusal() error {
	return fmt.Errorf("%w: table %s: Iceberg tables can only be read yet", storage.ErrUnsupportedFeature, t.name)
}

// CheckWrite implements storage.Snapshot.
func (s *Snapshot) CheckWrite() error { return s.table.refusal() }

// Apply implements storage.Snapshot.
func (s *Snapshot) Apply(delta storage.RowDelta) (storage.Snapshot, error) {
	if delta.IsEmpty() {
		return s, nil
	}
	return nil, s.table.refusal()
}

// NewDeltaWriter implements storage.Table.
func (t *Table) NewDeltaWriter(context.Context, storage.Snapshot, storage.WriteOptions) (storage.DeltaWriter, error) {
	return nil, t.refusal()
}

// RemoveFiles implements storage.Table.
func (t *Table) RemoveFiles(_ context.Context, files []storage.DataFile, deletes []storage.DeleteFile) error {
	if len(files)+len(deletes) == 0 {
		return nil
	}
	return t.refusal()
}

// Committer implements storage.Table.
func (t *Table) Committer() storage.Committer { return committer{t} }

// committer refuses.
type committer struct{ table *Table }

// Check implements storage.Committer.
func (c committer) Check(context.Context, storage.Snapshot, storage.Snapshot, storage.RowDelta) error {
	return c.table.refusal()
}

// Prepare implements storage.Committer.
func (c committer) Prepare(context.Context, storage.Snapshot, storage.RowDelta) (storage.Attempt, error) {
	return nil, c.table.refusal()
}

// Publish implements storage.Committer.
func (c committer) Publish(context.Context, storage.Attempt) error { return c.table.refusal() }

// Find implements storage.Committer.
func (c committer) Find(context.Context, storage.Attempt) (bool, error) {
	return false, c.table.refusal()
}

// Discard implements storage.Committer.
func (c committer) Discard(context.Context, storage.Attempt) error { return c.table.refusal() }

// Committed implements storage.Committer.
func (c committer) Committed(context.Context, storage.Attempt) error { return c.table.refusal() }
