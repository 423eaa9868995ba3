package bind

import (
	"strings"
	"unicode/utf8"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// comparesText are the calls that fill up what they compare with a column of CHAR(n).
var comparesText = map[string]bool{expr.OpEqual: true, expr.OpNotEqual: true, expr.OpLess: true, expr.OpLessEqual: true,
	expr.OpGreater: true, expr.OpGreaterEqual: true, expr.OpNullSafe: true, expr.OpIn: true}

// filledUp gives the arguments of a comparison with blanks behind those that are
// shorter, where columns of CHAR(n), which has them always, are compared with each
// other or with constants, as Spark does it: k = 'a' is true of the CHAR(3) 'a  '. What
// depends on anything else than these is compared as it is.
func (b *binder) filledUp(name string, args []expr.Expr) ([]expr.Expr, error) {
	if !comparesText[name] || len(args) == 0 || charLength(args[0]) < 0 && (name == expr.OpIn || len(args) < 2 || charLength(args[1]) < 0) {
		return args, nil
	}
	out, lengths, longest := make([]expr.Expr, len(args)), make([]int, len(args)), 0
	for i, a := range args {
		folded, err := eval.FoldConstants(a, b.Env)
		if err != nil {
			return nil, err
		}
		out[i], lengths[i] = folded, charLength(a)
		if l, ok := folded.(*expr.Literal); ok && (l.T.Kind == types.String || l.Value == nil) {
			text, _ := l.Value.(string)
			lengths[i] = utf8.RuneCountInString(text)
		}
		if lengths[i] < 0 {
			return args, nil
		}
		longest = max(longest, lengths[i])
	}
	for i, a := range out {
		var err error
		switch l, ok := a.(*expr.Literal); {
		case lengths[i] == longest || ok && l.Value == nil:
		case ok:
			out[i] = expr.Str(l.Value.(string) + strings.Repeat(" ", longest-lengths[i]))
		default:
			if out[i], err = eval.Resolve("rpad", []expr.Expr{a, &expr.Literal{T: types.Of(types.Int), Value: int64(longest)}}); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// charLength is the length of a column of CHAR(n); -1 of anything else.
func charLength(e expr.Expr) int {
	switch e.(type) {
	case *expr.Column, *expr.Outer:
		if t := e.Type(); t.Kind == types.String && t.Char == types.Char {
			return int(t.Length)
		}
	}
	return -1
}
