package txn

import (
	"slices"
	"strings"

	"github.com/google/btree"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/storage"
)

// writeSet is the staged change of one table. Its files are in copy-on-write
// trees by path, so a savepoint is a clone.
type writeSet struct {
	added   *btree.BTreeG[storage.DataFile]
	removed *btree.BTreeG[storage.DataFile]

	addedDeletes, removedDeletes []storage.DeleteFile

	definition *storage.TableDefinition
	readFilter expr.Expr // see storage.RowDelta.ReadFilter
	operation  string
	parameters map[string]string
	statements int
	// superseded are files that the transaction wrote and then removed again; no
	// state names them.
	superseded        []storage.DataFile
	supersededDeletes []storage.DeleteFile
}

const writeSetDegree = 16

func newWriteSet() *writeSet {
	byPath := func(a, b storage.DataFile) bool { return strings.Compare(a.Path, b.Path) < 0 }
	return &writeSet{added: btree.NewG(writeSetDegree, byPath), removed: btree.NewG(writeSetDegree, byPath)}
}

// clone gives a copy that shares structure.
func (w *writeSet) clone() *writeSet {
	out := *w
	out.added, out.removed = w.added.Clone(), w.removed.Clone()
	out.addedDeletes, out.removedDeletes = slices.Clone(w.addedDeletes), slices.Clip(w.removedDeletes)
	out.superseded, out.supersededDeletes = slices.Clip(w.superseded), slices.Clip(w.supersededDeletes)
	return &out
}

// statement notes a statement for the history. Several statements have the
// name of what they amount to.
func (w *writeSet) statement(operation string, parameters map[string]string) {
	w.statements++
	switch {
	case w.statements == 1:
		w.operation, w.parameters = operation, parameters
	case w.operation == "CREATE TABLE":
		w.operation = "CREATE TABLE AS SELECT"
	case w.operation != operation:
		w.operation, w.parameters = "MERGE", nil
	default:
		w.parameters = nil
	}
}

// stage adds a change that was computed on the state with this one applied.
func (w *writeSet) stage(d storage.RowDelta) {
	w.statement(d.Operation, d.Parameters)
	if d.Definition != nil {
		w.definition = d.Definition
	}
	w.readFilter = storage.UnionReads(w.readFilter, d.ReadFilter)
	for _, f := range d.Removed {
		if own, ok := w.added.Delete(f); ok {
			w.superseded = append(w.superseded, own)
			continue
		}
		w.removed.ReplaceOrInsert(f)
	}
	for _, f := range d.RemovedDeletes {
		if i := slices.IndexFunc(w.addedDeletes, f.Is); i >= 0 {
			w.addedDeletes = slices.Delete(w.addedDeletes, i, i+1)
			w.supersededDeletes = append(w.supersededDeletes, f)
		} else if !slices.ContainsFunc(w.removedDeletes, f.Is) {
			w.removedDeletes = append(w.removedDeletes, f)
		}
	}
	w.addFiles(d.Added)
	w.addedDeletes = append(w.addedDeletes, d.AddedDeletes...)
}

func (w *writeSet) addFiles(files []storage.DataFile) {
	for _, f := range files {
		w.added.ReplaceOrInsert(f)
	}
}

// delta gives the whole change.
func (w *writeSet) delta() storage.RowDelta {
	d := storage.RowDelta{Definition: w.definition, ReadFilter: w.readFilter, Operation: w.operation, Parameters: w.parameters,
		AddedDeletes: w.addedDeletes, RemovedDeletes: w.removedDeletes}
	w.added.Ascend(func(f storage.DataFile) bool {
		d.Added = append(d.Added, f)
		return true
	})
	w.removed.Ascend(func(f storage.DataFile) bool {
		d.Removed = append(d.Removed, f)
		return true
	})
	return d
}

// supersededFiles are the files of supersededDeletes that no blob is left in.
func (w *writeSet) supersededFiles() []storage.DeleteFile {
	return slices.DeleteFunc(slices.Clone(w.supersededDeletes), func(f storage.DeleteFile) bool {
		return slices.ContainsFunc(w.addedDeletes, func(kept storage.DeleteFile) bool { return kept.Path == f.Path })
	})
}

// deletes are all delete files that the transaction wrote.
func (w *writeSet) deletes() []storage.DeleteFile {
	return slices.Concat(w.supersededDeletes, w.addedDeletes)
}

// files are all data files that the transaction wrote.
func (w *writeSet) files() []storage.DataFile {
	files := append([]storage.DataFile{}, w.superseded...)
	w.added.Ascend(func(f storage.DataFile) bool {
		files = append(files, f)
		return true
	})
	return files
}
