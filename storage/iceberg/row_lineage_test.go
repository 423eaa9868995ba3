package iceberg

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/parquet"
)

// replace writes rows of id, v and row id in place of those at some positions of
// every file; a row id below 0 is none.
func (w *writing) replace(base *Snapshot, positions []int64, rows ...[3]int64) storage.RowDelta {
	ids, values := vector.NewBuilder(types.Of(types.BigInt), 0), []int64{}
	for _, r := range rows {
		values = append(values, r[0], r[1])
		if r[2] < 0 {
			ids.AppendNull()
		} else {
			ids.AppendInt64(r[2])
		}
	}
	b := rowsOf(values...)
	b.Columns = append(b.Columns, ids.Vector())
	return w.change(base, storage.WriteOptions{Operation: "UPDATE", RowIDs: true}, func(ctx context.Context, d storage.DeltaWriter) error {
		scan, err := base.NewScan().Build(ctx)
		require.NoError(w, err)
		for _, task := range scan.Tasks() {
			require.NoError(w, d.DeletePositions(ctx, task.File, positions))
		}
		require.ErrorContains(w, d.Write(ctx, rowsOf(1, 1)), "batch of 2 columns, not 3")
		return d.Write(ctx, b)
	})
}

// lineage gives id, _row_id and _last_updated_sequence_number of all rows as the
// files have them, where stored, or as readers take them.
func (w *writing) lineage(s *Snapshot, stored bool) []string {
	var out []string
	scan, err := s.NewScan().WithColumns([]string{"id", storage.MetadataColumn}).Build(w.Context())
	require.NoError(w, err)
	for _, task := range scan.Tasks() {
		f := task.File.Entry.(*scanFile).file
		var r storage.BatchReader
		if stored {
			r, err = s.openFile(w.Context(), f, parquet.ReadOptions{Columns: append(s.schema.Fields[:1:1], lineageColumns...), Length: f.SizeBytes, ByID: true})
		} else {
			r, err = scan.Open(w.Context(), task)
		}
		require.NoError(w, err)
		for {
			b, err := r.Next(w.Context())
			if err == io.EOF {
				break
			}
			require.NoError(w, err)
			columns := b.Columns
			if !stored {
				columns = []*vector.Vector{columns[0], fieldVector(columns[1], []int{6}), fieldVector(columns[1], []int{7})}
			}
			for k := range b.Rows() {
				text := ""
				for _, c := range columns {
					text += " " + cell(types.Of(types.BigInt), c.Value(b.Row(k)))
				}
				out = append(out, text[1:])
			}
		}
		require.NoError(w, r.Close())
	}
	return out
}

// TestChangedRowsKeepTheirIDs changes a row, adds one and moves one, while others
// commit: what changed has the sequence number that the change has in the end.
func TestChangedRowsKeepTheirIDs(t *testing.T) {
	for name, c := range map[string]struct {
		properties map[string]string
		stored     []string // of the file that the change has written
	}{
		"copy-on-write": {map[string]string{}, []string{"2 1 NULL", "4 NULL NULL", "1 0 1", "3 2 1"}},
		"avro":          {map[string]string{"write.format.default": "avro"}, []string{"2 1 NULL", "4 NULL NULL", "1 0 1", "3 2 1"}},
		"merge-on-read": {map[string]string{"write.update.mode": "merge-on-read"}, []string{"2 1 NULL", "4 NULL NULL"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.properties["format-version"] = "3"
			w := newWriting(t, c.properties)
			require.NoError(t, w.commit(w.latest(), w.insert(w.latest(), 1, 10, 2, 20, 3, 30)))
			base := w.latest()
			delta := w.replace(base, []int64{1}, [3]int64{2, 21, 1}, [3]int64{4, 40, -1})
			require.Len(t, delta.Added, 1)
			require.NoError(t, w.commit(base, w.insert(base, 9, 90)))
			require.NoError(t, w.commit(base, delta))
			head := w.latest()
			require.Subset(t, w.lineage(head, true), c.stored)
			got := w.lineage(head, false)
			require.Len(t, got, 5)
			require.Subset(t, got, []string{"1 0 1", "2 1 3", "3 2 1", "9 3 2"})
			ids, err := rows(t.Context(), head, nil, "id", storage.RowIDColumn)
			require.NoError(t, err)
			require.Subset(t, ids, []string{"1 0", "2 1", "3 2", "9 3"})
		})
	}
}

// TestStagedRowsKeepTheirIDs changes rows of files that the same transaction has
// written: what they have no number for yet is not guessed.
func TestStagedRowsKeepTheirIDs(t *testing.T) {
	w := newWriting(t, map[string]string{"format-version": "3", "write.update.mode": "merge-on-read"})
	require.NoError(t, w.commit(w.latest(), w.insert(w.latest(), 1, 10, 2, 20)))
	base := w.latest()
	first := w.replace(base, []int64{0, 1}, [3]int64{1, 11, 0}, [3]int64{2, 21, 1}, [3]int64{3, 30, -1})
	staged, err := base.Apply(first)
	require.NoError(t, err)
	require.Equal(t, []string{"1 0 NULL", "2 1 NULL", "3 NULL NULL"}, w.lineage(staged.(*Snapshot), false))
	second := w.replace(staged.(*Snapshot), []int64{1}, [3]int64{2, 22, 1})
	require.Equal(t, first.Added[0].Path, second.Removed[0].Path)
	all := storage.RowDelta{Added: second.Added, Removed: first.Removed, AddedDeletes: first.AddedDeletes, Operation: "UPDATE"}
	require.NoError(t, w.commit(base, w.insert(base, 9, 90)))
	require.NoError(t, w.commit(base, all))
	require.Subset(t, w.lineage(w.latest(), true), []string{"1 0 NULL", "2 1 NULL", "3 NULL NULL"})
	got := w.lineage(w.latest(), false)
	require.Len(t, got, 4)
	require.Subset(t, got, []string{"1 0 3", "2 1 3", "9 2 2"})
}
