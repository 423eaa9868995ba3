package eval

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"sync"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// WindowFunction is a typed call of a function that needs a window: one that
// ranks rows, or gives a value of another row.
type WindowFunction struct {
	Name     string
	Args     []expr.Expr // with the casts that the function needs
	Type     types.Type
	Nullable bool
	// IgnoreNulls passes over the rows where the first argument is NULL.
	IgnoreNulls bool
	// N is the constant argument: the distance of lag and lead, the buckets of
	// ntile, the place of nth_value.
	N int64
	// Ordered functions have no meaning without ORDER BY. ReadsFrame ones see
	// the rows of the frame; the others see the whole partition.
	Ordered, ReadsFrame bool

	constant bool // N is written in a call
	compute  func(f *WindowFunction, rows *WindowRows, args []*vector.Vector) (*vector.Vector, error)
}

// String prints the call as SQL.
func (f *WindowFunction) String() string {
	parts := make([]string, 0, 3)
	for _, a := range f.Args {
		parts = append(parts, a.String())
	}
	if f.constant {
		at := min(len(parts), 1)
		parts = append(parts[:at], append([]string{fmt.Sprint(f.N)}, parts[at:]...)...)
	}
	s := f.Name + "(" + strings.Join(parts, ", ") + ")"
	if f.IgnoreNulls {
		s += " IGNORE NULLS"
	}
	return s
}

// Compute gives the function's value for every row. The arguments are flat
// vectors of all rows; ReadsFrame functions need the frames of rows.
func (f *WindowFunction) Compute(rows *WindowRows, args []*vector.Vector) (*vector.Vector, error) {
	return f.compute(f, rows, args)
}

// windowEntry is an entry of the table of window functions.
type windowEntry struct {
	name        string
	aliases     []string
	signature   string // as Function.Signatures, without the name
	doc         string
	least, most int // arguments
	result      types.Type
	nulls       bool // takes IGNORE NULLS
	ordered     bool
	readsFrame  bool
	resolve     func(f *WindowFunction) error // nil for a ranking function without arguments
	compute     func(f *WindowFunction, rows *WindowRows, args []*vector.Vector) (*vector.Vector, error)
}

var (
	windowOnce   sync.Once
	windowByName map[string]windowEntry
)

// windowTable gives the table by name, made on first use.
func windowTable() map[string]windowEntry {
	windowOnce.Do(func() {
		windowByName = map[string]windowEntry{}
		for _, e := range windowEntries() {
			for _, name := range append([]string{e.name}, e.aliases...) {
				windowByName[name] = e
			}
		}
	})
	return windowByName
}

func windowEntries() []windowEntry {
	whole, part := types.Of(types.Int), types.Of(types.Double)
	return []windowEntry{
		{name: "row_number", signature: "() INT", doc: "the row's number in its partition, from 1", result: whole, ordered: true, compute: rowNumbers},
		{name: "rank", signature: "() INT", doc: "1 and the number of rows before the row and its equals", result: whole, ordered: true, compute: ranks},
		{name: "dense_rank", signature: "() INT", doc: "1 and the number of different keys before the row's", result: whole, ordered: true, compute: denseRanks},
		{name: "percent_rank", signature: "() DOUBLE", doc: "the rank from 0 for the first rows to 1", result: part, ordered: true, compute: percentRanks},
		{name: "cume_dist", signature: "() DOUBLE", doc: "the part of the rows that do not come after the row", result: part, ordered: true, compute: cumeDists},
		{name: "ntile", signature: "(INT?) INT", doc: "the row's bucket, of so many of about equal size", most: 1, result: whole, ordered: true, resolve: resolveBuckets, compute: buckets},
		{name: "lag", signature: "(T, INT?, T?) T", doc: "the value so many rows before the row, or a default", least: 1, most: 3, nulls: true, ordered: true, resolve: resolveShift, compute: shifted},
		{name: "lead", signature: "(T, INT?, T?) T", doc: "the value so many rows after the row, or a default", least: 1, most: 3, nulls: true, ordered: true, resolve: resolveShift, compute: shifted},
		{name: "first", aliases: []string{"first_value", "any_value"}, signature: "(T, BOOLEAN?) T", doc: "the frame's first value", least: 1, most: 2, nulls: true, readsFrame: true, resolve: resolvePlace, compute: firstValues},
		{name: "last", aliases: []string{"last_value"}, signature: "(T, BOOLEAN?) T", doc: "the frame's last value", least: 1, most: 2, nulls: true, readsFrame: true, resolve: resolvePlace, compute: lastValues},
		{name: "nth_value", signature: "(T, BIGINT) T", doc: "the value of the frame's row of a number, from 1", least: 2, most: 2, nulls: true, readsFrame: true, resolve: resolveNth, compute: nthValues},
	}
}

// WindowFunctions lists the functions that need a window by name.
func WindowFunctions() []*Function {
	var out []*Function
	for _, e := range windowEntries() {
		out = append(out, &Function{Name: e.name, Aliases: e.aliases, Doc: e.doc, Signatures: signatures(e.name, e.signature)})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// IsWindowFunction reports whether a window function has the name. Some have
// the name of an aggregate too, which has their meaning for unordered rows.
func IsWindowFunction(name string) bool {
	_, ok := windowTable()[strings.ToLower(name)]
	return ok
}

// ResolveWindow types a call of a window function.
func ResolveWindow(name string, args []expr.Expr, ignoreNulls bool) (*WindowFunction, error) {
	e, ok := windowTable()[strings.ToLower(name)]
	if !ok {
		return nil, unknownFunction(name)
	}
	if len(args) < e.least || len(args) > e.most {
		return nil, mismatch("%s does not take %d arguments", e.name, len(args))
	}
	if ignoreNulls && !e.nulls {
		return nil, mismatch("%s does not take IGNORE NULLS", e.name)
	}
	f := &WindowFunction{Name: e.name, Args: append([]expr.Expr{}, args...), Type: e.result, IgnoreNulls: ignoreNulls,
		Ordered: e.ordered, ReadsFrame: e.readsFrame, compute: e.compute}
	if e.resolve == nil {
		return f, nil
	}
	return f, e.resolve(f)
}

// takeConstant removes argument i, a whole number within bounds, and keeps it
// as N.
func (f *WindowFunction) takeConstant(i int, least, most int64) error {
	arg := f.Args[i]
	v, _ := literalOf(arg)
	n, ok := v.(int64)
	if !ok || !arg.Type().IsInteger() {
		return mismatch("%s takes a constant whole number, not %s", f.Name, arg)
	}
	if n < least || n > most {
		return mismatch("%s takes a number from %d to %d, not %s", f.Name, least, most, arg)
	}
	f.Args = append(f.Args[:i:i], f.Args[i+1:]...)
	f.N, f.constant = n, true
	return nil
}

func resolveBuckets(f *WindowFunction) error {
	f.N = 1
	if len(f.Args) == 0 {
		return nil
	}
	return f.takeConstant(0, 1, math.MaxInt32)
}

func resolveShift(f *WindowFunction) error {
	f.N = 1
	if len(f.Args) > 1 {
		if err := f.takeConstant(1, math.MinInt32, math.MaxInt32); err != nil {
			return err
		}
	}
	f.Type, f.Nullable = plain(f.Args[0].Type()), true
	if len(f.Args) < 2 {
		return nil
	}
	if castCost(f.Args[1].Type(), f.Type) >= impossible {
		return mismatch("%s takes a default of type %s, not %s", f.Name, f.Type, f.Args[1].Type())
	}
	f.Args[1] = castTo(f.Args[1], f.Type)
	return nil
}

// resolvePlace is for first and last, whose second argument says whether to
// pass over NULLs.
func resolvePlace(f *WindowFunction) error {
	if len(f.Args) == 2 {
		v, _ := literalOf(f.Args[1])
		flag, ok := v.(bool)
		if !ok {
			return mismatch("%s takes TRUE or FALSE second, to pass over NULLs or not, not %s", f.Name, f.Args[1])
		}
		f.Args, f.IgnoreNulls = f.Args[:1], f.IgnoreNulls || flag
	}
	f.Type, f.Nullable = plain(f.Args[0].Type()), true
	return nil
}

func resolveNth(f *WindowFunction) error {
	f.Type, f.Nullable = plain(f.Args[0].Type()), true
	return f.takeConstant(1, 1, math.MaxInt64)
}
