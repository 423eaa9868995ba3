package exec

import (
	"context"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// blockSamples are vectors of every type with a NULL among their rows.
func blockSamples() []*vector.Vector {
	text := types.Of(types.String)
	pair := types.StructOf(types.Field{Name: "a", Type: types.Of(types.Int), Nullable: true}, types.Field{Name: "b", Type: text, Nullable: true})
	d := types.Decimal128{Hi: -3, Lo: 5}
	interval := types.Interval{Months: 1, Days: -2, Micros: 3}
	var out []*vector.Vector
	for _, s := range []struct {
		t      types.Type
		values []any
	}{
		{types.Of(types.Boolean), []any{true, nil, false}},
		{types.Of(types.TinyInt), []any{int64(1), nil, int64(-3)}},
		{types.Of(types.Int), []any{int64(1), nil, int64(-3)}},
		{types.Of(types.Date), []any{int64(1), nil, int64(-3)}},
		{types.Of(types.BigInt), []any{int64(1), nil, int64(-1 << 60)}},
		{types.Of(types.Timestamp), []any{int64(1), nil, int64(-1 << 60)}},
		{types.DecimalOf(10, 2), []any{types.Decimal128FromInt64(-5), nil, types.Decimal128FromInt64(7)}},
		{types.DecimalOf(38, 2), []any{d, nil, types.Decimal128FromInt64(7)}},
		{types.Of(types.Float), []any{1.5, nil, -0.25}},
		{types.Of(types.Double), []any{1.5, nil, -0.1}},
		{types.Of(types.IntervalKind), []any{interval, nil, interval}},
		{text, []any{"a", nil, "ccc"}},
		{types.Of(types.Binary), []any{[]byte{1}, nil, []byte{}}},
		{types.ArrayOf(text, true), []any{[]any{"x", nil}, nil, []any{}}},
		{types.ArrayOf(types.ArrayOf(types.Of(types.Int), true), true), []any{[]any{[]any{int64(1)}, nil}, nil, []any{}}},
		{types.MapOf(text, types.Of(types.Int), true), []any{[]vector.MapEntry{{Key: "k", Value: int64(1)}}, nil, []vector.MapEntry{}}},
		{pair, []any{[]any{int64(1), "x"}, nil, []any{nil, nil}}},
		{types.ArrayOf(pair, true), []any{[]any{[]any{int64(1), "x"}, nil}, nil, []any{}}},
	} {
		b := vector.NewBuilder(s.t, 3)
		for _, v := range s.values {
			b.AppendValue(v)
		}
		out = append(out, b.Vector())
	}
	return append(out, vector.NewNull(types.Of(types.Void), 3))
}

func rowsOf(b *vector.Batch) (out []string) {
	for k := range b.Rows() {
		var cells []any
		for _, c := range b.Columns {
			cells = append(cells, c.Value(b.Row(k)))
		}
		out = append(out, fmt.Sprintf("%#v", cells))
	}
	return out
}

// TestBlocks writes and reads every type in every form, with and without a
// selection.
func TestBlocks(t *testing.T) {
	for _, v := range blockSamples() {
		forms := []*vector.Vector{v, v.Slice(1, 3), v.Slice(0, 0), vector.NewNull(v.Type, 4)}
		if v.Form == vector.Flat {
			constant := *v.Slice(2, 3)
			constant.Form, constant.Len = vector.Constant, 5
			forms = append(forms, vector.NewDictionary(v, []int32{2, 1, 0, 2}, nil), &constant)
		}
		for _, f := range forms {
			for _, sel := range []vector.Selection{nil, {}, {0}, {1, 2}} {
				if len(sel) > 0 && int(sel[len(sel)-1]) >= f.Len {
					continue
				}
				b := &vector.Batch{Columns: []*vector.Vector{f, f}, Len: f.Len, Sel: sel}
				block := sealBlock(appendBlock(nil, b))
				words := make([]uint64, len(block)/wordBytes)
				copy(bytesOf(words), block)
				require.Len(t, block, len(words)*wordBytes)
				got, err := readBlock(words, []types.Type{f.Type, f.Type})
				require.NoError(t, err, "%s", f.Type)
				require.Equal(t, rowsOf(b), rowsOf(got), "%s, selection %v", f.Type, sel)
			}
		}
	}
}

// FuzzBlock: whatever a file holds, reading gives a batch or an error.
func FuzzBlock(f *testing.F) {
	samples := blockSamples()
	all := &vector.Batch{Columns: samples, Len: 3}
	var columns []types.Type
	for _, v := range samples {
		columns = append(columns, v.Type)
	}
	f.Add(appendBlock(nil, all), 30, byte(9))
	f.Fuzz(func(t *testing.T, block []byte, at int, change byte) {
		if at >= 0 && at < len(block) {
			block[at] ^= change
		}
		words := make([]uint64, len(block)/wordBytes)
		copy(bytesOf(words), block)
		if len(words) > 0 {
			words[0] = checksumOf(words)
		}
		_, _ = readBlock(words, columns)
	})
}

func spillTest(t *testing.T) (*statementMemory, *nodeMemory) {
	s := newStatementMemory(Env{Budget: NewBudget(1 << 20), TempDir: t.TempDir()})
	return s, &nodeMemory{statement: s}
}

func filesIn(t *testing.T, dir string) (n int) {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	return len(entries)
}

// TestSpillFilesAreRemoved: a file and the process's directory are gone when the
// file is dropped, or at the end of its statement.
func TestSpillFilesAreRemoved(t *testing.T) {
	s, m := spillTest(t)
	b := &vector.Batch{Columns: blockSamples(), Len: 3}
	var columns []types.Type
	for _, c := range b.Columns {
		columns = append(columns, c.Type)
	}
	file, err := m.newSpillFile()
	require.NoError(t, err)
	other, err := m.newSpillFile()
	require.NoError(t, err)
	require.Equal(t, 1, filesIn(t, s.tempDir), "one directory of the process")
	w := newSpillWriter(file, columns, new([]byte))
	for range 3000 {
		require.NoError(t, w.write(b))
	}
	rows, err := w.finish()
	require.NoError(t, err)
	require.EqualValues(t, 9000, rows.rows)
	require.Equal(t, rows.bytes, m.spilled.Load())
	r, n := rows.reader(), 0
	for {
		got, err := r.next(t.Context())
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		require.Equal(t, rowsOf(b)[:1], rowsOf(got)[:1])
		n += got.Rows()
	}
	require.Equal(t, 9000, n)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = rows.reader().next(ctx)
	require.ErrorIs(t, err, context.Canceled)

	other.drop()
	require.Equal(t, 1, filesIn(t, s.tempDir))
	s.close()
	require.Zero(t, filesIn(t, s.tempDir))
	_, err = rows.reader().next(t.Context())
	require.ErrorIs(t, err, storage.ErrIO)
	s.close() // twice is nothing
}

func TestSpillErrors(t *testing.T) {
	s, m := spillTest(t)
	s.tempDir += "/missing"
	_, err := m.newSpillFile()
	require.ErrorIs(t, err, storage.ErrIO)
	require.ErrorContains(t, err, "temp_dir")

	s, m = spillTest(t)
	file, err := m.newSpillFile()
	require.NoError(t, err)
	require.NoError(t, file.file.Close()) // as if the disk were gone
	_, err = file.append(make([]byte, wordBytes))
	require.ErrorIs(t, err, storage.ErrIO)
	s.close()
	require.Zero(t, filesIn(t, s.tempDir))
}

// TestChangedBlock: a block that changed on disk is noticed.
func TestChangedBlock(t *testing.T) {
	b := &vector.Batch{Columns: blockSamples()[4:5], Len: 3}
	words := make([]uint64, 64)
	words = words[:copy(bytesOf(words), sealBlock(appendBlock(nil, b)))/wordBytes]
	words[len(words)-1] ^= 1
	_, err := readBlock(words, []types.Type{b.Columns[0].Type})
	require.ErrorIs(t, err, errBlock)
}

func TestBudget(t *testing.T) {
	b := NewBudget(400 << 10)
	require.True(t, b.Reserve(300<<10))
	require.False(t, b.Reserve(1))
	b.Release(300 << 10)
	s := newStatementMemory(Env{Budget: b})
	first, second := (&nodeMemory{statement: s}).account(), (&nodeMemory{statement: s}).account()
	require.True(t, first.fit(100<<10))
	require.False(t, first.fit(290<<10), "something is left for others")
	require.True(t, second.fit(100<<10))
	require.ErrorIs(t, first.need(290<<10, "x"), ErrMemoryLimit)
	require.True(t, first.fit(50<<10), "what is held is enough")
	second.release()
	require.NoError(t, first.need(290<<10, "x"))
	require.True(t, second.fit(5<<10), "a minimum is never refused")
	s.close()
	require.Zero(t, b.Used())
}
