package iceberg

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/writer"
)

// keyWriter is what a deltaWriter with keys has besides. Older rows are taken away
// by equality deletes (spec, "Equality Delete Files"). Those don't reach rows of
// their own commit, so rows that the transaction has staged before are found by
// reading, as are all rows of a v1 table, which has no deletes.
type keyWriter struct {
	rows   *writer.EqualityDeltaWriter
	ids    []types.FieldID
	spec   *PartitionSpec // of the equality delete files
	search *Snapshot      // what rows are found in; nil for nothing
	read   expr.Expr      // see storage.WriteResult.Read
}

// openKeys makes w a writer with keys.
func (w *deltaWriter) openKeys(ctx context.Context) error {
	s := w.base
	columns, err := writer.KeyColumns(w.table.name, s.schema.Schema, w.options.Keys)
	if err != nil {
		return err
	}
	k := &keyWriter{}
	var key types.Schema
	for _, c := range columns {
		f := s.schema.Fields[c]
		k.ids, key.Fields = append(k.ids, f.ID), append(key.Fields, f)
	}
	slices.Sort(k.ids)
	rows := s.schema.Schema
	for i, f := range w.partitions.fields {
		rows.Fields = append(slices.Clip(rows.Fields), types.Field{Name: w.partitions.spec.Fields[i].Name, Type: f.result, Nullable: true})
	}
	o := writer.EqualityOptions{Options: w.dataOptions(s.schema.Fields), Rows: rows, KeyColumns: columns, WholeRows: w.options.WholeRows, MaxKeyBytes: w.options.KeyBytes}
	if s.metadata.FormatVersion >= 2 {
		k.search = s.staged()
		d, err := w.keyFiles(ctx, k, key, columns)
		if err != nil {
			return err
		}
		o.Deletes = &d
	} else {
		k.search = s
	}
	if k.search != nil {
		o.Find = func(ctx context.Context, keys *writer.Keys) error {
			if k.search == s {
				k.read = storage.UnionReads(k.read, keys.Filter())
			}
			return keys.Find(ctx, k.search, func(f storage.DataFile, rows []int64) error { return w.DeletePositions(ctx, f, rows) })
		}
	}
	k.rows = writer.NewEqualityDelta(o)
	w.keys = k
	return nil
}

// keyFiles are the options of equality delete files. They are for their own
// partition where rows of one key can't be in two, and for the whole table
// otherwise.
func (w *deltaWriter) keyFiles(ctx context.Context, k *keyWriter, key types.Schema, columns []int) (writer.Options, error) {
	o := w.dataOptions(key.Fields)
	o.DataColumns, o.TargetFileSizeBytes = columns, w.properties.deleteBytes
	o.NewRows = w.properties.newRows(w.properties.deleteFormat)
	o.NewPath = func(tuple []any) string {
		directory := ""
		if len(k.spec.Fields) > 0 {
			directory = w.partitions.directory(tuple)
		}
		return w.files.path(directory, "-eq-deletes."+w.properties.deleteFormat)
	}
	k.spec = w.partitions.spec
	within := w.options.WholeRows
	if !within {
		var err error
		if within, err = w.keysHavePartition(ctx, k.ids); err != nil {
			return o, err
		}
	}
	if within {
		o.PartitionColumns = w.partitions.positions(len(w.base.schema.Fields))
		return o, nil
	}
	k.spec, o.PartitionColumns = w.base.metadata.unpartitionedSpec(), nil
	return o, nil
}

// keysHavePartition tells whether all rows of a key are in the same partition: its
// columns decide the partition, and all files have the current spec.
func (w *deltaWriter) keysHavePartition(ctx context.Context, ids []types.FieldID) (bool, error) {
	for _, f := range w.partitions.spec.Fields {
		if f.Transform.kind != voidTransform && !slices.Contains(ids, f.SourceIDs[0]) {
			return false, nil
		}
	}
	list, err := w.base.list(ctx)
	if err != nil {
		return false, err
	}
	for _, m := range list {
		if m.content == dataManifest && m.liveFiles() != 0 && m.SpecID != w.partitions.spec.ID {
			return false, nil
		}
	}
	return true, nil
}

// unpartitionedSpec is the spec of delete files for the whole table; a new one if
// the table has none.
func (m *TableMetadata) unpartitionedSpec() *PartitionSpec {
	last := 0
	for _, s := range m.Specs {
		if len(s.Fields) == 0 {
			return s
		}
		last = max(last, s.ID)
	}
	return &PartitionSpec{ID: last + 1}
}

// staged is the part of the state that the transaction has added; nil if there is
// none.
func (s *Snapshot) staged() *Snapshot {
	if s.changes == nil || len(s.changes.added) == 0 {
		return nil
	}
	out := *s
	out.bounds = &sync.Map{}
	out.list = func(context.Context) ([]*ManifestFile, error) { return nil, nil }
	return &out
}

// DeleteKeys implements storage.DeltaWriter.
func (w *deltaWriter) DeleteKeys(ctx context.Context, b *vector.Batch) error {
	return w.byKey(ctx, b, (*writer.EqualityDeltaWriter).DeleteKeys)
}

// Upsert implements storage.DeltaWriter.
func (w *deltaWriter) Upsert(ctx context.Context, b *vector.Batch) error {
	return w.byKey(ctx, b, (*writer.EqualityDeltaWriter).Upsert)
}

func (w *deltaWriter) byKey(ctx context.Context, b *vector.Batch, change func(*writer.EqualityDeltaWriter, context.Context, *vector.Batch) error) error {
	if w.keys == nil {
		return fmt.Errorf("write table %s: a change by key without keys", w.table.name)
	}
	if err := w.checkBatch(ctx, b); err != nil {
		return err
	}
	return change(w.keys.rows, context.WithoutCancel(ctx), w.partitions.add(b))
}

// completeKeys completes the files of rows and keys. What it takes away by position
// is taken away by the caller.
func (w *deltaWriter) completeKeys(ctx context.Context, d *deleteWriter, result *storage.WriteResult) error {
	k := w.keys
	written, err := k.rows.Complete(ctx)
	if err != nil {
		return err
	}
	result.Read = k.read
	for i := range written.EqualityDeletes {
		f, err := w.contentFile(&written.EqualityDeletes[i], EqualityDeletes, k.spec, w.properties.deleteFormat)
		if err != nil {
			return err
		}
		f.EqualityIDs = k.ids
		result.DeleteFiles = append(result.DeleteFiles, f.deleteFile())
	}
	for i := range written.DataFiles {
		f, err := w.dataFile(&written.DataFiles[i])
		if err != nil {
			return err
		}
		own := f.Entry.(*scanFile)
		gone := written.Positions[written.DataFiles[i].Path]
		switch {
		case gone == nil:
		case w.base.metadata.FormatVersion >= 2:
			d.add(&losingFile{file: own, rows: gone}, gone, result)
		default:
			if gone.Cardinality() < own.file.Records {
				if err := w.rewrite(ctx, &losingFile{file: own, rows: gone}); err != nil {
					return err
				}
			}
			if err := own.file.written.remove(ctx); err != nil {
				return err
			}
			continue
		}
		result.DataFiles = append(result.DataFiles, f)
	}
	return nil
}
