package eval

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// textFunctions are the functions that make new strings.
func textFunctions() []*Function {
	id := function("uuid", "a random UUID as text", over("", "STRING", func(f *frame, i int) error {
		return f.setString(i, uuid.NewString())
	}))
	id.Volatile = true
	joined := special("concat_ws", "(STRING, STRING…) STRING", "strings and arrays of strings that are not NULL, joined by a separator", resolveConcatWS, compileConcatWS)
	joined.lenient = true
	return []*Function{
		id, joined,
		special("concat", "(T, T…) T", "strings, binaries or arrays joined", func(_ string, args []expr.Expr) (expr.Expr, error) {
			if len(args) == 0 {
				return expr.Str(""), nil
			}
			return resolveConcat(expr.OpConcat, args)
		}, nil),
		function("replace", "every occurrence of a string replaced", over("STRING, STRING, STRING?", "STRING", rowReplace)),
		function("repeat", "the string so many times", over("STRING, INT", "STRING", rowRepeat)),
		function("space", "so many blanks", over("INT", "STRING", func(f *frame, i int) error {
			return fillBytes(f, i, []byte(" "), int(f.int(0, i)))
		})),
		function("lpad", "filled up at the start, or cut, to a length", over("STRING, INT, STRING?", "STRING", rowPad(true))),
		function("rpad", "filled up at the end, or cut, to a length", over("STRING, INT, STRING?", "STRING", rowPad(false))),
		special("reverse", "(T) T", "a string or an array from the end", resolveReverse, compileReverse),
		overlay(),
		function("initcap", "words with a capital", over("STRING", "STRING", func(f *frame, i int) error {
			start := len(f.out.Data)
			f.out.Data = initcap(f.out.Data, f.bytes(0, i))
			return f.endBytes(i, start)
		})),
		function("translate", "characters of the second argument replaced by those of the third", over("STRING, STRING, STRING", "STRING", rowTranslate)),
		function("chr char", "the character of a code from 0 to 255", over("BIGINT", "STRING", func(f *frame, i int) error {
			n := f.int(0, i)
			if n < 0 {
				return f.setString(i, "")
			}
			return f.setString(i, string(rune(n&255)))
		})),
		function("base64", "as base 64", over("BINARY", "STRING", func(f *frame, i int) error {
			start := len(f.out.Data)
			f.out.Data = base64.StdEncoding.AppendEncode(f.out.Data, f.bytes(0, i))
			return f.endBytes(i, start)
		})),
		function("unbase64", "the bytes of base 64", over("STRING", "BINARY", rowUnbase64)),
		function("encode", "the bytes of a string in a character set", over("STRING, STRING", "BINARY", rowEncode)),
		function("decode", "the string of bytes in a character set", over("BINARY, STRING", "STRING", rowDecode)),
		special("format_number", "(NUMBER, INT | STRING) STRING", "with commas and so many digits after the point, or by a pattern of Java's DecimalFormat", resolveFormatNumber, compileRow(rowFormatNumber)),
		function("quote", "in single quotes", over("STRING", "STRING", func(f *frame, i int) error {
			return f.setString(i, "'"+strings.ReplaceAll(f.text(0, i), "'", `\'`)+"'")
		})),
	}
}

func resolveConcatWS(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, -1); err != nil {
		return nil, err
	}
	cast := make([]expr.Expr, len(args))
	for i, a := range args {
		to := stringType
		if a.Type().Kind == types.Array && i > 0 {
			to = types.ArrayOf(stringType, true)
		}
		if !castAllowed(a.Type(), to) || a.Type().IsNested() && to.Kind == types.String {
			return nil, mismatch("concat_ws takes strings and arrays of strings, not %s", typeList(args))
		}
		cast[i] = castTo(a, to)
	}
	return &expr.Call{Name: name, Args: cast, T: stringType, MayBeNull: args[0].Nullable()}, nil
}

func compileConcatWS(c *compiler, e *expr.Call) (node, error) {
	args, err := c.compileAll(e.Args)
	if err != nil {
		return nil, err
	}
	row := func(f *frame, i int) error {
		if f.isNull(0, i) {
			f.setNull(i)
			return nil
		}
		sep, start, n := f.bytes(0, i), len(f.out.Data), 0
		add := func(s []byte) {
			if len(f.out.Data)-start > maxTextBytes { // refused below
				return
			}
			if n++; n > 1 {
				f.out.Data = append(f.out.Data, sep...)
			}
			f.out.Data = append(f.out.Data, s...)
		}
		for a := 1; a < len(f.args); a++ {
			v, p := f.at(a, i)
			switch {
			case !v.Valid.Valid(p):
			case v.Type.Kind == types.Array:
				for k := v.Offsets[p]; k < v.Offsets[p+1]; k++ {
					if !v.Child.IsNull(int(k)) {
						add(v.Child.Bytes(int(k)))
					}
				}
			default:
				add(f.bytes(a, i))
			}
		}
		if len(f.out.Data)-start > maxTextBytes {
			return f.tooLong()
		}
		return f.endBytes(i, start)
	}
	return newCall(c, e.Name, e.T, args, false, rowKernel(row)), nil
}

func rowReplace(f *frame, i int) error {
	s, old := f.bytes(0, i), f.bytes(1, i)
	var to []byte
	if len(f.args) > 2 {
		to = f.bytes(2, i)
	}
	if len(old) > 0 && len(s)*len(to) > maxTextBytes && len(s)+bytes.Count(s, old)*(len(to)-len(old)) > maxTextBytes {
		return f.tooLong()
	}
	start := len(f.out.Data)
	for len(old) > 0 {
		k := bytes.Index(s, old)
		if k < 0 {
			break
		}
		f.out.Data = append(append(f.out.Data, s[:k]...), to...)
		s = s[k+len(old):]
	}
	f.out.Data = append(f.out.Data, s...)
	return f.endBytes(i, start)
}

// maxTextBytes bounds one string that a function makes of shorter ones.
const maxTextBytes = 1 << 28

func (f *frame) tooLong() error {
	return fmt.Errorf("%w: %s gives more than 256 MiB of text", ErrLimitExceeded, f.name)
}

func rowRepeat(f *frame, i int) error { return fillBytes(f, i, f.bytes(0, i), int(f.int(1, i))) }

func fillBytes(f *frame, i int, s []byte, n int) error {
	start := len(f.out.Data)
	if n > 0 && len(s)*n > maxTextBytes {
		return f.tooLong()
	}
	for ; n > 0; n-- {
		f.out.Data = append(f.out.Data, s...)
	}
	return f.endBytes(i, start)
}

func rowPad(left bool) rowFunc {
	return func(f *frame, i int) error {
		s, want := f.bytes(0, i), int(f.int(1, i))
		pad := []byte(" ")
		if len(f.args) > 2 {
			pad = f.bytes(2, i)
		}
		have := utf8.RuneCount(s)
		if have >= want || len(pad) == 0 {
			return f.setBytes(i, s[:charOffset(s, want)])
		}
		if want > maxTextBytes/4 {
			return f.tooLong()
		}
		start := len(f.out.Data)
		if !left {
			f.out.Data = append(f.out.Data, s...)
		}
		padLen := utf8.RuneCount(pad)
		missing := want - have
		for ; missing >= padLen; missing -= padLen {
			f.out.Data = append(f.out.Data, pad...)
		}
		f.out.Data = append(f.out.Data, pad[:charOffset(pad, missing)]...)
		if left {
			f.out.Data = append(f.out.Data, s...)
		}
		return f.endBytes(i, start)
	}
}

func resolveReverse(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	a := args[0]
	if a.Type().Kind != types.Array {
		if castCost(a.Type(), stringType) >= impossible {
			return nil, mismatch("reverse takes a string or an array, not %s", a.Type())
		}
		a = castTo(a, stringType)
	}
	return typedCall(name, a.Type(), a), nil
}

func compileReverse(c *compiler, e *expr.Call) (node, error) {
	if e.T.Kind != types.Array {
		return compileRow(func(f *frame, i int) error {
			s, start := f.bytes(0, i), len(f.out.Data)
			for len(s) > 0 {
				_, size := utf8.DecodeLastRune(s)
				f.out.Data = append(f.out.Data, s[len(s)-size:]...)
				s = s[:len(s)-size]
			}
			return f.endBytes(i, start)
		})(c, e)
	}
	return compileNestedRow(func(f *frame, i int) (any, error) {
		in := f.value(0, i).([]any)
		out := make([]any, len(in))
		for k, x := range in {
			out[len(in)-1-k] = x
		}
		return out, nil
	})(c, e)
}

// overlay makes the function; a string and a binary don't go together.
func overlay() *Function {
	f := function("overlay", "a part, of a length, from a position of a string, or of bytes, replaced",
		over("STRING, STRING, INT, INT?", "STRING", rowOverlay(substringAt, utf8.RuneCount)),
		over("BINARY, BINARY, INT, INT?", "BINARY", rowOverlay(bytesAt, func(s []byte) int { return len(s) })))
	f.resolve = func(name string, args []expr.Expr) (expr.Expr, error) {
		binaries := 0
		for _, a := range args[:min(len(args), 2)] {
			if a.Type().Kind == types.Binary {
				binaries++
			}
		}
		if binaries == 1 && args[0].Type().Kind != types.Void && args[1].Type().Kind != types.Void {
			return nil, f.noOverload(args)
		}
		return f.call(args)
	}
	return f
}

// rowOverlay replaces as many characters as the replacement has where no
// length, or a negative one, is given. Positions wrap around at the ends of
// INT, as in Spark.
func rowOverlay(part func(s []byte, pos, length int) (from, to int), count func([]byte) int) rowFunc {
	return func(f *frame, i int) error {
		s, with, pos := f.bytes(0, i), f.bytes(1, i), int32(f.int(2, i))
		length := int32(count(with))
		if len(f.args) > 3 && f.int(3, i) >= 0 {
			length = int32(f.int(3, i))
		}
		start := len(f.out.Data)
		from, to := part(s, 1, int(pos-1))
		f.out.Data = append(append(f.out.Data, s[from:to]...), with...)
		from, to = part(s, int(pos+length), maxInt32)
		f.out.Data = append(f.out.Data, s[from:to]...)
		return f.endBytes(i, start)
	}
}

func rowTranslate(f *frame, i int) error {
	from, to := []rune(f.text(1, i)), []rune(f.text(2, i))
	start := len(f.out.Data)
	for _, r := range f.text(0, i) {
		at := -1
		for k, x := range from {
			if x == r {
				at = k
				break
			}
		}
		switch {
		case at < 0:
			f.out.Data = utf8.AppendRune(f.out.Data, r)
		case at < len(to):
			f.out.Data = utf8.AppendRune(f.out.Data, to[at])
		}
	}
	return f.endBytes(i, start)
}

func rowHex(f *frame, i int) error {
	start := len(f.out.Data)
	f.out.Data = hex.AppendEncode(f.out.Data, f.bytes(0, i))
	copy(f.out.Data[start:], bytes.ToUpper(f.out.Data[start:]))
	return f.endBytes(i, start)
}

func hexUpperInt(x int64) string { return strings.ToUpper(strconv.FormatUint(uint64(x), 16)) }

func rowUnhex(f *frame, i int) error {
	s := f.text(0, i)
	if len(s)%2 == 1 {
		s = "0" + s
	}
	b, err := hex.DecodeString(s)
	if err != nil {
		f.setNull(i)
		return nil
	}
	return f.setBytes(i, b)
}
