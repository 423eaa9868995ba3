package ast

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// String prints a node as SQL on one line. A statement, a query, an expression, a table expression or a type prints as text
// that parses to an Equal tree; the small nodes between these print as far as they have a text of their own.
func String(n Node) string {
	var p printer
	p.node(n)
	return p.String()
}

// printer collects the text.
type printer struct{ strings.Builder }

func (p *printer) node(n Node) {
	switch n := n.(type) {
	case Expr:
		p.expr(n, PrecLowest)
	case *Query:
		p.query(n)
	case Statement:
		p.statement(n)
	case QueryBody:
		p.body(n)
	case TableExpr:
		p.table(n)
	case AlterAction:
		p.alterAction(n)
	case *TypeName:
		p.typeName(n)
	case *Ident:
		p.ident(*n)
	case *OrderItem:
		p.orderItem(*n)
	case *SelectItem:
		p.selectItem(*n)
	case *ColumnDef:
		p.columnDef(*n)
	case *WindowSpec:
		p.window(n)
	case *TableConstraint:
		p.constraint(*n)
	default:
		p.w(fmt.Sprintf("<%T>", n)) // has a text as part of its parent only
	}
}

// w writes words with a blank between each two.
func (p *printer) w(words ...string) {
	for i, w := range words {
		if i > 0 {
			p.WriteByte(' ')
		}
		p.WriteString(w)
	}
}

// opt writes a text if it applies.
func (p *printer) opt(applies bool, text string) {
	if applies {
		p.WriteString(text)
	}
}

// list prints items with commas between them.
func list[T any](p *printer, items []T, print func(T)) {
	for i, item := range items {
		if i > 0 {
			p.w(", ")
		}
		print(item)
	}
}

// parens prints items in parentheses.
func parens[T any](p *printer, items []T, print func(T)) {
	p.w("(")
	list(p, items, print)
	p.w(")")
}

// clause prints an optional clause with an expression.
func (p *printer) clause(word string, e Expr) {
	if e != nil {
		p.w(word, "")
		p.expr(e, PrecLowest)
	}
}

// wrapped prints a word and an expression in parentheses.
func (p *printer) wrapped(word string, e Expr) {
	p.w(word + " (")
	p.expr(e, PrecLowest)
	p.w(")")
}

// text prints an optional clause with a string.
func (p *printer) text(word string, s *string) {
	if s != nil {
		p.w(word, quoteString(*s))
	}
}

func (p *printer) ident(id Ident) { p.w(QuoteIdent(id.Name)) }

func (p *printer) name(parts []Ident) {
	for i, part := range parts {
		if i > 0 {
			p.WriteByte('.')
		}
		p.ident(part)
	}
}

func (p *printer) alias(id *Ident) {
	if id != nil {
		p.w(" AS ")
		p.ident(*id)
	}
}

// aliasColumns prints AS alias(columns).
func (p *printer) aliasColumns(id *Ident, columns []Ident) {
	p.alias(id)
	if columns != nil {
		parens(p, columns, p.ident)
	}
}

func quoteString(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// QuoteIdent is a name as it must be written in SQL: in backticks where it is no plain word or would be read as something
// other than a name.
func QuoteIdent(name string) string {
	if isPlainWord(name) && !wordsToQuote[strings.ToUpper(name)] {
		return name
	}
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}

func isPlainWord(s string) bool {
	for i, r := range s {
		letter := r == '_' || unicode.IsLetter(r) && r != utf8.RuneError
		if !letter && (i == 0 || !unicode.IsDigit(r) && r != '$') {
			return false
		}
	}
	return s != ""
}

// wordsToQuote are the reserved words and those that mean something else at the start of an expression or a table.
var wordsToQuote = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`
		ALL AND AS BETWEEN CASE CREATE CROSS DISTINCT ELSE EXCEPT FROM GROUP HAVING ILIKE IN INNER INTERSECT INTO IS JOIN
		LATERAL LEFT LIKE LIMIT NATURAL NOT ON OR ORDER QUALIFY RIGHT RLIKE SELECT TABLE THEN UNION USING WHEN WHERE WITH
		ANY ARRAY CAST CURRENT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DEFAULT EXISTS EXTENDED EXTRACT FALSE
		FORMATTED INTERVAL LOCALTIMESTAMP NULL RECURSIVE ROW SOME STREAM SYMMETRIC TRUE TRY_CAST UNBOUNDED VALUES`) {
		words[w] = true
	}
	return words
}()
