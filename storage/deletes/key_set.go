package deletes

import (
	"math/bits"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// KeySet is the keys of equality deletes, each with the sequence number of the
// newest delete of it: a row is deleted if it has a key and is older than that
// (Iceberg spec, "Equality Delete Files"). NULL equals NULL.
//
// A KeySet that no longer changes may be read by several goroutines.
type KeySet struct {
	types []types.Type
	ints  *intKeys         // of a single whole number
	keys  map[string]int64 // of all others
	bytes int64
}

// NewKeySet gives an empty set of keys of the given types, with room for some.
func NewKeySet(types []types.Type, room int) *KeySet {
	s := &KeySet{types: types}
	if len(types) == 1 && isWord(types[0]) {
		s.ints = newIntKeys(1 << bits.Len(uint(max(2*room, 64)-1)))
	} else {
		s.keys = map[string]int64{}
	}
	return s
}

// isWord tells whether values of a type are whole numbers of 64 bits at most.
func isWord(t types.Type) bool {
	return t.Physical() == types.PhysInt32 || t.Physical() == types.PhysInt64
}

// Len is the number of keys.
func (s *KeySet) Len() int {
	if s.ints != nil {
		return s.ints.len()
	}
	return len(s.keys)
}

// SizeBytes estimates the memory that the set takes.
func (s *KeySet) SizeBytes() int64 {
	if s.ints != nil {
		return int64(len(s.ints.slots))*16 + int64(len(s.ints.filter))*8
	}
	return s.bytes + int64(len(s.keys))*48
}

// Add puts the selected rows of a batch into the set: keys that were deleted at
// a sequence number, which is positive.
func (s *KeySet) Add(b *vector.Batch, sequence int64) {
	var key []byte
	for i := range b.Rows() {
		row := b.Row(i)
		if s.ints != nil {
			s.ints.add(b.Columns[0], row, sequence)
			continue
		}
		key = appendKeys(key[:0], b.Columns, row)
		if old, ok := s.keys[string(key)]; !ok {
			s.keys[string(key)] = sequence
			s.bytes += int64(len(key))
		} else if old < sequence {
			s.keys[string(key)] = sequence
		}
	}
}

func appendKeys(key []byte, columns []*vector.Vector, row int) []byte {
	for _, c := range columns {
		key = vector.AppendKey(key, c, row)
	}
	return key
}

// Keep lists the rows of a batch without selection that stay, when they are of
// a sequence number. It appends to out[:0] and never gives nil, which would be
// all rows.
func (s *KeySet) Keep(b *vector.Batch, sequence int64, out vector.Selection) vector.Selection {
	if out = out[:0]; out == nil {
		out = vector.Selection{}
	}
	if len(b.Columns) == 1 {
		return s.keepColumn(b.Columns[0], b.Len, sequence, out)
	}
	var key []byte
	for i := range b.Len {
		key = appendKeys(key[:0], b.Columns, i)
		if s.keys[string(key)] <= sequence {
			out = append(out, int32(i))
		}
	}
	return out
}

// keepColumn looks each value of a dictionary up once.
func (s *KeySet) keepColumn(v *vector.Vector, n int, sequence int64, out vector.Selection) vector.Selection {
	if v.Form == vector.Dictionary && v.Dict.Len <= n {
		stays := make([]bool, v.Dict.Len)
		for i := range stays {
			stays[i] = s.deletedAt(v.Dict, i) <= sequence
		}
		nullStays := s.deletedAt(vector.NewNull(v.Type, 1), 0) <= sequence
		for i := range n {
			if v.IsNull(i) && nullStays || !v.IsNull(i) && stays[v.Codes[i]] {
				out = append(out, int32(i))
			}
		}
		return out
	}
	if s.ints != nil && v.Form == vector.Flat && !v.MayHaveNulls() && v.Int64s != nil {
		return s.ints.keep(v.Int64s[:n], sequence, out)
	}
	for i := range n {
		if s.deletedAt(v, i) <= sequence {
			out = append(out, int32(i))
		}
	}
	return out
}

// deletedAt is the sequence number of the newest delete of a key, 0 if there is
// none.
func (s *KeySet) deletedAt(v *vector.Vector, i int) int64 {
	if s.ints != nil {
		return s.ints.find(v, i)
	}
	var buffer [64]byte
	return s.keys[string(vector.AppendKey(buffer[:0], v, i))]
}

// intKeys is an open-addressing table of whole numbers. The filter, which fits into
// a faster cache than the slots, tells of most other numbers that they are not in it.
type intKeys struct {
	slots  []intSlot // a power of two, at most half full
	filter []uint64  // a bit for each of filterBits numbers per slot, by the same hash
	used   int
	null   int64 // sequence number of NULL, 0 if it is not in the set
}

// filterBits is how many bits of the filter there are per slot.
const filterBits = 4

type intSlot struct {
	key      int64
	sequence int64 // 0: empty
}

func newIntKeys(slots int) *intKeys {
	return &intKeys{slots: make([]intSlot, slots), filter: make([]uint64, slots*filterBits/64)}
}

func (k *intKeys) len() int {
	if k.null > 0 {
		return k.used + 1
	}
	return k.used
}

func hashWord(key int64) uint64 { return uint64(key) * 0x9e3779b97f4a7c15 }

// keep is KeySet.Keep of a column of numbers.
func (k *intKeys) keep(keys []int64, sequence int64, out vector.Selection) vector.Selection {
	shift := 64 - bits.Len64(uint64(len(k.filter)*64-1))
	for i, key := range keys {
		bit := hashWord(key) >> shift
		if k.filter[bit>>6]&(1<<(bit&63)) == 0 || k.slot(key).sequence <= sequence {
			out = append(out, int32(i))
		}
	}
	return out
}

// note puts a number into the filter.
func (k *intKeys) note(key int64) {
	bit := hashWord(key) >> (64 - bits.Len64(uint64(len(k.filter)*64-1)))
	k.filter[bit>>6] |= 1 << (bit & 63)
}

// slot finds the slot of a key, or the empty one where it belongs.
func (k *intKeys) slot(key int64) *intSlot {
	mask := uint64(len(k.slots) - 1)
	hash := hashWord(key)
	for i := hash >> (64 - bits.Len64(mask)); ; i = (i + 1) & mask {
		if s := &k.slots[i]; s.sequence == 0 || s.key == key {
			return s
		}
	}
}

func (k *intKeys) add(v *vector.Vector, row int, sequence int64) {
	key, ok := wordAt(v, row)
	if !ok {
		k.null = max(k.null, sequence)
		return
	}
	s := k.slot(key)
	if s.sequence == 0 {
		k.used++
		if k.used*2 > len(k.slots) {
			k.grow()
			s = k.slot(key)
		}
		k.note(key)
	}
	s.key, s.sequence = key, max(s.sequence, sequence)
}

func (k *intKeys) grow() {
	old := k.slots
	wider := newIntKeys(2 * len(old))
	k.slots, k.filter = wider.slots, wider.filter
	for _, s := range old {
		if s.sequence != 0 {
			*k.slot(s.key) = s
			k.note(s.key)
		}
	}
}

func (k *intKeys) find(v *vector.Vector, row int) int64 {
	key, ok := wordAt(v, row)
	if !ok {
		return k.null
	}
	return k.slot(key).sequence
}

// wordAt gives a whole number; ok is false for NULL.
func wordAt(v *vector.Vector, row int) (word int64, ok bool) {
	if v.IsNull(row) {
		return 0, false
	}
	values, p := v.At(row)
	if v.Type.Physical() == types.PhysInt32 {
		return int64(values.Int32s[p]), true
	}
	return values.Int64s[p], true
}
