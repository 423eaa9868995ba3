package exec

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

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
