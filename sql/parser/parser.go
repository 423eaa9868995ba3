package parser

import (
	"fmt"
	"unicode/utf8"

	"github.com/tarndb/tarn/sql/ast"
)

const (
	maxSourceBytes = 16 << 20 // length of a text
	maxDepth       = 1_000    // nesting of parentheses, subqueries, types
	maxHeight      = 10_000   // height of an expression: the operators of a chain like a + b + c + … nest to the left
)

// Parsed is one statement of a text. Start and End are its byte offsets, without the semicolon and the blanks around it;
// positions in Stmt are offsets in the same text.
type Parsed struct {
	Stmt       ast.Statement
	Start, End int
	ParamStyle ast.ParamStyle
	ParamCount int      // how many arguments it takes: the highest ordinal
	ParamNames []string // for :name and @name, by ordinal
}

// Parse reads exactly one statement; a final semicolon is allowed.
func Parse(src string) (ast.Statement, error) {
	return parseOne(src, func(p *parser) ast.Statement {
		stmt := p.statement()
		p.acceptOp(";")
		return stmt
	})
}

// ParseAll reads the statements of src, which semicolons separate. Empty statements are skipped; a text without any
// statement gives none.
func ParseAll(src string) ([]Parsed, error) {
	var all []Parsed
	err := parseWith(src, func(p *parser) {
		for {
			for p.acceptOp(";") {
			}
			if p.tok.kind == tokEOF {
				return
			}
			all = append(all, p.parsedStatement())
			if !p.atOp(";") {
				p.expectEnd()
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// ParseExpr reads one expression, such as the text of a constraint, a default or a generated column.
func ParseExpr(src string) (ast.Expr, error) { return parseOne(src, (*parser).expr) }

// ParseTableName reads the name of a table and nothing after it.
func ParseTableName(src string) (*ast.TableName, error) {
	return parseOne(src, func(p *parser) *ast.TableName { return p.tableName("a table name") })
}

// ParseType reads a type and nothing after it.
func ParseType(src string) (*ast.TypeName, error) { return parseOne(src, (*parser).typeName) }

// parseOne gives what read makes of src, which must be all of it.
func parseOne[T any](src string, read func(*parser) T) (T, error) {
	var out, none T
	err := parseWith(src, func(p *parser) {
		out = read(p)
		p.expectEnd()
	})
	if err != nil {
		return none, err
	}
	return out, nil
}

// parser holds the tokens of one text and the place in them. Its methods give up by panicking with a *SyntaxError, which
// parseWith alone recovers, so that the grammar reads as grammar.
type parser struct {
	src    string
	tokens []token
	i      int
	tok    token // tokens[i]
	first  int   // token that the present statement begins with
	bad    *lexicalError
	depth  int
	height int // of the highest expression since the expression around it began
	params params
	// noPath is set directly inside brackets, where a colon separates the bounds of a slice and starts no JSON path.
	noPath bool
	// pathTables is set inside the query of COPY INTO, whose FROM names a path in a string.
	pathTables bool
}

// parseWith runs f over the tokens of src and turns its panic into an error.
func parseWith(src string, f func(*parser)) (err error) {
	if len(src) > maxSourceBytes {
		e := newSyntaxError(src, 0, "")
		e.Message = fmt.Sprintf("the statement has %d bytes, more than the limit of %d", len(src), maxSourceBytes)
		return e
	}
	if i := firstInvalidByte(src); i >= 0 {
		e := newSyntaxError(src, i, src[i:i+1])
		e.Message = fmt.Sprintf("invalid UTF-8 byte 0x%02x", src[i])
		return e
	}
	defer func() {
		if r := recover(); r != nil {
			e, ours := r.(*SyntaxError)
			if !ours {
				panic(r)
			}
			err = e
		}
	}()
	p := &parser{src: src}
	p.tokens, p.bad = tokenize(src)
	p.tok = p.tokens[0]
	f(p)
	return nil
}

func firstInvalidByte(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return i
			}
		}
	}
	return -1
}

func (p *parser) parsedStatement() Parsed {
	p.params = params{}
	p.height = 0
	start := p.tok
	stmt := p.statement()
	return Parsed{
		Stmt: stmt, Start: int(start.pos), End: int(p.tokens[p.i-1].end),
		ParamStyle: p.params.style, ParamCount: p.params.count, ParamNames: p.params.names,
	}
}

// --- tokens ---

func (p *parser) next() {
	p.i++
	p.tok = p.tokens[p.i]
}

// peek is the token n places ahead, the last one beyond the end.
func (p *parser) peek(n int) token {
	return p.tokens[min(p.i+n, len(p.tokens)-1)]
}

func (p *parser) text(t token) string { return p.src[t.pos:t.end] }

func (p *parser) loc() ast.Loc { return ast.Loc{Offset: ast.Pos(p.tok.pos)} }

func locOf(n ast.Node) ast.Loc { return ast.Loc{Offset: n.Pos()} }

// at tells whether the token is this keyword, which must be one of the table in keywords.go.
func (p *parser) at(word string) bool { return p.tok.is(word) }

func (p *parser) atAny(words ...string) bool {
	for _, w := range words {
		if p.tok.is(w) {
			return true
		}
	}
	return false
}

// atSeq tells whether the next tokens are these keywords.
func (p *parser) atSeq(words ...string) bool {
	for i, w := range words {
		if !p.peek(i).is(w) {
			return false
		}
	}
	return true
}

func (p *parser) accept(word string) bool {
	if !p.at(word) {
		return false
	}
	p.next()
	return true
}

// acceptSeq takes all these keywords or none.
func (p *parser) acceptSeq(words ...string) bool {
	if !p.atSeq(words...) {
		return false
	}
	for range words {
		p.next()
	}
	return true
}

func (p *parser) expect(words ...string) {
	for _, w := range words {
		if !p.accept(w) {
			p.fail(w)
		}
	}
}

func (p *parser) isOp(t token, op string) bool { return t.kind == tokOp && p.src[t.pos:t.end] == op }

func (p *parser) atOp(op string) bool { return p.isOp(p.tok, op) }

func (p *parser) acceptOp(op string) bool {
	if !p.atOp(op) {
		return false
	}
	p.next()
	return true
}

func (p *parser) expectOp(op string) {
	if !p.acceptOp(op) {
		p.fail(`"` + op + `"`)
	}
}

const endOfStatement = "the end of the statement"

func (p *parser) expectEnd() {
	if p.tok.kind != tokEOF {
		p.fail(endOfStatement)
	}
}

// adjacent tells whether nothing stands between the token and the one before it.
func (p *parser) adjacent() bool { return p.i > 0 && p.tokens[p.i-1].end == p.tok.pos }

// --- errors and limits ---

// fail gives up at the present token. expected completes "expected …".
func (p *parser) fail(expected string) { p.failAt(p.tok, expected) }

func (p *parser) failAt(t token, expected string) {
	e := p.errorAt(t)
	if e.Message == "" {
		e.Expected = expected
		if t == p.tok {
			e.Hint = p.hint(expected)
		}
		if r, at := p.refused(); r != nil && t == p.tok {
			e = p.errorAt(at)
			e.Feature, e.Instead = r.feature, r.instead
		}
	}
	panic(e)
}

// failWith gives up at a token with a message of its own.
func (p *parser) failWith(t token, message string) {
	e := p.errorAt(t)
	if e.Message == "" {
		e.Message = message
	}
	panic(e)
}

func (p *parser) errorAt(t token) *SyntaxError {
	switch t.kind {
	case tokEOF:
		return newSyntaxError(p.src, int(t.pos), endOfInput)
	case tokError:
		e := newSyntaxError(p.src, p.bad.pos, p.bad.found)
		e.Message = p.bad.message
		return e
	}
	return newSyntaxError(p.src, int(t.pos), p.text(t))
}

// enter counts a level of nesting; the caller leaves it with p.depth--.
func (p *parser) enter() {
	p.depth++
	if p.depth > maxDepth {
		p.failWith(p.tok, fmt.Sprintf("nested more than %d levels deep", maxDepth))
	}
}

// grow makes the present expression one operator higher.
func (p *parser) grow() {
	p.height++
	if p.height > maxHeight {
		p.failWith(p.tok, fmt.Sprintf("more than %d operators in a row; use IN, a join or several statements", maxHeight))
	}
}
