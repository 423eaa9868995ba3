package scanning

import (
	"context"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/prune"
)

// Request is what a scan is asked for.
type Request struct {
	Columns         []string // nil for all
	Positions       bool
	PartitionFilter expr.Expr
	DataFilter      expr.Expr
	Limit           int64 // 0 for none
}

// Builder is a storage.ScanBuilder: a Request with what a format makes of it.
type Builder struct {
	request Request
	support func(conjunct expr.Expr) storage.FilterSupport
	build   func(ctx context.Context, r *Request) (storage.Scan, error)
}

var _ storage.ScanBuilder = (*Builder)(nil)

// NewBuilder gives a builder that asks for everything.
func NewBuilder(support func(expr.Expr) storage.FilterSupport, build func(context.Context, *Request) (storage.Scan, error)) *Builder {
	return &Builder{support: support, build: build}
}

// Support implements storage.ScanBuilder.
func (b *Builder) Support(conjunct expr.Expr) storage.FilterSupport { return b.support(conjunct) }

// WithColumns implements storage.ScanBuilder.
func (b *Builder) WithColumns(names []string) storage.ScanBuilder {
	b.request.Columns = append([]string{}, names...)
	return b
}

// WithRowPositions implements storage.ScanBuilder.
func (b *Builder) WithRowPositions() storage.ScanBuilder {
	b.request.Positions = true
	return b
}

// WithPartitionFilter implements storage.ScanBuilder.
func (b *Builder) WithPartitionFilter(f expr.Expr) storage.ScanBuilder {
	b.request.PartitionFilter = expr.And(b.request.PartitionFilter, f)
	return b
}

// WithDataFilter implements storage.ScanBuilder.
func (b *Builder) WithDataFilter(f expr.Expr) storage.ScanBuilder {
	b.request.DataFilter = expr.And(b.request.DataFilter, f)
	return b
}

// WithLimitHint implements storage.ScanBuilder.
func (b *Builder) WithLimitHint(rows int64) storage.ScanBuilder {
	b.request.Limit = rows
	return b
}

// Build implements storage.ScanBuilder.
func (b *Builder) Build(ctx context.Context) (storage.Scan, error) { return b.build(ctx, &b.request) }

// Support tells how a scan of a table with so many columns uses a conjunct. What
// can be evaluated without the session is applied exactly: to partition values
// while planning, to rows by the reader. Of the rest, the statistics may still
// show that no row of a file can satisfy it.
func Support(conjunct expr.Expr, columns int) storage.FilterSupport {
	if eval.IsVolatile(conjunct) {
		return storage.Unsupported
	}
	for _, c := range expr.Columns(conjunct) {
		if c.MetaColumn || c.Index < 0 || c.Index >= columns {
			return storage.Unsupported
		}
	}
	if !prune.IsSessionFree(conjunct) {
		return storage.Inexact
	}
	if _, err := eval.Compile(conjunct, nil); err != nil {
		return storage.Unsupported
	}
	return storage.Exact
}
