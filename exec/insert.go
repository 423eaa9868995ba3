package exec

import (
	"errors"
	"io"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// sharedInsertBytes is the most that an INSERT hands over to the writer that
// its transaction's INSERTs share; a larger one uses a writer of its own.
const sharedInsertBytes = 8 << 20

// insert evaluates and checks all rows before any reaches the shared writer,
// so that a failed statement leaves that as it was.
func (x *executor) insert(n *plan.Insert) (*Result, error) {
	if n.Overwrite {
		return x.overwrite(n)
	}
	in, err := x.single(n.Input)
	if err != nil {
		return nil, err
	}
	rows, err := x.insertRows(n, in)
	return &Result{RowsAffected: rows}, errors.Join(err, in.close())
}

func (x *executor) insertRows(n *plan.Insert, in operator) (int64, error) {
	check, err := newRuleCheck(n.Target, n.Rules, x.env.Eval)
	if err != nil {
		return 0, err
	}
	buffer := vector.NewCollector(n.Target.Schema().Types())
	for {
		b, err := in.next(x.ctx)
		if err == io.EOF {
			return int64(buffer.Rows()), x.env.Tx.Append(x.ctx, n.Target, buffer.Batch(), x.reads[n.Target.Name()])
		}
		if err != nil {
			return 0, err
		}
		if err := check.batch(b); err != nil {
			return 0, err
		}
		if err := buffer.Append(b); err != nil {
			return 0, err
		}
		if buffer.SizeBytes() > sharedInsertBytes {
			return x.insertLarge(n, in, check, buffer)
		}
	}
}

// insertLarge goes on with a writer of the statement's own.
func (x *executor) insertLarge(n *plan.Insert, in operator, check *ruleCheck, buffer *vector.Collector) (int64, error) {
	rows := int64(buffer.Rows())
	delta, err := x.write(n.Target, storage.WriteOptions{Operation: "WRITE"}, func(w storage.DeltaWriter) error {
		if err := w.Write(x.ctx, buffer.Batch()); err != nil {
			return err
		}
		n, err := x.writeRows(in, check, w)
		rows += n
		return err
	})
	if err != nil {
		return 0, err
	}
	return rows, x.stage(n.Target, delta)
}

// overwrite replaces the table's rows, or those of ReplaceWhere, by the input's.
func (x *executor) overwrite(n *plan.Insert) (*Result, error) {
	check, err := newRuleCheck(n.Target, n.Rules, x.env.Eval)
	if err != nil {
		return nil, err
	}
	in, err := x.single(n.Input)
	if err != nil {
		return nil, err
	}
	var rows int64
	delta, err := x.write(n.Target, storage.WriteOptions{Operation: "WRITE"}, func(w storage.DeltaWriter) error {
		if err := x.deleteWhere(n.Target, n.ReplaceWhere, w); err != nil {
			return err
		}
		n, err := x.writeRows(in, check, w)
		rows += n
		return err
	})
	if err = errors.Join(err, in.close()); err != nil {
		return nil, err
	}
	delta.Parameters = map[string]string{"mode": "Overwrite"}
	if n.ReplaceWhere != nil {
		delta.Parameters["predicate"] = n.ReplaceWhere.String()
	}
	return &Result{RowsAffected: rows}, x.stage(n.Target, delta)
}

// deleteWhere takes the rows of the target for which filter is true (nil: all)
// away.
func (x *executor) deleteWhere(target plan.Source, filter expr.Expr, w storage.DeltaWriter) error {
	scan := &plan.Scan{Source: target, RowPositions: true, Spec: plan.ScanSpec{Columns: []string{}}}
	if filter == nil {
		_, err := x.deleteFiles(scan, w)
		return err
	}
	scan.Spec.Columns, scan.Spec.Residual = target.Schema().Names(), filter
	width := len(scan.Spec.Columns)
	_, err := x.deletePositions(&plan.Project{
		Input: scan,
		Exprs: []expr.Expr{plan.ColumnOf(scan, width), plan.ColumnOf(scan, width+1)},
		Names: []string{plan.FileColumn, plan.PositionColumn},
	}, w)
	return err
}
