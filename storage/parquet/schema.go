package parquet

import (
	"slices"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage/parquet/internal/meta"
)

// element is a node of the physical schema.
type element struct {
	*meta.SchemaElement
	maxDef, maxRep int
	leaf           int // position among the leaves; -1 for a group
	path           []string
	children       []*element
}

// maxLevel bounds the depth of the schema and so the levels, which fit a byte.
const maxLevel = 200

// parseSchema makes the tree of the schema that the footer lists depth first.
func parseSchema(path string, list []meta.SchemaElement) (root *element, leaves int, err error) {
	p := &schemaParser{list: list}
	root = p.element(nil, 0)
	if p.contradiction != "" {
		return nil, 0, corrupt(path, -1, nil, "annotations of the column %q contradict each other", p.contradiction)
	}
	if root == nil || p.pos != len(list) || root.leaf >= 0 {
		return nil, 0, corrupt(path, -1, nil, "schema is not a tree of required, optional and repeated fields")
	}
	return root, p.leaves, nil
}

type schemaParser struct {
	list   []meta.SchemaElement
	pos    int
	leaves int
	// contradiction names a column whose two annotations differ.
	contradiction string
}

// element gives nil if the list is malformed.
func (p *schemaParser) element(parent *element, depth int) *element {
	if p.pos >= len(p.list) || depth > maxLevel {
		return nil
	}
	e := &element{SchemaElement: &p.list[p.pos], leaf: -1}
	p.pos++
	if parent != nil {
		e.maxDef, e.maxRep, e.path = parent.maxDef, parent.maxRep, append(slices.Clip(parent.path), e.Name)
		switch e.Repetition {
		case format.Required:
		case format.Optional:
			e.maxDef++
		case format.Repeated:
			e.maxDef++
			e.maxRep++
		default:
			return nil
		}
	}
	if !annotationsAgree(e.SchemaElement) {
		p.contradiction = e.Name
		return nil
	}
	if e.HasType && parent != nil {
		e.leaf = p.leaves
		p.leaves++
		return e
	}
	for range e.NumChildren {
		c := p.element(e, depth+1)
		if c == nil {
			return nil
		}
		e.children = append(e.children, c)
	}
	return e
}

// annotationsAgree compares the logical type with the converted type that most
// writers give as well, and so finds damage to one of them.
func annotationsAgree(e *meta.SchemaElement) bool {
	old := fromConverted(e)
	if old.Kind == meta.NoLogical || e.Logical.Kind == meta.NoLogical {
		return true
	}
	old.UTC = e.Logical.UTC // which a converted type can't tell
	return old == e.Logical
}

// shapeKind is the form of a value.
type shapeKind uint8

const (
	shapeLeaf shapeKind = iota
	shapeStruct
	shapeList
	shapeMap
	shapeVariant
)

// shape is a field as SQL sees it: repeated groups have become lists and maps.
//
// Levels, as LogicalTypes.md and the Dremel encoding have them: a slot of the
// field is not NULL from definition level def on; a list's element is there
// from elemDef on and continues its list at repetition level rep.
type shape struct {
	kind     shapeKind
	field    types.Field
	def      int
	rep      int // list, map
	elemDef  int
	children []*shape // struct: its fields; list: the element; map: key and value
	leaf     *leaf    // shapeLeaf
	first    *leaf    // the first leaf below, whose levels tell about this field too
}

// leaf is a column of the file.
type leaf struct {
	index          int
	name           string
	path           []string // of names, from the root down
	physical       format.Type
	width          int // bytes of a FIXED_LEN_BYTE_ARRAY
	maxDef, maxRep int
	source         source
}

// shapeField gives the field that e is in its parent.
func (f *File) shapeField(e *element) *shape {
	s := f.shapeValue(e)
	if e.Repetition == format.Repeated {
		// An unannotated repeated field is a required list of required elements.
		return f.shapeRepeated(e, s, e.maxDef-1)
	}
	s.field.Nullable = e.Repetition == format.Optional
	return s
}

// shapeRepeated is the list whose elements are what e holds.
func (f *File) shapeRepeated(e *element, elem *shape, def int) *shape {
	list := &shape{kind: shapeList, def: def, rep: e.maxRep, elemDef: e.maxDef, children: []*shape{elem}, first: elem.first}
	list.field = types.Field{Name: e.Name, ID: elem.field.ID}
	elem.field.Name = "element"
	elem.field.ID = 0
	list.field.Type = types.Type{Kind: types.Array, Elem: &elem.field}
	return list
}

// shapeValue gives what one occurrence of e holds, whatever its repetition.
func (f *File) shapeValue(e *element) *shape {
	s := &shape{def: e.maxDef, field: types.Field{Name: e.Name}}
	if e.HasFieldID {
		s.field.ID = types.FieldID(e.FieldID)
	}
	switch {
	case e.leaf >= 0:
		s.kind, s.leaf = shapeLeaf, newLeaf(e)
		s.first, s.field.Type = s.leaf, s.leaf.source.t
		f.leaves[e.leaf] = s.leaf
	case e.Logical.Kind == meta.LogicalVariant:
		f.shapeStruct(s, e)
		s.kind, s.field.Type = shapeVariant, types.Of(types.Variant)
	case isMap(e):
		f.shapeMap(s, e)
	case isList(e):
		f.shapeList(s, e)
	default:
		f.shapeStruct(s, e)
	}
	return s
}

func (f *File) shapeStruct(s *shape, e *element) {
	s.kind = shapeStruct
	for _, c := range e.children {
		child := f.shapeField(c)
		s.children = append(s.children, child)
		s.field.Type.Fields = append(s.field.Type.Fields, child.field)
		if s.first == nil {
			s.first = child.first
		}
	}
	s.field.Type.Kind = types.Struct
}

// isList and isMap tell whether a group is annotated, and looks, like one.
func isList(e *element) bool {
	return (e.Logical.Kind == meta.LogicalList || e.Logical.Kind == meta.NoLogical && e.Converted == deprecated.List) &&
		len(e.children) == 1 && e.children[0].Repetition == format.Repeated
}

func isMap(e *element) bool {
	annotated := e.Logical.Kind == meta.LogicalMap ||
		e.Logical.Kind == meta.NoLogical && (e.Converted == deprecated.Map || e.Converted == deprecated.MapKeyValue)
	return annotated && len(e.children) == 1 && e.children[0].Repetition == format.Repeated && len(e.children[0].children) == 2
}

// shapeList follows the rules of LogicalTypes.md, "Lists", for what the
// element of an annotated group is.
func (f *File) shapeList(s *shape, e *element) {
	r := e.children[0]
	twoLevels := r.leaf >= 0 || len(r.children) != 1 || r.children[0].Repetition == format.Repeated ||
		r.Name == "array" || r.Name == e.Name+"_tuple"
	var elem *shape
	if twoLevels {
		elem = f.shapeValue(r)
	} else {
		elem = f.shapeField(r.children[0])
	}
	elem.field.Name = "element"
	s.kind, s.rep, s.elemDef, s.children, s.first = shapeList, r.maxRep, r.maxDef, []*shape{elem}, elem.first
	s.field.Type = types.Type{Kind: types.Array, Elem: &elem.field}
}

// shapeMap takes key and value by their places (LogicalTypes.md, "Maps").
func (f *File) shapeMap(s *shape, e *element) {
	r := e.children[0]
	key, value := f.shapeField(r.children[0]), f.shapeField(r.children[1])
	key.field.Name, value.field.Name = "key", "value"
	s.kind, s.rep, s.elemDef, s.children, s.first = shapeMap, r.maxRep, r.maxDef, []*shape{key, value}, key.first
	s.field.Type = types.Type{Kind: types.Map, Key: &key.field, Elem: &value.field}
}
