package writer_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/internal/memtable"
	"github.com/tarndb/tarn/storage/internal/scanning"
	"github.com/tarndb/tarn/storage/object"
	"github.com/tarndb/tarn/storage/parquet"
	"github.com/tarndb/tarn/storage/writer"
)

// keyed is the table of these tests: k and s or p are keys, p is the partition.
var keyed = types.Schema{Fields: []types.Field{
	{Name: "k", Type: types.Of(types.BigInt), Nullable: true}, {Name: "s", Type: types.Of(types.String), Nullable: true},
	{Name: "p", Type: types.Of(types.Int), Nullable: true}, {Name: "v", Type: types.Of(types.BigInt), Nullable: true}}}

// row is a row of keyed.
type row [4]any

func batchOf(rows ...row) *vector.Batch {
	b := vector.NewBatch(len(rows))
	for c, f := range keyed.Fields {
		column := vector.NewBuilder(f.Type, len(rows))
		for _, r := range rows {
			if r[c] == nil {
				column.AppendNull()
			} else {
				column.AppendValue(r[c])
			}
		}
		b.Columns = append(b.Columns, column.Vector())
	}
	return b
}

// mode is a way in which a table takes rows away by key.
type mode struct {
	name       string
	keys       []int
	equality   bool // with equality deletes, in partitions if scoped
	scoped     bool
	wholeRows  bool
	inFiles    bool // data files have the partition column
	find       bool
	partitions []int
}

var modes = []mode{
	{name: "global", keys: []int{0, 1}, equality: true, inFiles: true, partitions: []int{2}},
	{name: "scoped", keys: []int{0, 2}, equality: true, scoped: true, inFiles: true, partitions: []int{2}},
	{name: "unpartitioned", keys: []int{1}, equality: true, inFiles: true},
	{name: "found", keys: []int{0, 1}, find: true, partitions: []int{2}},
	{name: "found by partition", keys: []int{2, 0}, find: true, partitions: []int{2}},
	{name: "changelog", keys: []int{0}, equality: true, scoped: true, wholeRows: true, inFiles: true, partitions: []int{2}},
	{name: "changelog, found", keys: []int{0, 2}, find: true, wholeRows: true, partitions: []int{2}},
}

// harness is a writer and the table that it writes to.
type harness struct {
	mode
	t        *testing.T
	store    object.Store
	w        *writer.EqualityDeltaWriter
	base     []row
	baseGone map[int]bool // found by their keys
}

func newHarness(t *testing.T, m mode, base []row, maxKeyBytes, fileBytes int64) *harness {
	h := &harness{mode: m, t: t, store: object.NewMemory(""), base: base, baseGone: map[int]bool{}}
	files := 0
	path := func(kind string) func([]any) string {
		return func(p []any) string { files++; return fmt.Sprintf("%s/%v/%03d.parquet", kind, p, files) }
	}
	o := writer.EqualityOptions{Rows: keyed, KeyColumns: m.keys, WholeRows: m.wholeRows, MaxKeyBytes: maxKeyBytes,
		Options: writer.Options{Store: h.store, PartitionColumns: m.partitions, NewPath: path("data"), TargetFileSizeBytes: fileBytes}}
	for c, f := range keyed.Fields {
		if m.inFiles || c != 2 {
			o.DataColumns, o.Schema.Fields = append(o.DataColumns, c), append(o.Schema.Fields, f)
		}
	}
	if m.equality {
		o.Deletes = &writer.Options{Store: h.store, NewPath: path("deletes"), DataColumns: m.keys}
		for _, c := range m.keys {
			o.Deletes.Schema.Fields = append(o.Deletes.Schema.Fields, keyed.Fields[c])
		}
		if m.scoped {
			o.Deletes.PartitionColumns = m.partitions
		}
	}
	if m.find {
		o.Find = func(ctx context.Context, keys *writer.Keys) error {
			return keys.Find(ctx, &state{t: t, rows: base}, func(_ storage.DataFile, rows []int64) error {
				for _, r := range rows {
					h.baseGone[int(r)] = true
				}
				return nil
			})
		}
	}
	h.w = writer.NewEqualityDelta(o)
	return h
}

// state is rows that can be scanned. The scan applies filters.
type state struct {
	t    *testing.T
	rows []row
}

func (s *state) PartitionColumns() []string { return []string{"p"} }

func (s *state) NewScan() storage.ScanBuilder {
	return scanning.NewBuilder(func(expr.Expr) storage.FilterSupport { return storage.Exact }, func(ctx context.Context, r *scanning.Request) (storage.Scan, error) {
		for _, c := range expr.Columns(r.PartitionFilter) {
			require.Equal(s.t, "p", c.Name)
		}
		var kept []row
		var positions []int64
		program, err := eval.Compile(expr.And(r.PartitionFilter, r.DataFilter), nil)
		require.NoError(s.t, err)
		for i, candidate := range s.rows {
			v, err := program.Eval(batchOf(candidate))
			require.NoError(s.t, err)
			if v.Value(0) == true {
				kept, positions = append(kept, candidate), append(positions, int64(i))
			}
		}
		b := batchOf(kept...)
		at := vector.NewBuilder(types.Of(types.BigInt), 0)
		for _, p := range positions {
			at.AppendValue(p)
		}
		b.Columns = append(b.Columns, at.Vector())
		schema := types.Schema{Fields: append(slices.Clone(keyed.Fields), types.Field{Name: "_position", Type: types.Of(types.BigInt)})}
		return memtable.New(types.TableName{}, schema, b).NewScan().WithColumns(append(r.Columns, "_position")).Build(ctx)
	})
}

// file reads all columns of a file.
func (h *harness) file(f storage.DataFile, columns []int) (out [][]any) {
	ctx := context.Background()
	file, err := parquet.Open(ctx, h.store, f.Path, f.SizeBytes, parquet.OpenOptions{})
	require.NoError(h.t, err)
	o := parquet.ReadOptions{Constants: map[int]*vector.Vector{}}
	for i, c := range columns {
		o.Columns = append(o.Columns, keyed.Fields[c])
		if c == 2 && !h.inFiles {
			o.Constants[i] = vector.Single(keyed.Fields[c].Type, f.Partition[0])
		}
	}
	r, err := file.Read(o)
	require.NoError(h.t, err)
	defer r.Close()
	for {
		b, err := r.Next(ctx)
		if err == io.EOF {
			return out
		}
		require.NoError(h.t, err)
		for k := range b.Rows() {
			values := make([]any, len(columns))
			for i := range columns {
				values[i] = b.Columns[i].Value(b.Row(k))
			}
			out = append(out, values)
		}
	}
}

// complete gives the rows of the table with the change, as text in order.
func (h *harness) complete() (live []string, result writer.EqualityResult) {
	result, err := h.w.Complete(context.Background())
	require.NoError(h.t, err)
	gone := map[string]bool{}
	for _, f := range result.EqualityDeletes {
		for _, key := range h.file(f, h.keys) {
			if h.scoped {
				key = append(key, f.Partition[0])
			}
			gone[fmt.Sprint(key...)] = true
		}
	}
	for i, r := range h.base {
		var key []any
		for _, c := range h.keys {
			key = append(key, r[c])
		}
		if h.scoped {
			key = append(key, r[2])
		}
		if !gone[fmt.Sprint(key...)] && !h.baseGone[i] {
			live = append(live, fmt.Sprint(r[:]...))
		}
	}
	for _, f := range result.DataFiles {
		rows := h.file(f, []int{0, 1, 2, 3})
		require.EqualValues(h.t, len(rows), f.Records)
		for i, r := range rows {
			if !result.Positions[f.Path].Contains(int64(i)) {
				live = append(live, fmt.Sprint(r...))
			}
		}
	}
	slices.Sort(live)
	return live, result
}

// model is what the table should be: rows by key, those that were there and those
// that the writer wrote.
type model struct {
	mode
	base map[string][]row
	own  map[string]row
}

func newModel(m mode, base []row) *model {
	out := &model{mode: m, base: map[string][]row{}, own: map[string]row{}}
	for _, r := range base {
		out.base[out.key(r)] = append(out.base[out.key(r)], r)
	}
	return out
}

func (m *model) key(r row) string {
	var key []any
	for _, c := range m.keys {
		key = append(key, r[c])
	}
	if m.wholeRows {
		key = append(key, r[2])
	}
	return fmt.Sprint(key...)
}

func (m *model) has(r row) bool {
	_, own := m.own[m.key(r)]
	return own || len(m.base[m.key(r)]) > 0
}

func (m *model) delete(r row) {
	delete(m.own, m.key(r))
	delete(m.base, m.key(r))
}

func (m *model) live() (live []string) {
	for _, rows := range m.base {
		for _, r := range rows {
			live = append(live, fmt.Sprint(r[:]...))
		}
	}
	for r := range maps.Values(m.own) {
		live = append(live, fmt.Sprint(r[:]...))
	}
	slices.Sort(live)
	return live
}

func randomRow(r *rand.Rand, v int) row {
	pick := func(values ...any) any { return values[r.IntN(len(values))] }
	return row{pick(nil, int64(0), int64(1), int64(-5), int64(1)<<40), pick(nil, "", "a", "b"), pick(nil, int64(0), int64(1)), int64(v)}
}

func TestEqualityDeltaAgainstAModel(t *testing.T) {
	for _, m := range modes {
		for seed := range 60 {
			t.Run(fmt.Sprint(m.name, " ", seed), func(t *testing.T) { againstModel(t, m, rand.New(rand.NewPCG(7, uint64(seed)))) })
		}
	}
}

func againstModel(t *testing.T, m mode, r *rand.Rand) {
	var base []row
	for v := range r.IntN(40) {
		base = append(base, randomRow(r, v))
	}
	want := newModel(m, base)
	h := newHarness(t, m, base, []int64{1, 400, 0}[r.IntN(3)], []int64{1, 0}[r.IntN(2)])
	v := 1000
	for range r.IntN(30) {
		var rows []row
		for range r.IntN(8) {
			v++
			rows = append(rows, randomRow(r, v))
		}
		require.NoError(t, apply(h.w, want, r.IntN(3), rows))
	}
	live, _ := h.complete()
	require.Equal(t, want.live(), live)
}

// apply makes one kind of change with rows. Of a changelog, only rows are deleted
// that are there, and only rows are written whose keys are free.
func apply(w *writer.EqualityDeltaWriter, want *model, kind int, rows []row) error {
	b := batchOf(rows...)
	b.Sel = vector.Selection{}
	if want.wholeRows {
		kind %= 2
	}
	for i, r := range rows {
		if want.wholeRows && want.has(r) != (kind == 0) {
			continue
		}
		b.Sel = append(b.Sel, int32(i))
		if kind != 1 {
			want.delete(r)
		}
		if kind != 0 {
			want.own[want.key(r)] = r
		}
	}
	return [](func(context.Context, *vector.Batch) error){w.DeleteKeys, w.Write, w.Upsert}[kind](context.Background(), b)
}

func TestEqualityDeltaFiles(t *testing.T) {
	ctx := context.Background()
	a, b := row{int64(1), "a", int64(0), int64(1)}, row{int64(1), "a", int64(0), int64(2)}
	for _, c := range []struct {
		name                   string
		mode                   int
		do                     func(w *writer.EqualityDeltaWriter) error
		data, deletes, deleted int64 // rows
	}{
		{"an upsert writes the row and its key", 0, func(w *writer.EqualityDeltaWriter) error { return w.Upsert(ctx, batchOf(a)) }, 1, 1, 0},
		{"the key of an own row is deleted by position, not again by equality", 0, func(w *writer.EqualityDeltaWriter) error { return w.Upsert(ctx, batchOf(a, b)) }, 2, 1, 1},
		{"older rows of a written key are deleted by equality too", 0, func(w *writer.EqualityDeltaWriter) error {
			if err := w.Write(ctx, batchOf(a)); err != nil {
				return err
			}
			return w.DeleteKeys(ctx, batchOf(a))
		}, 1, 1, 1},
		{"of a changelog, a written key has no older rows", 5, func(w *writer.EqualityDeltaWriter) error {
			if err := w.Write(ctx, batchOf(a)); err != nil {
				return err
			}
			return w.DeleteKeys(ctx, batchOf(a))
		}, 1, 0, 1},
		{"a key is deleted once", 0, func(w *writer.EqualityDeltaWriter) error { return w.DeleteKeys(ctx, batchOf(a, b, a)) }, 0, 1, 0},
		{"nothing makes no file", 0, func(w *writer.EqualityDeltaWriter) error { return w.Upsert(ctx, batchOf()) }, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, modes[c.mode], nil, 0, 0)
			require.NoError(t, c.do(h.w))
			_, result := h.complete()
			var data, equality, deleted int64
			for _, f := range result.DataFiles {
				data += f.Records
			}
			for _, f := range result.EqualityDeletes {
				equality += f.Records
			}
			for _, rows := range result.Positions {
				deleted += rows.Cardinality()
			}
			require.Equal(t, []int64{c.data, c.deletes, c.deleted}, []int64{data, equality, deleted})
		})
	}
}

func TestAbortRemovesEqualityDeletes(t *testing.T) {
	ctx := context.Background()
	h := newHarness(t, modes[0], nil, 1, 1)
	require.NoError(t, h.w.Upsert(ctx, batchOf(row{int64(1), "a", int64(0), int64(1)})))
	require.NoError(t, h.w.DeleteKeys(ctx, batchOf(row{int64(2), "a", int64(0), int64(1)})))
	_, err := h.w.Complete(ctx)
	require.NoError(t, err)
	require.NoError(t, h.w.Abort(ctx))
	for info := range h.store.List(ctx, "") {
		t.Fatal(info.Path)
	}
}

func TestKeyColumns(t *testing.T) {
	name := types.TableName{Name: "t"}
	schema := types.Schema{Fields: []types.Field{{Name: "a", Type: types.Of(types.Int)}, {Name: "b", Type: types.Of(types.Double)}, {Name: "c", Type: types.Of(types.Float)},
		{Name: "d", Type: types.StructOf(types.Field{Name: "x", Type: types.Of(types.Int)})}, {Name: "e", Type: types.Of(types.Binary)}}}
	columns, err := writer.KeyColumns(name, schema, []string{"e", "A"})
	require.NoError(t, err)
	require.Equal(t, []int{4, 0}, columns)
	for _, c := range []struct {
		keys []string
		err  error
		says string
	}{
		{[]string{"b"}, eval.ErrTypeMismatch, "b of table t can't be a key, as it is of type DOUBLE"},
		{[]string{"c"}, eval.ErrTypeMismatch, "FLOAT"},
		{[]string{"d"}, eval.ErrTypeMismatch, "STRUCT"},
		{[]string{"z"}, storage.ErrSchemaMismatch, "no column z"},
		{[]string{"a", "A"}, storage.ErrSchemaMismatch, "twice"},
	} {
		_, err := writer.KeyColumns(name, schema, c.keys)
		require.ErrorIs(t, err, c.err)
		require.ErrorContains(t, err, c.says)
	}
}

// TestFilterOfManyKeys checks that a filter holds for every key, however many
// values there are.
func TestFilterOfManyKeys(t *testing.T) {
	for _, n := range []int{1, 2, 49, 50, 51, 52, 5000} {
		m := mode{keys: []int{0, 1}, find: true}
		var base []row
		for i := range n {
			base = append(base, row{int64(i - n/2), fmt.Sprint("s", i%60), nil, int64(i)})
		}
		base = append(base, row{nil, nil, nil, int64(0)}, row{int64(0), nil, nil, int64(0)})
		h := newHarness(t, m, base, 0, 0)
		for chunk := range slices.Chunk(base, vector.BatchRows) {
			require.NoError(t, h.w.DeleteKeys(context.Background(), batchOf(chunk...)))
		}
		live, _ := h.complete()
		require.Empty(t, live)
	}
}
