package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// condition is a condition on rows, in SQL and in Go.
type condition struct {
	sql   string
	holds func(key, row) bool
}

var always = condition{"true", func(key, row) bool { return true }}

func (c condition) and(d condition) condition {
	return condition{c.sql + " AND " + d.sql, func(k key, r row) bool { return c.holds(k, r) && d.holds(k, r) }}
}

// ofKey is the condition that a row has a key.
func ofKey(k key) condition {
	sql := fmt.Sprintf("a = %d AND b = %s", k.a, k.b)
	if k.b == null {
		sql = fmt.Sprintf("a = %d AND b IS NULL", k.a)
	}
	return condition{sql, func(other key, _ row) bool { return other == k }}
}

// number is the value of a literal of BIGINT.
func number(literal string) (int64, bool) {
	n, err := strconv.ParseInt(literal, 10, 64)
	return n, err == nil
}

// someCondition makes a condition that is true for some rows.
func (g *generator) someCondition() condition {
	c := g.oneCondition()
	if g.IntN(3) == 0 {
		c = c.and(g.oneCondition())
	}
	return c
}

func (g *generator) oneCondition() condition {
	switch n := g.IntN(mostA); g.IntN(8) {
	case 0:
		return condition{fmt.Sprintf("a < %d", n/3), func(k key, _ row) bool { return k.a < n/3 }}
	case 1:
		return condition{fmt.Sprintf("a BETWEEN %d AND %d", n, n+3), func(k key, _ row) bool { return n <= k.a && k.a <= n+3 }}
	case 2:
		b := pick(g, g.texts)
		if b == null {
			return condition{"b IS NULL", func(k key, _ row) bool { return k.b == null }}
		}
		return condition{"b = " + b, func(k key, _ row) bool { return k.b == b }}
	case 3:
		m := int64(2 + n%5)
		return condition{fmt.Sprintf("v %% %d = 0", m), func(_ key, r row) bool { v, ok := number(r.v); return ok && v%m == 0 }}
	case 4:
		day := g.day()
		if day == null {
			return condition{"day IS NULL", func(_ key, r row) bool { return r.day == null }}
		}
		return condition{"day >= " + day, func(_ key, r row) bool { return r.day != null && text(r.day) >= text(day) }}
	case 5:
		return condition{fmt.Sprintf("(a IN (%d, %d) OR v IS NULL)", n, n/2), func(k key, r row) bool { return k.a == n || k.a == n/2 || r.v == null }}
	case 6:
		return condition{fmt.Sprintf("s LIKE '%d%%'", n%10), func(_ key, r row) bool { return r.s != null && strings.HasPrefix(text(r.s), strconv.Itoa(n%10)) }}
	}
	return ofKey(g.key())
}

func pick[T any](r interface{ IntN(int) int }, from []T) T { return from[r.IntN(len(from))] }

// generator makes random values. Its sequence is the seed's.
type generator struct {
	*rand.Rand
	texts []string // the second parts of keys, literals of SQL
	next  int      // makes texts that no other row has
}

// mostA bounds the first part of keys, which are few so that statements meet.
const mostA = 30

func (g *generator) key() key { return key{g.IntN(mostA), pick(g, g.texts)} }

func (g *generator) day() string {
	if g.IntN(6) == 0 {
		return null
	}
	return fmt.Sprintf("DATE '20%02d-%02d-%02d'", 20+g.IntN(3), 1+g.IntN(12), 1+g.IntN(28))
}

func (g *generator) row() row {
	g.next++
	r := row{v: strconv.Itoa(g.IntN(2000) - 1000), s: fmt.Sprintf("'%d'", g.next), day: g.day()}
	if g.IntN(7) == 0 {
		r.v = null
	}
	if g.IntN(9) == 0 {
		r.s = null
	}
	return r
}
