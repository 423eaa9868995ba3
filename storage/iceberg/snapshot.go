package iceberg

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

// emptyVersion is the version of a table that has no snapshot yet.
const emptyVersion storage.Version = 0

// Snapshot is one state of a table: a snapshot of its metadata, or the lack of
// one, seen with a schema. It never changes.
type Snapshot struct {
	table    *Table
	location string // of the metadata file
	metadata *TableMetadata
	record   *SnapshotRecord // nil for a table without a snapshot
	schema   *Schema
	// isMissing tells that the table does not exist yet.
	isMissing bool
	// changes are what a transaction has done to the snapshot; nil for nothing.
	changes *changes

	bounds *sync.Map // of ColumnBounds, by field id

	list func(ctx context.Context) ([]*ManifestFile, error) // the manifest list, read once
}

// missing is the state of a table that does not exist yet.
func (t *Table) missing() *Snapshot {
	s := t.newSnapshot(&state{metadata: &TableMetadata{}}, nil, &Schema{})
	s.isMissing = true
	return s
}

// newSnapshot gives a state of the table. A schema of nil is that of the
// snapshot.
func (t *Table) newSnapshot(st *state, record *SnapshotRecord, schema *Schema) *Snapshot {
	m := st.metadata
	if schema == nil && record != nil && record.SchemaID != nil {
		schema = m.schema(*record.SchemaID)
	}
	if schema == nil {
		schema = m.schema(m.CurrentSchemaID)
	}
	s := &Snapshot{table: t, location: st.location, metadata: m, record: record, schema: schema, bounds: &sync.Map{}}
	var mu sync.Mutex
	var list []*ManifestFile
	read := false
	s.list = func(ctx context.Context) ([]*ManifestFile, error) {
		mu.Lock()
		defer mu.Unlock()
		if read {
			return list, nil
		}
		var err error
		if list, err = s.readManifestList(ctx); err != nil {
			return nil, err
		}
		read = true
		return list, nil
	}
	return s
}

// LoadLatest implements storage.SnapshotManager: the current snapshot with the
// current schema.
func (t *Table) LoadLatest(ctx context.Context) (storage.Snapshot, error) {
	s, err := t.loadLatest(ctx)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (t *Table) loadLatest(ctx context.Context) (*Snapshot, error) {
	s, err := t.load(ctx)
	if t.mayMake && errors.Is(err, storage.ErrTableNotFound) {
		return t.missing(), nil
	}
	if err != nil {
		return nil, err
	}
	return s.latest, nil
}

// head is the newest snapshot of the table's branch; nil if there is none.
func (t *Table) head(m *TableMetadata) *SnapshotRecord {
	ref, ok := m.Refs[t.branch]
	if !ok {
		ref, ok = m.Refs[MainBranch] // a new branch begins there
	}
	if !ok {
		return nil
	}
	return m.snapshot(ref.SnapshotID)
}

// LoadAt implements storage.SnapshotManager: versions are snapshot ids. The
// state has the schema that the snapshot was written with.
func (t *Table) LoadAt(ctx context.Context, version storage.Version) (storage.Snapshot, error) {
	s, err := t.load(ctx)
	if err != nil {
		return nil, err
	}
	record := s.metadata.snapshot(int64(version))
	if record == nil {
		return nil, t.versionNotFound(version)
	}
	return t.newSnapshot(s, record, nil), nil
}

// LoadRef implements storage.RefManager: the head of a branch with the table's
// current schema, or the snapshot of a tag with that snapshot's.
func (t *Table) LoadRef(ctx context.Context, name string) (storage.Snapshot, error) {
	s, err := t.load(ctx)
	if err != nil {
		return nil, err
	}
	m := s.metadata
	ref, ok := m.Refs[name]
	if !ok {
		return nil, fmt.Errorf("%w: table %s has no branch or tag %s; it has %s", storage.ErrVersionNotFound, t.name, types.QuoteIdent(name), strings.Join(slices.Sorted(maps.Keys(m.Refs)), ", "))
	}
	var schema *Schema
	if ref.Type == "branch" {
		schema = m.schema(m.CurrentSchemaID)
	}
	return t.newSnapshot(s, m.snapshot(ref.SnapshotID), schema), nil
}

func (t *Table) versionNotFound(version storage.Version) error {
	return fmt.Errorf("%w: table %s has no snapshot %d; see the table's snapshots for those that it has", storage.ErrVersionNotFound, t.name, version)
}

// CheckVersionExists implements storage.SnapshotManager.
func (t *Table) CheckVersionExists(ctx context.Context, version storage.Version) error {
	_, err := t.LoadAt(ctx, version)
	return err
}

// ActiveCommitAtTime implements storage.SnapshotManager by the snapshot log
// (spec, "Point in Time Reads"). The last snapshot is current up to now.
func (t *Table) ActiveCommitAtTime(ctx context.Context, at time.Time, _ storage.TimestampPolicy) (storage.Version, error) {
	s, err := t.load(ctx)
	if err != nil {
		return storage.NoVersion, err
	}
	id, ok := s.metadata.currentAt(at)
	if !ok {
		return storage.NoVersion, fmt.Errorf("%w: table %s: %s is before its oldest known snapshot", storage.ErrTimestampOutOfRange, t.name, at.UTC().Format(time.RFC3339Nano))
	}
	return storage.Version(id), nil
}

// Name implements storage.Snapshot.
func (s *Snapshot) Name() types.TableName { return s.table.name }

// Version implements storage.Snapshot: the snapshot's id.
func (s *Snapshot) Version() storage.Version {
	switch {
	case s.isMissing:
		return storage.NoVersion
	case s.record == nil:
		return emptyVersion
	}
	return storage.Version(s.record.SnapshotID)
}

// Schema implements storage.Snapshot.
func (s *Snapshot) Schema() types.Schema { return s.schema.Schema }

// PartitionColumns implements storage.Snapshot: there are none. Each file has the
// partition values of the spec that it was written with, so no column has a value
// in the partition of every file.
func (s *Snapshot) PartitionColumns() []string { return nil }

// Properties implements storage.Snapshot.
func (s *Snapshot) Properties() map[string]string { return maps.Clone(s.metadata.Properties) }

// WriteRules implements storage.Snapshot: Iceberg has no constraints but NOT
// NULL, which the schema tells.
func (s *Snapshot) WriteRules() []types.WriteRule { return nil }

// KeyColumns implements plan.Keyed: the columns that tell rows apart (spec, "Identifier Field IDs").
func (s *Snapshot) KeyColumns() []string {
	var names []string
	for _, id := range s.schema.IdentifierFieldIDs {
		f, path, ok := s.schema.find(id)
		if !ok || len(path) != 1 {
			return nil // within a struct: no column has the key
		}
		names = append(names, f.Name)
	}
	return names
}

// PartitionFields implements storage.Partitioned. Fields have a name where it is not
// the column's.
func (s *Snapshot) PartitionFields() []storage.PartitionField {
	var out []storage.PartitionField
	for _, f := range s.metadata.spec(s.metadata.DefaultSpecID).Fields {
		if f.Transform.kind == voidTransform {
			continue
		}
		source, path, ok := s.schema.find(f.SourceIDs[0])
		if !ok {
			continue // of a column that is gone
		}
		field := storage.PartitionField{Column: s.schema.pathName(path), Name: f.Name, Argument: int64(f.Transform.param)}
		if f.Transform.kind == identityTransform && len(path) == 1 && f.Name == source.Name {
			field.Name = ""
		} else {
			field.Transform, _, _ = strings.Cut(f.Transform.String(), "[")
		}
		out = append(out, field)
	}
	return out
}

// CheckWrite implements storage.Snapshot.
func (s *Snapshot) CheckWrite() error {
	err := s.checkWrite()
	var refused *storage.UnsupportedFeature
	if errors.As(err, &refused) {
		named := *refused
		named.Table = s.table.name.String()
		return &named
	}
	return err
}

func (s *Snapshot) checkWrite() error {
	m := s.metadata
	p, err := m.writeProperties()
	if err != nil {
		return err
	}
	if _, err := s.table.pointer.Next(s.location, p.gzipMetadata); err != nil {
		return err
	}
	if ref, ok := m.Refs[s.table.branch]; ok && ref.Type != "branch" {
		return &storage.UnsupportedFeature{Feature: "a branch instead of tag " + s.table.branch, Writing: true}
	}
	for _, f := range m.spec(m.DefaultSpecID).Fields {
		if source, ok := m.field(f.SourceIDs[0]); f.Transform.kind == unknownTransform || f.Transform.kind != voidTransform && (!ok || !f.Transform.takes(source.Type)) {
			return &storage.UnsupportedFeature{Feature: "the transform of partition field " + f.Name, Writing: true}
		}
	}
	for _, f := range s.schema.Fields {
		if f.Type.Holds(types.Variant) {
			return &storage.UnsupportedFeature{Feature: "VARIANT columns", Writing: true}
		}
	}
	return nil
}

// readManifestList reads which manifests the snapshot consists of.
func (s *Snapshot) readManifestList(ctx context.Context) ([]*ManifestFile, error) {
	if s.record == nil {
		return nil, nil
	}
	if s.record.KeyID != "" {
		return nil, &storage.UnsupportedFeature{Table: s.table.name.String(), Feature: "encryption"}
	}
	if s.record.ManifestList == "" {
		return s.manifestsOfV1(), nil
	}
	body, path, err := s.table.get(ctx, s.metadata, s.record.ManifestList)
	if err != nil {
		return nil, err
	}
	list, err := parseManifestList(body)
	return list, s.table.blame(path, "manifest list can't be understood", err)
}

// manifestsOfV1 are those of a snapshot whose manifests are listed in the
// metadata itself (spec, "Snapshots": manifests of v1). Their spec is in the
// manifests only; it is the table's first where the table has one.
func (s *Snapshot) manifestsOfV1() []*ManifestFile {
	var list []*ManifestFile
	for _, path := range s.record.Manifests {
		list = append(list, &ManifestFile{Path: path, SpecID: specInFile, AddedSnapshotID: s.record.SnapshotID,
			AddedFiles: -1, ExistingFiles: -1, DeletedFiles: -1, AddedRows: -1, ExistingRows: -1, DeletedRows: -1})
	}
	return list
}

// EstimatedRows tells about how many rows there are, for planning.
func (s *Snapshot) EstimatedRows() int64 {
	var added int64
	if s.changes != nil {
		for _, f := range s.changes.added {
			added += f.Records
		}
	}
	if s.record == nil {
		return added
	}
	rows, err := strconv.ParseInt(s.record.Summary["total-records"], 10, 64)
	if err != nil {
		return unknownRows
	}
	for _, deleted := range []string{"total-position-deletes", "total-equality-deletes"} {
		if n, err := strconv.ParseInt(s.record.Summary[deleted], 10, 64); err == nil {
			rows -= n
		}
	}
	return max(rows, 0) + added
}

// unknownRows is the guess for a snapshot whose summary does not count rows.
const unknownRows = 1_000_000
