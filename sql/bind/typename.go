package bind

import (
	"maps"
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/types"
)

// typeKinds are the names of types without parameters.
var typeKinds = map[string]types.Kind{
	"BOOLEAN": types.Boolean, "BOOL": types.Boolean, "TINYINT": types.TinyInt, "BYTE": types.TinyInt,
	"SMALLINT": types.SmallInt, "SHORT": types.SmallInt, "INT": types.Int, "INTEGER": types.Int,
	"BIGINT": types.BigInt, "LONG": types.BigInt, "FLOAT": types.Float, "REAL": types.Float, "DOUBLE": types.Double,
	"STRING": types.String, "TEXT": types.String, "BINARY": types.Binary, "BYTEA": types.Binary, "BLOB": types.Binary, "VARBINARY": types.Binary,
	"DATE": types.Date, "TIME": types.Time, "TIMESTAMP": types.Timestamp, "TIMESTAMP_LTZ": types.Timestamp, "TIMESTAMPTZ": types.Timestamp,
	"TIMESTAMP_NTZ": types.TimestampNTZ, "DATETIME": types.TimestampNTZ, "UUID": types.UUID, "VARIANT": types.Variant, "VOID": types.Void,
}

// otherTypes are the names of types with parameters.
var otherTypes = []string{"DECIMAL", "NUMERIC", "DEC", "VARCHAR", "CHAR", "CHARACTER", "FIXED", "ARRAY", "MAP", "STRUCT", "ROW", "INTERVAL"}

// TypeNames are the names that types have.
func TypeNames() []string {
	return append(slices.Sorted(maps.Keys(typeKinds)), otherTypes...)
}

func (b *binder) unknownType(n *ast.TypeName) error {
	if n.Name == "GEOMETRY" || n.Name == "GEOGRAPHY" {
		return b.unsupported(n, "the type "+n.Name)
	}
	hint := eval.Nearest(n.Name, TypeNames())
	if hint != "" {
		hint = "; did you mean " + hint + "?"
	}
	return b.errorAt(n, ErrInvalidSQL, "there is no type %s%s", n.Name, hint)
}

// typeName gives the type that a name in the statement means.
func (b *binder) typeName(n *ast.TypeName) (types.Type, error) {
	switch n.Name {
	case "DECIMAL", "NUMERIC", "DEC":
		return b.decimalType(n)
	case "VARCHAR", "CHAR", "CHARACTER":
		return b.charType(n)
	case "FIXED":
		if len(n.Args) != 1 || n.Args[0] < 1 {
			return types.Type{}, b.errorAt(n, eval.ErrTypeMismatch, "FIXED needs a length, as in FIXED(16)")
		}
		return types.Type{Kind: types.Fixed, Length: int32(n.Args[0])}, nil
	case "ARRAY":
		elem, err := b.typeName(n.Elem)
		return types.ArrayOf(elem, true), err
	case "MAP":
		key, err := b.typeName(n.Key)
		if err != nil {
			return types.Type{}, err
		}
		value, err := b.typeName(n.Elem)
		return types.MapOf(key, value, true), err
	case "STRUCT", "ROW":
		return b.structType(n)
	case "INTERVAL":
		return b.intervalType(n)
	}
	kind, ok := typeKinds[n.Name]
	if !ok {
		return types.Type{}, b.unknownType(n)
	}
	micros := kind == types.Time && len(n.Args) == 1 && n.Args[0] == 6
	if len(n.Args) > 0 && !micros && kind != types.Timestamp && kind != types.TimestampNTZ {
		sentinel := ErrInvalidSQL
		if kind == types.Time {
			sentinel = ErrUnsupportedSQL // Spark has TIME(0) to TIME(6)
		}
		return types.Type{}, b.errorAt(n, sentinel, "%s takes no numbers", n.Name)
	}
	if len(n.Args) == 1 && n.Args[0] == 9 && kind == types.Timestamp {
		kind = types.TimestampNS
	}
	if len(n.Args) == 1 && n.Args[0] == 9 && kind == types.TimestampNTZ {
		kind = types.TimestampNTZNS
	}
	return types.Of(kind), nil
}

func (b *binder) decimalType(n *ast.TypeName) (types.Type, error) {
	precision, scale := 10, 0
	if len(n.Args) > 0 {
		precision = n.Args[0]
	}
	if len(n.Args) > 1 {
		scale = n.Args[1]
	}
	kind := eval.ErrTypeMismatch
	switch {
	case len(n.Args) > 2:
		return types.Type{}, b.errorAt(n, ErrInvalidSQL, "%s takes a precision and a scale", n.Name)
	case precision < 1 || precision > types.MaxDecimalPrecision:
		kind = eval.ErrInvalidValue
	case scale >= 0 && scale <= precision:
		return types.DecimalOf(precision, scale), nil
	}
	return types.Type{}, b.errorAt(n, kind, "DECIMAL(%d,%d): precision is 1 to %d and scale 0 to the precision", precision, scale, types.MaxDecimalPrecision)
}
func (b *binder) charType(n *ast.TypeName) (types.Type, error) {
	if len(n.Args) == 0 && n.Name == "VARCHAR" {
		return types.Of(types.String), nil
	}
	if len(n.Args) != 1 || n.Args[0] < 1 {
		return types.Type{}, b.errorAt(n, eval.ErrTypeMismatch, "%s needs a length, as in %s(20)", n.Name, n.Name)
	}
	t := types.Type{Kind: types.String, Char: types.Char, Length: int32(n.Args[0])}
	if n.Name == "VARCHAR" {
		t.Char = types.VarChar
	}
	return t, nil
}

func (b *binder) intervalType(n *ast.TypeName) (types.Type, error) {
	if n.From == "" {
		return types.Of(types.IntervalKind), nil
	}
	from, _ := types.UnitNamed(n.From)
	to := from
	if n.To != "" {
		to, _ = types.UnitNamed(n.To)
	}
	t, ok := types.IntervalOf(from, to)
	if !ok || n.To != "" && from == to {
		return t, b.errorAt(n, eval.ErrTypeMismatch, "there is no type %s", strings.TrimSuffix("INTERVAL "+n.From+" TO "+n.To, " TO "))
	}
	return t, nil
}

func (b *binder) structType(n *ast.TypeName) (types.Type, error) {
	fields := make([]types.Field, len(n.Fields))
	for i, f := range n.Fields {
		t, err := b.typeName(f.Type)
		if err != nil {
			return types.Type{}, err
		}
		fields[i] = types.Field{Name: f.Name.Name, Type: t, Nullable: !f.NotNull}
		if f.Comment != nil {
			fields[i].Comment = *f.Comment
		}
	}
	return types.StructOf(fields...), nil
}
