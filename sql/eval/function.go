package eval

import (
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// Function is an entry of the table: an operator or a scalar function with its
// overloads.
type Function struct {
	Name       string // lower case; the name in expr.Call
	Aliases    []string
	Doc        string   // one sentence
	Signatures []string // as SQL, such as lpad(STRING, INT, STRING?) STRING
	Volatile   bool     // two calls with the same arguments may differ
	Operator   bool     // written as an operator and not called by name
	Group      string   // what it works on, such as "Texts"

	overloads []overload
	// resolve types a call whose types the overloads can't describe.
	resolve func(name string, args []expr.Expr) (expr.Expr, error)
	// compile makes the node of a call that the overloads can't compute.
	compile func(c *compiler, e *expr.Call) (node, error)
	// lenient functions may answer something else than NULL for NULL.
	lenient bool
	// lambda gives the parameters of arguments that are lambda functions; nil for
	// functions that take none.
	lambda lambdaParams
	// atFold gives the value of a call that depends on nothing but Env.
	atFold func(env *Env) *expr.Literal
}

// strict reports whether a NULL argument always makes the result NULL.
func (f *Function) strict() bool {
	if f.lenient {
		return false
	}
	for i := range f.overloads {
		if f.overloads[i].lenient {
			return false
		}
	}
	return true
}

// overload is one signature of a function with its kernel.
type overload struct {
	params   []types.Type // Void takes any type as it is
	required int          // the others may be left out
	variadic bool         // the last parameter may be repeated, or left out
	result   types.Type
	kernel   kernel
	nullable bool // may be NULL for arguments that are not
	lenient  bool // NULL arguments reach the kernel
}

// table finds functions by name.
type table struct {
	functions []*Function
	byName    map[string]*Function
}

var (
	tableOnce        sync.Once
	tableOfFunctions table
)

// functionGroup is a part of the table.
type functionGroup struct {
	title     string
	functions []*Function
}

// functionGroups makes the parts of the table.
func functionGroups() []functionGroup {
	return []functionGroup{
		{"Operators", operatorFunctions()},
		{"Conditions and NULL", conditionalFunctions()},
		{"Numbers", mathFunctions()},
		{"Texts", slices.Concat(stringFunctions(), textFunctions())},
		{"Patterns", patternFunctions()},
		{"Dates, timestamps and intervals", slices.Concat(dateFunctions(), timestampFunctions(), intervalFunctions())},
		{"Arrays, maps and structs", slices.Concat(nestedFunctions(), elementFunctions(), arrayFunctions(), arrayPairFunctions(), mapFunctions())},
		{"Lambda functions", lambdaFunctions()},
		{"Checksums and types", hashFunctions()},
		{"JSON", slices.Concat(jsonFunctions(), variantFunctions())},
		{"Types as functions", castFunctions()},
	}
}

// FunctionGroups lists the groups of functions in the order of the reference.
func FunctionGroups() []string {
	var titles []string
	for _, g := range functionGroups() {
		titles = append(titles, g.title)
	}
	return titles
}

// functions gives the table, made on first use.
func functions() *table {
	tableOnce.Do(func() {
		t := table{byName: map[string]*Function{}}
		for _, g := range functionGroups() {
			for _, f := range g.functions {
				f.Group = g.title
			}
			t.functions = append(t.functions, g.functions...)
		}
		sort.Slice(t.functions, func(i, j int) bool { return t.functions[i].Name < t.functions[j].Name })
		for _, f := range t.functions {
			for _, name := range append([]string{f.Name}, f.Aliases...) {
				if t.byName[name] != nil {
					panic("eval: two functions are named " + name)
				}
				t.byName[name] = f
			}
		}
		tableOfFunctions = t
	})
	return &tableOfFunctions
}

// Functions lists the table by name, operators included.
func Functions() []*Function { return functions().functions }

func lookup(name string) (*Function, bool) {
	f, ok := functions().byName[name]
	if !ok {
		f, ok = functions().byName[strings.ToLower(name)]
	}
	return f, ok
}

// unknownFunction finds the nearest known name, aggregates, window functions and
// table functions included.
func unknownFunction(name string) error {
	known := append(AggregateNames(), tableFunctionNames()...)
	for name := range windowTable() {
		known = append(known, name)
	}
	for _, f := range Functions() {
		if !f.Operator {
			known = append(append(known, f.Name), f.Aliases...)
		}
	}
	return &UnknownFunction{Name: name, Nearest: Nearest(name, known)}
}

// Nearest finds the known name that is most like name, ignoring case, or gives
// "" if none is close: of both names most letters stay, and at most a third of
// the letters, or two, differ.
func Nearest(name string, known []string) string {
	best, nearest := min(max(2, len(name)/3)+1, len(name)), ""
	for _, k := range known {
		if d := editDistance(strings.ToLower(name), strings.ToLower(k)); d < min(best, len(k)) {
			best, nearest = d, k
		}
	}
	return nearest
}

// editDistance is the number of letters to insert, remove or replace.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// function makes a table entry. names are the name and its aliases.
func function(names, doc string, overloads ...overload) *Function {
	all := strings.Fields(names)
	f := &Function{Name: all[0], Aliases: all[1:], Doc: doc, overloads: overloads}
	for i := range overloads {
		f.Signatures = append(f.Signatures, all[0]+overloads[i].String())
	}
	return f
}

// special makes a table entry whose calls have types of their own.
func special(names, signature, doc string, resolve func(string, []expr.Expr) (expr.Expr, error), compile func(*compiler, *expr.Call) (node, error)) *Function {
	all := strings.Fields(names)
	return &Function{Name: all[0], Aliases: all[1:], Doc: doc, Signatures: []string{all[0] + signature}, resolve: resolve, compile: compile}
}

// signatures puts the name before each form of a signature, which has its
// arguments in brackets and then its result.
func signatures(name, signature string) []string {
	forms := strings.Split(signature, " | (")
	for i, f := range forms {
		if i > 0 {
			f = "(" + f
		}
		forms[i] = name + f
	}
	return forms
}

// String prints the signature without the name.
func (o *overload) String() string {
	parts := make([]string, len(o.params))
	for i, p := range o.params {
		parts[i] = p.String()
		if p.Kind == types.Void {
			parts[i] = "ANY"
		}
		if i >= o.required {
			parts[i] += "?"
		}
	}
	s := strings.Join(parts, ", ")
	if o.variadic {
		s = strings.TrimSuffix(s, "?") + "…"
	}
	return "(" + s + ") " + o.result.String()
}

// over makes an overload of a signature such as "STRING, INT, STRING?" and its
// result, computed row by row. The words are the kinds' names; ANY takes any
// type, ? marks what may be left out and … what may be repeated.
func over(params, result string, row rowFunc) overload {
	return overKernel(params, result, rowKernel(row))
}

func overKernel(params, result string, k kernel) overload {
	o := overload{kernel: k, result: typeNamed(result)}
	if params == "" {
		return o
	}
	for _, p := range strings.Split(params, ", ") {
		name := strings.TrimSuffix(strings.TrimSuffix(p, "…"), "?")
		o.variadic = strings.HasSuffix(p, "…")
		o.params = append(o.params, typeNamed(name))
		if name == p {
			o.required++
		}
	}
	return o
}

// orNull marks an overload whose result may be NULL for other arguments.
func orNull(o overload) overload {
	o.nullable = true
	return o
}

// lenient marks an overload whose kernel sees NULL arguments.
func lenient(o overload) overload {
	o.lenient = true
	return o
}

// typeNamed finds a type without parameters; ANY is Void.
func typeNamed(name string) types.Type {
	if name == "ANY" {
		return types.Type{}
	}
	for _, t := range []types.Type{types.YearMonth, types.DayTime} {
		if t.String() == name {
			return t
		}
	}
	for k := types.Boolean; k <= types.Variant; k++ {
		if k.String() == name {
			return types.Of(k)
		}
	}
	panic("eval: no type " + name)
}

// param gives the type of parameter i; ok is false where there is none.
func (o *overload) param(i int) (types.Type, bool) {
	if i < len(o.params) {
		return o.params[i], true
	}
	if o.variadic {
		return o.params[len(o.params)-1], true
	}
	return types.Type{}, false
}

// impossible is the cost of an argument that a parameter does not take.
const impossible = 1 << 20

// cost says how far the arguments are from the overload's parameters.
func (o *overload) cost(args []expr.Expr) int {
	if len(args) < o.required {
		return impossible
	}
	total := 0
	for i, a := range args {
		p, ok := o.param(i)
		if !ok {
			return impossible
		}
		total += castCost(a.Type(), p)
	}
	return total
}

// castCost rates the implicit cast of an argument, by Spark's ANSI rules: a
// number to any other, best to a wider one and else checked when it runs,
// anything simple to STRING, a string to anything simple.
func castCost(from, to types.Type) int {
	switch {
	case to.Kind == types.Void, sameValues(from, to):
		return 0
	case from.Kind == types.Void:
		return 1
	case from.IsNumeric() && to.IsNumeric():
		if to.Kind >= from.Kind && from.Kind != types.Decimal && to.Kind != types.Decimal {
			return 1 + int(to.Kind-from.Kind)
		}
		if to.Kind == types.Double {
			return 5
		}
		return 20
	case from.IsYearMonth() && to.IsYearMonth(), from.IsDayTime() && to.IsDayTime():
		return 1 // of other fields
	case from.Kind == types.Moment && to.Kind == from.Undecided():
		return 1
	case isDatetime(from) && isDatetime(to):
		if from.Kind == types.Date {
			return 2
		}
		return 3
	case from.Kind == types.String && !to.IsNested() && to.Kind != types.Variant && !to.IsCalendar():
		if to.Kind == types.Binary {
			return 31
		}
		return 30
	case to.Kind == types.String && !from.IsNested() && from.Kind != types.Variant:
		return 40
	case isBytes(from) && to.Kind == types.Binary:
		return 1
	case from.Kind == to.Kind && from.IsNested():
		return nestedCost(from, to)
	}
	return impossible
}

// nestedCost is that of the parts, of which none becomes NOT NULL.
func nestedCost(from, to types.Type) int {
	if len(from.Fields) != len(to.Fields) {
		return impossible
	}
	fromParts, toParts := append([]types.Field{}, from.Fields...), append([]types.Field{}, to.Fields...)
	for _, part := range [][2]*types.Field{{from.Key, to.Key}, {from.Elem, to.Elem}} {
		if part[0] != nil {
			fromParts, toParts = append(fromParts, *part[0]), append(toParts, *part[1])
		}
	}
	total := 0
	for i, part := range fromParts {
		if to := toParts[i]; part.Nullable && !to.Nullable || to.Type.Kind == types.Void && part.Type.Kind != types.Void {
			return impossible
		}
		total += castCost(part.Type, toParts[i].Type)
	}
	return min(total, impossible)
}

// pick finds the overload that is nearest to the arguments; nil if none takes
// them.
func (f *Function) pick(args []expr.Expr) (*overload, int) {
	var best *overload
	least := impossible
	for i := range f.overloads {
		if c := f.overloads[i].cost(args); c < least {
			best, least = &f.overloads[i], c
		}
	}
	return best, least
}
