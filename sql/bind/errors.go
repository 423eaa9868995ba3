package bind

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tarndb/tarn/sql/ast"
)

// What binding can find wrong, besides the errors of sql/eval and of the catalog.
var (
	ErrColumnNotFound  = errors.New("column not found")
	ErrAmbiguousColumn = errors.New("ambiguous column")
	ErrUnsupportedSQL  = errors.New("unsupported SQL")
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
	before := b.Text[:min(int(pos), len(b.Text))]
	return &Error{
		Line:   1 + strings.Count(before, "\n"),
		Column: 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]),
		Err:    err,
	}
}

// nearest finds the known name that is most like name, or "" if none is close:
// at most a third of its letters differ.
func nearest(name string, known []string) string {
	best, bestDistance := "", len(name)/3+1
	for _, k := range known {
		if d := distance(strings.ToLower(name), strings.ToLower(k)); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	return best
}

// distance is the Levenshtein distance of two strings.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
