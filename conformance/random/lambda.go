package main

import (
	"regexp"
	"strings"
)

// A placeholder {i32,i32<100:# => bool} is a lambda function of parameters of
// two kinds. What follows a colon says how DuckDB has a parameter: # counts
// from 0 here and from 1 there, and anything else reads it from the one
// parameter of DuckDB's function, as in {str:.key,i32:.value => bool}. ! behind
// the result says that it is not NULL.
const arrow = " => "

// plainColumn tells columns from aggregates and from keys of a GROUP BY, which
// do not all stand in lambda functions.
var plainColumn = regexp.MustCompile(`^[a-z]+\d+(\.\w+)?$`)

// lambda draws a lambda function. Its body reads its parameters, those of the
// lambda functions around it, and columns: for DuckDB, which takes those of
// enclosing queries for columns that must be grouped, of the innermost query.
func (g *gen) lambda(p string, depth int) text {
	of, result, _ := strings.Cut(p, arrow)
	params, columns := g.parameters(of)
	scopes, subqueries := g.scopes, g.subqueries
	g.scopes, g.subqueries = nil, 0
	for i, s := range scopes {
		if g.paired && g.lambdas == 0 && i < len(scopes)-1 {
			continue
		}
		var plain []column
		for _, c := range s {
			if plainColumn.MatchString(c.ours) {
				plain = append(plain, c)
			}
		}
		if len(plain) > 0 {
			g.scopes = append(g.scopes, plain)
		}
	}
	g.lambdas++
	var body value
	g.inScope(columns, func() { body = g.body(result, depth) })
	g.lambdas--
	g.scopes, g.subqueries = scopes, subqueries
	return pair("%s -> %s", "lambda %s: %s", params, body)
}

// parameters names those of a lambda function, and gives what they are in its
// body.
func (g *gen) parameters(of string) (text, []column) {
	var ours, duck []string
	var columns []column
	for _, p := range strings.Split(of, ",") {
		p, there, read := strings.Cut(p, ":")
		k, bound := parseKind(p)
		name := g.name("p")
		t := same(name)
		switch {
		case there == "#":
			t.duck = "CAST(" + name + " - 1 AS INT)"
		case read && duck == nil:
			t.duck = name + there
		case read:
			t.duck = duck[0] + there
		}
		ours = append(ours, name)
		if !read || there == "#" || duck == nil {
			duck = append(duck, name)
		}
		columns = append(columns, column{value: value{text: t, kind: k, bound: bound}})
	}
	names := both("("+strings.Join(ours, ", ")+")", strings.Join(duck, ", "))
	if len(ours) == 1 && g.chance(70) {
		names = both(ours[0], duck[0])
	}
	return names, columns
}

// body draws that of a lambda function.
func (g *gen) body(result string, depth int) value {
	result, present := strings.CutSuffix(result, "!")
	k, bound := parseKind(result)
	v := g.expr(k, depth)
	if k == boolean {
		v = g.condition(depth)
	}
	if v = g.below(v, bound); numeric(k) {
		v.duck = "CAST(" + v.duck + " AS " + typeNames[k].duck + ")" // the elements of a list have its type
	}
	if present {
		v.text = sqlf("coalesce(%s, %s)", v, g.literal(k, false))
	}
	return v
}
