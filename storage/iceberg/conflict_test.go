package iceberg

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

// writing is a table in memory that tests change.
type writing struct {
	*testing.T
	table *Table
}

var keyed = types.Schema{Fields: []types.Field{{Name: "id", Type: types.Of(types.BigInt)}, {Name: "v", Type: types.Of(types.BigInt), Nullable: true}}}

// newWriting creates a table of id and v.
func newWriting(t *testing.T, properties map[string]string) *writing {
	w := &writing{t, NewTable(object.NewMemory(t.Name()), "t", types.TableName{Name: "t"}, Options{})}
	base := w.latest()
	require.Equal(t, storage.NoVersion, base.Version())
	require.NoError(t, w.commit(base, storage.RowDelta{Definition: &storage.TableDefinition{Schema: keyed, Properties: properties, KeyColumns: []string{"id"}}}))
	return w
}

func (w *writing) latest() *Snapshot {
	s, err := w.table.loadLatest(w.Context())
	require.NoError(w, err)
	return s
}

// commit runs one round of the commit loop.
func (w *writing) commit(base *Snapshot, delta storage.RowDelta) error {
	ctx, c, head := w.Context(), w.table.Committer(), w.latest()
	if err := c.Check(ctx, base, head, delta); err != nil {
		return err
	}
	a, err := c.Prepare(ctx, head, delta)
	if err != nil {
		return err
	}
	if err := c.Publish(ctx, a); err != nil {
		return err
	}
	return c.Committed(ctx, a)
}

func rowsOf(values ...int64) *vector.Batch {
	b := vector.NewBatch(len(values) / 2)
	for c := range 2 {
		builder := vector.NewBuilder(types.Of(types.BigInt), 0)
		for i := c; i < len(values); i += 2 {
			builder.AppendInt64(values[i])
		}
		b.Columns = append(b.Columns, builder.Vector())
	}
	return b
}

// change completes a writer that f has used.
func (w *writing) change(base *Snapshot, o storage.WriteOptions, f func(context.Context, storage.DeltaWriter) error) storage.RowDelta {
	d, err := w.table.NewDeltaWriter(w.Context(), base, o)
	require.NoError(w, err)
	require.NoError(w, f(w.Context(), d))
	r, err := d.Complete(w.Context())
	require.NoError(w, err)
	return storage.RowDelta{Added: r.DataFiles, Removed: r.RemovedFiles, AddedDeletes: r.DeleteFiles, RemovedDeletes: r.RemovedDeletes, ReadFilter: r.Read, Operation: o.Operation}
}

func (w *writing) insert(base *Snapshot, values ...int64) storage.RowDelta {
	return w.change(base, storage.WriteOptions{Operation: "WRITE"}, func(ctx context.Context, d storage.DeltaWriter) error { return d.Write(ctx, rowsOf(values...)) })
}

func (w *writing) upsert(base *Snapshot, values ...int64) storage.RowDelta {
	return w.change(base, storage.WriteOptions{Operation: "MERGE", Keys: []string{"id"}}, func(ctx context.Context, d storage.DeltaWriter) error { return d.Upsert(ctx, rowsOf(values...)) })
}

// delete takes the row at a position of every file away, after reading where v is
// below 100.
func (w *writing) delete(base *Snapshot, position int64) storage.RowDelta {
	delta := w.change(base, storage.WriteOptions{Operation: "DELETE"}, func(ctx context.Context, d storage.DeltaWriter) error {
		scan, err := base.NewScan().Build(ctx)
		require.NoError(w, err)
		for _, task := range scan.Tasks() {
			require.NoError(w, d.DeletePositions(ctx, task.File, []int64{position}))
		}
		return nil
	})
	delta.ReadFilter = expr.Compare(expr.OpLess, &expr.Column{Index: 1, Name: "v", T: types.Of(types.BigInt), MayBeNull: true}, expr.Int(100))
	return delta
}

// update takes the row at a position of every file away, which it has found by its id,
// and writes another form of it.
func (w *writing) update(base *Snapshot, position, id int64) storage.RowDelta {
	delta, rows := w.delete(base, position), w.insert(base, id, 99)
	delta.Added, delta.Operation = append(delta.Added, rows.Added...), "UPDATE"
	delta.ReadFilter = expr.Compare(expr.OpEqual, &expr.Column{Index: 0, Name: "id", T: types.Of(types.BigInt), MayBeNull: true}, expr.Int(id))
	return delta
}

var modes = map[string]map[string]string{
	"v1":               {"format-version": "1"},
	"v2 copy-on-write": {},
	"v2 merge-on-read": {"write.delete.mode": "merge-on-read"},
	"v3 merge-on-read": {"format-version": "3", "write.delete.mode": "merge-on-read"},
}

// TestConflicts commits a change after another one that was made on the same
// snapshot, on tables of every kind.
func TestConflicts(t *testing.T) {
	for name, properties := range modes {
		none := storage.SnapshotIsolation
		for _, c := range []struct {
			name          string
			first, second func(*writing, *Snapshot) storage.RowDelta
			isolation     storage.Isolation
			conflicts     bool
			only          string
		}{
			{"appends", appendSmall, appendSmall, storage.Serializable, false, ""},
			{"append before delete", appendSmall, deleteFirst, storage.WriteSerializable, false, ""},
			{"append before serializable delete", appendSmall, deleteFirst, storage.Serializable, true, ""},
			{"append after reading before delete", appendRead, deleteFirst, storage.WriteSerializable, true, ""},
			{"append after reading, not checked", appendRead, deleteFirst, none, false, ""},
			{"append of other rows before serializable delete", appendLarge, deleteFirst, storage.Serializable, false, ""},
			{"deletes", deleteFirst, deleteSecond, storage.WriteSerializable, true, ""},
			{"deletes, not checked", deleteFirst, deleteSecond, none, true, "v1"},
			{"deletes, not checked", deleteFirst, deleteSecond, none, true, "v2 copy-on-write"},
			{"deletes, not checked", deleteFirst, deleteSecond, none, false, "v2 merge-on-read"},
			{"deletes, not checked", deleteFirst, deleteSecond, none, true, "v3 merge-on-read"},
			{"two updates, not checked", updateFirst, updateFirst, none, true, ""},
			{"updates of other rows, not checked", updateFirst, updateSecond, none, false, "v2 merge-on-read"},
			{"delete before update, not checked", deleteFirst, updateFirst, none, true, ""},
			{"update before delete, not checked", updateFirst, deleteFirst, none, false, "v2 merge-on-read"},
			{"upsert before update, not checked", upsertOne, updateFirst, none, true, ""},
			{"upsert of another row before update, not checked", upsertNew, updateFirst, none, false, "v2 merge-on-read"},
			{"delete before append", deleteFirst, appendSmall, storage.Serializable, false, ""},
			{"upsert before append", upsertOne, appendSmall, storage.Serializable, false, ""},
			{"upsert before rewriting", upsertOne, deleteFirst, none, true, "v2 copy-on-write"},
			{"upsert before delete", upsertOne, deleteFirst, storage.WriteSerializable, true, ""},
			{"append before upsert", appendSmall, upsertOne, storage.WriteSerializable, false, "v2 copy-on-write"},
			{"delete before upsert", deleteFirst, upsertOne, storage.WriteSerializable, false, "v2 copy-on-write"},
		} {
			if c.only != "" && c.only != name {
				continue
			}
			t.Run(name+"/"+c.name, func(t *testing.T) {
				w := newWriting(t, properties)
				require.NoError(t, w.commit(w.latest(), w.insert(w.latest(), 1, 10, 2, 20, 3, 30)))
				base := w.latest()
				first, second := c.first(w, base), c.second(w, base)
				second.Isolation = c.isolation
				require.NoError(t, w.commit(base, first))
				err := w.commit(base, second)
				if c.conflicts {
					require.ErrorIs(t, err, storage.ErrConflict)
					return
				}
				require.NoError(t, err)
			})
		}
	}
}

func appendSmall(w *writing, base *Snapshot) storage.RowDelta { return w.insert(base, 7, 70) }
func appendRead(w *writing, base *Snapshot) storage.RowDelta {
	delta := w.insert(base, 7, 70)
	delta.ReadFilter = expr.True
	return delta
}
func appendLarge(w *writing, base *Snapshot) storage.RowDelta  { return w.insert(base, 8, 800) }
func deleteFirst(w *writing, base *Snapshot) storage.RowDelta  { return w.delete(base, 0) }
func updateFirst(w *writing, base *Snapshot) storage.RowDelta  { return w.update(base, 0, 1) }
func updateSecond(w *writing, base *Snapshot) storage.RowDelta { return w.update(base, 1, 2) }
func upsertNew(w *writing, base *Snapshot) storage.RowDelta    { return w.upsert(base, 11, 110) }
func deleteSecond(w *writing, base *Snapshot) storage.RowDelta { return w.delete(base, 1) }
func upsertOne(w *writing, base *Snapshot) storage.RowDelta    { return w.upsert(base, 1, 11) }

// TestUpsertReachesWhatCameBetween: a row of the same key that somebody has added
// meanwhile is taken away too.
func TestUpsertReachesWhatCameBetween(t *testing.T) {
	w := newWriting(t, nil)
	base := w.latest()
	first, second := w.insert(base, 1, 10, 2, 20), w.upsert(base, 1, 11)
	require.NoError(t, w.commit(base, first))
	require.NoError(t, w.commit(base, second))
	require.Equal(t, []string{"[]interface {}{1, 11}", "[]interface {}{2, 20}"}, sortedRows(t, w.table, int64(w.latest().Version())))
}

// TestSchemaChangeConflicts: what was computed with another schema is refused.
func TestSchemaChangeConflicts(t *testing.T) {
	w := newWriting(t, nil)
	base := w.latest()
	delta := w.insert(base, 1, 10)
	editMetadata(t, w.table, func(_ *testing.T, m *TableMetadata) {
		s := *m.Schemas[0]
		s.ID = 1
		m.Schemas, m.CurrentSchemaID = append(m.Schemas, &s), 1
	})
	require.ErrorIs(t, w.commit(base, delta), storage.ErrConflict)
}

// TestLandedChangeIsRecognized: an attempt whose answer was lost is found, by the
// committer that made it, and is not made again.
func TestLandedChangeIsRecognized(t *testing.T) {
	w := newWriting(t, nil)
	base := w.latest()
	delta, c, ctx := w.insert(base, 1, 10), w.table.Committer(), t.Context()
	a, err := c.Prepare(ctx, base, delta)
	require.NoError(t, err)
	found, err := c.Find(ctx, a)
	require.NoError(t, err)
	require.False(t, found)
	require.NoError(t, c.Publish(ctx, a))
	found, err = c.Find(ctx, a)
	require.NoError(t, err)
	require.True(t, found)
	require.NoError(t, c.Publish(ctx, a), "the file that is there is its own")
	require.NoError(t, c.Check(ctx, base, w.latest(), delta))
	again, err := c.Prepare(ctx, w.latest(), delta)
	require.NoError(t, err)
	require.NoError(t, c.Publish(ctx, again))
	require.Len(t, w.latest().metadata.Snapshots, 1)

	other := w.table.Committer()
	require.NoError(t, other.Check(ctx, base, w.latest(), delta))
	b, err := other.Prepare(ctx, base, delta)
	require.NoError(t, err)
	require.ErrorIs(t, other.Publish(ctx, b), storage.ErrLostRace)
}

// TestManifestsAreMerged: a table of many commits has few manifests, and nothing
// but those that its snapshots list.
func TestManifestsAreMerged(t *testing.T) {
	for _, version := range []string{"1", "2", "3"} {
		w := newWriting(t, map[string]string{"format-version": version, "commit.manifest.min-count-to-merge": "5", "write.delete.mode": "merge-on-read"})
		want := []string{}
		for i := range int64(23) {
			require.NoError(t, w.commit(w.latest(), w.insert(w.latest(), i, i)))
		}
		require.NoError(t, w.commit(w.latest(), w.delete(w.latest(), 0)))
		for i := range int64(7) {
			require.NoError(t, w.commit(w.latest(), w.insert(w.latest(), 50+i, i)))
			want = append(want, "[]interface {}{"+string(rune('5'))+string(rune('0'+i))+", "+string(rune('0'+i))+"}")
		}
		s := w.latest()
		list, err := s.list(t.Context())
		require.NoError(t, err)
		require.Less(t, len(list), 10)
		require.Equal(t, want, sortedRows(t, w.table, int64(s.Version())))
		ids := map[int64]bool{}
		entries, err := current(t.Context(), s)
		require.NoError(t, err)
		for _, f := range entries {
			if f.Content == Data && version == "3" && f.isLive() {
				require.NotNil(t, f.FirstRowID)
				require.False(t, ids[*f.FirstRowID], "row ids are given once")
				ids[*f.FirstRowID] = true
			}
			require.True(t, version == "1" || f.SequenceNumber > 0)
		}
	}
}
