package storagetest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// byKey runs f with a writer that has keys and gives what it wrote.
func (s *suite) byKey(table storage.Table, base storage.Snapshot, keys []string, f func(w storage.DeltaWriter) error) storage.RowDelta {
	o := storage.WriteOptions{Operation: "MERGE", Keys: keys}
	w, err := table.NewDeltaWriter(s.ctx, base, o)
	require.NoError(s, err)
	require.NoError(s, f(w))
	result, err := w.Complete(s.ctx)
	require.NoError(s, err)
	return storage.RowDelta{Added: result.DataFiles, Removed: result.RemovedFiles, AddedDeletes: result.DeleteFiles, RemovedDeletes: result.RemovedDeletes,
		ReadFilter: result.Read, Operation: o.Operation}
}

func (s *suite) upsert(table storage.Table, base storage.Snapshot, keys []string, rows ...[]any) storage.RowDelta {
	return s.byKey(table, base, keys, func(w storage.DeltaWriter) error { return w.Upsert(s.ctx, batch(base.Schema(), rows...)) })
}

func (s *suite) deleteKeys(table storage.Table, base storage.Snapshot, keys []string, rows ...[]any) storage.RowDelta {
	return s.byKey(table, base, keys, func(w storage.DeltaWriter) error { return w.DeleteKeys(s.ctx, batch(base.Schema(), rows...)) })
}

// keyed checks changes by key: of rows that are in the table, of those that the
// writer wrote itself, and of those that the transaction staged.
func (s *suite) keyed() {
	table := s.filled()
	id, both := []string{"id"}, []string{"part", "id"}
	for _, c := range []struct {
		name  string
		keys  []string
		do    func(w storage.DeltaWriter, b func(rows ...[]any) *vector.Batch) error
		after string
	}{
		{"a row moves to another partition", id, func(w storage.DeltaWriter, b func(rows ...[]any) *vector.Batch) error {
			return w.Upsert(s.ctx, b([]any{int64(1), "b", 9.0}))
		}, "1 'b' 9; 10 'a' 3.5; 11 NULL 0.5; 2 'a' NULL; 3 'b' 2.5"},
		{"the last of equal keys stays", id, func(w storage.DeltaWriter, b func(rows ...[]any) *vector.Batch) error {
			return w.Upsert(s.ctx, b([]any{int64(3), "a", 1.0}, []any{int64(3), "c", 2.0}, []any{int64(3), "c", 3.0}))
		}, "1 'b' 9; 10 'a' 3.5; 11 NULL 0.5; 2 'a' NULL; 3 'c' 3"},
		{"NULL equals NULL", both, func(w storage.DeltaWriter, b func(rows ...[]any) *vector.Batch) error {
			return w.Upsert(s.ctx, b([]any{int64(11), nil, 1.0}, []any{nil, "n", 1.0}, []any{nil, "n", 2.0}))
		}, "1 'b' 9; 10 'a' 3.5; 11 NULL 1; 2 'a' NULL; 3 'c' 3; NULL 'n' 2"},
		{"keys of other rows are deleted without effect", both, func(w storage.DeltaWriter, b func(rows ...[]any) *vector.Batch) error {
			return w.DeleteKeys(s.ctx, b([]any{int64(1), "a", 0.0}, []any{int64(2), "a", 0.0}, []any{nil, nil, nil}))
		}, "1 'b' 9; 10 'a' 3.5; 11 NULL 1; 3 'c' 3; NULL 'n' 2"},
		{"what was written is deleted and written again", id, func(w storage.DeltaWriter, b func(rows ...[]any) *vector.Batch) error {
			if err := w.Upsert(s.ctx, b([]any{int64(10), "a", 1.0}, []any{int64(4), "a", 1.0})); err != nil {
				return err
			}
			if err := w.DeleteKeys(s.ctx, b([]any{int64(4), nil, nil}, []any{int64(10), nil, nil})); err != nil {
				return err
			}
			return w.Write(s.ctx, b([]any{int64(4), "d", 4.0}, []any{int64(4), "d", 5.0}))
		}, "1 'b' 9; 11 NULL 1; 3 'c' 3; 4 'd' 5; NULL 'n' 2"},
		{"nothing", id, func(w storage.DeltaWriter, b func(rows ...[]any) *vector.Batch) error { return w.Upsert(s.ctx, b()) },
			"1 'b' 9; 11 NULL 1; 3 'c' 3; 4 'd' 5; NULL 'n' 2"},
	} {
		base := s.latest(table)
		delta := s.byKey(table, base, c.keys, func(w storage.DeltaWriter) error {
			return c.do(w, func(rows ...[]any) *vector.Batch { return batch(base.Schema(), rows...) })
		})
		view, err := base.Apply(delta)
		require.NoError(s, err)
		require.Equal(s, c.after, s.rows(view), c.name)
		if !delta.IsEmpty() {
			s.commit(table, base, delta)
		}
		require.Equal(s, c.after, s.rows(s.latest(table)), c.name)
	}
	base := s.latest(table)
	_, err := table.NewDeltaWriter(s.ctx, base, storage.WriteOptions{Keys: []string{"v"}})
	require.ErrorIs(s, err, eval.ErrTypeMismatch)
	_, err = table.NewDeltaWriter(s.ctx, base, storage.WriteOptions{Keys: []string{"nope"}})
	require.ErrorIs(s, err, storage.ErrSchemaMismatch)
}

// keyedStaged checks that keys are looked for among the rows that the transaction
// has staged.
func (s *suite) keyedStaged() {
	table := s.filled()
	base := s.latest(table)
	id := []string{"id"}
	view, err := base.Apply(s.write(table, base, []any{int64(1), "s", 1.0}, []any{int64(20), "s", 1.0}, []any{int64(21), "s", 1.0}))
	require.NoError(s, err)
	for _, c := range []struct {
		stage func() storage.RowDelta
		after string
	}{
		{func() storage.RowDelta {
			return s.upsert(table, view, id, []any{int64(20), "t", 2.0}, []any{int64(2), "t", 2.0})
		},
			"1 'a' 1.5; 1 's' 1; 10 'a' 3.5; 11 NULL 0.5; 2 't' 2; 20 't' 2; 21 's' 1; 3 'b' 2.5"},
		{func() storage.RowDelta {
			return s.upsert(table, view, id, []any{int64(1), "t", 3.0}, []any{int64(2), "t", 3.0})
		},
			"1 't' 3; 10 'a' 3.5; 11 NULL 0.5; 2 't' 3; 20 't' 2; 21 's' 1; 3 'b' 2.5"},
		{func() storage.RowDelta {
			return s.deleteKeys(table, view, id, []any{int64(1), nil, nil}, []any{int64(21), nil, nil}, []any{int64(3), nil, nil})
		},
			"10 'a' 3.5; 11 NULL 0.5; 2 't' 3; 20 't' 2"},
	} {
		view, err = view.Apply(c.stage())
		require.NoError(s, err)
		require.Equal(s, c.after, s.rows(view))
	}
}

// keyedConflict checks that of two changes of a key, be it in the table or new, one
// fails, unless deletes by key reach what the other wrote.
func (s *suite) keyedConflict() {
	table := s.filled()
	id := []string{"id"}
	for _, key := range []int64{10, 77} {
		base := s.latest(table)
		first := s.upsert(table, base, id, []any{key, "a", 1.0})
		second := s.upsert(table, base, id, []any{key, "a", 2.0})
		other := s.upsert(table, base, id, []any{int64(3), "b", float64(key)})
		s.commit(table, base, first)
		want := fmt.Sprint(key, " 'a' 1")
		if err := s.try(table, base, second); err != nil {
			require.ErrorIs(s, err, storage.ErrConflict)
		} else {
			want = fmt.Sprint(key, " 'a' 2")
		}
		require.Equal(s, []string{want}, s.read(s.latest(table).NewScan().WithDataFilter(s.condition("=", base, "id", key))))
		s.commit(table, base, other)
	}
	require.Equal(s, 6, len(s.read(s.latest(table).NewScan())))
}

// keyedModel compares random changes by key with a map.
func (s *suite) keyedModel() {
	r := rand.New(rand.NewPCG(11, 3))
	table, keys := s.make(simple), []string{"id", "part"}
	want := map[string]string{}
	key := func(row []any) string { return fmt.Sprint(row[0], row[1]) }
	for step := range 40 {
		base := s.latest(table)
		delta := s.byKey(table, base, keys, func(w storage.DeltaWriter) error {
			for range 1 + r.IntN(3) {
				var rows [][]any
				for range 1 + r.IntN(6) {
					row := []any{int64(r.IntN(5)), []any{"a", "b", nil}[r.IntN(3)], float64(step*100 + len(rows))}
					if rows = append(rows, row); r.IntN(20) == 0 {
						row[0] = nil
					}
				}
				b := batch(base.Schema(), rows...)
				change, writes := w.Upsert, true
				if r.IntN(3) == 0 {
					change, writes = w.DeleteKeys, false
				}
				if err := change(s.ctx, b); err != nil {
					return err
				}
				for i, row := range rows {
					if delete(want, key(row)); writes {
						want[key(row)] = line(b, i)
					}
				}
			}
			return nil
		})
		if !delta.IsEmpty() {
			s.commit(table, base, delta)
		}
		require.Equal(s, fmt.Sprint(slices.Sorted(maps.Values(want))), fmt.Sprint(s.read(s.latest(table).NewScan())), "step %d", step)
	}
}
