package eval

import (
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// patternFunctions work with regular expressions in RE2's syntax.
func patternFunctions() []*Function {
	like := func(_ string, args []expr.Expr) (expr.Expr, error) { return Resolve(expr.OpRLike, args) }
	return []*Function{
		special("regexp_like regexp", "(STRING, STRING) BOOLEAN", "tells whether a part of the string matches", like, nil),
		regexpReplace(),
		function("regexp_extract", "a group, the first unless given, of the first match; empty if there is none", over("STRING, STRING, INT?", "STRING", rowRegexpExtract)),
		function("regexp_substr", "the first match, or NULL", orNull(over("STRING, STRING", "STRING", rowRegexpSubstr))),
		function("regexp_count", "the number of matches", over("STRING, STRING", "INT", func(f *frame, i int) error {
			re, err := f.regexp(1, i)
			if err == nil {
				f.out.Int32s[i] = int32(len(re.all(f.bytes(0, i))))
			}
			return err
		})),
		function("regexp_instr", "the position of the first match, or 0; a third argument changes nothing", over("STRING, STRING, INT?", "INT", func(f *frame, i int) error {
			re, err := f.regexp(1, i)
			if err != nil {
				return err
			}
			f.out.Int32s[i] = 0
			if at := re.FindIndex(f.bytes(0, i)); at != nil {
				f.out.Int32s[i] = int32(len([]rune(string(f.bytes(0, i)[:at[0]])))) + 1
			}
			return nil
		})),
		special("regexp_extract_all", "(STRING, STRING, INT?) ARRAY<STRING>", "a group of every match", resolveStrings, compileNestedRow(rowExtractAll)),
		special("split", "(STRING, STRING, INT?) ARRAY<STRING>", "the parts between the matches of a regular expression, at most so many", resolveStrings, compileNestedRow(rowSplit)),
	}
}

// resolveStrings types a call (STRING, STRING, INT?) that gives an array.
func resolveStrings(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 3); err != nil {
		return nil, err
	}
	want := []types.Type{stringType, stringType, types.Of(types.Int)}
	cast := make([]expr.Expr, len(args))
	for i, a := range args {
		if castCost(a.Type(), want[i]) >= impossible {
			return nil, noOverload(name, args)
		}
		cast[i] = castTo(a, want[i])
	}
	return typedCall(name, types.ArrayOf(stringType, false), cast...), nil
}

// regexp gives the compiled pattern of argument a, kept from row to row.
func (f *frame) regexp(a, i int) (regexpMatcher, error) {
	cache, ok := f.state.(*patternCache)
	if !ok {
		cache = &patternCache{}
		f.state = cache
	}
	m, err := cache.find(f.bytes(a, i), nil, compileRegexp)
	if err != nil {
		return regexpMatcher{}, err
	}
	return m.(regexpMatcher), nil
}

// regexpReplace makes the function; a position that is known and wrong is
// refused at once.
func regexpReplace() *Function {
	f := function("regexp_replace", "every match replaced; $1 and \\1 stand for groups", over("STRING, STRING, STRING, INT?", "STRING", rowRegexpReplace))
	f.resolve = func(name string, args []expr.Expr) (expr.Expr, error) {
		if len(args) == 4 {
			if v, ok := literalOf(args[3]); ok && v == int64(0) {
				return nil, mismatch("%s starts at position 1 or later, not 0", name)
			}
		}
		return f.call(args)
	}
	return f
}

// rowRegexpReplace writes replacements as Java does: $1 or \1 is a group, a
// backslash takes any other character as it is.
func rowRegexpReplace(f *frame, i int) error {
	re, err := f.regexp(1, i)
	if err != nil {
		return err
	}
	s, replacement := f.bytes(0, i), f.bytes(2, i)
	start, from := len(f.out.Data), 0
	if len(f.args) > 3 {
		if from = int(f.int(3, i)) - 1; from < 0 {
			return invalid("regexp_replace starts at position 1 or later, not %d", from+1)
		}
		from = charOffset(s, from)
	}
	f.out.Data = append(f.out.Data, s[:from]...)
	s = s[from:]
	last := 0
	for _, m := range re.all(s) {
		f.out.Data = append(f.out.Data, s[last:m[0]]...)
		if f.out.Data, err = expandReplacement(f.out.Data, replacement, s, m); err != nil {
			return err
		}
		if len(f.out.Data)-start > maxTextBytes {
			return f.tooLong()
		}
		last = m[1]
	}
	f.out.Data = append(f.out.Data, s[last:]...)
	return f.endBytes(i, start)
}

func expandReplacement(dst, replacement, s []byte, match []int) ([]byte, error) {
	for k := 0; k < len(replacement); k++ {
		c := replacement[k]
		if c != '$' && c != '\\' || k+1 == len(replacement) {
			dst = append(dst, c)
			continue
		}
		k++
		d := replacement[k]
		if d < '0' || d > '9' {
			if c == '$' {
				dst = append(dst, c)
			}
			dst = append(dst, d)
			continue
		}
		group := int(d - '0')
		for k+1 < len(replacement) && replacement[k+1] >= '0' && replacement[k+1] <= '9' && 2*(group*10+int(replacement[k+1]-'0')) < len(match) {
			k++
			group = group*10 + int(replacement[k]-'0')
		}
		if 2*group >= len(match) {
			return nil, invalid("the replacement names group %d, but the regular expression has %d", group, len(match)/2-1)
		}
		if match[2*group] >= 0 {
			dst = append(dst, s[match[2*group]:match[2*group+1]]...)
		}
	}
	return dst, nil
}

// groupArg gives the number of the group that a function extracts from a match.
func (f *frame) groupArg(a, i int, re regexpMatcher) (int, error) {
	group := 1
	if len(f.args) > a {
		group = int(f.int(a, i))
	}
	if group < 0 || group > re.NumSubexp() {
		return 0, invalid("the regular expression %q has no group %d; 0 is the whole match", re.Regexp, group)
	}
	return group, nil
}

func rowRegexpExtract(f *frame, i int) error {
	re, err := f.regexp(1, i)
	if err != nil {
		return err
	}
	s := f.bytes(0, i)
	m := re.FindSubmatchIndex(s)
	if m == nil {
		return f.setString(i, "")
	}
	group, err := f.groupArg(2, i, re)
	if err != nil {
		return err
	}
	if m[2*group] < 0 {
		return f.setString(i, "")
	}
	return f.setBytes(i, s[m[2*group]:m[2*group+1]])
}

func rowRegexpSubstr(f *frame, i int) error {
	re, err := f.regexp(1, i)
	if err != nil {
		return err
	}
	m := re.Find(f.bytes(0, i))
	if len(m) == 0 {
		f.setNull(i)
		return nil
	}
	return f.setBytes(i, m)
}

func rowExtractAll(f *frame, i int) (any, error) {
	re, err := f.regexp(1, i)
	if err != nil {
		return nil, err
	}
	out := []any{}
	s := f.string(0, i)
	for _, m := range re.all([]byte(s)) {
		group, err := f.groupArg(2, i, re)
		if err != nil {
			return nil, err
		}
		if m[2*group] < 0 {
			out = append(out, "")
		} else {
			out = append(out, s[m[2*group]:m[2*group+1]])
		}
	}
	return out, nil
}

// rowSplit keeps empty parts at the end, as Spark's default limit does.
func rowSplit(f *frame, i int) (any, error) {
	re, err := f.regexp(1, i)
	if err != nil {
		return nil, err
	}
	limit := -1
	if len(f.args) > 2 {
		if limit = int(f.int(2, i)); limit <= 0 {
			limit = -1
		}
	}
	s := f.string(0, i)
	out := []any{}
	if re.String() == "" { // between all characters
		if limit < 0 && len(s) > maxListElements {
			return nil, tooManyElements("the array")
		}
		parts := strings.SplitN(s, "", limit)
		for _, p := range parts {
			out = append(out, p)
		}
		return out, nil
	}
	last := 0
	for _, m := range re.all([]byte(s)) {
		if limit > 0 && len(out) == limit-1 {
			break
		}
		if m[1] == 0 { // nothing before an empty match at the start
			continue
		}
		if len(out) > maxListElements {
			return nil, tooManyElements("the array")
		}
		out = append(out, s[last:m[0]])
		last = m[1]
	}
	return append(out, s[last:]), nil
}
