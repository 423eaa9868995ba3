package bind

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// exprContext is what an expression may refer to.
type exprContext struct {
	scope *scope
	// aggregates collects aggregate calls; nil where none may stand.
	aggregates *aggregates
	// subqueries collects subqueries; nil where none may stand.
	subqueries *subqueries
	// windows collects calls with OVER; nil where none may stand.
	windows *windows
	// aliases are names that the select list gave before, for where they may
	// be used as well as columns; those of the same name win in ORDER BY.
	aliases      []selectItem
	aliasesFirst bool
	clause       string // the clause, for errors: "WHERE"
	// unfolded keeps what is constant as it was written, to be compared with the
	// keys of grouping sets, which are NULL in some.
	unfolded bool
	// variables are the parameters of the lambda functions around, by their IDs.
	variables []*expr.Variable
}

func (b *binder) zone() *time.Location {
	if b.Env.Zone == nil {
		return time.UTC
	}
	return b.Env.Zone
}

// expr binds an expression and folds what is constant in it.
func (b *binder) expr(e ast.Expr, c exprContext) (expr.Expr, error) {
	out, err := b.bindExpr(e, c)
	if err != nil || c.unfolded {
		return out, err
	}
	folded, err := eval.FoldConstants(out, b.Env)
	return folded, b.wrapAt(e.Pos(), err)
}

// condition binds an expression that must be BOOLEAN.
func (b *binder) condition(e ast.Expr, c exprContext) (expr.Expr, error) {
	if e == nil {
		return nil, nil
	}
	out, err := b.expr(e, c)
	if err != nil {
		return nil, err
	}
	switch out.Type().Kind {
	case types.Boolean:
		return out, nil
	case types.Void:
		return expr.Null(types.Of(types.Boolean)), nil
	}
	return nil, b.errorAt(e, eval.ErrTypeMismatch, "%s needs a BOOLEAN, %s is %s", c.clause, out, out.Type())
}

// constant binds an expression that reads no columns and computes it.
func (b *binder) constant(e ast.Expr) (*expr.Literal, error) {
	out, err := b.expr(e, exprContext{scope: newScope(nil), clause: "a constant"})
	if err != nil {
		return nil, err
	}
	out = eval.Instants(out)
	v, err := eval.EvalConstant(out, b.Env)
	if err != nil {
		return nil, b.wrapAt(e.Pos(), err)
	}
	return &expr.Literal{T: out.Type(), Value: v}, nil
}

func (b *binder) bindExpr(e ast.Expr, c exprContext) (expr.Expr, error) {
	switch e := e.(type) {
	case *ast.Literal:
		return b.literal(e)
	case *ast.Interval:
		return b.interval(e)
	case *ast.Param:
		return b.param(e)
	case *ast.ColumnRef:
		if v := c.variable(e.Parts[0].Name); v != nil {
			return b.fields(v, e.Parts[1:])
		}
		return b.name(e, c)
	case *ast.FieldAccess:
		in, err := b.bindExpr(e.Expr, c)
		if err != nil {
			return nil, err
		}
		return b.structField(in, e.Name)
	case *ast.Binary:
		return b.binary(e, c)
	case *ast.Unary:
		return b.unary(e, c)
	case *ast.Between:
		return b.between(e, c)
	case *ast.In:
		return b.in(e, c)
	case *ast.Like:
		return b.like(e, c)
	case *ast.IsNull:
		return b.negated(e.Not, e, expr.OpIsNull, c, e.Expr)
	case *ast.Is:
		return b.is(e, c)
	case *ast.Case:
		return b.caseExpr(e, c)
	case *ast.Cast:
		return b.cast(e, c)
	case *ast.JSONPath:
		return b.variantPath(e, c)
	}
	return b.bindCallLike(e, c)
}

// bindCallLike binds the syntax that stands for a function call.
func (b *binder) bindCallLike(e ast.Expr, c exprContext) (expr.Expr, error) {
	switch e := e.(type) {
	case *ast.Call:
		return b.call(e, c)
	case *ast.Extract:
		return b.resolve(e, "date_part", c, &ast.Literal{Loc: e.Loc, Kind: ast.StringLiteral, Text: e.Field}, e.From)
	case *ast.Trim:
		return b.trim(e, c)
	case *ast.ArrayLit:
		return b.resolve(e, "array", c, e.Elems...)
	case *ast.MapLit:
		var args []ast.Expr
		for _, entry := range e.Entries {
			args = append(args, entry.Key, entry.Value)
		}
		return b.resolve(e, "map", c, args...)
	case *ast.StructLit:
		return b.structOf(e, e.Fields, c)
	case *ast.Row:
		return b.structOf(e, namedFields(e.Elems), c)
	case *ast.Subscript:
		return b.subscript(e, c)
	case *ast.Subquery:
		return b.scalarSubquery(e, c)
	case *ast.Exists:
		return b.exists(e, c)
	case *ast.Quantified:
		return b.quantified(e, c)
	case *ast.Lambda:
		return nil, b.errorAt(e, ErrInvalidSQL, "a lambda function stands only as an argument of functions such as transform and filter")
	case *ast.Star:
		return nil, b.errorAt(e, ErrInvalidSQL, "* stands only in a select list and in count(*)")
	case *ast.Default:
		return nil, b.errorAt(e, ErrInvalidSQL, "DEFAULT stands only as a whole value of INSERT, UPDATE or MERGE")
	}
	return nil, b.unsupported(e, "the expression "+ast.String(e))
}

// structOf binds a struct as the call of named_struct.
func (b *binder) structOf(at ast.Node, fields []ast.StructLitField, c exprContext) (expr.Expr, error) {
	var args []ast.Expr
	for _, f := range fields {
		args = append(args, &ast.Literal{Loc: f.Loc, Kind: ast.StringLiteral, Text: f.Name.Name}, f.Value)
	}
	return b.resolve(at, "named_struct", c, args...)
}

// namedFields names the arguments of struct: by their alias, as the column or
// field that they are, else col1, col2 by their place.
func namedFields(args []ast.Expr) []ast.StructLitField {
	fields := make([]ast.StructLitField, len(args))
	for i, a := range args {
		f := &fields[i]
		*f = ast.StructLitField{Name: ast.Ident{Name: "col" + strconv.Itoa(i+1)}, Value: a}
		switch a := a.(type) {
		case *ast.AliasedArg:
			f.Name, f.Value = a.Name, a.Value
		case *ast.ColumnRef:
			f.Name = a.Parts[len(a.Parts)-1]
		case *ast.FieldAccess:
			f.Name = a.Name
		}
	}
	return fields
}

// subscript binds a[i], or s['x'], which is the field s.x.
func (b *binder) subscript(e *ast.Subscript, c exprContext) (expr.Expr, error) {
	in, err := b.bindExpr(e.Expr, c)
	if err != nil {
		return nil, err
	}
	if l, ok := e.Index.(*ast.Literal); ok && l.Kind == ast.StringLiteral && in.Type().Kind != types.Map {
		return b.structField(in, ast.Ident{Loc: l.Loc, Name: l.Text})
	}
	index, err := b.bindExpr(e.Index, c)
	if err != nil {
		return nil, err
	}
	return b.apply(e, "subscript", in, index)
}

// resolve binds the arguments and looks the function up.
func (b *binder) resolve(at ast.Node, name string, c exprContext, args ...ast.Expr) (expr.Expr, error) {
	bound, err := b.bindAll(c, args)
	if err != nil {
		return nil, err
	}
	return b.apply(at, name, bound...)
}

func (b *binder) bindAll(c exprContext, args []ast.Expr) ([]expr.Expr, error) {
	bound := make([]expr.Expr, len(args))
	for i, a := range args {
		var err error
		if bound[i], err = b.bindExpr(a, c); err != nil {
			return nil, err
		}
	}
	return bound, nil
}

// apply types a call of bound arguments, which belong to it.
func (b *binder) apply(at ast.Node, name string, bound ...expr.Expr) (expr.Expr, error) {
	bound, err := b.filledUp(name, bound)
	if err != nil {
		return nil, b.wrapAt(at.Pos(), err)
	}
	out, err := eval.Resolve(name, bound)
	if errors.Is(err, eval.ErrTypeMismatch) && slices.ContainsFunc(bound, eval.IsOpen) {
		if e, instantErr := eval.Resolve(name, instants(bound)); instantErr == nil {
			out, err = e, nil
		}
	}
	if errors.Is(err, eval.ErrTypeMismatch) {
		if narrow, ok := b.narrowArgs(bound); ok {
			if e, narrowErr := eval.Resolve(name, narrow); narrowErr == nil {
				out, err = e, nil
			}
		}
	}
	if err != nil {
		return nil, b.wrapAt(at.Pos(), err)
	}
	b.remember(at, out)
	return out, nil
}

// negated is resolve under a NOT where the syntax had one.
func (b *binder) negated(not bool, at ast.Node, name string, c exprContext, args ...ast.Expr) (expr.Expr, error) {
	out, err := b.resolve(at, name, c, args...)
	if err == nil && not {
		if name == expr.OpIsNull {
			return expr.IsNotNull(out.Children()[0]), nil
		}
		return expr.Not(out), nil
	}
	return out, err
}

var binaryNames = map[ast.BinaryOp]string{
	ast.OpOr: expr.OpOr, ast.OpAnd: expr.OpAnd, ast.OpEq: expr.OpEqual, ast.OpNotEq: expr.OpNotEqual,
	ast.OpLess: expr.OpLess, ast.OpLessEq: expr.OpLessEqual, ast.OpGreater: expr.OpGreater, ast.OpGreaterEq: expr.OpGreaterEqual,
	ast.OpNullSafeEq: expr.OpNullSafe, ast.OpAdd: expr.OpAdd, ast.OpSub: expr.OpSubtract, ast.OpConcat: expr.OpConcat,
	ast.OpMul: expr.OpMultiply, ast.OpDiv: expr.OpDivide, ast.OpMod: expr.OpModulo, ast.OpIntDiv: expr.OpIntDivide,
	ast.OpBitAnd: "&", ast.OpBitOr: "|", ast.OpBitXor: "^", ast.OpShiftLeft: "shiftleft", ast.OpShiftRight: "shiftright",
	ast.OpShiftRightUnsigned: "shiftrightunsigned",
}

func (b *binder) binary(e *ast.Binary, c exprContext) (expr.Expr, error) {
	name, ok := binaryNames[e.Op]
	if !ok {
		return nil, b.unsupported(e, "the operator "+string(e.Op))
	}
	return b.resolve(e, name, c, e.L, e.R)
}

func (b *binder) unary(e *ast.Unary, c exprContext) (expr.Expr, error) {
	switch e.Op {
	case ast.OpNot:
		return b.resolve(e, expr.OpNot, c, e.Expr)
	case ast.OpNeg:
		return b.resolve(e, expr.OpNegate, c, e.Expr)
	case ast.OpBitNot:
		return b.resolve(e, "~", c, e.Expr)
	case ast.OpPlus:
		return b.resolve(e, "positive", c, e.Expr)
	}
	return nil, b.unsupported(e, "the operator "+string(e.Op))
}

// operand binds what is compared more than once; it must not differ from one
// computation to the next.
func (b *binder) operand(e ast.Expr, c exprContext, what string) (expr.Expr, error) {
	out, err := b.bindExpr(e, c)
	if err == nil && varies(out) {
		return nil, b.unsupported(e, what+" an expression that differs from call to call")
	}
	return out, err
}

func (b *binder) between(e *ast.Between, c exprContext) (expr.Expr, error) {
	x, err := b.operand(e.Expr, c, "BETWEEN over")
	if err != nil {
		return nil, err
	}
	low, err := b.bindExpr(e.Low, c)
	if err != nil {
		return nil, err
	}
	high, err := b.bindExpr(e.High, c)
	if err != nil {
		return nil, err
	}
	out, err := b.within(e, x, low, high)
	if err == nil && e.Symmetric {
		var other expr.Expr
		other, err = b.within(e, x, high, low)
		out = expr.Or(out, other)
	}
	if err == nil && e.Not {
		out = expr.Not(out)
	}
	return out, err
}

func (b *binder) within(at ast.Node, x, low, high expr.Expr) (expr.Expr, error) {
	lower, err := b.apply(at, expr.OpGreaterEqual, x, low)
	if err != nil {
		return nil, err
	}
	upper, err := b.apply(at, expr.OpLessEqual, x, high)
	return expr.And(lower, upper), err
}

func (b *binder) in(e *ast.In, c exprContext) (expr.Expr, error) {
	if e.Query != nil {
		out, err := b.anyRow(e, expr.OpEqual, e.Expr, e.Query, c)
		if err == nil && e.Not {
			out = expr.Not(out)
		}
		return out, err
	}
	bound, err := b.bindAll(c, append([]ast.Expr{e.Expr}, e.List...))
	if err != nil {
		return nil, err
	}
	for i, value := range e.List {
		if x := bound[0].Type().Kind; bound[i+1].Type().Kind == types.Array && x != types.Array && x != types.Void {
			of, list := ast.String(e.Expr), ast.String(value)
			return nil, b.errorAt(e, eval.ErrTypeMismatch, "IN takes values and %s is an array; use array_contains(%s, %s) or %s IN (SELECT * FROM unnest(%s))", list, list, of, of, list)
		}
	}
	out, err := b.apply(e, expr.OpIn, bound...)
	if err == nil && e.Not {
		out = expr.Not(out)
	}
	return out, err
}

func (b *binder) like(e *ast.Like, c exprContext) (expr.Expr, error) {
	name, ok := map[ast.LikeKind]string{ast.LikePattern: expr.OpLike, ast.ILikePattern: expr.OpILike, ast.RLikePattern: expr.OpRLike}[e.Kind]
	if !ok {
		return nil, b.unsupported(e, "SIMILAR TO")
	}
	match := func(pattern ast.Expr) (expr.Expr, error) {
		args := []ast.Expr{e.Expr, pattern}
		if e.Escape != nil {
			args = append(args, e.Escape)
		}
		return b.negated(e.Not, e, name, c, args...)
	}
	if e.Quantifier == ast.NoQuantifier {
		return match(e.Pattern)
	}
	var all []expr.Expr
	for _, p := range wrongFirst(e) {
		m, err := match(p)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	if e.Quantifier == ast.Any {
		return expr.Or(all...), nil
	}
	return expr.And(all...), nil
}

// wrongFirst gives the patterns of LIKE ANY or ALL. Of literals a wrong one is an
// error whatever the others say, so it comes first.
func wrongFirst(e *ast.Like) []ast.Expr {
	var right, wrong []ast.Expr
	for _, p := range e.Patterns {
		l, ok := p.(*ast.Literal)
		switch {
		case !ok || l.Kind != ast.StringLiteral || e.Kind == ast.RLikePattern:
			return e.Patterns
		case eval.CheckLike(l.Text) != nil:
			wrong = append(wrong, p)
		default:
			right = append(right, p)
		}
	}
	return append(wrong, right...)
}

func (b *binder) is(e *ast.Is, c exprContext) (expr.Expr, error) {
	var out expr.Expr
	var err error
	switch e.Kind {
	case ast.IsDistinctFrom:
		out, err = b.resolve(e, expr.OpNullSafe, c, e.Expr, e.Right)
		if err == nil {
			out = expr.Not(out)
		}
	case ast.IsUnknown:
		out, err = b.isUnknown(e, c)
	default:
		out, err = b.resolve(e, expr.OpNullSafe, c, e.Expr, &ast.Literal{Loc: e.Loc, Kind: ast.BoolLiteral, Text: map[ast.IsKind]string{ast.IsTrue: "TRUE", ast.IsFalse: "FALSE"}[e.Kind]})
	}
	if err == nil && e.Not {
		out = expr.Not(out)
	}
	return out, err
}

// isUnknown is IS NULL; literals that are no conditions are refused.
func (b *binder) isUnknown(e *ast.Is, c exprContext) (expr.Expr, error) {
	in, err := b.bindExpr(e.Expr, c)
	if err != nil {
		return nil, err
	}
	if l, ok := in.(*expr.Literal); ok && l.Value != nil && l.T.Kind != types.Boolean {
		return nil, b.errorAt(e, eval.ErrTypeMismatch, "IS UNKNOWN needs a BOOLEAN, %s is %s", in, in.Type())
	}
	return expr.IsNull(in), nil
}

// caseExpr brings all results to one type. With an operand each condition is
// an equality.
func (b *binder) caseExpr(e *ast.Case, c exprContext) (expr.Expr, error) {
	out := &expr.Case{Whens: make([]expr.When, len(e.Whens))}
	var operand expr.Expr
	if e.Operand != nil {
		var err error
		if operand, err = b.operand(e.Operand, c, "CASE of"); err != nil {
			return nil, err
		}
	}
	var results []expr.Expr
	for i, w := range e.Whens {
		cond, err := b.caseCondition(operand, w, c)
		if err != nil {
			return nil, err
		}
		out.Whens[i].Condition = cond
		result, err := b.bindExpr(w.Then, c)
		if err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	if e.Else != nil {
		result, err := b.bindExpr(e.Else, c)
		if err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	t, err := b.commonType(e, "the branches of CASE", results, eval.CommonType)
	if err != nil {
		return nil, err
	}
	out.T = t
	for i, r := range results {
		cast, err := eval.NewCast(r, t, false)
		if err != nil {
			return nil, b.wrapAt(e.Pos(), err)
		}
		b.remember(e, cast)
		if i < len(out.Whens) {
			out.Whens[i].Result = cast
		} else {
			out.Else = cast
		}
	}
	return out, nil
}

func (b *binder) caseCondition(operand expr.Expr, w ast.When, c exprContext) (expr.Expr, error) {
	if operand != nil {
		value, err := b.bindExpr(w.Cond, c)
		if err != nil {
			return nil, err
		}
		return b.apply(w, expr.OpEqual, operand, value)
	}
	c.clause = "WHEN"
	cond, err := b.condition(w.Cond, c)
	if l, ok := w.Cond.(*ast.Literal); ok && err == nil && l.Kind == ast.NullLiteral {
		return nil, b.errorAt(w, eval.ErrTypeMismatch, "WHEN needs a BOOLEAN, not NULL")
	}
	return cond, err
}

// commonType brings expressions together by eval.CommonType or its like.
func (b *binder) commonType(at ast.Node, what string, exprs []expr.Expr, common func(...types.Type) (types.Type, bool)) (types.Type, error) {
	ts := make([]types.Type, len(exprs))
	names := make([]string, len(exprs))
	for i, e := range exprs {
		ts[i] = e.Type()
		names[i] = e.Type().String()
	}
	t, ok := common(ts...)
	if !ok {
		return types.Type{}, b.errorAt(at, eval.ErrTypeMismatch, "%s have no common type: %s", what, strings.Join(names, ", "))
	}
	return t, nil
}

func (b *binder) cast(e *ast.Cast, c exprContext) (expr.Expr, error) {
	in, err := b.bindExpr(e.Expr, c)
	if err != nil {
		return nil, err
	}
	t, err := b.typeName(e.Type)
	if err != nil {
		return nil, err
	}
	return b.newCast(e, in, t, e.Try)
}

func (b *binder) trim(e *ast.Trim, c exprContext) (expr.Expr, error) {
	name := map[string]string{"": "trim", "BOTH": "trim", "LEADING": "ltrim", "TRAILING": "rtrim"}[e.Side]
	if e.Chars == nil {
		return b.resolve(e, name, c, e.From)
	}
	return b.resolve(e, name, c, e.Chars, e.From)
}

// call binds a function or an aggregate.
func (b *binder) call(e *ast.Call, c exprContext) (expr.Expr, error) {
	name := strings.ToLower(e.Name[len(e.Name)-1].Name)
	switch {
	case e.Over != nil:
		return b.windowCall(e, name, c)
	case name == groupingFunction || name == groupingIDFunction:
		return b.groupingCall(e, name, c)
	case eval.IsAggregate(name):
		return b.aggregateCall(e, name, c)
	case eval.IsWindowFunction(name):
		return nil, b.errorAt(e, ErrInvalidSQL, "the window function %s needs OVER (…)", name)
	case !eval.IsFunction(name) && eval.IsTableFunction(name):
		return nil, b.errorAt(e, ErrInvalidSQL, "%s gives rows: it stands in FROM, or as a whole item of the select list if it takes a value apart", name)
	case e.Distinct || e.Star || e.Filter != nil || e.WithinGroup != nil || e.OrderBy != nil || e.Nulls == ast.IgnoreNulls:
		return nil, b.errorAt(e, ErrInvalidSQL, "%s is no aggregate: DISTINCT, *, FILTER, ORDER BY, WITHIN GROUP and IGNORE NULLS don't apply", name)
	}
	for _, a := range e.Args {
		if n, ok := a.(*ast.NamedArg); ok {
			return nil, b.unsupported(n, "a named argument")
		}
	}
	if kind, ok := typeKinds[strings.ToUpper(name)]; ok && len(e.Args) == 1 && !eval.IsFunction(name) {
		return b.castCall(e, kind, c)
	}
	if unitFunctions[name] && len(e.Args) == 3 {
		return b.unitCall(e, name, c)
	}
	if name == "struct" {
		return b.structOf(e, namedFields(e.Args), c)
	}
	if (name == "variant_get" || name == "try_variant_get") && len(e.Args) == 3 {
		return b.variantGet(e, name, c)
	}
	if eval.TakesLambda(name) {
		args, err := b.lambdaArgs(e, name, c)
		if err != nil {
			return nil, err
		}
		return b.apply(e, name, args...)
	}
	return b.resolve(e, name, c, e.Args...)
}

// unitFunctions take a unit of time, written as a bare word, before two more
// arguments.
var unitFunctions = map[string]bool{"timestampadd": true, "timestampdiff": true, "dateadd": true, "date_add": true, "datediff": true, "date_diff": true}

// unitCall binds timestampdiff(MONTH, a, b) and its like.
func (b *binder) unitCall(e *ast.Call, name string, c exprContext) (expr.Expr, error) {
	args := append([]ast.Expr{}, e.Args...)
	if ref, ok := args[0].(*ast.ColumnRef); ok && len(ref.Parts) == 1 {
		args[0] = &ast.Literal{Loc: ref.Loc, Kind: ast.StringLiteral, Text: ref.Parts[0].Name}
	}
	if strings.HasSuffix(name, "add") {
		return b.resolve(e, "timestampadd", c, args...)
	}
	return b.resolve(e, "timestampdiff", c, args...)
}

// castCall binds a type's name called as a function: double('NaN').
func (b *binder) castCall(e *ast.Call, kind types.Kind, c exprContext) (expr.Expr, error) {
	in, err := b.bindExpr(e.Args[0], c)
	if err != nil {
		return nil, err
	}
	return b.newCast(e, in, types.Of(kind), false)
}

// newCast makes a cast that the statement asks for.
func (b *binder) newCast(at ast.Node, in expr.Expr, t types.Type, try bool) (expr.Expr, error) {
	out, err := eval.NewCast(in, t, try)
	if err != nil {
		return nil, b.wrapAt(at.Pos(), err)
	}
	b.remember(at, out)
	return out, nil
}
