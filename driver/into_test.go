package driver_test

import (
	"database/sql"
	sqldriver "database/sql/driver"
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
)

// parts is a decimal type as several packages have it.
type parts struct {
	form        byte
	negative    bool
	coefficient []byte
	exponent    int32
}

func (p *parts) Compose(form byte, negative bool, coefficient []byte, exponent int32) error {
	*p = parts{form, negative, coefficient, exponent}
	return nil
}

func (p parts) Decompose([]byte) (byte, bool, []byte, int32) {
	return p.form, p.negative, p.coefficient, p.exponent
}

type point struct {
	X     int
	Label *string `tarn:"name"`
}

type shape struct {
	point
	Kind   string `db:"k"`
	Corner []point
}

func TestInto(t *testing.T) {
	db := open(t, "memory://")
	scan := func(expr string, dest any) error {
		return db.QueryRow("SELECT " + expr).Scan(driver.Into(dest))
	}
	name := "n"
	check := func(expr string, dest, want any) {
		t.Helper()
		require.NoError(t, scan(expr, dest), expr)
		require.Equal(t, want, dest, expr)
	}
	check("array(1, 2)", &[]int32{}, &[]int32{1, 2})
	check("array(1, 2)", &[2]uint8{}, &[2]uint8{1, 2})
	check("array(1, NULL)", &[]*int{}, &[]*int{ptr(1), nil})
	check("array(1, NULL)", &[]any{}, &[]any{int64(1), nil})
	check("CAST(NULL AS ARRAY<INT>)", &[]int{1}, ptr([]int(nil)))
	check("map('a', array(1), 'b', NULL)", &map[string][]int{}, &map[string][]int{"a": {1}, "b": nil})
	check("map(1, 1.50)", &map[int]string{}, &map[int]string{1: "1.50"})
	check("named_struct('x', 1, 'NAME', 'n')", &point{}, &point{X: 1, Label: &name})
	check("named_struct('x', 1, 'name', 'n', 'k', 'square', 'corner', array(named_struct('x', 2)))", &shape{},
		&shape{point: point{X: 1, Label: &name}, Kind: "square", Corner: []point{{X: 2}}})
	check("named_struct('a', 1, 'b', 2)", &map[string]int{}, &map[string]int{"a": 1, "b": 2})
	check("CAST(NULL AS STRUCT<x: INT>)", ptr(&point{}), ptr((*point)(nil)))
	check("1.50", new(big.Rat), big.NewRat(3, 2))
	check("7", new(big.Rat), big.NewRat(7, 1))
	check("CAST('12345678901234567890' AS DECIMAL(38,0))", new(big.Int), bigInt("12345678901234567890"))
	check("-1.50", &parts{}, &parts{negative: true, coefficient: []byte{150}, exponent: -2})
	check("1.5", new(float64), ptr(1.5))
	check("TIME '01:02:03.5'", new(time.Duration), ptr(time.Hour+2*time.Minute+3500*time.Millisecond))
	check("DATE '2024-01-02'", new(time.Time), ptr(time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC)))
	check("DATE '2024-01-02'", new(string), ptr("2024-01-02T00:00:00Z"))
	check("array('x')", new(driver.List), &driver.List{"x"})
	check("array(CAST(NULL AS STRING), 'x')", &[]sql.NullString{}, &[]sql.NullString{{}, {String: "x", Valid: true}})
	check("X'00112233445566778899aabbccddeeff'", &[16]byte{}, &[16]byte{0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff})

	for _, c := range []struct {
		expr string
		dest any
		text string
	}{
		{"array(300)", &[]int8{}, "element 0: type mismatch: 300 (int64) can't be stored in int8"},
		{"array(-1)", &[]uint{}, "uint"},
		{"array(1, NULL)", &[]int{}, "NULL can't be stored in int"},
		{"array(1)", &[2]int{}, "1 elements"},
		{"map('a', 1)", &[]int{}, "can't be stored"},
		{"named_struct('z', 1)", &point{}, "no field for z"},
		{"named_struct('x', 'a')", &point{}, "field x"},
		{"1.5", new(big.Int), "big.Int"},
		{"'x'", new(big.Rat), "big.Rat"},
		{"'x'", new(time.Duration), "no TIME"},
		{"1e300", new(float32), "float32"},
		{"1", point{}, "pointer"},
		{"1", nil, "pointer"},
		{"map(array(1), 1)", &map[any]int{}, "Go map"},
	} {
		err := scan(c.expr, c.dest)
		require.ErrorIs(t, err, driver.ErrTypeMismatch, c.expr)
		require.ErrorContains(t, err, c.text, c.expr)
	}
}

func ptr[T any](v T) *T { return &v }

func bigInt(s string) *big.Int {
	i, _ := new(big.Int).SetString(s, 10)
	return i
}

func TestNestedScanWithoutInto(t *testing.T) {
	db := open(t, "memory://")
	var l driver.List
	var m driver.Map
	var s driver.Struct
	require.NoError(t, db.QueryRow("SELECT array(1), map('a', 2), named_struct('f', array(3))").Scan(&l, &m, &s))
	require.Equal(t, `[1] {"a":2} {"f":[3]}`, l.String()+" "+m.String()+" "+s.String())
	var text string
	require.NoError(t, db.QueryRow("SELECT array(1, NULL)").Scan(driver.Into(&text)))
	require.Equal(t, "[1,null]", text)
	require.NoError(t, db.QueryRow("SELECT CAST(NULL AS ARRAY<INT>)").Scan(&l))
	require.Nil(t, l)
	require.ErrorIs(t, db.QueryRow("SELECT 1").Scan(&l), driver.ErrTypeMismatch)
	var f float64
	var d driver.Time
	require.NoError(t, db.QueryRow("SELECT 1.25, TIME '10:00:00'").Scan(&f, &d))
	require.Equal(t, "1.25 10:00:00", fmt.Sprint(f, " ", d))
}

func TestNestedArguments(t *testing.T) {
	db := open(t, "memory://")
	for _, c := range []struct {
		arg  any
		want any
		name string
	}{
		{driver.List{1, 2}, driver.List{int64(1), int64(2)}, "ARRAY<BIGINT>"},
		{driver.List{nil, "x"}, driver.List{nil, "x"}, "ARRAY<STRING>"},
		{driver.List{big.NewRat(1, 2), big.NewInt(10)}, driver.List{"0.5", "10.0"}, "ARRAY<DECIMAL(3,1)>"},
		{driver.List{driver.List{1}, driver.List{}}, driver.List{driver.List{int64(1)}, driver.List{}}, "ARRAY<ARRAY<BIGINT>>"},
		{driver.List(nil), nil, "VOID"},
		{driver.Map{{Key: "a", Value: 1.5}}, driver.Map{{Key: "a", Value: 1.5}}, "MAP<STRING, DOUBLE>"},
		{driver.Struct{{Name: "a", Value: true}, {Name: "b", Value: driver.List{"x"}}}, driver.Struct{{Name: "a", Value: true}, {Name: "b", Value: driver.List{"x"}}},
			"STRUCT<a: BOOLEAN NOT NULL, b: ARRAY<STRING> NOT NULL>"},
		{driver.Time(time.Hour), "01:00:00.000000", "TIME"},
		{parts{coefficient: []byte{15}, exponent: -1}, "1.5", "DECIMAL"},
		{ptr(ptr("x")), "x", "STRING"},
		{sql.Null[int16]{V: 3, Valid: true}, int64(3), "BIGINT"},
		{uint64(1 << 63), "9223372036854775808", "DECIMAL"},
		{[]byte(nil), nil, "VOID"},
	} {
		r, err := db.Query("SELECT ? AS v", c.arg)
		require.NoError(t, err, "%v", c.arg)
		ts, err := r.ColumnTypes()
		require.NoError(t, err)
		require.Equal(t, c.name, ts[0].DatabaseTypeName(), "%v", c.arg)
		require.True(t, r.Next())
		var got any
		require.NoError(t, r.Scan(&got))
		require.Equal(t, c.want, got)
		require.NoError(t, r.Close())
	}
	for _, c := range []struct {
		arg  any
		text string
	}{
		{driver.List{1, "x"}, "BIGINT and STRING"},
		{driver.Map{{Key: 1, Value: 1}, {Key: "x", Value: 1}}, "BIGINT and STRING"},
		{driver.Map{{Key: 1, Value: 1}, {Key: 1, Value: 2}}, "1"},
		{driver.List{struct{}{}}, "struct"},
		{driver.Time(25 * time.Hour), "25h"},
		{bigInt("1234567890123456789012345678901234567890"), "38 digits"},
		{parts{form: 2}, "NaN"},
		{badValuer{}, "again"},
	} {
		_, err := tryRows(t.Context(), db, "SELECT ?", c.arg)
		require.ErrorContains(t, err, c.text, "%v", c.arg)
	}
}

type badValuer struct{}

func (badValuer) Value() (sqldriver.Value, error) { return badValuer{}, nil }
