package exec

import (
	"errors"

	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// upsert writes rows by their keys.
func (x *executor) upsert(n *plan.Upsert) (*Result, error) {
	check, err := newRuleCheck(n.Target, n.Rules, x.env.Eval)
	if err != nil {
		return nil, err
	}
	var rows int64
	delta, err := x.writeKeyed(n.Target, storage.WriteOptions{Operation: "MERGE", Keys: n.Keys}, n.Input, func(w storage.DeltaWriter, b *vector.Batch) error {
		rows += int64(b.Rows())
		if err := check.batch(b); err != nil {
			return err
		}
		if !n.Deletes {
			return w.Upsert(x.ctx, b)
		}
		return x.upsertOrDelete(len(n.Target.Schema().Fields), w, b)
	})
	if err != nil {
		return nil, err
	}
	return &Result{RowsAffected: rows}, x.stage(n.Target, delta)
}

// upsertOrDelete writes the rows of a batch, whose columns are so many of the table
// and then whether a row deletes. No two of them have one key.
func (x *executor) upsertOrDelete(width int, w storage.DeltaWriter, b *vector.Batch) error {
	written, deleted := vector.Selection{}, vector.Selection{}
	for k := range b.Rows() {
		row := b.Row(k)
		if values, at := b.Columns[width].At(row); !b.Columns[width].IsNull(row) && values.Bools[at] {
			deleted = append(deleted, int32(row))
		} else {
			written = append(written, int32(row))
		}
	}
	if err := w.DeleteKeys(x.ctx, &vector.Batch{Columns: b.Columns[:width], Len: b.Len, Sel: deleted}); err != nil {
		return err
	}
	return w.Upsert(x.ctx, &vector.Batch{Columns: b.Columns[:width], Len: b.Len, Sel: written})
}

// deleteKeys takes rows away by their keys. How many those were is not known.
func (x *executor) deleteKeys(n *plan.DeleteKeys) (*Result, error) {
	delta, err := x.writeKeyed(n.Target, storage.WriteOptions{Operation: "DELETE", Keys: n.Keys}, n.Input, func(w storage.DeltaWriter, b *vector.Batch) error {
		return w.DeleteKeys(x.ctx, b)
	})
	if err != nil {
		return nil, err
	}
	delta.Parameters = predicate(n.Filter)
	return &Result{Uncounted: true}, x.stage(n.Target, delta)
}

// maxKeyBytes is the most that a writer may keep of keys, and keyShare the part of
// the memory limit. It belongs to what the budget does not count.
const (
	maxKeyBytes = 128 << 20
	keyShare    = 8
)

// writeKeyed gives the batches of an input to f with a writer that has keys.
func (x *executor) writeKeyed(target plan.Source, o storage.WriteOptions, input plan.Node, f func(storage.DeltaWriter, *vector.Batch) error) (storage.RowDelta, error) {
	o.KeyBytes = maxKeyBytes
	if x.env.Budget != nil {
		o.KeyBytes = min(o.KeyBytes, x.env.Budget.Limit()/keyShare)
	}
	return x.write(target, o, func(w storage.DeltaWriter) error {
		in, err := x.single(input)
		if err != nil {
			return err
		}
		err = pump(x.ctx, in, func(b *vector.Batch) error { return f(w, b) })
		return errors.Join(err, in.close())
	})
}
