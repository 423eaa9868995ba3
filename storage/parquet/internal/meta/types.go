package meta

import (
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// NoConverted is the absence of a converted type.
const NoConverted deprecated.ConvertedType = -1

// NoRepetition is the absence of a repetition.
const NoRepetition format.FieldRepetitionType = -1

// LogicalKind is the member of the LogicalType union; its value is the
// member's field id (parquet.thrift, LogicalType).
type LogicalKind int16

// The logical types.
const (
	NoLogical        LogicalKind = 0
	LogicalString    LogicalKind = 1
	LogicalMap       LogicalKind = 2
	LogicalList      LogicalKind = 3
	LogicalEnum      LogicalKind = 4
	LogicalDecimal   LogicalKind = 5
	LogicalDate      LogicalKind = 6
	LogicalTime      LogicalKind = 7
	LogicalTimestamp LogicalKind = 8
	LogicalInteger   LogicalKind = 10
	LogicalUnknown   LogicalKind = 11 // always null
	LogicalJSON      LogicalKind = 12
	LogicalBSON      LogicalKind = 13
	LogicalUUID      LogicalKind = 14
	LogicalFloat16   LogicalKind = 15
	LogicalVariant   LogicalKind = 16
	LogicalGeometry  LogicalKind = 17
	LogicalGeography LogicalKind = 18
)

// Unit is the unit of times and timestamps; its value is the field id in the
// TimeUnit union.
type Unit int16

// The units.
const (
	Millis Unit = 1
	Micros Unit = 2
	Nanos  Unit = 3
)

// LogicalType is the LogicalType union with the members' fields side by side.
type LogicalType struct {
	Kind      LogicalKind
	Scale     int32 // decimal
	Precision int32
	UTC       bool // time, timestamp
	Unit      Unit
	BitWidth  int8 // integer
	Signed    bool
}

// SchemaElement is a node of the schema, listed depth first.
type SchemaElement struct {
	Type        format.Type
	HasType     bool // false for a group
	TypeLength  int32
	Repetition  format.FieldRepetitionType // NoRepetition for the root
	Name        string
	NumChildren int32
	Converted   deprecated.ConvertedType
	Scale       int32
	Precision   int32
	FieldID     int32
	HasFieldID  bool
	Logical     LogicalType
}

// Statistics describe the values of a column chunk. A nil bound is absent.
type Statistics struct {
	Min, Max           []byte // deprecated: signed order whatever the type
	MinValue, MaxValue []byte
	NullCount          int64 // -1 if absent
	MinExact, MaxExact bool
}

// ColumnMetaData describes a column chunk.
type ColumnMetaData struct {
	Type                  format.Type
	Encodings             []format.Encoding
	Path                  []string
	Codec                 format.CompressionCodec
	NumValues             int64
	TotalUncompressedSize int64
	TotalCompressedSize   int64
	DataPageOffset        int64
	DictionaryPageOffset  int64 // 0 if absent
	Statistics            Statistics
}

// ColumnChunk is a column of a row group.
type ColumnChunk struct {
	FilePath    string
	FileOffset  int64
	MetaData    ColumnMetaData
	HasMetaData bool
	Encrypted   bool
	OffsetIndex Section
	ColumnIndex Section
}

// Section is a part of the file; its Length is 0 if there is none.
type Section struct {
	Offset int64
	Length int32
}

// RowGroup is a horizontal part of the file.
type RowGroup struct {
	Columns             []ColumnChunk
	TotalByteSize       int64
	NumRows             int64
	FileOffset          int64
	TotalCompressedSize int64
	Ordinal             int16
}

// FileMetaData is the footer.
type FileMetaData struct {
	Version      int32
	Schema       []SchemaElement
	NumRows      int64
	RowGroups    []RowGroup
	CreatedBy    string
	ColumnOrders []int16 // the member's field id in the ColumnOrder union: 1 is TypeDefinedOrder
	Encrypted    bool
}

// PageHeader precedes a page. The fields of the headers by page type are side
// by side.
type PageHeader struct {
	Type             format.PageType
	UncompressedSize int32
	CompressedSize   int32
	CRC              uint32
	HasCRC           bool
	HasBody          bool // the header that the type asks for is there

	NumValues   int32
	Encoding    format.Encoding
	DefEncoding format.Encoding // DataPage
	RepEncoding format.Encoding
	NumNulls    int32 // DataPageV2
	NumRows     int32
	DefBytes    int32
	RepBytes    int32
	Compressed  bool
}
