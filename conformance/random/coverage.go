package main

import (
	"fmt"
	"io"
	"reflect"
	"regexp"
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
}

func newCoverage() *coverage {
	return &coverage{calls: map[string]int{}, aggregates: map[string]int{}, windows: map[string]int{}, types: map[string]int{}, nodes: map[string]int{}}
}

var called = regexp.MustCompile(`\b([a-z_0-9]+)\(`)

// add counts the nodes, calls and types of a plan, and the names that its text
// calls, of which constants are folded when it is bound.
func (c *coverage) add(n plan.Node, text string) {
	for _, m := range called.FindAllStringSubmatch(text, -1) {
		c.calls[m[1]]++
	}
	c.visit(reflect.ValueOf(n), map[uintptr]bool{})
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

// report prints how much was reached of what there is, and what was not.
func (c *coverage) report(w io.Writer) {
	var operators, functions, aggregates, windows, kinds []string
	names := func(f *eval.Function, of ...map[string]int) bool {
		for _, n := range append([]string{f.Name}, f.Aliases...) {
			for _, calls := range of {
				if calls[n] > 0 {
					return true
				}
			}
		}
		return false
	}
	count := map[string]int{}
	for _, f := range eval.Functions() {
		group, list := "functions", &functions
		if f.Operator {
			group, list = "operators", &operators
		}
		if count[group]++; !names(f, c.calls) {
			*list = append(*list, f.Name)
		}
	}
	for _, f := range eval.AggregateFunctions() {
		if count["aggregates"]++; !names(f, c.aggregates) {
			aggregates = append(aggregates, f.Name)
		}
	}
	for _, f := range eval.WindowFunctions() {
		if count["window functions"]++; !names(f, c.windows) {
			windows = append(windows, f.Name)
		}
	}
	for k := types.Boolean; k <= types.Variant; k++ {
		if count["types"]++; c.types[k.String()] == 0 {
			kinds = append(kinds, k.String())
		}
	}
	for _, g := range []struct {
		name   string
		missed []string
	}{{"operators", operators}, {"functions", functions}, {"aggregates", aggregates}, {"window functions", windows}, {"types", kinds}} {
		fmt.Fprintf(w, "%s: %d of %d reached", g.name, count[g.name]-len(g.missed), count[g.name])
		if len(g.missed) > 0 {
			fmt.Fprintf(w, "; not %s", strings.Join(g.missed, " "))
		}
		fmt.Fprintln(w)
	}
	var nodes []string
	for n, times := range c.nodes {
		nodes = append(nodes, fmt.Sprintf("%s %d", n, times))
	}
	sort.Strings(nodes)
	fmt.Fprintln(w, "plans:", strings.Join(nodes, ", "))
}
