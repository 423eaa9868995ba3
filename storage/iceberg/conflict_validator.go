package iceberg

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/storage"
)

// conflictValidator decides whether a change computed on base may follow what was
// committed since. By what the snapshots in between did and the change's level:
//
//	snapshot in between               SnapshotIsolation  WriteSerializable  Serializable
//	another schema, partition spec
//	  or format version               conflict           conflict           conflict
//	removes a data or delete file
//	  that the change removes, or
//	  has deletes for                 conflict           conflict           conflict
//	adds deletes for a data file
//	  that the change writes anew
//	  or has a deletion vector for    conflict           conflict           conflict
//	deletes a row that the change
//	  deletes by position and may
//	  have a new form of              conflict           conflict           conflict
//	removes rows that the change
//	  may have read                   –                  conflict           conflict
//	adds rows that the change may
//	  have read, and removes some
//	  or has read itself              –                  conflict           conflict
//	appends such rows blindly         –                  –                  conflict
//
// Equality deletes of the change need no check: they take away what has come in
// between too. A snapshot that only replaces files changes no row that was read.
type conflictValidator struct {
	base, head *Snapshot
	changes    *changes
	isolation  storage.Isolation
	pruner     *filePruner     // of what was read; nil if nothing counts
	touched    map[string]bool // data files that the change has position deletes for, by path
	rewritten  []*ContentFile  // data files that the change removes
	vectors    map[string]bool // data files that the change has deletion vectors for
	replaced   *filePruner     // of rows that the change may have new forms of, after deleting them by position; nil for none
}

func newConflictValidator(base, head *Snapshot, delta *storage.RowDelta) (*conflictValidator, error) {
	v := &conflictValidator{base: base, head: head, isolation: head.isolation(delta), touched: map[string]bool{}, vectors: map[string]bool{}}
	var err error
	if v.changes, err = newChanges(delta); err != nil {
		return nil, err
	}
	for _, f := range delta.Removed {
		e, err := entryOf(f)
		if err != nil {
			return nil, err
		}
		v.rewritten = append(v.rewritten, e.file)
	}
	own := map[string]bool{}
	for _, f := range v.changes.added {
		own[f.Path] = true
	}
	for _, f := range v.changes.addedDeletes {
		for _, path := range f.targets {
			if !own[path] {
				v.touched[path] = true
				v.vectors[path] = v.vectors[path] || f.isDeletionVector()
			}
		}
	}
	if read := delta.Reads(v.isolation, len(base.schema.Fields)); read != nil {
		v.pruner = newFilePruner(base, read)
	}
	if len(v.touched) > 0 && len(v.changes.added) > 0 {
		read := delta.Reads(storage.WriteSerializable, len(base.schema.Fields))
		if read == nil {
			read = expr.True
		}
		v.replaced = newFilePruner(base, read)
	}
	return v, nil
}

// isolationProperties are the table's own levels by statement.
var isolationProperties = map[string]string{"DELETE": "write.delete.isolation-level", "UPDATE": "write.update.isolation-level", "MERGE": "write.merge.isolation-level"}

// isolation is the stricter of what the transaction and the table ask for.
func (s *Snapshot) isolation(d *storage.RowDelta) storage.Isolation {
	if name, ok := isolationProperties[d.Operation]; ok && strings.EqualFold(s.metadata.Properties[name], "serializable") {
		return storage.Serializable
	}
	return d.Isolation
}

// validate goes through the snapshots between base and head.
func (v *conflictValidator) validate(ctx context.Context) error {
	b, h := v.base.metadata, v.head.metadata
	switch {
	case b.UUID != h.UUID:
		return v.conflict(nil, "the table was replaced by another")
	case b.CurrentSchemaID != h.CurrentSchemaID || v.base.schema.ID != v.head.schema.ID:
		return v.conflict(nil, "it changed the table's schema")
	case b.DefaultSpecID != h.DefaultSpecID:
		return v.conflict(nil, "it changed the table's partition spec")
	case b.FormatVersion != h.FormatVersion:
		return v.conflict(nil, "it changed the table's format version")
	}
	for _, f := range v.changes.added {
		if h.spec(f.Spec.ID) == nil {
			return v.conflict(nil, "it removed the table's partition spec")
		}
	}
	between, found := v.between()
	if !found {
		return v.conflict(v.head.record, "the history back to the state that the change was computed on is not known any more")
	}
	for _, record := range between {
		if err := v.snapshot(ctx, record); err != nil {
			return err
		}
	}
	return nil
}

// between lists the snapshots after base's up to head's, the oldest first; found
// is false if base's is no ancestor.
func (v *conflictValidator) between() (list []*SnapshotRecord, found bool) {
	for r := v.head.record; r != nil; {
		if v.base.record != nil && r.SnapshotID == v.base.record.SnapshotID {
			slices.Reverse(list)
			return list, true
		}
		list = append(list, r)
		if r.ParentSnapshotID == nil {
			break
		}
		parent := v.head.metadata.snapshot(*r.ParentSnapshotID)
		if parent == nil {
			return nil, false
		}
		r = parent
	}
	slices.Reverse(list)
	return list, v.base.record == nil
}

// snapshot checks what a snapshot did.
func (v *conflictValidator) snapshot(ctx context.Context, r *SnapshotRecord) error {
	s := v.head.at(r)
	manifests, err := s.list(ctx)
	if err != nil {
		return err
	}
	var own []*ManifestFile
	for _, m := range manifests {
		if m.AddedSnapshotID == r.SnapshotID || m.AddedSnapshotID == 0 {
			own = append(own, m)
		}
	}
	entries, err := s.entries(ctx, own)
	if err != nil {
		return err
	}
	var deletes []*ContentFile
	for _, f := range entries {
		if f.SnapshotID != r.SnapshotID || f.status == entryExisting {
			continue
		}
		if f.status == entryAdded && f.Content != Data {
			deletes = append(deletes, f)
		}
		if reason := v.entry(r, f); reason != "" {
			return v.conflict(r, reason)
		}
	}
	if err := v.newDeletes(r, deletes); err != nil {
		return err
	}
	return v.deletesOfReplaced(ctx, r, deletes)
}

// entry gives the reason why a file that was added or removed conflicts.
func (v *conflictValidator) entry(r *SnapshotRecord, f *ContentFile) string {
	name := v.head.displayPath(f.Path)
	removed := f.status == entryDeleted
	switch {
	case removed && f.Content == Data && (v.changes.removed[f.Path] || v.touched[f.Path]):
		return "it removed " + name + ", which the change takes rows from too"
	case removed && f.Content != Data && v.changes.removedDeletes[f.key()]:
		return "it replaced the deletes in " + name + ", which the change replaces too"
	case v.pruner == nil || r.Summary["operation"] == "replace":
		return ""
	case removed && f.Content == Data && v.pruner.mayMatch(f):
		return "it removed rows of " + name + ", which the change may have read"
	case !removed && f.Content == Data && (!r.isBlindAppend() || v.isolation == storage.Serializable) && v.pruner.mayMatchPartition(f) && v.pruner.mayMatch(f):
		return "it added rows in " + name + " that the change would have read"
	case !removed && f.Content == EqualityDeletes && v.mayDeleteRead(f):
		return "it deleted rows by key in " + name + ", which the change may have read"
	}
	return ""
}

// blindAppend is the property of a snapshot's summary which says that an append
// does not depend on rows of the table. Where others have left it out it does not.
const blindAppend = "tarn.blind-append"

func (r *SnapshotRecord) isBlindAppend() bool {
	return r.Summary["operation"] == "append" && r.Summary[blindAppend] != "false"
}

// mayDeleteRead tells whether an equality delete file can take away rows that
// were read: its keys have bounds as rows have.
func (v *conflictValidator) mayDeleteRead(f *ContentFile) bool {
	return (f.Spec.isUnpartitioned() || v.pruner.mayMatchPartition(f)) && v.pruner.mayMatch(f)
}

// newDeletes checks delete files that were added.
func (v *conflictValidator) newDeletes(r *SnapshotRecord, added []*ContentFile) error {
	if len(added) == 0 {
		return nil
	}
	index, err := newDeleteFileIndex(v.head.metadata, added)
	if err != nil {
		return err
	}
	for _, f := range v.rewritten {
		if !index.forFile(f).isEmpty() {
			return v.conflict(r, "it deleted rows of "+v.head.displayPath(f.Path)+", which the change writes anew")
		}
	}
	for _, f := range added {
		if f.isDeletionVector() && v.vectors[f.ReferencedDataFile] {
			return v.conflict(r, "it deleted rows of "+v.head.displayPath(f.ReferencedDataFile)+", whose deletes the change replaces")
		}
		if f.Content != PositionDeletes || v.pruner == nil {
			continue
		}
		// What rows they were is not known: those of any file of the partition.
		if v.pruner.mayMatchPartition(f) {
			return v.conflict(r, "it deleted rows by position in "+v.head.displayPath(f.Path)+", which the change may have read")
		}
	}
	return nil
}

// deletesOfReplaced checks added delete files against the rows that the change has new
// forms of: if both were there, a row would have two. Who only deletes a row deletes
// it once more.
func (v *conflictValidator) deletesOfReplaced(ctx context.Context, r *SnapshotRecord, added []*ContentFile) error {
	if v.replaced == nil {
		return nil
	}
	for _, f := range added {
		reason := "it deleted rows in " + v.head.displayPath(f.Path) + " that the change deletes too"
		if f.Content == EqualityDeletes && (f.Spec.isUnpartitioned() || v.replaced.mayMatchPartition(f)) && v.replaced.mayMatch(f) {
			return v.conflict(r, reason)
		}
		for _, own := range v.changes.addedDeletes {
			if f.Content != PositionDeletes || f.isDeletionVector() || own.Content != PositionDeletes || own.isDeletionVector() {
				continue
			}
			if same, err := v.deleteSameRow(ctx, f, own); err != nil {
				return err
			} else if same {
				return v.conflict(r, reason)
			}
		}
	}
	return nil
}

// deleteSameRow tells whether two position delete files have a row in common.
func (v *conflictValidator) deleteSameRow(ctx context.Context, a, b *ContentFile) (bool, error) {
	ofA, err := v.head.table.positionDeletes(ctx, v.head.metadata, a)
	if err != nil {
		return false, err
	}
	ofB, err := v.head.table.positionDeletes(ctx, v.head.metadata, b)
	for path, rows := range ofA {
		if other, ok := ofB[path]; ok && rows.Intersects(other) {
			return true, err
		}
	}
	return false, err
}

func (v *conflictValidator) conflict(r *SnapshotRecord, reason string) error {
	c := &storage.CommitConflict{Table: v.head.table.name.String(), Base: v.base.Version(), Version: v.head.Version(), Operation: "another commit", Reason: reason}
	if r != nil {
		c.Version, c.Operation = storage.Version(r.SnapshotID), fmt.Sprint(r.Summary["operation"])
	}
	return c
}
