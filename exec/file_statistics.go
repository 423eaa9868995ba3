package exec

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// fromStatistics answers count, min and max over whole files of a table by what
// the table's metadata says of them; nil if it does not say it for certain. Keys
// may be columns of which each file has one value, as partition columns are.
func (x *executor) fromStatistics(n *plan.Aggregate) (operator, error) {
	s := wholeTable(n)
	if s == nil {
		return nil, nil
	}
	scan, err := x.planScan(s)
	if err != nil {
		return nil, err
	}
	out, ok := statistics(n, scan)
	if !ok {
		return nil, nil
	}
	if x.stats != nil {
		x.stats.node(n).fromStatistics = true
	}
	return &batchOperator{batch: out}, nil
}

// statistics gives the rows of an aggregate over all rows of a scan.
func statistics(n *plan.Aggregate, scan storage.Scan) (*vector.Batch, bool) {
	keys, groups, ok := filesByKey(n, scan)
	if !ok {
		return nil, false
	}
	out := vector.NewBatch(len(groups))
	if keys != nil {
		out.Columns = keys.columnsOf(0, len(groups))
	}
	for _, c := range n.Aggregates {
		b := vector.NewBuilder(c.Function.Type, len(groups))
		for _, tasks := range groups {
			v, ok := statistic(scan, tasks, c.Function.Name, argColumn(n.Input, c.Function.Args))
			if !ok {
				return nil, false
			}
			b.AppendValue(v)
		}
		out.Columns = append(out.Columns, b.Vector())
	}
	return out, true
}

// filesByKey groups the files of a scan by their keys; without keys all are one
// group. It reports false if a file may have several keys.
func filesByKey(n *plan.Aggregate, scan storage.Scan) (keys *keyTable, groups [][]storage.ScanTask, ok bool) {
	var tasks []storage.ScanTask
	for _, t := range scan.Tasks() {
		// Of a file's tasks the first stands for all.
		if t.Offset == 0 && t.File.LiveRecords() != 0 {
			tasks = append(tasks, t)
		}
	}
	if len(n.Keys) == 0 {
		return nil, [][]storage.ScanTask{tasks}, true
	}
	columns := make([]*vector.Vector, len(n.Keys))
	for i, k := range n.Keys {
		b := vector.NewBuilder(k.Type(), len(tasks))
		for _, t := range tasks {
			v, ok := onlyValue(scan, t, argColumn(n.Input, n.Keys[i:i+1]))
			if !ok {
				return nil, nil, false
			}
			b.AppendValue(v)
		}
		columns[i] = b.Vector()
	}
	keys, numbers := newKeyTable(typesOf(n.Keys)), make([]int32, len(tasks))
	keys.insert(columns, nil, len(tasks), numbers)
	groups = make([][]storage.ScanTask, keys.len())
	for i, g := range numbers {
		groups[g] = append(groups[g], tasks[i])
	}
	return keys, groups, true
}

// onlyValue is the value that a column has in every row of a file.
func onlyValue(scan storage.Scan, t storage.ScanTask, column int) (value any, ok bool) {
	s, ok := scan.ColumnStatistics(t, column)
	switch {
	case !ok || t.File.LiveRecords() < 0:
		return nil, false
	case s.NullCount == t.File.LiveRecords():
		return nil, true
	case s.NullCount > 0 || s.Min == nil || s.Max == nil:
		return nil, false
	}
	order, comparable := types.CompareValues(s.Type, s.Min, s.Max)
	return s.Min, comparable && order == 0
}

// wholeTable gives the scan of an aggregate whose calls file statistics can
// answer: count, min and max of all rows of some files, by columns.
func wholeTable(n *plan.Aggregate) *plan.Scan {
	if len(n.Aggregates)+len(n.Keys) == 0 {
		return nil
	}
	for i := range n.Keys {
		if argColumn(n.Input, n.Keys[i:i+1]) < 0 || n.Keys[i].Type().Char == types.Char { // blanks are added where it is read
			return nil
		}
	}
	for _, c := range n.Aggregates {
		name, args := c.Function.Name, c.Function.Args
		if c.Filter != nil || c.Distinct || name != "count" && name != "min" && name != "max" || len(args) > 1 || len(args) == 1 && argColumn(n.Input, args) < 0 {
			return nil
		}
	}
	in := n.Input
	for {
		switch node := in.(type) {
		case *plan.Project:
			in = node.Input
		case *plan.Scan:
			if node.Spec.DataFilter != nil || node.Spec.Residual != nil || len(node.Dynamic) > 0 || node.RowPositions {
				return nil
			}
			return node
		default:
			return nil
		}
	}
}

// argColumn is the position in the scan below of the column that is the only
// argument; -1 for none.
func argColumn(in plan.Node, args []expr.Expr) int {
	if len(args) != 1 {
		return -1
	}
	c, ok := args[0].(*expr.Column)
	if !ok {
		return -1
	}
	if p, ok := in.(*plan.Project); ok {
		return argColumn(p.Input, []expr.Expr{p.Exprs[c.Index]})
	}
	return c.Index
}

// statistic is the value of an aggregate over all rows of some files; column is
// -1 for count(*).
func statistic(scan storage.Scan, files []storage.ScanTask, name string, column int) (value any, ok bool) {
	var rows int64
	for _, t := range files {
		live := t.File.LiveRecords()
		if live < 0 {
			return nil, false
		}
		if column < 0 {
			rows += live
			continue
		}
		s, ok := scan.ColumnStatistics(t, column)
		if !ok {
			return nil, false
		}
		rows += live - s.NullCount
		if live == s.NullCount {
			continue
		}
		bound, direction := s.Min, -1
		if name == "max" {
			bound, direction = s.Max, 1
		}
		if value == nil {
			value = bound
		} else if order, comparable := types.CompareValues(s.Type, bound, value); !comparable {
			return nil, false
		} else if order == direction {
			value = bound
		}
	}
	if name == "count" {
		return rows, true
	}
	return value, true
}
