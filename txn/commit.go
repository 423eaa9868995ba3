package txn

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/tarndb/tarn/storage"
)

const (
	// findTimeout bounds the look-up of a commit whose answer was lost.
	findTimeout = 30 * time.Second
	// firstBackoff and lastBackoff bound the pause after a lost race.
	firstBackoff = 2 * time.Millisecond
	lastBackoff  = 500 * time.Millisecond
	// mostUnanswered is how many attempts may fail without an answer, and turn
	// out not to be there, before their error is that of the commit.
	mostUnanswered = 3
)

// Commit publishes what the transaction wrote. Any error but
// storage.ErrCommitUnknown means that nothing was committed, but that a table
// which was to be dropped may be half removed and is a table no more; the
// transaction has ended in either case.
func (t *Tx) Commit(ctx context.Context) error {
	switch {
	case t.done:
		return fmt.Errorf("%w: it has ended", ErrTxState)
	case t.failed != nil:
		err := fmt.Errorf("%w: nothing was committed after: %w", ErrTxState, t.failed)
		return errors.Join(err, t.discard(ctx))
	case t.drop != nil:
		t.done = true
		t.manager.forget(*t.drop)
		return t.manager.catalog.DropTable(ctx, *t.drop)
	case t.written == nil:
		return t.discard(ctx)
	}
	s := t.written
	err := t.flush(ctx, s)
	if err == nil {
		delta := s.staged.delta()
		delta.Isolation, delta.TxReadFilter = t.isolation, s.read
		if delta.IsEmpty() {
			return t.discard(ctx)
		}
		err = t.commit(ctx, s, delta)
	}
	switch {
	case errors.Is(err, storage.ErrCommitUnknown):
		t.done = true // the files may be part of the table: nothing is deleted
		return err
	case err != nil:
		return errors.Join(err, t.discard(ctx))
	}
	t.done = true
	t.removeSuperseded(ctx, s)
	return nil
}

// removeSuperseded removes files that were written and replaced within the
// transaction. They are invisible, so a failure is only worth a line in the log.
func (t *Tx) removeSuperseded(ctx context.Context, s *tableState) {
	files, deletes := s.staged.superseded, s.staged.supersededFiles()
	if len(files)+len(deletes) == 0 {
		return
	}
	if err := s.table.RemoveFiles(context.WithoutCancel(ctx), files, deletes); err != nil {
		t.manager.options.Logger.Warn("tarn: files left behind by a committed transaction", "table", s.table.Name().String(), "error", err)
	}
}

// commit is the one commit loop.
func (t *Tx) commit(ctx context.Context, s *tableState, delta storage.RowDelta) error {
	committer := s.table.Committer()
	unanswered := 0
	for try := 0; ; try++ {
		attempt, err := prepare(ctx, committer, s, delta)
		if err != nil {
			return err
		}
		err = t.publish(ctx, committer, attempt, s)
		if err == nil {
			t.afterCommit(ctx, committer, attempt, s)
			return nil
		}
		if errors.Is(err, storage.ErrCommitUnknown) {
			return err
		}
		if discardErr := committer.Discard(context.WithoutCancel(ctx), attempt); discardErr != nil {
			err = errors.Join(err, discardErr)
		}
		var ambiguous *storage.AmbiguousError
		switch {
		case errors.As(err, &ambiguous):
			// It is not there. A passing fault is worth another attempt.
			if unanswered++; unanswered == mostUnanswered {
				return ambiguous.Cause
			}
		case !errors.Is(err, storage.ErrLostRace):
			return err
		}
		if try == t.manager.options.CommitRetries {
			return &storage.CommitConflict{Table: s.table.Name().String(), Base: s.base.Version(), Version: attempt.Version(), Operation: "another commit",
				Reason: fmt.Sprintf("%d attempts lost the race against other writers", try+1)}
		}
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
}

// prepare makes an attempt upon the newest state. A panic in it is an error like any
// other: nothing is visible yet.
func prepare(ctx context.Context, committer storage.Committer, s *tableState, delta storage.RowDelta) (a storage.Attempt, err error) {
	defer storage.Guard(&err)
	head, err := s.table.LoadLatest(ctx)
	if err != nil {
		return nil, err
	}
	if err := committer.Check(ctx, s.base, head, delta); err != nil {
		return nil, err
	}
	return committer.Prepare(ctx, head, delta)
}

// publish makes the attempt visible. An ambiguous answer is looked up under a
// context of its own, because the outcome matters also to a caller who gave up;
// it is still the answer where the look-up finds nothing.
func (t *Tx) publish(ctx context.Context, committer storage.Committer, attempt storage.Attempt, s *tableState) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := committer.Publish(ctx, attempt)
	var ambiguous *storage.AmbiguousError
	if !errors.As(err, &ambiguous) {
		return err
	}
	findCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), findTimeout)
	defer cancel()
	found, findErr := committer.Find(findCtx, attempt)
	switch {
	case findErr != nil:
		return &storage.CommitUnknown{Table: s.table.Name().String(), Version: attempt.Version(), Publish: err, Find: findErr}
	case found:
		return nil
	}
	return err
}

// afterCommit does what is due after a commit, such as a checkpoint.
func (t *Tx) afterCommit(ctx context.Context, committer storage.Committer, attempt storage.Attempt, s *tableState) {
	if err := committer.Committed(context.WithoutCancel(ctx), attempt); err != nil {
		t.manager.options.Logger.Warn("tarn: the work due after a commit failed", "table", s.table.Name().String(), "version", attempt.Version(), "error", err)
	}
}

// pause waits longer after each lost race, with jitter.
func pause(ctx context.Context, try int) error {
	most := min(firstBackoff<<min(try, 20), lastBackoff)
	timer := time.NewTimer(rand.N(most) + time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
