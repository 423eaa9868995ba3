package meta

import (
	"bytes"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Append appends a struct of package format, given by its address, to dst.
func Append(dst []byte, v any) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	err := thrift.NewEncoder(new(thrift.CompactProtocol).NewWriter(b)).Encode(v)
	return b.Bytes(), err
}

// The structs from the footer down to the statistics are those of package
// format with what it leaves out: whether bounds are exact, and counts that
// are not known.
type (
	footer struct {
		Version      int32                              `thrift:"1,required"`
		Schema       thrift.Slice[format.SchemaElement] `thrift:"2,required"`
		NumRows      int64                              `thrift:"3,required"`
		RowGroups    thrift.Slice[rowGroup]             `thrift:"4,required"`
		CreatedBy    string                             `thrift:"6,optional"`
		ColumnOrders thrift.Slice[format.ColumnOrder]   `thrift:"7,optional"`
	}
	rowGroup struct {
		Columns             thrift.Slice[columnChunk] `thrift:"1,required"`
		TotalByteSize       int64                     `thrift:"2,required"`
		NumRows             int64                     `thrift:"3,required"`
		FileOffset          int64                     `thrift:"5,required"`
		TotalCompressedSize int64                     `thrift:"6,required"`
		Ordinal             int16                     `thrift:"7,required"`
	}
	columnChunk struct {
		FileOffset        int64          `thrift:"2,required"`
		MetaData          columnMetaData `thrift:"3,required"`
		OffsetIndexOffset int64          `thrift:"4,optional"`
		OffsetIndexLength int32          `thrift:"5,optional"`
		ColumnIndexOffset int64          `thrift:"6,optional"`
		ColumnIndexLength int32          `thrift:"7,optional"`
	}
	columnMetaData struct {
		Type                  format.Type                   `thrift:"1,required"`
		Encodings             thrift.Slice[format.Encoding] `thrift:"2,required"`
		Path                  thrift.Slice[string]          `thrift:"3,required"`
		Codec                 format.CompressionCodec       `thrift:"4,required"`
		NumValues             int64                         `thrift:"5,required"`
		TotalUncompressedSize int64                         `thrift:"6,required"`
		TotalCompressedSize   int64                         `thrift:"7,required"`
		DataPageOffset        int64                         `thrift:"9,required"`
		DictionaryPageOffset  int64                         `thrift:"11,optional"`
		Statistics            statistics                    `thrift:"12,required"`
	}
	statistics struct {
		Max       []byte             `thrift:"1,optional"`
		Min       []byte             `thrift:"2,optional"`
		NullCount thrift.Null[int64] `thrift:"3,optional"`
		MaxValue  []byte             `thrift:"5,optional"`
		MinValue  []byte             `thrift:"6,optional"`
		MaxExact  thrift.Null[bool]  `thrift:"7,optional"`
		MinExact  thrift.Null[bool]  `thrift:"8,optional"`
	}
)

// Append appends the footer to dst. All columns have the order of their types.
func (m *FileMetaData) Append(dst []byte) ([]byte, error) {
	out := footer{Version: m.Version, NumRows: m.NumRows, CreatedBy: m.CreatedBy}
	for i := range m.Schema {
		out.Schema = append(out.Schema, m.Schema[i].format(i == 0))
	}
	for i := range m.RowGroups {
		out.RowGroups = append(out.RowGroups, m.RowGroups[i].wire())
	}
	for range m.ColumnOrders {
		out.ColumnOrders = append(out.ColumnOrders, format.ColumnOrder{Value: new(format.TypeDefinedOrder)})
	}
	return Append(dst, &out)
}

func (s *SchemaElement) format(root bool) format.SchemaElement {
	optional := func(v int32, valid bool) thrift.Null[int32] { return thrift.Null[int32]{V: v, Valid: valid} }
	isDecimal := s.Converted == deprecated.Decimal
	return format.SchemaElement{
		Type:           thrift.Null[format.Type]{V: s.Type, Valid: s.HasType},
		TypeLength:     optional(s.TypeLength, s.HasType && s.Type == format.FixedLenByteArray),
		RepetitionType: thrift.Null[format.FieldRepetitionType]{V: s.Repetition, Valid: !root},
		Name:           s.Name,
		NumChildren:    optional(s.NumChildren, !s.HasType),
		ConvertedType:  thrift.Null[deprecated.ConvertedType]{V: s.Converted, Valid: s.Converted != NoConverted},
		Scale:          optional(s.Scale, isDecimal),
		Precision:      optional(s.Precision, isDecimal),
		FieldID:        s.FieldID,
		LogicalType:    s.Logical.format(),
	}
}

// format gives the logical types that files are written with.
func (t LogicalType) format() format.LogicalType {
	var v format.LogicalTypeValue
	switch t.Kind {
	case LogicalString:
		v = new(format.StringType)
	case LogicalMap:
		v = new(format.MapType)
	case LogicalList:
		v = new(format.ListType)
	case LogicalDecimal:
		v = &format.DecimalType{Scale: t.Scale, Precision: t.Precision}
	case LogicalDate:
		v = new(format.DateType)
	case LogicalTime:
		v = &format.TimeType{IsAdjustedToUTC: t.UTC, Unit: t.Unit.format()}
	case LogicalTimestamp:
		v = &format.TimestampType{IsAdjustedToUTC: t.UTC, Unit: t.Unit.format()}
	case LogicalInteger:
		v = &format.IntType{BitWidth: t.BitWidth, IsSigned: t.Signed}
	case LogicalUnknown:
		v = new(format.NullType)
	case LogicalUUID:
		v = new(format.UUIDType)
	}
	return format.LogicalType{Value: v}
}

func (u Unit) format() format.TimeUnit {
	switch u {
	case Millis:
		return format.TimeUnit{Value: new(format.MilliSeconds)}
	case Nanos:
		return format.TimeUnit{Value: new(format.NanoSeconds)}
	}
	return format.TimeUnit{Value: new(format.MicroSeconds)}
}

func (g *RowGroup) wire() rowGroup {
	out := rowGroup{TotalByteSize: g.TotalByteSize, NumRows: g.NumRows, FileOffset: g.FileOffset,
		TotalCompressedSize: g.TotalCompressedSize, Ordinal: g.Ordinal}
	for i := range g.Columns {
		out.Columns = append(out.Columns, g.Columns[i].wire())
	}
	return out
}

func (c *ColumnChunk) wire() columnChunk {
	m := &c.MetaData
	return columnChunk{
		FileOffset:        c.FileOffset,
		OffsetIndexOffset: c.OffsetIndex.Offset, OffsetIndexLength: c.OffsetIndex.Length,
		ColumnIndexOffset: c.ColumnIndex.Offset, ColumnIndexLength: c.ColumnIndex.Length,
		MetaData: columnMetaData{
			Type: m.Type, Encodings: m.Encodings, Path: m.Path, Codec: m.Codec, NumValues: m.NumValues,
			TotalUncompressedSize: m.TotalUncompressedSize, TotalCompressedSize: m.TotalCompressedSize,
			DataPageOffset: m.DataPageOffset, DictionaryPageOffset: m.DictionaryPageOffset, Statistics: m.Statistics.wire(),
		},
	}
}

func (s *Statistics) wire() statistics {
	return statistics{
		Max: s.Max, Min: s.Min, MaxValue: s.MaxValue, MinValue: s.MinValue,
		NullCount: thrift.Null[int64]{V: s.NullCount, Valid: s.NullCount >= 0},
		MaxExact:  thrift.Null[bool]{V: s.MaxExact, Valid: s.MaxValue != nil},
		MinExact:  thrift.Null[bool]{V: s.MinExact, Valid: s.MinValue != nil},
	}
}
