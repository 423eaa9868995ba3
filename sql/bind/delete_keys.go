package bind

import (
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// deleteMode is the table property that asks for DELETE by key, with the value
// equality.
const deleteMode = "tarn.delete.mode"

// maxDeletedKeys is how many keys a DELETE by key names at most; one of more reads
// the table.
const maxDeletedKeys = 10_000

// deleteKeys gives the plan of a DELETE that takes keys away without reading the
// table: where the table's property asks for it and the condition says nothing but
// what the keys are equal to. It is nil otherwise. The keys are the table's key
// columns, or, in a table without, those that the condition compares.
func deleteKeys(t *target, filter expr.Expr) plan.Node {
	properties, ok := t.source.(interface{ Properties() map[string]string })
	if !ok || !strings.EqualFold(properties.Properties()[deleteMode], "equality") {
		return nil
	}
	values := map[int][]expr.Expr{}
	for _, conjunct := range expr.SplitConjuncts(filter) {
		column, list, ok := equalTo(conjunct)
		if !ok || values[column] != nil || column >= len(t.schema.Fields) {
			return nil
		}
		values[column] = list
	}
	keys := t.keysOf(values)
	if keys == nil {
		return nil
	}
	rows := keyRows(t, keys, values)
	if rows == nil {
		return nil
	}
	return &plan.DeleteKeys{Target: t.source, Keys: t.names(keys), Filter: filter, Input: rows}
}

// equalTo takes column = value, value = column and column IN (values) apart. Values
// that are NULL equal nothing.
func equalTo(e expr.Expr) (column int, values []expr.Expr, ok bool) {
	call, ok := e.(*expr.Call)
	if !ok || call.Name != expr.OpEqual && call.Name != expr.OpIn {
		return 0, nil, false
	}
	args := call.Args
	if _, isLiteral := args[0].(*expr.Literal); isLiteral && call.Name == expr.OpEqual {
		args = []expr.Expr{args[1], args[0]}
	}
	c, ok := args[0].(*expr.Column)
	if !ok || c.T.Char == types.Char || !c.T.CanBeKey() {
		return 0, nil, false
	}
	values = []expr.Expr{}
	for _, a := range args[1:] {
		l, ok := a.(*expr.Literal)
		if !ok || l.Value != nil && !sameValues(l.T, c.T) {
			return 0, nil, false
		}
		if l.Value != nil {
			values = append(values, &expr.Literal{T: c.T, Value: l.Value})
		}
	}
	return c.Index, values, true
}

// sameValues tells whether values of a are values of b as they are.
func sameValues(a, b types.Type) bool {
	return a.Equal(b) || a.Kind == types.String && b.Kind == types.String
}

// keysOf gives the columns that tell rows apart by a condition on columns; nil if
// the condition is not about exactly those.
func (t *target) keysOf(values map[int][]expr.Expr) (keys []int) {
	if k, ok := t.source.(plan.Keyed); ok {
		for _, name := range k.KeyColumns() {
			keys = append(keys, t.schema.Index(name))
		}
	}
	if keys == nil {
		for i := range t.schema.Fields {
			if values[i] != nil {
				keys = append(keys, i)
			}
		}
	}
	if len(keys) != len(values) || slices.ContainsFunc(keys, func(k int) bool { return values[k] == nil }) {
		return nil
	}
	return keys
}

// keyRows gives a row of the table for every key; nil if there are too many.
func keyRows(t *target, keys []int, values map[int][]expr.Expr) *plan.Values {
	out := &plan.Values{Fields: nullable(&plan.Values{Fields: t.schema.Fields}).Fields}
	empty := make([]expr.Expr, len(t.schema.Fields))
	for i, f := range t.schema.Fields {
		empty[i] = expr.Null(f.Type)
	}
	out.Rows = [][]expr.Expr{empty}
	for _, k := range keys {
		if len(out.Rows)*len(values[k]) > maxDeletedKeys {
			return nil
		}
		var rows [][]expr.Expr
		for _, row := range out.Rows {
			for _, v := range values[k] {
				with := slices.Clone(row)
				with[k] = v
				rows = append(rows, with)
			}
		}
		out.Rows = rows
	}
	return out
}
