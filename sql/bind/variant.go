package bind

import (
	"strings"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/parser"
	"github.com/tarndb/tarn/sql/types"
)

// variantGet binds variant_get with the name of a type, which is a cast of what
// is found.
func (b *binder) variantGet(e *ast.Call, name string, c exprContext) (expr.Expr, error) {
	l, ok := e.Args[2].(*ast.Literal)
	if !ok || l.Kind != ast.StringLiteral {
		return nil, b.errorAt(e.Args[2], eval.ErrTypeMismatch, "the third argument of %s is a type as a text, such as 'int'", name)
	}
	found, err := b.resolve(e, name, c, e.Args[:2]...)
	if err != nil {
		return nil, err
	}
	n, err := parser.ParseType(l.Text)
	if err != nil {
		return nil, b.errorAt(l, eval.ErrTypeMismatch, "%q is no type", l.Text)
	}
	t, err := b.typeName(n)
	if err != nil {
		return nil, err
	}
	return b.newCast(e, found, t, name == "try_variant_get")
}

// variantPath binds v:a.b[0], which is variant_get with the path.
func (b *binder) variantPath(e *ast.JSONPath, c exprContext) (expr.Expr, error) {
	in, err := b.bindExpr(e.Expr, c)
	if err != nil {
		return nil, err
	}
	if t := in.Type(); t.Kind != types.Variant {
		return nil, b.errorAt(e, eval.ErrTypeMismatch, "a path with a colon leads into a VARIANT, not into %s; see get_json_object", t)
	}
	path := "$"
	for _, s := range e.Steps {
		switch l, ok := s.Index.(*ast.Literal); {
		case s.Name != nil && strings.ContainsAny(s.Name.Name, ".['"):
			path += `["` + s.Name.Name + `"]`
		case s.Name != nil:
			path += "." + s.Name.Name
		case ok && l.Kind == ast.StringLiteral:
			path += `["` + l.Text + `"]`
		case ok && l.Kind == ast.IntegerLiteral:
			path += "[" + l.Text + "]"
		default:
			return nil, b.errorAt(e, eval.ErrTypeMismatch, "a subscript of a path with a colon is a number or a text; see variant_get")
		}
	}
	out, err := eval.Resolve("variant_get", []expr.Expr{in, &expr.Literal{T: types.Of(types.String), Value: path}})
	return out, b.wrapAt(e.Pos(), err)
}
