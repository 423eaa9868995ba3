package parquet

import (
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// nestedColumn reads a column of STRUCT, ARRAY or MAP. Per batch each leaf
// gives its levels and its values, and the tree of parts puts them together
// (the specification's "Nested Encoding").
type nestedColumn struct {
	root   *part
	leaves []*nestedLeaf
	path   string
	out    *vector.Vector
}

// part is a wanted field within a nested column.
type part struct {
	want     types.Type
	shape    *shape // nil if the file doesn't have it
	missing  *constantColumn
	levels   *nestedLeaf
	children []*part
}

// nested makes the reader of a nested column.
func (r resolver) nested(s *shape, want types.Field) (column, error) {
	c := &nestedColumn{path: r.file.path}
	var err error
	c.root, err = r.part(c, s, want)
	return c, err
}

// part resolves a field below a nested column. A field that the file doesn't
// have has its default.
func (r resolver) part(c *nestedColumn, s *shape, want types.Field) (*part, error) {
	p := &part{want: want.Type}
	if v, ok := r.defaults[want.ID]; ok && s == nil {
		p.missing = newConstantColumn(v)
		return p, nil
	}
	if s == nil || s.isAlwaysNull() || want.Type.Kind == types.Void {
		return p, nil
	}
	if want.Type.Kind == types.Variant {
		return r.variant(c, s, want)
	}
	p.shape = s
	if want.Type.IsNested() && s.kind != shapeVariant {
		return p, r.children(c, p, want)
	}
	pages, err := r.pages(s, want)
	if err != nil {
		return nil, err
	}
	p.levels = &nestedLeaf{pages: pages}
	p.levels.values.Type = want.Type
	c.leaves = append(c.leaves, p.levels)
	return p, nil
}

func (r resolver) children(c *nestedColumn, p *part, want types.Field) error {
	kinds := map[types.Kind]shapeKind{types.Struct: shapeStruct, types.Array: shapeList, types.Map: shapeMap}
	if kinds[want.Type.Kind] != p.shape.kind {
		return mismatch(r.file.path, want.Name, p.shape.field.Type, want.Type)
	}
	fields := want.Type.Fields
	switch want.Type.Kind {
	case types.Array:
		fields = []types.Field{*want.Type.Elem}
	case types.Map:
		fields = []types.Field{*want.Type.Key, *want.Type.Elem}
	}
	for i, f := range fields {
		var s *shape
		if want.Type.Kind == types.Struct {
			s = r.find(p.shape.children, f)
		} else {
			s = p.shape.children[i]
		}
		child, err := r.part(c, s, f)
		if err != nil {
			return err
		}
		p.children = append(p.children, child)
		if p.levels == nil {
			p.levels = child.levels
		}
	}
	if p.levels != nil {
		return nil
	}
	return r.levelsOnly(c, p)
}

// levelsOnly reads a leaf that nobody wants, because its levels tell where the
// values of p are.
func (r resolver) levelsOnly(c *nestedColumn, p *part) error {
	l := p.shape.first
	if l == nil {
		return mismatch(r.file.path, p.shape.field.Name, p.shape.field.Type, p.want)
	}
	p.levels = &nestedLeaf{pages: newPages(r.file.path, l, l.source.t, nil), levelsOnly: true}
	c.leaves = append(c.leaves, p.levels)
	return nil
}

func (c *nestedColumn) chunks() []*pages {
	out := make([]*pages, len(c.leaves))
	for i, l := range c.leaves {
		out[i] = l.pages
	}
	return out
}

func (c *nestedColumn) read(n int) (*vector.Vector, error) {
	for _, l := range c.leaves {
		if err := l.read(n, true); err != nil {
			return nil, err
		}
	}
	out, err := c.build(c.root, 0, 0, n)
	if err == nil && out.Len != n {
		err = c.uneven(c.root)
	}
	c.out = out
	return out, err
}

func (c *nestedColumn) skip(n int) error {
	for _, l := range c.leaves {
		if err := l.read(n, false); err != nil {
			return err
		}
	}
	return nil
}

func (c *nestedColumn) pick(sel vector.Selection) *vector.Vector { return c.out.Select(sel) }

func (c *nestedColumn) uneven(p *part) error {
	return p.levels.corrupt(nil, "levels disagree with those of other columns")
}

// build makes the vector of a part. Its slots are the level entries of its
// leaf that begin at repetition level rep or below and exist, that is, whose
// definition level is at least def; there have to be n of them.
func (c *nestedColumn) build(p *part, rep, def, n int) (*vector.Vector, error) {
	if p.missing != nil {
		return p.missing.read(n)
	}
	if p.shape == nil {
		return vector.NewNull(p.want, n), nil
	}
	if p.want.Kind == types.Variant {
		return c.buildVariant(p, rep, def, n)
	}
	v := &vector.Vector{Type: p.want, Len: n}
	switch p.shape.kind {
	case shapeLeaf:
		return v, c.buildLeaf(v, p, def)
	case shapeStruct:
		return v, c.buildStruct(v, p, rep, def)
	}
	return v, c.buildList(v, p, rep, def)
}

// slots finds the validity of a part, nil if no slot is NULL.
func (c *nestedColumn) slots(p *part, rep, def, n int) (vector.Bitmap, error) {
	valid := vector.NewBitmap(n)
	slot, nulls := 0, 0
	l := p.levels
	for i, d := range l.def {
		if int(d) < def || l.repAt(i) > rep {
			continue
		}
		if slot == n {
			return nil, c.uneven(p)
		}
		if int(d) >= p.shape.def {
			valid.Set(slot)
		} else {
			nulls++
		}
		slot++
	}
	if slot != n {
		return nil, c.uneven(p)
	}
	if nulls == 0 {
		return nil, nil
	}
	return valid, nil
}

func (c *nestedColumn) buildLeaf(v *vector.Vector, p *part, def int) error {
	valid, err := c.slots(p, p.levels.leaf.maxRep, def, v.Len)
	if err != nil {
		return err
	}
	l, dense := p.levels, valid.CountValid(v.Len)
	if dense != l.values.Len {
		return c.uneven(p)
	}
	grown := l.values // the leaf's memory, with room for the NULLs
	grown.Len = v.Len
	extend(&grown, v.Len)
	if valid != nil {
		spreadValues(&grown, valid, dense)
	}
	grown.Valid = valid
	*v = grown
	l.values = grown // keeps the memory
	return nil
}

func (c *nestedColumn) buildStruct(v *vector.Vector, p *part, rep, def int) error {
	var err error
	if v.Valid, err = c.slots(p, rep, def, v.Len); err != nil {
		return err
	}
	for _, child := range p.children {
		cv, err := c.build(child, rep, def, v.Len)
		if err != nil {
			return err
		}
		v.Children = append(v.Children, cv)
	}
	return nil
}

func (c *nestedColumn) buildList(v *vector.Vector, p *part, rep, def int) error {
	var err error
	if v.Valid, err = c.slots(p, rep, def, v.Len); err != nil {
		return err
	}
	v.Offsets = make([]int32, 0, v.Len+1)
	l, elements := p.levels, 0
	for i, d := range l.def {
		r := l.repAt(i)
		if r <= rep && int(d) >= def {
			v.Offsets = append(v.Offsets, int32(elements))
		}
		if r <= p.shape.rep && int(d) >= p.shape.elemDef {
			elements++
		}
	}
	v.Offsets = append(v.Offsets, int32(elements))
	if p.shape.kind == shapeList {
		v.Child, err = c.build(p.children[0], p.shape.rep, p.shape.elemDef, elements)
		return err
	}
	entries := &vector.Vector{Type: types.StructOf(*p.want.Key, *p.want.Elem), Len: elements}
	v.Child = entries
	for _, child := range p.children {
		cv, err := c.build(child, p.shape.rep, p.shape.elemDef, elements)
		if err != nil {
			return err
		}
		entries.Children = append(entries.Children, cv)
	}
	return nil
}
