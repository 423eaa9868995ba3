package iceberg

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/conformance/sharedtest"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

// flinkCase is a change stream that Flink has written to a golden table.
type flinkCase struct {
	Name          string
	Schema        *Schema
	Spec          *PartitionSpec
	FormatVersion string `json:"format_version"`
	Props         map[string]string
	Steps         []flinkStep
}

type flinkStep struct {
	Op           string
	Equality     []string
	Upsert       bool
	Branch       string
	Parallelism  int
	Checkpoints  [][][]json.RawMessage
	Add          []json.RawMessage
	Drop, Remove []string
	Rename       [][2]string
	Promote      [][2]string
}

// TestFlinkStreams writes the change streams of the golden tables that Flink has
// written and asks for the same rows, and the same number of files of each kind,
// in every snapshot.
func TestFlinkStreams(t *testing.T) {
	var cases []flinkCase
	readJSON(t, sharedtest.Path(t, "tools", "golden", "flink-iceberg", "cases.json"), &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) { c.replay(t) })
	}
}

func (c *flinkCase) replay(t *testing.T) {
	if c.Props["write.format.default"] == "orc" {
		t.Skip("ORC can't be written")
	}
	var golden struct {
		MetadataFile string `json:"metadata_file"`
		Snapshots    []struct{ ID int64 }
	}
	dir := sharedtest.Path(t, "golden", "iceberg", c.Name)
	readJSON(t, filepath.Join(dir, "case.json"), &golden)
	theirs := openGolden(t, dir, golden.MetadataFile)

	store := object.NewMemory(t.Name())
	table := OpenTable(store, "table", types.TableName{Name: c.Name}, Options{})
	c.create(t, table)
	n := 0
	for _, step := range c.Steps {
		switch step.Op {
		case "updateSchema":
			editMetadata(t, table, step.editSchema)
			continue
		case "updateSpec":
			editMetadata(t, table, step.editSpec)
			continue
		}
		require.Equal(t, "write", step.Op)
		for _, rows := range step.Checkpoints {
			target := OpenTable(store, "table", table.name, Options{Branch: step.Branch})
			id := step.write(t, target, rows)
			require.Less(t, n, len(golden.Snapshots))
			theirID := golden.Snapshots[n].ID
			n++
			require.Equal(t, sortedRows(t, theirs, theirID), sortedRows(t, target, id), "snapshot %d", n)
			if step.Parallelism <= 1 {
				require.Equal(t, addedFiles(t, theirs, theirID), addedFiles(t, target, id), "snapshot %d", n)
			}
		}
	}
}

// create publishes the metadata of the case's table.
func (c *flinkCase) create(t *testing.T, table *Table) {
	m := &TableMetadata{FormatVersion: 2, UUID: uuid.NewString(), Location: LocationOf(table.store, table.root), LastUpdatedMillis: time.Now().UnixMilli(),
		Schemas: []*Schema{c.Schema}, Specs: []*PartitionSpec{{}}, LastPartitionID: 999, Properties: c.Props, SortOrders: unsorted, Refs: map[string]SnapshotRef{}}
	if c.FormatVersion == "3" {
		m.FormatVersion = 3
	}
	if c.Spec != nil {
		m.Specs[0] = c.Spec
		m.LastPartitionID += len(c.Spec.Fields)
	}
	c.Schema.walk(func(f types.Field, _ []int) { m.LastColumnID = max(m.LastColumnID, int(f.ID)) })
	publish(t, table, "", m)
}

func publish(t *testing.T, table *Table, current string, m *TableMetadata) {
	body, err := m.encode()
	require.NoError(t, err)
	next, err := table.pointer.Next(current, false)
	require.NoError(t, err)
	require.NoError(t, table.pointer.Publish(t.Context(), current, next, body))
}

// editMetadata commits a change of the metadata alone.
func editMetadata(t *testing.T, table *Table, edit func(*testing.T, *TableMetadata)) {
	s, err := table.loadLatest(t.Context())
	require.NoError(t, err)
	m := s.metadata.clone()
	edit(t, m)
	publish(t, table, s.location, m)
}

func (step *flinkStep) editSchema(t *testing.T, m *TableMetadata) {
	old := m.schema(m.CurrentSchemaID)
	s := &Schema{ID: len(m.Schemas), Schema: types.Schema{Fields: slices.Clone(old.Fields)}, IdentifierFieldIDs: old.IdentifierFieldIDs}
	for _, p := range step.Promote {
		var err error
		s.Fields[s.Index(p[0])].Type, err = parsePrimitive(p[1])
		require.NoError(t, err)
	}
	for _, r := range step.Rename {
		s.Fields[s.Index(r[0])].Name = r[1]
	}
	s.Fields = slices.DeleteFunc(s.Fields, func(f types.Field) bool { return slices.Contains(step.Drop, f.Name) })
	for _, raw := range step.Add {
		var add [2]string
		require.NoError(t, json.Unmarshal(raw, &add))
		kind, err := parsePrimitive(add[1])
		require.NoError(t, err)
		m.LastColumnID++
		s.Fields = append(s.Fields, types.Field{ID: types.FieldID(m.LastColumnID), Name: add[0], Type: kind, Nullable: true})
	}
	m.Schemas, m.CurrentSchemaID = append(m.Schemas, s), s.ID
}

// editSpec removes a field, or goes back to the first spec, which has it.
func (step *flinkStep) editSpec(t *testing.T, m *TableMetadata) {
	if len(step.Add) > 0 {
		m.DefaultSpecID = 0
		return
	}
	spec := &PartitionSpec{ID: len(m.Specs), Fields: slices.Clone(m.spec(m.DefaultSpecID).Fields)}
	spec.Fields = slices.DeleteFunc(spec.Fields, func(f PartitionField) bool { return slices.Contains(step.Remove, f.Name) })
	m.Specs, m.DefaultSpecID = append(m.Specs, spec), spec.ID
}

// write commits the rows of a checkpoint as Flink's sink does and gives the id of
// the snapshot.
func (step *flinkStep) write(t *testing.T, table *Table, rows [][]json.RawMessage) int64 {
	ctx := t.Context()
	base, err := table.loadLatest(ctx)
	require.NoError(t, err)
	w, err := table.NewDeltaWriter(ctx, base, storage.WriteOptions{Operation: "WRITE", Keys: step.Equality, WholeRows: !step.Upsert})
	require.NoError(t, err)
	for _, row := range rows {
		var kind string
		require.NoError(t, json.Unmarshal(row[0], &kind))
		b := flinkRow(t, base.schema, row[1:])
		switch {
		case len(step.Equality) == 0, !step.Upsert && kind[0] == '+':
			err = w.Write(ctx, b)
		case kind[0] == '+':
			err = w.Upsert(ctx, b)
		case step.Upsert && kind == "-U":
		default:
			err = w.DeleteKeys(ctx, b)
		}
		require.NoError(t, err)
	}
	result, err := w.Complete(ctx)
	require.NoError(t, err)
	delta := storage.RowDelta{Added: result.DataFiles, AddedDeletes: result.DeleteFiles, Removed: result.RemovedFiles, RemovedDeletes: result.RemovedDeletes, Operation: "WRITE"}
	c := table.Committer()
	require.NoError(t, c.Check(ctx, base, base, delta))
	attempt, err := c.Prepare(ctx, base, delta)
	require.NoError(t, err)
	require.NoError(t, c.Publish(ctx, attempt))
	require.NoError(t, c.Committed(ctx, attempt))
	return int64(attempt.Version())
}

// flinkRow is a batch of one row.
func flinkRow(t *testing.T, schema *Schema, values []json.RawMessage) *vector.Batch {
	b := vector.NewBatch(1)
	for i, f := range schema.Fields {
		text := json.RawMessage("null")
		if i < len(values) {
			text = values[i]
		}
		b.Columns = append(b.Columns, vector.Single(f.Type, flinkValue(t, f.Type, text)).Flatten())
	}
	return b
}

func flinkValue(t *testing.T, kind types.Type, text json.RawMessage) any {
	if string(text) == "null" {
		return nil
	}
	var list []json.RawMessage
	if kind.IsNested() {
		require.NoError(t, json.Unmarshal(text, &list))
	}
	switch kind.Kind {
	case types.Struct:
		out := make([]any, len(list))
		for i, f := range kind.Fields {
			out[i] = flinkValue(t, f.Type, list[i])
		}
		return out
	case types.Array:
		out := make([]any, len(list))
		for i := range list {
			out[i] = flinkValue(t, kind.Elem.Type, list[i])
		}
		return out
	case types.Map:
		out := make([]vector.MapEntry, len(list))
		for i := range list {
			var entry [2]json.RawMessage
			require.NoError(t, json.Unmarshal(list[i], &entry))
			out[i] = vector.MapEntry{Key: flinkValue(t, kind.Key.Type, entry[0]), Value: flinkValue(t, kind.Elem.Type, entry[1])}
		}
		return out
	case types.Fixed, types.Binary:
		var s string
		require.NoError(t, json.Unmarshal(text, &s))
		v, err := base64.StdEncoding.DecodeString(s)
		require.NoError(t, err)
		return v
	case types.Decimal:
		v, err := parseJSONText(kind, strings.Trim(string(text), `"`))
		require.NoError(t, err)
		return v
	}
	v, err := (&Schema{}).parseJSONValue(kind, text)
	require.NoError(t, err)
	return v
}

// sortedRows are the rows of a snapshot as text, sorted.
func sortedRows(t *testing.T, table *Table, id int64) []string {
	s, err := table.LoadAt(t.Context(), storage.Version(id))
	require.NoError(t, err)
	scan, err := s.NewScan().Build(t.Context())
	require.NoError(t, err)
	rows := []string{}
	for _, task := range scan.Tasks() {
		r, err := scan.Open(t.Context(), task)
		require.NoError(t, err)
		for {
			b, err := r.Next(t.Context())
			if err != nil {
				break
			}
			for k := range b.Rows() {
				values := []any{}
				for _, c := range b.Columns {
					values = append(values, c.Value(b.Row(k)))
				}
				rows = append(rows, fmt.Sprintf("%#v", values))
			}
		}
		require.NoError(t, r.Close())
	}
	sort.Strings(rows)
	return rows
}

// addedFiles counts the files that a snapshot has added, by kind.
func addedFiles(t *testing.T, table *Table, id int64) map[string]int {
	s, err := table.LoadAt(t.Context(), storage.Version(id))
	require.NoError(t, err)
	entries, err := current(t.Context(), s.(*Snapshot))
	require.NoError(t, err)
	out := map[string]int{}
	for _, f := range entries {
		switch {
		case f.status != entryAdded || f.SnapshotID != id:
		case f.isDeletionVector():
			out["deletion vectors"]++
		default:
			out[[]string{"data files", "position delete files", "equality delete files"}[f.Content]]++
		}
	}
	return out
}
