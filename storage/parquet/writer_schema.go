package parquet

import (
	"fmt"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/parquet/internal/meta"
)

// writeNode is a field of the schema that is written.
type writeNode struct {
	field    types.Field
	kind     shapeKind
	optional bool
	def      int // definition level of a value that is there, of a list's element if kind is a list
	rep      int // list, map: repetition level of the elements after the first
	children []*writeNode
	leaf     *leafWriter
	leaves   []*leafWriter // all below
}

// schemaWriter makes the schema of the file and the tree of nodes.
type schemaWriter struct {
	w        *Writer
	elements []meta.SchemaElement
}

// path is where a node is: in the file and, for statistics, in SQL.
type writePath struct {
	file, sql []string
	def, rep  int
}

func (p writePath) below(name string) writePath {
	return writePath{file: appendCopy(p.file, name), sql: appendCopy(p.sql, name), def: p.def, rep: p.rep}
}

// hidden is a step that SQL doesn't see: the repeated group of a list.
func (p writePath) hidden(name string) writePath {
	return writePath{file: appendCopy(p.file, name), sql: p.sql, def: p.def + 1, rep: p.rep + 1}
}

func appendCopy(path []string, name string) []string {
	return append(path[:len(path):len(path)], name)
}

// node adds the elements of a field and gives its node.
func (s *schemaWriter) node(f types.Field, in writePath) (*writeNode, error) {
	n := &writeNode{field: f, optional: f.Nullable || f.Type.Kind == types.Void}
	at := in.below(f.Name)
	e := meta.SchemaElement{Name: f.Name, Converted: meta.NoConverted}
	if n.optional {
		e.Repetition = format.Optional
		at.def++
	}
	if s.w.o.FieldIDs && f.ID != 0 {
		e.FieldID, e.HasFieldID = int32(f.ID), true
	}
	n.def = at.def
	switch f.Type.Kind {
	case types.Struct:
		return n, s.structNode(n, e, at)
	case types.Array:
		return n, s.listNode(n, e, at)
	case types.Map:
		return n, s.mapNode(n, e, at)
	}
	if err := leafElement(&e, f.Type); err != nil {
		return nil, fmt.Errorf("column %s: %w", types.QuoteIdent(f.Name), err)
	}
	s.elements = append(s.elements, e)
	n.leaf = newLeafWriter(s.w, f, &e, at)
	n.leaves = []*leafWriter{n.leaf}
	s.w.leaves = append(s.w.leaves, n.leaf)
	return n, nil
}

func (s *schemaWriter) structNode(n *writeNode, e meta.SchemaElement, at writePath) error {
	if len(n.field.Type.Fields) == 0 {
		return fmt.Errorf("column %s: a STRUCT without fields can't be stored: %w", types.QuoteIdent(n.field.Name),
			&storage.UnsupportedFeature{Feature: "parquet empty struct", Writing: true})
	}
	n.kind = shapeStruct
	e.NumChildren = int32(len(n.field.Type.Fields))
	s.elements = append(s.elements, e)
	return s.below(n, at, n.field.Type.Fields...)
}

func (s *schemaWriter) below(n *writeNode, at writePath, fields ...types.Field) error {
	for _, f := range fields {
		c, err := s.node(f, at)
		if err != nil {
			return err
		}
		n.children = append(n.children, c)
		n.leaves = append(n.leaves, c.leaves...)
	}
	return nil
}

// listNode writes the three levels of LogicalTypes.md, "Lists".
func (s *schemaWriter) listNode(n *writeNode, e meta.SchemaElement, at writePath) error {
	e.NumChildren, e.Converted, e.Logical.Kind = 1, deprecated.List, meta.LogicalList
	s.elements = append(s.elements, e, meta.SchemaElement{Name: "list", Repetition: format.Repeated, NumChildren: 1, Converted: meta.NoConverted})
	at = at.hidden("list")
	n.kind, n.rep = shapeList, at.rep
	elem := *n.field.Type.Elem
	elem.Name = "element"
	return s.below(n, at, elem)
}

// mapNode writes the three levels of LogicalTypes.md, "Maps".
func (s *schemaWriter) mapNode(n *writeNode, e meta.SchemaElement, at writePath) error {
	e.NumChildren, e.Converted, e.Logical.Kind = 1, deprecated.Map, meta.LogicalMap
	s.elements = append(s.elements, e, meta.SchemaElement{Name: "key_value", Repetition: format.Repeated, NumChildren: 2, Converted: meta.NoConverted})
	at = at.hidden("key_value")
	n.kind, n.rep = shapeMap, at.rep
	key, value := *n.field.Type.Key, *n.field.Type.Elem
	key.Name, value.Name, key.Nullable = "key", "value", false
	return s.below(n, at, key, value)
}

// leafElement chooses the physical and the logical type (LogicalTypes.md).
func leafElement(e *meta.SchemaElement, t types.Type) error {
	e.HasType = true
	switch t.Kind {
	case types.Void:
		e.Type, e.Logical.Kind = format.Int32, meta.LogicalUnknown
	case types.Boolean:
		e.Type = format.Boolean
	case types.TinyInt, types.SmallInt:
		e.Type = format.Int32
		bits, converted := int8(8), deprecated.Int8
		if t.Kind == types.SmallInt {
			bits, converted = 16, deprecated.Int16
		}
		e.Converted, e.Logical = converted, meta.LogicalType{Kind: meta.LogicalInteger, BitWidth: bits, Signed: true}
	case types.Int:
		e.Type = format.Int32
	case types.BigInt:
		e.Type = format.Int64
	case types.Float:
		e.Type = format.Float
	case types.Double:
		e.Type = format.Double
	case types.Decimal:
		decimalElement(e, t)
	case types.String:
		e.Type, e.Converted, e.Logical.Kind = format.ByteArray, deprecated.UTF8, meta.LogicalString
	case types.Binary:
		e.Type = format.ByteArray
	case types.Fixed:
		e.Type, e.TypeLength = format.FixedLenByteArray, t.Length
	case types.UUID:
		e.Type, e.TypeLength, e.Logical.Kind = format.FixedLenByteArray, 16, meta.LogicalUUID
	case types.Date:
		e.Type, e.Converted, e.Logical.Kind = format.Int32, deprecated.Date, meta.LogicalDate
	case types.Time:
		e.Type, e.Logical = format.Int64, meta.LogicalType{Kind: meta.LogicalTime, Unit: meta.Micros}
	default:
		return timestampElement(e, t)
	}
	return nil
}

func timestampElement(e *meta.SchemaElement, t types.Type) error {
	if !t.IsTimestamp() {
		return &storage.UnsupportedFeature{Feature: "parquet column of " + t.String(), Writing: true}
	}
	utc := t.Kind == types.Timestamp || t.Kind == types.TimestampNS
	e.Type, e.Logical = format.Int64, meta.LogicalType{Kind: meta.LogicalTimestamp, UTC: utc, Unit: unitOf(t)}
	if t.Kind == types.Timestamp { // the only one that the older form can say
		e.Converted = deprecated.TimestampMicros
	}
	return nil
}

// decimalElement stores up to 9 digits in 32 bits, up to 18 in 64, and more in
// the fewest bytes.
func decimalElement(e *meta.SchemaElement, t types.Type) {
	e.Converted, e.Scale, e.Precision = deprecated.Decimal, int32(t.Scale), int32(t.Precision)
	e.Logical = meta.LogicalType{Kind: meta.LogicalDecimal, Scale: e.Scale, Precision: e.Precision}
	switch {
	case t.Precision <= 9:
		e.Type = format.Int32
	case t.Precision <= types.MaxDecimal64Precision:
		e.Type = format.Int64
	default:
		e.Type, e.TypeLength = format.FixedLenByteArray, int32(types.Pow10(int(t.Precision)).Big().BitLen()/8+1)
	}
}

// write adds row i of v, which begins at repetition level rep within def
// levels that are there.
func (n *writeNode) write(v *vector.Vector, i, rep, def int) error {
	if v.IsNull(i) {
		if !n.optional {
			return fmt.Errorf("column %s: NULL in a column that is not nullable: %w", types.QuoteIdent(n.field.Name), storage.ErrConstraint)
		}
		n.writeNull(rep, def)
		return nil
	}
	values, p := v.At(i)
	switch n.kind {
	case shapeLeaf:
		n.leaf.level(rep, n.def)
		return n.leaf.value(values, p)
	case shapeStruct:
		for k, c := range n.children {
			if err := c.write(values.Children[k], p, rep, n.def); err != nil {
				return err
			}
		}
		return nil
	}
	return n.writeList(values, p, rep)
}

func (n *writeNode) writeList(v *vector.Vector, p, rep int) error {
	from, to := int(v.Offsets[p]), int(v.Offsets[p+1])
	if from == to {
		n.writeNull(rep, n.def)
	}
	for e := from; e < to; e++ {
		if n.kind == shapeList {
			if err := n.children[0].write(v.Child, e, rep, n.def+1); err != nil {
				return err
			}
		} else {
			entry, at := v.Child.At(e)
			for k, c := range n.children {
				if err := c.write(entry.Children[k], at, rep, n.def+1); err != nil {
					return err
				}
			}
		}
		rep = n.rep
	}
	return nil
}

// writeNull adds an entry without a value to all leaves below.
func (n *writeNode) writeNull(rep, def int) {
	for _, l := range n.leaves {
		l.level(rep, def)
	}
}
