package exec

import "errors"

var (
	// ErrMergeCardinality says that several source rows of a MERGE would change
	// the same row of the table, so that the result would depend on their order.
	ErrMergeCardinality = errors.New("several source rows match the same row of the target")
	// ErrSubqueryCardinality says that a subquery that stands for a value gives
	// several rows.
	ErrSubqueryCardinality = errors.New("a subquery used as a value gives more than one row")
	// ErrMemoryLimit is for a statement that needs more memory than it may have
	// and can't do with less.
	ErrMemoryLimit = errors.New("memory limit reached")
)
