package bind

import (
	"fmt"
	"strings"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// Arg is the value of a parameter.
type Arg struct {
	Name  string // of :name and @name; empty for the other styles
	Type  types.Type
	Value any // as vector.Vector.Value gives values; of a time.Time types.EncodeMoment
}

// argIndex finds the argument of a parameter.
func (b *binder) argIndex(p *ast.Param) (int, error) {
	if p.Style == ast.ColonParam || p.Style == ast.AtParam {
		for i, a := range b.Args {
			if strings.EqualFold(a.Name, p.Name) {
				return i, nil
			}
		}
		return 0, b.errorAt(p, ErrParameter, "no argument is named %q; use sql.Named(%q, value)", p.Name, p.Name)
	}
	if p.Ordinal < 1 || p.Ordinal > len(b.Args) {
		return 0, b.errorAt(p, ErrParameter, "parameter %d has no argument: %d given", p.Ordinal, len(b.Args))
	}
	return p.Ordinal - 1, nil
}

// param puts an argument in the place of a parameter.
func (b *binder) param(p *ast.Param) (expr.Expr, error) {
	i, err := b.argIndex(p)
	if err != nil {
		return nil, err
	}
	l := &expr.Literal{T: b.Args[i].Type, Value: b.Args[i].Value}
	if l.T.Holds(types.Moment) {
		if l, err = b.moments.literal(p, *l, b.Env); err != nil {
			return nil, b.wrapAt(p.Pos(), err)
		}
	}
	if b.bound == nil {
		b.bound = map[*expr.Literal]Arg{}
	}
	b.bound[l] = b.Args[i]
	return l, nil
}

// narrowArgs takes the program's whole numbers, which are BIGINT, as INT where
// they fit it; ok is false if there are none.
func (b *binder) narrowArgs(operands []expr.Expr) (out []expr.Expr, ok bool) {
	out = append(out, operands...)
	for i, e := range operands {
		l, _ := e.(*expr.Literal)
		if _, arg := b.bound[l]; !arg || l.T.Kind != types.BigInt {
			continue
		}
		if v, whole := l.Value.(int64); whole && v == int64(int32(v)) {
			out[i], ok = &expr.Literal{T: types.Of(types.Int), Value: v}, true
		}
	}
	return out, ok
}

// MatchFields gives an argument's structs the fields of the type that they are
// stored as: by name, a missing one as NULL. A field that the type lacks is an
// error.
func MatchFields(l *expr.Literal, to types.Type) (*expr.Literal, error) {
	if l.Value == nil || !l.T.IsNested() || l.T.Kind != to.Kind {
		return l, nil
	}
	t, v, err := matchFields(l.T, l.Value, to)
	return &expr.Literal{T: t, Value: v}, err
}

func matchFields(t types.Type, v any, to types.Type) (types.Type, any, error) {
	switch {
	case t.Kind != to.Kind:
		return t, v, nil
	case t.Kind == types.Struct:
		return matchStruct(t, v, to)
	case t.Kind == types.Array:
		elements, _ := v.([]any)
		out := make([]any, len(elements))
		elem, _, err := matchFields(t.Elem.Type, nil, to.Elem.Type)
		for i, e := range elements {
			if _, out[i], err = matchFields(t.Elem.Type, e, to.Elem.Type); err != nil {
				break
			}
		}
		if v == nil {
			return types.ArrayOf(elem, true), nil, err
		}
		return types.ArrayOf(elem, true), out, err
	}
	return t, v, nil
}

func matchStruct(t types.Type, v any, to types.Type) (types.Type, any, error) {
	from := types.Schema{Fields: t.Fields}
	values, _ := v.([]any)
	used := 0
	out := types.Type{Kind: types.Struct, Fields: make([]types.Field, len(to.Fields))}
	matched := make([]any, len(to.Fields))
	for i, f := range to.Fields {
		k := from.Index(f.Name)
		if k < 0 {
			out.Fields[i] = types.Field{Name: f.Name, Nullable: true}
			continue
		}
		used++
		var value any
		if values != nil {
			value = values[k]
		}
		ft, fv, err := matchFields(t.Fields[k].Type, value, f.Type)
		if err != nil {
			return t, nil, err
		}
		out.Fields[i], matched[i] = types.Field{Name: f.Name, Type: ft, Nullable: true}, fv
	}
	if used < len(t.Fields) {
		for _, f := range t.Fields {
			if (types.Schema{Fields: to.Fields}).Index(f.Name) < 0 {
				return t, nil, fmt.Errorf("%w: %s has no field %s%s", ErrColumnNotFound, to, types.QuoteIdent(f.Name), didYouMean(f.Name, types.Schema{Fields: to.Fields}.Names()))
			}
		}
	}
	if v == nil {
		return out, nil, nil
	}
	return out, matched, nil
}

// fromGo prepares an argument for storing it in a column.
func (b *binder) fromGo(e expr.Expr, f types.Field) (expr.Expr, error) {
	l, ok := e.(*expr.Literal)
	if _, isArg := b.bound[l]; !ok || !isArg {
		return e, nil
	}
	return MatchFields(l, f.Type)
}
