package exec

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// createTable stages a new table and fills it from the query, if there is one.
func (x *executor) createTable(n *plan.CreateTable) (*Result, error) {
	partition := make([]storage.PartitionField, len(n.Partition))
	for i, f := range n.Partition {
		partition[i] = storage.PartitionField(f)
	}
	target, err := x.env.Tx.CreateTable(x.ctx, n.Name, storage.TableDefinition{
		Format: n.Format, Location: n.Location, Schema: n.Definition, Partition: partition, KeyColumns: n.KeyColumns,
		Properties: n.Properties, Comment: n.Comment,
	})
	if n.IfNotExists && errors.Is(err, storage.ErrTableExists) {
		return &Result{}, nil
	}
	if err != nil || n.Input == nil {
		return &Result{}, err
	}
	return x.insert(&plan.Insert{Target: target, Input: n.Input})
}

func (x *executor) dropTable(n *plan.DropTable) (*Result, error) {
	err := x.env.Tx.DropTable(x.ctx, n.Name)
	if n.IfExists && errors.Is(err, storage.ErrTableNotFound) {
		err = nil
	}
	return &Result{}, err
}

func (x *executor) showTables(n *plan.ShowTables) (*Result, error) {
	tables, err := x.env.Tx.ListTables(x.ctx, n.Namespace)
	if err != nil {
		return nil, err
	}
	rows := newRows(n.Schema())
	for _, t := range tables {
		matches, err := x.matchesPattern(t.Name, n.Pattern)
		if err != nil {
			return nil, err
		}
		if matches {
			rows.add(t.Schema, t.Name, false)
		}
	}
	return rows.result(), nil
}

// matchesPattern reports whether a name is like a pattern, in which % and *
// stand for any text and case does not count; an empty pattern matches all.
func (x *executor) matchesPattern(name, pattern string) (bool, error) {
	if pattern == "" {
		return true, nil
	}
	like, err := eval.Resolve(expr.OpILike, []expr.Expr{expr.Str(name), expr.Str(strings.ReplaceAll(pattern, "*", "%"))})
	if err != nil {
		return false, err
	}
	v, err := eval.EvalConstant(like, x.env.Eval)
	return v == true, err
}

// describe lists the columns and, after them, what partitions the table, in the
// form of Spark's DESCRIBE, and the columns that tell its rows apart.
func (x *executor) describe(n *plan.Describe) (*Result, error) {
	rows := newRows(n.Schema())
	schema := n.Target.Schema()
	add := func(f types.Field) {
		var comment any
		if f.Comment != "" {
			comment = f.Comment
		}
		rows.add(f.Name, f.Type.CatalogString(), comment)
	}
	for _, f := range schema.Fields {
		add(f)
	}
	d := partitioning(n.Target)
	switch columns, ok := d.PartitionColumns(); {
	case ok && len(columns) > 0:
		rows.add("# Partition Information", "", "")
		rows.add("# col_name", "data_type", "comment")
		for _, name := range columns {
			add(schema.Fields[schema.Index(name)])
		}
	case !ok:
		rows.add("# Partitioning", "", "")
		for i, f := range d.Partition {
			rows.add(fmt.Sprint("Part ", i), plan.PartitionField(f).String(), "")
		}
	}
	if k, ok := n.Target.(plan.Keyed); ok && len(k.KeyColumns()) > 0 {
		rows.add("# Primary key", "", "")
		for _, name := range k.KeyColumns() {
			add(schema.Fields[schema.Index(name)])
		}
	}
	return rows.result(), nil
}

// partitioning is the part of a table's definition that says how its rows are
// partitioned.
func partitioning(t plan.Source) *storage.TableDefinition {
	d := &storage.TableDefinition{}
	if p, ok := t.(storage.Partitioned); ok {
		d.Partition = p.PartitionFields()
		return d
	}
	for _, name := range t.PartitionColumns() {
		d.Partition = append(d.Partition, storage.PartitionField{Column: name})
	}
	return d
}

// rowBuilder makes a result of rows that are known.
type rowBuilder struct {
	schema   types.Schema
	builders []*vector.Builder
}

func newRows(schema types.Schema) *rowBuilder {
	r := &rowBuilder{schema: schema}
	for _, f := range schema.Fields {
		r.builders = append(r.builders, vector.NewBuilder(f.Type, 0))
	}
	return r
}

func (r *rowBuilder) add(values ...any) {
	for i, v := range values {
		r.builders[i].AppendValue(v)
	}
}

func (r *rowBuilder) result() *Result {
	b := vector.NewBatch(r.builders[0].Len())
	for _, c := range r.builders {
		b.Columns = append(b.Columns, c.Vector())
	}
	return &Result{Schema: r.schema, rows: &batchOperator{batch: b}}
}
