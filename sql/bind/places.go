package bind

import (
	"errors"
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// maxPlaces bounds how many expressions of a statement Places remembers.
const maxPlaces = 1000

// Places remembers where expressions of a statement were written, for the errors
// about values that come when it runs. The zero value is ready for use.
type Places struct {
	text  string
	env   *eval.Env
	exprs []placedExpr // inner ones before those around them
}

type placedExpr struct {
	e   expr.Expr
	pos ast.Pos
}

// remember notes expressions that were bound, but for literals, which give no
// errors.
func (b *binder) remember(at ast.Node, exprs ...expr.Expr) {
	for _, e := range exprs {
		if _, isLiteral := e.(*expr.Literal); !isLiteral && b.Places != nil && len(b.Places.exprs) < maxPlaces {
			b.Places.exprs = append(b.Places.exprs, placedExpr{e, at.Pos()})
		}
	}
}

// Locate gives an error about a value its place in the text where that is
// certain: a constant that has this error, or the only cast between two types.
func (p *Places) Locate(err error) error {
	var placed *Error
	if !errors.Is(err, eval.ErrInvalidValue) || errors.As(err, &placed) {
		return err
	}
	s := &placeSearch{env: p.env, err: err, constant: map[expr.Expr]bool{}}
	s.from, s.to, s.isCast = eval.FailedCast(err)
	for _, x := range p.exprs {
		s.pos = x.pos
		if s.visit(x.e) {
			return placedAt(p.text, x.pos, err)
		}
	}
	if len(s.casts) != 1 || len(p.exprs) == maxPlaces {
		return err
	}
	return placedAt(p.text, s.casts[0], err)
}

// placeSearch looks through expressions for what gave an error.
type placeSearch struct {
	env      *eval.Env
	err      error
	isCast   bool // err is that of a cast
	from, to types.Type
	constant map[expr.Expr]bool // of the expressions seen, whether they read no row
	pos      ast.Pos            // of the expression at hand
	casts    []ast.Pos          // of casts of rows between the types, each once
}

// visit reports whether a constant part of e gives the error, and collects casts.
func (s *placeSearch) visit(e expr.Expr) bool {
	if _, seen := s.constant[e]; seen {
		return false
	}
	_, isLiteral := e.(*expr.Literal)
	children := e.Children()
	constant := isLiteral || len(children) > 0
	for _, c := range children {
		if s.visit(c) {
			return true
		}
		constant = constant && s.constant[c]
	}
	s.constant[e] = constant
	if constant && !isLiteral {
		_, err := eval.EvalConstant(e, s.env)
		return err != nil && strings.HasSuffix(s.err.Error(), err.Error())
	}
	c, ok := e.(*expr.Cast)
	if ok && !c.Try && s.isCast && c.T.Equal(s.to) && c.Arg.Type().Equal(s.from) && !slices.Contains(s.casts, s.pos) {
		s.casts = append(s.casts, s.pos)
	}
	return false
}
