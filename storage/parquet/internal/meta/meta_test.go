package meta

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func footer() *FileMetaData {
	stats := Statistics{Min: []byte{1}, Max: []byte{2}, MinValue: []byte{}, MaxValue: []byte{3}, NullCount: 0, NaNCount: -1, MaxExact: true}
	chunk := ColumnChunk{FileOffset: 4, HasMetaData: true, MetaData: ColumnMetaData{Type: Int64, Encodings: []Encoding{Plain, RLEDictionary},
		Path: []string{"a", "b"}, Codec: Zstd, NumValues: 7, TotalUncompressedSize: 8, TotalCompressedSize: 9, DataPageOffset: 300, DictionaryPageOffset: 4, Statistics: stats}}
	unknown := chunk
	unknown.MetaData.DictionaryPageOffset = 0
	unknown.MetaData.Statistics = Statistics{NullCount: -1, NaNCount: -1}
	return &FileMetaData{
		Version: 2, NumRows: 1 << 40, CreatedBy: "test", ColumnOrders: []int16{1, 2}, KeyValues: []KeyValue{{"k", "v"}},
		Schema: []SchemaElement{
			{Name: "root", NumChildren: 5, Converted: NoConverted},
			{Name: "i", HasType: true, Type: Int32, Repetition: Optional, Converted: ConvertedInt8, FieldID: 0, HasFieldID: true,
				Logical: LogicalType{Kind: LogicalInteger, BitWidth: 8, Signed: true}},
			{Name: "d", HasType: true, Type: FixedLenByteArray, TypeLength: 16, Converted: ConvertedDecimal, Scale: 3, Precision: 30,
				Logical: LogicalType{Kind: LogicalDecimal, Scale: 3, Precision: 30}},
			{Name: "t", HasType: true, Type: Int64, Converted: NoConverted, Logical: LogicalType{Kind: LogicalTimestamp, UTC: true, Unit: Nanos}},
			{Name: "s", HasType: true, Type: ByteArray, Repetition: Repeated, Converted: ConvertedUTF8, Logical: LogicalType{Kind: LogicalString}},
		},
		RowGroups: []RowGroup{{Columns: []ColumnChunk{chunk, unknown}, TotalByteSize: 1, NumRows: 2, FileOffset: 3, TotalCompressedSize: 4, Ordinal: 5}},
	}
}

func TestFileMetaData(t *testing.T) {
	want := footer()
	b := want.Append(nil)
	got, err := ParseFileMetaData(b)
	require.NoError(t, err)
	require.Equal(t, want, got)
	for i := range b {
		_, err := ParseFileMetaData(b[:i])
		require.Error(t, err, "%d of %d bytes", i, len(b))
	}
}

func TestPageHeader(t *testing.T) {
	for _, want := range []PageHeader{
		{Type: DataPage, UncompressedSize: 100, CompressedSize: 50, CRC: 0xfedcba98, HasCRC: true, HasBody: true, NumValues: 7,
			Encoding: RLEDictionary, DefEncoding: RLE, RepEncoding: BitPacked, Compressed: true},
		{Type: DictionaryPage, UncompressedSize: 1, CompressedSize: 2, HasBody: true, NumValues: 9, Encoding: Plain, Compressed: true},
	} {
		b := want.Append(nil)
		var got PageHeader
		n, err := ParsePageHeader(append(b, "page"...), &got)
		require.NoError(t, err)
		require.Equal(t, len(b), n)
		require.Equal(t, want, got)
		for i := range b {
			_, err := ParsePageHeader(b[:i], &got)
			require.Error(t, err)
		}
	}
}

func TestUnknownFieldsAreSkipped(t *testing.T) {
	e := &encoder{}
	e.element(func() {
		e.i32(1, int32(DictionaryPage))
		e.i32(2, 10)
		e.i32(3, 20)
		e.structure(7, func() {
			e.i32(1, 30)
			e.i32(2, 0)
			e.bool(3, true)
			e.binary(40, []byte("x"))
		})
		e.list(90, wireStruct, 20)
		for range 20 {
			e.element(func() { e.i64(1, 5) })
		}
		e.field(91, wireMap)
		e.b = append(e.b, 1, wireI32<<4|wireBinary, 2, 1, 'v')
		e.field(92, wireDouble)
		e.b = append(e.b, make([]byte, 8)...)
	})
	var h PageHeader
	n, err := ParsePageHeader(e.b, &h)
	require.NoError(t, err)
	require.Equal(t, len(e.b), n)
	require.EqualValues(t, 30, h.NumValues)
}

func TestMissingFields(t *testing.T) {
	m := footer()
	m.RowGroups[0].Columns[0].HasMetaData = false
	require.NotPanics(t, func() { _, _ = ParseFileMetaData(m.Append(nil)) })
	_, err := ParseFileMetaData([]byte{wireStop}) // a footer of nothing
	require.Error(t, err)
	var h PageHeader
	_, err = ParsePageHeader([]byte{wireStop}, &h)
	require.Error(t, err)
}

func FuzzParse(f *testing.F) {
	f.Add(footer().Append(nil))
	h := PageHeader{Type: DataPage, HasCRC: true}
	f.Add(h.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := ParseFileMetaData(b)
		if err == nil {
			_, err = ParseFileMetaData(m.Append(nil))
			_ = err // a schema of impossible values need not be written again
		}
		var h PageHeader
		_, _ = ParsePageHeader(b, &h)
	})
}
