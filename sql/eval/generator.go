package eval

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// GeneratorKind says what a Generator makes values of.
type GeneratorKind uint8

// The kinds of generators.
const (
	// Elements gives the elements of an array, the one argument.
	Elements GeneratorKind = iota
	// HalfOpenSeries counts from the first argument to before the second by the
	// third, all BIGINT.
	HalfOpenSeries
	// ClosedSeries counts to the second argument, which belongs to it.
	ClosedSeries
)

// Generator gives values, numbered from 0, for a row: none if an argument is NULL.
type Generator struct {
	Kind     GeneratorKind
	Args     []expr.Expr
	Type     types.Type
	Nullable bool
}

// String prints the generator, for EXPLAIN.
func (g *Generator) String() string {
	name := [...]string{"elements", "range", "series"}[g.Kind]
	args := make([]string, len(g.Args))
	for i, a := range g.Args {
		args[i] = a.String()
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// TableFunction is a typed call of a function that gives rows.
type TableFunction struct {
	Generator *Generator
	Outer     bool // a row of NULLs where there is none
	Columns   []TableColumn
}

// Names are the names of the columns.
func (f *TableFunction) Names() []string {
	names := make([]string, len(f.Columns))
	for i, c := range f.Columns {
		names[i] = c.Name
	}
	return names
}

// TableColumn is a column of a table function, over the columns of the value and
// its number, which Value and Position make.
type TableColumn struct {
	Name string
	Expr expr.Expr
}

// tableFunction is an entry of the table of functions that give rows.
type tableFunction struct {
	name, signature, doc string
	resolve              func(name string, args []expr.Expr) (*TableFunction, error)
	fromOnly             bool // stands in FROM and not in a select list
}

var (
	tableFunctionsOnce   sync.Once
	tableFunctionsByName map[string]tableFunction
)

// tableFunctions is the table.
func tableFunctions() []tableFunction {
	return []tableFunction{
		{name: "explode", signature: "(ARRAY | MAP) TABLE", doc: "a row per element, in the column col, or per entry, in key and value", resolve: resolveExplode},
		{name: "explode_outer", signature: "(ARRAY | MAP) TABLE", doc: "explode, and a row of NULLs if there is none", resolve: outerRows(resolveExplode)},
		{name: "posexplode", signature: "(ARRAY | MAP) TABLE", doc: "explode, after a column pos that counts from 0", resolve: resolvePosexplode},
		{name: "posexplode_outer", signature: "(ARRAY | MAP) TABLE", doc: "posexplode, and a row of NULLs if there is none", resolve: outerRows(resolvePosexplode)},
		{name: "inline", signature: "(ARRAY<STRUCT>) TABLE", doc: "a row per struct, a column per field", resolve: resolveInline},
		{name: "inline_outer", signature: "(ARRAY<STRUCT>) TABLE", doc: "inline, and a row of NULLs if there is none", resolve: outerRows(resolveInline)},
		{name: "stack", signature: "(INT, ANY…) TABLE", doc: "the values in so many rows, in columns col0, col1 and so on", resolve: resolveStack},
		{name: "json_tuple", signature: "(STRING, STRING…) TABLE", doc: "one row of the members of a JSON object that are named, in columns c0, c1 and so on", resolve: resolveJSONTuple},
		{name: "unnest", signature: "(ARRAY | MAP) TABLE", doc: "explode, the elements of an array in a column unnest", resolve: resolveUnnest},
		{name: "range", signature: "(BIGINT) TABLE | (BIGINT, BIGINT, BIGINT?, INT?) TABLE", doc: "whole numbers from the first to before the second, by 1 or a step, in a column id; of one argument from 0 to before it", resolve: resolveRange, fromOnly: true},
		{name: "generate_series", signature: "(BIGINT, BIGINT, BIGINT?) TABLE | (TIMESTAMP, TIMESTAMP, INTERVAL) TABLE", doc: "values from the first to the second by a step, in a column generate_series", resolve: resolveSeries, fromOnly: true},
	}
}

// TableFunctions lists the functions that give rows by name.
func TableFunctions() []*Function {
	var out []*Function
	for _, e := range tableFunctions() {
		out = append(out, &Function{Name: e.name, Doc: e.doc, Signatures: signatures(e.name, e.signature)})
	}
	slices.SortFunc(out, func(a, b *Function) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func tableFunctionNames() []string {
	var out []string
	for _, e := range tableFunctions() {
		out = append(out, e.name)
	}
	return out
}

func lookupTableFunction(name string) (tableFunction, bool) {
	tableFunctionsOnce.Do(func() {
		tableFunctionsByName = map[string]tableFunction{}
		for _, e := range tableFunctions() {
			tableFunctionsByName[e.name] = e
		}
	})
	e, ok := tableFunctionsByName[strings.ToLower(name)]
	return e, ok
}

// IsGenerator reports whether a select list may call a function of the name for
// its rows.
func IsGenerator(name string) bool {
	e, ok := lookupTableFunction(name)
	return ok && !e.fromOnly
}

// IsTableFunction reports whether a function of the name gives rows.
func IsTableFunction(name string) bool {
	_, ok := lookupTableFunction(name)
	return ok
}

// ResolveTableFunction finds a function that gives rows and types its call.
func ResolveTableFunction(name string, args []expr.Expr) (*TableFunction, error) {
	e, ok := lookupTableFunction(name)
	if !ok {
		return nil, &UnknownFunction{Name: name, Nearest: Nearest(name, tableFunctionNames())}
	}
	return e.resolve(e.name, args)
}

func outerRows(resolve func(string, []expr.Expr) (*TableFunction, error)) func(string, []expr.Expr) (*TableFunction, error) {
	return func(name string, args []expr.Expr) (*TableFunction, error) {
		f, err := resolve(name, args)
		if err == nil {
			f.Outer = true
		}
		return f, err
	}
}

// noTable is the error of a table function that does not take arguments of such
// types.
func noTable(name string, args []expr.Expr) error {
	e, _ := lookupTableFunction(name)
	return mismatch("%s does not take (%s); it is %s", name, typeList(args), strings.Join(signatures(name, e.signature), " or "))
}

// Value is the column of the values of a generator.
func (g *Generator) Value() *expr.Column {
	return &expr.Column{Name: "_value", T: g.Type, MayBeNull: true}
}

// Position is the column of their numbers.
func (g *Generator) Position() *expr.Column {
	return &expr.Column{Index: 1, Name: "_position", T: types.Of(types.BigInt), MayBeNull: true}
}

func elements(list expr.Expr) *Generator {
	elem := list.Type().Elem
	return &Generator{Args: []expr.Expr{list}, Type: elem.Type, Nullable: elem.Nullable}
}

// resolveExplode gives the elements of an array in one column.
func resolveExplode(name string, args []expr.Expr) (*TableFunction, error) {
	switch {
	case len(args) != 1:
		return nil, noTable(name, args)
	case args[0].Type().Kind == types.Map:
		entries, err := Resolve("map_entries", args)
		if err != nil {
			return nil, err
		}
		return resolveInline(name, []expr.Expr{entries})
	case args[0].Type().Kind != types.Array:
		return nil, noTable(name, args)
	}
	g := elements(args[0])
	return &TableFunction{Generator: g, Columns: []TableColumn{{"col", g.Value()}}}, nil
}

func resolvePosexplode(name string, args []expr.Expr) (*TableFunction, error) {
	f, err := resolveExplode(name, args)
	if err != nil {
		return nil, err
	}
	position, err := NewCast(f.Generator.Position(), types.Of(types.Int), false)
	f.Columns = append([]TableColumn{{"pos", position}}, f.Columns...)
	return f, err
}

// resolveInline gives the fields of the structs of an array.
func resolveInline(name string, args []expr.Expr) (*TableFunction, error) {
	if len(args) != 1 || args[0].Type().Kind != types.Array || args[0].Type().Elem.Type.Kind != types.Struct {
		return nil, noTable(name, args)
	}
	f := &TableFunction{Generator: elements(args[0])}
	for i, field := range f.Generator.Type.Fields {
		e, err := Resolve("struct_field", []expr.Expr{f.Generator.Value(), expr.Int(int64(i))})
		if err != nil {
			return nil, err
		}
		f.Columns = append(f.Columns, TableColumn{field.Name, e})
	}
	return f, nil
}

// maxStackRows bounds the rows of stack, which are made of its arguments.
const maxStackRows = 1 << 16

// resolveStack puts the values into structs. The values of a column are of one
// type; missing ones are NULL.
func resolveStack(name string, args []expr.Expr) (*TableFunction, error) {
	if len(args) < 2 {
		return nil, noTable(name, args)
	}
	v, _ := literalOf(args[0])
	rows, ok := v.(int64)
	switch {
	case !ok || !args[0].Type().IsInteger():
		return nil, noTable(name, args)
	case rows < 1 || rows > maxStackRows:
		return nil, mismatch("stack makes 1 to %d rows, not %d", maxStackRows, rows)
	}
	values := args[1:]
	width := (len(values) + int(rows) - 1) / int(rows)
	fields := make([]types.Field, width)
	for c := range fields {
		fields[c] = types.Field{Name: "col" + strconv.Itoa(c), Nullable: true}
		for i := c; i < len(values); i += width {
			t := values[i].Type()
			switch {
			case t.Kind == types.Void:
			case fields[c].Type.Kind == types.Void:
				fields[c].Type = plain(t)
			case !fields[c].Type.Equal(plain(t)):
				return nil, mismatch("column %d of stack is %s, and %s is %s", c, fields[c].Type, values[i], t)
			}
		}
	}
	list := make([]expr.Expr, rows)
	for r := range list {
		row := make([]expr.Expr, width)
		for c := range row {
			row[c] = expr.Null(fields[c].Type)
			if i := r*width + c; i < len(values) {
				row[c] = castTo(values[i], fields[c].Type)
			}
		}
		list[r] = &expr.Call{Name: "struct", Args: row, T: types.StructOf(fields...)}
	}
	return inlineOf(list...)
}

// inlineOf gives the rows of structs of one type.
func inlineOf(structs ...expr.Expr) (*TableFunction, error) {
	list := &expr.Call{Name: "array", Args: structs, T: types.ArrayOf(structs[0].Type(), false)}
	return resolveInline("inline", []expr.Expr{list})
}

// resolveJSONTuple takes each member by its path.
func resolveJSONTuple(name string, args []expr.Expr) (*TableFunction, error) {
	if len(args) < 2 || slices.ContainsFunc(args, func(a expr.Expr) bool { return a.Type().Kind != types.String }) {
		return nil, noTable(name, args)
	}
	row := &expr.Call{Name: "struct", T: types.StructOf()}
	for i, member := range args[1:] {
		path, err := Resolve(expr.OpConcat, []expr.Expr{expr.Str("$['"), member})
		if err == nil {
			path, err = Resolve(expr.OpConcat, []expr.Expr{path, expr.Str("']")})
		}
		if err != nil {
			return nil, err
		}
		found, err := Resolve("get_json_object", []expr.Expr{args[0], path})
		if err != nil {
			return nil, err
		}
		row.Args = append(row.Args, found)
		row.T.Fields = append(row.T.Fields, types.Field{Name: "c" + strconv.Itoa(i), Type: found.Type(), Nullable: true})
	}
	return inlineOf(row)
}

// resolveUnnest is the standard's name for explode.
func resolveUnnest(name string, args []expr.Expr) (*TableFunction, error) {
	f, err := resolveExplode(name, args)
	if err == nil && args[0].Type().Kind == types.Array {
		f.Columns[0].Name = name
	}
	return f, err
}

// resolveRange counts up to before its end. The number of partitions, which Spark
// takes as a fourth argument, says nothing about the rows.
func resolveRange(name string, args []expr.Expr) (*TableFunction, error) {
	if len(args) == 0 || len(args) > 4 {
		return nil, noTable(name, args)
	}
	if len(args) == 1 {
		args = []expr.Expr{expr.Int(0), args[0]}
	}
	return resolveNumbers(name, "id", HalfOpenSeries, args[:min(len(args), 3)])
}

func resolveNumbers(name, column string, kind GeneratorKind, args []expr.Expr) (*TableFunction, error) {
	if len(args) == 2 {
		args = []expr.Expr{args[0], args[1], expr.Int(1)}
	}
	g := &Generator{Kind: kind, Type: types.Of(types.BigInt), Args: make([]expr.Expr, len(args))}
	for i, a := range args {
		if t := a.Type(); !t.IsNumeric() && t.Kind != types.String {
			return nil, noTable(name, args)
		}
		cast, err := NewCast(a, g.Type, false)
		if err != nil {
			return nil, err
		}
		g.Args[i] = cast
	}
	return &TableFunction{Generator: g, Columns: []TableColumn{{column, g.Value()}}}, nil
}

// resolveSeries counts, or gives the elements of a sequence of times.
func resolveSeries(name string, args []expr.Expr) (*TableFunction, error) {
	switch {
	case len(args) < 2 || len(args) > 3:
		return nil, noTable(name, args)
	case !isDatetime(args[0].Type()) && !isDatetime(args[1].Type()):
		return resolveNumbers(name, name, ClosedSeries, args)
	}
	times, err := Resolve("sequence", args)
	if err != nil {
		return nil, noTable(name, args)
	}
	f, err := resolveExplode(name, []expr.Expr{times})
	if err == nil {
		f.Columns[0].Name = name
	}
	return f, err
}
