package parser_test

import (
	"fmt"
	"strings"
)

// generator makes a statement of the oracle's subset; each byte of its data is a choice. When the data ends every choice is
// the first alternative, which is always the simplest.
type generator struct {
	data  []byte
	depth int
}

func generateStatement(data []byte) string {
	g := &generator{data: data}
	switch g.choose(8) {
	case 5:
		return "insert into " + g.tableName() + g.maybe(" (a, b)") + " " + g.insertSource()
	case 6:
		return "update " + g.tableName() + " set a = " + g.value() + ", b = " + g.value() + g.where()
	case 7:
		return "delete from " + g.tableName() + g.where()
	}
	return g.query()
}

func (g *generator) choose(n int) int {
	if len(g.data) == 0 {
		return 0
	}
	c := int(g.data[0])
	g.data = g.data[1:]
	return c % n
}

func (g *generator) pick(items ...string) string { return items[g.choose(len(items))] }

func (g *generator) maybe(s string) string { return g.pick("", s) }

// list makes one to three items.
func (g *generator) list(f func() string) string {
	items := []string{f()}
	for len(items) < 3 && g.choose(3) == 1 {
		items = append(items, f())
	}
	return strings.Join(items, ", ")
}

// deeper makes an item one level down, or the simple one where it is deep enough.
func (g *generator) deeper(simple string, f func() string) string {
	if g.depth > 5 {
		return simple
	}
	g.depth++
	s := f()
	g.depth--
	return s
}

func (g *generator) tableName() string { return g.pick("t", "u", "db.v", "`my table`") }

func (g *generator) column() string {
	return g.pick("a", "b", "t.c", "u.d", "`odd name`", "t.`e`")
}

func (g *generator) insertSource() string {
	if g.choose(3) == 1 {
		return g.selectBlock()
	}
	return "values (" + g.list(g.value) + "), (" + g.list(g.value) + ")"
}

func (g *generator) where() string {
	if g.choose(2) == 0 {
		return ""
	}
	return " where " + g.condition()
}

func (g *generator) query() string {
	switch g.choose(6) {
	case 4:
		return g.selectBlock() + g.pick(" union ", " union all ", " union distinct ") + g.selectBlock() + g.order()
	case 5:
		return "(" + g.selectBlock() + g.order() + ") union all (" + g.selectBlock() + ")" + g.order()
	}
	return g.selectBlock() + g.order()
}

func (g *generator) order() string {
	s := ""
	if g.choose(3) == 1 {
		s += " order by " + g.list(func() string { return g.value() + g.pick("", " asc", " desc") })
	}
	if g.choose(3) == 1 {
		s += fmt.Sprintf(" limit %d", g.choose(100)) + g.maybe(" offset 7")
	}
	return s
}

func (g *generator) selectBlock() string {
	s := "select " + g.pick("", "", "distinct ") + g.list(g.item) + " from " + g.list(g.from) + g.where()
	if g.choose(3) == 1 {
		s += " group by " + g.list(g.column)
		if g.choose(2) == 1 {
			s += " having " + g.condition()
		}
	}
	return s
}

func (g *generator) item() string {
	switch g.choose(6) {
	case 4:
		return "*"
	case 5:
		return "t.*"
	}
	return g.value() + g.pick("", "", " as x", " y")
}

func (g *generator) from() string {
	return g.deeper("t", func() string {
		left := g.tablePrimary()
		for g.choose(3) == 1 {
			switch g.choose(4) {
			case 0:
				left += g.pick(" join ", " inner join ", " left join ", " right outer join ") + g.tablePrimary() + " on " + g.condition()
			case 1:
				left += g.pick(" join ", " left join ") + g.tablePrimary() + " using (a, b)"
			case 2:
				left += " cross join " + g.tablePrimary()
			case 3:
				left += g.pick(" natural join ", " natural left join ") + g.tablePrimary()
			}
		}
		return left
	})
}

func (g *generator) tablePrimary() string {
	switch g.choose(6) {
	case 4:
		return "(" + g.deeper("select a from t", g.selectBlock) + ") as s"
	case 5:
		return g.tableName() + " as t"
	}
	return g.tableName()
}

// condition makes a boolean expression. Its comparisons have value operands, where both grammars agree on precedence.
func (g *generator) condition() string {
	return g.deeper("a = 1", func() string {
		switch g.choose(12) {
		case 1:
			return g.condition() + " and " + g.condition()
		case 2:
			return g.condition() + " or " + g.condition()
		case 3:
			return "not " + g.condition()
		case 4:
			return "(" + g.condition() + ")"
		case 5:
			return g.value() + g.maybe(" not") + " between " + g.value() + " and " + g.value()
		case 6:
			return g.value() + g.maybe(" not") + " in (" + g.list(g.value) + ")"
		case 7:
			return g.value() + g.maybe(" not") + " in (" + g.selectBlock() + ")"
		case 8:
			return g.value() + g.pick(" like ", " not like ", " regexp ", " not regexp ") + g.literal()
		case 9:
			return g.column() + g.pick(" is null", " is not null", " is true", " is not false")
		case 10:
			return "exists (" + g.selectBlock() + ")"
		case 11:
			return "(" + g.column() + ", b) = (" + g.value() + ", 2)"
		}
		return g.value() + g.pick(" = ", " <> ", " != ", " < ", " <= ", " > ", " >= ", " <=> ") + g.value()
	})
}

// value makes a scalar expression. Bitwise XOR binds tighter in MySQL and is left out.
func (g *generator) value() string {
	return g.deeper("1", func() string {
		switch g.choose(12) {
		case 4, 5:
			return g.value() + g.pick(" + ", " - ", " * ", " / ", " % ", " div ", " & ", " | ", " << ", " >> ") + g.value()
		case 6:
			return "(" + g.value() + ")"
		case 7:
			return g.pick("-", "~", "- ") + g.column()
		case 8:
			return g.pick("f", "coalesce", "sum", "max") + "(" + g.list(g.value) + ")"
		case 9:
			return g.pick("count(*)", "count(distinct a)", "now()")
		case 10:
			return "case " + g.pick("", "a ") + "when " + g.value() + " then " + g.value() + g.maybe(" else 0") + " end"
		case 11:
			return "(" + g.selectBlock() + ")"
		}
		return g.pick(g.column(), g.literal())
	})
}

func (g *generator) literal() string {
	return g.pick("1", "-2", "3.50", "-4.5", "'x'", "'it''s'", "null", "true", "FALSE", "'%y_'", "0")
}
