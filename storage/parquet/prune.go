package parquet

import (
	"math"
	"strings"

	"github.com/parquet-go/parquet-go/format"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage/parquet/internal/meta"
	"github.com/tarndb/tarn/storage/prune"
)

// mayMatch reports whether the statistics of a row group allow a row for which
// the filter is true.
func (r *Reader) mayMatch(group int) bool {
	return prune.InclusiveMetrics(r.o.Filter, func(c *expr.Column) prune.Range {
		switch c := r.columns[c.Index].(type) {
		case *constantColumn:
			return prune.Exactly(c.v.Value(0))
		case *flatColumn:
			return r.file.statistics(group, c.pages)
		}
		return prune.Anything()
	})
}

// statistics gives what the footer says of a chunk's values.
func (f *File) statistics(group int, p *pages) prune.Range {
	m := &f.footer.RowGroups[group].Columns[p.leaf.index].MetaData
	s := &m.Statistics
	r := f.rangeOf(p, s)
	if s.NullCount >= 0 && s.NullCount <= m.NumValues {
		r.MayBeNull = s.NullCount > 0
		r.MayBeValue = s.NullCount < m.NumValues
	}
	return r
}

// rangeOf gives the bounds that statistics have, as far as they are trusted.
func (f *File) rangeOf(p *pages, s *meta.Statistics) prune.Range {
	r := prune.Anything()
	kind := p.leaf.source.kind
	r.MayBeNaN = kind == sourceFloat || kind == sourceDouble || kind == sourceFloat16
	lo, hi := f.trustedBounds(p.leaf, s)
	r.Min, r.Max = p.bound(lo), p.bound(hi)
	if isNaN(r.Min) || isNaN(r.Max) {
		r.Min, r.Max = nil, nil
	}
	return r
}

func isNaN(v any) bool {
	f, ok := v.(float64)
	return ok && math.IsNaN(f)
}

// trustedBounds gives the bounds of a chunk whose order is known. The older
// fields were written in signed order whatever the type, which is right for
// signed numbers alone (parquet.thrift, Statistics and ColumnOrder).
func (f *File) trustedBounds(l *leaf, s *meta.Statistics) (lo, hi []byte) {
	const typeDefinedOrder = 1
	switch l.source.kind {
	case sourceInt96, sourceFloat16, sourceNull, sourceUnknown:
		return nil, nil
	}
	ordered := l.index < len(f.footer.ColumnOrders) && f.footer.ColumnOrders[l.index] == typeDefinedOrder
	if ordered && (s.MinValue != nil || s.MaxValue != nil) {
		if isByteDecimal(l) && !f.ordersDecimals() {
			return nil, nil
		}
		return s.MinValue, s.MaxValue
	}
	unsigned := l.source.kind == sourceInt && !l.source.signed
	if fixedWidth(l.physical) == 0 || unsigned {
		return nil, nil
	}
	return s.Min, s.Max
}

func isByteDecimal(l *leaf) bool {
	return l.source.kind == sourceDecimal && fixedWidth(l.physical) == 0
}

// ordersDecimals tells the writers known to order DECIMAL in byte arrays as
// numbers; others have been seen to order them as bytes.
func (f *File) ordersDecimals() bool {
	by := f.footer.CreatedBy
	for _, name := range []string{"parquet-mr", "parquet-cpp", "parquet-rs", "tarn ", "DuckDB"} {
		if strings.HasPrefix(by, name) {
			return true
		}
	}
	return false
}

// bound reads a bound in the type of the table; nil if there is none or it has
// no such value.
func (p *pages) bound(b []byte) any {
	if b == nil {
		return nil
	}
	raw := &vector.Vector{Type: rawType(p.leaf.physical), Len: 1}
	width := fixedWidth(p.leaf.physical)
	switch {
	case width > 0 && len(b) != width, p.leaf.physical == format.FixedLenByteArray && isByteDecimal(p.leaf) && len(b) != p.leaf.width:
		return nil
	case width > 0:
		setFixed(raw, p.leaf.physical, b)
	case p.leaf.physical == format.Boolean:
		if len(b) != 1 {
			return nil
		}
		raw.Bools = []bool{b[0] != 0}
	default:
		raw.Data, raw.Views = b, []vector.View{{Length: uint32(len(b))}}
	}
	if p.convert == nil {
		raw.Type = p.want
		return raw.Value(0)
	}
	out := vector.New(p.want, 1)
	if p.convert(out, 0, raw, 0, 1) != nil {
		return nil
	}
	return out.Value(0)
}
