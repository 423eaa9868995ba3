package storage

import "context"

// Committer is what the commit loop in package txn drives. One attempt goes
// Check, Prepare, Publish; only Publish makes anything visible.
type Committer interface {
	// Check decides whether a change computed on base may be committed on top
	// of head: nil, or a *CommitConflict. It also answers nil where head has the
	// change already, by an attempt whose answer was lost. The committer keeps
	// that in mind: the next Prepare gives an attempt of the version that the
	// change has, and Publish writes nothing.
	Check(ctx context.Context, base, head Snapshot, delta RowDelta) error
	// Prepare writes what the commit needs besides the data files, nothing of
	// it visible, and gives the attempt that Publish makes the version after head.
	Prepare(ctx context.Context, head Snapshot, delta RowDelta) (Attempt, error)
	// Publish makes the attempt visible in one put-if-absent or one
	// compare-and-swap. nil: committed. ErrLostRace: not committed, another
	// writer was first. An *AmbiguousError: unknown. Any other error: not committed.
	Publish(ctx context.Context, attempt Attempt) error
	// Find looks up whether an attempt was published.
	Find(ctx context.Context, attempt Attempt) (bool, error)
	// Discard removes what Prepare wrote for an attempt that lost.
	Discard(ctx context.Context, attempt Attempt) error
	// Committed is told of a success, to do what is due after it, such as a
	// checkpoint. Its failure is reported to the log and never fails the commit.
	Committed(ctx context.Context, attempt Attempt) error
}

// Attempt is one try at publishing a change.
type Attempt interface {
	// Version is the version that the attempt would become.
	Version() Version
}

// AmbiguousError wraps an error of Publish after which the commit may or may
// not be visible: the request was sent and its answer was lost.
type AmbiguousError struct{ Cause error }

// Error implements error.
func (e *AmbiguousError) Error() string { return "answer to the commit was lost: " + e.Cause.Error() }

// Unwrap gives the cause.
func (e *AmbiguousError) Unwrap() error { return e.Cause }
