package delta

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/delta/internal/action"
	"github.com/tarndb/tarn/storage/parquet"
)

// damagedCheckpoint is a checkpoint that can't be read; commits may still tell
// what it would have.
type damagedCheckpoint struct{ cause error }

// Error implements error.
func (e *damagedCheckpoint) Error() string { return "checkpoint: " + e.cause.Error() }

// Unwrap gives the cause.
func (e *damagedCheckpoint) Unwrap() error { return e.cause }

// readCheckpoint reconciles the actions of a checkpoint with the commits after
// it.
func (r *logReplay) readCheckpoint(ctx context.Context, files []logFile) error {
	r.reconciled = true
	err := r.readCheckpointFiles(ctx, files)
	if errors.Is(err, storage.ErrCorrupt) || errors.Is(err, storage.ErrDataFileMissing) {
		return &damagedCheckpoint{err}
	}
	return err
}

// readCheckpointFiles reads the files of a checkpoint and its sidecars
// (protocol, "Checkpoint Schema" and "V2 Spec").
func (r *logReplay) readCheckpointFiles(ctx context.Context, files []logFile) error {
	var sidecars []action.Sidecar
	for _, f := range files {
		var found []action.Sidecar
		var err error
		if strings.HasSuffix(f.info.Path, ".json") {
			found, err = r.readJSONCheckpoint(ctx, f)
		} else {
			found, err = r.readCheckpointFile(ctx, f.info.Path, f.info.Size)
		}
		if err != nil {
			return err
		}
		sidecars = append(sidecars, found...)
	}
	for _, s := range sidecars {
		name, err := url.PathUnescape(s.Path)
		if err != nil {
			return &storage.CorruptTable{Path: files[0].info.Path, Offset: -1, Reason: "path of a sidecar", Cause: err}
		}
		// Sidecars are always in the table's own directory for them.
		at := r.table.logPath(sidecarDir + "/" + path.Base(name))
		_, err = r.readCheckpointFile(ctx, at, s.SizeInBytes)
		if errors.Is(err, storage.ErrDataFileMissing) {
			err = &storage.CorruptTable{Path: at, Offset: -1, Reason: "sidecar of a checkpoint is missing", Cause: err}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *logReplay) readJSONCheckpoint(ctx context.Context, f logFile) ([]action.Sidecar, error) {
	c, err := r.table.readLogFile(ctx, f)
	if err != nil {
		return nil, err
	}
	return c.Sidecars, r.commit(c, f.info.Path)
}

func text() types.Type { return types.Of(types.String) }

func long() types.Type { return types.Of(types.BigInt) }

func optional(name string, t types.Type) types.Field {
	return types.Field{Name: name, Type: t, Nullable: true}
}

func stringMap() types.Type { return types.MapOf(text(), text(), true) }

var deletionVectorType = types.StructOf(optional("storageType", text()), optional("pathOrInlineDv", text()),
	optional("offset", types.Of(types.Int)), optional("sizeInBytes", types.Of(types.Int)), optional("cardinality", long()))

// The columns of a checkpoint, in the order in which rows are decoded.
var checkpointColumns = []types.Field{
	optional("add", types.StructOf(optional("path", text()), optional("partitionValues", stringMap()), optional("size", long()),
		optional("modificationTime", long()), optional("dataChange", types.Of(types.Boolean)), optional("stats", text()),
		optional("tags", stringMap()), optional("deletionVector", deletionVectorType), optional("baseRowId", long()),
		optional("defaultRowCommitVersion", long()), optional("clusteringProvider", text()))),
	optional("metaData", types.StructOf(optional("id", text()), optional("name", text()), optional("description", text()),
		optional("format", types.StructOf(optional("provider", text()), optional("options", stringMap()))),
		optional("schemaString", text()), optional("partitionColumns", types.ArrayOf(text(), true)),
		optional("configuration", stringMap()), optional("createdTime", long()))),
	optional("protocol", types.StructOf(optional("minReaderVersion", types.Of(types.Int)), optional("minWriterVersion", types.Of(types.Int)),
		optional("readerFeatures", types.ArrayOf(text(), true)), optional("writerFeatures", types.ArrayOf(text(), true)))),
	optional("txn", types.StructOf(optional("appId", text()), optional("version", long()), optional("lastUpdated", long()))),
	optional("domainMetadata", types.StructOf(optional("domain", text()), optional("configuration", text()), optional("removed", types.Of(types.Boolean)))),
	optional("sidecar", types.StructOf(optional("path", text()), optional("sizeInBytes", long()))),
	optional("remove", types.StructOf(optional("path", text()), optional("deletionTimestamp", long()), optional("dataChange", types.Of(types.Boolean)),
		optional("extendedFileMetadata", types.Of(types.Boolean)), optional("partitionValues", stringMap()), optional("size", long()),
		optional("deletionVector", deletionVectorType))),
}

// Positions in checkpointColumns. Statistics as a struct, if read, come last.
const (
	columnAdd = iota
	columnMetadata
	columnProtocol
	columnTxn
	columnDomain
	columnSidecar
	columnRemove
)

// readCheckpointFile reads one Parquet file of a checkpoint.
func (r *logReplay) readCheckpointFile(ctx context.Context, path string, size int64) (sidecars []action.Sidecar, err error) {
	file, err := parquet.Open(ctx, r.table.store, path, size, parquet.OpenOptions{})
	if err != nil {
		return nil, fmt.Errorf("read checkpoint of table %s: %w", r.table.name, err)
	}
	columns := checkpointColumns
	if !r.keepTombstones {
		columns = columns[:columnRemove]
	}
	stats := parsedStatsField(file.Schema())
	if stats != nil {
		add := columns[columnAdd]
		add.Type = types.StructOf(append(add.Type.Fields[:len(add.Type.Fields):len(add.Type.Fields)], *stats)...)
		columns = append([]types.Field{add}, columns[1:]...)
	}
	reader, err := file.Read(parquet.ReadOptions{Columns: columns})
	if err != nil {
		return nil, fmt.Errorf("read checkpoint of table %s: %w", r.table.name, err)
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	for {
		b, err := reader.Next(ctx)
		if err == io.EOF {
			return sidecars, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read checkpoint of table %s: %w", r.table.name, err)
		}
		commit := checkpointActions(b, stats)
		sidecars = append(sidecars, commit.Sidecars...)
		if err := r.commit(commit, path); err != nil {
			return nil, err
		}
	}
}

// parsedStatsField gives the struct of statistics of a checkpoint that has them
// in no other form (protocol, "Checkpoint Schema": stats_parsed).
func parsedStatsField(file types.Schema) *types.Field {
	at := file.Index("add")
	if at < 0 {
		return nil
	}
	add := types.Schema{Fields: file.Fields[at].Type.Fields}
	if parsed := add.Index("stats_parsed"); parsed >= 0 && add.Index("stats") < 0 {
		return &add.Fields[parsed]
	}
	return nil
}

// checkpointActions takes the actions out of a batch.
func checkpointActions(b *vector.Batch, stats *types.Field) *action.Commit {
	c := &action.Commit{}
	for k := range b.Rows() {
		i := b.Row(k)
		for column, v := range b.Columns {
			if v.IsNull(i) {
				continue
			}
			s, p := v.At(i)
			checkpointAction(c, column, row{s.Children, p}, stats)
		}
	}
	return c
}

func checkpointAction(c *action.Commit, column int, r row, stats *types.Field) {
	switch column {
	case columnAdd:
		c.Files = append(c.Files, action.FileAction{Add: addOf(r, stats)})
	case columnRemove:
		c.Files = append(c.Files, action.FileAction{Remove: removeOf(r)})
	case columnMetadata:
		c.Metadata = metadataOf(r)
	case columnProtocol:
		c.Protocol = &action.Protocol{MinReaderVersion: int(r.int64(0)), MinWriterVersion: int(r.int64(1)),
			ReaderFeatures: r.strings(2), WriterFeatures: r.strings(3)}
	case columnTxn:
		c.Txns = append(c.Txns, action.Txn{AppID: r.string(0), Version: r.int64(1), LastUpdated: r.optionalInt64(2)})
	case columnDomain:
		c.Domains = append(c.Domains, action.DomainMetadata{Domain: r.string(0), Configuration: r.string(1), Removed: r.bool(2)})
	case columnSidecar:
		c.Sidecars = append(c.Sidecars, action.Sidecar{Path: r.string(0), SizeInBytes: r.int64(1)})
	}
}

func addOf(r row, stats *types.Field) *action.Add {
	a := &action.Add{Path: r.string(0), PartitionValues: r.partitionValues(1), Size: r.int64(2), ModificationTime: r.int64(3),
		DataChange: r.bool(4), Stats: r.string(5), Tags: r.stringMap(6), DeletionVector: r.deletionVector(7), BaseRowID: r.optionalInt64(8),
		DefaultRowCommitVersion: r.optionalInt64(9), ClusteringProvider: r.string(10)}
	if stats != nil && !r.columns[11].IsNull(r.at) {
		a.Stats = formatParsedStats(stats.Type, r.columns[11].Value(r.at))
	}
	return a
}

func removeOf(r row) *action.Remove {
	return &action.Remove{Path: r.string(0), DeletionTimestamp: r.int64(1), DataChange: r.bool(2), ExtendedFileMetadata: r.bool(3),
		PartitionValues: r.partitionValues(4), Size: r.int64(5), DeletionVector: r.deletionVector(6)}
}

func metadataOf(r row) *action.Metadata {
	m := &action.Metadata{ID: r.string(0), Name: r.string(1), Description: r.string(2), SchemaString: r.string(4),
		PartitionColumns: r.strings(5), Configuration: r.stringMap(6), CreatedTime: r.optionalInt64(7)}
	if f, ok := r.fields(3); ok {
		m.Format = action.Format{Provider: f.string(0), Options: f.stringMap(1)}
	}
	return m
}

// row is a struct value: its fields at a position.
type row struct {
	columns []*vector.Vector
	at      int
}

func (r row) fields(i int) (row, bool) {
	if r.columns[i].IsNull(r.at) {
		return row{}, false
	}
	v, p := r.columns[i].At(r.at)
	return row{v.Children, p}, true
}

func (r row) string(i int) string {
	if r.columns[i].IsNull(r.at) {
		return ""
	}
	return string(r.columns[i].Bytes(r.at))
}

func (r row) optionalInt64(i int) *int64 {
	v, ok := r.columns[i].Value(r.at).(int64)
	if !ok {
		return nil
	}
	return &v
}

func (r row) int64(i int) int64 {
	v, _ := r.columns[i].Value(r.at).(int64)
	return v
}

func (r row) bool(i int) bool {
	v, _ := r.columns[i].Value(r.at).(bool)
	return v
}

// elements calls f for each element of a list or entry of a map.
func (r row) elements(i int, f func(child *vector.Vector, at int)) bool {
	if r.columns[i].IsNull(r.at) {
		return false
	}
	v, p := r.columns[i].At(r.at)
	for e := v.Offsets[p]; e < v.Offsets[p+1]; e++ {
		f(v.Child, int(e))
	}
	return true
}

func (r row) strings(i int) []string {
	out := []string{}
	if !r.elements(i, func(child *vector.Vector, at int) { out = append(out, row{[]*vector.Vector{child}, at}.string(0)) }) {
		return nil
	}
	return out
}

func (r row) stringMap(i int) map[string]string {
	out := map[string]string{}
	found := r.elements(i, func(child *vector.Vector, at int) {
		if entry := (row{child.Children, at}); !child.Children[1].IsNull(at) {
			out[entry.string(0)] = entry.string(1)
		}
	})
	if !found {
		return nil
	}
	return out
}

func (r row) partitionValues(i int) []action.PartitionValue {
	var out []action.PartitionValue
	r.elements(i, func(child *vector.Vector, at int) {
		entry := row{child.Children, at}
		out = append(out, action.PartitionValue{Column: entry.string(0), Value: entry.string(1), IsNull: child.Children[1].IsNull(at)})
	})
	return out
}

func (r row) deletionVector(i int) *action.DeletionVector {
	f, ok := r.fields(i)
	if !ok || f.string(0) == "" {
		return nil
	}
	d := &action.DeletionVector{StorageType: f.string(0), PathOrInlineDV: f.string(1), SizeInBytes: int32(f.int64(3)), Cardinality: f.int64(4)}
	if offset := f.optionalInt64(2); offset != nil {
		d.Offset = new(int32)
		*d.Offset = int32(*offset)
	}
	return d
}
