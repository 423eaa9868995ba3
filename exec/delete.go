package exec

import (
	"errors"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// delete takes rows away. Whole files go without being read where the
// condition is decided by partition values alone and the files' row counts are
// known.
func (x *executor) delete(n *plan.Delete) (*Result, error) {
	var rows int64
	delta, err := x.write(n.Target, storage.WriteOptions{Operation: "DELETE"}, func(w storage.DeltaWriter) error {
		var err error
		if scan := wholeFiles(n.Input); scan != nil {
			rows, err = x.deleteFiles(scan, w)
		} else {
			rows, err = x.deletePositions(n.Input, w)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	delta.Parameters = predicate(n.Filter)
	return &Result{RowsAffected: rows}, x.stage(n.Target, delta)
}

// predicate is the condition of a change, for the history.
func predicate(condition expr.Expr) map[string]string {
	if condition == nil {
		return nil
	}
	return map[string]string{"predicate": condition.String()}
}

// wholeFiles gives the scan of a DELETE that is decided by files alone.
func wholeFiles(n plan.Node) *plan.Scan {
	for {
		switch node := n.(type) {
		case *plan.Project:
			n = node.Input
		case *plan.Scan:
			if node.Spec.DataFilter == nil && node.Spec.Residual == nil {
				return node
			}
			return nil
		default:
			return nil
		}
	}
}

// deleteFiles removes every file of a scan and counts their rows. Files whose
// count is unknown are read for it.
func (x *executor) deleteFiles(n *plan.Scan, w storage.DeltaWriter) (int64, error) {
	scan, err := x.planScan(n)
	if err != nil {
		return 0, err
	}
	var rows int64
	counted := map[string]bool{}
	for _, task := range scan.Tasks() {
		live := task.File.LiveRecords()
		if live < 0 {
			if live, err = x.countRows(scan, task); err != nil {
				return 0, err
			}
			rows += live
		} else if !counted[task.File.Path] {
			rows += live
		}
		if !counted[task.File.Path] {
			counted[task.File.Path] = true
			if err := w.DeleteFile(x.ctx, task.File); err != nil {
				return 0, err
			}
		}
	}
	return rows, nil
}

func (x *executor) countRows(scan storage.Scan, task storage.ScanTask) (rows int64, err error) {
	reader, err := scan.Open(x.ctx, task)
	if err != nil {
		return 0, err
	}
	err = pump(x.ctx, readerOperator{reader}, func(b *vector.Batch) error {
		rows += int64(b.Rows())
		return nil
	})
	return rows, errors.Join(err, reader.Close())
}

// deletePositions takes the rows away that n, a node that gives files and
// positions, names, and counts them.
func (x *executor) deletePositions(n plan.Node, w storage.DeltaWriter) (int64, error) {
	changed, err := x.changedRows(n)
	if err != nil {
		return 0, err
	}
	in, err := changed.open(x)
	if err != nil {
		return 0, err
	}
	err = pump(x.ctx, in, func(b *vector.Batch) error {
		changed.add(b, len(b.Columns)-2)
		return nil
	})
	if err = errors.Join(err, in.close()); err != nil {
		return 0, err
	}
	return changed.rows, changed.deleteFrom(x.ctx, w)
}
