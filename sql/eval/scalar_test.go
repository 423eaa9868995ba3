package eval

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// arg makes a literal of a Go value: ints are INT, int64 BIGINT, "text" STRING,
// nil a NULL of no type, and expressions are themselves.
func arg(v any) expr.Expr {
	switch x := v.(type) {
	case nil:
		return expr.Null(types.Type{})
	case int:
		return lit(tInt, x)
	case int64:
		return lit(tBigInt, x)
	case float64:
		return lit(tDouble, x)
	case string:
		return expr.Str(x)
	case []byte:
		return &expr.Literal{T: tBinary, Value: x}
	case bool:
		return lit(tBool, x)
	case types.Interval:
		switch {
		case x.Months == 0:
			return &expr.Literal{T: types.DayTime, Value: types.DayTimeInterval(x.Length())}
		case x.Length() == 0:
			return &expr.Literal{T: types.YearMonth, Value: x}
		}
		return &expr.Literal{T: types.Of(types.IntervalKind), Value: x}
	case []any:
		args := make([]expr.Expr, len(x))
		for i, e := range x {
			args[i] = arg(e)
		}
		return call("array", args...)
	case expr.Expr:
		return x
	}
	panic(v)
}

func f(name string, args ...any) expr.Expr {
	exprs := make([]expr.Expr, len(args))
	for i, a := range args {
		exprs[i] = arg(a)
	}
	return call(name, exprs...)
}

func date(s string) expr.Expr { return lit(tDate, s) }
func ts(s string) expr.Expr   { return lit(tTimestamp, s) }

type scalarCase struct {
	e    expr.Expr
	want string // as CAST AS STRING prints it; "error" for ErrInvalidValue
}

func runCases(t *testing.T, cases []scalarCase) {
	t.Helper()
	for _, c := range cases {
		require.Equal(t, c.want, text(t, c.e), c.e.String())
		folded, err := FoldConstants(c.e, testEnv)
		require.NoError(t, err)
		require.Equal(t, c.want, text(t, folded), "folded %s", c.e)
		require.True(t, folded.Type().Equal(c.e.Type()) || sameValues(folded.Type(), c.e.Type()), "%s: %s became %s", c.e, c.e.Type(), folded.Type())
	}
}

func TestArithmetic(t *testing.T) {
	runCases(t, []scalarCase{
		{f("+", 1, 2), "3"},
		{f("+", math.MaxInt32, 1), "error"},
		{f("+", int64(math.MaxInt64), 1), "error"},
		{f("-", int64(math.MinInt64), 1), "error"},
		{f("*", int64(1<<62), 2), "error"},
		{f("*", int64(math.MinInt64), -1), "error"},
		{f("+", lit(types.Of(types.TinyInt), 127), lit(types.Of(types.TinyInt), 1)), "error"},
		{f("/", 7, 2), "3.5"},
		{f("/", 1, 0), "error"},
		{f("/", 1.0, 0.0), "error"},
		{f("div", 7, 2), "3"},
		{f("div", -7, 2), "-3"},
		{f("div", int64(math.MinInt64), -1), "error"},
		{f("%", -7, 3), "-1"},
		{f("%", int64(math.MinInt64), -1), "0"},
		{f("%", 7, 0), "error"},
		{f("%", 7.5, 2), "1.5"},
		{f("pmod", -7, 3), "2"},
		{f("pmod", dec("-7.5", 3, 1), 3), "1.5"},
		{f("negate", math.MinInt32), "error"},
		{f("negate", dec("1.50", 3, 2)), "-1.50"},
		{f("+", nil, 1), "NULL"},
		{f("+", "5", 1), "6"},
		{f("+", "x", 1), "error"},
		{f("+", "1.5", 1.0), "2.5"},
		{f("try_add", int64(math.MaxInt64), 1), "NULL"},
		{f("try_divide", 1, 0), "NULL"},
		{f("try_divide", 6, 4), "1.5"},
		{f("abs", -5), "5"},
		{f("abs", math.MinInt32), "error"},
		{f("sign", -2.5), "-1.0"},
		{f("&", 12, 10), "8"},
		{f("|", 12, 10), "14"},
		{f("^", 12, 10), "6"},
		{f("~", 5), "-6"},
	})
}

func TestDecimalRules(t *testing.T) {
	for _, c := range []struct {
		op, a, b, want string
		pa, sa, pb, sb int
		typ            string
	}{
		{"+", "1.10", "2.205", "3.305", 5, 2, 6, 3, "DECIMAL(7,3)"},
		{"-", "1.10", "2.205", "-1.105", 5, 2, 6, 3, "DECIMAL(7,3)"},
		{"*", "1.10", "2.205", "2.42550", 5, 2, 6, 3, "DECIMAL(12,5)"},
		{"/", "1.10", "3", "0.3666667", 5, 2, 4, 0, "DECIMAL(10,7)"}, // 5-2+0 whole digits and max(6, 2+4+1)
		{"/", "-2", "3", "-0.666667", 2, 0, 2, 0, "DECIMAL(8,6)"},
		{"%", "7.50", "2", "1.50", 5, 2, 4, 0, "DECIMAL(5,2)"},
		{"*", "12345678901234567890.1234567890", "2", "24691357802469135780.246914", 38, 18, 38, 18, "DECIMAL(38,6)"},
		{"/", "1", "3", "0.333333", 38, 18, 38, 18, "DECIMAL(38,6)"},
		{"+", "99999999999999999999999999999999999999", "1", "error", 38, 0, 38, 0, "DECIMAL(38,0)"},
		{"+", "1", "0.5", "1.500000", 38, 0, 20, 18, "DECIMAL(38,6)"},
		{"/", "1", "0", "error", 5, 2, 4, 0, "DECIMAL(10,7)"},
	} {
		e := f(c.op, dec(c.a, c.pa, c.sa), dec(c.b, c.pb, c.sb))
		require.Equal(t, c.typ, e.Type().String(), e.String())
		require.Equal(t, c.want, text(t, e), e.String())
	}
	one := f("-", 1, col(0, types.DecimalOf(15, 2)))
	require.Equal(t, "DECIMAL(16,2)", one.Type().String())
	require.Equal(t, "DECIMAL(23,2)", f("+", col(0, types.DecimalOf(15, 2)), col(1, tBigInt)).Type().String())
	require.Equal(t, "DOUBLE", f("*", col(0, types.DecimalOf(15, 2)), 1.5).Type().String())
}

func TestRounding(t *testing.T) {
	runCases(t, []scalarCase{
		{f("round", 2.5), "3.0"}, {f("round", -2.5), "-3.0"}, {f("round", 1.005, 2), "1.01"}, {f("round", 2.345, 2), "2.35"},
		{f("round", 25, -1), "30"}, {f("round", dec("2.5", 2, 1)), "3"}, {f("round", dec("1.2345", 5, 4), 2), "1.23"},
		{f("bround", 2.5), "2.0"}, {f("bround", dec("3.5", 2, 1)), "4"}, {f("bround", 25, -1), "20"},
		{f("ceil", -0.1), "0"}, {f("ceil", 1.2), "2"}, {f("floor", -1.2), "-2"}, {f("ceil", dec("1.01", 3, 2)), "2"}, {f("floor", dec("-1.01", 3, 2)), "-2"},
		{f("ceil", 5), "5"}, {f("floor", 1e300), "9223372036854775807"}, {f("round", math.NaN()), "NaN"}, {f("ceil", dec("3.1411", 5, 4), 3), "3.142"},
		{f("round", 1e300, 2), "1.0E300"}, {f("round", int64(math.MaxInt64), -1), "error"},
	})
	require.Equal(t, "DECIMAL(4,2)", f("round", dec("1.2345", 5, 4), 2).Type().String())
	require.Equal(t, "BIGINT", f("ceil", 1.5).Type().String())
}

func TestMathFunctions(t *testing.T) {
	runCases(t, []scalarCase{
		{f("sqrt", 9), "3.0"}, {f("sqrt", -1), "NaN"}, {f("cbrt", 27), "3.0"}, {f("exp", 0), "1.0"}, {f("ln", 1), "0.0"}, {f("ln", 0), "NULL"},
		{f("log10", 1000), "3.0"}, {f("log2", 8), "3.0"}, {f("log", 2, 8), "3.0"}, {f("pow", 2, 10), "1024.0"}, {f("mod", 7, 4), "3"},
		{f("degrees", math.Pi), "180.0"}, {f("hex", int64(255)), "FF"}, {f("hex", int64(-1)), "FFFFFFFFFFFFFFFF"}, {f("hex", "Spark"), "537061726B"}, {f("unhex", "537061726B"), "Spark"}, {f("unhex", "zz"), "NULL"},
		{f("bin", int64(13)), "1101"}, {f("greatest", 1, nil, 3), "3"}, {f("least", 1, nil, 3), "1"}, {f("greatest", 1.0, math.NaN()), "NaN"},
		{f("nanvl", math.NaN(), 2.0), "2.0"}, {f("isnan", math.NaN()), "true"}, {f("shiftleft", 1, 4), "16"}, {f("bit_count", int64(7)), "3"},
	})
}

func TestComparisonsOfMixedTypes(t *testing.T) {
	nan := math.NaN()
	runCases(t, []scalarCase{
		{f("=", nan, nan), "true"}, {f("<", 1e308, nan), "true"}, {f(">", nan, math.Inf(1)), "true"}, {f("=", math.Copysign(0, -1), 0.0), "true"},
		{f("=", "1", 1), "true"}, {f("=", "x", 1), "error"}, {f("<", "2024-01-01", date("2024-01-02")), "true"}, {f("=", date("2024-01-01"), ts("2024-01-01 00:00:00")), "true"},
		{f("=", nil, 1), "NULL"}, {f("<=>", nil, 1), "false"}, {f("<=>", nil, nil), "true"}, {f("=", dec("1.50", 3, 2), 1.5), "true"}, {f("=", dec("2.00", 3, 2), 2), "true"},
		{f("=", true, "true"), "true"}, {f("<", []any{1, 2}, []any{1, 3}), "true"},
		{f("in", 2, 1, 2, 3), "true"}, {f("in", 5, 1, nil), "NULL"}, {f("in", nil, 1), "NULL"}, {f("in", "a", "b", "c"), "false"}, {f("in", dec("0.07", 3, 2), dec("0.07", 2, 2), 1), "true"},
		{f("and", nil, false), "false"}, {f("and", nil, true), "NULL"}, {f("or", nil, true), "true"}, {f("or", nil, false), "NULL"}, {f("not", nil), "NULL"},
	})
}

func TestLike(t *testing.T) {
	runCases(t, []scalarCase{
		{f("like", "Spark", "S%k"), "true"}, {f("like", "Spark", "_park"), "true"}, {f("like", "Spark", "park"), "false"}, {f("like", "", "%"), "true"}, {f("like", "", "_"), "false"},
		{f("like", "äöü", "_ö_"), "true"}, {f("like", "a%b", `a\%b`), "true"}, {f("like", "axb", `a\%b`), "false"}, {f("like", "a%b", "a!%b", "!"), "true"}, {f("like", "a", `a\x`), "error"},
		{f("like", "special requests", "%special%requests%"), "true"}, {f("like", "requests special", "%special%requests%"), "false"}, {f("like", "aXbXc", "a%b_c"), "true"}, {f("like", "ab", "a%ab"), "false"},
		{f("like", "mississippi", "%iss_p%"), "true"}, {f("like", "abab", "%ab"), "true"}, {f("like", nil, "a"), "NULL"}, {f("ilike", "SPARK", "s%K"), "true"},
		{f("rlike", "abc", "^a.c$"), "true"}, {f("regexp_like", "abc", "b"), "true"}, {f("rlike", "abc", "("), "error"},
	})
}

func TestStringFunctions(t *testing.T) {
	runCases(t, []scalarCase{
		{f("length", "Spark SQL "), "10"}, {f("length", "äöü"), "3"}, {f("octet_length", "äöü"), "6"}, {f("length", []byte("äöü")), "6"},
		{f("lower", "ÄBC"), "äbc"}, {f("upper", "äbc"), "ÄBC"}, {f("trim", "  a b "), "a b"}, {f("ltrim", "  a "), "a "}, {f("rtrim", "  a "), "  a"}, {f("btrim", "xxaxx", "x"), "a"},
		{f("substring", "Spark SQL", 5), "k SQL"}, {f("substring", "Spark SQL", -3), "SQL"}, {f("substring", "Spark SQL", 5, 1), "k"}, {f("substring", "abc", 0, 2), "ab"}, {f("substring", "abc", -5, 3), "a"}, {f("substring", "abc", 2, -1), ""},
		{f("substring", "äöü", 2, 1), "ö"}, {f("left", "Spark", 3), "Spa"}, {f("left", "Spark", -1), ""}, {f("right", "Spark", 3), "ark"}, {f("right", "Spark", 9), "Spark"},
		{f("replace", "ABCabc", "abc", "DEF"), "ABCDEF"}, {f("replace", "ABCabc", "abc"), "ABC"}, {f("replace", "abc", "", "x"), "abc"},
		{f("concat", "a", 1, true), "a1true"}, {f("concat", "a", nil), "NULL"}, {f("||", "a", "b"), "ab"}, {f("concat_ws", " ", "Spark", nil, "SQL"), "Spark SQL"}, {f("concat_ws", ",", []any{"a", nil, "b"}, "c"), "a,b,c"}, {f("concat", []any{1, 2}, []any{3}), "[1, 2, 3]"},
		{f("lpad", "hi", 5, "??"), "???hi"}, {f("lpad", "hi", 1, "??"), "h"}, {f("rpad", "hi", 5, "ab"), "hiaba"}, {f("lpad", "hi", 4), "  hi"}, {f("repeat", "ab", 3), "ababab"}, {f("repeat", "ab", -1), ""}, {f("reverse", "äb"), "bä"}, {f("reverse", []any{1, 2}), "[2, 1]"},
		{f("instr", "SparkSQL", "SQL"), "6"}, {f("locate", "bar", "foobarbar"), "4"}, {f("locate", "bar", "foobarbar", 5), "7"}, {f("position", "x", "abc"), "0"}, {f("locate", "a", "abc", 0), "0"},
		{f("split_part", "11.12.13", ".", 3), "13"}, {f("split_part", "11.12.13", ".", -1), "13"}, {f("split_part", "11.12.13", ".", 4), ""}, {f("split_part", "a", ".", 0), "error"},
		{f("substring_index", "www.apache.org", ".", 2), "www.apache"}, {f("substring_index", "www.apache.org", ".", -2), "apache.org"},
		{f("startswith", "Spark", "Sp"), "true"}, {f("endswith", "Spark", "rk"), "true"}, {f("contains", "Spark", "ar"), "true"}, {f("contains", "Spark", nil), "NULL"},
		{f("ascii", "234"), "50"}, {f("chr", int64(65)), "A"}, {f("chr", int64(-1)), ""}, {f("initcap", "sPark sql-x"), "Spark Sql-x"}, {f("translate", "AaBbCc", "abc", "123"), "A1B2C3"}, {f("translate", "abc", "ab", "x"), "xc"},
		{f("base64", "Spark SQL"), "U3BhcmsgU1FM"}, {f("unbase64", "U3BhcmsgU1FM"), "Spark SQL"}, {f("format_number", 12332.123456, 4), "12,332.1235"}, {f("format_number", -1234567.0, 0), "-1,234,567"},
		{f("md5", "Spark"), "8cde774d6f7333752ed72cacddb05126"}, {f("sha1", "Spark"), "85f5955f4b27a9a4c2aab6ffe5d7189fc298b92c"}, {f("sha2", "Spark", 256), "529bc3b07127ecb7e53a4dcf1991d9152c24537d919178022b2c42657f79a26b"}, {f("crc32", "Spark"), "1557323817"},
		{f("overlay", "Spark SQL", "_", 6), "Spark_SQL"}, {f("overlay", "Spark SQL", "ANSI ", 7, 0), "Spark ANSI SQL"},
		{f("levenshtein", "kitten", "sitting"), "3"}, {f("find_in_set", "ab", "abc,b,ab,c,def"), "3"}, {f("typeof", 1), "int"}, {f("typeof", f("named_struct", "A", []any{1})), "struct<A:array<int>>"},
		{f("regexp_replace", "100-200", "(\\d+)", "num"), "num-num"}, {f("regexp_replace", "ab", "(a)(b)", "$2\\1"), "ba"}, {f("regexp_replace", "ab", "(a)", "$3"), "error"}, {f("regexp_extract", "100-200", "(\\d+)-(\\d+)", 1), "100"}, {f("regexp_extract", "x", "(\\d+)"), ""}, {f("regexp_extract", "1", "(\\d+)", 2), "error"},
		{f("split", "oneAtwoBthreeC", "[ABC]"), "[one, two, three, ]"}, {f("split", "oneAtwoBthreeC", "[ABC]", 2), "[one, twoBthreeC]"}, {f("regexp_count", "a1b2", "\\d"), "2"},
	})
}

func TestConditionals(t *testing.T) {
	fails := f("div", 1, 0)
	runCases(t, []scalarCase{
		{f("coalesce", nil, 1, 2), "1"}, {f("coalesce", nil, nil), "NULL"}, {f("coalesce", 1, fails), "1"}, {f("nvl", nil, "x"), "x"}, {f("nvl2", nil, 2, 1), "1"}, {f("nvl2", 3, 2, 1), "2"},
		{f("nullif", 2, 2), "NULL"}, {f("nullif", 1, 2), "1"}, {f("if", true, 1, fails), "1"}, {f("if", nil, 1, 2), "2"}, {f("iff", false, 1, nil), "NULL"}, {f("isnull", nil), "true"},
		{&expr.Case{Whens: []expr.When{{Condition: lit(tBool, false), Result: fails}, {Condition: lit(tBool, true), Result: lit(tBigInt, 7)}}, T: tBigInt}, "7"},
		{&expr.Case{Whens: []expr.When{{Condition: lit(tBool, false), Result: lit(tBigInt, 7)}}, T: tBigInt}, "NULL"},
	})
}

func TestDateFunctions(t *testing.T) {
	d, stamp := date("2024-02-29"), ts("2016-07-30 12:58:59.001")
	runCases(t, []scalarCase{
		{f("year", d), "2024"}, {f("quarter", d), "1"}, {f("month", d), "2"}, {f("day", d), "29"}, {f("dayofweek", date("2009-07-30")), "5"}, {f("weekday", date("2009-07-30")), "3"}, {f("dayofyear", date("2016-04-09")), "100"}, {f("weekofyear", date("2008-02-20")), "8"}, {f("weekofyear", date("2021-01-03")), "53"},
		{f("hour", stamp), "12"}, {f("minute", stamp), "58"}, {f("second", stamp), "59"}, {f("extract_second", stamp), "59.001000"}, {f("date_part", "month", stamp), "7"}, {f("date_part", "DOW", d), "5"}, {f("year", "2016-07-30"), "2016"}, {f("hour", "2009-07-30 12:58:59"), "12"},
		{f("date_add", date("2016-07-30"), 1), "2016-07-31"}, {f("date_sub", "2016-07-30", 1), "2016-07-29"}, {f("datediff", date("2009-07-31"), date("2009-07-30")), "1"}, {f("add_months", date("2016-08-31"), 1), "2016-09-30"}, {f("last_day", date("2009-01-12")), "2009-01-31"}, {f("next_day", date("2015-01-14"), "TU"), "2015-01-20"}, {f("next_day", d, "xx"), "error"},
		{f("months_between", ts("1997-02-28 10:30:00"), ts("1996-10-30 00:00:00")), "3.94959677"}, {f("months_between", date("2024-03-31"), date("2024-02-29")), "1.0"},
		{f("date_trunc", "YEAR", ts("2015-03-05T09:32:05.359")), "2015-01-01 00:00:00"}, {f("date_trunc", "HOUR", ts("2015-03-05T09:32:05.359")), "2015-03-05 09:00:00"}, {f("date_trunc", "week", ts("2015-03-05T09:32:05")), "2015-03-02 00:00:00"}, {f("date_trunc", "x", stamp), "NULL"}, {f("trunc", date("2019-08-04"), "week"), "2019-07-29"}, {f("trunc", date("2019-08-04"), "quarter"), "2019-07-01"},
		{f("to_date", "2016-12-31", "yyyy-MM-dd"), "2016-12-31"}, {f("to_date", "31/12/2016", "dd/MM/yyyy"), "2016-12-31"}, {f("to_date", "x"), "error"}, {f("to_timestamp", "2016-12-31 00:12:00"), "2016-12-31 00:12:00"}, {f("to_timestamp", "20240102 0304", "yyyyMMdd HHmm"), "2024-01-02 03:04:00"}, {f("to_timestamp", "1 Feb 2024 3:04 PM", "d MMM yyyy h:mm a"), "2024-02-01 15:04:00"},
		{f("date_format", ts("2016-04-08 01:02:03.5"), "y"), "2016"}, {f("date_format", ts("2016-04-08 01:02:03.5"), "EEE, d MMM yyyy hh:mm:ss.SSS a 'at' VV"), "Fri, 8 Apr 2016 01:02:03.500 AM at UTC"}, {f("date_format", date("2016-04-08"), "MMMM DD q"), "April 99 2"},
		{f("unix_timestamp", "2016-04-08", "yyyy-MM-dd"), "1460073600"}, {f("unix_timestamp", ts("1970-01-01 00:01:00")), "60"}, {f("from_unixtime", int64(0), "yyyy-MM-dd HH:mm:ss"), "1970-01-01 00:00:00"}, {f("make_date", 2013, 7, 15), "2013-07-15"}, {f("make_date", 2019, 2, 29), "error"}, {f("make_timestamp", 2014, 12, 28, 6, 30, 45.887), "2014-12-28 06:30:45.887"},
		{f("timestampadd", "MONTH", 1, ts("2024-01-31 10:00:00")), "2024-02-29 10:00:00"}, {f("timestampdiff", "MONTH", date("2024-01-31"), date("2024-02-29")), "0"}, {f("timestampdiff", "HOUR", ts("2024-01-01 00:00:00"), ts("2024-01-02 01:30:00")), "25"}, {f("timestampdiff", "YEAR", date("2024-02-29"), date("2020-03-01")), "-3"},
		{f("current_date"), "2024-05-06"}, {f("now"), "2024-05-06 07:08:09.123456"}, {f("timestamp_seconds", int64(-1)), "1969-12-31 23:59:59"}, {f("unix_micros", ts("1970-01-01 00:00:01")), "1000000"}, {f("dayname", d), "Thu"},
	})
}

func TestDateArithmetic(t *testing.T) {
	iv := func(months, days int32, micros int64) types.Interval {
		return types.Interval{Months: months, Days: days, Micros: micros}
	}
	runCases(t, []scalarCase{
		{f("+", date("2024-01-31"), iv(1, 0, 0)), "2024-02-29"}, {f("-", date("1998-12-01"), iv(0, 90, 0)), "1998-09-02 00:00:00"}, {f("+", iv(0, 1, 0), ts("2024-01-31 00:00:00")), "2024-02-01 00:00:00"}, {f("+", date("2024-01-31"), iv(0, 0, 3600000000)), "2024-01-31 01:00:00"},
		{f("+", date("2024-01-31"), 1), "2024-02-01"}, {f("-", date("2024-03-01"), date("2024-02-01")), "INTERVAL '29' DAY"}, {f("-", ts("2024-01-02 00:00:00"), ts("2024-01-01 23:00:00")), "INTERVAL '0 01:00:00' DAY TO SECOND"}, {f("+", ts("2024-01-31 10:00:00"), iv(1, 1, 1)), "2024-03-01 10:00:00.000001"},
		{f(">", f("-", ts("2024-01-02 03:00:00"), ts("2024-01-01 00:00:00")), iv(0, 1, 0)), "true"}, {f("=", iv(0, 1, 0), iv(0, 0, 86400000000)), "true"}, {f("date_part", "DAY", f("-", ts("2024-01-02 03:00:00"), ts("2024-01-01 00:00:00"))), "1"}, {f("greatest", iv(0, 30, 0), iv(0, 40, 0)), "INTERVAL '40 00:00:00' DAY TO SECOND"},
		{f("+", iv(1, 2, 0), iv(1, 3, 1)), "2 months 5 days 0.000001 seconds"}, {f("*", iv(0, 1, 0), 2.5), "INTERVAL '2 12:00:00' DAY TO SECOND"}, {f("*", 3, iv(1, 0, 0)), "INTERVAL '0-3' YEAR TO MONTH"}, {f("/", iv(0, 3, 0), 2), "INTERVAL '1 12:00:00' DAY TO SECOND"}, {f("-", date("2024-01-01"), "2023-12-31"), "INTERVAL '1' DAY"}, {f("negate", iv(1, 2, 0)), "-1 months -2 days"},
	})
}

func TestZoneDecidesTheCalendar(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	env := &Env{Zone: berlin, Now: time.Date(2024, 5, 6, 23, 0, 0, 0, time.UTC)}
	for _, c := range []scalarCase{
		{f("hour", &expr.Literal{T: tTimestamp, Value: int64(0)}), "1"},
		{f("current_date"), "2024-05-07"},
		{must(NewCast(expr.Str("2024-07-01 00:00:00"), tTimestamp, false)), "2024-07-01 00:00:00"},
		{f("unix_timestamp", must(NewCast(expr.Str("1970-01-01 00:00:00"), tTimestamp, false))), "-3600"},
		{f("+", &expr.Literal{T: tTimestamp, Value: int64(1711753200) * 1e6}, types.Interval{Days: 1}), "2024-03-31 00:00:00"},
		{f("+", must(NewCast(expr.Str("2024-03-30 12:00:00"), tTimestamp, false)), types.Interval{Days: 1}), "2024-03-31 12:00:00"},
		{must(NewCast(&expr.Literal{T: tTimestamp, Value: int64(-1)}, tDate, false)), "1970-01-01"},
		{f("date_format", &expr.Literal{T: tTimestamp, Value: int64(0)}, "HH VV z O OOOO X xxx ZZZZ"), "01 Europe/Berlin CET GMT+1 GMT+01:00 +01 +01:00 GMT+01:00"},
		{f("to_date", "1970-01-01 23:30 Z", "yyyy-MM-dd HH:mm X"), "1970-01-02"},
		{f("date_trunc", "DAY", &expr.Literal{T: tTimestamp, Value: int64(0)}), "1970-01-01 00:00:00"},
		{f("-", must(NewCast(expr.Str("2024-03-31 12:00:00"), tTimestamp, false)), must(NewCast(expr.Str("2024-03-30 12:00:00"), tTimestamp, false))), "INTERVAL '1 00:00:00' DAY TO SECOND"},
		{f("+", must(NewCast(expr.Str("2024-03-30 12:00:00"), tTimestamp, false)), types.Interval{Days: 1, Micros: types.MicrosPerHour}), "2024-03-31 13:00:00"},
		{must(NewCast(expr.Str("today"), tDate, false)), "2024-05-07"},
		{must(NewCast(expr.Str("epoch"), tTimestamp, false)), "1970-01-01 01:00:00"},
		{must(NewCast(expr.Str("T02:03"), tTimestamp, false)), "2024-05-07 02:03:00"},
		{f("in", &expr.Literal{T: tTimestamp, Value: int64(-3_600_000_000)}, "1970-01-01 00:00:00"), "true"},
	} {
		v, err := EvalConstant(&expr.Cast{Arg: c.e, T: tString}, env)
		require.NoError(t, err)
		require.Equal(t, c.want, v, c.e.String())
	}
}

func TestCasts(t *testing.T) {
	to := func(v any, t types.Type) expr.Expr { return must(NewCast(arg(v), t, false)) }
	try := func(v any, t types.Type) expr.Expr { return must(NewCast(arg(v), t, true)) }
	tiny := types.Of(types.TinyInt)
	runCases(t, []scalarCase{
		{to(" 12 ", tInt), "12"}, {to("12.5", tInt), "error"}, {try("12.5", tInt), "NULL"}, {to("", tInt), "error"}, {to("2147483648", tInt), "error"}, {to("+5", tInt), "5"},
		{to(300, tiny), "error"}, {try(300, tiny), "NULL"}, {to(1.9, tInt), "1"}, {to(-1.9, tInt), "-1"}, {to(3e9, tInt), "error"}, {to(math.NaN(), tInt), "error"}, {to(9.3e18, tBigInt), "error"}, {to(true, tInt), "1"}, {to(0, tBool), "false"}, {to(2.5, tBool), "true"},
		{to("1.5e3", tDouble), "1500.0"}, {to("Infinity", tDouble), "Infinity"}, {to("-inf", tDouble), "-Infinity"}, {to("nan", tDouble), "NaN"}, {to("x", tDouble), "error"}, {to("1d", tDouble), "1.0"}, {to("0x10", tDouble), "error"},
		{to("1.235", types.DecimalOf(5, 2)), "1.24"}, {to(-1.235, types.DecimalOf(5, 2)), "-1.24"}, {to("12345.6", types.DecimalOf(5, 2)), "error"}, {to(dec("9.99", 3, 2), types.DecimalOf(2, 1)), "error"}, {to(5, types.DecimalOf(5, 2)), "5.00"}, {to(dec("2.50", 3, 2), tInt), "2"}, {to(dec("0.1", 1, 1), tDouble), "0.1"}, {to(1e20, types.DecimalOf(38, 2)), "100000000000000000000.00"},
		{to("yes", tBool), "true"}, {to("0", tBool), "false"}, {to("maybe", tBool), "error"},
		{to("2024-02-30", tDate), "error"}, {to("2024-2-3", tDate), "2024-02-03"}, {to("2024", tDate), "2024-01-01"}, {to("2024-01-02T03:04:05+02:00", tTimestamp), "2024-01-02 01:04:05"}, {to("2024-01-02 03:04:05.1234567", tTimestamp), "2024-01-02 03:04:05.123456"},
		{to("2024-01-02 03:04:05.123456789", types.Of(types.TimestampNS)), "2024-01-02 03:04:05.123456789"}, {to(date("2024-01-02"), tTimestamp), "2024-01-02 00:00:00"}, {to(ts("2024-01-02 23:59:59"), tDate), "2024-01-02"}, {to(ts("1969-12-31 23:59:59.5"), tBigInt), "-1"}, {to(int64(60), tTimestamp), "1970-01-01 00:01:00"}, {to(1.5, tTimestamp), "1970-01-01 00:00:01.5"}, {to("12:30", types.Of(types.Time)), "12:30:00"},
		{to(1e10, tString), "1.0E10"}, {to(1.0, tString), "1.0"}, {to(0.001, tString), "0.001"}, {to(0.00012, tString), "1.2E-4"}, {to(1234567.0, tString), "1234567.0"}, {to(1e7, tString), "1.0E7"}, {to(math.Copysign(0, -1), tString), "-0.0"}, {to(math.Inf(-1), tString), "-Infinity"}, {to(lit(types.Of(types.Float), 0.1), tString), "0.1"},
		{to(true, tString), "true"}, {to("abc", types.Type{Kind: types.String, Char: types.VarChar, Length: 2}), "abc"},
		{to("550e8400-e29b-41d4-a716-446655440000", types.Of(types.UUID)), "550e8400-e29b-41d4-a716-446655440000"}, {to("x", types.Of(types.UUID)), "error"},
		{to([]any{1, nil}, tString), "[1, null]"}, {to(f("map", "a", 1), tString), "{a -> 1}"}, {to(f("struct", 1, "x", nil), tString), "{1, x, null}"}, {to([]any{"1", "2"}, types.ArrayOf(tInt, true)), "[1, 2]"}, {to([]any{"1", "x"}, types.ArrayOf(tInt, true)), "error"}, {try([]any{"1", "x"}, types.ArrayOf(tInt, true)), "[1, null]"},
		{f("int", "5"), "5"}, {f("string", 1.5), "1.5"}, {f("decimal", 1.5), "2"}, {f("date", "2024-01-02"), "2024-01-02"}, {f("zeroifnull", expr.Null(tInt)), "0"}, {f("nullifzero", 0), "NULL"}, {f("equal_null", nil, nil), "true"}, {f("factorial", 5), "120"}, {f("factorial", 21), "NULL"},
		{to(nil, tDate), "NULL"}, {to("abc", tBinary), "abc"},
	})
	for _, c := range [][2]types.Type{{tDate, tInt}, {tBool, tDate}, {types.ArrayOf(tInt, true), tInt}, {tDate, tBool}, {tInt, tDate}} {
		_, err := NewCast(col(0, c[0]), c[1], false)
		require.ErrorIs(t, err, ErrTypeMismatch, "%v", c)
	}
}

func TestNestedFunctions(t *testing.T) {
	m := f("map", "a", 1, "b", 2)
	runCases(t, []scalarCase{
		{f("array", 1, 2.5), "[1.0, 2.5]"}, {f("array"), "[]"}, {m, "{a -> 1, b -> 2}"}, {f("map", nil, 1), "error"}, {f("map", 1, 2, 1, 3), "error"}, {f("named_struct", "x", 1, "y", "b"), "{1, b}"},
		{f("struct_field", f("named_struct", "x", 1, "y", "b"), 1), "b"}, {f("element_at", []any{1, 2, 3}, 2), "2"}, {f("element_at", []any{1, 2, 3}, -1), "3"}, {f("element_at", []any{1}, 5), "error"}, {f("element_at", []any{1}, 0), "error"}, {f("try_element_at", []any{1}, 5), "NULL"}, {f("element_at", m, "b"), "2"}, {f("element_at", m, "z"), "NULL"}, {f("array_element", []any{1, 2}, 0), "1"},
		{f("size", []any{1, nil}), "2"}, {f("cardinality", m), "2"}, {f("size", expr.Null(types.ArrayOf(tInt, true))), "NULL"}, {f("array_contains", []any{1, 2}, 2), "true"}, {f("array_contains", []any{1, nil}, 2), "NULL"}, {f("array_contains", []any{1}, 2), "false"}, {f("array_position", []any{3, 1}, 1), "2"},
		{f("sort_array", []any{"b", nil, "a"}), "[null, a, b]"}, {f("sort_array", []any{"b", nil, "a"}, false), "[b, a, null]"}, {f("map_keys", m), "[a, b]"}, {f("map_values", m), "[1, 2]"}, {f("map_contains_key", m, "a"), "true"}, {f("array_distinct", []any{1, 1, nil, nil}), "[1, null]"}, {f("array_max", []any{1, nil, 3}), "3"}, {f("array_join", []any{"a", nil, "b"}, "-"), "a-b"}, {f("array_join", []any{"a", nil}, "-", "x"), "a-x"},
		{f("array_union", []any{1, 2}, []any{2, nil}), "[1, 2, null]"}, {f("array_intersect", []any{1, 2, 2}, []any{2, 3}), "[2]"}, {f("array_except", []any{1, 2}, []any{2}), "[1]"}, {f("arrays_overlap", []any{1}, []any{1, 2}), "true"}, {f("arrays_overlap", []any{1}, []any{nil, 2}), "NULL"}, {f("array_append", []any{1}, nil), "[1, null]"}, {f("array_prepend", []any{1}, 0), "[0, 1]"}, {f("array_remove", []any{1, 2, 1}, 1), "[2]"}, {f("array_compact", []any{1, nil}), "[1]"}, {f("array_repeat", "a", 2), "[a, a]"},
		{f("slice", []any{1, 2, 3, 4}, 2, 2), "[2, 3]"}, {f("slice", []any{1, 2, 3}, -2, 5), "[2, 3]"}, {f("slice", []any{1}, 0, 1), "error"}, {f("flatten", f("array", []any{1}, []any{2, 3})), "[1, 2, 3]"}, {f("sequence", 1, 5, 2), "[1, 3, 5]"}, {f("sequence", 3, 1), "[3, 2, 1]"}, {f("sequence", int64(math.MaxInt64-1), int64(math.MaxInt64)), "[9223372036854775806, 9223372036854775807]"}, {f("sequence", 1, 5, -1), "error"}, {f("sequence", date("2024-01-31"), date("2024-03-31"), types.Interval{Months: 1}), "[2024-01-31, 2024-02-29, 2024-03-31]"},
		{f("map_entries", m), "[{a, 1}, {b, 2}]"}, {f("map_from_arrays", []any{"a"}, []any{1}), "{a -> 1}"}, {f("map_from_arrays", []any{"a", "a"}, []any{1, 2}), "error"}, {f("subscript", m, "a"), "1"},
		{f("to_json", f("named_struct", "a", 1, "b", []any{"x\"", nil}, "c", nil)), `{"a":1,"b":["x\"",null]}`}, {f("get_json_object", `{"a":{"b":[1, {"c": "x"}]}}`, "$.a.b[1].c"), "x"}, {f("get_json_object", `{"a": {"b": 1}}`, "$.a"), `{"b":1}`}, {f("get_json_object", "{", "$.a"), "NULL"}, {f("get_json_object", "{}", "$.a"), "NULL"}, {f("json_array_length", "[1,2]"), "2"}, {f("json_array_length", "{}"), "NULL"},
		{f("size", f("split", "a,b", ",")), "2"}, {f("array", []any{1}, []any{2, 3}), "[[1], [2, 3]]"},
	})
}

// TestHashesAreSparks compares with values that Spark's documentation gives.
func TestHashesAreSparks(t *testing.T) {
	runCases(t, []scalarCase{
		{f("hash", "Spark", []any{123}, 2), "-1321691492"},
		{f("xxhash64", "Spark", []any{123}, 2), "5602566077635097486"},
	})
}

func TestUnknownNamesSuggestTheNearest(t *testing.T) {
	_, err := Resolve("substrng", nil)
	var unknown *UnknownFunction
	require.ErrorAs(t, err, &unknown)
	require.ErrorIs(t, err, ErrFunctionNotFound)
	require.Equal(t, "substring", unknown.Nearest)
	_, err = Resolve("f", nil)
	require.ErrorAs(t, err, &unknown)
	require.Empty(t, unknown.Nearest)
	_, err = ResolveAggregate("smu", nil, false)
	require.True(t, errors.Is(err, ErrFunctionNotFound))
	_, err = Resolve("substring", []expr.Expr{arg(1.5)})
	require.ErrorIs(t, err, ErrTypeMismatch)
	require.Contains(t, err.Error(), "substring(STRING, INT, INT?) STRING")
	require.NotEmpty(t, Functions())
	for _, fn := range Functions() {
		require.NotEmpty(t, fn.Doc, fn.Name)
		require.NotEmpty(t, fn.Signatures, fn.Name)
		require.Equal(t, strings.ToLower(fn.Name), fn.Name)
	}
}

func TestStoreAssignment(t *testing.T) {
	varchar, char := types.Type{Kind: types.String, Char: types.VarChar, Length: 2}, types.Type{Kind: types.String, Char: types.Char, Length: 3}
	for _, c := range []struct {
		e    expr.Expr
		to   types.Type
		want string
	}{
		{arg("abc"), varchar, "error"}, {arg("ab  "), varchar, "ab"}, {arg("äö"), varchar, "äö"}, {f("||", must(Coerce(arg("a"), char)), "|"), tString, "a  |"}, {arg(12), varchar, "12"}, {arg(123), varchar, "error"},
		{arg(5), tBigInt, "5"}, {arg(int64(5)), tInt, "5"}, {arg(int64(1 << 40)), tInt, "error"}, {arg(1.5), tInt, "1"}, {arg("2024-01-01"), tDate, "2024-01-01"}, {arg("12.50"), types.DecimalOf(5, 2), "12.50"}, {arg(date("2024-01-01")), tTimestamp, "2024-01-01 00:00:00"}, {arg(5), tString, "5"}, {arg(nil), tDate, "NULL"},
	} {
		e, err := Coerce(c.e, c.to)
		require.NoError(t, err, c.e.String())
		require.Equal(t, c.want, text(t, e), c.e.String())
	}
	for _, c := range []struct {
		e  expr.Expr
		to types.Type
	}{{col(0, tString), tInt}, {arg("x"), tInt}, {arg(5), tDate}, {arg(true), tInt}, {col(0, tDate), tInt}, {col(0, tInt), tBool}, {col(0, types.ArrayOf(tInt, true)), tString}} {
		_, err := Coerce(c.e, c.to)
		require.ErrorIs(t, err, ErrTypeMismatch, "%s to %s", c.e, c.to)
	}
}

func TestCommonType(t *testing.T) {
	for _, c := range []struct {
		a, b types.Type
		want string
	}{
		{tInt, tBigInt, "BIGINT"}, {tInt, types.DecimalOf(5, 2), "DECIMAL(12,2)"}, {tBigInt, types.Of(types.Float), "DOUBLE"}, {types.DecimalOf(5, 2), tDouble, "DOUBLE"}, {tDate, tTimestamp, "TIMESTAMP"}, {tString, tInt, "BIGINT"}, {tString, tDate, "DATE"}, {types.Type{}, tInt, "INT"}, {types.DecimalOf(38, 10), types.DecimalOf(38, 2), "DECIMAL(38,2)"}, {tInt, tDate, ""}, {tBool, tInt, ""},
	} {
		got, ok := CommonType(c.a, c.b)
		require.Equal(t, c.want != "", ok, "%s and %s", c.a, c.b)
		if ok {
			require.Equal(t, c.want, got.String())
		}
	}
}

func TestLiteralsTakeTheColumnsType(t *testing.T) {
	x := col(0, tInt)
	require.Equal(t, "a = 5", f("=", x, int64(5)).String())
	require.Equal(t, "a < -5", f("<", x, f("negate", int64(5))).String())
	require.Equal(t, "a IN (1, 2)", f("in", x, int64(1), int64(2)).String())
	require.Equal(t, "CAST(a AS BIGINT) = 5000000000", f("=", x, int64(5_000_000_000)).String())
	require.Equal(t, tInt, f("=", x, int64(5)).Children()[1].Type())
}

func TestFolding(t *testing.T) {
	x := col(0, tInt)
	for _, c := range []struct{ e, want expr.Expr }{
		{f("+", 1, 2), lit(tInt, 3)},
		{call("and", call(">", x, lit(tInt, 1)), lit(tBool, true)), call(">", x, lit(tInt, 1))},
		{call("and", call(">", x, lit(tInt, 1)), lit(tBool, false)), expr.False},
		{call("or", call(">", x, lit(tInt, 1)), lit(tBool, true)), expr.True},
		{call("=", x, arg(nil)), expr.Null(tBool)},
		{call("if", lit(tBool, true), x, lit(tInt, 1)), call("if", lit(tBool, true), x, lit(tInt, 1))},
	} {
		got, err := FoldConstants(c.e, testEnv)
		require.NoError(t, err)
		require.Equal(t, c.want.String(), got.String())
	}
	for _, kept := range []expr.Expr{f("div", int64(1), int64(0)), f("rand"), f("uuid")} {
		got, err := FoldConstants(kept, testEnv)
		require.NoError(t, err)
		require.Equal(t, kept.String(), got.String())
	}
}
