package parquet

import (
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage/parquet/internal/meta"
)

// sourceKind is what the values of a column of a file mean, as far as reading
// them depends on it.
type sourceKind uint8

const (
	sourceBool sourceKind = iota
	sourceInt             // of bits, signed or not
	sourceFloat16
	sourceFloat
	sourceDouble
	sourceDecimal
	sourceText
	sourceBinary
	sourceFixed
	sourceUUID
	sourceDate
	sourceTime
	sourceTimestamp
	sourceInt96
	sourceNull
	sourceUnknown // a physical type that this program doesn't know
)

// source describes a column of a file. Its t is the SQL type that keeps every
// value of it.
type source struct {
	kind   sourceKind
	t      types.Type
	bits   int
	signed bool
	unit   meta.Unit
}

func newLeaf(e *element) *leaf {
	l := &leaf{index: e.leaf, name: e.Name, path: e.path, physical: e.Type, width: int(e.TypeLength), maxDef: e.maxDef, maxRep: e.maxRep}
	if l.physical == format.Int96 {
		l.width = 12
	}
	logical := e.Logical
	if logical.Kind == meta.NoLogical {
		logical = fromConverted(e.SchemaElement)
	}
	l.source = sourceOf(l, logical)
	return l
}

// fromConverted gives the logical type that a converted type stands for
// (LogicalTypes.md, the tables on backward compatibility).
func fromConverted(e *meta.SchemaElement) meta.LogicalType {
	integer := func(bits int8, signed bool) meta.LogicalType {
		return meta.LogicalType{Kind: meta.LogicalInteger, BitWidth: bits, Signed: signed}
	}
	timed := func(kind meta.LogicalKind, unit meta.Unit) meta.LogicalType {
		return meta.LogicalType{Kind: kind, Unit: unit, UTC: true}
	}
	switch e.Converted {
	case deprecated.UTF8:
		return meta.LogicalType{Kind: meta.LogicalString}
	case deprecated.Enum:
		return meta.LogicalType{Kind: meta.LogicalEnum}
	case deprecated.Json:
		return meta.LogicalType{Kind: meta.LogicalJSON}
	case deprecated.Bson:
		return meta.LogicalType{Kind: meta.LogicalBSON}
	case deprecated.Decimal:
		return meta.LogicalType{Kind: meta.LogicalDecimal, Scale: e.Scale, Precision: e.Precision}
	case deprecated.Date:
		return meta.LogicalType{Kind: meta.LogicalDate}
	case deprecated.TimeMillis:
		return timed(meta.LogicalTime, meta.Millis)
	case deprecated.TimeMicros:
		return timed(meta.LogicalTime, meta.Micros)
	case deprecated.TimestampMillis:
		return timed(meta.LogicalTimestamp, meta.Millis)
	case deprecated.TimestampMicros:
		return timed(meta.LogicalTimestamp, meta.Micros)
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		return integer(8<<(e.Converted-deprecated.Uint8), false)
	case deprecated.Int8, deprecated.Int16, deprecated.Int32, deprecated.Int64:
		return integer(8<<(e.Converted-deprecated.Int8), true)
	}
	return meta.LogicalType{}
}

// sourceOf reads the annotation, and ignores one that doesn't go with the
// physical type.
func sourceOf(l *leaf, t meta.LogicalType) source {
	if t.Kind == meta.LogicalUnknown {
		return source{kind: sourceNull, t: types.Of(types.Void)}
	}
	if t.Kind == meta.LogicalDecimal {
		if s, ok := decimalSource(l, t); ok {
			return s
		}
	}
	switch l.physical {
	case format.Boolean:
		return source{kind: sourceBool, t: types.Of(types.Boolean)}
	case format.Int32:
		return int32Source(t)
	case format.Int64:
		return int64Source(t)
	case format.Int96:
		return source{kind: sourceInt96, t: types.Of(types.Timestamp)}
	case format.Float:
		return source{kind: sourceFloat, t: types.Of(types.Float)}
	case format.Double:
		return source{kind: sourceDouble, t: types.Of(types.Double)}
	case format.ByteArray:
		switch t.Kind {
		case meta.LogicalString, meta.LogicalEnum, meta.LogicalJSON:
			return source{kind: sourceText, t: types.Of(types.String)}
		}
		return source{kind: sourceBinary, t: types.Of(types.Binary)}
	case format.FixedLenByteArray:
		return fixedSource(l, t)
	}
	return source{kind: sourceUnknown, t: types.Of(types.Binary)}
}

func fixedSource(l *leaf, t meta.LogicalType) source {
	switch {
	case t.Kind == meta.LogicalUUID && l.width == 16:
		return source{kind: sourceUUID, t: types.Of(types.UUID)}
	case t.Kind == meta.LogicalFloat16 && l.width == 2:
		return source{kind: sourceFloat16, t: types.Of(types.Float)}
	}
	return source{kind: sourceFixed, t: types.Type{Kind: types.Fixed, Length: int32(l.width)}}
}

func decimalSource(l *leaf, t meta.LogicalType) (source, bool) {
	if t.Precision < 1 || t.Precision > types.MaxDecimalPrecision || t.Scale < 0 || t.Scale > t.Precision {
		return source{}, false
	}
	switch l.physical {
	case format.Int32, format.Int64, format.ByteArray, format.FixedLenByteArray:
		return source{kind: sourceDecimal, t: types.DecimalOf(int(t.Precision), int(t.Scale))}, true
	}
	return source{}, false
}

func int32Source(t meta.LogicalType) source {
	switch t.Kind {
	case meta.LogicalDate:
		return source{kind: sourceDate, t: types.Of(types.Date)}
	case meta.LogicalTime:
		return source{kind: sourceTime, t: types.Of(types.Time), unit: meta.Millis}
	case meta.LogicalInteger:
		if t.BitWidth == 8 || t.BitWidth == 16 || t.BitWidth == 32 {
			return intSource(int(t.BitWidth), t.Signed)
		}
	}
	return intSource(32, true)
}

func int64Source(t meta.LogicalType) source {
	switch t.Kind {
	case meta.LogicalTime:
		return source{kind: sourceTime, t: types.Of(types.Time), unit: t.Unit}
	case meta.LogicalTimestamp:
		return source{kind: sourceTimestamp, t: timestampType(t), unit: t.Unit}
	case meta.LogicalInteger:
		if !t.Signed {
			return intSource(64, false)
		}
	}
	return intSource(64, true)
}

func timestampType(t meta.LogicalType) types.Type {
	switch {
	case t.Unit == meta.Nanos && t.UTC:
		return types.Of(types.TimestampNS)
	case t.Unit == meta.Nanos:
		return types.Of(types.TimestampNTZNS)
	case t.UTC:
		return types.Of(types.Timestamp)
	}
	return types.Of(types.TimestampNTZ)
}

// intSource chooses the smallest type that holds every value.
func intSource(bits int, signed bool) source {
	s := source{kind: sourceInt, bits: bits, signed: signed}
	room := bits
	if !signed {
		room *= 2
	}
	switch room {
	case 8:
		s.t = types.Of(types.TinyInt)
	case 16:
		s.t = types.Of(types.SmallInt)
	case 32:
		s.t = types.Of(types.Int)
	case 64:
		s.t = types.Of(types.BigInt)
	default:
		s.t = types.DecimalOf(20, 0)
	}
	return s
}
