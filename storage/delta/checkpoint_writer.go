package delta

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/delta/internal/action"
	"github.com/tarndb/tarn/storage/parquet"
)

// writeCheckpoint writes the classic checkpoint of a version, by the V1 spec,
// which is allowed for every table (protocol, "Checkpoints"), and then the hint
// where it is.
func (t *Table) writeCheckpoint(ctx context.Context, version storage.Version) error {
	segment, err := t.loadSegment(ctx, version)
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if segment.checkpointVersion == version {
		return nil // another writer made it
	}
	r := t.newReplay()
	r.keepTombstones = true
	if err := r.run(ctx, segment); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	m, err := t.newTableMetadata(r.metadata, Protocol{r.protocol})
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if m.isTrue("delta.checkpoint.writeStatsAsStruct") {
		return fmt.Errorf("checkpoint: %w", &storage.UnsupportedFeature{Table: t.name.String(), Feature: "delta.checkpoint.writeStatsAsStruct", Writing: true})
	}
	w := &checkpointWriter{replay: r, withStats: !strings.EqualFold(m.property("delta.checkpoint.writeStatsAsJson"), "false"),
		keepFrom: time.Now().Add(-retention(m.property("delta.deletedFileRetentionDuration"))).UnixMilli()}
	path := t.logPath(versionName(version) + ".checkpoint.parquet")
	if err := w.write(ctx, t, path); err != nil {
		return fmt.Errorf("write checkpoint %d of table %s: %w", version, t.name, err)
	}
	hint, err := json.Marshal(map[string]int64{"version": int64(version), "size": w.actions, "sizeInBytes": w.bytes, "numOfAddFiles": int64(len(r.files))})
	if err != nil {
		return err
	}
	return t.store.Put(ctx, t.logPath(lastCheckpointName), hint)
}

// defaultRetention is how long tombstones are kept unless the table says
// otherwise.
const defaultRetention = 7 * 24 * time.Hour

// retention reads an interval as "interval 1 week" or "7 days". Where it can't
// be read, tombstones are kept for good.
func retention(text string) time.Duration {
	if text == "" {
		return defaultRetention
	}
	units := map[string]time.Duration{"week": 7 * 24 * time.Hour, "day": 24 * time.Hour, "hour": time.Hour, "minute": time.Minute,
		"second": time.Second, "millisecond": time.Millisecond, "microsecond": time.Microsecond}
	words := strings.Fields(strings.TrimPrefix(strings.ToLower(text), "interval "))
	const forever = 200 * 365 * 24 * time.Hour
	var total time.Duration
	for i := 0; i+1 < len(words); i += 2 {
		n, err := strconv.ParseInt(words[i], 10, 32)
		unit, ok := units[strings.TrimSuffix(words[i+1], "s")]
		if err != nil || !ok {
			return forever
		}
		total += time.Duration(n) * unit
	}
	if len(words) == 0 || len(words)%2 == 1 || total < 0 {
		return forever
	}
	return total
}

// checkpointWriter writes the state that a replay came to.
type checkpointWriter struct {
	replay    *logReplay
	withStats bool
	keepFrom  int64 // milliseconds: older tombstones have expired
	rows      *parquet.Writer
	builders  []*vector.Builder
	actions   int64
	bytes     int64
}

// checkpointSchema is the schema of a checkpoint by the V1 spec: without
// sidecars.
func checkpointSchema() types.Schema {
	return types.Schema{Fields: slices.Delete(slices.Clone(checkpointColumns), columnSidecar, columnSidecar+1)}
}

// written is the place of a column among those written.
func written(column int) int {
	if column > columnSidecar {
		return column - 1
	}
	return column
}

func (w *checkpointWriter) write(ctx context.Context, t *Table, path string) (err error) {
	out, err := t.store.Create(ctx, path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, out.Abort())
		}
	}()
	if w.rows, err = parquet.NewWriter(out, checkpointSchema(), parquet.WriterOptions{}); err != nil {
		return err
	}
	w.newBatch()
	if err := w.writeActions(ctx); err != nil {
		return err
	}
	if err := w.flush(); err != nil {
		return err
	}
	if _, _, err := w.rows.Close(); err != nil {
		return err
	}
	w.bytes = w.rows.Size()
	return out.Close()
}

func (w *checkpointWriter) newBatch() {
	w.builders = w.builders[:0]
	for _, f := range checkpointSchema().Fields {
		w.builders = append(w.builders, vector.NewBuilder(f.Type, vector.BatchRows))
	}
}

// put writes one action.
func (w *checkpointWriter) put(column int, value []any) error {
	for i, b := range w.builders {
		if i == written(column) {
			b.AppendValue(value)
		} else {
			b.AppendNull()
		}
	}
	w.actions++
	if w.builders[0].Len() == vector.BatchRows {
		return w.flush()
	}
	return nil
}

func (w *checkpointWriter) flush() error {
	b := vector.NewBatch(w.builders[0].Len())
	if b.Len == 0 {
		return nil
	}
	for _, builder := range w.builders {
		b.Columns = append(b.Columns, builder.Vector())
	}
	err := w.rows.Write(b)
	w.newBatch()
	return err
}

func (w *checkpointWriter) writeActions(ctx context.Context) error {
	r := w.replay
	err := errors.Join(w.put(columnProtocol, protocolValue(r.protocol)), w.put(columnMetadata, metadataValue(r.metadata)))
	for _, id := range slices.Sorted(maps.Keys(r.txns)) {
		txn := r.txns[id]
		err = errors.Join(err, w.put(columnTxn, []any{txn.AppID, txn.Version, optionalValue(txn.LastUpdated)}))
	}
	for _, name := range slices.Sorted(maps.Keys(r.domains)) {
		if d := r.domains[name]; !d.Removed {
			err = errors.Join(err, w.put(columnDomain, []any{d.Domain, d.Configuration, false}))
		}
	}
	if err != nil {
		return err
	}
	for i, f := range r.files {
		if i%vector.BatchRows == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := w.put(columnAdd, w.addValue(f.add)); err != nil {
			return err
		}
	}
	for _, tombstone := range r.tombstones {
		// Those without a time have expired already.
		if tombstone.DeletionTimestamp < w.keepFrom {
			continue
		}
		if err := w.put(columnRemove, removeValue(tombstone)); err != nil {
			return err
		}
	}
	return nil
}

// The values below have the fields of checkpointColumns, in order.

func (w *checkpointWriter) addValue(a *action.Add) []any {
	stats := textValue(a.Stats)
	if !w.withStats {
		stats = nil
	}
	// An action of a checkpoint has its data in the table already.
	return []any{a.Path, partitionValue(a.PartitionValues), a.Size, a.ModificationTime, false, stats, mapValue(a.Tags),
		vectorValue(a.DeletionVector), optionalValue(a.BaseRowID), optionalValue(a.DefaultRowCommitVersion), textValue(a.ClusteringProvider)}
}

func removeValue(r *action.Remove) []any {
	out := []any{r.Path, r.DeletionTimestamp, false, r.ExtendedFileMetadata, nil, nil, vectorValue(r.DeletionVector)}
	if r.ExtendedFileMetadata {
		out[4], out[5] = partitionValue(r.PartitionValues), r.Size
	}
	return out
}

func metadataValue(m *action.Metadata) []any {
	configuration := mapValue(m.Configuration)
	if configuration == nil {
		configuration = []vector.MapEntry{}
	}
	options := mapValue(m.Format.Options)
	if options == nil {
		options = []vector.MapEntry{}
	}
	return []any{m.ID, textValue(m.Name), textValue(m.Description), []any{m.Format.Provider, options}, m.SchemaString,
		listValue(m.PartitionColumns), configuration, optionalValue(m.CreatedTime)}
}

func protocolValue(p *action.Protocol) []any {
	out := []any{int64(p.MinReaderVersion), int64(p.MinWriterVersion), nil, nil}
	if p.MinReaderVersion >= maxReaderVersion {
		out[2] = listValue(p.ReaderFeatures)
	}
	if p.MinWriterVersion >= maxWriterVersion {
		out[3] = listValue(p.WriterFeatures)
	}
	return out
}

func textValue(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func optionalValue(n *int64) any {
	if n == nil {
		return nil
	}
	return *n
}

func listValue(list []string) []any {
	out := []any{}
	for _, s := range list {
		out = append(out, s)
	}
	return out
}

func mapValue(m map[string]string) any {
	if m == nil {
		return nil
	}
	out := []vector.MapEntry{}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, vector.MapEntry{Key: k, Value: m[k]})
	}
	return out
}

func partitionValue(values []action.PartitionValue) []vector.MapEntry {
	out := []vector.MapEntry{}
	for _, v := range values {
		entry := vector.MapEntry{Key: v.Column}
		if !v.IsNull {
			entry.Value = v.Value
		}
		out = append(out, entry)
	}
	return out
}

func vectorValue(d *action.DeletionVector) any {
	if d == nil {
		return nil
	}
	out := []any{d.StorageType, d.PathOrInlineDV, nil, int64(d.SizeInBytes), d.Cardinality}
	if d.Offset != nil {
		out[2] = int64(*d.Offset)
	}
	return out
}
