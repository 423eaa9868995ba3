package iceberg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/deletes"
	"github.com/tarndb/tarn/storage/parquet"
)

// equalityDeletes reads the equality delete files of a scan. Those of a scope (a
// partition, or the whole table) with the same key columns become one set, where
// a key has the sequence number of its newest delete, so that a row is looked up
// once for all of them and all data files of the scope share the set.
type equalityDeletes struct {
	snapshot *Snapshot
	index    *deleteFileIndex

	mu   sync.Mutex
	sets map[string]*keySet // by scope, guarded by mu
}

func newEqualityDeletes(s *Snapshot, index *deleteFileIndex) *equalityDeletes {
	return &equalityDeletes{snapshot: s, index: index, sets: map[string]*keySet{}}
}

// keySet is the keys of a scope's delete files, read when they are first needed.
type keySet struct {
	scope  string
	fields []keyField
	files  []*ContentFile
	rows   *deletes.KeySet

	once sync.Once
	err  error
}

// keyField is a column of a key.
type keyField struct {
	column types.Field // the top-level column, with no more fields than the key needs
	path   []int       // from there to the key
	leaf   types.Type
}

// keysFor gives the sets of keys that apply to a data file.
func (e *equalityDeletes) keysFor(ctx context.Context, f *scanFile) ([]*keySet, error) {
	var out []*keySet
	for _, d := range f.deletes.equality {
		set, err := e.set(e.index.scope(d))
		if err != nil {
			return nil, err
		}
		if slices.Contains(out, set) {
			continue
		}
		set.once.Do(func() { set.err = e.load(ctx, set) })
		if set.err != nil {
			e.forget(set)
			return nil, set.err
		}
		out = append(out, set)
	}
	return out, nil
}

// set gives the set of a scope, not read yet when it is new.
func (e *equalityDeletes) set(scope string) (*keySet, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if s, ok := e.sets[scope]; ok {
		return s, nil
	}
	s := &keySet{scope: scope, files: e.index.scopes[scope]}
	var kinds []types.Type
	for _, id := range slices.Sorted(slices.Values(s.files[0].EqualityIDs)) {
		f, err := e.snapshot.keyField(id)
		if err != nil {
			return nil, err
		}
		s.fields = append(s.fields, f)
		kinds = append(kinds, f.leaf)
	}
	keys := int64(0)
	for _, f := range s.files {
		keys += f.Records
	}
	s.rows = deletes.NewKeySet(kinds, int(min(keys, maxReservedKeys)))
	e.sets[scope] = s
	return s, nil
}

// maxReservedKeys bounds what is reserved on the word of the metadata.
const maxReservedKeys = 1 << 22

// forget drops a set that could not be read: a cancelled statement must not
// spoil it for the next reader.
func (e *equalityDeletes) forget(s *keySet) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.sets, s.scope)
}

// keyField finds a column of a key by its id; one that was dropped is read as
// the newest schema that has it says (spec, "Equality Delete Files").
func (s *Snapshot) keyField(id types.FieldID) (keyField, error) {
	for _, schema := range append([]*Schema{s.schema, s.metadata.schema(s.metadata.CurrentSchemaID)}, reversed(s.metadata.Schemas)...) {
		f, path, ok := schema.find(id)
		if !ok {
			continue
		}
		if f.Type.IsNested() || f.Type.Kind == types.Variant || !withinStructs(schema.Fields[path[0]], path[1:]) {
			return keyField{}, &storage.UnsupportedFeature{Table: s.table.name.String(), Feature: fmt.Sprintf("equality deletes by %s %s", f.Type, types.QuoteIdent(f.Name))}
		}
		k := keyField{column: narrowed(schema.Fields[path[0]], path[1:]), leaf: f.Type, path: make([]int, len(path)-1)}
		return k, nil
	}
	return keyField{}, &storage.CorruptTable{Path: s.table.path(MetadataDir), Offset: -1, Reason: fmt.Sprintf("an equality delete file has field %d, which is in no schema", id)}
}

// withinStructs tells whether a path goes through structs only.
func withinStructs(f types.Field, path []int) bool {
	for _, i := range path {
		if f.Type.Kind != types.Struct {
			return false
		}
		f = f.Type.Fields[i]
	}
	return true
}

func reversed(list []*Schema) []*Schema {
	out := slices.Clone(list)
	slices.Reverse(out)
	return out
}

// narrowed is a struct column with only the fields on a path.
func narrowed(f types.Field, path []int) types.Field {
	if len(path) == 0 || f.Type.Kind != types.Struct {
		return f
	}
	child := narrowed(f.Type.Fields[path[0]], path[1:])
	child.Nullable = true
	f.Type, f.Nullable = types.StructOf(child), true
	return f
}

// load reads the keys of all files of a set.
func (e *equalityDeletes) load(ctx context.Context, set *keySet) error {
	for _, d := range set.files {
		if err := e.loadFile(ctx, set, d); err != nil {
			return fmt.Errorf("equality delete file %s: %w", d.Path, err)
		}
	}
	return nil
}

func (e *equalityDeletes) loadFile(ctx context.Context, set *keySet, d *ContentFile) error {
	o := parquet.ReadOptions{ByID: true}
	for _, f := range set.fields {
		o.Columns = append(o.Columns, f.column)
	}
	rows, err := e.snapshot.openFile(ctx, d, o)
	if err != nil {
		return err
	}
	defer rows.Close()
	for {
		b, err := rows.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		key := vector.Batch{Len: b.Len, Sel: b.Sel}
		for i, f := range set.fields {
			key.Columns = append(key.Columns, fieldVector(b.Columns[i], f.path))
		}
		set.rows.Add(&key, d.SequenceNumber)
	}
}
