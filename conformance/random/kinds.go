package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// kind is a type that expressions are generated of.
type kind string

// The kinds. tame is a DOUBLE of small multiples of 1/8, of which every sum is
// exact.
const (
	boolean kind = "bool"
	i8      kind = "i8"
	i16     kind = "i16"
	i32     kind = "i32"
	i64     kind = "i64"
	f32     kind = "f32"
	f64     kind = "f64"
	tame    kind = "tame"
	dec5    kind = "dec5"
	dec18   kind = "dec18"
	dec38   kind = "dec38"
	str     kind = "str"
	bin     kind = "bin"
	date    kind = "date"
	ts      kind = "ts"
	ntz     kind = "ntz"
	arr     kind = "arr"
	strs    kind = "strs"
	dict    kind = "map"
	record  kind = "struct"
	fixed   kind = "fixed"
	uid     kind = "uuid"
	clock   kind = "time"
	tsns    kind = "tsns"
	ntzns   kind = "ntzns"
	anyJSON kind = "variant"
)

// stored are the types of columns of tables; kinds has those that Delta has no
// type for too. scalars are those that are not nested.
var (
	plain    = []kind{boolean, i8, i16, i32, i64, f32, f64, tame, dec5, dec18, dec38, str, bin, date, ts, ntz}
	computed = []kind{fixed, uid, clock, tsns, ntzns}
	nested   = []kind{arr, strs, dict, record}
	scalars  = slices.Concat(plain, computed)
	stored   = slices.Concat(plain, nested)
	kinds    = slices.Concat(scalars, nested, []kind{anyJSON})
	ints     = []kind{i8, i16, i32, i64}
)

var typeNames = map[kind]text{
	boolean: same("BOOLEAN"), i8: same("TINYINT"), i16: same("SMALLINT"), i32: same("INT"), i64: same("BIGINT"), f32: same("FLOAT"),
	f64: same("DOUBLE"), tame: same("DOUBLE"), dec5: same("DECIMAL(5,2)"), dec18: same("DECIMAL(18,4)"), dec38: same("DECIMAL(38,10)"),
	str: both("STRING", "VARCHAR"), bin: both("BINARY", "BLOB"), date: same("DATE"), ts: same("TIMESTAMP"), ntz: both("TIMESTAMP_NTZ", "TIMESTAMP"),
	arr: both("ARRAY<INT>", "INT[]"), strs: both("ARRAY<STRING>", "VARCHAR[]"), dict: both("MAP<STRING, INT>", "MAP(VARCHAR, INT)"),
	record: both("STRUCT<a: INT, b: STRING>", "STRUCT(a INT, b VARCHAR)"), fixed: both("FIXED(4)", "BLOB"), uid: same("UUID"), clock: same("TIME"),
	tsns: both("TIMESTAMP(9)", "TIMESTAMP_NS"), ntzns: both("TIMESTAMP_NTZ(9)", "TIMESTAMP_NS"), anyJSON: {ours: "VARIANT", duck: "VARCHAR", opaque: "VARIANT", alone: true},
}

func both(ours, duck string) text { return text{ours: ours, duck: duck, opaque: ours} }

var greatest = map[kind]float64{i8: 1 << 7, i16: 1 << 15, i32: 1 << 31, i64: 1 << 63, tame: 1e6}

// bounds says how large values of a kind may be.
func (k kind) most() float64 {
	if m, ok := greatest[k]; ok {
		return m
	}
	return math.Inf(1)
}

// hasEqual reports whether values of the kind can be compared.
func (k kind) hasEqual() bool { return k != dict && k != anyJSON }

func (k kind) isInt() bool    { return greatest[k] > 0 && k != tame }
func (k kind) isNested() bool { return slices.Contains(nested, k) }

// literal draws a constant: usually an ordinary one, sometimes an extreme.
func (g *gen) literal(k kind, extreme bool) value {
	v := value{kind: k, bound: k.most()}
	whole := func(n int64) {
		v.bound = math.Abs(float64(n))
		if v.text = same(fmt.Sprint(n)); k != i32 {
			v.text = sqlf("CAST(%s AS %s)", fmt.Sprint(n), typeNames[k])
		}
		if k == i32 && n == math.MinInt32 { // the minus of -2147483648 is an operator in DuckDB
			v.duck = "CAST(" + v.duck + " AS INT)"
		}
		if n == math.MinInt64 {
			v.text = sqlf("CAST('-9223372036854775808' AS BIGINT)")
		}
	}
	quoted := func(format string, list ...string) {
		v.text = sqlf(format, pick(g, list), typeNames[k])
	}
	switch k {
	case boolean:
		v.text = same(pick(g, []string{"TRUE", "FALSE"}))
	case i8, i16, i32, i64:
		n := int64(g.Intn(21) - 5)
		if extreme {
			least := map[kind]int64{i8: math.MinInt8, i16: math.MinInt16, i32: math.MinInt32, i64: math.MinInt64}[k]
			n = pick(g, []int64{least, least + 1, -least - 1, -(least + 2)})
		}
		whole(n)
	case tame:
		v.text = sqlf("CAST(%s AS DOUBLE)", fmt.Sprint(float64(g.Intn(800)-200)/8))
	case f32, f64:
		if extreme {
			quoted("CAST('%s' AS %s)", "NaN", "Infinity", "-Infinity", "-0.0", "3e38", "1e-40")
		} else {
			v.text = sqlf("CAST(%s AS %s)", fmt.Sprint(float64(g.Intn(800)-200)/8), typeNames[k])
		}
	case dec5, dec18, dec38:
		least := map[kind]string{dec5: "999.99", dec18: "99999999999999.9999", dec38: "9999999999999999999999999999.9999999999"}[k]
		if !extreme {
			least = fmt.Sprintf("%.2f", float64(g.Intn(4000))/100)
		}
		quoted("CAST('%s' AS %s)", least, "-"+least)
	default:
		g.word(&v, extreme)
	}
	return v
}

// word draws a constant that is not a number.
func (g *gen) word(v *value, extreme bool) {
	days := []string{"2024-02-29", "2024-01-31", "2023-12-31", "1999-06-15", "1970-01-01", "2024-03-10", "1969-07-20"}
	clocks := []string{"00:00:00", "12:34:56", "23:59:59.999999", "06:00:00.5"}
	if extreme {
		days = []string{"0001-01-01", "9999-12-31", "1582-10-15"}
	}
	switch day, clockText := pick(g, days), pick(g, clocks); v.kind {
	case str:
		v.text = g.stringLiteral(extreme)
	case bin:
		hex := pick(g, []string{"", "00", "61", "6162", "FF", "00FF10", "E38182"})
		v.text = both("X'"+hex+"'", "unhex('"+hex+"')")
	case date:
		v.text = sqlf("DATE '%s'", day)
	case ts:
		v.text = sqlf("TIMESTAMP '%s %s'", day, clockText)
	case ntz:
		v.text = pair("TIMESTAMP_NTZ '%s %s'", "TIMESTAMP '%s %s'", day, clockText)
	case arr:
		v.text = pair("array(%s, NULL, %s)", "[%s, NULL, %s]", g.Intn(9), g.Intn(9))
	case strs:
		v.text = pair("array(%s, %s)", "[%s, %s]", g.stringLiteral(false), g.stringLiteral(false))
	case dict:
		v.text = pair("map('a', %s, 'b', %s)", "MAP {'a': %s, 'b': %s}", g.Intn(9), g.Intn(9))
	case fixed:
		v.text = pair("CAST(X'%[1]s' AS FIXED(4))", "unhex('%[1]s')", pick(g, []string{"00000000", "61626364", "FFFFFFFF", "0000FF00", "01020304"}))
	case uid:
		v.text = sqlf("CAST('%s' AS UUID)", pick(g, []string{"00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "0cc175b9-c0f1-b6a8-31c3-99e269772661", "123e4567-e89b-12d3-a456-426614174000", "80000000-0000-0000-0000-000000000000"}))
	case clock:
		v.text = sqlf("TIME '%s'", clockText)
	case tsns, ntzns:
		if extreme {
			day = pick(g, []string{"1700-01-01", "2200-12-31"})
		}
		v.text = sqlf("CAST('%s %s' AS %s)", day, pick(g, []string{"00:00:00", "12:34:56.000000001", "23:59:59.999999999", "06:00:00.5"}), typeNames[v.kind])
	case anyJSON:
		v.text = text{ours: "parse_json('" + pick(g, []string{"1", "null", `"x"`, "[1, 2.50, null]", `{"a": 1, "b": [true]}`, "1e10", "{}"}) + "')", alone: true}
		v.opaque = v.ours
	case record:
		v.text = pair("named_struct('a', %s, 'b', %s)", "{'a': %s, 'b': %s}", g.Intn(9), g.stringLiteral(false))
	}
}

var words = []string{"a", "b", "ab", "abc", "B", "Zoe", "12", "-7", "x,y", "a b", "bb", "1.5", "true"}

func (g *gen) stringLiteral(extreme bool) text {
	list := words
	if extreme {
		list = []string{"", " ", "it''s", "äöü", "日本語", "%", "_", "  pad ", strings.Repeat("long", 12), "😀x", "\x7f"}
	}
	return same("'" + pick(g, list) + "'")
}

// null is NULL of a kind.
func null(k kind) value {
	return value{text: sqlf("CAST(NULL AS %s)", typeNames[k]), kind: k}
}

func pick[T any](g *gen, list []T) T { return list[g.Intn(len(list))] }
