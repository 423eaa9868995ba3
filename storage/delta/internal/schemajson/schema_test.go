package schemajson

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
)

const nestedSchema = `{"type":"struct","fields":[
{"name":"a","type":"integer","nullable":false,"metadata":{"comment":"the key","delta.invariants":"{\"expression\":{\"expression\":\"a > 3\"}}"}},
{"name":"e","type":{"type":"array","elementType":{"type":"struct","fields":[{"name":"d","type":"decimal(9,2)","nullable":false,"metadata":{"delta.columnMapping.id":5,"delta.columnMapping.physicalName":"col-d"}}]},"containsNull":true},"nullable":true,"metadata":{"delta.columnMapping.id":4,"delta.columnMapping.physicalName":"col-e"}},
{"name":"m","type":{"type":"map","keyType":"string","valueType":"timestamp_ntz","valueContainsNull":false},"nullable":true,"metadata":{}},
{"name":"v","type":"string","nullable":true,"metadata":{"__CHAR_VARCHAR_TYPE_STRING":"varchar(7)","CURRENT_DEFAULT":"'x'"}}]}`

func TestParse(t *testing.T) {
	s, err := Parse(nestedSchema, ByDisplayName)
	require.NoError(t, err)
	logical := s.Logical()
	require.Equal(t, []string{"a", "e", "m", "v"}, logical.Names())
	require.Equal(t, "the key", logical.Fields[0].Comment)
	require.False(t, logical.Fields[0].Nullable)
	require.Equal(t, "ARRAY<STRUCT<d: DECIMAL(9,2) NOT NULL>>", logical.Fields[1].Type.String())
	require.Equal(t, "MAP<STRING, TIMESTAMP_NTZ>", logical.Fields[2].Type.String())
	require.Equal(t, "VARCHAR(7)", logical.Fields[3].Type.String())
	require.Equal(t, "'x'", logical.Fields[3].Default)
	require.NotEmpty(t, s.Columns[0].Rules.Invariant)
	require.Equal(t, "d", s.Columns[1].Physical.Type.Elem.Type.Fields[0].Name, "no mapping: the metadata is ignored")
	require.Zero(t, s.Columns[1].Physical.ID)
}

func TestMappingAtEveryLevel(t *testing.T) {
	text := `{"type":"struct","fields":[` + nestedSchema[len(`{"type":"struct","fields":[
{"name":"a","type":"integer","nullable":false,"metadata":{"comment":"the key","delta.invariants":"{\"expression\":{\"expression\":\"a > 3\"}}"}},`):]
	_, err := Parse(text, ByName)
	require.ErrorContains(t, err, "physical name", "column m has none")
	text = text[:len(text)-len(`
{"name":"m","type":{"type":"map","keyType":"string","valueType":"timestamp_ntz","valueContainsNull":false},"nullable":true,"metadata":{}},
{"name":"v","type":"string","nullable":true,"metadata":{"__CHAR_VARCHAR_TYPE_STRING":"varchar(7)","CURRENT_DEFAULT":"'x'"}}]},`)] + "]}"
	s, err := Parse(text, ByID)
	require.NoError(t, err)
	c := s.Columns[0]
	require.Equal(t, "col-e", c.Physical.Name)
	require.Equal(t, types.FieldID(4), c.Physical.ID)
	require.Equal(t, "col-d", c.Physical.Type.Elem.Type.Fields[0].Name)
	require.Equal(t, types.FieldID(5), c.Physical.Type.Elem.Type.Fields[0].ID)
	require.Equal(t, "d", c.Logical.Type.Elem.Type.Fields[0].Name)
}

func TestFormatReadsBack(t *testing.T) {
	s, err := Parse(nestedSchema, ByDisplayName)
	require.NoError(t, err)
	text, err := Format(s.Logical(), nil)
	require.NoError(t, err)
	again, err := Parse(text, ByDisplayName)
	require.NoError(t, err)
	require.Equal(t, s.Logical(), again.Logical())
	_, err = Format(types.Schema{Fields: []types.Field{{Name: "t", Type: types.Of(types.Time)}}}, nil)
	require.ErrorContains(t, err, "TIME")
}

func TestMalformed(t *testing.T) {
	for _, text := range []string{`{}`, `[]`, `{"type":"struct","fields":[{"name":"a"}]}`, `{"type":"struct","fields":[{"name":"a","type":"decimal(40,2)"}]}`,
		`{"type":"struct","fields":[{"name":"a","type":{"type":"array"}}]}`, `{"type":"struct","fields":[{"name":"a","type":"int"},{"name":"A","type":"int"}]}`,
		`{"type":"struct","fields":[{"name":"a","type":"string"},{"name":"A","type":"string"}]}`} {
		_, err := Parse(text, ByDisplayName)
		require.Error(t, err, text)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(nestedSchema)
	f.Add(`{"type":"struct","fields":[]}`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text, ByDisplayName)
		if err != nil {
			return
		}
		if again, err := Format(s.Logical(), nil); err == nil && text != "" {
			_, err = Parse(again, ByDisplayName)
			require.NoError(t, err)
		}
		_, _ = Parse(text, ByID)
	})
}

func TestLengthsWithin(t *testing.T) {
	char := types.Type{Kind: types.String, Char: types.Char, Length: 3}
	want := types.Schema{Fields: []types.Field{
		{Name: "n", Nullable: true, Type: types.StructOf(types.Field{Name: "c", Type: char, Nullable: true},
			types.Field{Name: "d d", Type: types.ArrayOf(types.MapOf(types.Of(types.String), char, true), true), Nullable: true},
			types.Field{Name: "x", Type: types.DecimalOf(10, 2), Nullable: true})}}}
	text, err := Format(want, nil)
	require.NoError(t, err)
	require.Contains(t, text, "struct<c:char(3),`d d`:array<map<string,char(3)>>,x:decimal(10,2)>")
	s, err := Parse(text, ByDisplayName)
	require.NoError(t, err)
	require.Equal(t, want, s.Logical())
	for _, bad := range []string{"struct<c:char(3)", "array<char(3)>", "struct<c:char(x)>", "struct<>", "", "char(0)"} {
		require.Equal(t, types.Of(types.String), withLengths(types.Of(types.String), bad), bad)
		plain := types.StructOf(types.Field{Name: "c", Type: types.Of(types.String)})
		require.Equal(t, plain, withLengths(plain, bad), bad)
	}
}
