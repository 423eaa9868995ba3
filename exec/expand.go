package exec

import (
	"context"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/vector"
)

// expandOperator gives every batch of its input once per set.
type expandOperator struct {
	in    operator
	sets  []*eval.ProgramSet
	batch *vector.Batch // of which sets from at on are still to be given
	at    int
}

func newExpand(in operator, n *plan.Expand, env *eval.Env) (operator, error) {
	x := &expandOperator{in: in}
	for _, s := range n.Sets {
		p, err := eval.CompileSet(s, env)
		if err != nil {
			return nil, err
		}
		x.sets = append(x.sets, p)
	}
	return x, nil
}

func (x *expandOperator) next(ctx context.Context) (*vector.Batch, error) {
	if x.batch == nil || x.at == len(x.sets) {
		b, err := x.in.next(ctx)
		if err != nil {
			return nil, err
		}
		x.batch, x.at = b, 0
	}
	values, err := x.sets[x.at].Eval(x.batch)
	if err != nil {
		return nil, err
	}
	x.at++
	columns := append(append([]*vector.Vector{}, x.batch.Columns...), values...)
	return &vector.Batch{Columns: columns, Len: x.batch.Len, Sel: x.batch.Sel}, nil
}

func (x *expandOperator) close() error { return x.in.close() }
