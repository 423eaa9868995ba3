package exec

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// fromStatistics answers count, min and max over whole files of a table by what
// the table's metadata says of them; nil if it does not say it for certain.
func (x *executor) fromStatistics(n *plan.Aggregate) (operator, error) {
	s := wholeTable(n)
	if s == nil {
		return nil, nil
	}
	scan, err := x.planScan(s)
	if err != nil {
		return nil, err
	}
	out := vector.NewBatch(1)
	for _, c := range n.Aggregates {
		v, ok := statistic(scan, c.Function.Name, argColumn(n.Input, c.Function.Args))
		if !ok {
			x.keepScan(s, scan)
			return nil, nil
		}
		b := vector.NewBuilder(c.Function.Type, 1)
		if v == nil {
			b.AppendNull()
		} else {
			b.AppendValue(v)
		}
		out.Columns = append(out.Columns, b.Vector())
	}
	if x.stats != nil {
		x.stats.node(n).fromStatistics = true
	}
	return &batchOperator{batch: out}, nil
}

// wholeTable gives the scan of an aggregate whose calls file statistics can
// answer: count, min and max of all rows of some files.
func wholeTable(n *plan.Aggregate) *plan.Scan {
	if len(n.Keys) > 0 || len(n.Aggregates) == 0 {
		return nil
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

// statistic is the value of an aggregate over all rows of a scan; column is -1
// for count(*).
func statistic(scan storage.Scan, name string, column int) (value any, ok bool) {
	var rows int64
	for _, t := range scan.Tasks() {
		if t.Offset != 0 {
			continue // of a file's tasks the first stands for all
		}
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
