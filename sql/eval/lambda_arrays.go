package eval

import (
	"slices"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// lambdaFunctions apply lambda functions to arrays and maps.
func lambdaFunctions() []*Function {
	return append([]*Function{
		special("transform", "(ARRAY<T>, T -> V | (T, INT) -> V) ARRAY<V>", "an array of what the function makes of each element, and of its position from 0", resolveTransform, compileLambdas(runTransform)).takes(elementParams(true)),
		special("filter", "(ARRAY<T>, T -> BOOLEAN | (T, INT) -> BOOLEAN) ARRAY<T>", "the elements for which the condition is true", resolveFilter(types.Array), compileLambdas(runFilter)).takes(elementParams(true)),
		special("exists", "(ARRAY<T>, T -> BOOLEAN) BOOLEAN", "whether the condition is true for an element", resolveMatch, compileLambdas(runMatch(true))).takes(elementParams(false)),
		special("forall", "(ARRAY<T>, T -> BOOLEAN) BOOLEAN", "whether the condition is true for all elements", resolveMatch, compileLambdas(runMatch(false))).takes(elementParams(false)),
		special("aggregate reduce", "(ARRAY<T>, S, (S, T) -> S, S -> V?) V", "what the function makes, from a start, of the state and one element after the other; a last function makes the result of it", resolveFold, compileLambdas(runFold)).takes(foldParams).asLenient(),
		special("zip_with", "(ARRAY<T>, ARRAY<U>, (T, U) -> V) ARRAY<V>", "an array of what the function makes of the elements of both; the shorter one is filled up with NULLs", resolveZip, compileLambdas(runZip)).takes(zipParams),
	}, lambdaMapFunctions()...)
}

// elementParams are those of a function of an array's elements, and maybe their
// positions.
func elementParams(index bool) lambdaParams {
	return func(at int, args []expr.Expr) ([]types.Field, int, bool) {
		if at != 1 {
			return nil, 0, false
		}
		element, ok := elementOf(args[0])
		if !index {
			return []types.Field{element}, 1, ok
		}
		return []types.Field{element, indexField}, 1, ok
	}
}

func resolveTransform(name string, args []expr.Expr) (expr.Expr, error) {
	l, err := lambdaOver(types.Array, name, args)
	if err != nil {
		return nil, err
	}
	return &expr.Call{Name: name, Args: args, T: types.ArrayOf(plain(l.Type()), l.Nullable()), MayBeNull: args[0].Nullable()}, nil
}

func runTransform(n *lambdaNode, r *lambdaRows) (*vector.Vector, error) {
	lists := r.args[0]
	e := elementsOf(lists)
	values, err := n.apply(r, 1, e.rows, lists.Child.Select(e.at), e.numbers)
	if err != nil {
		return nil, err
	}
	return listOf(n.t, r.n, lists.Valid, e.offsets, values), nil
}

// resolveFilter types a filter of arrays or of maps.
func resolveFilter(kind types.Kind) func(name string, args []expr.Expr) (expr.Expr, error) {
	return func(name string, args []expr.Expr) (expr.Expr, error) {
		condition, err := conditionOver(kind, name, args)
		if err != nil {
			return nil, err
		}
		return &expr.Call{Name: name, Args: []expr.Expr{args[0], condition}, T: args[0].Type(), MayBeNull: args[0].Nullable()}, nil
	}
}

func runFilter(n *lambdaNode, r *lambdaRows) (*vector.Vector, error) {
	lists := r.args[0]
	e := elementsOf(lists)
	params := []*vector.Vector{lists.Child.Select(e.at), e.numbers}
	if n.t.Kind == types.Map {
		entries := params[0].Flatten()
		params = entries.Children
	}
	keep, err := n.apply(r, 1, e.rows, params...)
	if err != nil {
		return nil, err
	}
	kept, offsets := vector.Selection{}, make([]int32, 1, r.n+1)
	for i := range r.n {
		for k := e.offsets[i]; k < e.offsets[i+1]; k++ {
			if !keep.IsNull(int(k)) && keep.Bools[k] {
				kept = append(kept, e.at[k])
			}
		}
		offsets = append(offsets, int32(len(kept)))
	}
	return listOf(n.t, r.n, lists.Valid, offsets, lists.Child.Select(kept)), nil
}

func resolveMatch(name string, args []expr.Expr) (expr.Expr, error) {
	condition, err := conditionOver(types.Array, name, args)
	if err != nil {
		return nil, err
	}
	return &expr.Call{Name: name, Args: []expr.Expr{args[0], condition}, T: types.Of(types.Boolean), MayBeNull: args[0].Nullable() || condition.Nullable()}, nil
}

// runMatch asks the elements of a row in their order until one decides: one for
// which the condition has the value decisive.
func runMatch(decisive bool) func(n *lambdaNode, r *lambdaRows) (*vector.Vector, error) {
	return func(n *lambdaNode, r *lambdaRows) (*vector.Vector, error) {
		lists := r.args[0]
		out := vector.New(types.Of(types.Boolean), r.n)
		open := make(vector.Selection, 0, r.n)
		for i := range r.n {
			out.Bools[i] = !decisive
			if lists.IsNull(i) {
				out.SetNull(i)
			} else {
				open = append(open, int32(i))
			}
		}
		unknown := make([]bool, r.n)
		for place := int32(0); ; place++ {
			at := vector.Selection{}
			open = slices.DeleteFunc(open, func(i int32) bool { return lists.Offsets[i]+place >= lists.Offsets[i+1] })
			for _, i := range open {
				at = append(at, lists.Offsets[i]+place)
			}
			if len(open) == 0 {
				break
			}
			v, err := n.apply(r, 1, open, lists.Child.Select(at))
			if err != nil {
				return nil, err
			}
			left := vector.Selection{}
			for k, i := range open {
				switch {
				case v.IsNull(k):
					unknown[i] = true
				case v.Bools[k] == decisive:
					out.Bools[i], unknown[i] = decisive, false
					continue
				}
				left = append(left, i)
			}
			open = left
		}
		for i, u := range unknown {
			if u {
				out.SetNull(i)
			}
		}
		return out, nil
	}
}

// foldParams are those of aggregate: the state and an element, and for the result
// the state.
func foldParams(at int, args []expr.Expr) ([]types.Field, int, bool) {
	element, ok := elementOf(args[0])
	if !ok || at < 2 || at > 3 {
		return nil, 0, false
	}
	state := types.Field{Type: loosened(args[1].Type()), Nullable: true}
	if at == 3 {
		return []types.Field{state}, 1, true
	}
	return []types.Field{state, element}, 2, true
}

// loosened is a type with parts that may be NULL.
func loosened(t types.Type) types.Type {
	loose := func(f *types.Field) *types.Field {
		if f == nil {
			return nil
		}
		return &types.Field{ID: f.ID, Name: f.Name, Type: loosened(f.Type), Nullable: true}
	}
	t = plain(t)
	t.Elem = loose(t.Elem)
	if t.Key != nil {
		t.Key = &types.Field{ID: t.Key.ID, Name: t.Key.Name, Type: loosened(t.Key.Type)}
	}
	t.Fields = slices.Clone(t.Fields)
	for i := range t.Fields {
		t.Fields[i] = *loose(&t.Fields[i])
	}
	return t
}

func resolveFold(name string, args []expr.Expr) (expr.Expr, error) {
	merge, ok := lambdaArg(args, 2)
	if !ok || len(args) > 4 || args[0].Type().Kind != types.Array {
		return nil, noOverload(name, args)
	}
	state := loosened(args[1].Type())
	if !sameValues(loosened(merge.Type()), state) {
		return nil, mismatch("the state of %s is %s, and its function gives %s; cast the start", name, state, merge.Type())
	}
	t := plain(state)
	if len(args) == 4 {
		finish, ok := lambdaArg(args, 3)
		if !ok {
			return nil, noOverload(name, args)
		}
		t = plain(finish.Type())
	}
	return &expr.Call{Name: name, Args: args, T: t, MayBeNull: true}, nil
}

// runFold takes one element of every row at a time.
func runFold(n *lambdaNode, r *lambdaRows) (*vector.Vector, error) {
	lists, state := r.args[0], r.args[1]
	var open vector.Selection
	for i := range r.n {
		if !lists.IsNull(i) {
			open = append(open, int32(i))
		}
	}
	done, finished := vector.NewCollector([]types.Type{state.Type}), make(vector.Selection, r.n)
	for i := range finished {
		finished[i] = -1
	}
	state = state.Select(append(vector.Selection{}, open...))
	for place := int32(0); len(open) > 0; place++ {
		at, more, left, over := vector.Selection{}, vector.Selection{}, vector.Selection{}, vector.Selection{}
		for k, i := range open {
			if lists.Offsets[i]+place < lists.Offsets[i+1] {
				at, more, left = append(at, lists.Offsets[i]+place), append(more, int32(k)), append(left, i)
			} else {
				finished[i] = int32(done.Rows() + len(over))
				over = append(over, int32(k))
			}
		}
		if err := done.Append(&vector.Batch{Columns: []*vector.Vector{state}, Len: state.Len, Sel: over}); err != nil {
			return nil, err
		}
		if open = left; len(open) == 0 {
			break
		}
		next, err := n.apply(r, 2, open, state.Select(more), lists.Child.Select(at))
		if err != nil {
			return nil, err
		}
		copied := vector.NewCollector([]types.Type{state.Type}) // the program's vector is its own
		if err := copied.Append(vector.NewBatch(next.Len, next)); err != nil {
			return nil, err
		}
		state = copied.Batch().Columns[0]
	}
	out := selectOrNull(done.Batch().Columns[0], finished)
	if len(n.args) < 4 {
		return out, nil
	}
	return finish(n, r, lists, out)
}

// finish makes the results of the states; NULL for a NULL array.
func finish(n *lambdaNode, r *lambdaRows, lists, state *vector.Vector) (*vector.Vector, error) {
	var rows vector.Selection
	place := make(vector.Selection, r.n)
	for i := range r.n {
		if place[i] = -1; !lists.IsNull(i) {
			place[i] = int32(len(rows))
			rows = append(rows, int32(i))
		}
	}
	v, err := n.apply(r, 3, rows, state.Select(rows))
	if err != nil {
		return nil, err
	}
	return selectOrNull(v, place), nil
}

func zipParams(at int, args []expr.Expr) ([]types.Field, int, bool) {
	if at != 2 {
		return nil, 0, false
	}
	a, ok := elementOf(args[0])
	b, also := elementOf(args[1])
	a.Nullable, b.Nullable = true, true
	return []types.Field{a, b}, 2, ok && also
}

func resolveZip(name string, args []expr.Expr) (expr.Expr, error) {
	l, ok := lambdaArg(args, 2)
	if !ok || len(args) != 3 || args[0].Type().Kind != types.Array || args[1].Type().Kind != types.Array {
		return nil, noOverload(name, args)
	}
	return &expr.Call{Name: name, Args: args, T: types.ArrayOf(plain(l.Type()), l.Nullable()), MayBeNull: args[0].Nullable() || args[1].Nullable()}, nil
}

func runZip(n *lambdaNode, r *lambdaRows) (*vector.Vector, error) {
	a, b := r.args[0], r.args[1]
	rows, left, right := vector.Selection{}, vector.Selection{}, vector.Selection{}
	offsets, valid := make([]int32, 1, r.n+1), vector.NewBitmap(r.n)
	for i := range r.n {
		if !a.IsNull(i) && !b.IsNull(i) {
			valid.Set(i)
			x, y := a.Offsets[i+1]-a.Offsets[i], b.Offsets[i+1]-b.Offsets[i]
			for k := range max(x, y) {
				l, m := int32(-1), int32(-1)
				if k < x {
					l = a.Offsets[i] + k
				}
				if k < y {
					m = b.Offsets[i] + k
				}
				rows, left, right = append(rows, int32(i)), append(left, l), append(right, m)
			}
		}
		offsets = append(offsets, int32(len(rows)))
	}
	values, err := n.apply(r, 2, rows, selectOrNull(a.Child, left), selectOrNull(b.Child, right))
	if err != nil {
		return nil, err
	}
	return listOf(n.t, r.n, valid, offsets, values), nil
}
