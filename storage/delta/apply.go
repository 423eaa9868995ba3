package delta

import (
	"fmt"

	"github.com/tarndb/tarn/storage"
)

// Apply implements storage.Snapshot.
func (s *Snapshot) Apply(delta storage.RowDelta) (storage.Snapshot, error) {
	out := &Snapshot{table: s.table, version: s.version, protocol: s.protocol, metadata: s.metadata, txns: s.txns, domains: s.domains,
		info: s.info, commit: s.commit}
	tree := s.cloneFiles()
	if delta.Definition != nil && s.version != storage.NoVersion {
		return nil, s.unsupportedWrite("CREATE OR REPLACE TABLE")
	}
	if delta.Definition != nil {
		d, err := s.table.define(delta.Definition)
		if err != nil {
			return nil, err
		}
		out.protocol, out.metadata = d.protocol, d.metadata
	}
	for _, f := range delta.Removed {
		file, err := entryOf(f)
		if err != nil {
			return nil, err
		}
		tree.Delete(file)
	}
	for _, f := range delta.Added {
		file, err := entryOf(f)
		if err != nil {
			return nil, err
		}
		tree.ReplaceOrInsert(file)
	}
	out.adopt(tree)
	return out, nil
}

// entryOf gives the format's own record of a file.
func entryOf(f storage.DataFile) (*activeFile, error) {
	file, ok := f.Entry.(*activeFile)
	if !ok {
		return nil, fmt.Errorf("delta: data file %s was not written or planned by this package", f.Path)
	}
	return file, nil
}
