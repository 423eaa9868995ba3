package exec

import (
	"errors"

	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// update takes the old rows away and writes the new ones.
func (x *executor) update(n *plan.Update) (*Result, error) {
	check, err := newRuleCheck(n.Target, n.Rules, x.env.Eval)
	if err != nil {
		return nil, err
	}
	changed, err := x.changedRows(n.Input)
	if err != nil {
		return nil, err
	}
	file := len(n.Input.Schema().Fields) - 2 // what is before it is written
	delta, err := x.write(n.Target, storage.WriteOptions{Operation: "UPDATE", RowIDs: n.RowIDs}, func(w storage.DeltaWriter) error {
		in, err := changed.open(x)
		if err != nil {
			return err
		}
		err = pump(x.ctx, in, func(b *vector.Batch) error {
			changed.add(b, file)
			if err := check.batch(b); err != nil {
				return err
			}
			return w.Write(x.ctx, &vector.Batch{Columns: b.Columns[:file], Len: b.Len, Sel: b.Sel})
		})
		if err = errors.Join(err, in.close()); err != nil {
			return err
		}
		return changed.deleteFrom(x.ctx, w)
	})
	if err != nil {
		return nil, err
	}
	delta.Parameters = predicate(n.Filter)
	return &Result{RowsAffected: changed.rows}, x.stage(n.Target, delta)
}
