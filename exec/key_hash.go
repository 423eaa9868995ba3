package exec

import (
	"math/bits"

	"github.com/zeebo/xxh3"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// keyHasher hashes keys by their values, so that equal keys have equal hashes
// wherever they are: NULL equals NULL, -0.0 equals 0.0 and NaN equals NaN.
type keyHasher struct {
	seed   uint64
	hashes []uint64
	key    []byte
}

// newKeyHasher gives a hasher whose hashes tell those apart that one of another
// level has brought together.
func newKeyHasher(level int) *keyHasher {
	return &keyHasher{seed: mixHash(uint64(level)+1, 0x9e3779b97f4a7c15)}
}

func mixHash(h, w uint64) uint64 {
	hi, lo := bits.Mul64(h^w^0xa0761d6478bd642f, w^0xe7037ed1a0b428db)
	return hi ^ lo ^ bits.RotateLeft64(h, 29)
}

// hash gives the hashes of the selected rows, by position.
func (k *keyHasher) hash(columns []*vector.Vector, sel vector.Selection, n int) []uint64 {
	if cap(k.hashes) < n {
		k.hashes = make([]uint64, n)
	}
	out := k.hashes[:n]
	for i := range out {
		out[i] = k.seed
	}
	for _, c := range columns {
		k.column(out, c, sel)
	}
	for i, h := range out { // the upper bits are used
		h ^= h >> 32
		h *= 0xff51afd7ed558ccd
		out[i] = h ^ h>>29
	}
	return out
}

func (k *keyHasher) column(out []uint64, v *vector.Vector, sel vector.Selection) {
	physical := v.Type.Physical()
	if v.Form == vector.Flat && v.Valid == nil {
		switch physical {
		case types.PhysInt32:
			hashNumbers(out, v.Int32s, sel)
			return
		case types.PhysInt64:
			hashNumbers(out, v.Int64s, sel)
			return
		}
	}
	eachRow(sel, len(out), func(_, i int) {
		w := uint64(0x2545f4914f6cdd1d) // of NULL
		if !v.IsNull(i) {
			w = k.word(v, i, physical)
		}
		out[i] = mixHash(out[i], w)
	})
}

func hashNumbers[T int32 | int64](out []uint64, values []T, sel vector.Selection) {
	if sel != nil {
		for _, i := range sel {
			out[i] = mixHash(out[i], uint64(int64(values[i])))
		}
		return
	}
	for i, v := range values[:len(out)] {
		out[i] = mixHash(out[i], uint64(int64(v)))
	}
}

// word gives a word for a value that is not NULL.
func (k *keyHasher) word(v *vector.Vector, i int, physical types.Physical) uint64 {
	values, p := v.At(i)
	switch physical {
	case types.PhysInt32:
		return uint64(int64(values.Int32s[p]))
	case types.PhysInt64:
		return uint64(values.Int64s[p])
	case types.PhysBytes:
		return xxh3.Hash(values.Bytes(p))
	}
	k.key = vector.AppendKey(k.key[:0], values, p)
	return xxh3.Hash(k.key)
}
