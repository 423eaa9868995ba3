package parquet

import (
	"testing"

	"github.com/parquet-go/parquet-go/format"
	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/storage/parquet/internal/meta"
)

// TestBoundsOfUnknownOrder reads bounds of files that don't tell their order:
// the older fields hold for signed numbers alone, the newer ones for nothing.
func TestBoundsOfUnknownOrder(t *testing.T) {
	f := &File{footer: &meta.FileMetaData{}}
	old, lo, hi := &meta.Statistics{Min: []byte("a"), Max: []byte("b")}, []byte("a"), []byte("b")
	for _, c := range []struct {
		name    string
		leaf    leaf
		trusted bool
	}{
		{"signed", leaf{physical: format.Int32, source: source{kind: sourceInt, signed: true}}, true},
		{"unsigned", leaf{physical: format.Int32, source: source{kind: sourceInt}}, false},
		{"double", leaf{physical: format.Double, source: source{kind: sourceDouble}}, true},
		{"text", leaf{physical: format.ByteArray, source: source{kind: sourceText}}, false},
		{"fixed", leaf{physical: format.FixedLenByteArray, width: 1, source: source{kind: sourceText}}, false},
		{"time of 96 bits", leaf{physical: format.Int96, source: source{kind: sourceInt96}}, false},
	} {
		gotLo, gotHi := f.trustedBounds(&c.leaf, old)
		if c.trusted {
			require.Equal(t, lo, gotLo, c.name)
			require.Equal(t, hi, gotHi, c.name)
		} else {
			require.Nil(t, gotLo, c.name)
			require.Nil(t, gotHi, c.name)
		}
		gotLo, gotHi = f.trustedBounds(&c.leaf, &meta.Statistics{MinValue: lo, MaxValue: hi})
		require.Nil(t, gotLo, c.name)
		require.Nil(t, gotHi, c.name)
	}
}
