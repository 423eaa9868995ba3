package iceberg

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// The metadata tables of files have the columns of a manifest's entries, and
// readable_metrics with the bounds as values of the columns.

// fileSource gives entries of manifests, deleted ones too.
type fileSource func(ctx context.Context, s *Snapshot) ([]*ContentFile, error)

// current are the entries of the snapshot's own manifests.
func current(ctx context.Context, s *Snapshot) ([]*ContentFile, error) {
	list, err := s.list(ctx)
	if err != nil {
		return nil, err
	}
	return s.entries(ctx, list)
}

// everySnapshot are the entries of the manifests of all snapshots, each once.
func everySnapshot(ctx context.Context, s *Snapshot) ([]*ContentFile, error) {
	var all []*ManifestFile
	seen := map[string]bool{}
	for _, r := range s.metadata.Snapshots {
		list, err := s.at(r).list(ctx)
		if err != nil {
			return nil, err
		}
		for _, m := range list {
			if !seen[m.Path] {
				seen[m.Path] = true
				all = append(all, m)
			}
		}
	}
	return s.entries(ctx, all)
}

func anyContent(*ContentFile) bool { return true }
func isData(f *ContentFile) bool   { return f.Content == Data }
func isDelete(f *ContentFile) bool { return f.Content != Data }

// unifiedPartition are the partition fields of all specs, by their ids (spec,
// "Partition Statistics File", the unified partition type).
func (m *TableMetadata) unifiedPartition() []types.Field {
	byID := map[int]types.Field{}
	for _, spec := range slices.Backward(m.Specs) {
		for i, t := range m.partitionTypes(spec) {
			f := spec.Fields[i]
			if old, ok := byID[f.ID]; !ok || old.Type.Kind == types.Void {
				byID[f.ID] = types.Field{ID: types.FieldID(f.ID), Name: f.Name, Type: t, Nullable: true}
			}
		}
	}
	out := make([]types.Field, 0, len(byID))
	for _, f := range byID {
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b types.Field) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// unified is a file's partition as a value of the unified partition type.
func unified(partition []types.Field, f *ContentFile) []any {
	out := make([]any, len(partition))
	for i, u := range partition {
		for k, p := range f.Spec.Fields {
			if types.FieldID(p.ID) == u.ID {
				out[i] = f.Partition[k]
			}
		}
	}
	return out
}

// fileColumns are the columns of a file as far as the table decides them.
type fileColumns struct {
	partition []types.Field
	metrics   []metricColumn
}

func newFileColumns(s *Snapshot) *fileColumns {
	return &fileColumns{s.metadata.unifiedPartition(), s.schema.metricColumns()}
}

// fields are the columns without readable_metrics.
func (c *fileColumns) fields() []types.Field {
	counts := types.MapOf(types.Of(types.Int), types.Of(types.BigInt), true)
	bounds := types.MapOf(types.Of(types.Int), types.Of(types.Binary), true)
	out := []types.Field{field("content", types.Int), field("file_path", types.String), field("file_format", types.String), field("spec_id", types.Int)}
	if len(c.partition) > 0 {
		out = append(out, typed("partition", types.StructOf(c.partition...)))
	}
	return append(out, field("record_count", types.BigInt), field("file_size_in_bytes", types.BigInt), typed("column_sizes", counts), typed("value_counts", counts),
		typed("null_value_counts", counts), typed("nan_value_counts", counts), typed("lower_bounds", bounds), typed("upper_bounds", bounds),
		field("key_metadata", types.Binary), typed("split_offsets", types.ArrayOf(types.Of(types.BigInt), true)),
		typed("equality_ids", types.ArrayOf(types.Of(types.Int), true)), field("sort_order_id", types.Int), field("first_row_id", types.BigInt),
		field("referenced_data_file", types.String), field("content_offset", types.BigInt), field("content_size_in_bytes", types.BigInt))
}

// row gives the columns that fields lists.
func (c *fileColumns) row(f *ContentFile) []any {
	row := []any{int64(f.Content), f.Path, strings.ToUpper(f.Format), int64(f.Spec.ID)}
	if len(c.partition) > 0 {
		row = append(row, unified(c.partition, f))
	}
	row = append(row, f.Records, f.SizeBytes)
	for kind, get := range []func(ColumnMetrics) any{
		func(m ColumnMetrics) any { return known(m.SizeBytes) }, func(m ColumnMetrics) any { return known(m.Values) },
		func(m ColumnMetrics) any { return known(m.NullCount) }, func(m ColumnMetrics) any { return known(m.NaNCount) },
		func(m ColumnMetrics) any { return knownBytes(m.LowerBound) }, func(m ColumnMetrics) any { return knownBytes(m.UpperBound) },
	} {
		row = append(row, f.metricsMap(kind, get))
	}
	return append(row, nil, numbers(f.SplitOffsets), numbers(f.EqualityIDs), optional(f.SortOrderID), optional(f.FirstRowID),
		textOrNull(f.ReferencedDataFile), optional(f.ContentOffset), optional(f.ContentSize))
}

func known(n int64) any {
	if n < 0 {
		return nil
	}
	return n
}

func knownBytes(b []byte) any {
	if b == nil {
		return nil
	}
	return b
}

// metricsMap gives a kind of the metrics by column id; NULL where the manifest
// does not have it.
func (f *ContentFile) metricsMap(kind int, get func(ColumnMetrics) any) any {
	if !f.hasMetrics[kind] {
		return nil
	}
	out := []vector.MapEntry{}
	for _, m := range f.Metrics {
		if v := get(m); v != nil {
			out = append(out, vector.MapEntry{Key: int64(m.ID), Value: v})
		}
	}
	return out
}

// numbers is a list, NULL if it is empty.
func numbers[T ~int64 | ~int32](list []T) any {
	if len(list) == 0 {
		return nil
	}
	out := make([]any, len(list))
	for i, n := range list {
		out[i] = int64(n)
	}
	return out
}

// metricColumn is a column that readable_metrics has: one that is not nested, at
// any depth.
type metricColumn struct {
	name string
	id   types.FieldID
	t    types.Type
}

func (s *Schema) metricColumns() []metricColumn {
	var out []metricColumn
	var add func(prefix string, f types.Field)
	add = func(prefix string, f types.Field) {
		name := prefix + f.Name
		switch f.Type.Kind {
		case types.Struct:
			for _, c := range f.Type.Fields {
				add(name+".", c)
			}
		case types.Array:
			add(name+".", *f.Type.Elem)
		case types.Map:
			add(name+".", *f.Type.Key)
			add(name+".", *f.Type.Elem)
		case types.Variant, types.Void:
		default:
			out = append(out, metricColumn{name, f.ID, f.Type})
		}
	}
	for _, f := range s.Fields {
		add("", f)
	}
	slices.SortFunc(out, func(a, b metricColumn) int { return strings.Compare(a.name, b.name) })
	return out
}

func (c *fileColumns) readableMetrics() types.Field {
	var fields []types.Field
	for _, m := range c.metrics {
		fields = append(fields, typed(m.name, types.StructOf(field("column_size", types.BigInt), field("value_count", types.BigInt), field("null_value_count", types.BigInt),
			field("nan_value_count", types.BigInt), typed("lower_bound", m.t), typed("upper_bound", m.t))))
	}
	return typed("readable_metrics", types.StructOf(fields...))
}

func (c *fileColumns) readableRow(f *ContentFile) []any {
	var out []any
	for _, column := range c.metrics {
		m, _ := f.column(column.id)
		low, high := bounds(column.t, m.LowerBound, m.UpperBound)
		out = append(out, []any{known(m.SizeBytes), known(m.Values), known(m.NullCount), known(m.NaNCount), low, high})
	}
	return out
}

func fileFields(s *Snapshot) []types.Field {
	c := newFileColumns(s)
	return append(c.fields(), c.readableMetrics())
}

func fileRows(source fileSource, wanted func(*ContentFile) bool) func(context.Context, *Snapshot, func(...any)) error {
	return func(ctx context.Context, s *Snapshot, add func(...any)) error {
		files, err := source(ctx, s)
		c := newFileColumns(s)
		for _, f := range files {
			if f.isLive() && wanted(f) {
				add(append(c.row(f), c.readableRow(f))...)
			}
		}
		return err
	}
}

func entryFields(s *Snapshot) []types.Field {
	c := newFileColumns(s)
	return []types.Field{field("status", types.Int), field("snapshot_id", types.BigInt), field("sequence_number", types.BigInt), field("file_sequence_number", types.BigInt),
		typed("data_file", types.StructOf(c.fields()...)), c.readableMetrics()}
}

func entryRows(source fileSource) func(context.Context, *Snapshot, func(...any)) error {
	return func(ctx context.Context, s *Snapshot, add func(...any)) error {
		files, err := source(ctx, s)
		c := newFileColumns(s)
		for _, f := range files {
			add(int64(f.status), f.SnapshotID, f.SequenceNumber, f.FileSequenceNumber, c.row(f), c.readableRow(f))
		}
		return err
	}
}

// display shows a partition value as directory names have it; NULL for none.
func (t Transform) display(result types.Type, v any) any {
	if v == nil {
		return nil
	}
	switch n, _ := v.(int64); t.kind {
	case yearTransform:
		return fmt.Sprintf("%04d", 1970+n)
	case monthTransform:
		return fmt.Sprintf("%04d-%02d", 1970+floorDiv(n, 12), floorMod(n, 12)+1)
	case hourTransform:
		return fmt.Sprintf("%s-%02d", types.FormatDate(int32(floorDiv(n, 24))), floorMod(n, 24))
	}
	return valueText(result, v)
}

// valueText shows a value of a partition field as the reference implementation
// does.
func valueText(t types.Type, v any) string {
	if b, ok := v.([]byte); ok && t.Kind != types.UUID {
		return base64.StdEncoding.EncodeToString(b)
	}
	if text, err := jsonText(t, v); err == nil {
		return text
	}
	return fmt.Sprint(v)
}
