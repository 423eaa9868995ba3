package eval

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// resolveConcat types || and concat: of binaries a BINARY, of arrays an array,
// of everything else a STRING.
func resolveConcat(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, -1); err != nil {
		return nil, err
	}
	arrays, binaries := 0, 0
	for _, a := range args {
		switch t := a.Type(); {
		case t.Kind == types.Array:
			arrays++
		case t.Kind == types.Binary, t.Kind == types.Fixed:
			binaries++
		}
	}
	to := types.Of(types.String)
	switch {
	case arrays > 0:
		cast, t, err := coerceAll(name, args)
		if err != nil {
			return nil, err
		}
		if arrays < len(args) {
			return nil, mismatch("%s takes arrays only beside arrays, not %s", name, typeList(args))
		}
		return typedCall(name, t, cast...), nil
	case binaries == len(args):
		to = types.Of(types.Binary)
	}
	cast := make([]expr.Expr, len(args))
	for i, a := range args {
		if !castAllowed(a.Type(), to) || a.Type().IsNested() {
			return nil, mismatch("%s takes strings, binaries or arrays, not %s", name, typeList(args))
		}
		cast[i] = castTo(a, to)
	}
	return typedCall(name, to, cast...), nil
}

func (c *compiler) compileConcat(e *expr.Call) (node, error) {
	args, err := c.compileAll(e.Args)
	if err != nil {
		return nil, err
	}
	if e.T.Kind == types.Array {
		return newCall(c, e.Name, e.T, args, true, nestedKernel(func(f *frame, i int) (any, error) {
			all := []any{}
			for a := range f.args {
				all = append(all, f.value(a, i).([]any)...)
			}
			return all, nil
		})), nil
	}
	return newCall(c, e.Name, e.T, args, true, rowKernel(func(f *frame, i int) error {
		start := len(f.out.Data)
		for a := range f.args {
			f.out.Data = append(f.out.Data, f.bytes(a, i)...)
			if len(f.out.Data)-start > maxTextBytes {
				return f.tooLong()
			}
		}
		return f.endBytes(i, start)
	})), nil
}
