package iceberg

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/tarndb/tarn/storage"
)

// committer publishes changes. A change has the same snapshot id in every attempt,
// so a commit whose answer was lost is recognized by it later, whichever attempt
// it was; a table that is created without rows by its UUID.
type committer struct {
	table *Table

	mu  sync.Mutex
	ids map[string]int64 // snapshot ids by fingerprint, guarded by mu
}

var _ storage.Committer = (*committer)(nil)

// Committer implements storage.Table.
func (t *Table) Committer() storage.Committer { return &committer{table: t, ids: map[string]int64{}} }

// attempt is a metadata file that was not published yet.
type attempt struct {
	snapshotID int64 // 0 for a table that is created without rows
	uuid       string
	current    string // the metadata file that it follows; empty for the first
	next       string
	body       []byte
	written    []writtenFile
	obsolete   []MetadataLogEntry // metadata files that are to be removed
	metadata   *TableMetadata
	landed     bool // the table has the change already
}

// Version implements storage.Attempt.
func (a *attempt) Version() storage.Version { return storage.Version(a.snapshotID) }

// snapshotID is the id of the snapshot that a change becomes; 0 if it becomes none.
func (c *committer) snapshotID(d *storage.RowDelta) int64 {
	if len(d.Added)+len(d.Removed)+len(d.AddedDeletes)+len(d.RemovedDeletes) == 0 {
		return 0
	}
	h := fnv.New64a()
	for sign, files := range [][]storage.DataFile{d.Added, d.Removed} {
		for _, f := range files {
			fmt.Fprintln(h, sign, f.Path)
		}
	}
	for sign, files := range [][]storage.DeleteFile{d.AddedDeletes, d.RemovedDeletes} {
		for _, f := range files {
			fmt.Fprintln(h, sign, f.Offset, f.Path)
		}
	}
	mark := string(h.Sum(nil))
	c.mu.Lock()
	defer c.mu.Unlock()
	id, ok := c.ids[mark]
	for ; !ok; ok = id != 0 {
		id = rand.Int64()
	}
	c.ids[mark] = id
	return id
}

// has tells whether a table's metadata has a change already.
func (c *committer) has(m *TableMetadata, snapshotID int64, uuid string) bool {
	if snapshotID == 0 {
		return m.UUID == uuid
	}
	return m.snapshot(snapshotID) != nil
}

// uuid is that of the table which a change creates; empty for other changes.
func (c *committer) uuid(d *storage.RowDelta) (string, error) {
	if d.Definition == nil {
		return "", nil
	}
	m, err := c.table.define(d.Definition)
	if err != nil {
		return "", err
	}
	return m.UUID, nil
}

// Check implements storage.Committer.
func (c *committer) Check(ctx context.Context, base, head storage.Snapshot, delta storage.RowDelta) error {
	b, ok1 := base.(*Snapshot)
	h, ok2 := head.(*Snapshot)
	if !ok1 || !ok2 {
		return fmt.Errorf("commit to table %s: its states are of another format", c.table.name)
	}
	uuid, err := c.uuid(&delta)
	if err != nil {
		return err
	}
	switch {
	case !h.isMissing && c.has(h.metadata, c.snapshotID(&delta), uuid):
		return nil
	case b.isMissing && !h.isMissing:
		return &storage.CommitConflict{Table: c.table.name.String(), Base: storage.NoVersion, Version: h.Version(), Operation: "CREATE TABLE", Reason: "the table was created meanwhile"}
	case b.isMissing || b.location == h.location:
		return nil
	}
	v, err := newConflictValidator(b, h, &delta)
	if err != nil {
		return err
	}
	return v.validate(ctx)
}

// Prepare implements storage.Committer.
func (c *committer) Prepare(ctx context.Context, head storage.Snapshot, delta storage.RowDelta) (storage.Attempt, error) {
	h, ok := head.(*Snapshot)
	if !ok {
		return nil, fmt.Errorf("commit to table %s: its state is of another format", c.table.name)
	}
	uuid, err := c.uuid(&delta)
	if err != nil {
		return nil, err
	}
	a := &attempt{snapshotID: c.snapshotID(&delta), uuid: uuid, current: h.location}
	switch {
	case !h.isMissing && c.has(h.metadata, a.snapshotID, uuid):
		a.landed = true
		return a, nil
	case delta.Definition != nil && !h.isMissing:
		return nil, fmt.Errorf("%w: %s", storage.ErrTableExists, c.table.name)
	case delta.Definition == nil && h.isMissing:
		return nil, fmt.Errorf("%w: %s does not exist yet and the change does not create it", storage.ErrTableNotFound, c.table.name)
	}
	if err := c.produce(ctx, h, &delta, a); err != nil {
		return nil, errors.Join(append([]error{err}, removeWritten(context.WithoutCancel(ctx), a.written)...)...)
	}
	return a, nil
}

// produce fills an attempt.
func (c *committer) produce(ctx context.Context, h *Snapshot, delta *storage.RowDelta, a *attempt) error {
	if delta.Definition != nil {
		created, err := h.Apply(storage.RowDelta{Definition: delta.Definition})
		if err != nil {
			return err
		}
		h = created.(*Snapshot)
	} else if err := h.CheckWrite(); err != nil {
		return err
	}
	properties, err := h.metadata.writeProperties()
	if err != nil {
		return err
	}
	if a.snapshotID == 0 {
		a.metadata = h.metadata.clone()
	} else {
		p := &snapshotProducer{head: h, properties: properties, snapshotID: a.snapshotID, isBlind: delta.IsBlindAppend()}
		if p.changes, err = newChanges(delta); err != nil {
			return err
		}
		err := p.produce(ctx)
		a.written = p.written
		if err != nil {
			return fmt.Errorf("commit to table %s: %w", c.table.name, err)
		}
		a.metadata = p.metadata
	}
	if a.current != "" {
		a.obsolete = a.metadata.logMetadata(h.metadata.absolute(a.current), h.metadata.LastUpdatedMillis, properties.previousVersions)
		if !properties.deletesOldMetadata {
			a.obsolete = nil
		}
	}
	if a.next, err = c.table.pointer.Next(a.current, properties.gzipMetadata); err != nil {
		return err
	}
	if a.body, err = a.metadata.encode(); err != nil {
		return fmt.Errorf("commit to table %s: %w", c.table.name, err)
	}
	if properties.gzipMetadata {
		a.body, err = compressed(a.body)
	}
	return err
}

func compressed(body []byte) ([]byte, error) {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, err := z.Write(body)
	err = errors.Join(err, z.Close())
	return out.Bytes(), err
}

func (c *committer) own(a storage.Attempt) (*attempt, error) {
	own, ok := a.(*attempt)
	if !ok {
		return nil, fmt.Errorf("commit to table %s: the attempt is of another format", c.table.name)
	}
	return own, nil
}

// Publish implements storage.Committer.
func (c *committer) Publish(ctx context.Context, a storage.Attempt) error {
	own, err := c.own(a)
	if err != nil || own.landed {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	err = c.table.pointer.Publish(ctx, own.current, own.next, own.body)
	if !errors.Is(err, storage.ErrLostRace) {
		if err != nil {
			return fmt.Errorf("commit to table %s: %w", c.table.name, err)
		}
		return nil
	}
	// What is there may be an earlier try of this very request.
	found, findErr := c.Find(ctx, a)
	switch {
	case findErr != nil:
		return &storage.AmbiguousError{Cause: errors.Join(err, findErr)}
	case found:
		return nil
	}
	return storage.ErrLostRace
}

// Find implements storage.Committer.
func (c *committer) Find(ctx context.Context, a storage.Attempt) (bool, error) {
	own, err := c.own(a)
	if err != nil {
		return false, err
	}
	s, err := c.table.load(ctx)
	if errors.Is(err, storage.ErrTableNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look up the commit to table %s: %w", c.table.name, err)
	}
	return c.has(s.metadata, own.snapshotID, own.uuid), nil
}

// Discard implements storage.Committer.
func (c *committer) Discard(ctx context.Context, a storage.Attempt) error {
	own, err := c.own(a)
	if err != nil {
		return err
	}
	return errors.Join(removeWritten(ctx, own.written)...)
}

// Committed implements storage.Committer: it tells the catalog, and removes old
// metadata files where the table's properties ask for that.
func (c *committer) Committed(ctx context.Context, a storage.Attempt) error {
	own, err := c.own(a)
	if err != nil || own.landed {
		return err
	}
	errs := []error{c.table.pointer.Committed(ctx, own.next)}
	for _, old := range own.obsolete {
		store, path, err := c.table.resolve(own.metadata, old.MetadataFile)
		if err == nil && strings.HasSuffix(path, ".json") {
			err = store.Delete(ctx, path)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
