package variant

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/google/uuid"
	"github.com/parquet-go/parquet-go/variant"

	"github.com/tarndb/tarn/sql/types"
)

// ErrMalformed says that bytes are no VARIANT.
var ErrMalformed = errors.New("malformed variant")

// Append writes the two parts of the binary form, as the package comment says.
func (v Value) Append(dst []byte) []byte {
	var names variant.MetadataBuilder
	value := variant.Encode(&names, v.encoded())
	_, metadata := names.Build()
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(metadata)))
	return append(append(dst, metadata...), value...)
}

// Decode reads what Append wrote.
func Decode(b []byte) (Value, error) {
	if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
		return Value{}, fmt.Errorf("%w: %d bytes", ErrMalformed, len(b))
	}
	metadata := b[4 : 4+binary.LittleEndian.Uint32(b)]
	names, err := variant.DecodeMetadata(metadata)
	if err != nil {
		return Value{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	encoded, err := variant.Decode(names, b[4+len(metadata):])
	if err != nil {
		return Value{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return decoded(encoded)
}

// encoded gives the value in the encoder's form, numbers in as few bytes as hold
// them.
func (v Value) encoded() variant.Value {
	switch x := v.Scalar.(type) {
	case bool:
		return variant.Bool(x)
	case int64:
		return v.encodedWhole(x)
	case float64:
		if v.Type.Kind == types.Float {
			return variant.Float(float32(x))
		}
		return variant.Double(x)
	case types.Decimal128:
		return encodedDecimal(x, int(v.Type.Precision), v.Type.Scale)
	case string:
		return variant.String(x)
	case []byte:
		if v.Type.Kind == types.UUID {
			return variant.UUID(uuid.UUID(x))
		}
		return variant.Binary(x)
	}
	switch v.Type.Kind {
	case types.Array:
		elements := make([]variant.Value, len(v.Elements))
		for i, e := range v.Elements {
			elements[i] = e.encoded()
		}
		return variant.MakeArray(elements)
	case types.Struct:
		fields := make([]variant.Field, len(v.Elements))
		for i, e := range v.Elements {
			fields[i] = variant.Field{Name: v.Names[i], Value: e.encoded()}
		}
		return variant.MakeObject(fields)
	}
	return variant.Null()
}

func (v Value) encodedWhole(x int64) variant.Value {
	switch v.Type.Kind {
	case types.Date:
		return variant.Date(int32(x))
	case types.Time:
		return variant.Time(x)
	case types.Timestamp:
		return variant.Timestamp(x)
	case types.TimestampNTZ:
		return variant.TimestampNTZ(x)
	case types.TimestampNS:
		return variant.TimestampNanos(x)
	case types.TimestampNTZNS:
		return variant.TimestampNTZNanos(x)
	}
	switch {
	case x == int64(int8(x)):
		return variant.Int8(int8(x))
	case x == int64(int16(x)):
		return variant.Int16(int16(x))
	case x == int64(int32(x)):
		return variant.Int32(int32(x))
	}
	return variant.Int64(x)
}

// encodedDecimal chooses the width by the number of digits: 9, 18 or 38.
func encodedDecimal(d types.Decimal128, precision int, scale uint8) variant.Value {
	switch {
	case precision <= 9:
		return variant.Decimal4(int32(d.Lo), scale)
	case precision <= 18:
		return variant.Decimal8(int64(d.Lo), scale)
	}
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:8], d.Lo)
	binary.LittleEndian.PutUint64(b[8:], uint64(d.Hi))
	return variant.Decimal16(b, scale)
}

func decoded(v variant.Value) (Value, error) {
	switch v.Basic() {
	case variant.BasicArray:
		elements := make([]Value, len(v.ArrayValue().Elements))
		for i, e := range v.ArrayValue().Elements {
			var err error
			if elements[i], err = decoded(e); err != nil {
				return Value{}, err
			}
		}
		return ArrayOf(elements), nil
	case variant.BasicObject:
		fields := v.ObjectValue().Fields
		names, values := make([]string, len(fields)), make([]Value, len(fields))
		for i, f := range fields {
			var err error
			if values[i], err = decoded(f.Value); err != nil {
				return Value{}, err
			}
			names[i] = f.Name
		}
		out, ok := ObjectOf(names, values)
		if !ok {
			return Value{}, fmt.Errorf("%w: an object has a name twice", ErrMalformed)
		}
		return out, nil
	}
	return decodedScalar(v)
}

// kinds are the types whose values the encoder keeps as whole numbers.
var kinds = map[variant.PrimitiveType]types.Kind{
	variant.PrimitiveInt8: types.BigInt, variant.PrimitiveInt16: types.BigInt, variant.PrimitiveInt32: types.BigInt, variant.PrimitiveInt64: types.BigInt,
	variant.PrimitiveDate: types.Date, variant.PrimitiveTime: types.Time, variant.PrimitiveTimestamp: types.Timestamp, variant.PrimitiveTimestampNTZ: types.TimestampNTZ,
	variant.PrimitiveTimestampNanos: types.TimestampNS, variant.PrimitiveTimestampNTZNanos: types.TimestampNTZNS,
}

func decodedScalar(v variant.Value) (Value, error) {
	if kind, ok := kinds[v.Type()]; ok {
		return Value{Type: types.Of(kind), Scalar: v.Int()}, nil
	}
	switch v.Type() {
	case variant.PrimitiveNull:
		return Value{}, nil
	case variant.PrimitiveTrue, variant.PrimitiveFalse:
		return Value{Type: types.Of(types.Boolean), Scalar: v.BoolValue()}, nil
	case variant.PrimitiveDouble:
		return Value{Type: types.Of(types.Double), Scalar: v.FloatValue()}, nil
	case variant.PrimitiveFloat:
		return Value{Type: types.Of(types.Float), Scalar: v.FloatValue()}, nil
	case variant.PrimitiveString:
		return Value{Type: types.Of(types.String), Scalar: v.Str()}, nil
	case variant.PrimitiveBinary:
		return Value{Type: types.Of(types.Binary), Scalar: v.Bytes()}, nil
	case variant.PrimitiveUUID:
		id := v.UUIDValue()
		return Value{Type: types.Of(types.UUID), Scalar: id[:]}, nil
	}
	d := types.Decimal128FromInt64(v.Int())
	if v.Type() == variant.PrimitiveDecimal16 {
		b := v.Decimal16Value()
		d = types.Decimal128{Lo: binary.LittleEndian.Uint64(b[:8]), Hi: int64(binary.LittleEndian.Uint64(b[8:]))}
	}
	if scale := int(v.Scale()); scale <= types.MaxDecimalPrecision && d.Abs().FitsPrecision(types.MaxDecimalPrecision) && d.Hi != math.MinInt64 {
		return DecimalOf(d, scale), nil
	}
	return Value{}, fmt.Errorf("%w: a number of more than %d digits", ErrMalformed, types.MaxDecimalPrecision)
}
