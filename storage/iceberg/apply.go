package iceberg

import (
	"fmt"
	"maps"
	"sync"

	"github.com/tarndb/tarn/storage"
)

// changes are what a transaction has done to a snapshot, on top of what its
// manifests list.
type changes struct {
	added, addedDeletes []*ContentFile
	removed             map[string]bool // data files by path
	removedDeletes      map[vectorKey]bool
}

// vectorKey of a delete file: of a deletion vector its place, of others the path.
func (f *ContentFile) key() vectorKey {
	return vectorKey{f.Path, value(f.ContentOffset, 0)}
}

// Apply implements storage.Snapshot. New files have the sequence number that they
// would get if nobody else committed.
func (s *Snapshot) Apply(delta storage.RowDelta) (storage.Snapshot, error) {
	out := *s
	if delta.Definition != nil {
		if !s.isMissing {
			return nil, &storage.UnsupportedFeature{Table: s.table.name.String(), Feature: "CREATE OR REPLACE TABLE", Writing: true}
		}
		m, err := s.table.define(delta.Definition)
		if err != nil {
			return nil, err
		}
		out.metadata, out.schema = m, m.schema(m.CurrentSchemaID)
	}
	c, err := newChanges(&delta)
	if err != nil {
		return nil, err
	}
	out.changes, out.bounds = s.changes.then(c), &sync.Map{}
	return &out, nil
}

// then joins two changes of which the second was made on a state with the first.
// What only the first has added and the second removed is no part of the table.
func (c *changes) then(next *changes) *changes {
	if c == nil {
		return next
	}
	out := &changes{removed: maps.Clone(c.removed), removedDeletes: maps.Clone(c.removedDeletes)}
	maps.Copy(out.removed, next.removed)
	maps.Copy(out.removedDeletes, next.removedDeletes)
	out.added = append(next.withoutRemoved(c.added), next.added...)
	out.addedDeletes = append(next.withoutRemovedDeletes(c.addedDeletes), next.addedDeletes...)
	return out
}

func newChanges(delta *storage.RowDelta) (*changes, error) {
	c := &changes{removed: map[string]bool{}, removedDeletes: map[vectorKey]bool{}}
	for _, f := range delta.Added {
		e, err := entryOf(f)
		if err != nil {
			return nil, err
		}
		c.added = append(c.added, e.file)
	}
	for _, f := range delta.Removed {
		e, err := entryOf(f)
		if err != nil {
			return nil, err
		}
		c.removed[e.file.Path] = true
	}
	for _, list := range []struct {
		from []storage.DeleteFile
		to   func(*ContentFile)
	}{
		{delta.AddedDeletes, func(f *ContentFile) { c.addedDeletes = append(c.addedDeletes, f) }},
		{delta.RemovedDeletes, func(f *ContentFile) { c.removedDeletes[f.key()] = true }},
	} {
		for _, d := range list.from {
			f, ok := d.Entry.(*ContentFile)
			if !ok {
				return nil, fmt.Errorf("iceberg: delete file %s was not written or planned by this package", d.Path)
			}
			list.to(f)
		}
	}
	return c, nil
}

// entryOf gives the format's own record of a file.
func entryOf(f storage.DataFile) (*scanFile, error) {
	e, ok := f.Entry.(*scanFile)
	if !ok {
		return nil, fmt.Errorf("iceberg: data file %s was not written or planned by this package", f.Path)
	}
	return e, nil
}

// deleteFile is the contract's form of a delete file.
func (f *ContentFile) deleteFile() storage.DeleteFile {
	return storage.DeleteFile{Path: f.Path, Offset: value(f.ContentOffset, 0), Records: f.Records, Entry: f}
}

// withoutRemoved drops data files that were removed.
func (c *changes) withoutRemoved(files []*ContentFile) []*ContentFile {
	var out []*ContentFile
	for _, f := range files {
		if !c.removed[f.Path] {
			out = append(out, f)
		}
	}
	return out
}

// withoutRemovedDeletes drops delete files that were removed.
func (c *changes) withoutRemovedDeletes(files []*ContentFile) []*ContentFile {
	var out []*ContentFile
	for _, f := range files {
		if !c.removedDeletes[f.key()] {
			out = append(out, f)
		}
	}
	return out
}
