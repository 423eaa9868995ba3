package plan

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// Node is a node of a plan.
type Node interface {
	// Schema describes the rows that the node gives; names need not be unique.
	Schema() types.Schema
	// Children are the node's inputs.
	Children() []Node
	// WithChildren copies the node with other inputs of the same schemas.
	WithChildren([]Node) Node
	// Explain is the node as EXPLAIN shows it: a title and further lines.
	Explain() []string
}

// ExprMapper is met by nodes that have expressions over their input's rows.
type ExprMapper interface {
	// MapExprs copies the node with f applied to each of its expressions, not to
	// those of its inputs.
	MapExprs(f func(expr.Expr) expr.Expr) Node
}

// mapAll gives f of each expression.
func mapAll(exprs []expr.Expr, f func(expr.Expr) expr.Expr) []expr.Expr {
	out := make([]expr.Expr, len(exprs))
	for i, e := range exprs {
		out[i] = f(e)
	}
	return out
}

// mapOptional gives f of an expression, nil for nil.
func mapOptional(e expr.Expr, f func(expr.Expr) expr.Expr) expr.Expr {
	if e == nil {
		return nil
	}
	return f(e)
}

// Source is a table as the plan sees it. Snapshots of package storage have
// these methods.
type Source interface {
	Name() types.TableName
	Schema() types.Schema
	PartitionColumns() []string
}

// ErrReadOnly says that a statement would write where only reading is allowed.
// ErrReadOnlySnapshot is the case of a table that the statement pins to a past
// state.
var (
	ErrReadOnly         = errors.New("read-only")
	ErrReadOnlySnapshot = fmt.Errorf("a past state of a table is %w", ErrReadOnly)
)

// AsOf pins a table to a past state; exactly one field is set.
type AsOf struct {
	Version   *int64
	Timestamp *time.Time
	Ref       string // branch or tag
}

// Catalog resolves table names for the binder. A transaction implements it.
type Catalog interface {
	// Resolve gives a table to read, at a past state if asOf is not nil. It
	// does I/O: the state is read from the table's log, unless it is pinned
	// already, and rows that the transaction has written are completed as files.
	Resolve(ctx context.Context, name types.TableName, asOf *AsOf) (Source, error)
	// Target gives a table to write to, in its newest state, or in the one that a
	// transaction has pinned with what it has staged.
	Target(ctx context.Context, name types.TableName) (Source, error)
}

// ScanSpec is what a Scan asks of the storage. Column positions in the filters
// are those of Source.Schema.
type ScanSpec struct {
	Columns         []string  // in order; the scan gives these
	PartitionFilter expr.Expr // reads partition columns only; applied exactly
	DataFilter      expr.Expr // skips files, row groups and rows
	Residual        expr.Expr // what the storage does not apply exactly; filtered after the scan
	LimitHint       int64     // rows that are enough; 0 for none
}

// Scan reads a table. Its rows are Spec.Columns and, if RowPositions is set,
// FileColumn and PositionColumn.
type Scan struct {
	Source       Source
	Alias        string
	AsOf         *AsOf
	Spec         ScanSpec
	RowPositions bool
	// Dynamic are the filters that joins above give while the plan runs.
	Dynamic []DynamicFilter
}

// DynamicFilter keeps the rows of a scan whose column has a value that a join
// has met in its right input (JoinKey.Feeds bears the same ID), or one of TopN.
type DynamicFilter struct {
	ID     int
	Column int // position in the scan's columns
	// TopN: the filter is of a Sort under a Limit (Sort.Feeds) and keeps the rows
	// that may be among the first, fewer and fewer of them.
	TopN       bool
	Descending bool // the order of TopN
}

// MetadataColumn is the name of a column that Spec.Columns may have besides those
// of the source: a STRUCT that tells of the file that a row is in.
const MetadataColumn = "_metadata"

// RowIDColumn is the name of a column that Spec.Columns may have in place of
// MetadataColumn where KeepsRowIDs says so: its field row_id alone.
const RowIDColumn = MetadataColumn + ".row_id"

// MetadataSource is a Source that has a MetadataColumn of some type.
type MetadataSource interface {
	MetadataColumn() types.Type
}

// Keyed is a Source that says which columns tell its rows apart; none if it does
// not.
type Keyed interface{ KeyColumns() []string }

// KeepsRowIDs tells whether rows of a table have ids, which stay when they change.
func KeepsRowIDs(s Source) bool {
	m, ok := s.(MetadataSource)
	return ok && types.Schema{Fields: m.MetadataColumn().Fields}.Index("row_id") >= 0 && s.Schema().Index(RowIDColumn) < 0
}

// The columns that RowPositions adds: the ordinal of the row's file among the
// scan's tasks, and the row's position in the file.
const (
	FileColumn     = "_file"
	PositionColumn = "_position"
)

// Schema implements Node.
func (s *Scan) Schema() types.Schema {
	all := s.Source.Schema()
	out := types.Schema{Fields: make([]types.Field, 0, len(s.Spec.Columns)+2)}
	for _, name := range s.Spec.Columns {
		i := all.Index(name)
		m, ok := s.Source.(MetadataSource)
		switch {
		case i < 0 && name == RowIDColumn:
			out.Fields = append(out.Fields, types.Field{Name: name, Type: types.Of(types.BigInt), Nullable: true})
		case i < 0 && ok:
			out.Fields = append(out.Fields, types.Field{Name: name, Type: m.MetadataColumn()})
		default:
			out.Fields = append(out.Fields, all.Fields[i])
		}
	}
	if s.RowPositions {
		out.Fields = append(out.Fields, types.Field{Name: FileColumn, Type: types.Of(types.Int)},
			types.Field{Name: PositionColumn, Type: types.Of(types.BigInt)})
	}
	return out
}

// Children implements Node.
func (s *Scan) Children() []Node { return nil }

// WithChildren implements Node.
func (s *Scan) WithChildren([]Node) Node { return s }

// Values gives literal rows. A SELECT without FROM reads a Values of one row
// and no columns.
type Values struct {
	Rows   [][]expr.Expr
	Fields []types.Field
}

// Schema implements Node.
func (v *Values) Schema() types.Schema { return types.Schema{Fields: v.Fields} }

// Children implements Node.
func (v *Values) Children() []Node { return nil }

// WithChildren implements Node.
func (v *Values) WithChildren([]Node) Node { return v }

// MapExprs implements ExprMapper.
func (v *Values) MapExprs(f func(expr.Expr) expr.Expr) Node {
	out := &Values{Rows: make([][]expr.Expr, len(v.Rows)), Fields: v.Fields}
	for i, row := range v.Rows {
		out.Rows[i] = mapAll(row, f)
	}
	return out
}

// Feed gives rows that a program hands over. Next gives a batch of Fields,
// valid until the next call, or io.EOF.
type Feed struct {
	Fields []types.Field
	Next   func(ctx context.Context) (*vector.Batch, error)
}

// Schema implements Node.
func (f *Feed) Schema() types.Schema { return types.Schema{Fields: f.Fields} }

// Children implements Node.
func (f *Feed) Children() []Node { return nil }

// WithChildren implements Node.
func (f *Feed) WithChildren([]Node) Node { return f }

// Filter gives the input's rows for which Condition is true.
type Filter struct {
	Input     Node
	Condition expr.Expr
}

// Schema implements Node.
func (f *Filter) Schema() types.Schema { return f.Input.Schema() }

// Children implements Node.
func (f *Filter) Children() []Node { return []Node{f.Input} }

// WithChildren implements Node.
func (f *Filter) WithChildren(c []Node) Node { return &Filter{Input: c[0], Condition: f.Condition} }

// MapExprs implements ExprMapper.
func (f *Filter) MapExprs(change func(expr.Expr) expr.Expr) Node {
	return &Filter{Input: f.Input, Condition: change(f.Condition)}
}

// Project computes a row per input row.
type Project struct {
	Input Node
	Exprs []expr.Expr
	Names []string
}

// Schema implements Node.
func (p *Project) Schema() types.Schema { return exprSchema(p.Exprs, p.Names) }

func exprSchema(exprs []expr.Expr, names []string) types.Schema {
	out := types.Schema{Fields: make([]types.Field, len(exprs))}
	for i, e := range exprs {
		out.Fields[i] = types.Field{Name: names[i], Type: e.Type(), Nullable: e.Nullable()}
	}
	return out
}

// Children implements Node.
func (p *Project) Children() []Node { return []Node{p.Input} }

// WithChildren implements Node.
func (p *Project) WithChildren(c []Node) Node {
	return &Project{Input: c[0], Exprs: p.Exprs, Names: p.Names}
}

// MapExprs implements ExprMapper.
func (p *Project) MapExprs(f func(expr.Expr) expr.Expr) Node {
	return &Project{Input: p.Input, Exprs: mapAll(p.Exprs, f), Names: p.Names}
}

// SortKey orders rows by an expression.
type SortKey struct {
	Expr       expr.Expr
	Descending bool
	NullsFirst bool
}

// Sort orders the input's rows.
type Sort struct {
	Input Node
	Keys  []SortKey
	// Feeds is the ID of the dynamic filter that the first key's bound is for,
	// under a Limit; 0 if there is none.
	Feeds int
}

// Schema implements Node.
func (s *Sort) Schema() types.Schema { return s.Input.Schema() }

// Children implements Node.
func (s *Sort) Children() []Node { return []Node{s.Input} }

// WithChildren implements Node.
func (s *Sort) WithChildren(c []Node) Node {
	return &Sort{Input: c[0], Keys: s.Keys, Feeds: s.Feeds}
}

// MapExprs implements ExprMapper.
func (s *Sort) MapExprs(f func(expr.Expr) expr.Expr) Node {
	return &Sort{Input: s.Input, Keys: MapKeys(s.Keys, f)}
}

// MapKeys gives the keys with f applied to their expressions.
func MapKeys(keys []SortKey, f func(expr.Expr) expr.Expr) []SortKey {
	out := make([]SortKey, len(keys))
	for i, k := range keys {
		k.Expr = f(k.Expr)
		out[i] = k
	}
	return out
}

// NoLimit is the Count of a Limit that only has an offset.
const NoLimit int64 = -1

// Limit gives Count rows after skipping Offset.
type Limit struct {
	Input  Node
	Count  int64
	Offset int64
}

// Needed is the number of the first rows of the input that are enough, or
// NoLimit if there is no such number.
func (l *Limit) Needed() int64 {
	if l.Count == NoLimit || l.Count > math.MaxInt64-l.Offset {
		return NoLimit
	}
	return l.Count + l.Offset
}

// Schema implements Node.
func (l *Limit) Schema() types.Schema { return l.Input.Schema() }

// Children implements Node.
func (l *Limit) Children() []Node { return []Node{l.Input} }

// WithChildren implements Node.
func (l *Limit) WithChildren(c []Node) Node {
	return &Limit{Input: c[0], Count: l.Count, Offset: l.Offset}
}

// Union gives the rows of all inputs, which have the same column types
// (UNION ALL; UNION is an Aggregate over it).
type Union struct {
	Inputs []Node
}

// Schema implements Node.
func (u *Union) Schema() types.Schema {
	out := types.Schema{Fields: append([]types.Field{}, u.Inputs[0].Schema().Fields...)}
	for _, in := range u.Inputs[1:] {
		for i, f := range in.Schema().Fields {
			out.Fields[i].Nullable = out.Fields[i].Nullable || f.Nullable
		}
	}
	return out
}

// Children implements Node.
func (u *Union) Children() []Node { return u.Inputs }

// WithChildren implements Node.
func (u *Union) WithChildren(c []Node) Node { return &Union{Inputs: c} }
