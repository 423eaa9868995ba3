package eval

import (
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// Aggregate is a typed call of an aggregate function.
type Aggregate struct {
	Name     string
	Args     []expr.Expr // with the casts that the function needs
	Type     types.Type
	Nullable bool
	Distinct bool

	order      []AggregateOrder // of the last Args
	descending bool             // of WITHIN GROUP
	newState   func() AggregateState
}

// AggregateState holds the running values of one aggregate for any number of
// groups, numbered from 0. One goroutine uses it at a time; partial states are
// brought together with Merge.
type AggregateState interface {
	// Grow makes room for groups 0 to groups-1; new ones start empty.
	Grow(groups int)
	// Update adds the rows of sel (nil: rows 0 to n-1) of args. groups[i] is
	// the group of row i; nil groups put every row into group 0.
	Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error
	// Merge adds group from[k] of other, a state of the same Aggregate, to group
	// to[k], for each k in turn; nil from stands for 0, 1, 2 and so on. The rows
	// of other count as those that come later, where that matters.
	Merge(other AggregateState, from, to []int32) error
	// Result gives the values of groups from to to-1. The vector is the
	// caller's.
	Result(from, to int) (*vector.Vector, error)
	// Size is the number of bytes held.
	Size() int64
}

// sourceGroup is the group that pair k of Merge reads.
func sourceGroup(from []int32, k int) int {
	if from == nil {
		return k
	}
	return int(from[k])
}

// targetGroups inverts the pairs of Merge: by group of the state that is read
// the one that it is added to, -1 for none.
func targetGroups(groups int, from, to []int32) []int32 {
	if from == nil {
		return to
	}
	targets := make([]int32, groups)
	for g := range targets {
		targets[g] = -1
	}
	for k, g := range from {
		targets[g] = to[k]
	}
	return targets
}

// Empty is the aggregate's value over no rows, in the form that
// vector.Vector.Value gives.
func (a *Aggregate) Empty() (any, error) {
	s := a.NewState()
	s.Grow(1)
	v, err := s.Result(0, 1)
	if err != nil || v.IsNull(0) {
		return nil, err
	}
	return v.Value(0), nil
}

// NewState gives an empty state.
func (a *Aggregate) NewState() AggregateState {
	if len(a.order) > 0 {
		return newOrderedState(a)
	}
	if a.Distinct && len(a.Args) == 1 {
		if p := a.Args[0].Type().Physical(); p == types.PhysInt32 || p == types.PhysInt64 {
			return newDistinctInts(a)
		}
	}
	if a.Distinct {
		return newDistinctState(a)
	}
	return a.newState()
}

// String prints the call as SQL.
func (a *Aggregate) String() string {
	args := "*"
	if all := a.unordered().Args; len(all) > 0 {
		parts := make([]string, len(all))
		for i, e := range all {
			parts[i] = e.String()
		}
		args = strings.Join(parts, ", ")
	}
	if a.Distinct {
		args = "DISTINCT " + args
	}
	return a.Name + "(" + args + a.orderText() + ")"
}

// aggregateFunction is an entry of the table of aggregates.
type aggregateFunction struct {
	name      string
	aliases   []string
	signature string // as Function.Signatures, without the name
	doc       string
	least     int // arguments
	most      int
	resolve   func(a *Aggregate) error // sets Type, Nullable, newState and casts Args
	noRepeat  bool                     // DISTINCT changes nothing
	// withinGroup: WITHIN GROUP gives the first argument
	withinGroup bool
}

var (
	aggregatesOnce   sync.Once
	aggregatesByName map[string]aggregateFunction
)

// aggregateTable gives the table by name, made on first use.
func aggregateTable() map[string]aggregateFunction {
	aggregatesOnce.Do(func() {
		aggregatesByName = map[string]aggregateFunction{}
		for _, f := range aggregateFunctions() {
			for _, name := range append([]string{f.name}, f.aliases...) {
				aggregatesByName[name] = f
			}
		}
	})
	return aggregatesByName
}

func aggregateFunctions() []aggregateFunction {
	all := []aggregateFunction{
		{name: "count", signature: "(*) BIGINT | (ANY…) BIGINT", doc: "the number of rows, or of rows where no argument is NULL", least: 0, most: 64, resolve: resolveCount},
		{name: "sum", signature: "(NUMBER | INTERVAL) T", doc: "the sum", least: 1, most: 1, resolve: resolveSum},
		{name: "avg", aliases: []string{"mean"}, signature: "(NUMBER | INTERVAL) T", doc: "the mean", least: 1, most: 1, resolve: resolveAvg},
		{name: "min", signature: "(T) T", doc: "the least value", least: 1, most: 1, resolve: resolveMinMax, noRepeat: true},
		{name: "max", signature: "(T) T", doc: "the greatest value", least: 1, most: 1, resolve: resolveMinMax, noRepeat: true},
		{name: "mode", signature: "(T, BOOLEAN?) T | () WITHIN GROUP (ORDER BY T) T", doc: "the most frequent value; of several the least, or with DESC the greatest", least: 1, most: 2, resolve: resolveMode, withinGroup: true},
		{name: "approx_count_distinct", signature: "(ANY, DOUBLE?) BIGINT", doc: "about the number of distinct values", least: 1, most: 2, resolve: resolveApproxCount, noRepeat: true},
	}
	for _, group := range [][]aggregateFunction{boolFunctions(), momentFunctions(), percentileFunctions(), pickFunctions(), listFunctions()} {
		all = append(all, group...)
	}
	return all
}

// AggregateFunctions lists the aggregate functions by name, for SHOW FUNCTIONS
// and the documentation.
func AggregateFunctions() []*Function {
	var out []*Function
	for _, f := range aggregateFunctions() {
		out = append(out, &Function{Name: f.name, Aliases: f.aliases, Doc: f.doc, Signatures: signatures(f.name, f.signature)})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

func findAggregate(name string) (aggregateFunction, bool) {
	f, ok := aggregateTable()[strings.ToLower(name)]
	return f, ok
}

// IsAggregate reports whether an aggregate function has the name.
func IsAggregate(name string) bool {
	_, ok := findAggregate(name)
	return ok
}

// AggregateNames lists the aggregate functions and their aliases by name.
func AggregateNames() []string {
	var names []string
	for name := range aggregateTable() {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// ResolveAggregate types a call of an aggregate function. No arguments stand
// for count(*).
func ResolveAggregate(name string, args []expr.Expr, distinct bool) (*Aggregate, error) {
	f, ok := findAggregate(name)
	if !ok {
		return nil, unknownFunction(name)
	}
	if len(args) < f.least || len(args) > f.most || distinct && len(args) == 0 {
		return nil, mismatch("%s does not take %d arguments", f.name, len(args))
	}
	for _, e := range args {
		if distinct && e.Type().Kind == types.Variant {
			return nil, mismatch("%s with DISTINCT takes values that can be compared, not VARIANT: %s", f.name, e)
		}
	}
	a := &Aggregate{Name: f.name, Args: append([]expr.Expr{}, args...), Nullable: true, Distinct: distinct && !f.noRepeat}
	if err := f.resolve(a); err != nil {
		return nil, err
	}
	return a, nil
}

// aggregateRows finds the rows that an aggregate which passes over NULLs sees,
// and flattens arguments. It belongs to one state.
type aggregateRows struct {
	flats []flattener
	buf   vector.Selection
}

// flat gives argument a as a flat vector.
func (r *aggregateRows) flat(a int, v *vector.Vector, sel vector.Selection, n int) *vector.Vector {
	for len(r.flats) <= a {
		r.flats = append(r.flats, flattener{})
	}
	if v.Form == vector.Constant {
		if v.Type.Physical() == types.PhysBytes || v.Type.IsNested() {
			return v.Flatten()
		}
		return r.flats[a].broadcast(v, n, sel)
	}
	return r.flats[a].flat(v, sel)
}

// valid narrows sel to the rows where v is not NULL; a nil result stands for
// all n rows.
func (r *aggregateRows) valid(v *vector.Vector, sel vector.Selection, n int) vector.Selection {
	if !v.MayHaveNulls() {
		return sel
	}
	if cap(r.buf) < n || r.buf == nil {
		r.buf = make(vector.Selection, max(n, 1))
	}
	out, k := r.buf[:cap(r.buf)], 0
	if v.Form == vector.Flat {
		return dropNulls(v.Valid, copySelection(sel, out[:rowsOf(sel, n)]))
	}
	for j := range rowsOf(sel, n) {
		i := rowAt(sel, j)
		out[k] = int32(i)
		k += truth(!v.IsNull(i))
	}
	return out[:k]
}

// allValid narrows sel to the rows where no argument is NULL; ok is false where
// one is NULL in all rows.
func (r *aggregateRows) allValid(args []*vector.Vector, sel vector.Selection, n int) (out vector.Selection, ok bool) {
	for _, v := range args {
		if v.Form == vector.Constant && v.IsNull(0) {
			return nil, false
		}
		sel = r.valid(v, sel, n)
	}
	return sel, true
}

// growSlice extends s with zero values to n elements.
func growSlice[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	if n <= cap(s) {
		clear(s[len(s):n])
		return s[:n]
	}
	out := make([]T, n, max(n, 2*cap(s)))
	copy(out, s)
	return out
}

// groupOf gives the group of row i.
func groupOf(groups []int32, i int) int {
	if groups == nil {
		return 0
	}
	return int(groups[i])
}

// otherState asserts that two partial states are of one Aggregate.
func otherState[T any](other AggregateState) (T, error) {
	o, ok := other.(T)
	if !ok {
		return o, fmt.Errorf("eval: merge of a %T into another aggregate", other)
	}
	return o, nil
}
