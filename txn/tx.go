package txn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

var (
	// ErrTxState says that a transaction is in no state for what was asked.
	ErrTxState = errors.New("transaction state")
	// ErrMultiTableCommit refuses a transaction's first write to a second table.
	ErrMultiTableCommit = errors.New("a transaction can write to one table only")
)

// Tx is a transaction.
type Tx struct {
	manager   *Manager
	readOnly  bool
	isolation storage.Isolation

	tables     map[string]*tableState
	written    *tableState // the table that the transaction writes to
	drop       *types.TableName
	savepoints []savepoint
	failed     error // set when the shared writer broke: only Rollback is left
	done       bool
}

// tableState is a table as the transaction sees it.
type tableState struct {
	table  storage.Table
	base   storage.Snapshot // at first touch
	staged *writeSet
	read   expr.Expr        // see storage.RowDelta.TxReadFilter; outlives a rollback to a savepoint
	view   storage.Snapshot // base with staged applied; nil when that changed
	shared storage.DeltaWriter
}

// touch pins a table's snapshot at its first use.
func (t *Tx) touch(ctx context.Context, name types.TableName) (*tableState, error) {
	switch {
	case t.done:
		return nil, fmt.Errorf("%w: it has ended", ErrTxState)
	case t.failed != nil:
		return nil, fmt.Errorf("%w: it must be rolled back after: %w", ErrTxState, t.failed)
	}
	if s := t.touched(name); s != nil {
		return s, t.notDropped(s.table)
	}
	table, snapshot, err := t.manager.load(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := t.notDropped(table); err != nil {
		return nil, err
	}
	if s, ok := t.tables[key(table.Name())]; ok {
		return s, nil // under another spelling
	}
	return t.add(table, snapshot), nil
}

// notDropped refuses the table that the transaction has dropped.
func (t *Tx) notDropped(table storage.Table) error {
	if t.drop != nil && *t.drop == table.Name() {
		return fmt.Errorf("%w: %s: this transaction has dropped it", storage.ErrTableNotFound, table.Name())
	}
	return nil
}

// touched finds the state of a table that the transaction has used by this
// name, or has created; nil if there is none.
func (t *Tx) touched(name types.TableName) *tableState {
	if s, ok := t.tables[key(name)]; ok {
		return s
	}
	for k, s := range t.tables {
		if s.base.Version() == storage.NoVersion && strings.EqualFold(k, key(name)) {
			return s
		}
	}
	return nil
}

func (t *Tx) add(table storage.Table, base storage.Snapshot) *tableState {
	s := &tableState{table: table, base: base, staged: newWriteSet()}
	t.tables[key(table.Name())] = s
	return s
}

// Resolve implements plan.Catalog. At first touch it lists the table's log and
// reads what is new in it, checkpoints too. Rows that the transaction wrote are
// in the source, except in a past state, so the writer that its INSERTs share is
// completed first.
func (t *Tx) Resolve(ctx context.Context, name types.TableName, asOf *plan.AsOf) (plan.Source, error) {
	source, err := t.resolve(ctx, name, asOf)
	if errors.Is(err, storage.ErrTableNotFound) {
		if rows, metadataErr := t.metadataTable(ctx, name, asOf); rows != nil || metadataErr != nil {
			return rows, metadataErr
		}
	}
	if err != nil {
		return nil, err
	}
	return source, nil
}

func (t *Tx) resolve(ctx context.Context, name types.TableName, asOf *plan.AsOf) (storage.Snapshot, error) {
	if asOf != nil {
		return t.past(ctx, name, asOf)
	}
	s, err := t.touch(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := t.flush(ctx, s); err != nil {
		return nil, err
	}
	return s.current()
}

// metadataTable looks for a table that is named by all parts of a name but the
// last, which names one of its metadata tables; nil if there is no such table.
func (t *Tx) metadataTable(ctx context.Context, name types.TableName, asOf *plan.AsOf) (plan.Source, error) {
	if name.IsPath() || name.Schema == "" {
		return nil, nil
	}
	owner := types.TableName{Schema: name.Catalog, Name: name.Schema}
	if dot := strings.LastIndexByte(name.Schema, '.'); dot >= 0 {
		owner = types.TableName{Catalog: name.Catalog, Schema: name.Schema[:dot], Name: name.Schema[dot+1:]}
	}
	s, err := t.resolve(ctx, owner, asOf)
	if errors.Is(err, storage.ErrTableNotFound) || errors.Is(err, storage.ErrSchemaNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	tables, ok := s.(storage.MetadataTables)
	if !ok {
		return nil, nil
	}
	rows, err := tables.MetadataTable(ctx, name.Name)
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// current gives the table's state with the transaction's own writes.
func (s *tableState) current() (storage.Snapshot, error) {
	if s.view == nil {
		s.view = s.base
		if d := s.staged.delta(); !d.IsEmpty() {
			view, err := s.base.Apply(d)
			if err != nil {
				return nil, err
			}
			s.view = view
		}
	}
	return s.view, nil
}

func (t *Tx) past(ctx context.Context, name types.TableName, asOf *plan.AsOf) (storage.Snapshot, error) {
	table, err := t.manager.table(ctx, name)
	if err == nil {
		err = t.notDropped(table)
	}
	if err != nil {
		return nil, err
	}
	if asOf.Ref != "" {
		refs, ok := table.(storage.RefManager)
		if !ok {
			return nil, fmt.Errorf("%w: table %s has no branch or tag %q", storage.ErrVersionNotFound, name, asOf.Ref)
		}
		return refs.LoadRef(ctx, asOf.Ref)
	}
	if asOf.Version != nil {
		return table.LoadAt(ctx, storage.Version(*asOf.Version))
	}
	version, err := table.ActiveCommitAtTime(ctx, *asOf.Timestamp, storage.StrictTimestamp)
	if err != nil {
		return nil, err
	}
	return table.LoadAt(ctx, version)
}

// Target implements plan.Catalog.
func (t *Tx) Target(ctx context.Context, name types.TableName) (plan.Source, error) {
	if t.readOnly {
		return nil, fmt.Errorf("%w transaction: %s can't be written to", plan.ErrReadOnly, name)
	}
	s, err := t.touch(ctx, name)
	if err != nil {
		return nil, err
	}
	view, err := s.current() // a table that the transaction created is known by its view
	if err != nil {
		return nil, err
	}
	return view, view.CheckWrite()
}

// NoteRead implements exec.Tx. Every read is noted: which of them count is
// decided at commit, when the table's own isolation level is known too.
func (t *Tx) NoteRead(source plan.Source, filter expr.Expr) {
	if s, ok := t.tables[key(source.Name())]; ok {
		s.read = storage.UnionReads(s.read, filter)
	}
}

// writable gives the state of a table for a write and notes that it is the one
// that the transaction writes to.
func (t *Tx) writable(ctx context.Context, target plan.Source) (*tableState, error) {
	s, err := t.touch(ctx, target.Name())
	switch {
	case err != nil:
		return nil, err
	case t.readOnly:
		return nil, fmt.Errorf("%w transaction: %s can't be written to", plan.ErrReadOnly, target.Name())
	case t.drop != nil:
		return nil, fmt.Errorf("%w: DROP TABLE must be the only statement of its transaction", ErrTxState)
	case t.hasWritten() && t.written != s:
		return nil, fmt.Errorf("%w: it has written to %s, so %s must be written in another", ErrMultiTableCommit, t.written.table.Name(), s.table.Name())
	}
	t.written = s
	return s, nil
}

// hasWritten reports whether any statement has staged a change.
func (t *Tx) hasWritten() bool {
	return t.written != nil && (t.written.shared != nil || t.written.staged.statements > 0)
}

// Append implements exec.Tx.
func (t *Tx) Append(ctx context.Context, target plan.Source, rows *vector.Batch, read expr.Expr) error {
	s, err := t.writable(ctx, target)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.staged.statement("WRITE", nil)
	s.staged.readFilter = storage.UnionReads(s.staged.readFilter, read)
	if rows.Rows() == 0 {
		return nil
	}
	if s.shared == nil {
		if s.shared, err = t.NewWriter(ctx, target, storage.WriteOptions{Operation: "WRITE"}); err != nil {
			return err
		}
	}
	// The files that the writer opens outlive the statement and its context.
	if err := s.shared.Write(context.WithoutCancel(ctx), rows); err != nil {
		t.failed = err
		return err
	}
	s.view = nil
	return nil
}

// NewWriter implements exec.Tx.
func (t *Tx) NewWriter(ctx context.Context, target plan.Source, options storage.WriteOptions) (storage.DeltaWriter, error) {
	s, err := t.writable(ctx, target)
	if err != nil {
		return nil, err
	}
	if len(options.Keys) > 0 { // rows with the keys may be in the shared writer
		if err := t.flush(ctx, s); err != nil {
			return nil, err
		}
	}
	view, err := s.current()
	if err != nil {
		return nil, err
	}
	options.TargetFileSizeBytes = t.manager.options.TargetFileSizeBytes
	return s.table.NewDeltaWriter(ctx, view, options)
}

// Stage implements exec.Tx.
func (t *Tx) Stage(ctx context.Context, target plan.Source, delta storage.RowDelta) error {
	s, err := t.writable(ctx, target)
	if err != nil {
		return err
	}
	s.staged.stage(delta)
	s.view = nil
	return nil
}

// flush completes the shared writer of a table and stages its files.
func (t *Tx) flush(ctx context.Context, s *tableState) error {
	if s.shared == nil {
		return nil
	}
	w := s.shared
	s.shared = nil
	result, err := w.Complete(ctx)
	if err != nil {
		t.failed = err
		return errors.Join(err, w.Abort(context.WithoutCancel(ctx)))
	}
	s.staged.addFiles(result.DataFiles)
	s.view = nil
	return nil
}

// CreateTable implements exec.Tx.
func (t *Tx) CreateTable(ctx context.Context, name types.TableName, definition storage.TableDefinition) (plan.Source, error) {
	if t.readOnly {
		return nil, fmt.Errorf("%w transaction: %s can't be created", plan.ErrReadOnly, name)
	}
	if t.drop != nil {
		return nil, fmt.Errorf("%w: DROP TABLE must be the only statement of its transaction", ErrTxState)
	}
	if t.touched(name) != nil {
		return nil, fmt.Errorf("%w: %s", storage.ErrTableExists, name)
	}
	switch other, _, err := t.manager.load(ctx, name); { // of any spelling
	case err == nil:
		return nil, fmt.Errorf("%w: %s", storage.ErrTableExists, other.Name())
	case !errors.Is(err, storage.ErrTableNotFound):
		return nil, err
	}
	table, err := t.manager.catalog.NewTable(ctx, name, definition)
	if err != nil {
		return nil, err
	}
	base, err := table.LoadLatest(ctx)
	if err != nil {
		return nil, err
	}
	if t.hasWritten() {
		return nil, fmt.Errorf("%w: it has written to %s, so %s must be created in another", ErrMultiTableCommit, t.written.table.Name(), name)
	}
	s := t.add(table, base)
	t.written = s
	s.staged.stage(storage.RowDelta{Definition: &definition, Operation: "CREATE TABLE"})
	return s.current()
}

// DropTable implements exec.Tx.
func (t *Tx) DropTable(ctx context.Context, name types.TableName) error {
	switch {
	case t.readOnly:
		return fmt.Errorf("%w transaction: %s can't be dropped", plan.ErrReadOnly, name)
	case t.hasWritten() || t.drop != nil:
		return fmt.Errorf("%w: DROP TABLE must be the only statement of its transaction", ErrTxState)
	}
	table, err := t.manager.table(ctx, name)
	if err != nil {
		return err
	}
	name = table.Name()
	t.drop = &name
	return nil
}

// ListTables implements exec.Tx. A table that the transaction has created is
// listed, one that it has dropped is not.
func (t *Tx) ListTables(ctx context.Context, schema string) ([]types.TableName, error) {
	names, err := t.manager.catalog.ListTables(ctx, schema)
	if err != nil {
		return nil, err
	}
	in := func(n types.TableName) bool {
		return !n.IsPath() && strings.EqualFold(cmp.Or(n.Schema, types.DefaultSchema), cmp.Or(schema, types.DefaultSchema))
	}
	if t.drop != nil && in(*t.drop) {
		names = slices.DeleteFunc(names, func(n types.TableName) bool { return n.Name == t.drop.Name })
	}
	if s := t.written; s != nil && s.staged.definition != nil && s.base.Version() == storage.NoVersion {
		if n := s.table.Name(); in(n) {
			n.Schema = cmp.Or(schema, types.DefaultSchema)
			names = append(names, n)
			slices.SortFunc(names, func(a, b types.TableName) int { return strings.Compare(a.Name, b.Name) })
		}
	}
	return names, nil
}
