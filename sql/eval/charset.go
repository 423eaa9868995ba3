package eval

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A charset converts between UTF-8 and the bytes of another character set.
type charset struct {
	encode func(dst []byte, s string) (out []byte, ok bool)
	decode func(dst, s []byte) (out []byte, ok bool)
}

// charsets are those that Spark knows, by their names in upper case.
var charsets = map[string]charset{
	"UTF-8":      {func(dst []byte, s string) ([]byte, bool) { return append(dst, s...), true }, decodeUTF8},
	"US-ASCII":   oneByte(0x7f),
	"ISO-8859-1": oneByte(0xff),
	"UTF-16":     {encodeUTF16Marked, decodeUTF16Marked},
	"UTF-16BE":   utf16BE,
	"UTF-16LE":   utf16LE,
	"UTF-32":     {encodeUTF32, decodeUTF32},
}

var utf16BE, utf16LE = utf16In(binary.BigEndian), utf16In(binary.LittleEndian)

func rowEncode(f *frame, i int) error {
	return recode(f, i, func(c charset, dst []byte) ([]byte, bool) { return c.encode(dst, f.text(0, i)) })
}

func rowDecode(f *frame, i int) error {
	return recode(f, i, func(c charset, dst []byte) ([]byte, bool) { return c.decode(dst, f.bytes(0, i)) })
}

func recode(f *frame, i int, convert func(c charset, dst []byte) ([]byte, bool)) error {
	c, ok := charsets[strings.ToUpper(f.text(1, i))]
	if !ok {
		return invalid("character set %s is not known; use UTF-8, UTF-16, UTF-16BE, UTF-16LE, UTF-32, ISO-8859-1 or US-ASCII", f.string(1, i))
	}
	start := len(f.out.Data)
	out, ok := convert(c, f.out.Data)
	if !ok {
		return invalid("the text has characters that %s lacks", strings.ToUpper(f.string(1, i)))
	}
	f.out.Data = out
	return f.endBytes(i, start)
}

func decodeUTF8(dst, s []byte) ([]byte, bool) { return append(dst, s...), utf8.Valid(s) }

// oneByte is a set of the first code points of Unicode, a byte each.
func oneByte(last rune) charset {
	return charset{
		func(dst []byte, s string) ([]byte, bool) {
			for _, r := range s {
				if r > last {
					return dst, false
				}
				dst = append(dst, byte(r))
			}
			return dst, true
		},
		func(dst, s []byte) ([]byte, bool) {
			for _, b := range s {
				if rune(b) > last {
					return dst, false
				}
				dst = utf8.AppendRune(dst, rune(b))
			}
			return dst, true
		},
	}
}

func utf16In(order interface {
	binary.ByteOrder
	binary.AppendByteOrder
}) charset {
	return charset{
		func(dst []byte, s string) ([]byte, bool) {
			for _, u := range utf16.Encode([]rune(s)) {
				dst = order.AppendUint16(dst, u)
			}
			return dst, true
		},
		func(dst, s []byte) ([]byte, bool) {
			units := make([]uint16, len(s)/2)
			for k := range units {
				units[k] = order.Uint16(s[2*k:])
			}
			for _, r := range utf16.Decode(units) {
				if r == utf8.RuneError {
					return dst, false
				}
				dst = utf8.AppendRune(dst, r)
			}
			return dst, len(s)%2 == 0
		},
	}
}

// encodeUTF16Marked puts a byte order mark first, but not before nothing.
func encodeUTF16Marked(dst []byte, s string) ([]byte, bool) {
	if s == "" {
		return dst, true
	}
	return utf16BE.encode(append(dst, 0xfe, 0xff), s)
}

func decodeUTF16Marked(dst, s []byte) ([]byte, bool) {
	if len(s) >= 2 && s[0] == 0xff && s[1] == 0xfe {
		return utf16LE.decode(dst, s[2:])
	}
	if len(s) >= 2 && s[0] == 0xfe && s[1] == 0xff {
		s = s[2:]
	}
	return utf16BE.decode(dst, s)
}

func encodeUTF32(dst []byte, s string) ([]byte, bool) {
	for _, r := range s {
		dst = binary.BigEndian.AppendUint32(dst, uint32(r))
	}
	return dst, true
}

func decodeUTF32(dst, s []byte) ([]byte, bool) {
	for ; len(s) >= 4; s = s[4:] {
		r := rune(binary.BigEndian.Uint32(s))
		if !utf8.ValidRune(r) {
			return dst, false
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst, len(s) == 0
}

// rowUnbase64 passes over characters that base 64 does not have, as MIME does.
func rowUnbase64(f *frame, i int) error {
	s := strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '+' || r == '/' || r == '=' {
			return r
		}
		return -1
	}, f.text(0, i))
	digits, _, padded := strings.Cut(s, "=")
	b, err := base64.RawStdEncoding.DecodeString(digits)
	if err != nil || padded && len(s)%4 != 0 {
		return invalid("%s is not base 64", printValue(stringType, f.string(0, i)))
	}
	return f.setBytes(i, b)
}
