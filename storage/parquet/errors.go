package parquet

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/parquet/internal/compress"
)

// corrupt says what is wrong with a file, and where.
func corrupt(path string, offset int64, cause error, format string, args ...any) error {
	return &storage.CorruptTable{Path: path, Offset: offset, Reason: fmt.Sprintf(format, args...), Cause: cause}
}

func unsupported(path, feature string) error {
	return &storage.UnsupportedFeature{Table: path, Feature: "parquet " + feature}
}

func mismatch(path, column string, file, want types.Type) error {
	return fmt.Errorf("read %s: column %s has type %s in the file, which can't be read as %s: %w",
		path, types.QuoteIdent(column), file, want, storage.ErrSchemaMismatch)
}

// decodeError is the error of a page whose bytes could not be decoded.
func decodeError(path string, offset int64, cause error, what string) error {
	if errors.Is(cause, compress.ErrUnsupported) {
		return fmt.Errorf("%w: %w", unsupported(path, "compression codec"), cause)
	}
	return corrupt(path, offset, cause, "%s", what)
}

// guard turns a panic while damaged bytes are decoded into an error: the last
// line behind the checks.
func guard(path string, err *error) {
	if r := recover(); r != nil {
		*err = corrupt(path, -1, fmt.Errorf("%v\n%s", r, debug.Stack()), "decoding failed")
	}
}
