package exec

import (
	"errors"
	"fmt"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// merge runs the clauses over the joined rows.
func (x *executor) merge(n *plan.Merge) (*Result, error) {
	changed, err := x.changedRows(n.Input)
	if err != nil {
		return nil, err
	}
	m, err := newMergeRun(n, x.env.Eval, changed)
	if err != nil {
		return nil, err
	}
	delta, err := x.write(n.Target, storage.WriteOptions{Operation: "MERGE", RowIDs: n.RowIDs}, func(w storage.DeltaWriter) error {
		in, err := changed.open(x)
		if err != nil {
			return err
		}
		err = pump(x.ctx, in, func(b *vector.Batch) error {
			return m.batch(b, func(rows *vector.Batch) error { return w.Write(x.ctx, rows) })
		})
		if err = errors.Join(err, in.close()); err != nil {
			return err
		}
		return changed.deleteFrom(x.ctx, w)
	})
	if err != nil {
		return nil, err
	}
	return &Result{RowsAffected: m.affected}, x.stage(n.Target, delta)
}

// mergeRun is a MERGE in progress.
type mergeRun struct {
	n        *plan.Merge
	check    *ruleCheck
	clauses  []mergeClause
	changed  *changedRows
	touched  map[rowPosition]bool // target rows that a clause has changed
	width    int                  // of the table
	file     int                  // position of plan.FileColumn in the joined rows
	affected int64
	// deletesOnly: a target row may be matched several times
	deletesOnly bool
}

type mergeClause struct {
	condition *eval.Program // nil: true
	values    *eval.ProgramSet
}

type rowPosition struct {
	file     int32
	position int64
}

func newMergeRun(n *plan.Merge, env *eval.Env, changed *changedRows) (*mergeRun, error) {
	m := &mergeRun{n: n, changed: changed, touched: map[rowPosition]bool{}, width: len(n.Target.Schema().Fields), deletesOnly: deletesOnly(n.Clauses)}
	m.file = m.width
	if n.RowIDs {
		m.file++
	}
	var err error
	if m.check, err = newRuleCheck(n.Target, n.Rules, env); err != nil {
		return nil, err
	}
	for _, c := range n.Clauses {
		clause := mergeClause{}
		if c.Condition != nil {
			if clause.condition, err = eval.Compile(c.Condition, env); err != nil {
				return nil, err
			}
		}
		if clause.values, err = eval.CompileSet(c.Values, env); err != nil {
			return nil, err
		}
		m.clauses = append(m.clauses, clause)
	}
	return m, nil
}

// batch gives each joined row to the first clause that applies to it.
func (m *mergeRun) batch(b *vector.Batch, write func(*vector.Batch) error) error {
	inTable, inSource := b.Columns[m.file+1], b.Columns[m.n.SourceMark]
	var left [3]vector.Selection // rows that no clause has taken, by plan.MergeMatch
	for k := range b.Rows() {
		row := b.Row(k)
		match := plan.WhenMatched
		switch {
		case inTable.IsNull(row):
			match = plan.WhenNotMatched
		case inSource.IsNull(row):
			match = plan.WhenNotMatchedBySource
		}
		left[match] = append(left[match], int32(row))
	}
	for i, c := range m.n.Clauses {
		if len(left[c.Match]) == 0 {
			continue
		}
		in := &vector.Batch{Columns: b.Columns, Len: b.Len, Sel: left[c.Match]}
		taken, rest, err := m.clauses[i].split(in)
		if err != nil {
			return err
		}
		left[c.Match] = rest
		if len(taken) == 0 {
			continue
		}
		in.Sel = taken
		if err := m.apply(c, m.clauses[i], in, write); err != nil {
			return err
		}
	}
	return nil
}

// split divides the selected rows into those that the clause takes and the rest.
func (c mergeClause) split(b *vector.Batch) (taken, rest vector.Selection, err error) {
	if c.condition == nil {
		return b.Sel, nil, nil
	}
	sel, err := c.condition.Filter(b)
	if err != nil {
		return nil, nil, err
	}
	taken = append(taken, sel...)
	at := 0
	for _, row := range b.Sel {
		if at < len(taken) && taken[at] == row {
			at++
			continue
		}
		rest = append(rest, row)
	}
	return taken, rest, nil
}

// apply does what a clause says with the selected rows.
func (m *mergeRun) apply(c plan.MergeClause, run mergeClause, b *vector.Batch, write func(*vector.Batch) error) error {
	if c.Action != plan.MergeInsert {
		sel, err := m.touch(b, c.Match == plan.WhenMatched)
		if err != nil {
			return err
		}
		b = &vector.Batch{Columns: b.Columns, Len: b.Len, Sel: sel}
		m.changed.add(b, m.file)
	}
	m.affected += int64(b.Rows())
	if c.Action == plan.MergeDelete {
		return nil
	}
	columns, err := run.values.Eval(b)
	if err != nil {
		return err
	}
	out := &vector.Batch{Columns: columns, Len: b.Len, Sel: b.Sel}
	if err := m.check.batch(out); err != nil {
		return err
	}
	if m.n.RowIDs { // NULL in the rows that are new
		out.Columns = append(out.Columns, b.Columns[m.width])
	}
	return write(out)
}

// touch selects the rows whose target row was not changed before. One that was
// is an error, unless all that can happen to it is to be deleted once more.
func (m *mergeRun) touch(b *vector.Batch, matched bool) (vector.Selection, error) {
	sel := make(vector.Selection, 0, b.Rows())
	for k := range b.Rows() {
		row := b.Row(k)
		fv, fp := b.Columns[m.file].At(row)
		pv, pp := b.Columns[m.file+1].At(row)
		at := rowPosition{file: fv.Int32s[fp], position: pv.Int64s[pp]}
		if matched && m.touched[at] {
			if m.deletesOnly {
				continue
			}
			return nil, fmt.Errorf("merge into %s: %w: %s; make the source's keys unique", m.n.Target.Name(), ErrMergeCardinality,
				formatRow(m.n.Target.Schema(), b, row))
		}
		m.touched[at] = true
		sel = append(sel, int32(row))
	}
	return sel, nil
}

// deletesOnly reports whether every matched row is deleted without a condition.
func deletesOnly(clauses []plan.MergeClause) bool {
	matched, deletes := 0, 0
	for _, c := range clauses {
		if c.Match != plan.WhenMatched {
			continue
		}
		matched++
		if c.Action == plan.MergeDelete && c.Condition == nil {
			deletes++
		}
	}
	return matched == 1 && deletes == 1
}
