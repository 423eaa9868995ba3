package iceberg

import (
	"math"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage/prune"
)

// filePruner drops manifests and files that can't have a row for which a filter
// is true. Partition values and metrics both bound the values of columns, so one
// evaluation of the filter serves for both: a partition value bounds those that
// its transform maps to it (spec, "Scan Planning", the inclusive projection).
type filePruner struct {
	metadata *TableMetadata
	// filter reads table columns and, by indexes after theirs, fields of structs.
	filter expr.Expr
	leafAt map[int]int // position in leaves by column index
	leaves []leaf
	// equal are the values that conjuncts want a column to have; NULL is none.
	equal map[types.FieldID][][]any
}

// leaf is a column, or a field of a struct, that the filter reads.
type leaf struct {
	id types.FieldID
	t  types.Type
}

func newFilePruner(s *Snapshot, filter expr.Expr) *filePruner {
	p := &filePruner{metadata: s.metadata, leafAt: map[int]int{}, equal: map[types.FieldID][][]any{}}
	columns := s.schema.Fields
	p.filter = expr.ReplaceTopDown(filter, func(e expr.Expr) (expr.Expr, bool) {
		f, depth, ok := fieldOf(e, columns)
		if !ok || depth == 0 || f.Type.IsNested() {
			return nil, false
		}
		index := len(columns) + len(p.leaves)
		p.leafAt[index] = len(p.leaves)
		p.leaves = append(p.leaves, leaf{f.ID, f.Type})
		return &expr.Column{Index: index, Name: f.Name, T: e.Type(), MayBeNull: true}, true
	})
	for _, c := range expr.Columns(p.filter) {
		if !c.MetaColumn && c.Index >= 0 && c.Index < len(columns) {
			p.leafAt[c.Index] = len(p.leaves)
			p.leaves = append(p.leaves, leaf{columns[c.Index].ID, columns[c.Index].Type})
		}
	}
	for _, c := range expr.SplitConjuncts(p.filter) {
		p.addEqual(c)
	}
	return p
}

// fieldOf follows accesses to fields of structs down to the column.
func fieldOf(e expr.Expr, columns []types.Field) (f types.Field, depth int, ok bool) {
	c, path, ok := expr.FieldPath(e)
	if !ok || c.MetaColumn || c.Index < 0 || c.Index >= len(columns) {
		return f, 0, false
	}
	f = columns[c.Index]
	for _, i := range path {
		if i >= len(f.Type.Fields) {
			return f, 0, false
		}
		f = f.Type.Fields[i]
	}
	return f, len(path), true
}

// addEqual notes a conjunct that compares a column with constants: only that
// says something of buckets.
func (p *filePruner) addEqual(conjunct expr.Expr) {
	c, ok := conjunct.(*expr.Call)
	if !ok || len(c.Args) < 2 || c.Name != expr.OpEqual && c.Name != expr.OpIn && c.Name != expr.OpNullSafe {
		return
	}
	column, values := c.Args[0], c.Args[1:]
	if _, isLiteral := column.(*expr.Literal); isLiteral && len(values) == 1 {
		column, values = values[0], []expr.Expr{column}
	}
	ref, ok := column.(*expr.Column)
	if !ok {
		return
	}
	i, ok := p.leafAt[ref.Index]
	if !ok {
		return
	}
	var wanted []any
	for _, v := range values {
		l, ok := v.(*expr.Literal)
		if !ok || l.Value == nil && c.Name == expr.OpNullSafe || l.Value != nil && l.T.Kind != p.leaves[i].t.Kind {
			return
		}
		if l.Value != nil {
			wanted = append(wanted, l.Value)
		}
	}
	id := p.leaves[i].id
	p.equal[id] = append(p.equal[id], wanted)
}

// mayMatchManifest looks at the partition summaries of a manifest.
func (p *filePruner) mayMatchManifest(m *ManifestFile) bool {
	spec := p.metadata.spec(m.SpecID)
	if p.filter == nil || spec == nil || len(m.Partitions) != len(spec.Fields) {
		return true
	}
	kinds := p.metadata.partitionTypes(spec)
	return p.mayMatchTuple(spec, func(i int) prune.Range { return m.Partitions[i].valueRange(kinds[i]) })
}

// valueRange bounds the values of a partition field.
func (s fieldSummary) valueRange(t types.Type) prune.Range {
	isFloat := t.Kind == types.Float || t.Kind == types.Double
	r := prune.Range{MayBeNull: s.ContainsNull, MayBeNaN: isFloat && value(s.ContainsNaN, true)}
	r.MayBeValue = s.LowerBound != nil || r.MayBeNaN
	if !r.MayBeNull && !r.MayBeValue {
		return prune.Anything() // there are values: a writer has left out the bounds
	}
	if s.LowerBound == nil || t.Kind == types.UUID {
		return r // bounds of UUIDs have been written in several orders
	}
	r.Min, r.Max = bounds(t, s.LowerBound, s.UpperBound)
	return r
}

// bounds reads two bounds; what can't be read is no bound.
func bounds(t types.Type, low, high []byte) (lower, upper any) {
	read := func(b []byte) any {
		if b == nil {
			return nil
		}
		v, ok := parseSingleValue(t, b)
		if f, isFloat := v.(float64); !ok || isFloat && math.IsNaN(f) {
			return nil
		}
		return v
	}
	return read(low), read(high)
}

// mayMatchPartition looks at the partition values of a file.
func (p *filePruner) mayMatchPartition(f *ContentFile) bool {
	return p.filter == nil || p.mayMatchTuple(f.Spec, func(i int) prune.Range { return prune.Exactly(f.Partition[i]) })
}

func (p *filePruner) mayMatchTuple(spec *PartitionSpec, field func(i int) prune.Range) bool {
	if len(spec.Fields) == 0 {
		return true
	}
	for i, f := range spec.Fields {
		if source, ok := p.metadata.field(f.SourceIDs[0]); ok && f.Transform.kind == bucketTransform && f.Transform.takes(source.Type) && !p.mayBeBucket(f, source.Type, field(i)) {
			return false
		}
	}
	return prune.InclusiveMetrics(p.filter, func(c *expr.Column) prune.Range {
		i, ok := p.leafAt[c.Index]
		if !ok {
			return prune.Anything()
		}
		return p.sourceRange(p.leaves[i], spec, field)
	})
}

// mayBeBucket tells whether a value that the filter wants is in one of the
// buckets.
func (p *filePruner) mayBeBucket(f PartitionField, source types.Type, buckets prune.Range) bool {
	for _, wanted := range p.equal[f.SourceIDs[0]] {
		found := false
		for _, v := range wanted {
			bucket := f.Transform.apply(source, v).(int64)
			low, hasLow := buckets.Min.(int64)
			high, hasHigh := buckets.Max.(int64)
			found = found || buckets.MayBeValue && (!hasLow || low <= bucket) && (!hasHigh || bucket <= high)
		}
		if !found {
			return false
		}
	}
	return true
}

// sourceRange bounds the values of a column by the partition values made of it.
func (p *filePruner) sourceRange(l leaf, spec *PartitionSpec, field func(i int) prune.Range) prune.Range {
	out := prune.Anything()
	for i, f := range spec.Fields {
		if f.SourceIDs[0] != l.id || f.Transform.kind == voidTransform || f.Transform.kind == unknownTransform || !f.Transform.takes(l.t) {
			continue
		}
		r := field(i)
		r.Min, r.Max = f.Transform.preimage(l.t, r.Min, r.Max)
		if f.Transform.kind != identityTransform {
			r.MayBeNaN = false
		}
		out = out.And(l.t, r)
	}
	return out
}

// mayMatch looks at the partition values and the metrics of a file.
func (p *filePruner) mayMatch(f *ContentFile) bool {
	return prune.InclusiveMetrics(p.filter, func(c *expr.Column) prune.Range {
		i, ok := p.leafAt[c.Index]
		if !ok {
			return prune.Anything()
		}
		l := p.leaves[i]
		r := p.sourceRange(l, f.Spec, func(i int) prune.Range { return prune.Exactly(f.Partition[i]) })
		return r.And(l.t, f.metricsRange(l))
	})
}

// metricsRange bounds the values of a column by the file's metrics (spec,
// "Field-level Metrics and Statistics").
func (f *ContentFile) metricsRange(l leaf) prune.Range {
	m, ok := f.column(l.id)
	if !ok {
		return prune.Anything()
	}
	isFloat := l.t.Kind == types.Float || l.t.Kind == types.Double
	r := prune.Range{MayBeNull: m.NullCount != 0, MayBeValue: true, MayBeNaN: isFloat && m.NaNCount != 0}
	if m.Values >= 0 && m.NullCount >= 0 {
		r.MayBeValue = m.NullCount < m.Values || m.Values == 0
	}
	if l.t.Kind == types.UUID {
		return r // bounds of UUIDs have been written in several orders
	}
	r.Min, r.Max = bounds(l.t, m.LowerBound, m.UpperBound)
	switch {
	case !isFloat || m.NaNCount < 0 || m.Values < 0 || m.NullCount < 0:
	case m.NaNCount == 0 && r.Max == nil:
		r.Max = math.Inf(1)
	case m.NaNCount > 0 && m.NaNCount == m.Values-m.NullCount:
		r.Min, r.Max, r.MayBeNaN = math.NaN(), math.NaN(), false
	}
	return r
}
