package main

import (
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// coverage counts what bound queries call.
type coverage struct {
	calls      map[string]int
	aggregates map[string]int
	windows    map[string]int
	types      map[string]int
	nodes      map[string]int
	terms      map[string]int
	clauses    map[string]int
}

func newCoverage() *coverage {
	return &coverage{calls: map[string]int{}, aggregates: map[string]int{}, windows: map[string]int{}, types: map[string]int{}, nodes: map[string]int{}, terms: map[string]int{}, clauses: map[string]int{}}
}

var called = regexp.MustCompile(`\b([a-z_0-9]+)\(`)

// add counts the nodes, calls and types of a plan, and the names that its text
// calls, of which constants are folded when it is bound.
func (c *coverage) add(n plan.Node, text string) {
	for _, m := range called.FindAllStringSubmatch(text, -1) {
		c.calls[m[1]]++
	}
	for _, f := range framed.FindAllStringSubmatch(text, -1) {
		c.clauses[number.ReplaceAllString(f[0], "n")]++
	}
	for _, clause := range clauses {
		if strings.Contains(text, clause) {
			c.clauses[clause]++
		}
	}
	c.visit(reflect.ValueOf(n), map[uintptr]bool{})
}

// addPlan counts the words of EXPLAIN that stand in lines of a plan.
func (c *coverage) addPlan(text string) {
	for _, line := range strings.Split(text, "\n") {
		for _, t := range plan.Terms() {
			if t.Matches(strings.TrimSpace(line)) {
				c.terms[t.Line]++
			}
		}
	}
}

// notOfQueries are the words of EXPLAIN for other statements, and for rows that
// a program hands over.
var notOfQueries = []string{"Feed", "Insert into …", "Overwrite …", "Overwrite … where …", "Delete from …", "Update …", "Merge into …", "Create table …",
	"Drop table …", "Show tables", "Describe …", "Explain", "Session", "check …: …", "when …: …"}

// clauses are words of queries that plans do not tell apart.
var clauses = []string{"DISTINCT ON", "WITH TIES", "LATERAL (", "LATERAL VIEW explode", "LATERAL VIEW OUTER", "LATERAL explode", "FILTER (", "UNION ALL", " UNION SELECT", "INTERSECT SELECT",
	"INTERSECT ALL", "EXCEPT SELECT", "EXCEPT ALL", "GROUPING SETS", "ROLLUP", "CUBE", "QUALIFY", "HAVING", "OFFSET", "RECURSIVE", "USING", "NOT IN", "ANY (SELECT", "ALL (SELECT",
	"NOT EXISTS", "SEMI JOIN", "ANTI JOIN", "NULLS FIRST", "NULLS LAST", "VALUES", "IGNORE NULLS", "WITHIN GROUP"}

var (
	framed = regexp.MustCompile(`(ROWS|RANGE|GROUPS) BETWEEN (UNBOUNDED PRECEDING|\d PRECEDING|CURRENT ROW|\d FOLLOWING) AND (\d PRECEDING|CURRENT ROW|\d FOLLOWING|UNBOUNDED FOLLOWING)`)
	number = regexp.MustCompile(`\d`)
)

// allClauses are clauses and all frames.
func allClauses() []string {
	out := slices.Clone(clauses)
	for _, unit := range []string{"ROWS", "RANGE", "GROUPS"} {
		for from := range bounds[:4] {
			for to := max(1, from); to < len(bounds); to++ {
				out = append(out, strings.ReplaceAll(unit+" BETWEEN "+bounds[from]+" AND "+bounds[to], "%d", "n"))
			}
		}
	}
	return out
}

// visit walks whatever a plan is made of, except for the tables.
func (c *coverage) visit(v reflect.Value, seen map[uintptr]bool) {
	switch v.Kind() {
	case reflect.Interface:
		if _, isTable := v.Interface().(plan.Source); !isTable {
			c.visit(v.Elem(), seen)
		}
	case reflect.Pointer:
		if v.IsNil() || seen[v.Pointer()] {
			return
		}
		seen[v.Pointer()] = true
		c.count(v.Interface())
		c.visit(v.Elem(), seen)
	case reflect.Slice:
		for i := range v.Len() {
			c.visit(v.Index(i), seen)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				c.visit(v.Field(i), seen)
			}
		}
	}
}

func (c *coverage) count(x any) {
	switch x := x.(type) {
	case *expr.Call:
		c.calls[x.Name]++
		c.types[x.T.Kind.String()]++
	case *expr.Column:
		c.types[x.T.Kind.String()]++
	case *expr.Cast:
		c.types[x.T.Kind.String()]++
	case *eval.WindowFunction:
		c.windows[x.Name]++
	case *eval.Aggregate:
		c.aggregates[x.Name]++
	case plan.Node:
		c.nodes[fmt.Sprintf("%T", x)[len("*plan."):]]++
		if j, ok := x.(*plan.Join); ok {
			c.nodes[j.Kind.String()+" join"]++
		}
	}
}

// report prints how much was reached of what there is, and what was not, and
// counts the latter.
func (c *coverage) report(w io.Writer) int {
	names := func(f *eval.Function, calls map[string]int) bool {
		return slices.ContainsFunc(append([]string{f.Name}, f.Aliases...), func(n string) bool { return calls[n] > 0 })
	}
	count, missed := map[string]int{}, map[string][]string{}
	tally := func(group, name string, reached bool) {
		if count[group]++; !reached {
			missed[group] = append(missed[group], name)
		}
	}
	for _, f := range eval.Functions() {
		group := "functions"
		if f.Operator {
			group = "operators"
		}
		tally(group, f.Name, names(f, c.calls))
	}
	for _, f := range eval.AggregateFunctions() {
		tally("aggregates", f.Name, names(f, c.aggregates))
	}
	for _, f := range eval.WindowFunctions() {
		tally("window functions", f.Name, names(f, c.windows))
	}
	for k := types.Boolean; k <= types.Variant; k++ {
		tally("types", k.String(), c.types[k.String()] > 0)
	}
	for _, t := range plan.Terms() {
		if !slices.Contains(notOfQueries, t.Line) {
			tally("words of EXPLAIN", t.Line, c.terms[t.Line] > 0)
		}
	}
	for _, clause := range allClauses() {
		tally("clauses", clause, c.clauses[clause] > 0)
	}
	total := 0
	for _, group := range []string{"operators", "functions", "aggregates", "window functions", "types", "words of EXPLAIN", "clauses"} {
		total += len(missed[group])
		fmt.Fprintf(w, "%s: %d of %d reached", group, count[group]-len(missed[group]), count[group])
		if len(missed[group]) > 0 {
			fmt.Fprintf(w, "; not %s", strings.Join(missed[group], ", "))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "plans:", counts(c.nodes))
	fmt.Fprintln(w, "lines of EXPLAIN:", counts(c.terms))
	fmt.Fprintln(w, "types:", counts(c.types))
	return total
}

// counts prints how often each was reached.
func counts(of map[string]int) string {
	var list []string
	for n, times := range of {
		list = append(list, fmt.Sprintf("%s %d", strings.Trim(n, " …"), times))
	}
	sort.Strings(list)
	return strings.Join(list, ", ")
}
