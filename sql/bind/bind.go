package bind

import (
	"context"
	"fmt"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
)

// Options are what a statement is bound with.
type Options struct {
	Catalog plan.Catalog
	Schema  string // of tables named without one; empty for types.DefaultSchema
	Format  string // of CREATE TABLE without USING; empty for the catalog's
	Text    string // the source that positions of the tree refer to
	Args    []Arg
	Env     *eval.Env // session time zone and statement time; nil for UTC
	Places  *Places   // what Statement puts places in; nil for nowhere
}

// Statement gives the plan of a statement.
func Statement(ctx context.Context, stmt ast.Statement, o Options) (plan.Node, error) {
	if o.Env == nil {
		o.Env = &eval.Env{}
	}
	if o.Places != nil {
		*o.Places = Places{text: o.Text, env: o.Env}
	}
	b := &binder{ctx: ctx, Options: o, metadata: namesMetadata(stmt), moments: &moments{}}
	node, err := b.settled(stmt)
	if err != nil {
		return nil, err
	}
	return node, b.unusedArgs(stmt)
}

// binder holds what binding a statement needs everywhere.
type binder struct {
	Options
	ctx  context.Context
	ctes map[string]*cte
	// columnAt remembers where columns were written, for errors found later.
	columnAt map[*expr.Column]ast.Pos
	// outers are what the expr.Outer of the statement refer to, by ID; outerUses
	// are the IDs in the order of the references.
	outers    []outerColumn
	outerUses []int
	bound     map[*expr.Literal]Arg // which literals are arguments
	moments   *moments              // what the times among the arguments are; nil where there are none
	metadata  bool                  // the statement names plan.MetadataColumn, so scans give it
}

func (b *binder) statement(stmt ast.Statement) (plan.Node, error) {
	switch s := stmt.(type) {
	case *ast.Query:
		node, _, err := b.query(s, nil)
		return node, err
	case *ast.Insert:
		return b.insert(s)
	case *ast.Delete:
		return b.delete(s)
	case *ast.Truncate:
		return b.delete(&ast.Delete{Loc: s.Loc, Table: s.Table})
	case *ast.Update:
		return b.update(s)
	case *ast.Merge:
		return b.merge(s)
	case *ast.Upsert:
		return b.upsert(s)
	case *ast.ApplyChanges:
		return b.applyChanges(s)
	case *ast.CreateTable:
		return b.createTable(s)
	case *ast.DropTable:
		if s.Purge { // whether files go is the catalog's affair
			return nil, b.unsupported(s, "DROP TABLE with PURGE")
		}
		name, err := b.tableName(s.Table)
		return &plan.DropTable{Name: name, IfExists: s.IfExists}, err
	case *ast.ShowTables:
		return b.showTables(s)
	case *ast.Describe:
		return b.describe(s)
	case *ast.Explain:
		node, err := b.statement(s.Stmt)
		if _, isSession := node.(*plan.Session); isSession && err == nil {
			err = b.unsupported(s.Stmt, "EXPLAIN of this statement")
		}
		return &plan.Explain{Input: node, Analyze: s.Analyze}, err
	}
	return b.session(stmt)
}

// unusedArgs refuses arguments that no parameter uses.
func (b *binder) unusedArgs(stmt ast.Statement) error {
	used := map[int]bool{}
	ast.Walk(stmt, func(n ast.Node) bool {
		if p, ok := n.(*ast.Param); ok {
			if i, err := b.argIndex(p); err == nil {
				used[i] = true
			}
		}
		return true
	})
	for i := range b.Args {
		if !used[i] {
			return b.errorAt(stmt, ErrParameter, "argument %d of %d has no parameter in the statement", i+1, len(b.Args))
		}
	}
	return nil
}

// unsupported is the refusal of something that the grammar knows and nothing
// executes.
func (b *binder) unsupported(n ast.Node, what string) error {
	return b.errorAt(n, ErrUnsupportedSQL, "%s is not supported yet", what)
}

func (b *binder) errorAt(n ast.Node, sentinel error, format string, args ...any) error {
	return b.wrapAt(n.Pos(), fmt.Errorf("%w: %s", sentinel, fmt.Sprintf(format, args...)))
}
