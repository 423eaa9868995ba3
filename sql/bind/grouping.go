package bind

import (
	"slices"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// maxGroupingSets is the largest number of grouping sets of a GROUP BY.
const maxGroupingSets = 4096

// The functions that tell grouping sets apart stand in expressions as calls
// until the Aggregate is made.
const (
	groupingFunction   = "grouping"
	groupingIDFunction = "grouping_id"
)

// grouping are the keys of a GROUP BY.
type grouping struct {
	keys  []expr.Expr
	names []string
	// sets are the grouping sets, as positions in keys; nil for all keys.
	sets [][]int
}

// add gives the position of a key, a new one if there is none like it.
func (g *grouping) add(e expr.Expr, name string) int {
	i := slices.IndexFunc(g.keys, func(k expr.Expr) bool { return expr.Equal(k, e) })
	if i < 0 {
		i = len(g.keys)
		g.keys, g.names = append(g.keys, e), append(g.names, name)
	}
	return i
}

// grouping binds GROUP BY; ALL takes every item without an aggregate,
// a window function or a generator.
func (k *block) grouping() (*grouping, error) {
	g := &grouping{}
	if k.s.GroupBy == nil {
		return g, nil
	}
	if k.s.GroupBy.All {
		for _, it := range k.items {
			if !hasAggregate(it.e) && !k.hasWindow(it.e) && !hasGenerator(it.e) {
				g.add(it.e, it.name)
			}
		}
		return g, nil
	}
	sets := [][]ast.Expr{nil}
	for _, item := range k.s.GroupBy.Items {
		if sets = crossSets(sets, groupingSets(item)); len(sets) > maxGroupingSets {
			return nil, k.b.errorAt(item, ErrInvalidSQL, "GROUP BY makes more than %d grouping sets", maxGroupingSets)
		}
	}
	for _, s := range sets {
		positions := []int{}
		for _, e := range s {
			key, name, err := k.groupKey(e)
			if err != nil {
				return nil, err
			}
			positions = append(positions, g.add(key, name))
		}
		if severalSets(k.s.GroupBy) {
			g.sets = append(g.sets, positions)
		}
	}
	return g, nil
}

// severalSets reports whether GROUP BY may make several grouping sets.
func severalSets(g *ast.GroupBy) bool {
	return g != nil && slices.ContainsFunc(g.Items, func(item ast.GroupItem) bool {
		return item.Kind != ast.GroupExpr && item.Kind != ast.GroupSet
	})
}

// groupingSets are the sets that an element of GROUP BY stands for.
func groupingSets(item ast.GroupItem) [][]ast.Expr {
	switch item.Kind {
	case ast.GroupExpr:
		return [][]ast.Expr{{item.Expr}}
	case ast.GroupSet:
		return [][]ast.Expr{item.Exprs}
	case ast.GroupSets:
		var out [][]ast.Expr
		for _, i := range item.Items {
			out = append(out, groupingSets(i)...)
		}
		return out
	}
	out := [][]ast.Expr{nil}
	for _, i := range slices.Backward(item.Items) {
		part := groupingSets(i)[0]
		with := make([][]ast.Expr, 0, 2*len(out))
		for _, s := range out {
			with = append(with, append(slices.Clone(part), s...))
		}
		if item.Kind == ast.GroupRollup {
			out = append(with, nil)
		} else if out = append(with, out...); len(out) > maxGroupingSets {
			break
		}
	}
	return out
}

// crossSets joins every set of one list with every one of the other.
func crossSets(a, b [][]ast.Expr) [][]ast.Expr {
	var out [][]ast.Expr
	for _, x := range a {
		for _, y := range b {
			out = append(out, append(slices.Clone(x), y...))
			if len(out) > maxGroupingSets {
				return out
			}
		}
	}
	return out
}

// expand makes the Aggregate's input give every row once per grouping set and
// its keys those of the set, which the last two keys tell: the grouping ID, a
// bit per key that is set where the key is not of the set, and the set's number.
func (g *grouping) expand(agg *plan.Aggregate) {
	x := &plan.Expand{Input: agg.Input, Names: append(slices.Clone(g.names), groupingIDFunction, "grouping_set")}
	for number, set := range g.sets {
		values := make([]expr.Expr, len(agg.Keys), len(agg.Keys)+2)
		id := int64(0)
		for i, key := range agg.Keys {
			values[i] = key
			if !slices.Contains(set, i) {
				values[i] = expr.Null(key.Type())
				id |= 1 << (len(agg.Keys) - 1 - i)
			}
		}
		x.Sets = append(x.Sets, append(values, expr.Int(id), expr.Int(int64(number))))
	}
	agg.Input = x
	agg.KeyNames = x.Names
	width := len(x.Input.Schema().Fields)
	agg.Keys = nil
	for i := range x.Names {
		agg.Keys = append(agg.Keys, plan.ColumnOf(x, width+i))
	}
}

// groupingCall binds grouping(key) and grouping_id(keys).
func (b *binder) groupingCall(e *ast.Call, name string, c exprContext) (expr.Expr, error) {
	if c.aggregates == nil {
		return nil, b.errorAt(e, ErrInvalidSQL, "%s can't stand in %s", name, c.clause)
	}
	c.aggregates.grouping = true
	out := &expr.Call{Name: name, T: types.Of(types.BigInt)}
	if name == groupingFunction {
		out.T = types.Of(types.TinyInt)
		if len(e.Args) != 1 {
			return nil, b.errorAt(e, ErrInvalidSQL, "grouping needs one argument, a key of GROUP BY")
		}
	}
	c.aliasesFirst = false
	for _, a := range e.Args {
		arg, err := b.expr(a, c)
		if err != nil {
			return nil, err
		}
		out.Args = append(out.Args, arg)
	}
	return out, nil
}

// groupingValue gives the value of a grouping call over the Aggregate: the bits
// of the grouping ID that belong to its keys, all of them if it names none.
func (b *binder) groupingValue(at ast.Node, call *expr.Call, g *grouping, agg *plan.Aggregate) (expr.Expr, error) {
	if g.sets == nil {
		return nil, b.errorAt(at, ErrInvalidSQL, "%s needs GROUP BY with ROLLUP, CUBE or GROUPING SETS", call.Name)
	}
	id := plan.ColumnOf(agg, len(g.keys))
	if len(call.Args) == 0 {
		return id, nil
	}
	var out expr.Expr = expr.Int(0)
	for i, arg := range call.Args {
		key := slices.IndexFunc(g.keys, func(k expr.Expr) bool { return expr.Equal(k, arg) })
		if key < 0 {
			return nil, b.errorAt(at, ErrInvalidSQL, "%s of %s, which is no key of GROUP BY", call.Name, arg)
		}
		bit, err := eval.Resolve("shiftright", []expr.Expr{id, &expr.Literal{T: types.Of(types.Int), Value: int64(len(g.keys) - 1 - key)}})
		if err == nil {
			bit, err = eval.Resolve("&", []expr.Expr{bit, expr.Int(1)})
		}
		if err == nil {
			bit, err = eval.Resolve("shiftleft", []expr.Expr{bit, &expr.Literal{T: types.Of(types.Int), Value: int64(len(call.Args) - 1 - i)}})
		}
		if err == nil {
			out, err = eval.Resolve("|", []expr.Expr{out, bit})
		}
		if err != nil {
			return nil, err
		}
	}
	out, err := eval.NewCast(out, call.T, false)
	if err == nil {
		out, err = eval.FoldConstants(out, b.Env)
	}
	return out, err
}

// padKeys makes columns nullable where GROUP BY makes several grouping sets: a
// key is NULL in the sets that it is not of, and what is computed from keys must
// not be simplified as if it never were.
func (s *scope) padKeys(by *ast.GroupBy) {
	if by == nil || !slices.ContainsFunc(by.Items, func(i ast.GroupItem) bool { return i.Kind != ast.GroupExpr && i.Kind != ast.GroupSet }) {
		return
	}
	for i := range s.columns {
		s.columns[i].nullable = true
	}
}

// varies reports whether an expression may have another value each time that it
// is computed. Package eval does not know the grouping functions, whose value is
// one for a group.
func varies(e expr.Expr) bool {
	return eval.IsVolatile(expr.Rewrite(e, func(n expr.Expr) expr.Expr {
		if c, ok := n.(*expr.Call); ok && (c.Name == groupingFunction || c.Name == groupingIDFunction) {
			return expr.Null(c.T)
		}
		return n
	}))
}
