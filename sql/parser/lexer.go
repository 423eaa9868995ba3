package parser

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/xwb1989/sqlparser"
)

// The Tokenizer of xwb1989/sqlparser speaks MySQL and would misread much of our dialect: it takes || for OR and "x" for a
// string, unescapes backslashes, runs the contents of /*! */, ends nested comments early, starts comments at # and //, skips
// NUL, reads ::int and :name as bind variables, joins t@v3 into one identifier, renames ? and rejects $1, brackets, =>, ==,
// letters beyond ASCII and 1_000. So it never sees the statement itself but a mask of it: a copy of the same length in which
// each such pattern is replaced byte for byte by something harmless. Every offset it reports is therefore an offset in the
// source, the kind of a token is settled from the token type and the source, and the text is taken from the source alone.
//
// Stand-ins in the mask: '_' for a character of a word or inside quotes, '1' for any part of a number, '^' for each byte of
// an operator that the Tokenizer doesn't have, ' ' for comments and blanks.

// lexer builds the mask. It stops at the first lexical error and remembers it, so that a syntax error further left is the
// one reported.
type lexer struct {
	src  string
	mask []byte
	bad  *lexicalError
}

// lexicalError is a text that is no token. found is the piece of the source the message is about.
type lexicalError struct {
	pos     int
	found   string
	message string
}

// tokenize splits src into tokens, ending with tokEOF, or with tokError and the error it stands for.
func tokenize(src string) ([]token, *lexicalError) {
	l := &lexer{src: src, mask: []byte(src)}
	end := l.maskAll()
	tokens := l.scan(end)
	if l.bad != nil {
		return append(tokens, token{kind: tokError, pos: uint32(l.bad.pos), end: uint32(end)}), l.bad
	}
	return append(tokens, token{kind: tokEOF, pos: uint32(len(src)), end: uint32(len(src))}), nil
}

// scan runs the Tokenizer over the first end bytes of the mask.
func (l *lexer) scan(end int) []token {
	tokens := make([]token, 0, end/5+4)
	tokenizer := sqlparser.NewStringTokenizer(string(l.mask[:end]))
	pos := 0
	for {
		typ, _ := tokenizer.Scan()
		if typ == 0 {
			return tokens
		}
		for isBlank(l.mask[pos]) {
			pos++
		}
		t := token{pos: uint32(pos), end: uint32(tokenizer.Position - 1), kind: l.kindOf(typ, pos)}
		switch t.kind {
		case tokWord:
			t.word = lookupKeyword(l.src[t.pos:t.end])
		case tokOp:
			for want := uint32(pos + operatorLength(l.src[pos:])); t.end < want; {
				tokenizer.Scan()
				t.end = uint32(tokenizer.Position - 1)
			}
		case tokString:
			tokens, t = l.joinPrefix(tokens, t)
		}
		tokens = append(tokens, t)
		pos = int(t.end)
	}
}

// kindOf settles a token's kind from the Tokenizer's type and, for what the Tokenizer cannot tell apart, from the source.
func (l *lexer) kindOf(typ, pos int) tokenKind {
	switch typ {
	case sqlparser.STRING:
		return tokString
	case sqlparser.INTEGRAL, sqlparser.FLOAT:
		return tokNumber
	}
	switch c := l.src[pos]; {
	case c == '`' || c == '"':
		return tokQuoted
	case isWordByte(c) || c >= utf8.RuneSelf:
		return tokWord
	}
	return tokOp
}

// joinPrefix makes X'…', r'…' and E'…' one token. The mask holds '_' where the prefix stands, hence a word just before it.
func (l *lexer) joinPrefix(tokens []token, t token) ([]token, token) {
	n := len(tokens)
	if n == 0 || tokens[n-1].end != t.pos || tokens[n-1].kind != tokWord || tokens[n-1].pos+1 != t.pos {
		return tokens, t
	}
	t.pos--
	return tokens[:n-1], t
}

// operatorLength is the length of the operator at the start of s: the longest that is one.
func operatorLength(s string) int {
	for n := min(3, len(s)); n > 1; n-- {
		switch s[:n] {
		case "<=>", "->>", "||", "::", "=>", "==", "->", "<=", ">=", "<>", "!=", "<<", ">>":
			return n
		}
	}
	return 1
}

// maskAll masks the whole source and answers how much of it holds good tokens.
func (l *lexer) maskAll() int {
	for i := 0; i < len(l.src); {
		next := l.maskOne(i)
		if l.bad != nil {
			return l.bad.pos
		}
		i = next
	}
	return len(l.src)
}

// maskOne masks the token, blank or comment at i and answers where it ends.
func (l *lexer) maskOne(i int) int {
	switch c := l.src[i]; {
	case c == '\'':
		return l.maskString(i, i, false)
	case c == '`' || c == '"':
		return l.maskQuoted(i)
	case isDigit(c) || c == '.' && isDigit(l.at(i+1)):
		return l.maskNumber(i)
	case isWordByte(c):
		return l.maskWord(i)
	case c >= utf8.RuneSelf:
		return l.maskRune(i)
	case c == '\f' || c == '\v':
		l.mask[i] = ' '
		return i + 1
	case isBlank(c):
		return i + 1
	case c == '-' && l.at(i+1) == '-':
		return l.maskLineComment(i)
	case c == '/' && l.at(i+1) == '*':
		return l.maskComment(i)
	case strings.IndexByte("()[]{},;.?:=<>!+-*/%&|^~@", c) >= 0:
		return l.maskOperator(i)
	}
	return l.fail(i, i+1, fmt.Sprintf("unexpected character %q", l.src[i:i+1]))
}

// maskOperator leaves an operator that the Tokenizer reads as we do and hides any other. A '?' is hidden too: the Tokenizer
// would number it.
func (l *lexer) maskOperator(i int) int {
	n := operatorLength(l.src[i:])
	switch op := l.src[i : i+n]; op {
	case "(", ")", ",", ";", ".", "=", "<", ">", "!", "+", "-", "*", "%", "^", "~",
		"<=>", "->>", "->", "<=", ">=", "<>", "!=", "<<", ">>":
	default: // [ ] { } : ? @ & | / || :: => ==
		for j := range n {
			l.mask[i+j] = '^'
		}
	}
	return i + n
}

// maskString masks the string whose quote is at i. start is where its prefix begins, escapes whether a backslash takes the
// next character with it.
func (l *lexer) maskString(start, i int, escapes bool) int {
	for i++; i < len(l.src); i++ {
		switch c := l.src[i]; {
		case c == '\\':
			l.mask[i] = '_'
			if escapes && i+1 < len(l.src) {
				i++
				l.mask[i] = '_'
			}
		case c == '\'' && l.at(i+1) == '\'':
			l.mask[i], l.mask[i+1] = '_', '_'
			i++
		case c == '\'':
			return i + 1
		}
	}
	return l.failOpen(start, "unterminated string")
}

// maskQuoted masks the quoted identifier at i.
func (l *lexer) maskQuoted(i int) int {
	start, quote := i, l.src[i]
	l.mask[i] = '`'
	for i++; i < len(l.src); i++ {
		switch c := l.src[i]; {
		case c == quote && l.at(i+1) == quote:
			l.mask[i], l.mask[i+1] = '_', '_'
			i++
		case c == quote && i == start+1:
			return l.fail(start, i+1, "empty quoted identifier")
		case c == quote:
			l.mask[i] = '`'
			return i + 1
		case c == '`':
			l.mask[i] = '_'
		}
	}
	return l.failOpen(start, "unterminated quoted identifier")
}

// maskNumber masks the number at i with its exponent and suffix. What runs on into a word is an error, not two tokens.
func (l *lexer) maskNumber(i int) int {
	end := numberEnd(l.src, i)
	if next := l.at(end); isWordByte(next) || next >= utf8.RuneSelf && wordEnd(l.src, end) > end ||
		next == '.' && isDigit(l.at(end+1)) {
		for end < len(l.src) && (l.src[end] == '.' || wordEnd(l.src, end) > end) {
			end = max(end+1, wordEnd(l.src, end))
		}
		return l.fail(i, end, "invalid number "+shorten(l.src[i:end]))
	}
	for j := i; j < end; j++ {
		l.mask[j] = '1'
	}
	return end
}

// numberEnd is where the number that starts at i ends: digits with single underscores between them, a fraction, an
// exponent, a type suffix.
func numberEnd(s string, i int) int {
	i = digitsEnd(s, i)
	if i < len(s) && s[i] == '.' {
		i = digitsEnd(s, i+1)
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if j < len(s) && isDigit(s[j]) {
			i = digitsEnd(s, j)
		}
	}
	return i + suffixLength(s[i:])
}

func digitsEnd(s string, i int) int {
	for i < len(s) && (isDigit(s[i]) || s[i] == '_' && i > 0 && isDigit(s[i-1]) && i+1 < len(s) && isDigit(s[i+1])) {
		i++
	}
	return i
}

// suffixLength is the length of the type suffix at the start of s.
func suffixLength(s string) int {
	if len(s) >= 2 && strings.EqualFold(s[:2], "BD") {
		return 2
	}
	if len(s) >= 1 && strings.IndexByte("LSYDFlsydf", s[0]) >= 0 {
		return 1
	}
	return 0
}

// maskWord masks the word at i, and the string behind it where the word is a prefix.
func (l *lexer) maskWord(i int) int {
	end := wordEnd(l.src, i)
	if end == i+1 && l.at(end) == '\'' {
		return l.maskPrefixed(i)
	}
	for j := i; j < end; j++ {
		if c := l.src[j]; c == '$' || c >= utf8.RuneSelf {
			l.mask[j] = '_'
		}
	}
	return end
}

// maskPrefixed masks a string with a one-letter prefix at i. A letter that is no prefix is an error: reading b'1' as the
// column b with an alias would be a silent misreading.
func (l *lexer) maskPrefixed(i int) int {
	l.mask[i] = '_'
	switch l.src[i] | 0x20 {
	case 'e':
		return l.maskString(i, i+1, true)
	case 'r', 'x':
		return l.maskString(i, i+1, false)
	}
	if i > 0 && l.src[i-1] == '\'' {
		return l.fail(i, i+2, "inside of a string a quote is written twice, as in 'it''s'; after this one the string has ended")
	}
	return l.fail(i, i+2, fmt.Sprintf("unknown string prefix %s", l.src[i:i+1]))
}

// maskRune masks the character beyond ASCII at i: a blank, or the start of a word.
func (l *lexer) maskRune(i int) int {
	if wordEnd(l.src, i) > i {
		return l.maskWord(i)
	}
	r, n := utf8.DecodeRuneInString(l.src[i:])
	if !unicode.IsSpace(r) && r != '\uFEFF' {
		return l.fail(i, i+n, fmt.Sprintf("unexpected character %s", l.src[i:i+n]))
	}
	for j := range n {
		l.mask[i+j] = ' '
	}
	return i + n
}

func (l *lexer) maskLineComment(i int) int {
	for i < len(l.src) && l.src[i] != '\n' {
		l.mask[i] = ' '
		i++
	}
	return i
}

// maskComment masks the comment at i, which may hold further comments.
func (l *lexer) maskComment(i int) int {
	start, depth := i, 0
	if l.at(i+2) == '!' {
		return l.fail(start, start+3, "a conditional comment /*! is not supported")
	}
	for i+1 < len(l.src) {
		switch l.src[i : i+2] {
		case "/*":
			depth++
		case "*/":
			depth--
		default:
			l.mask[i] = ' '
			i++
			continue
		}
		l.mask[i], l.mask[i+1] = ' ', ' '
		i += 2
		if depth == 0 {
			return i
		}
	}
	return l.fail(start, start+2, "unterminated comment")
}

// fail records the first lexical error. Only maskAll looks at it, so the offset returned has no meaning.
func (l *lexer) fail(from, to int, message string) int {
	l.bad = &lexicalError{pos: from, found: l.src[from:to], message: message}
	return to
}

// failOpen records a quote at start that nothing closes. Where the text was meant to end is anyone's guess: the first blank
// serves as the end of the token shown.
func (l *lexer) failOpen(start int, message string) int {
	found := l.src[start:]
	if i := strings.IndexAny(found, " \t\r\n"); i > 0 {
		found = found[:i]
	}
	return l.fail(start, start+len(found), message+" "+shorten(found))
}

func (l *lexer) at(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// isWordByte tells whether the ASCII character c belongs to a word.
func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c) || c == '_' || c == '$'
}

// wordEnd is where the word that starts at i ends; i itself if there is none.
func wordEnd(s string, i int) int {
	for i < len(s) {
		if isWordByte(s[i]) {
			i++
			continue
		}
		if s[i] < utf8.RuneSelf {
			break
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			break
		}
		i += n
	}
	return i
}
