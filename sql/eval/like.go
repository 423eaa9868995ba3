package eval

import (
	"bytes"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// likePattern is a LIKE pattern taken apart at its % signs. The first piece is
// anchored at the start of the text and the last at its end.
type likePattern struct {
	pieces []likePiece
	single bool // no %: the only piece is the whole text
}

// likePiece is text between two % signs; a nil element of runs is a _, which
// stands for one character.
type likePiece struct {
	literal []byte // the whole piece if it has no _
	runs    [][]byte
	plain   bool
}

// parseLike reads a pattern; escape is 0 for none. An escape character may be
// followed only by %, _ and itself, as in Spark.
func parseLike(pattern string, escape rune) (*likePattern, error) {
	p := &likePattern{single: true}
	var piece likePiece
	var run []byte
	endRun := func() {
		if run != nil {
			piece.runs = append(piece.runs, run)
			run = nil
		}
	}
	endPiece := func() {
		endRun()
		piece.plain = len(piece.runs) == 0 || len(piece.runs) == 1 && piece.runs[0] != nil
		if len(piece.runs) == 1 {
			piece.literal = piece.runs[0]
		}
		p.pieces = append(p.pieces, piece)
		piece = likePiece{}
	}
	for i := 0; i < len(pattern); {
		r, size := utf8.DecodeRuneInString(pattern[i:])
		text := pattern[i : i+size]
		i += size
		switch {
		case escape != 0 && r == escape:
			next, size := utf8.DecodeRuneInString(pattern[i:])
			if i == len(pattern) || next != '%' && next != '_' && next != escape {
				return nil, fmt.Errorf("%w: LIKE %q: the escape character %q must be followed by %%, _ or itself", ErrInvalidPattern, pattern, escape)
			}
			run = append(run, pattern[i:i+size]...)
			i += size
		case r == '%':
			endPiece()
			p.single = false
		case r == '_':
			endRun()
			piece.runs = append(piece.runs, nil)
		default:
			run = append(run, text...)
		}
	}
	endPiece()
	return p, nil
}

func (p *likePattern) match(s []byte) bool {
	first := &p.pieces[0]
	n, ok := first.matchPrefix(s)
	if !ok {
		return false
	}
	if p.single {
		return n == len(s)
	}
	s = s[n:]
	last := &p.pieces[len(p.pieces)-1]
	for i := 1; i < len(p.pieces)-1; i++ {
		_, end := p.pieces[i].find(s)
		if end < 0 {
			return false
		}
		s = s[end:]
	}
	return last.matchSuffix(s)
}

// matchPrefix gives the length of the piece at the start of s.
func (p *likePiece) matchPrefix(s []byte) (n int, ok bool) {
	if p.plain {
		return len(p.literal), bytes.HasPrefix(s, p.literal)
	}
	rest := s
	for _, run := range p.runs {
		if run == nil {
			if len(rest) == 0 {
				return 0, false
			}
			_, size := utf8.DecodeRune(rest)
			rest = rest[size:]
			continue
		}
		if !bytes.HasPrefix(rest, run) {
			return 0, false
		}
		rest = rest[len(run):]
	}
	return len(s) - len(rest), true
}

func (p *likePiece) matchSuffix(s []byte) bool {
	if p.plain {
		return bytes.HasSuffix(s, p.literal)
	}
	for i := len(p.runs) - 1; i >= 0; i-- {
		run := p.runs[i]
		if run == nil {
			if len(s) == 0 {
				return false
			}
			_, size := utf8.DecodeLastRune(s)
			s = s[:len(s)-size]
			continue
		}
		if !bytes.HasSuffix(s, run) {
			return false
		}
		s = s[:len(s)-len(run)]
	}
	return true
}

// find gives the first place of the piece in s; end is -1 if there is none.
func (p *likePiece) find(s []byte) (start, end int) {
	if p.plain {
		if start = bytes.Index(s, p.literal); start < 0 {
			return 0, -1
		}
		return start, start + len(p.literal)
	}
	for start = 0; start <= len(s); {
		if n, ok := p.matchPrefix(s[start:]); ok {
			return start, start + n
		}
		_, size := utf8.DecodeRune(s[start:])
		start += max(size, 1)
	}
	return 0, -1
}

// matcher tests a text against the pattern that it was made of.
type matcher interface{ match(s []byte) bool }

type regexpMatcher struct {
	*regexp.Regexp
	// suffixes: a match depends on nothing before it
	suffixes bool
}

func (r regexpMatcher) match(s []byte) bool { return r.Match(s) }

// patternCache keeps what the last pattern was compiled to: patterns are
// nearly always constant.
type patternCache struct {
	pattern, flags string
	compiled       matcher
}

func (c *patternCache) find(pattern, flags []byte, compile func(pattern, flags string) (matcher, error)) (matcher, error) {
	if c.compiled != nil && c.pattern == string(pattern) && c.flags == string(flags) {
		return c.compiled, nil
	}
	p, fl := string(pattern), string(flags)
	m, err := compile(p, fl)
	if err != nil {
		return nil, err
	}
	*c = patternCache{pattern: p, flags: fl, compiled: m}
	return m, nil
}

// CheckLike gives the error about a pattern, escaped by backslashes, that no
// text can be matched with.
func CheckLike(pattern string) error {
	_, err := parseLike(pattern, '\\')
	return err
}

func compileLikePattern(pattern, escape string) (matcher, error) {
	e, size := utf8.DecodeRuneInString(escape)
	if size == 0 {
		e = 0
	}
	if size != len(escape) {
		return nil, invalid("ESCAPE %q: it must be one character", escape)
	}
	return parseLike(pattern, e)
}

func compileRegexp(pattern, _ string) (matcher, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, invalid("regular expression %q: %s (the syntax is RE2's)", pattern, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	return regexpMatcher{re, err == nil && !looksBehind(tree)}, nil
}

// looksBehind reports whether a regular expression asks what stands before a
// position.
func looksBehind(e *syntax.Regexp) bool {
	switch e.Op {
	case syntax.OpBeginLine, syntax.OpBeginText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	}
	return slices.ContainsFunc(e.Sub, looksBehind)
}

// all gives the positions of all matches and their groups. Unlike in Go, an
// empty match may stand where the match before it ends, as in Java.
func (r regexpMatcher) all(s []byte) [][]int {
	if !r.suffixes {
		return r.FindAllSubmatchIndex(s, -1)
	}
	var out [][]int
	for from := 0; from <= len(s); {
		m := r.FindSubmatchIndex(s[from:])
		if m == nil {
			break
		}
		for i := range m {
			if m[i] >= 0 {
				m[i] += from
			}
		}
		out = append(out, m)
		if from = m[1]; m[0] == m[1] {
			_, size := utf8.DecodeRune(s[from:])
			from += max(size, 1)
		}
	}
	return out
}

// ilikeMatcher matches without regard to case.
type ilikeMatcher struct{ matcher }

func (m ilikeMatcher) match(s []byte) bool { return m.matcher.match(bytes.ToLower(s)) }

func compileILikePattern(pattern, escape string) (matcher, error) {
	m, err := compileLikePattern(strings.ToLower(pattern), strings.ToLower(escape))
	return ilikeMatcher{m}, err
}

func (c *compiler) compileLike(e *expr.Call) (node, error) {
	args, err := c.compileAll(e.Args)
	if err != nil {
		return nil, err
	}
	compile := compileLikePattern
	switch e.Name {
	case expr.OpILike:
		compile = compileILikePattern
	case expr.OpRLike:
		compile = compileRegexp
	}
	if l, ok := e.Args[1].(*expr.Literal); ok && l.Value != nil && e.Name == expr.OpLike && len(e.Args) == 2 {
		return newCall(c, "", types.Of(types.Boolean), args[:1], true, constantLike(l.Value.(string))), nil
	}
	escape := []byte(`\`) // Spark's default
	cache := &patternCache{}
	row := func(f *frame, i int) error {
		esc := escape
		if len(f.args) > 2 {
			esc = f.bytes(2, i)
		}
		m, err := cache.find(f.bytes(1, i), esc, compile)
		if err != nil {
			return err
		}
		f.out.Bools[i] = m.match(f.bytes(0, i))
		return nil
	}
	return newCall(c, "", types.Of(types.Boolean), args, true, rowKernel(row)), nil
}

// constantLike matches a pattern that is the same for all rows. A bad pattern
// is an error only if there is a row to match.
func constantLike(text string) kernel {
	var pattern *likePattern
	return func(f *frame) error {
		in := f.args[0]
		for k := range rowsOf(f.sel, f.n) {
			i := rowAt(f.sel, k)
			if !f.out.Valid.Valid(i) {
				continue
			}
			if pattern == nil {
				var err error
				if pattern, err = parseLike(text, '\\'); err != nil {
					return err
				}
			}
			f.out.Bools[i] = pattern.match(viewBytes(in, i))
		}
		return nil
	}
}
