package deletes

import (
	"iter"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
)

// PositionSet is a set of row positions in a data file, each from 0 to
// math.MaxInt64. The zero value is not usable; see NewPositionSet.
type PositionSet struct {
	bitmap *roaring64.Bitmap
}

// NewPositionSet gives a set of the rows listed, in any order.
func NewPositionSet(rows ...int64) *PositionSet {
	s := &PositionSet{bitmap: roaring64.New()}
	for _, row := range rows {
		s.Add(row)
	}
	return s
}

// Add puts a row into the set; a negative one is the caller's mistake and
// panics.
func (s *PositionSet) Add(row int64) {
	if row < 0 {
		panic("deletes: negative row position")
	}
	s.bitmap.Add(uint64(row))
}

// AddRange puts the rows from, …, to-1 into the set.
func (s *PositionSet) AddRange(from, to int64) {
	if from < 0 {
		panic("deletes: negative row position")
	}
	if from < to {
		s.bitmap.AddRange(uint64(from), uint64(to))
	}
}

// Contains reports whether a row is in the set. A nil set is empty.
func (s *PositionSet) Contains(row int64) bool {
	return s != nil && row >= 0 && s.bitmap.Contains(uint64(row))
}

// Cardinality counts the rows. A nil set is empty.
func (s *PositionSet) Cardinality() int64 {
	if s == nil {
		return 0
	}
	return int64(s.bitmap.GetCardinality())
}

// IsEmpty reports whether the set has no rows. A nil set is empty.
func (s *PositionSet) IsEmpty() bool { return s == nil || s.bitmap.IsEmpty() }

// Max is the largest row of the set, -1 if it is empty.
func (s *PositionSet) Max() int64 {
	if s.IsEmpty() {
		return -1
	}
	return int64(s.bitmap.Maximum())
}

// Or adds the rows of other to s.
func (s *PositionSet) Or(other *PositionSet) {
	if !other.IsEmpty() {
		s.bitmap.Or(other.bitmap)
	}
}

// Intersects tells whether a row is in both sets.
func (s *PositionSet) Intersects(other *PositionSet) bool {
	return !s.IsEmpty() && !other.IsEmpty() && s.bitmap.Intersects(other.bitmap)
}

// Clone gives a copy that can be changed on its own.
func (s *PositionSet) Clone() *PositionSet { return &PositionSet{bitmap: s.bitmap.Clone()} }

// Equal reports whether both sets have the same rows.
func (s *PositionSet) Equal(other *PositionSet) bool {
	if s.IsEmpty() || other.IsEmpty() {
		return s.IsEmpty() == other.IsEmpty()
	}
	return s.bitmap.Equals(other.bitmap)
}

// All gives the rows in ascending order. The set must not change meanwhile.
func (s *PositionSet) All() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		if s == nil {
			return
		}
		for it := s.bitmap.Iterator(); it.HasNext(); {
			if !yield(int64(it.Next())) {
				return
			}
		}
	}
}
