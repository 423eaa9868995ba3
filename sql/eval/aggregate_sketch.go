package eval

import (
	"math"
	"math/bits"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// sketchState is approx_count_distinct: exact by hashes for up to a few
// thousand values per group, then HyperLogLog with a standard error of 0.8%.
type sketchState struct {
	groups []sketch
	size   int64
}

// sketch has either hashes or registers.
type sketch struct {
	hashes    map[uint64]struct{}
	registers []uint8
}

const (
	sketchBits      = 14
	sketchMaxHashes = 2048
)

func resolveApproxCount(a *Aggregate) error {
	a.Args = a.Args[:1] // the relative error that may be asked for is kept anyway
	if a.Args[0].Type().Kind == types.Variant {
		return mismatch("%s does not take %s", a.Name, a.Args[0].Type())
	}
	a.Type, a.Nullable = types.Of(types.BigInt), false
	a.newState = func() AggregateState { return &sketchState{} }
	return nil
}

// Grow implements AggregateState.
func (s *sketchState) Grow(groups int) { s.groups = growSlice(s.groups, groups) }

// Update implements AggregateState.
func (s *sketchState) Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error {
	v := args[0]
	for k := range rowsOf(sel, n) {
		i := rowAt(sel, k)
		if !v.IsNull(i) {
			s.add(&s.groups[groupOf(groups, i)], hashValue(xxhash{}, v.Type, v, i, uint64(hashSeed)))
		}
	}
	return nil
}

func (s *sketchState) add(k *sketch, hash uint64) {
	if k.registers != nil {
		k.record(hash)
		return
	}
	if k.hashes == nil {
		k.hashes = map[uint64]struct{}{}
	}
	before := len(k.hashes)
	k.hashes[hash] = struct{}{}
	s.size += int64(16 * (len(k.hashes) - before))
	if len(k.hashes) > sketchMaxHashes {
		s.toRegisters(k)
	}
}

func (s *sketchState) toRegisters(k *sketch) {
	if k.registers != nil {
		return
	}
	k.registers = make([]uint8, 1<<sketchBits)
	for h := range k.hashes {
		k.record(h)
	}
	s.size += 1<<sketchBits - int64(16*len(k.hashes))
	k.hashes = nil
}

func (k *sketch) record(hash uint64) {
	r := &k.registers[hash>>(64-sketchBits)]
	*r = max(*r, uint8(bits.LeadingZeros64(hash<<sketchBits|1<<(sketchBits-1))+1))
}

// estimate is the HyperLogLog formula with linear counting for low counts.
func (k *sketch) estimate() int64 {
	if k.registers == nil {
		return int64(len(k.hashes))
	}
	m := float64(len(k.registers))
	sum, zeros := 0.0, 0.0
	for _, r := range k.registers {
		sum += math.Ldexp(1, -int(r))
		if r == 0 {
			zeros++
		}
	}
	e := 0.7213 / (1 + 1.079/m) * m * m / sum
	if e <= 2.5*m && zeros > 0 {
		e = m * math.Log(m/zeros)
	}
	return int64(math.Round(e))
}

// Merge implements AggregateState.
func (s *sketchState) Merge(other AggregateState, from, to []int32) error {
	o, err := otherState[*sketchState](other)
	if err != nil {
		return err
	}
	for k, g := range to {
		group, add := &s.groups[g], &o.groups[sourceGroup(from, k)]
		for h := range add.hashes {
			s.add(group, h)
		}
		if add.registers != nil {
			s.toRegisters(group)
			for i, r := range add.registers {
				group.registers[i] = max(group.registers[i], r)
			}
		}
	}
	return nil
}

// Result implements AggregateState.
func (s *sketchState) Result(from, to int) (*vector.Vector, error) {
	v := vector.New(types.Of(types.BigInt), to-from)
	for g := from; g < to; g++ {
		v.Int64s[g-from] = s.groups[g].estimate()
	}
	return v, nil
}

// Size implements AggregateState.
func (s *sketchState) Size() int64 { return s.size + int64(32*cap(s.groups)) }
