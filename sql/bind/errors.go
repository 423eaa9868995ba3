package bind

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/parser"
)

// What binding can find wrong, besides the errors of sql/eval and of the catalog.
var (
	ErrColumnNotFound  = errors.New("column not found")
	ErrAmbiguousColumn = errors.New("ambiguous column")
	ErrUnsupportedSQL  = parser.ErrUnsupportedSQL
	ErrInvalidSQL      = errors.New("invalid statement")
	ErrParameter       = errors.New("parameter mismatch")
)

// Error places an error in the text of the statement.
type Error struct {
	Line   int // from 1
	Column int // from 1, in characters
	Err    error
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("line %d:%d: %v", e.Line, e.Column, e.Err) }

// Unwrap gives the error without its place.
func (e *Error) Unwrap() error { return e.Err }

// wrapAt places err, unless it has a place already.
func (b *binder) wrapAt(pos ast.Pos, err error) error {
	var placed *Error
	if err == nil || errors.As(err, &placed) {
		return err
	}
	return placedAt(b.Text, pos, err)
}

func placedAt(text string, pos ast.Pos, err error) *Error {
	before := text[:min(int(pos), len(text))]
	return &Error{
		Line:   1 + strings.Count(before, "\n"),
		Column: 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]),
		Err:    err,
	}
}
