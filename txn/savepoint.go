package txn

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

// savepoint is what the transaction would commit at a moment.
type savepoint struct {
	name    string
	written *tableState
	staged  *writeSet // of written; nil if nothing was written yet
	drop    *types.TableName
}

// Savepoint marks the state that RollbackTo goes back to.
func (t *Tx) Savepoint(ctx context.Context, name string) error {
	s := savepoint{name: name, written: t.written, drop: t.drop}
	if t.written != nil {
		if err := t.flush(ctx, t.written); err != nil {
			return err
		}
		s.staged = t.written.staged.clone()
	}
	t.savepoints = append(t.savepoints, s)
	return nil
}

// RollbackTo undoes what was written after a savepoint, which stays. What was
// read stays known.
func (t *Tx) RollbackTo(ctx context.Context, name string) error {
	i, err := t.findSavepoint(name)
	if err != nil {
		return err
	}
	s := t.savepoints[i]
	t.savepoints = t.savepoints[:i+1]
	t.drop = s.drop
	w := t.written
	if w == nil {
		return nil
	}
	if w.shared != nil {
		writer := w.shared
		w.shared = nil
		if err := writer.Abort(ctx); err != nil {
			return err
		}
	}
	old := w.staged
	if s.staged != nil {
		w.staged = s.staged.clone()
	} else {
		w.staged = newWriteSet()
		t.written = nil
		if w.base.Version() == storage.NoVersion {
			delete(t.tables, key(w.table.Name())) // it was created after the savepoint
		}
	}
	w.view = nil
	keep := map[string]bool{}
	for _, f := range w.staged.files() {
		keep[f.Path] = true
	}
	var gone []storage.DataFile
	for _, f := range old.files() {
		if !keep[f.Path] {
			gone = append(gone, f)
		}
	}
	var goneDeletes []storage.DeleteFile
	for _, f := range w.staged.deletes() {
		keep[f.Path] = true
	}
	for _, f := range old.deletes() {
		if !keep[f.Path] {
			goneDeletes = append(goneDeletes, f)
		}
	}
	return w.table.RemoveFiles(ctx, gone, goneDeletes)
}

// Release forgets a savepoint and those after it.
func (t *Tx) Release(name string) error {
	i, err := t.findSavepoint(name)
	if err == nil {
		t.savepoints = t.savepoints[:i]
	}
	return err
}

func (t *Tx) findSavepoint(name string) (int, error) {
	for i := len(t.savepoints) - 1; i >= 0; i-- {
		if strings.EqualFold(t.savepoints[i].name, name) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%w: no savepoint %s", ErrTxState, name)
}

// Rollback drops the transaction and removes the files that it staged.
func (t *Tx) Rollback(ctx context.Context) error {
	if t.done {
		return fmt.Errorf("%w: it has ended", ErrTxState)
	}
	return t.discard(ctx)
}

// discard ends the transaction and removes everything that it wrote.
func (t *Tx) discard(ctx context.Context) error {
	t.done = true
	ctx = context.WithoutCancel(ctx)
	var errs []error
	for _, s := range t.tables {
		if s.shared != nil {
			errs = append(errs, s.shared.Abort(ctx))
			s.shared = nil
		}
		if files, deletes := s.staged.files(), s.staged.deletes(); len(files)+len(deletes) > 0 {
			errs = append(errs, s.table.RemoveFiles(ctx, files, deletes))
		}
	}
	return errors.Join(errs...)
}
