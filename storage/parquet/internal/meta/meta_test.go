package meta

import (
	"testing"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/stretchr/testify/require"
)

func testFooter() *FileMetaData {
	stats := Statistics{Min: []byte{1}, Max: []byte{2}, MinValue: []byte{}, MaxValue: []byte{3}, NullCount: 0, MaxExact: true}
	chunk := ColumnChunk{FileOffset: 4, HasMetaData: true, MetaData: ColumnMetaData{Type: format.Int64, Encodings: []format.Encoding{format.Plain, format.RLEDictionary},
		Path: []string{"a", "b"}, Codec: format.Zstd, NumValues: 7, TotalUncompressedSize: 8, TotalCompressedSize: 9, DataPageOffset: 300, DictionaryPageOffset: 4, Statistics: stats}}
	unknown := chunk
	unknown.MetaData.DictionaryPageOffset = 0
	unknown.MetaData.Statistics = Statistics{NullCount: -1}
	return &FileMetaData{
		Version: 2, NumRows: 1 << 40, CreatedBy: "test", ColumnOrders: []int16{1, 1},
		Schema: []SchemaElement{
			{Name: "root", Repetition: NoRepetition, NumChildren: 5, Converted: NoConverted},
			{Name: "i", HasType: true, Type: format.Int32, Repetition: format.Optional, Converted: deprecated.Int8, FieldID: 9, HasFieldID: true,
				Logical: LogicalType{Kind: LogicalInteger, BitWidth: 8, Signed: true}},
			{Name: "d", HasType: true, Type: format.FixedLenByteArray, TypeLength: 16, Converted: deprecated.Decimal, Scale: 3, Precision: 30,
				Logical: LogicalType{Kind: LogicalDecimal, Scale: 3, Precision: 30}},
			{Name: "t", HasType: true, Type: format.Int64, Converted: NoConverted, Logical: LogicalType{Kind: LogicalTimestamp, UTC: true, Unit: Nanos}},
			{Name: "s", HasType: true, Type: format.ByteArray, Repetition: format.Repeated, Converted: deprecated.UTF8, Logical: LogicalType{Kind: LogicalString}},
		},
		RowGroups: []RowGroup{{Columns: []ColumnChunk{chunk, unknown}, TotalByteSize: 1, NumRows: 2, FileOffset: 3, TotalCompressedSize: 4, Ordinal: 5}},
	}
}

func TestFileMetaData(t *testing.T) {
	want := testFooter()
	b := appendFooter(t, want)
	got, err := ParseFileMetaData(b)
	require.NoError(t, err)
	require.Equal(t, want, got)
	for i := range b {
		_, err := ParseFileMetaData(b[:i])
		require.Error(t, err, "%d of %d bytes", i, len(b))
	}
}

// appendFooter writes a footer.
func appendFooter(t testing.TB, m *FileMetaData) []byte {
	b, err := m.Append(nil)
	require.NoError(t, err)
	return b
}

func TestPageHeader(t *testing.T) {
	stats := format.Statistics{NullCount: 3, Max: []byte("max"), MinValue: []byte("min")}
	for _, c := range []struct {
		wire format.PageHeader
		want PageHeader
	}{
		{format.PageHeader{Type: format.DataPage, UncompressedPageSize: 100, CompressedPageSize: 50, CRC: -19088744,
			DataPageHeader: thrift.New(format.DataPageHeader{NumValues: 7, Encoding: format.RLEDictionary,
				DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.BitPacked, Statistics: stats})},
			PageHeader{Type: format.DataPage, UncompressedSize: 100, CompressedSize: 50, CRC: 0xfedcba98, HasCRC: true, HasBody: true, NumValues: 7,
				Encoding: format.RLEDictionary, DefEncoding: format.RLE, RepEncoding: format.BitPacked, Compressed: true}},
		{format.PageHeader{Type: format.DictionaryPage, UncompressedPageSize: 1, CompressedPageSize: 2,
			DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: 9, Encoding: format.Plain, IsSorted: true})},
			PageHeader{Type: format.DictionaryPage, UncompressedSize: 1, CompressedSize: 2, HasBody: true, NumValues: 9, Compressed: true}},
		{format.PageHeader{Type: format.DataPageV2, UncompressedPageSize: 1, CompressedPageSize: 2,
			DataPageHeaderV2: thrift.New(format.DataPageHeaderV2{NumValues: 9, NumNulls: 1, NumRows: 8, Encoding: format.DeltaByteArray,
				DefinitionLevelsByteLength: 5, RepetitionLevelsByteLength: 6, IsCompressed: thrift.New(false), Statistics: stats})},
			PageHeader{Type: format.DataPageV2, UncompressedSize: 1, CompressedSize: 2, HasBody: true, NumValues: 9, NumNulls: 1, NumRows: 8,
				Encoding: format.DeltaByteArray, DefBytes: 5, RepBytes: 6}},
	} {
		b, err := Append(nil, &c.wire)
		require.NoError(t, err)
		var got PageHeader
		n, err := ParsePageHeader(append(b, "page"...), &got)
		require.NoError(t, err)
		require.Equal(t, len(b), n)
		require.Equal(t, c.want, got)
		for i := range b {
			_, err := ParsePageHeader(b[:i], &got)
			require.Error(t, err)
		}
	}
}

func TestPageIndexes(t *testing.T) {
	want := &format.ColumnIndex{NullPages: []bool{false, true, false}, MinValues: [][]byte{[]byte("a"), {}, []byte("b")},
		MaxValues: [][]byte{[]byte("c"), {}, []byte("d")}, NullCounts: []int64{0, 1 << 40, 2}}
	b, err := Append(nil, want)
	require.NoError(t, err)
	got, err := ParseColumnIndex(b)
	require.NoError(t, err)
	require.Equal(t, want, got)

	pages := []format.PageLocation{{Offset: 4, CompressedPageSize: 100}, {Offset: 1 << 40, CompressedPageSize: 1, FirstRowIndex: 1 << 33}}
	b, err = Append(nil, &format.OffsetIndex{PageLocations: pages})
	require.NoError(t, err)
	located, err := ParseOffsetIndex(b)
	require.NoError(t, err)
	require.Equal(t, pages, located)
}

func TestUnknownFieldsAreSkipped(t *testing.T) {
	type later struct {
		NumValues int32  `thrift:"1,required"`
		Encoding  int32  `thrift:"2,required"`
		Flag      bool   `thrift:"3,required"`
		Text      string `thrift:"40,required"`
	}
	b, err := Append(nil, &struct {
		Type         int32             `thrift:"1,required"`
		Uncompressed int32             `thrift:"2,required"`
		Compressed   int32             `thrift:"3,required"`
		Dictionary   later             `thrift:"7,required"`
		List         []later           `thrift:"90,required"`
		Map          map[int32]string  `thrift:"91,required"`
		Set          map[int8]struct{} `thrift:"92,required"`
		Double       float64           `thrift:"93,required"`
		Flags        []bool            `thrift:"94,required"`
	}{Type: int32(format.DictionaryPage), Uncompressed: 10, Compressed: 20, Dictionary: later{NumValues: 30, Flag: true, Text: "x"},
		List: make([]later, 20), Map: map[int32]string{1: "v"}, Set: map[int8]struct{}{3: {}}, Double: 1, Flags: []bool{true, false}})
	require.NoError(t, err)
	var h PageHeader
	n, err := ParsePageHeader(b, &h)
	require.NoError(t, err)
	require.Equal(t, len(b), n)
	require.EqualValues(t, 30, h.NumValues)
}

func TestMissingFields(t *testing.T) {
	_, err := ParseFileMetaData([]byte{wireStop}) // a footer of nothing
	require.Error(t, err)
	var h PageHeader
	_, err = ParsePageHeader([]byte{wireStop}, &h)
	require.Error(t, err)
}

func FuzzParse(f *testing.F) {
	f.Add(appendFooter(f, testFooter()))
	h, err := Append(nil, &format.PageHeader{DataPageHeader: thrift.New(format.DataPageHeader{})})
	require.NoError(f, err)
	f.Add(h)
	f.Fuzz(func(t *testing.T, b []byte) {
		if m, err := ParseFileMetaData(b); err == nil {
			_, err = m.Append(nil)
			require.NoError(t, err)
		}
		var h PageHeader
		_, _ = ParsePageHeader(b, &h)
		_, _ = ParseColumnIndex(b)
		_, _ = ParseOffsetIndex(b)
	})
}
