package parser

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

var (
	// ErrSyntax is what a *SyntaxError unwraps to, unless it names a feature.
	ErrSyntax = errors.New("syntax error")
	// ErrUnsupportedSQL is what a *SyntaxError unwraps to that names a feature
	// which is not there.
	ErrUnsupportedSQL = errors.New("unsupported SQL")
)

// endOfInput is what SyntaxError.Found says at the end of the text.
const endOfInput = "<end of input>"

// SyntaxError says where a text stopped being SQL.
type SyntaxError struct {
	Line, Column int    // from 1; the column counts characters, not bytes
	Offset       int    // in bytes, from 0
	Found        string // the token there as written, or "<end of input>"
	Expected     string // what would have fitted; empty where Message says it all
	Hint         string // what may have been meant, to be put behind the rest
	Feature      string // what was found, by its name, where other dialects have it
	Instead      string // what to use for the feature
	Message      string // set instead of Expected where "expected …, found …" is not the right form
}

// Error reads like "line 2:19: expected UPDATE or DELETE after THEN, found INSERT".
func (e *SyntaxError) Error() string {
	if e.Feature != "" {
		text := fmt.Sprintf("line %d:%d: %v: %s is not supported", e.Line, e.Column, ErrUnsupportedSQL, e.Feature)
		if e.Instead != "" {
			text += "; use " + e.Instead
		}
		return text
	}
	if e.Message != "" {
		return fmt.Sprintf("line %d:%d: %s", e.Line, e.Column, e.Message)
	}
	return fmt.Sprintf("line %d:%d: expected %s, found %s%s", e.Line, e.Column, e.Expected, shorten(e.Found), e.Hint)
}

// Unwrap lets errors.Is find ErrSyntax or, for a named feature,
// ErrUnsupportedSQL.
func (e *SyntaxError) Unwrap() error {
	if e.Feature != "" {
		return ErrUnsupportedSQL
	}
	return ErrSyntax
}

// shorten keeps an error readable when the token is a long literal.
func shorten(s string) string {
	const limit = 60
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit]) + "…"
}

func newSyntaxError(src string, offset int, found string) *SyntaxError {
	before := src[:offset]
	lineStart := strings.LastIndexByte(before, '\n') + 1
	return &SyntaxError{
		Line:   1 + strings.Count(before, "\n"),
		Column: 1 + utf8.RuneCountInString(before[lineStart:]),
		Offset: offset,
		Found:  found,
	}
}
