package vector

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
)

func build(t types.Type, values ...any) *Vector {
	b := NewBuilder(t, len(values))
	for _, x := range values {
		b.AppendValue(x)
	}
	return b.Vector()
}

func values(v *Vector) []any {
	out := make([]any, v.Len)
	for i := range out {
		out[i] = v.Value(i)
	}
	return out
}

func samples() map[string]*Vector {
	str := types.Of(types.String)
	s := types.StructOf(types.Field{Name: "a", Type: types.Of(types.Int), Nullable: true}, types.Field{Name: "b", Type: str, Nullable: true})
	return map[string]*Vector{
		"bool":    build(types.Of(types.Boolean), true, nil, false),
		"int":     build(types.Of(types.Int), int64(1), nil, int64(-3)),
		"bigint":  build(types.Of(types.BigInt), int64(1), nil, int64(-3)),
		"dec":     build(types.DecimalOf(10, 2), types.Decimal128FromInt64(-5), nil, types.Decimal128FromInt64(7)),
		"dec38":   build(types.DecimalOf(38, 2), types.Decimal128{Hi: 1, Lo: 2}, nil, types.Decimal128FromInt64(7)),
		"float":   build(types.Of(types.Float), 1.5, nil, -0.25),
		"double":  build(types.Of(types.Double), 1.5, nil, -0.1),
		"string":  build(str, "a", nil, "ccc"),
		"binary":  build(types.Of(types.Binary), []byte{1}, nil, []byte{}),
		"array":   build(types.ArrayOf(str, true), []any{"x", nil}, nil, []any{}),
		"map":     build(types.MapOf(str, types.Of(types.Int), true), []MapEntry{{"k", int64(1)}}, nil, []MapEntry{}),
		"struct":  build(s, []any{int64(1), "x"}, nil, []any{nil, nil}),
		"structs": build(types.ArrayOf(s, true), []any{[]any{int64(1), "x"}, nil}, nil, []any{}),
	}
}

func TestSelectSliceFlatten(t *testing.T) {
	for name, v := range samples() {
		t.Run(name, func(t *testing.T) {
			all := values(v)
			require.Equal(t, []any{all[2], all[0], all[1], all[2]}, values(v.Select(Selection{2, 0, 1, 2})))
			require.Equal(t, all[1:], values(v.Slice(1, 3)))
			dict := NewDictionary(v, []int32{2, 2, 1, 0}, nil)
			want := []any{all[2], all[2], all[1], all[0]}
			require.Equal(t, want, values(dict))
			require.Equal(t, want, values(dict.Flatten()))
			require.Equal(t, want[1:3], values(dict.Slice(1, 3)))
			constant := *v.Slice(2, 3)
			constant.Form, constant.Len = Constant, 3
			require.Equal(t, []any{all[2], all[2], all[2]}, values(constant.Flatten()))
			require.Equal(t, []any{nil, nil}, values(NewNull(v.Type, 2).Flatten()))
			b := NewBuilder(v.Type, 0)
			for i := range all {
				b.AppendFrom(v, i)
			}
			require.Equal(t, all, values(b.Vector()))
		})
	}
}

func TestCollector(t *testing.T) {
	for name, v := range samples() {
		t.Run(name, func(t *testing.T) {
			all := values(v)
			c := NewCollector([]types.Type{v.Type})
			require.NoError(t, c.Append(&Batch{Columns: []*Vector{v.Slice(0, 1)}, Len: 1}))
			require.NoError(t, c.Append(&Batch{Columns: []*Vector{v}, Len: 3}))
			require.NoError(t, c.Append(&Batch{Columns: []*Vector{v}, Len: 3, Sel: Selection{1, 2}}))
			require.NoError(t, c.Append(&Batch{Columns: []*Vector{NewDictionary(v, []int32{2, 1}, nil)}, Len: 2}))
			require.Equal(t, 8, c.Rows())
			require.Equal(t, []any{all[0], all[0], all[1], all[2], all[1], all[2], all[2], all[1]}, values(c.Batch().Columns[0]))
		})
	}
}

func TestBuilderListsInLists(t *testing.T) {
	lists := types.ArrayOf(types.ArrayOf(types.Of(types.Int), true), true)
	b := NewBuilder(lists, 1)
	value := []any{[]any{int64(1), nil}, nil, []any{}}
	b.AppendValue(value)
	require.Equal(t, value, b.Vector().Value(0))
}

// TestSelectIntoForgets uses one vector for selections of many: each is what
// Select gives, whatever was there before.
func TestSelectIntoForgets(t *testing.T) {
	ints, texts := NewBuilder(types.Of(types.Int), 0), NewBuilder(types.Of(types.String), 0)
	for i := range 200 {
		if i%3 == 0 {
			ints.AppendNull()
		} else {
			ints.AppendInt64(int64(i))
		}
		texts.AppendBytes([]byte{byte(i)})
	}
	codes := &Vector{Type: types.Of(types.String), Form: Dictionary, Len: 3, Codes: []int32{7, 5, 7}, Dict: texts.Vector()}
	constant := NewNull(types.Of(types.Int), 300)
	var out Vector
	for _, v := range []*Vector{ints.Vector(), codes, constant, ints.Vector(), texts.Vector(), New(types.Of(types.Int), 90), constant, codes, texts.Vector()} {
		for _, sel := range []Selection{{0, 2, 1, 1}, {}, {2}} {
			v.SelectInto(&out, sel)
			want := v.Select(sel)
			require.Equal(t, want.Len, out.Len)
			for i := range want.Len {
				require.Equal(t, want.Value(i), out.Value(i))
			}
		}
	}
	require.True(t, constant.IsNull(0))
	require.Equal(t, int64(1), ints.Vector().Value(1))
}
