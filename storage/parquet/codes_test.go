package parquet

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCodesBelow compares with a look at each code, at all alignments.
func TestCodesBelow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	naive := func(codes []int32, limit uint32) bool {
		for _, c := range codes {
			if uint32(c) >= limit {
				return false
			}
		}
		return true
	}
	for range 20000 {
		limit := []uint32{0, 1, 2, 100, 1 << 20, 1<<31 - 1, 1 << 31}[r.IntN(7)]
		codes := make([]int32, r.IntN(24))
		for i := range codes {
			codes[i] = int32(r.Uint32N(max(limit, 1)))
		}
		for range r.IntN(3) * min(1, len(codes)) {
			codes[r.IntN(len(codes))] = []int32{-1, math.MinInt32, math.MinInt32 + 1, math.MaxInt32, int32(limit), int32(limit - 1), int32(limit + 1), -int32(limit)}[r.IntN(8)]
		}
		from := r.IntN(3)
		part := codes[min(from, len(codes)):]
		require.Equal(t, naive(part, limit), codesBelow(part, limit), "%v below %d", part, limit)
	}
}

func BenchmarkCodesBelow(b *testing.B) {
	codes := make([]int32, 2048)
	for b.Loop() {
		if !codesBelow(codes, 1000) {
			b.Fatal("codes are below")
		}
	}
}
