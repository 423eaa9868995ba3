package delta

import (
	"context"
	"fmt"
	"strconv"

	"github.com/google/uuid"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/deletes"
	"github.com/tarndb/tarn/storage/delta/internal/action"
	"github.com/tarndb/tarn/storage/delta/internal/jsonscan"
	"github.com/tarndb/tarn/storage/delta/internal/z85"
)

// writesVectors tells whether files that lose rows get a deletion vector
// instead of being written anew (protocol, "Deletion Vectors").
func (s *Snapshot) writesVectors() bool {
	return s.protocol.supports(featureDeletionVectors) && s.metadata.isTrue("delta.enableDeletionVectors")
}

// writeVector gives a file a vector of the rows that it has lost altogether. A
// vector has a file of its own, so that it can be removed on its own when the
// transaction doesn't come to need it.
func (w *deltaWriter) writeVector(ctx context.Context, l *losingFile, records int64) error {
	id := uuid.New()
	encoded, err := z85.Encode(id[:])
	if err != nil {
		return err
	}
	offset := int32(1)
	d := &action.DeletionVector{StorageType: "u", PathOrInlineDV: encoded, Offset: &offset, Cardinality: l.rows.Cardinality()}
	if w.base.metadata.isTrue("delta.randomizeFilePrefixes") {
		d.PathOrInlineDV = randomPrefix(w.base.metadata.property("delta.randomPrefixLength")) + encoded
	}
	body := l.rows.AppendFramed([]byte{deletes.FileVersion})
	d.SizeInBytes = int32(len(body) - int(offset) - deletes.FramingBytes)
	path, err := vectorPath(d)
	if err != nil {
		return err
	}
	if err := w.table.store.Put(ctx, w.table.storePath(path), body); err != nil {
		return fmt.Errorf("write deletion vector: %w", err)
	}
	add := *l.file.add
	add.DeletionVector, add.DataChange, add.Stats = d, true, wideStats(add.Stats, records)
	file := *l.file
	file.add, file.dv, file.records, file.vector = &add, d.UniqueID(), records, path
	w.vectors = append(w.vectors, file.dataFile())
	return nil
}

// wideStats are the statistics of a file that gets a deletion vector: with the
// exact number of its rows, and bounds that need not be values of rows that are
// left (protocol, "Per-file Statistics").
func wideStats(stats string, records int64) string {
	const tail = `,"tightBounds":false}`
	head := `{"numRecords":` + strconv.FormatInt(records, 10)
	out := []byte(head)
	s := jsonscan.NewString(stats)
	err := s.Object(func(name []byte) error {
		key := string(name)
		raw, err := s.Raw()
		if err == nil && key != "numRecords" && key != "tightBounds" {
			out = append(append(append(out, ','), quoteJSON(key)...), ':')
			out = append(out, raw...)
		}
		return err
	})
	if err != nil || s.End() != nil {
		return head + tail // nothing that could be read is lost
	}
	return string(out) + tail
}

// removeVector removes the vector of a file that was never committed.
func (t *Table) removeVector(ctx context.Context, f storage.DataFile, vector string) error {
	if err := t.store.Delete(ctx, t.storePath(vector)); err != nil {
		return fmt.Errorf("remove deletion vector of %s of table %s: %w", f.Path, t.name, err)
	}
	return nil
}
