package exec

import (
	"context"
	"errors"
	"io"
	"runtime"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// Tx is what running a statement needs of its transaction.
type Tx interface {
	// NoteRead notes that a statement reads the rows of a table for which filter
	// is true. It reads nothing itself.
	NoteRead(source plan.Source, filter expr.Expr)
	// Append hands over new rows of a table. They join the rows of the
	// transaction's other INSERTs. read is what they were made from, as in
	// storage.RowDelta.ReadFilter.
	Append(ctx context.Context, target plan.Source, rows *vector.Batch, read expr.Expr) error
	// NewWriter gives a writer of the statement's own; the size of files is the
	// transaction's affair. What it completes is handed over with Stage.
	NewWriter(ctx context.Context, target plan.Source, options storage.WriteOptions) (storage.DeltaWriter, error)
	// Stage makes a change part of the transaction.
	Stage(ctx context.Context, target plan.Source, delta storage.RowDelta) error
	// CreateTable stages a new table and gives it as a target.
	CreateTable(ctx context.Context, name types.TableName, definition storage.TableDefinition) (plan.Source, error)
	// DropTable stages the removal of a table.
	DropTable(ctx context.Context, name types.TableName) error
	// ListTables lists the tables of a schema.
	ListTables(ctx context.Context, schema string) ([]types.TableName, error)
}

// Env is what a plan runs in.
type Env struct {
	Eval    *eval.Env
	Threads int // workers; 0 for GOMAXPROCS
	Tx      Tx
	// Budget bounds what the statement keeps in memory; nil for no bound. What it
	// refuses goes to files in TempDir; empty for os.TempDir.
	Budget  *Budget
	TempDir string
}

// Result is a running or finished statement.
type Result struct {
	Schema types.Schema
	// RowsAffected counts inserted, updated and deleted rows.
	RowsAffected int64
	Uncounted    bool     // rows were deleted by key, nobody knows how many
	rows         operator // nil for commands
	cancel       context.CancelFunc
	memory       *statementMemory
	done         error // set once Next has given an error
}

// Run runs a plan. Commands are finished when it returns; rows are read with
// Next. The caller closes the result.
func Run(ctx context.Context, n plan.Node, env Env) (result *Result, err error) {
	defer storage.Guard(&err)
	if env.Threads <= 0 {
		env.Threads = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancel(ctx)
	x := &executor{ctx: ctx, env: env, memory: newStatementMemory(env), reads: map[types.TableName]expr.Expr{}, planned: map[*plan.Scan]storage.Scan{}, filters: map[int]*dynamicFilter{}, sharing: map[*plan.WorkingTable]*sharing{}}
	defer func() {
		if result == nil || result.rows == nil {
			cancel() // nothing is left to run
			x.memory.close()
		}
	}()
	if result, err = x.run(n); err != nil {
		return nil, err
	}
	result.cancel, result.memory = cancel, x.memory
	return result, nil
}

// Next gives the next batch, valid until the next call, or io.EOF.
func (r *Result) Next(ctx context.Context) (batch *vector.Batch, err error) {
	defer storage.Guard(&err)
	if r.done != nil {
		return nil, r.done
	}
	if r.rows == nil {
		return nil, io.EOF
	}
	b, err := r.rows.next(ctx)
	if err != nil {
		r.done = err
	}
	return b, err
}

// Close stops the workers and waits for them.
func (r *Result) Close() error {
	if r.rows == nil {
		return nil
	}
	r.cancel()
	err := r.rows.close()
	r.rows = nil
	r.memory.close()
	return err
}

// executor builds the operators of one statement.
type executor struct {
	ctx    context.Context // ends when the Result is closed
	env    Env
	memory *statementMemory
	stats  *planStats // nil unless EXPLAIN
	// reads are the rows that the statement's scans read, by table.
	reads map[types.TableName]expr.Expr
	// planned holds the scans, which are planned once.
	planned map[*plan.Scan]storage.Scan
	// filters are the dynamic filters by ID.
	filters map[int]*dynamicFilter
	// working holds the rows that the steps of recursions read.
	working map[*plan.WorkingTable]*vector.Batch
	// sharing tells where the rows of Shared nodes are. Operators look there when
	// they are built, which is before any runs.
	sharing map[*plan.WorkingTable]*sharing
}

// run runs commands and starts queries.
func (x *executor) run(n plan.Node) (*Result, error) {
	switch n := n.(type) {
	case *plan.Insert:
		return x.insert(n)
	case *plan.Delete:
		return x.delete(n)
	case *plan.Update:
		return x.update(n)
	case *plan.Merge:
		return x.merge(n)
	case *plan.Upsert:
		return x.upsert(n)
	case *plan.DeleteKeys:
		return x.deleteKeys(n)
	case *plan.CreateTable:
		return x.createTable(n)
	case *plan.DropTable:
		return x.dropTable(n)
	case *plan.ShowTables:
		return x.showTables(n)
	case *plan.Describe:
		return x.describe(n)
	case *plan.Explain:
		return x.explain(n)
	}
	op, err := x.single(n)
	if err != nil {
		return nil, err
	}
	return &Result{Schema: n.Schema(), rows: op}, nil
}

// drainOperators feeds every batch of the operators to the sinks that newSink
// makes, one sink and one goroutine for each operator, and closes them.
func drainOperators(ctx context.Context, ops []operator, newSink func(worker int) func(*vector.Batch) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	errs := make(chan error, len(ops))
	for i, op := range ops {
		sink := newSink(i)
		go func() {
			err := pump(ctx, op, sink)
			if err != nil {
				cancel(err) // the others have nothing to work for
			}
			errs <- errors.Join(err, op.close())
		}()
	}
	var first error
	for range ops {
		if err := <-errs; err != nil && first == nil {
			first = err
		}
	}
	// What failed first stopped the others, which may be heard of before it.
	if cause := context.Cause(ctx); first != nil && cause != nil {
		return cause
	}
	return first
}

func pump(ctx context.Context, op operator, sink func(*vector.Batch) error) (err error) {
	defer storage.Guard(&err)
	for {
		b, err := op.next(ctx)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = sink(b)
		}
		if err != nil {
			return err
		}
	}
}
