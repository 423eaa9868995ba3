package parser

import (
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tarndb/tarn/sql/ast"
)

// atString tells whether a character string stands here; X'…' is none.
func (p *parser) atString() bool { return p.isString(p.tok) }

func (p *parser) isString(t token) bool { return t.kind == tokString && p.src[t.pos]|0x20 != 'x' }

// stringLiteral reads a string, or several in a row, which are one.
func (p *parser) stringLiteral() *ast.Literal {
	n := &ast.Literal{Loc: p.loc(), Kind: ast.StringLiteral, Text: p.unquoteString(p.tok)}
	p.next()
	if !p.atString() {
		return n
	}
	var b strings.Builder
	b.WriteString(n.Text)
	for p.atString() {
		b.WriteString(p.unquoteString(p.tok))
		p.next()
	}
	n.Text = b.String()
	return n
}

// binaryLiteral reads X'…'.
func (p *parser) binaryLiteral() *ast.Literal {
	n := &ast.Literal{Loc: p.loc(), Kind: ast.BinaryLiteral}
	s := p.text(p.tok)
	bytes, err := hex.DecodeString(s[2 : len(s)-1])
	if err != nil {
		p.failWith(p.tok, "a binary literal needs an even number of hexadecimal digits: "+shorten(s))
	}
	n.Text = string(bytes)
	p.next()
	return n
}

// unquoteString answers the value of '…', r'…' or E'…'.
func (p *parser) unquoteString(t token) string {
	s := p.text(t)
	switch s[0] | 0x20 {
	case 'e':
		return p.unescape(t, s[2:len(s)-1])
	case 'r':
		s = s[1:]
	}
	s = s[1 : len(s)-1]
	if strings.IndexByte(s, '\'') < 0 {
		return s
	}
	return strings.ReplaceAll(s, "''", "'")
}

// simpleEscapes are the one-letter escapes of E'…'.
var simpleEscapes = map[byte]byte{
	'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', '0': 0, '\\': '\\', '\'': '\'', '"': '"',
}

// unescape resolves the escapes of E'…'. An unknown one is an error: dropping its backslash would change a pattern in
// silence.
func (p *parser) unescape(t token, s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\'':
			b.WriteByte('\'')
			i++ // the second of two
		case s[i] != '\\':
			b.WriteByte(s[i])
		default:
			i++
			i += p.unescapeOne(t, &b, s[i:]) - 1
		}
	}
	return b.String()
}

// unescapeOne resolves the escape whose text after the backslash begins s and answers its length.
func (p *parser) unescapeOne(t token, b *strings.Builder, s string) int {
	if c, ok := simpleEscapes[s[0]]; ok {
		b.WriteByte(c)
		return 1
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]
	if digits == 0 {
		p.failWith(t, "unknown escape \\"+string([]rune(s)[0])+" in "+shorten(p.text(t)))
	}
	if len(s) > digits {
		if r, err := strconv.ParseUint(s[1:1+digits], 16, 32); err == nil && r <= utf8.MaxRune && utf8.ValidRune(rune(r)) {
			b.WriteRune(rune(r))
			return 1 + digits
		}
	}
	p.failWith(t, "invalid escape \\"+s[:1]+" in "+shorten(p.text(t)))
	return 0
}

// numberLiteral reads a number; negative says that a minus before it was read.
func (p *parser) numberLiteral(loc ast.Loc, negative bool) *ast.Literal {
	s := strings.ReplaceAll(p.text(p.tok), "_", "")
	n := &ast.Literal{Loc: loc, Kind: ast.IntegerLiteral}
	switch cut := len(s) - suffixLength(s[len(s)-1:]); s[cut:] {
	case "L", "l":
		n.Kind, s = ast.BigIntLiteral, s[:cut]
	case "S", "s":
		n.Kind, s = ast.SmallIntLiteral, s[:cut]
	case "Y", "y":
		n.Kind, s = ast.TinyIntLiteral, s[:cut]
	case "F", "f":
		n.Kind, s = ast.FloatLiteral, s[:cut]
	case "D", "d":
		n.Kind, s = ast.DoubleLiteral, s[:cut]
		if strings.HasSuffix(strings.ToUpper(s), "B") {
			n.Kind, s = ast.DecimalLiteral, s[:cut-1]
		}
	default:
		if strings.ContainsAny(s, "eE") {
			n.Kind = ast.DoubleLiteral
		} else if strings.IndexByte(s, '.') >= 0 {
			n.Kind = ast.DecimalLiteral
		}
	}
	p.checkIntegral(n.Kind, s)
	if negative {
		s = "-" + s
	}
	n.Text = s
	p.next()
	return n
}

func (p *parser) checkIntegral(kind ast.LiteralKind, digits string) {
	switch kind {
	case ast.BigIntLiteral, ast.SmallIntLiteral, ast.TinyIntLiteral:
		if strings.ContainsAny(digits, ".eE") {
			p.failWith(p.tok, "invalid number "+shorten(p.text(p.tok)))
		}
	}
}

// typedLiterals are the type names that make the string after them a literal of the type.
var typedLiterals = map[string]ast.LiteralKind{
	"DATE": ast.DateLiteral, "TIME": ast.TimeLiteral, "TIMESTAMP": ast.TimestampLiteral,
	"TIMESTAMP_NTZ": ast.TimestampNTZLiteral, "TIMESTAMP_LTZ": ast.TimestampLTZLiteral,
}

// typedLiteral reads DATE '…' and its like.
func (p *parser) typedLiteral(kind ast.LiteralKind) *ast.Literal {
	loc := p.loc()
	p.next()
	n := &ast.Literal{Loc: loc, Kind: kind, Text: p.unquoteString(p.tok)}
	p.next()
	return n
}

// intervalUnits maps each spelling of a unit to its canonical one.
var intervalUnits = func() map[string]string {
	units := map[string]string{}
	for _, u := range []string{"YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND",
		"MILLISECOND", "MICROSECOND", "NANOSECOND"} {
		units[u], units[u+"S"] = u, u
	}
	return units
}()

// unitOf is the interval unit that the token names, or "".
func (p *parser) unitOf(t token) string {
	if t.kind != tokWord || t.end-t.pos > 12 {
		return ""
	}
	return intervalUnits[strings.ToUpper(p.text(t))]
}

// atInterval tells the literal INTERVAL … from a column of that name.
func (p *parser) atInterval() bool {
	n := p.peek(1)
	switch {
	case p.isString(n) || n.kind == tokNumber || p.isOp(n, "?") || p.isOp(n, "("):
		return true
	case n.kind == tokWord:
		return isDollarParam(p.text(n))
	case p.isOp(n, "-") || p.isOp(n, "+"):
		return (p.peek(2).kind == tokNumber || p.isString(p.peek(2))) && p.unitOf(p.peek(3)) != ""
	case p.isOp(n, ":") || p.isOp(n, "@"):
		return p.peek(2).kind == tokWord && p.unitOf(p.peek(3)) != ""
	}
	return false
}

// interval reads an interval literal. A leading field precision, `day (3)`, is accepted and has no effect.
func (p *parser) interval() *ast.Interval {
	n := &ast.Interval{Loc: p.loc()}
	p.next()
	n.Parts = append(n.Parts, p.intervalPart())
	if n.Parts[0].Unit != "" && p.at("TO") && p.unitOf(p.peek(1)) != "" {
		p.next()
		n.To = p.unitOf(p.tok)
		p.next()
		p.fieldPrecision()
		return n
	}
	for n.Parts[0].Unit != "" && p.atIntervalPart() {
		n.Parts = append(n.Parts, p.intervalPart())
	}
	return n
}

// atIntervalPart tells whether a further value with a unit follows.
func (p *parser) atIntervalPart() bool {
	value := 0
	if p.atOp("-") || p.atOp("+") {
		value = 1
	}
	n := p.peek(value)
	return (n.kind == tokNumber || p.isString(n)) && p.unitOf(p.peek(value+1)) != ""
}

func (p *parser) intervalPart() ast.IntervalPart {
	part := ast.IntervalPart{Loc: p.loc(), Value: p.intervalValue()}
	if part.Unit = p.unitOf(p.tok); part.Unit != "" {
		p.next()
		p.fieldPrecision()
	} else if l, ok := part.Value.(*ast.Literal); !ok || l.Kind != ast.StringLiteral {
		p.fail("a unit such as DAY")
	}
	return part
}

func (p *parser) intervalValue() ast.Expr {
	loc := p.loc()
	switch negative := p.atOp("-"); {
	case negative || p.atOp("+"):
		p.next()
		if p.tok.kind == tokNumber {
			return p.numberLiteral(loc, negative)
		}
		s := p.unquoteString(p.tok)
		if negative {
			return &ast.Unary{Loc: loc, Op: ast.OpNeg, Expr: p.stringOnly(s)}
		}
		return p.stringOnly(s)
	case p.tok.kind == tokNumber:
		return p.numberLiteral(loc, false)
	case p.atString():
		return p.stringOnly(p.unquoteString(p.tok))
	case p.atParam():
		return p.param()
	}
	p.expectOp("(")
	e := p.expr()
	p.expectOp(")")
	return e
}

// stringOnly reads one string and doesn't join it with the next, which may be the value of a further part.
func (p *parser) stringOnly(value string) *ast.Literal {
	n := &ast.Literal{Loc: p.loc(), Kind: ast.StringLiteral, Text: value}
	p.next()
	return n
}

func (p *parser) fieldPrecision() {
	if p.atOp("(") && p.peek(1).kind == tokNumber && p.isOp(p.peek(2), ")") {
		p.next()
		p.next()
		p.next()
	}
}
