package vector

import "math/bits"

// Bitmap says which rows are valid, that is not NULL: bit i of word i/64. A
// nil Bitmap means that every row is valid.
type Bitmap []uint64

// NewBitmap gives a bitmap for n rows with no row valid.
func NewBitmap(n int) Bitmap { return make(Bitmap, (n+63)/64) }

// NewValidBitmap gives a bitmap for n rows with every row valid.
func NewValidBitmap(n int) Bitmap {
	b := NewBitmap(n)
	for i := range b {
		b[i] = ^uint64(0)
	}
	return b
}

// Valid reports whether row i is not NULL.
func (b Bitmap) Valid(i int) bool { return b == nil || b[i>>6]>>(uint(i)&63)&1 != 0 }

// Set marks row i as valid; b must not be nil.
func (b Bitmap) Set(i int) { b[i>>6] |= 1 << (uint(i) & 63) }

// Clear marks row i as NULL; b must not be nil.
func (b Bitmap) Clear(i int) { b[i>>6] &^= 1 << (uint(i) & 63) }

// CountValid counts the valid rows among the first n.
func (b Bitmap) CountValid(n int) int {
	if b == nil {
		return n
	}
	count := 0
	for i := 0; i < n>>6; i++ {
		count += bits.OnesCount64(b[i])
	}
	if rest := uint(n) & 63; rest != 0 {
		count += bits.OnesCount64(b[n>>6] & (1<<rest - 1))
	}
	return count
}

// And gives the rows that are valid in both. The result may share memory with
// an argument and must not be written to.
func And(a, b Bitmap) Bitmap {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	out := make(Bitmap, min(len(a), len(b)))
	for i := range out {
		out[i] = a[i] & b[i]
	}
	return out
}
