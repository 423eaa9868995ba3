package eval

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// stringFunctions are the functions that measure, cut and search strings.
// Positions and lengths count characters, from 1.
func stringFunctions() []*Function {
	return []*Function{
		function("length char_length character_length len", "the number of characters, or of bytes of a BINARY", overKernel("STRING", "INT", kernelLength), over("BINARY", "INT", rowOctets)),
		function("octet_length", "the number of bytes", over("STRING", "INT", rowOctets), over("BINARY", "INT", rowOctets)),
		function("bit_length", "the number of bits", over("STRING", "INT", rowBits), over("BINARY", "INT", rowBits)),
		function("lower lcase", "in lower case", over("STRING", "STRING", rowCase(cases.Lower, 'A', 'Z'))),
		function("upper ucase", "in upper case", over("STRING", "STRING", rowCase(cases.Upper, 'a', 'z'))),
		function("btrim", "without blanks, or the characters of the second argument, at both ends", overKernel("STRING, STRING?", "STRING", sliceKernel(trimmed(true, true)))),
		trim("trim", "at both ends", true, true), trim("ltrim", "at the start", true, false), trim("rtrim", "at the end", false, true),
		function("substring substr", "the part from a position, from the end if it is negative, of a length", overKernel("STRING, INT, INT?", "STRING", kernelSubstring),
			over("BINARY, INT, INT?", "BINARY", rowSubstringBytes)),
		function("left", "the first characters, or bytes of a BINARY", overKernel("STRING, INT", "STRING", sliceKernel(leftPart)),
			overKernel("BINARY, INT", "BINARY", sliceKernel(func(f *frame, i int, s []byte) (int, int) { return 0, max(0, min(len(s), int(f.int(1, i)))) }))),
		function("right", "the last characters", overKernel("STRING, INT", "STRING", sliceKernel(rightPart))),
		function("split_part", "the n-th part between separators, from the end if n is negative", overKernel("STRING, STRING, INT", "STRING", sliceKernelErr(splitPart))),
		function("substring_index", "what stands before the n-th separator, or after it from the end", overKernel("STRING, STRING, INT", "STRING", sliceKernel(substringIndex))),
		function("instr", "the position of the second argument in the first, or 0", over("STRING, STRING", "INT", func(f *frame, i int) error {
			f.out.Int32s[i] = locate(f.bytes(0, i), f.bytes(1, i), 1)
			return nil
		})),
		function("locate position charindex", "the position of the first argument in the second, from a position, or 0", lenient(orNull(over("STRING, STRING, INT?", "INT", rowLocate)))),
		search("startswith starts_with", "tells whether a string starts with another", bytes.HasPrefix),
		search("endswith ends_with", "tells whether a string ends with another", bytes.HasSuffix),
		search("contains", "tells whether a string holds another", bytes.Contains),
		function("ascii", "the code of the first character", over("STRING", "INT", func(f *frame, i int) error {
			r, size := utf8.DecodeRune(f.bytes(0, i))
			if size == 0 {
				r = 0
			}
			f.out.Int32s[i] = int32(r)
			return nil
		})),
		function("find_in_set", "the position of a string in a list with commas, or 0", over("STRING, STRING", "INT", func(f *frame, i int) error {
			word, n := f.text(0, i), int32(0)
			for k, part := range strings.Split(f.text(1, i), ",") {
				if part == word {
					n = int32(k + 1)
					break
				}
			}
			f.out.Int32s[i] = n
			return nil
		})),
		function("levenshtein", "the number of characters to change, or -1 where it is more than the third argument", over("STRING, STRING, INT?", "INT", func(f *frame, i int) error {
			f.out.Int32s[i] = int32(runeDistance([]rune(f.text(0, i)), []rune(f.text(1, i))))
			if len(f.args) > 2 && int64(f.out.Int32s[i]) > f.int(2, i) {
				f.out.Int32s[i] = -1
			}
			return nil
		})),
	}
}

func rowOctets(f *frame, i int) error {
	f.out.Int32s[i] = int32(len(f.bytes(0, i)))
	return nil
}

func rowBits(f *frame, i int) error {
	f.out.Int32s[i] = int32(8 * len(f.bytes(0, i)))
	return nil
}

func search(names, doc string, test func(s, sub []byte) bool) *Function {
	row := func(f *frame, i int) error {
		f.out.Bools[i] = test(f.bytes(0, i), f.bytes(1, i))
		return nil
	}
	return function(names, doc, over("STRING, STRING", "BOOLEAN", row), over("BINARY, BINARY", "BOOLEAN", row))
}

// rowCase maps ASCII in place and everything else by Unicode's full mappings,
// which may change the length.
func rowCase(unicodeCase func(language.Tag, ...cases.Option) cases.Caser, from, to byte) rowFunc {
	return func(f *frame, i int) error {
		s := f.bytes(0, i)
		start := len(f.out.Data)
		if !isASCII(s) {
			if f.state == nil { // a Caser serves one goroutine
				c := unicodeCase(language.Und)
				f.state = &c
			}
			return f.setBytes(i, f.state.(*cases.Caser).Bytes(s))
		}
		f.out.Data = append(f.out.Data, s...)
		for k, c := range f.out.Data[start:] {
			if c >= from && c <= to {
				f.out.Data[start+k] = c ^ 0x20
			}
		}
		return f.endBytes(i, start)
	}
}

func isASCII(s []byte) bool {
	for _, c := range s {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// sliceKernel makes a kernel whose results are parts of its first argument:
// views into the same bytes, of which nothing is copied.
func sliceKernel(part func(f *frame, i int, s []byte) (from, to int)) kernel {
	return sliceKernelErr(func(f *frame, i int, s []byte) (int, int, error) {
		from, to := part(f, i, s)
		return from, to, nil
	})
}

func sliceKernelErr(part func(f *frame, i int, s []byte) (from, to int, err error)) kernel {
	rows := rowKernel(func(f *frame, i int) error {
		v, p := f.at(0, i)
		view := v.Views[p]
		from, to, err := part(f, i, v.Data[view.Offset:view.Offset+view.Length])
		f.out.Views[i] = vector.View{Offset: view.Offset + uint32(from), Length: uint32(to - from)}
		return err
	})
	return func(f *frame) error {
		f.out.Data = shareBytes(f.args[0])
		return rows(f)
	}
}

// shareBytes gives a vector's bytes without room to append behind them.
func shareBytes(v *vector.Vector) []byte { return v.Data[:len(v.Data):len(v.Data)] }

// trim makes trim, ltrim and rtrim, which in Spark take the characters first
// and the string second.
func trim(name, where string, start, end bool) *Function {
	f := function(name, "without blanks, or the characters of the first of two arguments, "+where, overKernel("STRING, STRING?", "STRING", sliceKernel(trimmed(start, end))))
	f.Signatures = []string{name + "(STRING) STRING", name + "(STRING, STRING) STRING"}
	f.resolve = func(_ string, args []expr.Expr) (expr.Expr, error) {
		if len(args) == 2 {
			args = []expr.Expr{args[1], args[0]}
		}
		return f.call(args)
	}
	return f
}

func trimmed(start, end bool) func(f *frame, i int, s []byte) (int, int) {
	return func(f *frame, i int, s []byte) (int, int) {
		from, to := 0, len(s)
		if len(f.args) == 1 {
			for start && from < to && s[from] == ' ' {
				from++
			}
			for end && to > from && s[to-1] == ' ' {
				to--
			}
			return from, to
		}
		set := f.text(1, i)
		if start {
			from = to - len(bytes.TrimLeft(s, set))
		}
		if end {
			to = from + len(bytes.TrimRight(s[from:], set))
		}
		return from, to
	}
}

// charOffset gives the byte offset of the n-th character (from 0), at most
// len(s).
func charOffset(s []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(s); n-- {
		if s[at] < utf8.RuneSelf {
			at++
			continue
		}
		_, size := utf8.DecodeRune(s[at:])
		at += size
	}
	return at
}

// kernelSubstring has a loop for the usual constant position and length.
func kernelSubstring(f *frame) error {
	constant := f.args[0].Form == vector.Flat && f.args[1].Form == vector.Constant && f.args[1].Int32s[0] > 0
	length := int32(maxInt32)
	if len(f.args) > 2 {
		constant = constant && f.args[2].Form == vector.Constant
		length = f.args[2].Int32s[0]
	}
	if !constant {
		return generalSubstring(f)
	}
	skip, take := int(f.args[1].Int32s[0])-1, int(max(length, 0))
	in := f.args[0]
	f.out.Data = shareBytes(in)
	for k := range rowsOf(f.sel, f.n) {
		i := rowAt(f.sel, k)
		if !f.out.Valid.Valid(i) {
			continue
		}
		view := in.Views[i]
		s := in.Data[view.Offset : view.Offset+view.Length]
		from := charOffset(s, skip)
		f.out.Views[i] = vector.View{Offset: view.Offset + uint32(from), Length: uint32(charOffset(s[from:], take))}
	}
	return nil
}

var generalSubstring = sliceKernel(substring)

// substring follows Spark: position 0 is 1, a negative one counts from the end,
// and what lies before the start takes of the length.
func substring(f *frame, i int, s []byte) (int, int) {
	return substringAt(s, int(f.int(1, i)), lengthArg(f, i))
}

// rowSubstringBytes adds zeros where the end that bytesAt gives is beyond that of
// the bytes, as Spark does.
func rowSubstringBytes(f *frame, i int) error {
	s := f.bytes(0, i)
	from, to := bytesAt(s, int(f.int(1, i)), lengthArg(f, i))
	if to <= len(s) {
		return f.setBytes(i, s[from:to])
	}
	if to > maxTextBytes {
		return f.tooLong()
	}
	start := len(f.out.Data)
	f.out.Data = append(append(f.out.Data, s[from:]...), make([]byte, to-len(s))...)
	return f.endBytes(i, start)
}

func lengthArg(f *frame, i int) int {
	if len(f.args) > 2 {
		return int(f.int(2, i))
	}
	return maxInt32
}

func substringAt(s []byte, pos, length int) (int, int) {
	if pos > 0 && length == maxInt32 {
		return charOffset(s, pos-1), len(s)
	}
	start := pos - 1
	if pos < 0 {
		start = utf8.RuneCount(s) + pos
	} else if pos == 0 {
		start = 0
	}
	end := start + length
	if end <= 0 || length <= 0 {
		return 0, 0
	}
	from := charOffset(s, start)
	return from, from + charOffset(s[from:], end-max(start, 0))
}

const maxInt32 = 1<<31 - 1

// bytesAt is substringAt for bytes. What is left behind the start, and the end,
// wrap around at the ends of INT, as in Spark, so that the end may be beyond the
// bytes where both numbers are far below zero.
func bytesAt(s []byte, pos, length int) (int, int) {
	start := pos - 1
	if pos < 0 {
		start = len(s) + pos
	} else if pos == 0 {
		start = 0
	}
	end := len(s)
	if int(int32(len(s)-start)) >= length {
		end = int(int32(start + length))
	}
	start = min(max(start, 0), len(s))
	return start, max(start, end)
}

func leftPart(f *frame, i int, s []byte) (int, int) { return 0, charOffset(s, int(f.int(1, i))) }

func rightPart(f *frame, i int, s []byte) (int, int) {
	n := int(f.int(1, i))
	if n <= 0 {
		return len(s), len(s)
	}
	return charOffset(s, utf8.RuneCount(s)-n), len(s)
}

func splitPart(f *frame, i int, s []byte) (int, int, error) {
	sep, n := f.bytes(1, i), int(f.int(2, i))
	if n == 0 {
		return 0, 0, invalid("split_part counts parts from 1 or, from the end, from -1; 0 is neither")
	}
	if len(sep) == 0 { // one part
		if n == 1 || n == -1 {
			return 0, len(s), nil
		}
		return 0, 0, nil
	}
	if n < 0 {
		if n += bytes.Count(s, sep) + 2; n < 1 {
			return 0, 0, nil
		}
	}
	from := 0
	for ; n > 1; n-- {
		k := bytes.Index(s[from:], sep)
		if k < 0 {
			return 0, 0, nil
		}
		from += k + len(sep)
	}
	if k := bytes.Index(s[from:], sep); k >= 0 {
		return from, from + k, nil
	}
	return from, len(s), nil
}

func substringIndex(f *frame, i int, s []byte) (int, int) {
	sep, n := f.bytes(1, i), int(f.int(2, i))
	if len(sep) == 0 || n == 0 {
		return 0, 0
	}
	if n > 0 {
		end := 0
		for ; n > 0; n-- {
			k := bytes.Index(s[end:], sep)
			if k < 0 {
				return 0, len(s)
			}
			end += k + len(sep)
		}
		return 0, end - len(sep)
	}
	start := len(s)
	for ; n < 0; n++ {
		k := bytes.LastIndex(s[:start], sep)
		if k < 0 {
			return 0, len(s)
		}
		start = k
	}
	return start + len(sep), len(s)
}

// rowLocate is 0 where the position to start from is NULL.
func rowLocate(f *frame, i int) error {
	from := int64(1)
	if len(f.args) > 2 {
		if f.isNull(2, i) {
			f.out.Int32s[i] = 0
			return nil
		}
		from = f.int(2, i)
	}
	if f.isNull(0, i) || f.isNull(1, i) {
		f.setNull(i)
		return nil
	}
	f.out.Int32s[i] = locate(f.bytes(1, i), f.bytes(0, i), from)
	return nil
}

// locate gives the position of sub in s at or after a position, or 0.
func locate(s, sub []byte, from int64) int32 {
	switch {
	case from < 1:
		return 0
	case len(sub) == 0:
		return 1
	}
	start := charOffset(s, int(from-1))
	if start == len(s) && int64(utf8.RuneCount(s)) < from-1 {
		return 0
	}
	k := bytes.Index(s[start:], sub)
	if k < 0 {
		return 0
	}
	return int32(from) + int32(utf8.RuneCount(s[start:start+k]))
}

func runeDistance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// initcap gives each word a capital: in Spark words end at blanks only.
func initcap(dst, s []byte) []byte {
	first := true
	for len(s) > 0 {
		r, size := utf8.DecodeRune(s)
		s = s[size:]
		if first {
			r = unicode.ToTitle(r)
		} else {
			r = unicode.ToLower(r)
		}
		first = r == ' '
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

var stringType = types.Of(types.String)
