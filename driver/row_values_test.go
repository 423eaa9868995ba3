package driver

import (
	"database/sql/driver"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// TestRowValues converts columns of every form, with and without NULLs and a
// selection, in chunks, as one value after the other is converted.
func TestRowValues(t *testing.T) {
	zone := time.FixedZone("here", 3600)
	for _, c := range []struct {
		t     types.Type
		value func(i int) any
	}{
		{types.Of(types.Boolean), func(i int) any { return i%3 == 0 }},
		{types.Of(types.TinyInt), func(i int) any { return int64(i%200 - 100) }},
		{types.Of(types.BigInt), func(i int) any { return int64(i) << 40 }},
		{types.Of(types.Float), func(i int) any { return float64(float32(i) / 3) }},
		{types.Of(types.Double), func(i int) any { return float64(i) / 3 }},
		{types.DecimalOf(9, 3), func(i int) any { return types.Decimal128FromInt64(int64(i - 70)) }},
		{types.DecimalOf(38, 0), func(i int) any { return types.Decimal128{Hi: int64(i - 70), Lo: uint64(i)} }},
		{types.Of(types.String), func(i int) any { return fmt.Sprintf("%*d", i%9, i) }},
		{types.Of(types.Binary), func(i int) any { return []byte{byte(i)} }},
		{types.Of(types.Date), func(i int) any { return int64(i * 100) }},
		{types.Of(types.Timestamp), func(i int) any { return int64(i) << 41 }},
		{types.Of(types.TimestampNTZ), func(i int) any { return int64(i) << 41 }},
		{types.ArrayOf(types.Of(types.Int), true), func(i int) any { return []any{int64(i), nil} }},
	} {
		b := vector.NewBuilder(c.t, 0)
		nullable, reversed := vector.NewBuilder(c.t, 0), vector.NewBuilder(c.t, 0)
		codes := make([]int32, 150)
		for i := range 150 {
			b.AppendValue(c.value(i))
			reversed.AppendValue(c.value(149 - i))
			if codes[i] = int32(149 - i); i%7 == 3 {
				nullable.AppendNull()
			} else {
				nullable.AppendValue(c.value(i))
			}
		}
		forms := []*vector.Vector{b.Vector(), nullable.Vector(), vector.NewNull(c.t, 150)}
		if !c.t.IsNested() {
			forms = append(forms, vector.NewDictionary(b.Vector(), codes, nil),
				vector.NewDictionary(reversed.Vector(), codes, nil), vector.NewDictionary(b.Vector(), codes, nullable.Vector().Valid))
		}
		values := newRowValues([]types.Field{{Name: "x", Type: c.t}}, zone)
		for _, v := range forms {
			for _, sel := range []vector.Selection{nil, {0, 9, 10, 77, 149}} {
				batch := &vector.Batch{Columns: []*vector.Vector{v}, Len: v.Len, Sel: sel}
				var got, want []driver.Value
				dest := make([]driver.Value, 1)
				for k := 0; k < batch.Rows(); {
					k += values.load(batch, k)
					for values.next(dest) {
						got = append(got, dest[0])
					}
				}
				runtime.GC() // what a value points to stays
				for k := range batch.Rows() {
					x := value(c.t, v.Value(batch.Row(k)), zone)
					want = append(want, x)
				}
				require.Equal(t, want, got, "%s, form %d", c.t, v.Form)
			}
		}
	}
}
