package pushdown

import (
	"math"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// unknownRows is the estimate for a node that nothing is known of.
const unknownRows = 1e12

// keptRows is the estimate for rows that another node keeps, and elementRows that
// for the elements of an array.
const (
	keptRows    = 1000
	elementRows = 10
)

// generatedRows guesses how many values a generator makes of a row.
func generatedRows(g *eval.Generator) float64 {
	if g.Kind == eval.Elements {
		return elementRows
	}
	bounds := make([]float64, len(g.Args))
	for i, a := range g.Args {
		l, ok := a.(*expr.Literal)
		v, whole := int64(0), false
		if ok {
			v, whole = l.Value.(int64)
		}
		if !whole || i == 2 && v == 0 {
			return elementRows
		}
		bounds[i] = float64(v)
	}
	return max((bounds[1]-bounds[0])/bounds[2], 0)
}

// Selectivities of conditions that statistics say nothing of.
const (
	equalitySelectivity = 0.1
	otherSelectivity    = 1.0 / 3
)

// counted is met by sources that know about how many rows they have.
type counted interface{ EstimatedRows() int64 }

// bounded is met by sources that know bounds of a column's values, in the form
// of vector.Vector.Value.
type bounded interface {
	ColumnBounds(column string) (min, max any, ok bool)
}

// estimateRows guesses how many rows a node gives.
func estimateRows(n plan.Node) float64 {
	switch n := n.(type) {
	case *plan.Scan:
		rows := sourceRows(n)
		conjuncts := expr.SplitConjuncts(expr.And(n.Spec.PartitionFilter, n.Spec.DataFilter))
		for _, c := range expr.SplitConjuncts(n.Spec.Residual) {
			if indexOf(conjuncts, c) < 0 {
				conjuncts = append(conjuncts, c)
			}
		}
		return max(rows*selectivity(expr.And(conjuncts...), n), 1)
	case *plan.Values:
		return float64(len(n.Rows))
	case *plan.Filter:
		return max(estimateRows(n.Input)*selectivity(n.Condition, nil), 1)
	case *plan.Limit:
		rows := estimateRows(n.Input)
		if n.Count != plan.NoLimit {
			rows = min(rows, float64(n.Count))
		}
		return rows
	case *plan.Aggregate:
		if len(n.Keys) == 0 {
			return 1
		}
		return max(estimateRows(n.Input)/5, 1)
	case *plan.Join:
		return joinRows(n)
	case *plan.Generate:
		return max(estimateRows(n.Input)*generatedRows(n.Function), 1)
	case *plan.WorkingTable:
		return keptRows
	}
	var total float64
	for _, c := range n.Children() {
		total += estimateRows(c)
	}
	return total
}

// sourceRows is the number of rows of a scan's table.
func sourceRows(s *plan.Scan) float64 {
	if c, ok := s.Source.(counted); ok {
		return max(float64(c.EstimatedRows()), 1)
	}
	return unknownRows
}

// joinRows takes an equi-join for one along a foreign key.
func joinRows(j *plan.Join) float64 {
	left, right := estimateRows(j.Left), estimateRows(j.Right)
	switch {
	case j.Kind == plan.SemiJoin:
		return max(left*kept(j.Right), 1)
	case j.Kind == plan.RightSemiJoin:
		return max(right*kept(j.Left), 1)
	case j.Kind == plan.RightAntiJoin:
		return right
	case j.Kind.LeftOnly() || j.Kind == plan.SingleJoin:
		return left
	case len(j.Keys) == 0:
		return left * right
	case j.Kind == plan.InnerJoin:
		return max(left*kept(j.Right), right*kept(j.Left), 1)
	}
	return max(left, right)
}

// kept is the part of its table's rows that a node gives.
func kept(n plan.Node) float64 {
	switch in := n.(type) {
	case *plan.Project:
		return kept(in.Input)
	case *plan.Filter:
		return kept(in.Input) * selectivity(in.Condition, nil)
	case *plan.Join:
		if in.Kind == plan.SemiJoin || in.Kind == plan.InnerJoin && len(in.Keys) > 0 {
			return kept(in.Left) * kept(in.Right)
		}
	case *plan.Scan:
		return min(estimateRows(in)/sourceRows(in), 1)
	}
	return 1
}

// selectivity guesses the part of the rows for which a condition is true, from
// the bounds of the scan's columns where they help.
func selectivity(condition expr.Expr, s *plan.Scan) float64 {
	part := 1.0
	for _, c := range expr.SplitConjuncts(condition) {
		part *= conjunctSelectivity(c, s)
	}
	return part
}

func conjunctSelectivity(c expr.Expr, s *plan.Scan) float64 {
	call, ok := c.(*expr.Call)
	if !ok {
		return otherSelectivity
	}
	switch call.Name {
	case expr.OpOr:
		none := 1.0
		for _, a := range call.Args {
			none *= 1 - selectivity(a, s)
		}
		return 1 - none
	case expr.OpNot:
		return 1 - selectivity(call.Args[0], s)
	case expr.OpIn:
		return min(float64(len(call.Args)-1)*equality(call.Args[0], s), 1)
	case expr.OpEqual, expr.OpNullSafe:
		return min(equality(call.Args[0], s), equality(call.Args[1], s))
	case expr.OpLike, expr.OpILike, expr.OpRLike:
		return equalitySelectivity
	case expr.OpNotEqual, expr.OpIsNotNull:
		return 1 - equalitySelectivity
	case expr.OpIsNull:
		return equalitySelectivity
	case expr.OpLess, expr.OpLessEqual, expr.OpGreater, expr.OpGreaterEqual:
		return rangeSelectivity(call, s)
	}
	return otherSelectivity
}

// equality is the part of the rows that have one value of e.
func equality(e expr.Expr, s *plan.Scan) float64 {
	if col, ok := e.(*expr.Column); ok && s != nil {
		if width, ok := boundsWidth(s, col); ok {
			return 1 / max(min(width, sourceRows(s)), 1)
		}
	}
	return equalitySelectivity
}

// rangeSelectivity is the part of a column's bounds that a comparison with a
// constant leaves.
func rangeSelectivity(call *expr.Call, s *plan.Scan) float64 {
	op, a, b := call.Name, call.Args[0], call.Args[1]
	if _, ok := a.(*expr.Literal); ok {
		op, a, b = expr.Mirror(op), b, a
	}
	col, isColumn := a.(*expr.Column)
	lit, isLiteral := b.(*expr.Literal)
	if !isColumn || !isLiteral || s == nil {
		return otherSelectivity
	}
	low, high, ok := bounds(s, col)
	at, isNumber := number(lit.T, lit.Value)
	if !ok || !isNumber || high <= low {
		return otherSelectivity
	}
	below := min(max((at-low)/(high-low), 0), 1)
	if op == expr.OpGreater || op == expr.OpGreaterEqual {
		return 1 - below
	}
	return below
}

// bounds gives the bounds of a source column as numbers.
func bounds(s *plan.Scan, col *expr.Column) (low, high float64, ok bool) {
	source, ok := s.Source.(bounded)
	if !ok || col.Index >= len(s.Source.Schema().Fields) {
		return 0, 0, false
	}
	lowest, highest, ok := source.ColumnBounds(s.Source.Schema().Fields[col.Index].Name)
	if !ok {
		return 0, 0, false
	}
	low, okLow := number(col.T, lowest)
	high, okHigh := number(col.T, highest)
	return low, high, okLow && okHigh
}

// boundsWidth is how many values fit between the bounds of a whole-number or
// date column.
func boundsWidth(s *plan.Scan, col *expr.Column) (float64, bool) {
	if !col.T.IsInteger() && col.T.Kind != types.Date {
		return 0, false
	}
	low, high, ok := bounds(s, col)
	return high - low + 1, ok
}

func number(t types.Type, v any) (float64, bool) {
	switch x := v.(type) {
	case int64:
		return float64(x), true
	case float64:
		return x, !math.IsNaN(x) && !math.IsInf(x, 0)
	case types.Decimal128:
		return x.Float64(int(t.Scale)), true
	}
	return 0, false
}
