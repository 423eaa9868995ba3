package driver_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
)

// TestVariant reads a VARIANT in the ways that there are: Delta has no column
// of it here, so it is computed.
func TestVariant(t *testing.T) {
	db, err := sql.Open("tarn", "memory://")
	require.NoError(t, err)
	defer db.Close()
	const text = `{"a":[1,2.5],"b":"x"}`
	query := `SELECT parse_json(' {"b": "x", "a": [1, 2.50]}') AS v, CAST(NULL AS VARIANT) AS n, array(parse_json('1')) AS l`

	var v, null, list any
	require.NoError(t, db.QueryRow(query).Scan(&v, &null, &list))
	require.Equal(t, driver.Variant(text), v)
	require.Nil(t, null)
	require.Equal(t, driver.List{driver.Variant("1")}, list)
	require.Equal(t, text, fmt.Sprint(v))
	marshalled, err := json.Marshal(map[string]any{"v": v})
	require.NoError(t, err)
	require.JSONEq(t, `{"v":`+text+`}`, string(marshalled))

	var s string
	var typed, none driver.Variant
	var into struct {
		A []float64
		B string
	}
	require.NoError(t, db.QueryRow(query).Scan(&s, &none, new(any)))
	require.Equal(t, text, s)
	require.Empty(t, none)
	require.NoError(t, db.QueryRow(query).Scan(&typed, new(any), new(any)))
	require.Equal(t, driver.Variant(text), typed)
	require.NoError(t, db.QueryRow(query).Scan(driver.Into(&into), new(any), new(any)))
	require.Equal(t, []float64{1, 2.5}, into.A)
	require.Equal(t, "x", into.B)
	require.ErrorIs(t, db.QueryRow(query).Scan(driver.Into(new([]int)), new(any), new(any)), driver.ErrTypeMismatch)
	require.ErrorIs(t, db.QueryRow("SELECT 1").Scan(&typed), driver.ErrTypeMismatch)

	rows, err := db.Query(query)
	require.NoError(t, err)
	defer rows.Close()
	columns, err := rows.ColumnTypes()
	require.NoError(t, err)
	require.Equal(t, "VARIANT", columns[0].DatabaseTypeName())
	require.Equal(t, reflect.TypeFor[driver.Variant](), columns[0].ScanType())
}
