package iceberg

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

// Field ids of position delete files (spec, "Position Delete Files").
const (
	deletePathID     types.FieldID = 2147483546
	deletePositionID types.FieldID = 2147483545
)

// deleteFileIndex finds the delete files that must be applied to a data file
// (spec, "Scan Planning").
type deleteFileIndex struct {
	metadata *TableMetadata
	vectors  map[string]*ContentFile // by the data file that they are for
	// positions are the position delete files by the partition and the one data
	// file that they are for, whose path is empty for those of several.
	positions map[positionScope][]*ContentFile
	equality  map[string][]*ContentFile // by partition
	global    []*ContentFile            // equality delete files of unpartitioned specs
	scopes    map[string][]*ContentFile // equality delete files by scope
	keys      partitionKeys
}

type positionScope struct{ partition, path string }

func newDeleteFileIndex(m *TableMetadata, files []*ContentFile) (*deleteFileIndex, error) {
	x := &deleteFileIndex{metadata: m, vectors: map[string]*ContentFile{}, positions: map[positionScope][]*ContentFile{},
		equality: map[string][]*ContentFile{}, scopes: map[string][]*ContentFile{}, keys: newPartitionKeys(m)}
	for _, f := range files {
		switch {
		case f.isDeletionVector():
			if other := x.vectors[f.ReferencedDataFile]; other != nil { // spec, "Deletion Vectors"
				return nil, &storage.CorruptTable{Path: f.Path, Offset: value(f.ContentOffset, -1),
					Reason: fmt.Sprintf("data file %s has another deletion vector, in %s", f.ReferencedDataFile, other.Path)}
			}
			x.vectors[f.ReferencedDataFile] = f
		case f.Content == PositionDeletes:
			scope := positionScope{x.keys.of(f), f.referencedFile()}
			x.positions[scope] = append(x.positions[scope], f)
		case f.Spec.isUnpartitioned():
			x.global = append(x.global, f)
		default:
			key := x.keys.of(f)
			x.equality[key] = append(x.equality[key], f)
		}
		if f.Content == EqualityDeletes {
			scope := x.scope(f)
			x.scopes[scope] = append(x.scopes[scope], f)
		}
	}
	return x, nil
}

// scope is equal for equality delete files that delete rows of the same
// partitions by the same columns.
func (x *deleteFileIndex) scope(f *ContentFile) string {
	scope := fmt.Sprint(slices.Sorted(slices.Values(f.EqualityIDs)))
	if !f.Spec.isUnpartitioned() {
		scope += x.keys.of(f)
	}
	return scope
}

// referencedFile is the one data file that a position delete file is for; empty
// if it may be for several. Writers that don't say so give the path as both
// bounds.
func (f *ContentFile) referencedFile() string {
	if f.ReferencedDataFile != "" {
		return f.ReferencedDataFile
	}
	m, _ := f.column(deletePathID)
	if m.LowerBound != nil && bytes.Equal(m.LowerBound, m.UpperBound) {
		return string(m.LowerBound)
	}
	return ""
}

// fileDeletes are the delete files that must be applied to a data file.
type fileDeletes struct {
	vector    *ContentFile
	positions []*ContentFile
	equality  []*ContentFile
}

func (d fileDeletes) isEmpty() bool { return d.vector == nil && len(d.positions)+len(d.equality) == 0 }

// all lists the delete files.
func (d fileDeletes) all() []*ContentFile {
	var out []*ContentFile
	if d.vector != nil {
		out = append(out, d.vector)
	}
	return append(append(out, d.positions...), d.equality...)
}

// forFile gives the deletes of a data file.
func (x *deleteFileIndex) forFile(f *ContentFile) fileDeletes {
	var d fileDeletes
	if len(x.vectors)+len(x.positions)+len(x.equality)+len(x.global) == 0 {
		return d
	}
	key := x.keys.of(f)
	if v := x.vectors[f.Path]; v != nil && v.SequenceNumber >= f.SequenceNumber {
		d.vector = v
	} else {
		for _, p := range slices.Concat(x.positions[positionScope{key, f.Path}], x.positions[positionScope{key, ""}]) {
			if p.SequenceNumber >= f.SequenceNumber {
				d.positions = append(d.positions, p)
			}
		}
	}
	for _, e := range slices.Concat(x.global, x.equality[key]) {
		if e.SequenceNumber > f.SequenceNumber && x.mayDelete(e, f) {
			d.equality = append(d.equality, e)
		}
	}
	byPath := func(a, b *ContentFile) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(d.positions, byPath)
	slices.SortFunc(d.equality, byPath)
	return d
}

// mayDelete tells by the metrics of both files whether an equality delete file
// can have the key of a row of a data file.
func (x *deleteFileIndex) mayDelete(e, f *ContentFile) bool {
	for _, id := range e.EqualityIDs {
		field, ok := x.metadata.field(id)
		if !ok || field.Type.IsNested() {
			continue
		}
		keys, hasKeys := e.column(id)
		rows, hasRows := f.column(id)
		if !hasKeys || !hasRows {
			continue
		}
		if keys.NullCount != 0 && rows.NullCount != 0 { // a required field is NULL where the struct around it is
			continue
		}
		if rows.isAllNull() && keys.NullCount == 0 || keys.isAllNull() && rows.NullCount == 0 {
			return false
		}
		if !x.mayOverlap(field.Type, keys, rows) {
			return false
		}
	}
	return true
}

func (m ColumnMetrics) isAllNull() bool { return m.Values > 0 && m.NullCount == m.Values }

// mayOverlap compares bounds. Those of UUIDs have been written in several
// orders, so they tell nothing; NaN is within no bounds.
func (x *deleteFileIndex) mayOverlap(t types.Type, a, b ColumnMetrics) bool {
	if t.Kind == types.UUID || t.Kind == types.Float || t.Kind == types.Double || a.LowerBound == nil || a.UpperBound == nil || b.LowerBound == nil || b.UpperBound == nil {
		return true
	}
	below := func(high, low []byte) bool {
		h, ok1 := parseSingleValue(t, high)
		l, ok2 := parseSingleValue(t, low)
		if !ok1 || !ok2 {
			return false
		}
		order, ok := types.CompareValues(t, h, l)
		return ok && order < 0
	}
	return !below(a.UpperBound, b.LowerBound) && !below(b.UpperBound, a.LowerBound)
}
