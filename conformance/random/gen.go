package main

import (
	"fmt"
	"math/rand"
	"slices"
)

// gen generates one query.
type gen struct {
	*rand.Rand
	tables []table
	// scopes are the columns that can be read, those of the innermost query last.
	scopes [][]column
	ctes   []relation
	names  int
	// exact asks for values that every engine computes to the last bit, because
	// they are compared, grouped or sorted.
	exact bool
	// hidden makes columns opaque in text.opaque.
	hidden bool
	// paired asks for what DuckDB has a counterpart of.
	paired bool
	// risky makes sums that may overflow.
	risky bool
	// closed says that nothing can be joined to what stands in FROM.
	closed bool
	// sets says that the last GROUP BY has several grouping sets.
	sets bool
	// lambdas is how many lambda functions are around.
	lambdas int
	// subqueries is how many more there may be.
	subqueries int
}

// relation is what can stand in FROM by its name.
type relation struct {
	name    string
	columns []column
}

func (g *gen) chance(percent int) bool { return g.Intn(100) < percent }

func (g *gen) name(prefix string) string {
	g.names++
	return fmt.Sprintf("%s%d", prefix, g.names)
}

// inScope runs f with the columns as the innermost scope.
func (g *gen) inScope(columns []column, f func()) {
	g.scopes = append(g.scopes, columns)
	f()
	g.scopes = g.scopes[:len(g.scopes)-1]
}

// ownColumns runs f without the columns of enclosing queries: an aggregate of
// those alone belongs, by the standard, to the enclosing query.
func (g *gen) ownColumns(f func()) {
	scopes := g.scopes
	if n := len(scopes); n > 0 && g.paired {
		g.scopes = scopes[n-1:]
	}
	f()
	g.scopes = scopes
}

// conditionally runs f for the text of a condition on rows.
func (g *gen) conditionally(f func()) {
	hidden, exact := g.hidden, g.exact
	g.hidden, g.exact = true, true
	f()
	g.hidden, g.exact = hidden, exact
}

// column draws a column of the kind that can be read, usually of the innermost
// query.
func (g *gen) column(k kind) (value, bool) {
	if len(g.scopes) == 0 {
		return value{}, false
	}
	at := len(g.scopes) - 1
	if at > 0 && g.chance(30) {
		at = g.Intn(at)
	}
	var found []column
	for _, c := range g.scopes[at] {
		if c.kind == k || k == f64 && c.kind == tame {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		return value{}, false
	}
	c := pick(g, found)
	v := c.value
	v.kind = k
	if g.hidden && c.name != "" {
		v.opaque = fmt.Sprintf("nvl2(%s, %s, NULL)", v.ours, v.ours)
	}
	return v, true
}

// leaf draws a column, a constant or NULL.
func (g *gen) leaf(k kind) value {
	if g.chance(88) {
		if v, ok := g.column(k); ok {
			return v
		}
		if k == tame && g.chance(50) {
			v, ok := g.column(i32)
			return value{text: sqlf("CAST(%s AS DOUBLE)", g.below(v, 1e6)), kind: k, bound: 1e6}.or(ok, g.literal(k, false))
		}
	}
	if g.chance(6) {
		return null(k)
	}
	return g.literal(k, g.chance(15))
}

func (v value) or(ok bool, other value) value {
	if ok {
		return v
	}
	return other
}

// below makes the magnitude of a whole number smaller than the bound.
func (g *gen) below(v value, bound float64) value {
	if v.bound <= bound || !v.kind.isInt() {
		return v
	}
	v.text = sqlf("(%s %% CAST(%s AS %s))", v, int64(bound), typeNames[v.kind])
	v.bound = bound
	return v
}

// some draws a kind.
func (g *gen) some() kind {
	if n := len(g.scopes); n > 0 && g.chance(80) {
		return pick(g, g.scopes[n-1]).kind
	}
	if g.chance(40) {
		return pick(g, []kind{i32, i64, str, tame, date})
	}
	for {
		if k := pick(g, kinds); k != anyJSON || !g.paired { // DuckDB has no VARIANT of Spark's
			return k
		}
	}
}

// ordered draws a kind of which values are compared by less. Engines do not
// agree on NULLs inside of nested values.
func (g *gen) ordered() kind {
	for {
		if k := g.sortable(); !g.paired || !k.isNested() {
			return k
		}
	}
}

// canOrder reports whether ordered may give the kind.
func (g *gen) canOrder(k kind) bool { return k.hasEqual() && (!g.paired || !k.isNested()) }

// sortable draws a kind of which values are equal or not.
func (g *gen) sortable() kind {
	for {
		if k := g.some(); k.hasEqual() {
			return k
		}
	}
}

func numeric(k kind) bool {
	return slices.Contains([]kind{i8, i16, i32, i64, f32, f64, tame, dec5, dec18, dec38}, k)
}
