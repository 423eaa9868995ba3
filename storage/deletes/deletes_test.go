package deletes_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/conformance/sharedtest"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/deletes"
)

func TestPositionSet(t *testing.T) {
	s := deletes.NewPositionSet(7, 3, 1<<40)
	s.AddRange(10, 13)
	s.AddRange(5, 5)
	require.Equal(t, []int64{3, 7, 10, 11, 12, 1 << 40}, slices.Collect(s.All()))
	require.EqualValues(t, 6, s.Cardinality())
	require.True(t, s.Contains(1<<40))
	require.False(t, s.Contains(-1))
	require.EqualValues(t, 1<<40, s.Max())
	c := s.Clone()
	c.Or(deletes.NewPositionSet(4))
	require.True(t, c.Contains(4))
	require.False(t, s.Contains(4))
	require.False(t, s.Equal(c))
	var none *deletes.PositionSet
	require.True(t, none.IsEmpty())
	require.True(t, none.Equal(deletes.NewPositionSet()))
	require.Empty(t, slices.Collect(none.All()))
	require.EqualValues(t, -1, none.Max())
	require.Nil(t, none.Cursor().Keep(0, 10, nil))
	require.Panics(t, func() { s.Add(-1) })
}

func TestCursorKeep(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		s := deletes.NewPositionSet()
		for range r.IntN(400) {
			at := r.Int64N(4000)
			s.AddRange(at, at+r.Int64N(30))
		}
		cursor := s.Cursor()
		var buf vector.Selection
		for from := int64(0); from < 4000; {
			to := from + 1 + r.Int64N(300)
			var want vector.Selection
			for i := from; i < to; i++ {
				if !s.Contains(i) {
					want = append(want, int32(i-from))
				}
			}
			got := cursor.Keep(from, to, buf)
			if len(want) == int(to-from) {
				require.Nil(t, got)
			} else {
				require.NotNil(t, got)
				require.Equal(t, []int32(want), append([]int32(nil), got...))
				buf = got
			}
			from = to + r.Int64N(200)*r.Int64N(2)
			if r.IntN(10) == 0 {
				from = max(0, from-1000)
				if r.IntN(3) == 0 {
					break
				}
			}
		}
	}
}

func TestBlobRoundTrip(t *testing.T) {
	s := deletes.NewPositionSet(3, 4, 7, 11, 18, 29)
	s.AddRange(1000, 90000)
	s.AddRange(1<<33, 1<<33+5)
	for _, set := range []*deletes.PositionSet{s, deletes.NewPositionSet()} {
		bare, err := deletes.Parse(set.Append(nil))
		require.NoError(t, err)
		require.True(t, set.Equal(bare))
		framed, err := deletes.ParseFramed(append(set.AppendFramed([]byte("x"))[1:], "more"...))
		require.NoError(t, err)
		require.True(t, set.Equal(framed))
	}
}

func TestDamagedBlob(t *testing.T) {
	blob := deletes.NewPositionSet(1, 2, 70000).AppendFramed(nil)
	for i := range blob {
		damaged := slices.Clone(blob)
		damaged[i] ^= 0x55
		_, err := deletes.ParseFramed(damaged)
		require.ErrorIs(t, err, storage.ErrCorrupt, "byte %d", i)
		_, err = deletes.ParseFramed(blob[:i])
		require.ErrorIs(t, err, storage.ErrCorrupt, "length %d", i)
	}
}

func TestGoldenVectors(t *testing.T) {
	files, err := filepath.Glob(sharedtest.Path(t, "golden", "delta") + "/*/table/deletion_vector_*.bin")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		require.EqualValues(t, deletes.FileVersion, b[0])
		for rest := b[1:]; len(rest) > 0; {
			s, err := deletes.ParseFramed(rest)
			require.NoError(t, err, file)
			require.Positive(t, s.Cardinality())
			size := int(binary.BigEndian.Uint32(rest)) + deletes.FramingBytes
			again, err := deletes.ParseFramed(s.AppendFramed(nil))
			require.NoError(t, err)
			require.True(t, s.Equal(again))
			rest = rest[size:]
		}
	}
}

func FuzzParse(f *testing.F) {
	s := deletes.NewPositionSet(1, 2, 70000)
	f.Add(s.Append(nil))
	s.AddRange(1<<34, 1<<34+100000)
	f.Add(s.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := deletes.Parse(b)
		if err != nil {
			require.ErrorIs(t, err, storage.ErrCorrupt)
			return
		}
		again, err := deletes.Parse(s.Append(nil))
		require.NoError(t, err)
		require.True(t, s.Equal(again))
	})
}

func ExamplePositionSet_Cursor() {
	cursor := deletes.NewPositionSet(1, 3).Cursor()
	fmt.Println(cursor.Keep(0, 5, nil))
	// Output: [0 2 4]
}
