package driver

import (
	"context"
	"errors"
	"fmt"

	"github.com/tarndb/tarn/exec"
	"github.com/tarndb/tarn/sql/bind"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/parser"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
	"github.com/tarndb/tarn/txn"
)

// The sentinels that errors of this driver unwrap to.
var (
	ErrConfig                = errors.New("configuration")
	ErrSyntax                = parser.ErrSyntax
	ErrUnsupportedSQL        = bind.ErrUnsupportedSQL
	ErrInvalidSQL            = bind.ErrInvalidSQL
	ErrAmbiguousColumn       = bind.ErrAmbiguousColumn
	ErrParameter             = bind.ErrParameter
	ErrColumnNotFound        = bind.ErrColumnNotFound
	ErrFunctionNotFound      = eval.ErrFunctionNotFound
	ErrTypeMismatch          = eval.ErrTypeMismatch
	ErrInvalidValue          = eval.ErrInvalidValue
	ErrInvalidPattern        = eval.ErrInvalidPattern
	ErrDuplicateKey          = eval.ErrDuplicateKey
	ErrLimitExceeded         = eval.ErrLimitExceeded
	ErrTableNotFound         = storage.ErrTableNotFound
	ErrTableExists           = storage.ErrTableExists
	ErrSchemaNotFound        = storage.ErrSchemaNotFound
	ErrDataFileMissing       = storage.ErrDataFileMissing
	ErrIO                    = storage.ErrIO
	ErrTxState               = txn.ErrTxState
	ErrChangeDataUnavailable = storage.ErrChangeDataUnavailable
	ErrReadOnly              = plan.ErrReadOnly
	ErrReadOnlySnapshot      = plan.ErrReadOnlySnapshot
	ErrVersionNotFound       = storage.ErrVersionNotFound
	ErrTimestampOutOfRange   = storage.ErrTimestampOutOfRange
	ErrUnsupportedFeature    = storage.ErrUnsupportedFeature
	ErrCorrupt               = storage.ErrCorrupt
	ErrConflict              = storage.ErrConflict
	ErrCommitUnknown         = storage.ErrCommitUnknown
	ErrConstraint            = storage.ErrConstraint
	ErrSchemaMismatch        = storage.ErrSchemaMismatch
	ErrMultiTableCommit      = txn.ErrMultiTableCommit
	ErrMergeCardinality      = exec.ErrMergeCardinality
	ErrSubqueryCardinality   = exec.ErrSubqueryCardinality
	ErrMemoryLimit           = exec.ErrMemoryLimit
)

// The structs that errors of this driver can be taken apart with.
type (
	SyntaxError         = parser.SyntaxError
	BindError           = bind.Error
	CommitConflict      = storage.CommitConflict
	CommitUnknown       = storage.CommitUnknown
	UnsupportedFeature  = storage.UnsupportedFeature
	CorruptTable        = storage.CorruptTable
	ConstraintViolation = storage.ConstraintViolation
)

// states gives the SQLSTATE of each sentinel, special cases first.
var states = []struct {
	sentinel error
	code     string
}{
	{ErrCommitUnknown, "08007"}, {ErrConflict, "40001"}, {ErrSyntax, "42601"}, {ErrUnsupportedSQL, "0A000"}, {ErrUnsupportedFeature, "0A000"},
	{ErrMultiTableCommit, "0A000"}, {ErrTableNotFound, "42P01"}, {ErrTableExists, "42P07"}, {ErrSchemaNotFound, "3F000"},
	{ErrColumnNotFound, "42703"}, {ErrAmbiguousColumn, "42702"}, {ErrFunctionNotFound, "42883"}, {ErrTypeMismatch, "42804"},
	{ErrInvalidSQL, "42000"}, {ErrParameter, "07001"}, {ErrMergeCardinality, "21000"}, {ErrSubqueryCardinality, "21000"}, {ErrConstraint, "23000"},
	{ErrInvalidPattern, "42601"}, {ErrDuplicateKey, "23505"}, {ErrLimitExceeded, "54000"}, {ErrInvalidValue, "22000"},
	{ErrTxState, "25000"}, {ErrReadOnly, "25006"}, {ErrVersionNotFound, "22023"}, {ErrTimestampOutOfRange, "22023"},
	{ErrChangeDataUnavailable, "55000"}, {ErrCorrupt, "XX001"}, {ErrDataFileMissing, "58P01"}, {ErrSchemaMismatch, "42804"},
	{ErrMemoryLimit, "53200"}, {ErrConfig, "08001"}, {ErrIO, "58030"},
}

// Error is an error of this driver.
type Error struct{ Err error }

// Error implements error.
func (e *Error) Error() string { return "tarn: " + e.Err.Error() }

// Unwrap gives the error that happened.
func (e *Error) Unwrap() error { return e.Err }

// SQLState is the five-character code of the error, XX000 if it has none of
// its own.
func (e *Error) SQLState() string {
	for _, s := range states {
		if errors.Is(e.Err, s.sentinel) {
			return s.code
		}
	}
	return "XX000"
}

// SafeToRetry reports whether nothing was changed and the same transaction,
// run again, may succeed.
func (e *Error) SafeToRetry() bool {
	return errors.Is(e.Err, ErrConflict) && !errors.Is(e.Err, ErrCommitUnknown)
}

// wrapError makes err an *Error, unless it is nil, the context's own, or one
// already.
func wrapError(err error) error {
	var wrapped *Error
	switch {
	case err == nil, errors.As(err, &wrapped):
		return err
	case errors.Is(err, context.Canceled) && !errors.Is(err, ErrCommitUnknown):
		return context.Canceled
	case errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, ErrCommitUnknown) && !errors.Is(err, ErrIO):
		return context.DeadlineExceeded
	}
	return &Error{Err: err}
}

// configError files the errors of opening a warehouse under ErrConfig.
func configError(err error) error {
	if errors.Is(err, object.ErrInvalidPath) || errors.Is(err, object.ErrNotFound) || errors.Is(err, object.ErrUnknownScheme) {
		return fmt.Errorf("%w: warehouse: %w", ErrConfig, err)
	}
	return err
}
