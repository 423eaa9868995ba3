package main

import (
	"fmt"
	"strings"
)

// text is a piece of SQL in two dialects.
type text struct {
	ours string
	duck string
	// opaque is ours with the columns of conditions hidden from statistics.
	opaque string
	// alone says that DuckDB has no counterpart.
	alone bool
}

// same is a piece that both dialects spell alike.
func same(s string) text { return text{ours: s, duck: s, opaque: s} }

// sqlf fills texts, strings and numbers into a format of both dialects.
func sqlf(format string, args ...any) text { return pair(format, format, args...) }

// pair fills the arguments into a format for each dialect.
func pair(ours, duck string, args ...any) text {
	var out text
	parts := [3][]any{}
	for _, a := range args {
		p := textOf(a)
		out.alone = out.alone || p.alone
		parts[0], parts[1], parts[2] = append(parts[0], p.ours), append(parts[1], p.duck), append(parts[2], p.opaque)
	}
	out.ours, out.duck, out.opaque = fmt.Sprintf(ours, parts[0]...), fmt.Sprintf(duck, parts[1]...), fmt.Sprintf(ours, parts[2]...)
	return out
}

func textOf(a any) text {
	switch a := a.(type) {
	case text:
		return a
	case value:
		return a.text
	case column:
		return a.text
	}
	return same(fmt.Sprint(a))
}

// fill replaces {1}, {2}, … in a template of each dialect.
func fill(ours, duck string, args []text) text {
	out := text{ours: ours, duck: duck, opaque: ours, alone: duck == ""}
	for i := len(args); i > 0; i-- {
		a, mark := args[i-1], fmt.Sprintf("{%d}", i)
		out.ours, out.opaque = strings.ReplaceAll(out.ours, mark, a.ours), strings.ReplaceAll(out.opaque, mark, a.opaque)
		out.duck = strings.ReplaceAll(out.duck, mark, a.duck)
		out.alone = out.alone || a.alone
	}
	return out
}

// join puts a separator between texts.
func join(list []text, separator string) text {
	var out text
	for i, t := range list {
		if i > 0 {
			out.ours, out.duck, out.opaque = out.ours+separator, out.duck+separator, out.opaque+separator
		}
		out.ours, out.duck, out.opaque = out.ours+t.ours, out.duck+t.duck, out.opaque+t.opaque
		out.alone = out.alone || t.alone
	}
	return out
}

// value is an expression.
type value struct {
	text
	kind kind
	// bound is the greatest magnitude of a number, as far as it is known.
	bound float64
	// from is the table of which it is a column, if it is.
	from string
}
