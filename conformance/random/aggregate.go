package main

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
)

//go:embed aggregates.txt
var aggregateLines string

// aggregates are those of aggregates.txt, extremes min and max of every kind.
var aggregates, extremes = parseAggregates(), makeExtremes()

func parseAggregates() []template {
	var out []template
	for _, list := range parseTemplates(aggregateLines) {
		out = append(out, list...)
	}
	sortTemplates(out)
	return out
}

func makeExtremes() []template {
	var out []template
	for _, k := range append([]kind{arr, strs, record}, scalars...) {
		for _, name := range []string{"min", "max"} {
			t := template{result: k, bound: k.most(), ours: name + "([D]{1})[F]", params: []string{string(k)}}
			t.duck = t.ours
			out = append(out, t)
		}
	}
	sortTemplates(out)
	return out
}

// rowKeys is a placeholder of keys that order the rows in one way only.
const rowKeys = "ids"

// aggregate draws an aggregate of the rows in scope.
func (g *gen) aggregate(depth int) value {
	list := aggregates
	if g.chance(20) {
		list = extremes
	}
	t := pick(g, list)
	for !g.allows(t) || g.paired && t.result.isNested() && t.ours[0] == 'm' {
		t = pick(g, list)
	}
	exact, subqueries := g.exact, g.subqueries
	g.exact, g.subqueries = true, 0
	defer func() { g.exact, g.subqueries = exact, subqueries }()
	var v value
	g.ownColumns(func() { v = g.filled(t, depth) })
	if g.chance(8) {
		if picked, ok := g.picked(); ok {
			v = picked
		}
	}
	filter, and := text{}, text{}
	if g.chance(25) {
		c := g.condition(depth)
		filter, and = sqlf(" FILTER (WHERE %s)", c), sqlf("AND %s", c)
	}
	distinct := pick(g, []string{"", "", "DISTINCT "})
	v.alone = v.alone || filter.alone
	put := func(s, filter, and string) string {
		return strings.NewReplacer("[F]", filter, "[D]", distinct, "[A]", and).Replace(s)
	}
	v.ours, v.duck, v.opaque = put(v.ours, filter.ours, ""), put(v.duck, filter.duck, and.duck), put(v.opaque, filter.opaque, "")
	return v
}

// picked draws an aggregate that picks the value of one row, the one with the
// greatest or least id of a table.
func (g *gen) picked() (value, bool) {
	scope := g.scopes[len(g.scopes)-1]
	var ids, others []column
	for _, c := range scope {
		if c.from != "" && strings.HasSuffix(c.ours, ".id") {
			ids = append(ids, c)
		}
	}
	if len(ids) == 0 {
		return value{}, false
	}
	id := pick(g, ids)
	for _, c := range scope {
		if c.from == id.from {
			others = append(others, c)
		}
	}
	of := pick(g, others)
	v := of.value
	names := pick(g, [][2]string{{"max_by", "arg_max_null"}, {"min_by", "arg_min_null"}})
	v.text = pair(names[0]+"(%s, %s)[F]", names[1]+"(%s, %s)[F]", of, id)
	return v, true
}

var readsColumn = regexp.MustCompile(`\b[a-z]+\d+\.[a-z]`)

// key draws an expression of a column, to group by.
func (g *gen) key() value {
	exact, subqueries := g.exact, g.subqueries
	g.exact, g.subqueries = true, 0
	defer func() { g.exact, g.subqueries = exact, subqueries }()
	for range 20 {
		k := g.sortable()
		v, ok := g.column(k)
		if !ok || g.chance(25) {
			v = g.expr(k, 2)
		}
		if readsColumn.MatchString(v.ours) {
			return v
		}
	}
	first := g.scopes[len(g.scopes)-1][0]
	return value{text: sqlf("(%s IS NULL)", first), kind: boolean}
}

// grouped draws a GROUP BY of keys and aggregates: the clause and the columns
// that can be selected.
func (g *gen) grouped(depth int) (clause text, columns []column) {
	var keys, sets []text
	g.sets = false
	for range g.Intn(3) + g.Intn(2) {
		v := g.key()
		for slices.ContainsFunc(keys, func(k text) bool { return k.duck == v.duck && k.ours != v.ours }) {
			v = g.key() // one key in DuckDB's words, and two in ours
		}
		keys = append(keys, v.text)
		v.from = ""
		columns = append(columns, column{value: v})
	}
	list := join(keys, ", ")
	switch n := g.Intn(10); {
	case len(keys) == 0 && n < 9:
	case len(keys) == 0:
		clause = same(" GROUP BY ()")
	case n < 6:
		clause = sqlf(" GROUP BY %s", list)
	case n < 7:
		clause = sqlf(" GROUP BY ROLLUP (%s)", list)
	case n < 8:
		clause = sqlf(" GROUP BY CUBE (%s)", list)
	default:
		for range 1 + g.Intn(3) {
			var set []text
			for _, k := range keys {
				if g.chance(50) {
					set = append(set, k)
				}
			}
			sets = append(sets, sqlf("(%s)", join(set, ", ")))
		}
		sets = append(sets, sqlf("(%s)", list))
		clause = sqlf(" GROUP BY GROUPING SETS (%s)", join(sets, ", "))
	}
	if strings.Contains(clause.ours, "ROLLUP") || strings.Contains(clause.ours, "CUBE") || len(sets) > 0 {
		g.sets = true
		columns = append(columns, column{value: value{text: sqlf("CAST(grouping(%s) AS INT)", pick(g, keys)), kind: i32, bound: 1}})
	}
	for range 1 + g.Intn(3) {
		columns = append(columns, column{value: g.aggregate(depth)})
	}
	return clause, columns
}
