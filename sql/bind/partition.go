package bind

import (
	"math"
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// transforms are the names of partition transforms, as Spark and the Iceberg spec
// write them.
var transforms = map[string]string{
	"identity": "", "bucket": "bucket", "truncate": "truncate", "year": "year", "years": "year", "month": "month", "months": "month",
	"day": "day", "days": "day", "date": "day", "hour": "hour", "hours": "hour", "date_hour": "hour",
}

// partitions binds PARTITIONED BY: columns, transforms of columns, or definitions
// of columns, which then come last.
func (b *binder) partitions(s *ast.CreateTable, out *plan.CreateTable) error {
	for _, p := range s.PartitionedBy {
		f, err := b.partitionField(p, out)
		if err != nil {
			return err
		}
		out.Partition = append(out.Partition, f)
	}
	seen := map[string]bool{}
	for _, f := range out.Definition.Fields {
		if seen[strings.ToLower(f.Name)] {
			return b.errorAt(s, ErrInvalidSQL, "column %s is defined twice", types.QuoteIdent(f.Name))
		}
		seen[strings.ToLower(f.Name)] = true
	}
	if len(out.Definition.Fields) == 0 {
		return b.errorAt(s, ErrInvalidSQL, "CREATE TABLE needs columns or AS SELECT")
	}
	return nil
}

func (b *binder) partitionField(p ast.PartitionField, out *plan.CreateTable) (f plan.PartitionField, err error) {
	column := p.Expr
	if call, ok := p.Expr.(*ast.Call); ok {
		if column, err = b.transform(call, &f); err != nil {
			return f, err
		}
	}
	ref, ok := column.(*ast.ColumnRef)
	if !ok || len(ref.Parts) != 1 {
		return f, b.unsupported(p, "partitioning by "+ast.String(column))
	}
	name := ref.Parts[0]
	if p.Type != nil {
		t, err := b.typeName(p.Type)
		if err != nil {
			return f, err
		}
		out.Definition.Fields = append(out.Definition.Fields, types.Field{Name: name.Name, Type: t, Nullable: true})
	}
	i := out.Definition.Index(name.Name)
	if i < 0 {
		return f, b.errorAt(name, ErrColumnNotFound, "PARTITIONED BY names %s, which is no column%s", name.Name, didYouMean(name.Name, out.Definition.Names()))
	}
	f.Column = out.Definition.Fields[i].Name
	if p.Name != nil {
		f.Name = p.Name.Name
	}
	return f, nil
}

// transform reads a call such as bucket(16, id) or day(ts) and gives what it is of.
// The number may come first or last.
func (b *binder) transform(call *ast.Call, f *plan.PartitionField) (column ast.Expr, err error) {
	name := strings.ToLower(call.Name[len(call.Name)-1].Name)
	transform, known := transforms[name]
	if !known || len(call.Name) > 1 {
		return nil, b.errorAt(call, ErrInvalidSQL, "%s is no partition transform; there are bucket(n, column), truncate(n, column), years, months, days and hours", ast.String(call))
	}
	f.Transform = transform
	args := slices.Clone(call.Args)
	if transform == "bucket" || transform == "truncate" {
		at := slices.IndexFunc(args, func(a ast.Expr) bool { _, isColumn := a.(*ast.ColumnRef); return !isColumn })
		if at < 0 || len(args) != 2 {
			return nil, b.errorAt(call, ErrInvalidSQL, "%s needs a number and a column", name)
		}
		n, err := b.rowCount(args[at], name)
		if err != nil {
			return nil, err
		}
		if n < 1 || n > math.MaxInt32 {
			return nil, b.errorAt(args[at], ErrInvalidSQL, "%s needs a number from 1 to %d", name, math.MaxInt32)
		}
		f.Argument, args = n, slices.Delete(args, at, at+1)
	}
	if len(args) != 1 {
		return nil, b.errorAt(call, ErrInvalidSQL, "%s needs one column", name)
	}
	return args[0], nil
}

// constraints binds the constraints of CREATE TABLE: PRIMARY KEY, which names the
// columns that tell rows apart. Nothing makes sure that they do but UPSERT.
func (b *binder) constraints(s *ast.CreateTable, out *plan.CreateTable) error {
	for _, c := range s.Constraints {
		switch {
		case c.Kind != ast.PrimaryKey:
			return b.unsupported(c, "a table constraint other than PRIMARY KEY")
		case s.AsQuery != nil:
			return b.unsupported(c, "PRIMARY KEY in CREATE TABLE … AS")
		case out.KeyColumns != nil:
			return b.errorAt(c, ErrInvalidSQL, "a table has one PRIMARY KEY")
		}
		for _, name := range c.Columns {
			i := out.Definition.Index(name.Name)
			if i < 0 {
				return b.errorAt(name, ErrColumnNotFound, "PRIMARY KEY names %s, which is no column%s", name.Name, didYouMean(name.Name, out.Definition.Names()))
			}
			f := &out.Definition.Fields[i]
			if slices.Contains(out.KeyColumns, f.Name) {
				return b.errorAt(name, ErrInvalidSQL, "column %s is named twice", types.QuoteIdent(f.Name))
			}
			if !f.Type.CanBeKey() {
				return b.errorAt(name, eval.ErrTypeMismatch, "column %s can't be a key, as it is %s", types.QuoteIdent(f.Name), f.Type)
			}
			f.Nullable = false
			out.KeyColumns = append(out.KeyColumns, f.Name)
		}
	}
	return nil
}
