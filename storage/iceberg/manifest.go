package iceberg

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/iceberg/internal/avrofile"
)

// Content says what the rows of a file are (spec, "Data File Fields").
type Content int32

// The contents of files.
const (
	Data            Content = 0
	PositionDeletes Content = 1 // a deletion vector too
	EqualityDeletes Content = 2
)

// entryStatus says what became of a file in a manifest's snapshot.
type entryStatus int32

const (
	entryExisting entryStatus = 0
	entryAdded    entryStatus = 1
	entryDeleted  entryStatus = 2
)

// ContentFile is a data or delete file as a manifest describes it, with what it
// inherits from the manifest list (spec, "Manifest Entry Fields", "Data File
// Fields"). It never changes.
type ContentFile struct {
	Content            Content
	Path               string
	Format             string // lower case
	Spec               *PartitionSpec
	Partition          []any // the tuple, as vectors give values
	Records            int64
	SizeBytes          int64
	Metrics            []ColumnMetrics // ascending by ID
	hasMetrics         [6]bool         // which of their kinds the manifest has at all, in the order of ColumnMetrics
	SplitOffsets       []int64
	EqualityIDs        []types.FieldID
	SortOrderID        *int32
	FirstRowID         *int64
	ReferencedDataFile string
	ContentOffset      *int64
	ContentSize        *int64

	written            *writtenFile // set for a file of this handle that no snapshot has
	targets            []string     // data files that rows are taken away from, where written is set
	status             entryStatus
	SnapshotID         int64
	SequenceNumber     int64 // of the data
	FileSequenceNumber int64
}

// ColumnMetrics are the counts and bounds of a column of a file. A count is -1,
// a bound nil, where the manifest does not have it.
type ColumnMetrics struct {
	ID                                     types.FieldID
	SizeBytes, Values, NullCount, NaNCount int64
	LowerBound, UpperBound                 []byte
}

type idCount struct {
	ID    int32 `avro:"key"`
	Count int64 `avro:"value"`
}

type idBound struct {
	ID    int32  `avro:"key"`
	Bound []byte `avro:"value"`
}

// manifestEntryAvro is a row of a manifest.
type manifestEntryAvro struct {
	Status             int32        `avro:"status"`
	SnapshotID         *int64       `avro:"snapshot_id"`
	SequenceNumber     *int64       `avro:"sequence_number"`
	FileSequenceNumber *int64       `avro:"file_sequence_number"`
	DataFile           dataFileAvro `avro:"data_file"`
}

type dataFileAvro struct {
	Content            *int32         `avro:"content"`
	Path               string         `avro:"file_path"`
	Format             string         `avro:"file_format"`
	Partition          map[string]any `avro:"partition"`
	Records            int64          `avro:"record_count"`
	SizeBytes          int64          `avro:"file_size_in_bytes"`
	BlockSize          int64          `avro:"block_size_in_bytes"` // v1 only, of no use
	ColumnSizes        []idCount      `avro:"column_sizes"`
	ValueCounts        []idCount      `avro:"value_counts"`
	NullValueCounts    []idCount      `avro:"null_value_counts"`
	NaNValueCounts     []idCount      `avro:"nan_value_counts"`
	LowerBounds        []idBound      `avro:"lower_bounds"`
	UpperBounds        []idBound      `avro:"upper_bounds"`
	KeyMetadata        []byte         `avro:"key_metadata"`
	SplitOffsets       []int64        `avro:"split_offsets"`
	EqualityIDs        []int32        `avro:"equality_ids"`
	SortOrderID        *int32         `avro:"sort_order_id"`
	FirstRowID         *int64         `avro:"first_row_id"`
	ReferencedDataFile *string        `avro:"referenced_data_file"`
	ContentOffset      *int64         `avro:"content_offset"`
	ContentSize        *int64         `avro:"content_size_in_bytes"`
}

// manifestNames are the fields of a manifest by their ids.
var manifestNames = map[int]string{
	0: "status", 1: "snapshot_id", 3: "sequence_number", 4: "file_sequence_number", 2: "data_file",
	134: "content", 100: "file_path", 101: "file_format", 102: "partition", 103: "record_count", 104: "file_size_in_bytes",
	108: "column_sizes", 117: "key", 118: "value", 109: "value_counts", 119: "key", 120: "value", 110: "null_value_counts", 121: "key", 122: "value",
	137: "nan_value_counts", 138: "key", 139: "value", 125: "lower_bounds", 126: "key", 127: "value", 128: "upper_bounds", 129: "key", 130: "value",
	131: "key_metadata", 132: "split_offsets", 135: "equality_ids", 140: "sort_order_id", 142: "first_row_id", 143: "referenced_data_file",
	144: "content_offset", 145: "content_size_in_bytes",
}

// manifestFiles are manifests, and manifestLists manifest lists.
var (
	manifestFiles = avrofile.NewKind(namesOf(manifestNames))
	manifestLists = avrofile.NewKind(namesOf(manifestListNames))
)

// specInFile stands for the partition spec of a manifest that no list describes.
const specInFile = -1

// parseManifest reads the files of a manifest, deleted ones too.
func parseManifest(body []byte, m *ManifestFile, table *TableMetadata) ([]*ContentFile, error) {
	r, err := manifestFiles.Open(body)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	id := m.SpecID
	if id == specInFile {
		id, _ = strconv.Atoi(string(r.Metadata["partition-spec-id"])) // 0 if it is missing
	}
	spec := table.spec(id)
	if spec == nil {
		return nil, fmt.Errorf("partition spec %d is not among the table's", id)
	}
	p := &manifestParser{manifest: m, spec: spec, types: table.partitionTypes(spec), nextRowID: m.FirstRowID}
	var out []*ContentFile
	for {
		var row manifestEntryAvro
		if err := r.Decode(&row); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		f, err := p.file(&row)
		if err != nil {
			return nil, fmt.Errorf("entry of %s: %w", row.DataFile.Path, err)
		}
		out = append(out, f)
	}
}

// manifestParser understands the rows of a manifest in order.
type manifestParser struct {
	manifest  *ManifestFile
	spec      *PartitionSpec
	types     []types.Type // of the partition tuple
	nextRowID *int64
}

func (p *manifestParser) file(row *manifestEntryAvro) (*ContentFile, error) {
	d := &row.DataFile
	if len(d.KeyMetadata) > 0 {
		return nil, &storage.UnsupportedFeature{Feature: "encryption"}
	}
	f := &ContentFile{Content: Content(value(d.Content, 0)), Path: d.Path, Format: strings.ToLower(d.Format), Spec: p.spec, Records: d.Records, SizeBytes: d.SizeBytes,
		SplitOffsets: d.SplitOffsets, SortOrderID: d.SortOrderID, ReferencedDataFile: value(d.ReferencedDataFile, ""), ContentOffset: d.ContentOffset,
		ContentSize: d.ContentSize, status: entryStatus(row.Status), SnapshotID: value(row.SnapshotID, p.manifest.AddedSnapshotID)}
	if f.status < entryExisting || f.status > entryDeleted || f.Content < Data || f.Content > EqualityDeletes {
		return nil, fmt.Errorf("status %d or content %d is unknown", f.status, f.Content)
	}
	if (f.Content == Data) != (p.manifest.content == dataManifest) {
		return nil, fmt.Errorf("a file of content %d in a manifest of content %d", f.Content, p.manifest.content)
	}
	if f.Content == EqualityDeletes && len(d.EqualityIDs) == 0 {
		return nil, errors.New("an equality delete file without equality_ids")
	}
	if f.isDeletionVector() && f.ReferencedDataFile == "" {
		return nil, errors.New("a deletion vector without referenced_data_file")
	}
	if d.Records < 0 || d.SizeBytes < 0 {
		return nil, fmt.Errorf("%d records in %d bytes", d.Records, d.SizeBytes)
	}
	for _, id := range d.EqualityIDs {
		f.EqualityIDs = append(f.EqualityIDs, types.FieldID(id))
	}
	if err := p.inherit(f, row); err != nil {
		return nil, err
	}
	f.Metrics = d.metrics()
	f.hasMetrics = [6]bool{d.ColumnSizes != nil, d.ValueCounts != nil, d.NullValueCounts != nil, d.NaNValueCounts != nil, d.LowerBounds != nil, d.UpperBounds != nil}
	var err error
	f.Partition, err = p.tuple(d.Partition)
	return f, err
}

// inherit gives a file the sequence numbers and the row id that the manifest
// list has for it (spec, "Sequence Number Inheritance", "First Row ID
// Inheritance").
func (p *manifestParser) inherit(f *ContentFile, row *manifestEntryAvro) error {
	for _, n := range []struct {
		own  *int64
		into *int64
	}{{row.SequenceNumber, &f.SequenceNumber}, {row.FileSequenceNumber, &f.FileSequenceNumber}} {
		switch {
		case n.own != nil:
			*n.into = *n.own
		case f.status == entryAdded || p.manifest.SequenceNumber == 0:
			*n.into = p.manifest.SequenceNumber
		case n.into == &f.SequenceNumber:
			return errors.New("a file that was not added now has no sequence number")
		}
	}
	if f.Content != Data {
		return nil
	}
	f.FirstRowID = row.DataFile.FirstRowID
	if f.FirstRowID == nil && p.nextRowID != nil && f.status != entryDeleted {
		first := *p.nextRowID
		f.FirstRowID = &first
		next := first + f.Records
		p.nextRowID = &next
	}
	return nil
}

// tuple understands the partition values of a file.
func (p *manifestParser) tuple(values map[string]any) ([]any, error) {
	out := make([]any, len(p.spec.Fields))
	for i, field := range p.spec.Fields {
		v, ok := values[avrofile.Name(field.ID)]
		if !ok {
			v = values[field.Name] // v1 manifests may lack ids
		}
		if v == nil {
			continue
		}
		var err error
		if out[i], err = (avroValues{}).value(p.types[i], v); err != nil {
			return nil, fmt.Errorf("partition value %s: %w", field.Name, err)
		}
	}
	return out, nil
}

// metrics puts together what the file has by column.
func (d *dataFileAvro) metrics() []ColumnMetrics {
	at := map[int32]int{}
	var out []ColumnMetrics
	column := func(id int32) *ColumnMetrics {
		i, ok := at[id]
		if !ok {
			i = len(out)
			at[id] = i
			out = append(out, ColumnMetrics{ID: types.FieldID(id), SizeBytes: -1, Values: -1, NullCount: -1, NaNCount: -1})
		}
		return &out[i]
	}
	for _, c := range d.ColumnSizes {
		column(c.ID).SizeBytes = c.Count
	}
	for _, c := range d.ValueCounts {
		column(c.ID).Values = c.Count
	}
	for _, c := range d.NullValueCounts {
		column(c.ID).NullCount = c.Count
	}
	for _, c := range d.NaNValueCounts {
		column(c.ID).NaNCount = c.Count
	}
	for _, b := range d.LowerBounds {
		column(b.ID).LowerBound = b.Bound
	}
	for _, b := range d.UpperBounds {
		column(b.ID).UpperBound = b.Bound
	}
	slices.SortFunc(out, func(a, b ColumnMetrics) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// column gives the metrics of a column; ok is false if there are none.
func (f *ContentFile) column(id types.FieldID) (m ColumnMetrics, ok bool) {
	i, ok := slices.BinarySearchFunc(f.Metrics, id, func(m ColumnMetrics, id types.FieldID) int { return cmp.Compare(m.ID, id) })
	if !ok {
		return ColumnMetrics{SizeBytes: -1, Values: -1, NullCount: -1, NaNCount: -1}, false
	}
	return f.Metrics[i], true
}

// isLive reports whether the file is in the table.
func (f *ContentFile) isLive() bool { return f.status != entryDeleted }

// isDeletionVector reports whether the file is a blob of a Puffin file.
func (f *ContentFile) isDeletionVector() bool {
	return f.Content == PositionDeletes && f.Format == "puffin"
}

// partitionTypes are the types of a spec's partition values. A column that was
// dropped is looked for in the older schemas; of what is not found the values
// are bytes.
func (m *TableMetadata) partitionTypes(spec *PartitionSpec) []types.Type {
	out := make([]types.Type, len(spec.Fields))
	for i, f := range spec.Fields {
		source, ok := m.field(f.SourceIDs[0])
		if !ok {
			source.Type = types.Of(types.Binary)
		}
		out[i] = f.Transform.resultType(source.Type)
	}
	return out
}

// field finds a field by its id in the current schema, or else in the newest
// that has it.
func (m *TableMetadata) field(id types.FieldID) (types.Field, bool) {
	m.fieldsOnce.Do(m.collectFields)
	f, ok := m.fields[id]
	return f, ok
}

// initialDefault is the value that a field has in files without it. It may be of an
// older schema: the key of equality deletes may have been dropped.
func (m *TableMetadata) initialDefault(id types.FieldID) (v any, ok bool) {
	m.fieldsOnce.Do(m.collectFields)
	v, ok = m.initial[id]
	return v, ok
}

func (m *TableMetadata) collectFields() {
	m.fields, m.initial = map[types.FieldID]types.Field{}, map[types.FieldID]any{}
	m.addFields(m.schema(m.CurrentSchemaID))
	for _, s := range slices.Backward(m.Schemas) {
		m.addFields(s)
		maps.Copy(m.initial, s.initial)
	}
}

// addFields adds the fields of a schema that no schema before has had.
func (m *TableMetadata) addFields(s *Schema) {
	s.walk(func(f types.Field, _ []int) {
		if _, ok := m.fields[f.ID]; !ok {
			m.fields[f.ID] = f
		}
	})
}
