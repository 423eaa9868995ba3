package jsonscan

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// maxDepth bounds the nesting of objects and arrays.
const maxDepth = 500

// SyntaxError says where a text is not the JSON that was asked for.
type SyntaxError struct {
	Offset int
	Reason string
}

// Error implements error.
func (e *SyntaxError) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Reason) }

// Scanner is a place in a JSON text.
type Scanner struct {
	buf   []byte
	pos   int
	depth int
}

// New starts at the beginning of text, which must not change while it is read.
func New(text []byte) *Scanner { return &Scanner{buf: text} }

// NewString is New for a string, which it does not copy.
func NewString(text string) *Scanner {
	// A Scanner never writes to its text.
	return &Scanner{buf: unsafe.Slice(unsafe.StringData(text), len(text))}
}

func (s *Scanner) fail(format string, args ...any) error {
	return &SyntaxError{Offset: s.pos, Reason: fmt.Sprintf(format, args...)}
}

func (s *Scanner) skipSpace() {
	for s.pos < len(s.buf) {
		switch s.buf[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// Peek gives the first byte of the next value without taking it; 0 at the end.
func (s *Scanner) Peek() byte {
	s.skipSpace()
	if s.pos >= len(s.buf) {
		return 0
	}
	return s.buf[s.pos]
}

// End fails if anything but white space is left.
func (s *Scanner) End() error {
	if s.Peek() != 0 || s.pos < len(s.buf) {
		return s.fail("text follows the value")
	}
	return nil
}

// Null takes a null if that is what comes next.
func (s *Scanner) Null() bool {
	if s.Peek() == 'n' && bytes.HasPrefix(s.buf[s.pos:], []byte("null")) {
		s.pos += 4
		return true
	}
	return false
}

func (s *Scanner) expect(c byte) error {
	if s.Peek() != c {
		return s.fail("%q expected", c)
	}
	s.pos++
	return nil
}

// Object takes an object: field is called with each name and must take the
// value. The name is valid until the value is taken.
func (s *Scanner) Object(field func(name []byte) error) error {
	if err := s.expect('{'); err != nil {
		return err
	}
	if s.depth++; s.depth > maxDepth {
		return s.fail("nested too deeply")
	}
	defer func() { s.depth-- }()
	if s.Peek() == '}' {
		s.pos++
		return nil
	}
	for {
		name, err := s.text()
		if err != nil {
			return err
		}
		if err := s.expect(':'); err != nil {
			return err
		}
		if err := field(name); err != nil {
			return err
		}
		if done, err := s.next('}'); done || err != nil {
			return err
		}
	}
}

// Array takes an array: element is called at each element and must take it.
func (s *Scanner) Array(element func() error) error {
	if err := s.expect('['); err != nil {
		return err
	}
	if s.depth++; s.depth > maxDepth {
		return s.fail("nested too deeply")
	}
	defer func() { s.depth-- }()
	if s.Peek() == ']' {
		s.pos++
		return nil
	}
	for {
		if err := element(); err != nil {
			return err
		}
		if done, err := s.next(']'); done || err != nil {
			return err
		}
	}
}

// next takes the comma before another member, or the end.
func (s *Scanner) next(end byte) (done bool, err error) {
	switch s.Peek() {
	case end:
		s.pos++
		return true, nil
	case ',':
		s.pos++
		return false, nil
	}
	return false, s.fail("',' or %q expected", end)
}

// String takes a string.
func (s *Scanner) String() (string, error) {
	b, err := s.text()
	return string(b), err
}

// text takes a string. The result may be a part of the text.
func (s *Scanner) text() ([]byte, error) {
	if s.Peek() != '"' {
		return nil, s.fail("string expected")
	}
	start := s.pos + 1
	for i := start; i < len(s.buf); i++ {
		switch c := s.buf[i]; {
		case c == '"':
			s.pos = i + 1
			return s.buf[start:i:i], nil
		case c == '\\':
			return s.unescape(start, i)
		case c < ' ':
			s.pos = i
			return nil, s.fail("control character in a string")
		}
	}
	s.pos = len(s.buf)
	return nil, s.fail("string has no end")
}

// unescape takes a string whose first backslash is at i.
func (s *Scanner) unescape(start, i int) ([]byte, error) {
	out := append(make([]byte, 0, i-start+64), s.buf[start:i]...)
	for i < len(s.buf) {
		c := s.buf[i]
		switch {
		case c == '"':
			s.pos = i + 1
			return out, nil
		case c < ' ':
			s.pos = i
			return nil, s.fail("control character in a string")
		case c != '\\':
			end := i + 1
			for end < len(s.buf) && s.buf[end] != '"' && s.buf[end] != '\\' && s.buf[end] >= ' ' {
				end++
			}
			out = append(out, s.buf[i:end]...)
			i = end
			continue
		}
		var n int
		if out, n = appendEscape(out, s.buf[i:]); n == 0 {
			s.pos = i
			return nil, s.fail("bad escape in a string")
		}
		i += n
	}
	s.pos = len(s.buf)
	return nil, s.fail("string has no end")
}

// appendEscape appends what the escape at the start of b stands for and gives
// the escape's length, 0 if it is malformed.
func appendEscape(out, b []byte) ([]byte, int) {
	if len(b) < 2 {
		return out, 0
	}
	switch b[1] {
	case '"', '\\', '/':
		return append(out, b[1]), 2
	case 'b':
		return append(out, '\b'), 2
	case 'f':
		return append(out, '\f'), 2
	case 'n':
		return append(out, '\n'), 2
	case 'r':
		return append(out, '\r'), 2
	case 't':
		return append(out, '\t'), 2
	case 'u':
		r, ok := hex4(b[2:])
		if !ok {
			return out, 0
		}
		if utf16.IsSurrogate(r) {
			if len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
				if low, ok := hex4(b[8:]); ok {
					if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
						return utf8.AppendRune(out, pair), 12
					}
				}
			}
			r = utf8.RuneError
		}
		return utf8.AppendRune(out, r), 6
	}
	return out, 0
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// Number takes a number and gives its text, which is a part of the scanned
// one.
func (s *Scanner) Number() ([]byte, error) {
	s.skipSpace()
	start, i := s.pos, s.pos
	digits := 0
	for ; i < len(s.buf); i++ {
		c := s.buf[i]
		if c >= '0' && c <= '9' {
			digits++
			continue
		}
		if c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E' {
			break
		}
	}
	if digits == 0 {
		return nil, s.fail("number expected")
	}
	s.pos = i
	return s.buf[start:i:i], nil
}

// Int64 takes a whole number.
func (s *Scanner) Int64() (int64, error) {
	start := s.pos
	b, err := s.Number()
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(string(b), 10, 64)
	if err != nil {
		s.pos = start
		return 0, s.fail("%q is not a 64-bit whole number", b)
	}
	return n, nil
}

// Bool takes true or false.
func (s *Scanner) Bool() (bool, error) {
	s.skipSpace()
	rest := s.buf[s.pos:]
	switch {
	case bytes.HasPrefix(rest, []byte("true")):
		s.pos += 4
		return true, nil
	case bytes.HasPrefix(rest, []byte("false")):
		s.pos += 5
		return false, nil
	}
	return false, s.fail("true or false expected")
}

// Skip takes a value of any kind.
func (s *Scanner) Skip() error {
	switch s.Peek() {
	case '{':
		return s.Object(func([]byte) error { return s.Skip() })
	case '[':
		return s.Array(s.Skip)
	case '"':
		_, err := s.text()
		return err
	case 't', 'f':
		_, err := s.Bool()
		return err
	case 'n':
		if s.Null() {
			return nil
		}
		return s.fail("null expected")
	}
	_, err := s.Number()
	return err
}

// Raw takes a value of any kind and gives its text, which is a part of the
// scanned one.
func (s *Scanner) Raw() ([]byte, error) {
	s.skipSpace()
	start := s.pos
	if err := s.Skip(); err != nil {
		return nil, err
	}
	return s.buf[start:s.pos:s.pos], nil
}

// StringMap takes an object of strings; null values are left out.
func (s *Scanner) StringMap() (map[string]string, error) {
	if s.Null() {
		return nil, nil
	}
	m := map[string]string{}
	err := s.Object(func(name []byte) error {
		key := string(name)
		if s.Null() {
			return nil
		}
		v, err := s.String()
		m[key] = v
		return err
	})
	return m, err
}

// Strings takes an array of strings; null gives nil.
func (s *Scanner) Strings() ([]string, error) {
	if s.Null() {
		return nil, nil
	}
	list := []string{}
	err := s.Array(func() error {
		v, err := s.String()
		list = append(list, v)
		return err
	})
	return list, err
}
