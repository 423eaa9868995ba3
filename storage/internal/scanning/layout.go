package scanning

import (
	"fmt"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

// Layout is what a scan reads of each file and gives in its batches.
type Layout struct {
	Schema types.Schema // of the batches
	// Read are the columns to read, positions in the table's schema: the Output
	// first ones are given, the others only the filter needs. In the batches the
	// metadata column or the row ids, and then the row positions, follow those that
	// are given.
	Read      []int
	Output    int
	Filter    expr.Expr // over Read; applied to every row
	Metadata  bool
	RowIDs    bool
	Positions bool
}

// Layout decides what is read for the request: the columns asked for and then
// those that only the conjuncts need which the reader applies, those that
// support calls exact.
func (r *Request) Layout(table types.TableName, schema types.Schema, metadata types.Type, support func(expr.Expr) storage.FilterSupport) (Layout, error) {
	l := Layout{Positions: r.Positions}
	names := r.Columns
	if names == nil {
		names = schema.Names()
	}
	for k, name := range names {
		i := schema.Index(name)
		if i < 0 && k == len(names)-1 && l.addMetadata(name, metadata) {
			break
		}
		if i < 0 {
			return l, fmt.Errorf("%w: table %s has no column %s", storage.ErrSchemaMismatch, table, types.QuoteIdent(name))
		}
		l.Schema.Fields = append(l.Schema.Fields, schema.Fields[i])
		l.Read = append(l.Read, i)
	}
	if l.Positions {
		l.Schema.Fields = append(l.Schema.Fields, types.Field{Name: "_position", Type: types.Of(types.BigInt)})
	}
	l.Output = len(l.Read)
	l.readFor(r.DataFilter, support)
	return l, nil
}

// addMetadata adds the metadata column, or the row ids in it, if that is the name.
func (l *Layout) addMetadata(name string, metadata types.Type) bool {
	f := types.Field{Name: name, Type: metadata}
	switch {
	case name == storage.MetadataColumn:
		l.Metadata = true
	case name == storage.RowIDColumn && storage.HasRowIDs(metadata):
		l.RowIDs, f.Type, f.Nullable = true, types.Of(types.BigInt), true
	default:
		return false
	}
	l.Schema.Fields = append(l.Schema.Fields, f)
	return true
}

// readFor adds what the exact conjuncts of a filter need.
func (l *Layout) readFor(filter expr.Expr, support func(expr.Expr) storage.FilterSupport) {
	var exact []expr.Expr
	for _, c := range expr.SplitConjuncts(filter) {
		if support(c) == storage.Exact {
			exact = append(exact, c)
		}
	}
	filter = expr.And(exact...)
	at := map[int]int{}
	for i, c := range l.Read {
		at[c] = i
	}
	for _, c := range expr.Columns(filter) {
		if _, ok := at[c.Index]; !ok {
			at[c.Index] = len(l.Read)
			l.Read = append(l.Read, c.Index)
		}
	}
	l.Filter = expr.Remap(filter, at)
}

// InTable gives an expression over Read the positions of the table's schema.
func (l *Layout) InTable(e expr.Expr) expr.Expr {
	at := map[int]int{}
	for i, c := range l.Read {
		at[i] = c
	}
	return expr.Remap(e, at)
}
