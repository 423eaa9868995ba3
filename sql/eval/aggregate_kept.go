package eval

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/vector"
)

// keptRows are rows of an aggregate's arguments that a state keeps, so that it can
// be merged into another.
type keptRows struct {
	args   []*vector.Builder
	groups []int32 // by row
}

func newKeptRows(args []expr.Expr) keptRows {
	k := keptRows{args: make([]*vector.Builder, len(args))}
	for a, e := range args {
		k.args[a] = vector.NewBuilder(e.Type(), 0)
	}
	return k
}

// add keeps row i of args.
func (k *keptRows) add(args []*vector.Vector, i, group int) {
	for a, v := range args {
		k.args[a].AppendFrom(v, i)
	}
	k.groups = append(k.groups, int32(group))
}

// vectors are the rows.
func (k *keptRows) vectors() []*vector.Vector {
	out := make([]*vector.Vector, len(k.args))
	for a, b := range k.args {
		out[a] = b.Vector()
	}
	return out
}

// mergeInto adds the rows to another state, those of group g to targets[g], or to
// none if that is negative.
func (k *keptRows) mergeInto(s AggregateState, targets []int32) error {
	groups := make([]int32, len(k.groups))
	sel := vector.Selection{}
	for i, g := range k.groups {
		if groups[i] = targets[g]; groups[i] >= 0 {
			sel = append(sel, int32(i))
		}
	}
	return s.Update(k.vectors(), sel, len(groups), groups)
}
