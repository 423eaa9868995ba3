package parquet

import (
	"testing"

	"github.com/parquet-go/parquet-go/format"
	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// TestBitPackedLevels reads the deprecated encoding of levels, which no writer
// of our fixtures has.
func TestBitPackedLevels(t *testing.T) {
	p := newPages("f", &leaf{name: "c", physical: format.Int32, maxDef: 1}, types.Of(types.Int), nil)
	p.n, p.flat = 10, true
	rest, err := p.levelsV1([]byte{0b10110001, 0b01000000, 'x'}, format.BitPacked, 1, false)
	require.NoError(t, err)
	require.Equal(t, "x", string(rest))
	valid := vector.NewBitmap(10)
	ones, err := p.defs.Bits(valid, 0, 10)
	require.NoError(t, err)
	require.Equal(t, 5, ones)
	require.EqualValues(t, 0b10_10001101, valid[0])

	p.leaf.maxDef, p.flat, p.n = 3, false, 4
	_, err = p.levelsV1([]byte{0b00011011}, format.BitPacked, 3, false)
	require.NoError(t, err)
	require.Equal(t, []uint8{0, 1, 2, 3}, p.defLevels)
	_, err = p.levelsV1([]byte{}, format.BitPacked, 3, false)
	require.Error(t, err)
}

func TestOverlaps(t *testing.T) {
	ranges := []rowRange{{10, 20}, {30, 40}}
	for r, want := range map[rowRange]bool{{0, 10}: false, {0, 11}: true, {19, 25}: true, {20, 30}: false, {25, 50}: true, {40, 41}: false} {
		require.Equal(t, want, overlaps(ranges, r), r)
	}
	require.Equal(t, []rowRange{{15, 20}, {30, 31}}, intersect(ranges, []rowRange{{15, 31}}))
	require.Empty(t, intersect(ranges, []rowRange{{20, 30}}))
}
