package iceberg

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/internal/memtable"
)

// metadataTable is a view of a table's metadata as rows, with the columns that
// the reference implementation gives it.
type metadataTable struct {
	fields func(s *Snapshot) []types.Field
	rows   func(ctx context.Context, s *Snapshot, add func(row ...any)) error
}

// metadataTables are those that t.name reads, by their names.
var metadataTables = map[string]metadataTable{
	"snapshots":            {snapshotFields, snapshotRows},
	"history":              {historyFields, historyRows},
	"refs":                 {refFields, refRows},
	"metadata_log_entries": {metadataLogFields, metadataLogRows},
	"manifests":            {manifestFields, manifestRows},
	"all_manifests":        {allManifestFields, allManifestRows},
	"files":                {fileFields, fileRows(current, anyContent)},
	"data_files":           {fileFields, fileRows(current, isData)},
	"delete_files":         {fileFields, fileRows(current, isDelete)},
	"all_files":            {fileFields, fileRows(everySnapshot, anyContent)},
	"all_data_files":       {fileFields, fileRows(everySnapshot, isData)},
	"all_delete_files":     {fileFields, fileRows(everySnapshot, isDelete)},
	"entries":              {entryFields, entryRows(current)},
	"all_entries":          {entryFields, entryRows(everySnapshot)},
	"partitions":           {partitionFields, partitionRows},
}

// MetadataTable implements storage.MetadataTables.
func (s *Snapshot) MetadataTable(ctx context.Context, word string) (storage.MetadataTable, error) {
	t, ok := metadataTables[strings.ToLower(word)]
	if !ok {
		return nil, fmt.Errorf("%w: %s has no metadata table %s; it has %s", storage.ErrTableNotFound, s.table.name, types.QuoteIdent(word),
			strings.Join(slices.Sorted(maps.Keys(metadataTables)), ", "))
	}
	schema := types.Schema{Fields: t.fields(s)}
	builders := make([]*vector.Builder, len(schema.Fields))
	for i, f := range schema.Fields {
		builders[i] = vector.NewBuilder(f.Type, 0)
	}
	n := 0
	err := t.rows(ctx, s, func(row ...any) {
		for i, v := range row {
			builders[i].AppendValue(v)
		}
		n++
	})
	if err != nil {
		return nil, fmt.Errorf("read the metadata of table %s: %w", s.table.name, err)
	}
	rows := vector.NewBatch(n)
	for _, b := range builders {
		rows.Columns = append(rows.Columns, b.Vector())
	}
	name := s.table.name
	if name.IsPath() {
		name.Path += "." + word
	} else {
		name.Name += "." + word
	}
	return memtable.New(name, schema, rows), nil
}

func field(name string, k types.Kind) types.Field {
	return types.Field{Name: name, Type: types.Of(k), Nullable: true}
}

func typed(name string, t types.Type) types.Field {
	return types.Field{Name: name, Type: t, Nullable: true}
}

// optional is a number of the metadata, or NULL.
func optional[T ~int64 | ~int32 | ~int](p *T) any {
	if p == nil {
		return nil
	}
	return int64(*p)
}

// textOrNull is a text of the metadata; the empty one is none.
func textOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func textMap(m map[string]string) []vector.MapEntry {
	out := []vector.MapEntry{}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, vector.MapEntry{Key: k, Value: m[k]})
	}
	return out
}

func snapshotFields(*Snapshot) []types.Field {
	return []types.Field{field("committed_at", types.Timestamp), field("snapshot_id", types.BigInt), field("parent_id", types.BigInt), field("operation", types.String),
		field("manifest_list", types.String), typed("summary", types.MapOf(types.Of(types.String), types.Of(types.String), true))}
}

func snapshotRows(_ context.Context, s *Snapshot, add func(...any)) error {
	for _, r := range s.metadata.Snapshots {
		summary := maps.Clone(r.Summary)
		delete(summary, "operation")
		add(r.TimestampMillis*1000, r.SnapshotID, optional(r.ParentSnapshotID), textOrNull(r.Summary["operation"]), textOrNull(r.ManifestList), textMap(summary))
	}
	return nil
}

func historyFields(*Snapshot) []types.Field {
	return []types.Field{field("made_current_at", types.Timestamp), field("snapshot_id", types.BigInt), field("parent_id", types.BigInt), field("is_current_ancestor", types.Boolean)}
}

func historyRows(_ context.Context, s *Snapshot, add func(...any)) error {
	ancestors := s.metadata.ancestors(s.metadata.CurrentSnapshotID)
	for _, e := range s.metadata.SnapshotLog {
		var parent any
		if r := s.metadata.snapshot(e.SnapshotID); r != nil {
			parent = optional(r.ParentSnapshotID)
		}
		add(e.TimestampMillis*1000, e.SnapshotID, parent, ancestors[e.SnapshotID])
	}
	return nil
}

// ancestors are a snapshot and those that it was made of.
func (m *TableMetadata) ancestors(id *int64) map[int64]bool {
	out := map[int64]bool{}
	for id != nil && !out[*id] {
		r := m.snapshot(*id)
		if r == nil {
			break
		}
		out[*id], id = true, r.ParentSnapshotID
	}
	return out
}

func refFields(*Snapshot) []types.Field {
	return []types.Field{field("name", types.String), field("type", types.String), field("snapshot_id", types.BigInt),
		field("max_reference_age_in_ms", types.BigInt), field("min_snapshots_to_keep", types.Int), field("max_snapshot_age_in_ms", types.BigInt)}
}

func refRows(_ context.Context, s *Snapshot, add func(...any)) error {
	for _, name := range slices.Sorted(maps.Keys(s.metadata.Refs)) {
		r := s.metadata.Refs[name]
		add(name, strings.ToUpper(r.Type), r.SnapshotID, optional(r.MaxRefAge), optional(r.MinSnapshotsToKeep), optional(r.MaxSnapshotAge))
	}
	return nil
}

func metadataLogFields(*Snapshot) []types.Field {
	return []types.Field{field("timestamp", types.Timestamp), field("file", types.String), field("latest_snapshot_id", types.BigInt),
		field("latest_schema_id", types.Int), field("latest_sequence_number", types.BigInt)}
}

func metadataLogRows(_ context.Context, s *Snapshot, add func(...any)) error {
	m := s.metadata
	for _, e := range append(slices.Clone(m.MetadataLog), MetadataLogEntry{MetadataFile: m.absolute(s.location), TimestampMillis: m.LastUpdatedMillis}) {
		var id, schema, sequence any
		if current, ok := m.currentAt(time.UnixMilli(e.TimestampMillis)); ok {
			id = current
			if r := m.snapshot(current); r != nil {
				schema, sequence = optional(r.SchemaID), r.SequenceNumber
			}
		}
		add(e.TimestampMillis*1000, e.MetadataFile, id, schema, sequence)
	}
	return nil
}

func manifestFields(*Snapshot) []types.Field {
	summary := types.StructOf(field("contains_null", types.Boolean), field("contains_nan", types.Boolean), field("lower_bound", types.String), field("upper_bound", types.String))
	out := []types.Field{field("content", types.Int), field("path", types.String), field("length", types.BigInt), field("partition_spec_id", types.Int), field("added_snapshot_id", types.BigInt)}
	for _, name := range []string{"added_data_files_count", "existing_data_files_count", "deleted_data_files_count",
		"added_delete_files_count", "existing_delete_files_count", "deleted_delete_files_count"} {
		out = append(out, field(name, types.Int))
	}
	return append(out, typed("partition_summaries", types.ArrayOf(summary, true)))
}

func allManifestFields(s *Snapshot) []types.Field {
	return append(manifestFields(s), field("reference_snapshot_id", types.BigInt))
}

func manifestRows(ctx context.Context, s *Snapshot, add func(...any)) error {
	list, err := s.list(ctx)
	if err != nil {
		return err
	}
	for _, m := range list {
		add(s.manifestRow(m)...)
	}
	return nil
}

func allManifestRows(ctx context.Context, s *Snapshot, add func(...any)) error {
	for _, r := range s.metadata.Snapshots {
		list, err := s.at(r).list(ctx)
		if err != nil {
			return err
		}
		for _, m := range list {
			add(append(s.manifestRow(m), r.SnapshotID)...)
		}
	}
	return nil
}

// at is another snapshot of the same table.
func (s *Snapshot) at(r *SnapshotRecord) *Snapshot {
	return s.table.newSnapshot(&state{location: s.location, metadata: s.metadata}, r, s.schema)
}

func (s *Snapshot) manifestRow(m *ManifestFile) []any {
	count := func(n int64, content manifestContent) any {
		switch {
		case m.content != content:
			return int64(0)
		case n < 0:
			return nil
		}
		return n
	}
	row := []any{int64(m.content), m.Path, m.Length, int64(m.SpecID), m.AddedSnapshotID}
	for _, content := range []manifestContent{dataManifest, deletesManifest} {
		row = append(row, count(m.AddedFiles, content), count(m.ExistingFiles, content), count(m.DeletedFiles, content))
	}
	return append(row, s.partitionSummaries(m))
}

// partitionSummaries gives the bounds of partition values as text.
func (s *Snapshot) partitionSummaries(m *ManifestFile) any {
	spec := s.metadata.spec(m.SpecID)
	out := []any{}
	if spec == nil || len(spec.Fields) != len(m.Partitions) {
		return out
	}
	for i, t := range s.metadata.partitionTypes(spec) {
		p := m.Partitions[i]
		low, high := bounds(t, p.LowerBound, p.UpperBound)
		var nan any
		if p.ContainsNaN != nil {
			nan = *p.ContainsNaN
		}
		out = append(out, []any{p.ContainsNull, nan, spec.Fields[i].Transform.display(t, low), spec.Fields[i].Transform.display(t, high)})
	}
	return out
}

// partitionFields are the columns of the table partitions.
func partitionFields(s *Snapshot) []types.Field {
	var out []types.Field
	if fields := s.metadata.unifiedPartition(); len(fields) > 0 {
		out = []types.Field{typed("partition", types.StructOf(fields...)), field("spec_id", types.Int)}
	}
	out = append(out, field("record_count", types.BigInt), field("file_count", types.Int), field("total_data_file_size_in_bytes", types.BigInt),
		field("position_delete_record_count", types.BigInt), field("position_delete_file_count", types.Int),
		field("equality_delete_record_count", types.BigInt), field("equality_delete_file_count", types.Int))
	return append(out, field("last_updated_at", types.Timestamp), field("last_updated_snapshot_id", types.BigInt))
}

// partitionCounts is what the files of a partition add up to.
type partitionCounts struct {
	spec      int
	partition []any
	counts    [7]int64 // as the columns are ordered
	updated   int64
	snapshot  any
}

func partitionRows(ctx context.Context, s *Snapshot, add func(...any)) error {
	files, err := current(ctx, s)
	if err != nil {
		return err
	}
	keys := newPartitionKeys(s.metadata)
	partition := s.metadata.unifiedPartition()
	byKey := map[string]*partitionCounts{}
	var all []*partitionCounts
	for _, f := range files {
		if !f.isLive() {
			continue
		}
		key := keys.of(f)
		p := byKey[key]
		if p == nil {
			p = &partitionCounts{spec: f.Spec.ID, partition: unified(partition, f)}
			byKey[key] = p
			all = append(all, p)
		}
		p.count(f)
		if r := s.metadata.snapshot(f.SnapshotID); r != nil && r.TimestampMillis*1000 >= p.updated {
			p.updated, p.snapshot = r.TimestampMillis*1000, r.SnapshotID
		}
	}
	slices.SortStableFunc(all, func(a, b *partitionCounts) int { return cmp.Compare(a.spec, b.spec) })
	for _, p := range all {
		var row []any
		if len(partition) > 0 {
			row = []any{p.partition, int64(p.spec)}
		}
		for _, n := range p.counts {
			row = append(row, n)
		}
		var updated any
		if p.snapshot != nil {
			updated = p.updated
		}
		add(append(row, updated, p.snapshot)...)
	}
	return nil
}

func (p *partitionCounts) count(f *ContentFile) {
	switch f.Content {
	case Data:
		p.counts[0] += f.Records
		p.counts[1]++
		p.counts[2] += f.SizeBytes
	case PositionDeletes:
		p.counts[3] += f.Records
		p.counts[4]++
	case EqualityDeletes:
		p.counts[5] += f.Records
		p.counts[6]++
	}
}
