package eval

import (
	"unicode/utf8"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

type (
	resolver = func(name string, args []expr.Expr) (expr.Expr, error)
	compiled = func(c *compiler, e *expr.Call) (node, error)
)

// operatorFunctions are the entries of the operators of sql/expr.
func operatorFunctions() []*Function {
	var out []*Function
	add := func(name, signature, doc string, r resolver, c compiled, lenient bool) {
		f := special(name, signature, doc, r, c)
		f.Operator, f.lenient = true, lenient
		out = append(out, f)
	}
	for _, op := range []string{expr.OpEqual, expr.OpNotEqual, expr.OpLess, expr.OpLessEqual, expr.OpGreater, expr.OpGreaterEqual} {
		add(op, "(T, T) BOOLEAN", "compares two values", resolveCompare, (*compiler).compileCompare, false)
	}
	for _, op := range []string{expr.OpAdd, expr.OpSubtract, expr.OpMultiply, expr.OpDivide, expr.OpModulo, expr.OpIntDivide} {
		add(op, "(T, T) T", "arithmetic on numbers, dates, timestamps and intervals", resolveArithmetic, (*compiler).compileArithmetic, false)
	}
	add(expr.OpNullSafe, "(T, T) BOOLEAN", "equality that takes two NULLs as equal", resolveCompare, (*compiler).compileNullSafe, true)
	add(expr.OpAnd, "(BOOLEAN…) BOOLEAN", "true if all are", resolveLogic, (*compiler).compileLogic, true)
	add(expr.OpOr, "(BOOLEAN…) BOOLEAN", "true if one is", resolveLogic, (*compiler).compileLogic, true)
	add(expr.OpIsNull, "(ANY) BOOLEAN", "tells whether a value is NULL", resolveIsNull, (*compiler).compileIsNull, true)
	add(expr.OpIsNotNull, "(ANY) BOOLEAN", "tells whether a value is not NULL", resolveIsNull, (*compiler).compileIsNull, true)
	add(expr.OpIn, "(T, T…) BOOLEAN", "tells whether a list holds a value", resolveIn, (*compiler).compileIn, true)
	add(expr.OpConcat, "(T, T…) T", "joins strings, binaries or arrays", resolveConcat, (*compiler).compileConcat, false)
	add(expr.OpNegate, "(T) T", "changes the sign", resolveNegate, (*compiler).compileNegate, false)
	for _, op := range []string{expr.OpLike, expr.OpILike, expr.OpRLike} {
		add(op, "(STRING, STRING, STRING?) BOOLEAN", "tells whether a string matches a pattern", resolveLike, (*compiler).compileLike, false)
	}
	not := function(expr.OpNot, "negates a condition", overKernel("BOOLEAN", "BOOLEAN", kernelNot))
	not.Operator = true
	return append(out, not)
}

func resolveCompare(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	cast, t, err := coerceByPosition(name, narrowLiterals(decimalLiterals(args)))
	if err != nil {
		return nil, err
	}
	if !Orderable(t) {
		return nil, mismatch("values of type %s can't be compared with %s", t, name)
	}
	return expr.Compare(name, cast[0], cast[1]), nil
}

// decimalLiterals gives whole-number literals that stand beside a DECIMAL the
// smallest DECIMAL that holds them, as Spark does, so that 1 - x stays narrow.
func decimalLiterals(args []expr.Expr) []expr.Expr {
	decimal := false
	for _, a := range args {
		decimal = decimal || a.Type().Kind == types.Decimal
	}
	if !decimal {
		return args
	}
	out := append([]expr.Expr{}, args...)
	for i, a := range args {
		l, ok := a.(*expr.Literal)
		if !ok || l.Value == nil || !l.T.IsInteger() || l.T.Kind == types.TinyInt {
			continue
		}
		d := types.Decimal128FromInt64(l.Value.(int64))
		out[i] = &expr.Literal{T: types.DecimalOf(d.Precision(0), 0), Value: d}
	}
	return out
}

// narrowLiterals gives whole-number literals that are compared with a narrower
// column the column's type where they fit it. The comparison says the same
// without a cast of the column, so that it can be pushed down to statistics.
func narrowLiterals(args []expr.Expr) []expr.Expr {
	column := types.Type{}
	for _, a := range args {
		t := a.Type()
		if _, literal := a.(*expr.Literal); literal {
			continue
		}
		if !t.IsInteger() {
			return args
		}
		if t.Kind > column.Kind {
			column = t
		}
	}
	if column.Kind == types.Void {
		return args
	}
	lo, hi := column.IntegerRange()
	out := append([]expr.Expr{}, args...)
	for i, a := range args {
		l, ok := a.(*expr.Literal)
		if !ok || !l.T.IsInteger() || l.T.Kind <= column.Kind {
			continue
		}
		if v, ok := l.Value.(int64); ok && v >= lo && v <= hi {
			out[i] = &expr.Literal{T: column, Value: v}
		}
	}
	return out
}

func resolveLogic(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, -1); err != nil {
		return nil, err
	}
	cast := make([]expr.Expr, len(args))
	strings, typed := false, false
	for i, a := range args {
		k := a.Type().Kind
		if k != types.Boolean && k != types.Void && k != types.String {
			return nil, mismatch("%s takes conditions, not %s: %s", name, a.Type(), a)
		}
		strings, typed = strings || k == types.String, typed || k == types.Boolean
		cast[i] = castTo(a, types.Of(types.Boolean))
	}
	if strings && !typed {
		return nil, mismatch("%s takes conditions, not %s", name, typeList(args))
	}
	if name == expr.OpAnd {
		return expr.And(cast...), nil
	}
	return expr.Or(cast...), nil
}

func resolveIsNull(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	if name == expr.OpIsNull {
		return expr.IsNull(args[0]), nil
	}
	return expr.IsNotNull(args[0]), nil
}

func resolveIn(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, -1); err != nil {
		return nil, err
	}
	cast, t, err := coerceByPosition("IN", narrowLiterals(decimalLiterals(args)))
	if err != nil {
		return nil, err
	}
	if !Orderable(t) {
		return nil, mismatch("values of type %s can't be searched with IN", t)
	}
	return typedCall(name, types.Of(types.Boolean), cast...), nil
}

func resolveLike(name string, args []expr.Expr) (expr.Expr, error) {
	most := 3
	if name == expr.OpRLike {
		most = 2
	}
	if err := wantArgs(name, args, 2, most); err != nil {
		return nil, err
	}
	cast := make([]expr.Expr, len(args))
	for i, a := range args {
		if castCost(a.Type(), types.Of(types.String)) >= impossible {
			return nil, mismatch("%s takes strings, not %s", name, typeList(args))
		}
		cast[i] = castTo(a, types.Of(types.String))
	}
	if len(args) == 3 {
		if v, ok := literalOf(cast[2]); ok && utf8.RuneCountInString(v.(string)) != 1 {
			return nil, mismatch("ESCAPE takes one character, not %s", args[2])
		}
	}
	return typedCall(name, types.Of(types.Boolean), cast...), nil
}

func resolveNegate(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	a, err := signedArg(name, args[0])
	if err != nil {
		return nil, err
	}
	call := typedCall(name, a.Type(), a)
	if _, ok := a.(*expr.Literal); ok { // so that -5 is a literal where literals are treated apart
		return foldNode(call, nil), nil
	}
	return call, nil
}

func (c *compiler) compileNegate(e *expr.Call) (node, error) {
	return c.newBinary(e, e.Args, rowKernel(rowNegate))
}

// resolveArithmetic types + - * / % div and their try_ forms.
func resolveArithmetic(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	op := baseOperator(name)
	args = arithmeticStrings(op, args)
	if e, ok, err := resolveTemporal(op, args); ok || err != nil {
		return renamed(e, name), err
	}
	args = untypedOperands(op, decimalLiterals(args))
	a, b := args[0].Type(), args[1].Type()
	common, ok := CommonType(a, b)
	if !ok || !common.IsNumeric() || !a.IsNumeric() && !b.IsNumeric() {
		return nil, mismatch("%s takes numbers, not %s and %s; dates and timestamps go with intervals", op, a, b)
	}
	if common.Kind == types.Decimal {
		return decimalCall(name, op, args), nil
	}
	result := common
	switch {
	case op == expr.OpIntDivide && !common.IsInteger():
		return nil, mismatch("div takes whole numbers and decimals, not %s and %s", a, b)
	case op == expr.OpIntDivide:
		common, result = types.Of(types.BigInt), types.Of(types.BigInt)
	case op == expr.OpDivide: // of whole numbers and FLOAT too
		common, result = types.Of(types.Double), types.Of(types.Double)
	}
	args = []expr.Expr{castTo(args[0], common), castTo(args[1], common)}
	call := typedCall(name, result, args...)
	call.MayBeNull = call.MayBeNull || name != op
	return call, nil
}

// untypedOperands gives NULLs a type where nothing else does, and to dividends:
// DOUBLE, or BIGINT for div.
func untypedOperands(op string, args []expr.Expr) []expr.Expr {
	t := types.Of(types.Double)
	if op == expr.OpIntDivide {
		t = types.Of(types.BigInt)
	}
	out := append([]expr.Expr{}, args...)
	for i, a := range args {
		other := args[1-i].Type()
		if a.Type().Kind == types.Void && (other.Kind == types.Void || op == expr.OpDivide && i == 0 && other.IsNumeric()) {
			out[i] = castTo(a, t)
		}
	}
	return out
}

// renamed gives the call the name of its try_ form, for which a date that is no
// timestamp is NULL.
func renamed(e expr.Expr, name string) expr.Expr {
	call, ok := e.(*expr.Call)
	if !ok || call.Name == name {
		return e
	}
	out := *call
	out.Name, out.MayBeNull = name, true
	out.Args = append([]expr.Expr{}, call.Args...)
	for i, a := range out.Args {
		if c, ok := a.(*expr.Cast); ok && c.Arg.Type().Kind == types.Date {
			out.Args[i] = &expr.Cast{Arg: c.Arg, T: c.T, Try: true}
		}
	}
	return &out
}

// arithmeticStrings casts a string beside a number to DOUBLE, or BIGINT beside
// a whole number, and one beside a date, a timestamp or an interval to what
// makes sense there.
func arithmeticStrings(op string, args []expr.Expr) []expr.Expr {
	out := append([]expr.Expr{}, args...)
	for i, a := range args {
		if a.Type().Kind != types.String {
			continue
		}
		switch other := args[1-i].Type(); {
		case other.IsInteger() && op != expr.OpDivide:
			out[i] = castTo(a, types.Of(types.BigInt))
		case other.IsNumeric():
			out[i] = castTo(a, types.Of(types.Double))
		}
	}
	return out
}

// decimalCall types an operation of which one side at least is DECIMAL.
func decimalCall(name, op string, args []expr.Expr) expr.Expr {
	for i, a := range args {
		t := a.Type()
		if t.Kind == types.Void { // NULL takes the other side's type
			t = args[1-i].Type()
		}
		d, _ := asDecimal(t)
		args = append(append(append([]expr.Expr{}, args[:i]...), castTo(a, d)), args[i+1:]...)
	}
	t := types.Of(types.BigInt)
	if op != expr.OpIntDivide {
		t = decimalResult(op, args[0].Type(), args[1].Type())
	}
	call := typedCall(name, t, args...)
	call.MayBeNull = call.MayBeNull || name != op
	return call
}
