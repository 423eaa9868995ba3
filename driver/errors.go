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
	"github.com/tarndb/tarn/storage/catalog"
	"github.com/tarndb/tarn/storage/object"
	"github.com/tarndb/tarn/txn"
)

// The sentinels that errors of this driver unwrap to, each with its SQLSTATE.
var (
	ErrConfig                = errors.New("configuration")      // 08001: the DSN, a Config or a SET is wrong
	ErrSyntax                = parser.ErrSyntax                 // 42601: the text is no statement
	ErrUnsupportedSQL        = bind.ErrUnsupportedSQL           // 0A000: a statement that is not executed yet
	ErrInvalidSQL            = bind.ErrInvalidSQL               // 42000: the statement has no meaning
	ErrAmbiguousColumn       = bind.ErrAmbiguousColumn          // 42702: a name could be several columns
	ErrParameter             = bind.ErrParameter                // 07001: arguments and parameters do not fit
	ErrColumnNotFound        = bind.ErrColumnNotFound           // 42703: no such column or field
	ErrFunctionNotFound      = eval.ErrFunctionNotFound         // 42883: no such function
	ErrTypeMismatch          = eval.ErrTypeMismatch             // 42804: a value of another type is needed
	ErrInvalidValue          = eval.ErrInvalidValue             // 22000: a value has no result: overflow, a bad cast, division by zero
	ErrInvalidPattern        = eval.ErrInvalidPattern           // 42601: a LIKE pattern or its escape is wrong
	ErrDuplicateKey          = eval.ErrDuplicateKey             // 23505: a MAP has a key twice
	ErrLimitExceeded         = eval.ErrLimitExceeded            // 54000: a value would be too large
	ErrTableNotFound         = storage.ErrTableNotFound         // 42P01: no such table
	ErrTableExists           = storage.ErrTableExists           // 42P07: the table is there already
	ErrSchemaNotFound        = storage.ErrSchemaNotFound        // 3F000: no such schema
	ErrDataFileMissing       = storage.ErrDataFileMissing       // 58P01: a file that the table names is gone
	ErrIO                    = storage.ErrIO                    // 58030: the store failed
	ErrTxState               = txn.ErrTxState                   // 25000: not in this state of the transaction
	ErrChangeDataUnavailable = storage.ErrChangeDataUnavailable // 55000: the changes between two versions are not kept
	ErrReadOnly              = plan.ErrReadOnly                 // 25006: a write where only reading is allowed
	ErrReadOnlySnapshot      = plan.ErrReadOnlySnapshot         // 25006: a write to a past state of a table
	ErrVersionNotFound       = storage.ErrVersionNotFound       // 22023: no such version
	ErrTimestampOutOfRange   = storage.ErrTimestampOutOfRange   // 22023: no version at that time
	ErrUnsupportedFeature    = storage.ErrUnsupportedFeature    // 0A000: the table needs what this version cannot do
	ErrCorrupt               = storage.ErrCorrupt               // XX001: the log or a file is damaged
	ErrConflict              = storage.ErrConflict              // 40001: another commit came between; try the transaction again
	ErrCommitUnknown         = storage.ErrCommitUnknown         // 08007: it is not known whether the commit took place
	ErrConstraint            = storage.ErrConstraint            // 23000: a row breaks a rule of the table
	ErrSchemaMismatch        = storage.ErrSchemaMismatch        // 42804: the table has other columns than its files or than asked for
	ErrMultiTableCommit      = txn.ErrMultiTableCommit          // 0A000: a transaction would write to two tables
	ErrMergeCardinality      = exec.ErrMergeCardinality         // 21000: several source rows of MERGE change one row
	ErrSubqueryCardinality   = exec.ErrSubqueryCardinality      // 21000: a subquery used as a value gives several rows
	ErrMemoryLimit           = exec.ErrMemoryLimit              // 53200: memory_limit does not suffice
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
func configError(err error, c Config) error {
	if errors.Is(err, catalog.ErrMetastore) {
		return fmt.Errorf("%w: option catalog: %w", ErrConfig, err)
	}
	if c.ReadOnly && errors.Is(err, object.ErrNotFound) {
		return fmt.Errorf("%w: with the option read_only the warehouse must exist: %w", ErrConfig, err)
	}
	if errors.Is(err, object.ErrInvalidPath) || errors.Is(err, object.ErrNotFound) || errors.Is(err, object.ErrUnknownScheme) {
		return fmt.Errorf("%w: warehouse: %w", ErrConfig, err)
	}
	return err
}
