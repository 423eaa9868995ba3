package iceberg

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

// maxFormatVersion is the newest version of the table spec that is served.
const maxFormatVersion = 3

// maxMetadataBytes bounds what a compressed metadata file may unpack to.
const maxMetadataBytes = 1 << 30

// MainBranch is the name of the branch that a table's current state is on.
const MainBranch = "main"

// TableMetadata is the content of a metadata file (spec, "Table Metadata
// Fields"). It never changes.
type TableMetadata struct {
	FormatVersion      int
	UUID               string
	Location           string
	LastSequenceNumber int64
	LastUpdatedMillis  int64
	LastColumnID       int
	Schemas            []*Schema
	CurrentSchemaID    int
	Specs              []*PartitionSpec
	DefaultSpecID      int
	LastPartitionID    int
	Properties         map[string]string
	CurrentSnapshotID  *int64
	Snapshots          []*SnapshotRecord
	SnapshotLog        []SnapshotLogEntry
	MetadataLog        []MetadataLogEntry
	SortOrders         json.RawMessage
	DefaultSortOrderID int
	Refs               map[string]SnapshotRef
	Statistics         json.RawMessage
	PartitionStats     json.RawMessage
	EncryptionKeys     json.RawMessage
	NextRowID          int64

	snapshots  map[int64]*SnapshotRecord // by id
	fieldsOnce sync.Once
	fields     map[types.FieldID]types.Field // for field
	initial    map[types.FieldID]any         // for initialDefault
}

// SnapshotRecord is a snapshot as metadata has it (spec, "Snapshots").
type SnapshotRecord struct {
	SnapshotID       int64             `json:"snapshot-id"`
	ParentSnapshotID *int64            `json:"parent-snapshot-id,omitempty"`
	SequenceNumber   int64             `json:"sequence-number,omitempty"`
	TimestampMillis  int64             `json:"timestamp-ms"`
	Summary          map[string]string `json:"summary,omitempty"`
	ManifestList     string            `json:"manifest-list,omitempty"`
	Manifests        []string          `json:"manifests,omitempty"` // v1 without a manifest list
	SchemaID         *int              `json:"schema-id,omitempty"`
	FirstRowID       *int64            `json:"first-row-id,omitempty"`
	AddedRows        *int64            `json:"added-rows,omitempty"`
	KeyID            string            `json:"key-id,omitempty"`
}

// SnapshotRef is a branch or a tag (spec, "Snapshot References").
type SnapshotRef struct {
	SnapshotID         int64  `json:"snapshot-id"`
	Type               string `json:"type"` // branch or tag
	MinSnapshotsToKeep *int   `json:"min-snapshots-to-keep,omitempty"`
	MaxSnapshotAge     *int64 `json:"max-snapshot-age-ms,omitempty"`
	MaxRefAge          *int64 `json:"max-ref-age-ms,omitempty"`
}

// SnapshotLogEntry says since when a snapshot was the current one.
type SnapshotLogEntry struct {
	SnapshotID      int64 `json:"snapshot-id"`
	TimestampMillis int64 `json:"timestamp-ms"`
}

// MetadataLogEntry is a metadata file of the past.
type MetadataLogEntry struct {
	MetadataFile    string `json:"metadata-file"`
	TimestampMillis int64  `json:"timestamp-ms"`
}

// metadataJSON is TableMetadata as JSON (spec, Appendix C, "Table Metadata and
// Snapshots").
type metadataJSON struct {
	FormatVersion      int                    `json:"format-version"`
	UUID               string                 `json:"table-uuid,omitempty"`
	Location           string                 `json:"location"`
	LastSequenceNumber *int64                 `json:"last-sequence-number,omitempty"`
	LastUpdatedMillis  int64                  `json:"last-updated-ms"`
	LastColumnID       int                    `json:"last-column-id"`
	Schema             *Schema                `json:"schema,omitempty"`
	Schemas            []*Schema              `json:"schemas,omitempty"`
	CurrentSchemaID    *int                   `json:"current-schema-id,omitempty"`
	PartitionSpec      *[]PartitionField      `json:"partition-spec,omitempty"`
	PartitionSpecs     []*PartitionSpec       `json:"partition-specs,omitempty"`
	DefaultSpecID      *int                   `json:"default-spec-id,omitempty"`
	LastPartitionID    *int                   `json:"last-partition-id,omitempty"`
	Properties         map[string]string      `json:"properties"`
	CurrentSnapshotID  *int64                 `json:"current-snapshot-id,omitempty"`
	Snapshots          []*SnapshotRecord      `json:"snapshots"`
	SnapshotLog        []SnapshotLogEntry     `json:"snapshot-log"`
	MetadataLog        []MetadataLogEntry     `json:"metadata-log"`
	SortOrders         json.RawMessage        `json:"sort-orders,omitempty"`
	DefaultSortOrderID int                    `json:"default-sort-order-id"`
	Refs               map[string]SnapshotRef `json:"refs"`
	Statistics         json.RawMessage        `json:"statistics,omitempty"`
	PartitionStats     json.RawMessage        `json:"partition-statistics,omitempty"`
	EncryptionKeys     json.RawMessage        `json:"encryption-keys,omitempty"`
	NextRowID          *int64                 `json:"next-row-id,omitempty"`
}

// ParseTableMetadata reads a metadata file, which may be compressed with gzip.
func ParseTableMetadata(body []byte) (*TableMetadata, error) {
	if len(body) > 2 && body[0] == 0x1f && body[1] == 0x8b {
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		if body, err = io.ReadAll(io.LimitReader(z, maxMetadataBytes)); err != nil {
			return nil, err
		}
	}
	var version struct {
		FormatVersion int `json:"format-version"`
	}
	if err := json.Unmarshal(body, &version); err != nil {
		return nil, err
	}
	if v := version.FormatVersion; v > maxFormatVersion {
		return nil, &storage.UnsupportedFeature{Feature: "format version " + strconv.Itoa(v), Version: "version " + strconv.Itoa(v)}
	} else if v < 1 {
		return nil, fmt.Errorf("format-version is %d", v)
	}
	var j metadataJSON
	if err := json.Unmarshal(body, &j); err != nil {
		return nil, err
	}
	return j.metadata()
}

// unsorted is the list of the sort orders of a table that has none (spec, "Sort
// Orders").
var unsorted = json.RawMessage(`[{"order-id":0,"fields":[]}]`)

// metadata checks what was read and fills in what older versions leave out.
func (j *metadataJSON) metadata() (*TableMetadata, error) {
	m := &TableMetadata{FormatVersion: j.FormatVersion, UUID: j.UUID, Location: j.Location, LastSequenceNumber: value(j.LastSequenceNumber, 0),
		LastUpdatedMillis: j.LastUpdatedMillis, LastColumnID: j.LastColumnID, Schemas: j.Schemas, Specs: j.PartitionSpecs,
		Properties: j.Properties, Snapshots: j.Snapshots, SnapshotLog: j.SnapshotLog, MetadataLog: j.MetadataLog, SortOrders: j.SortOrders,
		DefaultSortOrderID: j.DefaultSortOrderID, Refs: j.Refs, Statistics: j.Statistics, PartitionStats: j.PartitionStats,
		EncryptionKeys: j.EncryptionKeys, NextRowID: value(j.NextRowID, 0)}
	if m.SortOrders == nil {
		m.SortOrders = unsorted
	}
	if m.Location == "" {
		return nil, errors.New("it has no location")
	}
	if err := m.addSchemas(j); err != nil {
		return nil, err
	}
	if err := m.addSpecs(j); err != nil {
		return nil, err
	}
	return m, m.addSnapshots(j)
}

func (m *TableMetadata) addSchemas(j *metadataJSON) error {
	switch {
	case slices.Contains(m.Schemas, nil):
		return errors.New("one of its schemas is null")
	case len(m.Schemas) > 0:
		if j.CurrentSchemaID == nil {
			return errors.New("it has no current-schema-id")
		}
		m.CurrentSchemaID = *j.CurrentSchemaID
	case m.FormatVersion == 1 && j.Schema != nil:
		m.Schemas, m.CurrentSchemaID = []*Schema{j.Schema}, j.Schema.ID
	default:
		return errors.New("it has no schemas")
	}
	if m.schema(m.CurrentSchemaID) == nil {
		return fmt.Errorf("schema %d is not among its schemas", m.CurrentSchemaID)
	}
	return listedOnce(m.Schemas, "schema", func(s *Schema) int { return s.ID })
}

func (m *TableMetadata) addSpecs(j *metadataJSON) error {
	switch {
	case slices.Contains(m.Specs, nil):
		return errors.New("one of its partition-specs is null")
	case len(m.Specs) > 0:
		if j.DefaultSpecID == nil {
			return errors.New("it has no default-spec-id")
		}
		m.DefaultSpecID = *j.DefaultSpecID
	case m.FormatVersion == 1:
		spec := &PartitionSpec{Fields: value(j.PartitionSpec, nil)}
		spec.assignIDs()
		m.Specs = []*PartitionSpec{spec}
	default:
		return errors.New("it has no partition-specs")
	}
	if m.spec(m.DefaultSpecID) == nil {
		return fmt.Errorf("partition spec %d is not among its partition specs", m.DefaultSpecID)
	}
	if err := listedOnce(m.Specs, "partition spec", func(s *PartitionSpec) int { return s.ID }); err != nil {
		return err
	}
	m.LastPartitionID = firstPartitionFieldID - 1
	for _, s := range m.Specs {
		for _, f := range s.Fields {
			m.LastPartitionID = max(m.LastPartitionID, f.ID)
		}
	}
	if j.LastPartitionID != nil {
		m.LastPartitionID = max(m.LastPartitionID, *j.LastPartitionID)
	}
	return nil
}

func (m *TableMetadata) addSnapshots(j *metadataJSON) error {
	m.snapshots = make(map[int64]*SnapshotRecord, len(m.Snapshots))
	for _, s := range m.Snapshots {
		if s == nil || m.snapshots[s.SnapshotID] != nil {
			return errors.New("a snapshot is listed twice")
		}
		m.snapshots[s.SnapshotID] = s
	}
	if m.Refs == nil {
		m.Refs = map[string]SnapshotRef{}
	}
	for name, ref := range m.Refs {
		if m.snapshot(ref.SnapshotID) == nil {
			return fmt.Errorf("%s %q is on snapshot %d, which is not among its snapshots", ref.Type, name, ref.SnapshotID)
		}
	}
	if id := j.CurrentSnapshotID; id != nil && *id != -1 {
		if m.snapshot(*id) == nil {
			return fmt.Errorf("snapshot %d is not among its snapshots", *id)
		}
		m.CurrentSnapshotID = id
		if main, ok := m.Refs[MainBranch]; ok && main.SnapshotID != *id {
			return fmt.Errorf("branch main is on snapshot %d, but the current one is %d", main.SnapshotID, *id)
		}
		m.Refs[MainBranch] = SnapshotRef{SnapshotID: *id, Type: "branch", MinSnapshotsToKeep: m.Refs[MainBranch].MinSnapshotsToKeep,
			MaxSnapshotAge: m.Refs[MainBranch].MaxSnapshotAge}
	}
	return nil
}

// listedOnce refuses ids that are used twice.
func listedOnce[T any](list []T, what string, id func(T) int) error {
	seen := map[int]bool{}
	for _, e := range list {
		if seen[id(e)] {
			return fmt.Errorf("%s %d is listed twice", what, id(e))
		}
		seen[id(e)] = true
	}
	return nil
}

// schema gives the schema with an id, nil if there is none.
func (m *TableMetadata) schema(id int) *Schema {
	for _, s := range m.Schemas {
		if s.ID == id {
			return s
		}
	}
	return nil
}

// spec gives the partition spec with an id, nil if there is none.
func (m *TableMetadata) spec(id int) *PartitionSpec {
	for _, s := range m.Specs {
		if s.ID == id {
			return s
		}
	}
	return nil
}

// snapshot gives the snapshot with an id, nil if there is none.
func (m *TableMetadata) snapshot(id int64) *SnapshotRecord { return m.snapshots[id] }

// currentAt gives the snapshot that was the current one at an instant (spec,
// "Point in Time Reads"); ok is false if none is known to have been.
func (m *TableMetadata) currentAt(at time.Time) (id int64, ok bool) {
	for _, e := range m.SnapshotLog {
		if e.TimestampMillis <= at.UnixMilli() {
			id, ok = e.SnapshotID, true
		}
	}
	return id, ok
}
