package exec

import (
	"math"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// membersOf is the set of some numbers, a row with 13 and no key among them.
func membersOf(typ types.Type, values []int64) *members {
	b := vector.NewBuilder(typ, 0)
	var sel vector.Selection
	for i, v := range values {
		b.AppendValue(v)
		sel = append(sel, int32(i))
	}
	b.AppendValue(int64(13))
	k := newKeyNumbers(len(values) + 1)
	k.add(0, b.Vector(), sel, len(values)+1)
	return k.bounds().members
}

// TestMembers compares the rows that a set selects with those whose value is in
// it, for every layout of a column.
func TestMembers(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	values := []int64{7, 9, 200, 9}
	in := map[int64]bool{7: true, 9: true, 200: true}
	for _, typ := range []types.Type{types.Of(types.Int), types.Of(types.BigInt)} {
		m := membersOf(typ, values)
		for range 200 {
			n := 1 + rng.Intn(50)
			b := vector.NewBuilder(typ, n)
			for range n {
				if rng.Intn(5) == 0 {
					b.AppendNull()
				} else {
					b.AppendValue([]int64{-7, 6, 7, 8, 9, 13, 199, 200, 201, 1 << 30}[rng.Intn(10)])
				}
			}
			v := form(rng, b.Vector())
			var sel vector.Selection
			if rng.Intn(2) == 0 {
				sel = vector.Selection{}
				for i := range n {
					if rng.Intn(2) == 0 {
						sel = append(sel, int32(i))
					}
				}
			}
			want := vector.Selection{}
			eachRow(sel, n, func(_, i int) {
				if x, ok := v.Value(i).(int64); ok && in[x] {
					want = append(want, int32(i))
				}
			})
			require.Equal(t, want, m.Select(v, sel, n, make(vector.Selection, n)))
		}
		constant := &vector.Vector{Type: typ, Form: vector.Constant, Len: 3, Int32s: []int32{9}, Int64s: []int64{9}}
		require.Len(t, m.Select(constant, nil, 3, make(vector.Selection, 3)), 3)
	}
}

// TestMembersFarApart sees that a set of numbers that are far apart has all of
// them and few others.
func TestMembersFarApart(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	values := []int64{math.MinInt64, math.MaxInt64, 0}
	for range 5000 {
		values = append(values, rng.Int63()-rng.Int63())
	}
	m := membersOf(types.Of(types.BigInt), values)
	require.Less(t, len(m.bits), 1<<16)
	for _, v := range values {
		require.True(t, m.has(v))
	}
	others := 0
	for range 10_000 {
		if m.has(rng.Int63() - rng.Int63()) {
			others++
		}
	}
	require.Less(t, others, 1000)
}

// TestMembersGiveUp sees that a set which keeps nearly everything stops looking.
func TestMembersGiveUp(t *testing.T) {
	m := membersOf(types.Of(types.Int), []int64{0, 1, 2, 3, 4, 5, 6, 7, 8})
	v := vector.New(types.Of(types.Int), 2000)
	for i := range v.Int32s {
		v.Int32s[i] = int32(i % 10)
	}
	out := make(vector.Selection, v.Len)
	require.Len(t, m.Select(v, nil, v.Len, out), 1800)
	for range 40 {
		m.Select(v, nil, v.Len, out)
	}
	require.Len(t, m.Select(v, nil, v.Len, out), 2000)
}
