package writer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/deletes"
)

// KeyColumns gives the positions of the columns that tell the rows of a table
// apart. It refuses types without an equality that every engine agrees on.
func KeyColumns(table types.TableName, schema types.Schema, names []string) ([]int, error) {
	var columns []int
	for _, name := range names {
		i := schema.Index(name)
		switch {
		case i < 0:
			return nil, fmt.Errorf("%w: table %s has no column %s that could be a key", storage.ErrSchemaMismatch, table, types.QuoteIdent(name))
		case !schema.Fields[i].Type.CanBeKey():
			return nil, fmt.Errorf("%w: column %s of table %s can't be a key, as it is of type %s", eval.ErrTypeMismatch, types.QuoteIdent(name), table, schema.Fields[i].Type)
		case slices.Contains(columns, i):
			return nil, fmt.Errorf("%w: column %s of table %s is a key twice", storage.ErrSchemaMismatch, types.QuoteIdent(name), table)
		}
		columns = append(columns, i)
	}
	return columns, nil
}

// Keys are keys whose rows are wanted. NULL equals NULL.
type Keys struct {
	schema  types.Schema // of the table
	columns []int        // positions in schema
	set     *deletes.KeySet
	ranges  []keyRange
	pending []*vector.Builder // values of the keys that are not in the set yet
}

// maxListed is how many values of a column a filter lists; of more it gives the
// bounds.
const maxListed = 50

// keyRange is the values that a key column has.
type keyRange struct {
	hasNull  bool
	min, max any
	listed   []any // nil if there are too many
	overflow bool
}

func newKeys(schema types.Schema, columns []int) *Keys {
	k := &Keys{schema: schema, columns: columns, ranges: make([]keyRange, len(columns))}
	var kinds []types.Type
	for _, c := range columns {
		kinds = append(kinds, schema.Fields[c].Type)
		k.pending = append(k.pending, vector.NewBuilder(schema.Fields[c].Type, 0))
	}
	k.set = deletes.NewKeySet(kinds, 0)
	return k
}

// Len is the number of keys.
func (k *Keys) Len() int { return k.set.Len() }

// add takes a key as vector.AppendKey makes it, whatever follows it.
func (k *Keys) add(key string) {
	rest := []byte(key)
	for i, c := range k.columns {
		t := k.schema.Fields[c].Type
		var value any
		value, rest = vector.ReadKey(rest, t)
		k.ranges[i].add(t, value)
		if value == nil {
			k.pending[i].AppendNull()
		} else {
			k.pending[i].AppendValue(value)
		}
	}
	if k.pending[0].Len() == vector.BatchRows {
		k.flush()
	}
}

// flush puts the keys added since the last call into the set.
func (k *Keys) flush() {
	b := &vector.Batch{Len: k.pending[0].Len()}
	for i, c := range k.columns {
		b.Columns = append(b.Columns, k.pending[i].Vector())
		k.pending[i] = vector.NewBuilder(k.schema.Fields[c].Type, 0)
	}
	k.set.Add(b, 1)
}

func (r *keyRange) add(t types.Type, value any) {
	if value == nil {
		r.hasNull = true
		return
	}
	equals := func(other any) bool { return compare(t, value, other) == 0 }
	if !r.overflow && !slices.ContainsFunc(r.listed, equals) {
		r.listed = append(r.listed, value)
		r.overflow = len(r.listed) > maxListed
	}
	if r.min == nil || compare(t, value, r.min) < 0 {
		r.min = value
	}
	if r.max == nil || compare(t, value, r.max) > 0 {
		r.max = value
	}
}

// compare orders values of a type that can be a key; all of those have an order.
func compare(t types.Type, a, b any) int {
	order, _ := types.CompareValues(t, a, b)
	return order
}

// filter is true for the values in the range.
func (r *keyRange) filter(index int, f types.Field) expr.Expr {
	column := &expr.Column{Index: index, Name: f.Name, T: f.Type, MayBeNull: f.Nullable}
	literal := func(value any) expr.Expr { return &expr.Literal{T: f.Type, Value: value} }
	var values, null expr.Expr
	switch {
	case r.min == nil:
	case r.overflow:
		values = expr.And(expr.Compare(expr.OpGreaterEqual, column, literal(r.min)), expr.Compare(expr.OpLessEqual, column, literal(r.max)))
	case len(r.listed) == 1:
		values = expr.Compare(expr.OpEqual, column, literal(r.min))
	default:
		in := &expr.Call{Name: expr.OpIn, Args: []expr.Expr{column}, T: types.Of(types.Boolean), MayBeNull: f.Nullable}
		for _, v := range r.listed {
			in.Args = append(in.Args, literal(v))
		}
		values = in
	}
	if r.hasNull {
		null = expr.IsNull(column)
	}
	return expr.Or(values, null)
}

// Filter is true for every row that has one of the keys. Column indexes are
// positions in the table's schema.
func (k *Keys) Filter() expr.Expr {
	var conjuncts []expr.Expr
	for i, c := range k.columns {
		conjuncts = append(conjuncts, k.ranges[i].filter(c, k.schema.Fields[c]))
	}
	return expr.And(conjuncts...)
}

// State is a state of a table, as a storage.Snapshot is one.
type State interface {
	storage.Scannable
	PartitionColumns() []string
}

// Find finds the rows of a state of the table that have one of the keys. A file
// may be named several times.
func (k *Keys) Find(ctx context.Context, s State, found func(f storage.DataFile, rows []int64) error) error {
	if k.Len() == 0 {
		return nil
	}
	scan, err := k.scan(s).Build(ctx)
	if err != nil {
		return err
	}
	for _, task := range scan.Tasks() {
		if err := k.findIn(ctx, scan, task, found); err != nil {
			return err
		}
	}
	return nil
}

// scan reads the keys and the positions of the rows that the filter can't tell
// from those that are wanted.
func (k *Keys) scan(s State) storage.ScanBuilder {
	var names []string
	for _, c := range k.columns {
		names = append(names, k.schema.Fields[c].Name)
	}
	scan := s.NewScan().WithColumns(names).WithRowPositions()
	for _, conjunct := range expr.SplitConjuncts(k.Filter()) {
		switch name := expr.Columns(conjunct)[0].Name; {
		case scan.Support(conjunct) == storage.Unsupported:
		case slices.Contains(s.PartitionColumns(), name):
			scan = scan.WithPartitionFilter(conjunct)
		default:
			scan = scan.WithDataFilter(conjunct)
		}
	}
	return scan
}

func (k *Keys) findIn(ctx context.Context, scan storage.Scan, task storage.ScanTask, found func(storage.DataFile, []int64) error) (err error) {
	rows, err := scan.Open(ctx, task)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var positions []int64
	var stay vector.Selection
	for {
		b, err := rows.Next(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		n := len(k.columns)
		stay = k.set.Keep(&vector.Batch{Columns: b.Columns[:n], Len: b.Len}, 0, stay)
		positions = appendOthers(positions, b, stay, b.Columns[n])
	}
	if len(positions) == 0 {
		return nil
	}
	return found(task.File, positions)
}

// appendOthers appends the values of a column for the rows of a batch that are not
// in a selection.
func appendOthers(out []int64, b *vector.Batch, stay vector.Selection, column *vector.Vector) []int64 {
	for k := range b.Rows() {
		row := int32(b.Row(k))
		for len(stay) > 0 && stay[0] < row {
			stay = stay[1:]
		}
		if len(stay) == 0 || stay[0] != row {
			out = append(out, column.Value(int(row)).(int64))
		}
	}
	return out
}
