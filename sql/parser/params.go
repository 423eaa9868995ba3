package parser

import (
	"strconv"

	"github.com/tarndb/tarn/sql/ast"
)

// params collects the parameters of one statement.
type params struct {
	style ast.ParamStyle
	count int
	names []string
	index map[string]int // name -> ordinal
}

// maxOrdinal bounds the n of $n, so that a typing error doesn't ask for a billion arguments.
const maxOrdinal = 65_535

// atParam tells whether a parameter starts at the token. A colon or an at sign starts one only where an operand may stand
// and when its name follows at once; the caller knows the former.
func (p *parser) atParam() bool {
	switch {
	case p.atOp("?"):
		return true
	case p.atOp(":") || p.atOp("@"):
		n := p.peek(1)
		return n.kind == tokWord && n.pos == p.tok.end && p.src[n.pos] != '$'
	}
	return p.tok.kind == tokWord && isDollarParam(p.text(p.tok))
}

// isDollarParam tells $1 from the identifier $partition.
func isDollarParam(word string) bool {
	return len(word) > 1 && word[0] == '$' && digitsEnd(word, 1) == len(word)
}

// param reads the parameter at the token.
func (p *parser) param() *ast.Param {
	start := p.tok
	n := &ast.Param{Loc: p.loc()}
	switch {
	case p.acceptOp("?"):
		n.Style, n.Ordinal = ast.QuestionParam, p.params.count+1
	case p.acceptOp(":"):
		n.Style, n.Name = ast.ColonParam, p.text(p.tok)
		p.next()
	case p.acceptOp("@"):
		n.Style, n.Name = ast.AtParam, p.text(p.tok)
		p.next()
	default:
		n.Style, n.Ordinal = ast.DollarParam, p.dollarOrdinal()
		p.next()
	}
	if p.params.style != ast.NoParams && p.params.style != n.Style {
		p.failWith(start, "parameters of different styles in one statement: "+
			styleNames[p.params.style]+" and "+styleNames[n.Style])
	}
	p.params.style = n.Style
	if n.Name != "" {
		n.Ordinal = p.params.named(n.Name)
	}
	p.params.count = max(p.params.count, n.Ordinal)
	return n
}

func (p *parser) dollarOrdinal() int {
	ordinal, err := strconv.Atoi(p.text(p.tok)[1:])
	if err != nil || ordinal < 1 || ordinal > maxOrdinal {
		p.failWith(p.tok, "parameter number out of range: "+shorten(p.text(p.tok)))
	}
	return ordinal
}

var styleNames = map[ast.ParamStyle]string{
	ast.QuestionParam: "?", ast.DollarParam: "$n", ast.ColonParam: ":name", ast.AtParam: "@name",
}

// named is the ordinal of a named parameter. Names compare by case, as those of database/sql do.
func (ps *params) named(name string) int {
	if ordinal, ok := ps.index[name]; ok {
		return ordinal
	}
	if ps.index == nil {
		ps.index = map[string]int{}
	}
	ps.names = append(ps.names, name)
	ps.index[name] = len(ps.names)
	return len(ps.names)
}
