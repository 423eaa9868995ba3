package types

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Kind names an SQL type without its parameters.
type Kind uint8

// The SQL types of the contract's table of types.
const (
	Void Kind = iota // the type of NULL
	Boolean
	TinyInt  // 8 bits
	SmallInt // 16 bits
	Int      // 32 bits
	BigInt   // 64 bits
	Float    // IEEE 754, 32 bits
	Double   // IEEE 754, 64 bits
	Decimal  // Precision up to 38 digits, Scale of them after the point
	String   // UTF-8; Length > 0 for CHAR and VARCHAR
	Binary
	Fixed        // BINARY of exactly Length bytes
	UUID         // 16 bytes
	Date         // days since 1970-01-01
	Time         // microseconds since midnight
	Timestamp    // microseconds since 1970-01-01T00:00:00Z, an instant
	TimestampNTZ // microseconds since 1970-01-01T00:00:00, a wall clock
	TimestampNS  // nanoseconds, an instant
	TimestampNTZNS
	Moment // a time of the program that is bound: see MomentAs
	IntervalKind
	Array
	Map
	Struct
	Variant
)

var kindNames = [...]string{
	Void: "VOID", Boolean: "BOOLEAN", TinyInt: "TINYINT", SmallInt: "SMALLINT", Int: "INT", BigInt: "BIGINT",
	Float: "FLOAT", Double: "DOUBLE", Decimal: "DECIMAL", String: "STRING", Binary: "BINARY", Fixed: "FIXED",
	UUID: "UUID", Date: "DATE", Time: "TIME", Timestamp: "TIMESTAMP", TimestampNTZ: "TIMESTAMP_NTZ",
	TimestampNS: "TIMESTAMP(9)", TimestampNTZNS: "TIMESTAMP_NTZ(9)", Moment: "TIMESTAMP", IntervalKind: "INTERVAL",
	Array: "ARRAY", Map: "MAP", Struct: "STRUCT", Variant: "VARIANT",
}

// String is the SQL name of the kind.
func (k Kind) String() string { return kindNames[k] }

// CharKind tells the string types with a length apart.
type CharKind uint8

// The three spellings of a string type.
const (
	NoChar  CharKind = iota // STRING
	VarChar                 // VARCHAR(n)
	Char                    // CHAR(n)
)

// Type is an SQL type. The zero value is VOID. A Type is never changed after
// it was made, so copies may share Elem, Key and Fields.
type Type struct {
	Kind      Kind
	Char      CharKind
	Precision uint8 // Decimal: 1 to 38 digits
	Scale     uint8 // Decimal: digits after the point, at most Precision
	From, To  Unit  // IntervalKind: the first and the last unit; NoUnit for INTERVAL
	Length    int32 // String: characters of CHAR/VARCHAR; Fixed: bytes
	Elem      *Field
	Key       *Field  // Map only; Elem is then the value
	Fields    []Field // Struct only
}

// MaxDecimalPrecision is the largest number of digits of a DECIMAL.
const MaxDecimalPrecision = 38

// Of gives the type of a kind that has no parameters.
func Of(k Kind) Type { return Type{Kind: k} }

// DecimalOf gives DECIMAL(precision, scale).
func DecimalOf(precision, scale int) Type {
	return Type{Kind: Decimal, Precision: uint8(precision), Scale: uint8(scale)}
}

// ArrayOf gives ARRAY<elem>; nullable tells whether elements may be NULL.
func ArrayOf(elem Type, nullable bool) Type {
	return Type{Kind: Array, Elem: &Field{Name: "element", Type: elem, Nullable: nullable}}
}

// MapOf gives MAP<key, value>; nullable tells whether values may be NULL.
func MapOf(key, value Type, nullable bool) Type {
	return Type{Kind: Map, Key: &Field{Name: "key", Type: key}, Elem: &Field{Name: "value", Type: value, Nullable: nullable}}
}

// StructOf gives STRUCT<fields>.
func StructOf(fields ...Field) Type { return Type{Kind: Struct, Fields: fields} }

// IsInteger reports whether t is one of the four whole-number types.
func (t Type) IsInteger() bool { return t.Kind >= TinyInt && t.Kind <= BigInt }

// IntegerRange gives the least and the greatest value of a whole-number type.
func (t Type) IntegerRange() (lo, hi int64) {
	switch t.Kind {
	case TinyInt:
		return math.MinInt8, math.MaxInt8
	case SmallInt:
		return math.MinInt16, math.MaxInt16
	case Int:
		return math.MinInt32, math.MaxInt32
	}
	return math.MinInt64, math.MaxInt64
}

// IsNumeric reports whether t takes part in arithmetic.
func (t Type) IsNumeric() bool { return t.Kind >= TinyInt && t.Kind <= Decimal }

// IsTimestamp reports whether t is one of the four timestamp types, or may become
// one.
func (t Type) IsTimestamp() bool { return t.Kind >= Timestamp && t.Kind <= Moment }

// CanBeKey reports whether columns of the type can tell rows apart: no parts and
// one way to write each value (Iceberg spec, "Identifier Field IDs").
func (t Type) CanBeKey() bool {
	return !t.IsNested() && t.Kind != Float && t.Kind != Double && t.Kind != Variant && t.Kind != Void
}

// IsNested reports whether values of t hold other values.
func (t Type) IsNested() bool { return t.Kind == Array || t.Kind == Map || t.Kind == Struct }

// Parts are the fields right below a nested type: the element, the key and the
// value, or the fields of a struct.
func (t Type) Parts() []Field {
	switch t.Kind {
	case Array:
		return []Field{*t.Elem}
	case Map:
		return []Field{*t.Key, *t.Elem}
	}
	return t.Fields
}

// Holds reports whether a type is of a kind, or has a part at any depth that is.
func (t Type) Holds(kind Kind) bool {
	return t.Kind == kind || slices.ContainsFunc(t.Parts(), func(f Field) bool { return f.Type.Holds(kind) })
}

// Equal reports whether two types hold the same values: names and
// nullability of nested fields count, field ids and comments do not.
func (t Type) Equal(u Type) bool {
	if t.Kind != u.Kind || t.Precision != u.Precision || t.Scale != u.Scale || t.Length != u.Length || t.Char != u.Char || t.From != u.From || t.To != u.To {
		return false
	}
	if len(t.Fields) != len(u.Fields) || !equalField(t.Elem, u.Elem) || !equalField(t.Key, u.Key) {
		return false
	}
	for i := range t.Fields {
		if !equalField(&t.Fields[i], &u.Fields[i]) {
			return false
		}
	}
	return true
}

func equalField(a, b *Field) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Name == b.Name && a.Nullable == b.Nullable && a.Type.Equal(b.Type)
}

// String prints the type as SQL.
func (t Type) String() string {
	switch t.Kind {
	case Moment:
		return t.Undecided().String()
	case Decimal:
		return fmt.Sprintf("DECIMAL(%d,%d)", t.Precision, t.Scale)
	case String:
		switch t.Char {
		case VarChar:
			return fmt.Sprintf("VARCHAR(%d)", t.Length)
		case Char:
			return fmt.Sprintf("CHAR(%d)", t.Length)
		}
	case Fixed:
		return fmt.Sprintf("FIXED(%d)", t.Length)
	case IntervalKind:
		return t.intervalName()
	case Array:
		return "ARRAY<" + t.Elem.Type.String() + ">"
	case Map:
		return "MAP<" + t.Key.Type.String() + ", " + t.Elem.Type.String() + ">"
	case Struct:
		parts := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			parts[i] = f.Name + ": " + f.Type.String()
			if !f.Nullable {
				parts[i] += " NOT NULL"
			}
		}
		return "STRUCT<" + strings.Join(parts, ", ") + ">"
	}
	return t.Kind.String()
}

// CatalogString prints the type as Spark's typeof and DESCRIBE do.
func (t Type) CatalogString() string {
	switch t.Kind {
	case Time:
		return "time(6)"
	case Array:
		return "array<" + t.Elem.Type.CatalogString() + ">"
	case Map:
		return "map<" + t.Key.Type.CatalogString() + "," + t.Elem.Type.CatalogString() + ">"
	case Struct:
		fields := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = f.Name + ":" + f.Type.CatalogString()
		}
		return "struct<" + strings.Join(fields, ",") + ">"
	}
	return strings.ToLower(t.String())
}

// Physical says how values of a type are laid out in a vector.
type Physical uint8

// The physical layouts; each is one slice type of a vector.
const (
	PhysNone     Physical = iota // VOID: no values, only NULLs
	PhysBool                     // []bool
	PhysInt32                    // []int32: TINYINT, SMALLINT, INT, DATE
	PhysInt64                    // []int64: BIGINT, TIME, timestamps, DECIMAL up to 18 digits (unscaled)
	PhysInt128                   // []Decimal128: DECIMAL above 18 digits (unscaled)
	PhysFloat32                  // []float32
	PhysFloat64                  // []float64
	PhysBytes                    // views into a byte buffer: STRING, BINARY, FIXED, UUID, VARIANT, Moment
	PhysInterval                 // []Interval
	PhysList                     // offsets and a child vector: ARRAY; MAP with a STRUCT<key, value> child
	PhysStruct                   // child vectors
)

// MaxDecimal64Precision is the largest precision whose unscaled values are
// kept as int64.
const MaxDecimal64Precision = 18

// Physical gives the layout of t.
func (t Type) Physical() Physical {
	switch t.Kind {
	case Boolean:
		return PhysBool
	case TinyInt, SmallInt, Int, Date:
		return PhysInt32
	case BigInt, Time, Timestamp, TimestampNTZ, TimestampNS, TimestampNTZNS:
		return PhysInt64
	case Decimal:
		if t.Precision <= MaxDecimal64Precision {
			return PhysInt64
		}
		return PhysInt128
	case Float:
		return PhysFloat32
	case Double:
		return PhysFloat64
	case String, Binary, Fixed, UUID, Variant, Moment:
		return PhysBytes
	case IntervalKind:
		return PhysInterval
	case Array, Map:
		return PhysList
	case Struct:
		return PhysStruct
	}
	return PhysNone
}
