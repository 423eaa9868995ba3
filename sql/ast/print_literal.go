package ast

import (
	"encoding/hex"
	"strconv"
	"strings"
)

func (p *printer) leaf(e Expr) {
	switch e := e.(type) {
	case *Literal:
		p.literal(e)
	case *Interval:
		p.interval(e)
	case *ColumnRef:
		p.name(e.Parts)
	case *Star:
		p.star(e)
	case *Param:
		switch e.Style {
		case DollarParam:
			p.w("$" + strconv.Itoa(e.Ordinal))
		case ColonParam:
			p.w(":" + e.Name)
		case AtParam:
			p.w("@" + e.Name)
		default:
			p.w("?")
		}
	case *Default:
		p.w("DEFAULT")
	}
}

// literal prints a constant so that its kind is read again: 1D is no integer and 10BD no integer either.
func (p *printer) literal(e *Literal) {
	switch e.Kind {
	case NullLiteral:
		p.w("NULL")
	case BoolLiteral, IntegerLiteral:
		p.w(e.Text)
	case TinyIntLiteral:
		p.w(e.Text + "Y")
	case SmallIntLiteral:
		p.w(e.Text + "S")
	case BigIntLiteral:
		p.w(e.Text + "L")
	case FloatLiteral:
		p.w(e.Text + "F")
	case DecimalLiteral:
		p.w(e.Text)
		p.opt(!strings.Contains(e.Text, ".") || strings.ContainsAny(e.Text, "eE"), "BD")
	case DoubleLiteral:
		p.w(e.Text)
		p.opt(!strings.ContainsAny(e.Text, "eE"), "D")
	case StringLiteral:
		p.w(quoteString(e.Text))
	case BinaryLiteral:
		p.w("X'" + strings.ToUpper(hex.EncodeToString([]byte(e.Text))) + "'")
	default:
		p.w(typedLiteralWords[e.Kind], quoteString(e.Text))
	}
}

var typedLiteralWords = map[LiteralKind]string{
	DateLiteral: "DATE", TimeLiteral: "TIME", TimestampLiteral: "TIMESTAMP",
	TimestampNTZLiteral: "TIMESTAMP_NTZ", TimestampLTZLiteral: "TIMESTAMP_LTZ",
}

func (p *printer) interval(e *Interval) {
	p.w("INTERVAL")
	for _, part := range e.Parts {
		p.w(" ")
		p.intervalValue(part.Value)
		if part.Unit != "" {
			p.w("", part.Unit)
		}
	}
	if e.To != "" {
		p.w(" TO", e.To)
	}
}

// intervalValue puts anything but a constant or a parameter in parentheses.
func (p *printer) intervalValue(e Expr) {
	switch v := e.(type) {
	case *Param:
		p.leaf(e)
		return
	case *Literal:
		if v.Kind.isNumber() || v.Kind == StringLiteral {
			p.leaf(e)
			return
		}
	case *Unary:
		if l, ok := v.Expr.(*Literal); ok && v.Op == OpNeg && l.Kind == StringLiteral {
			p.w("-")
			p.leaf(l)
			return
		}
	}
	p.w("(")
	p.expr(e, PrecLowest)
	p.w(")")
}

func (k LiteralKind) isNumber() bool { return IntegerLiteral <= k && k <= DoubleLiteral }
