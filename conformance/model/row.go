package main

import (
	"fmt"
	"sort"
	"strings"
)

// key is the key of a row; NULL is a value of b as any other.
type key struct {
	a int
	b string // a literal of SQL
}

// row is what a row has besides its key, as literals of SQL.
type row struct {
	v, s, day string
}

// null is the literal of NULL.
const null = "NULL"

// rows is the model of a table. The maps that a transaction begins or a savepoint
// keeps are copies.
type rows map[key]row

func (r rows) clone() rows {
	out := make(rows, len(r))
	for k, v := range r {
		out[k] = v
	}
	return out
}

// line is a row as text, in the order of the table's columns.
func line(k key, r row) string {
	return strings.Join([]string{fmt.Sprint(k.a), text(k.b), text(r.v), text(r.s), text(r.day)}, "|")
}

// text is the value of a literal.
func text(literal string) string {
	literal = strings.TrimPrefix(literal, "DATE ")
	return strings.ReplaceAll(strings.Trim(literal, "'"), "''", "'")
}

// lines are the rows that satisfy a condition, sorted.
func (r rows) lines(c condition) []string {
	out := make([]string, 0, len(r))
	for k, v := range r {
		if c.holds(k, v) {
			out = append(out, line(k, v))
		}
	}
	sort.Strings(out)
	return out
}

// keys are the keys in order, so that a seed gives the same choice each time.
func (r rows) keys() []key {
	out := make([]key, 0, len(r))
	for k := range r {
		out = append(out, k)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].a < out[j].a || out[i].a == out[j].a && out[i].b < out[j].b })
	return out
}
