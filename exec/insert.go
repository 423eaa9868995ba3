package exec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
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

// writeRows writes an input's rows, checked, and counts them.
func (x *executor) writeRows(in operator, check *ruleCheck, w storage.DeltaWriter) (rows int64, err error) {
	err = pump(x.ctx, in, func(b *vector.Batch) error {
		rows += int64(b.Rows())
		if err := check.batch(b); err != nil {
			return err
		}
		return w.Write(x.ctx, b)
	})
	return rows, err
}

// write runs f with a new writer and gives what it wrote as a delta. What an
// error leaves behind is removed, also when the context has ended.
func (x *executor) write(target plan.Source, o storage.WriteOptions, f func(storage.DeltaWriter) error) (storage.RowDelta, error) {
	o.Threads = x.env.Threads
	w, err := x.env.Tx.NewWriter(x.ctx, target, o)
	if err != nil {
		return storage.RowDelta{}, err
	}
	err = f(w)
	var result storage.WriteResult
	if err == nil {
		result, err = w.Complete(x.ctx)
	}
	if err != nil {
		return storage.RowDelta{}, errors.Join(err, w.Abort(context.WithoutCancel(x.ctx)))
	}
	return storage.RowDelta{Added: result.DataFiles, Removed: result.RemovedFiles, AddedDeletes: result.DeleteFiles, RemovedDeletes: result.RemovedDeletes,
		ReadFilter: result.Read, Operation: o.Operation}, nil
}

// stage hands a change over, with what the statement has read to make it.
func (x *executor) stage(target plan.Source, delta storage.RowDelta) error {
	delta.ReadFilter = storage.UnionReads(delta.ReadFilter, x.reads[target.Name()])
	return x.env.Tx.Stage(x.ctx, target, delta)
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

// ruleCheck checks rows against a table's rules.
type ruleCheck struct {
	target   plan.Source
	rules    []plan.Rule
	programs []*eval.Program
}

func newRuleCheck(target plan.Source, rules []plan.Rule, env *eval.Env) (*ruleCheck, error) {
	c := &ruleCheck{target: target, rules: rules}
	for _, r := range rules {
		p, err := eval.Compile(r.Condition, env)
		if err != nil {
			return nil, err
		}
		c.programs = append(c.programs, p)
	}
	return c, nil
}

// batch checks a batch whose first columns are the table's.
func (c *ruleCheck) batch(b *vector.Batch) error {
	for i, p := range c.programs {
		ok, err := p.Eval(b)
		if err != nil {
			return err
		}
		for k := range b.Rows() {
			row := b.Row(k)
			if values, at := ok.At(row); !ok.IsNull(row) && !values.Bools[at] {
				return &storage.ConstraintViolation{Table: c.target.Name().String(), Constraint: c.rules[i].Name, Row: formatRow(c.target.Schema(), b, row)}
			}
		}
	}
	return nil
}

// formatRow prints a row for an error, cut to a readable length.
func formatRow(schema types.Schema, b *vector.Batch, row int) string {
	const most = 300
	parts := make([]string, len(schema.Fields))
	for i, f := range schema.Fields {
		parts[i] = fmt.Sprintf("%s: %s", f.Name, expr.FormatLiteral(f.Type, b.Columns[i].Value(row)))
	}
	s := "(" + strings.Join(parts, ", ") + ")"
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
