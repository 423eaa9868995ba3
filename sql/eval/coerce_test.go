package eval

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
)

// TestWidenings contrasts the four ways to bring two types together.
func TestWidenings(t *testing.T) {
	structOf := func(name string, t types.Type) types.Type {
		return types.StructOf(types.Field{Name: name, Type: t, Nullable: true})
	}
	none, list := types.Type{}, func(t types.Type) types.Type { return types.ArrayOf(t, true) }
	for _, c := range []struct {
		a, b                                    types.Type
		byPosition, byName, noStrings, tightest types.Type
	}{
		{tInt, tBigInt, tBigInt, tBigInt, tBigInt, tBigInt},
		{tInt, types.Of(types.Float), tDouble, tDouble, tDouble, types.Of(types.Float)},
		{tInt, types.DecimalOf(12, 2), types.DecimalOf(12, 2), types.DecimalOf(12, 2), types.DecimalOf(12, 2), types.DecimalOf(12, 2)},
		{tInt, types.DecimalOf(5, 2), types.DecimalOf(12, 2), types.DecimalOf(12, 2), types.DecimalOf(12, 2), none},
		{types.DecimalOf(5, 1), types.DecimalOf(5, 2), types.DecimalOf(6, 2), types.DecimalOf(6, 2), types.DecimalOf(6, 2), none},
		{tInt, tString, tBigInt, tBigInt, none, none},
		{list(tInt), list(tString), list(tBigInt), list(tBigInt), none, none},
		{structOf("x", tInt), structOf("X", tBigInt), structOf("x", tBigInt), structOf("x", tBigInt), structOf("x", tBigInt), structOf("x", tBigInt)},
		{structOf("x", tInt), structOf("u", tInt), structOf("x", tInt), none, none, none},
	} {
		for name, w := range map[string]struct {
			widen widening
			want  types.Type
		}{"by position": {commonByPosition, c.byPosition}, "by name": {commonByName, c.byName}, "without strings": {commonWithoutStrings, c.noStrings}, "tightest": {tightestType, c.tightest}} {
			got, ok := w.widen(c.a, c.b)
			require.Equal(t, w.want.Kind != types.Void, ok, "%s: %s and %s", name, c.a, c.b)
			if ok {
				require.True(t, w.want.Equal(got), "%s: %s and %s: %s", name, c.a, c.b, got)
			}
		}
	}
}
