package storage

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/tarndb/tarn/storage/object"
)

// The states that a caller of this package can test for with errors.Is.
var (
	ErrTableNotFound         = errors.New("table not found")
	ErrTableExists           = errors.New("table already exists")
	ErrSchemaNotFound        = errors.New("schema not found")
	ErrVersionNotFound       = errors.New("version not found")
	ErrTimestampOutOfRange   = errors.New("no version at that timestamp")
	ErrUnsupportedFeature    = errors.New("unsupported table feature")
	ErrCorrupt               = errors.New("corrupt table")
	ErrDataFileMissing       = errors.New("data file missing")
	ErrConflict              = errors.New("conflicting commit")
	ErrCommitUnknown         = errors.New("outcome of the commit is unknown")
	ErrConstraint            = errors.New("constraint violated")
	ErrSchemaMismatch        = errors.New("schema mismatch")
	ErrChangeDataUnavailable = errors.New("change data not available")
)

// ErrLostRace is what Committer.Publish answers when another writer published
// that version first. The commit loop refreshes, checks and tries again.
var ErrLostRace = errors.New("another writer committed first")

// ErrIO is a failed disk or object store; it wraps the cause.
var ErrIO = object.ErrIO

// UnsupportedFeature names a table feature that this program does not
// implement. It unwraps to ErrUnsupportedFeature.
type UnsupportedFeature struct {
	Table   string
	Feature string // the feature's name in the format's specification
	Writing bool   // the feature is needed to write the table, not to read it
	Version string // the protocol version that asks for it, as "reader 3, writer 7"
}

// Error implements error.
func (e *UnsupportedFeature) Error() string {
	verb := "reading"
	if e.Writing {
		verb = "writing"
	}
	msg := fmt.Sprintf("%s table %s needs the feature %q, which is not supported", verb, e.Table, e.Feature)
	if e.Version != "" {
		msg += " (protocol " + e.Version + ")"
	}
	return msg
}

// Unwrap makes errors.Is(err, ErrUnsupportedFeature) true.
func (e *UnsupportedFeature) Unwrap() error { return ErrUnsupportedFeature }

// CorruptTable says which file of a table is damaged, where and how. It
// unwraps to ErrCorrupt and to the cause.
type CorruptTable struct {
	Path   string
	Offset int64 // byte offset of the damage, or line number of a log file; -1 if unknown
	Reason string
	Cause  error
}

// Error implements error.
func (e *CorruptTable) Error() string {
	msg := "corrupt table: " + e.Path
	if e.Offset >= 0 {
		msg += fmt.Sprintf(" at %d", e.Offset)
	}
	msg += ": " + e.Reason
	if e.Cause != nil {
		msg += ": " + e.Cause.Error()
	}
	return msg
}

// Unwrap makes errors.Is true for ErrCorrupt and for the cause.
func (e *CorruptTable) Unwrap() []error { return compact(ErrCorrupt, e.Cause) }

// CommitConflict says that a change could not be committed because of what
// another writer committed meanwhile; nothing was committed. It unwraps to
// ErrConflict. The statement may be run again on the new version.
type CommitConflict struct {
	Table     string
	Base      Version // what the change was computed on
	Version   Version // the commit that it conflicts with
	Operation string  // what that commit did
	Reason    string
}

// Error implements error.
func (e *CommitConflict) Error() string {
	return fmt.Sprintf("table %s: the change based on version %d conflicts with version %d (%s): %s; run the transaction again",
		e.Table, e.Base, e.Version, e.Operation, e.Reason)
}

// Unwrap makes errors.Is(err, ErrConflict) true.
func (e *CommitConflict) Unwrap() error { return ErrConflict }

// CommitUnknown says that the answer to a commit was lost and that looking it
// up failed as well. It unwraps to ErrCommitUnknown and to the causes.
type CommitUnknown struct {
	Table   string
	Version Version // the version that may or may not have been written
	Publish error   // what Publish answered
	Find    error   // what looking the commit up answered
}

// Error implements error.
func (e *CommitUnknown) Error() string {
	return fmt.Sprintf("table %s: it is unknown whether version %d was committed (%v), and reading it back failed (%v); read the table before writing again",
		e.Table, e.Version, e.Publish, e.Find)
}

// Unwrap makes errors.Is true for ErrCommitUnknown and for both causes.
func (e *CommitUnknown) Unwrap() []error { return compact(ErrCommitUnknown, e.Publish, e.Find) }

// ConstraintViolation names the rule that a row breaks. It unwraps to
// ErrConstraint.
type ConstraintViolation struct {
	Table      string
	Constraint string // its name or, for NOT NULL, the column with that word
	Row        string // the row, as text
}

// Error implements error.
func (e *ConstraintViolation) Error() string {
	return fmt.Sprintf("table %s: constraint %s is violated by row %s", e.Table, e.Constraint, e.Row)
}

// Unwrap makes errors.Is(err, ErrConstraint) true.
func (e *ConstraintViolation) Unwrap() error { return ErrConstraint }

func compact(errs ...error) []error {
	var out []error
	for _, e := range errs {
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}

// Guard makes an error of a panic, so that a bug of ours ends a statement and
// not the program that runs it.
func Guard(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("internal error, please report it: %v\n%s", p, debug.Stack())
	}
}
