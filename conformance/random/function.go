package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// template is a line of functions.txt.
type template struct {
	result kind
	bound  float64
	rough  bool // engines differ in the last digits
	ours   string
	duck   string // empty if there is no counterpart
	params []string
	needs  byte // of a window function, what windows.txt says
}

//go:embed functions.txt
var functionLines string

var templates = parseTemplates(functionLines)

var placeholder = regexp.MustCompile(`\{([a-zA-Z0-9'][^{}"]*)\}`)

// parseTemplates reads lines such as
//
//	i32<100 | length({str}) | =
//	~f64    | ln({tame})    | ln({1})
//
// of a result, our spelling and DuckDB's: = where it is ours, - where there is
// none. ~ marks results that differ in the last digits; < gives a bound of a
// result or parameter.
func parseTemplates(lines string) map[kind][]template {
	out := map[kind][]template{}
	for _, line := range strings.Split(lines, "\n") {
		cells := strings.Split(line, " | ")
		if strings.HasPrefix(line, "#") || len(cells) < 3 {
			continue
		}
		result, rough := strings.CutPrefix(strings.TrimSpace(cells[0]), "~")
		t := template{rough: rough, duck: strings.TrimSpace(cells[2])}
		t.result, t.bound = parseKind(result)
		t.ours = placeholder.ReplaceAllStringFunc(strings.TrimSpace(cells[1]), func(m string) string {
			if _, err := strconv.Atoi(strings.Trim(m, "{}")); err == nil {
				return m // the same again
			}
			t.params = append(t.params, strings.Trim(m, "{}"))
			return fmt.Sprintf("{%d}", len(t.params))
		})
		switch t.duck {
		case "=":
			t.duck = t.ours
		case "-":
			t.duck = ""
		}
		if numeric(t.result) && t.duck != "" {
			t.duck = "CAST(" + t.duck + " AS " + typeNames[t.result].duck + ")"
		}
		out[t.result] = append(out[t.result], t)
	}
	return out
}

// parseKind reads a kind and its bound.
func parseKind(s string) (kind, float64) {
	name, limit, bounded := strings.Cut(s, "<")
	k := kind(name)
	if !bounded {
		return k, k.most()
	}
	n, err := strconv.ParseFloat(limit, 64)
	if err != nil {
		panic(err)
	}
	return k, n
}

// call draws a call of a function with a result of the kind.
func (g *gen) call(k kind, depth int) (value, bool) {
	list := templates[k]
	if k == f64 && g.chance(30) {
		list = templates[tame]
	}
	if len(list) == 0 {
		return value{}, false
	}
	t := pick(g, list)
	if !g.allows(t) {
		return value{}, false
	}
	v := g.filled(t, depth-1)
	v.kind = k // or tame, of which every value is one of k
	return v, true
}

// allows reports whether a template may be used where the generator is.
func (g *gen) allows(t template) bool {
	if t.rough && g.exact || g.paired && t.duck == "" {
		return false
	}
	if slices.Contains(t.params, rowKeys) {
		_, total := g.totalOrder()
		return total
	}
	return true
}

// filled draws the arguments of a template.
func (g *gen) filled(t template, depth int) value {
	args := make([]text, len(t.params))
	for i, p := range t.params {
		args[i] = g.argument(p, depth)
	}
	return value{text: fill(t.ours, t.duck, args), kind: t.result, bound: t.bound}
}

// argument draws what stands for a placeholder: a number from a range such as
// n1..5, a word of a list such as a|b, a lambda function, or an expression of a
// kind.
func (g *gen) argument(p string, depth int) text {
	var from, to int
	if n, _ := fmt.Sscanf(p, "n%d..%d", &from, &to); n == 2 {
		return same(fmt.Sprint(from + g.Intn(to-from+1)))
	}
	if strings.Contains(p, arrow) {
		return g.lambda(p, depth)
	}
	if strings.Contains(p, "|") {
		return same(pick(g, strings.Split(p, "|")))
	}
	switch p {
	case "re":
		return same("'" + pick(g, []string{"a", "^a", "[0-9]+", "b.*c", "(a|b)c?", "x?", "[a-c]{1,2}", "b$", "."}) + "'")
	case "sortable":
		return g.expr(g.sortable(), depth).text
	case "ordered":
		return g.expr(g.ordered(), depth).text
	case "any":
		return g.expr(g.some(), depth).text
	case rowKeys:
		keys, _ := g.totalOrder()
		return join(keys, ", ")
	case "scalar":
		return g.expr(pick(g, scalars), depth).text
	}
	k, bound := parseKind(p)
	v := g.expr(k, depth)
	return g.below(v, bound).text
}

// sortTemplates gives them an order of their own, for maps have none.
func sortTemplates(list []template) {
	slices.SortFunc(list, func(a, b template) int {
		return cmp.Or(strings.Compare(string(a.result)+a.ours, string(b.result)+b.ours), slices.Compare(a.params, b.params))
	})
}
