package iceberg

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/deletes"
)

// deleteWriter collects the rows that files of the table lose, and writes them
// as deletion vectors from v3 on, as position delete files before (spec, "Deletion
// Vectors", "Position Delete Files").
type deleteWriter struct {
	*deltaWriter
	partitionKeys partitionKeys
	vectors       []vectorBlob
	targets       []*ContentFile // of vectors
	positions     map[deleteGroup]map[string]*deletes.PositionSet
	specs         map[deleteGroup]*ContentFile // a file of the partition
}

// deleteGroup is what goes into one position delete file.
type deleteGroup struct{ partition, path string }

// add notes the rows that a file loses: those of l, which together with those
// that are gone already are all.
func (d *deleteWriter) add(l *losingFile, all *deletes.PositionSet, result *storage.WriteResult) {
	f := l.file.file
	if d.base.metadata.FormatVersion >= 3 {
		// A reader of a vector looks at no other deletes by position.
		d.vectors, d.targets = append(d.vectors, vectorBlob{Path: f.Path, Rows: all}), append(d.targets, f)
		result.RemovedDeletes = append(result.RemovedDeletes, l.file.ownDeletes()...)
		return
	}
	d.addPositions(f, l.rows)
}

func (d *deleteWriter) addPositions(f *ContentFile, rows *deletes.PositionSet) {
	g := deleteGroup{partition: d.partitionKeys.of(f)}
	if d.properties.deletesByFile {
		g.path = f.Path
	}
	if d.positions == nil {
		d.positions, d.specs = map[deleteGroup]map[string]*deletes.PositionSet{}, map[deleteGroup]*ContentFile{}
	}
	if d.positions[g] == nil {
		d.positions[g], d.specs[g] = map[string]*deletes.PositionSet{}, f
	}
	d.positions[g][f.Path] = rows
}

// complete writes the files.
func (d *deleteWriter) complete(ctx context.Context, result *storage.WriteResult) error {
	if err := d.writeVectors(ctx); err != nil {
		return err
	}
	groups := slices.SortedFunc(maps.Keys(d.positions), func(a, b deleteGroup) int {
		return slices.Compare([]string{a.partition, a.path}, []string{b.partition, b.path})
	})
	for _, g := range groups {
		if err := d.writePositions(ctx, d.specs[g], d.positions[g]); err != nil {
			return err
		}
	}
	for _, f := range d.written {
		result.DeleteFiles = append(result.DeleteFiles, f.deleteFile())
	}
	return nil
}

// writeVectors writes one Puffin file with all vectors.
func (d *deleteWriter) writeVectors(ctx context.Context) error {
	if len(d.vectors) == 0 {
		return nil
	}
	body, err := encodePuffin(d.vectors)
	if err != nil {
		return err
	}
	path := d.files.path("", "-deletes.puffin")
	for i, v := range d.vectors {
		target := d.targets[i]
		f := &ContentFile{Content: PositionDeletes, Path: d.files.locationOf(path), Format: "puffin", Spec: target.Spec, Partition: target.Partition,
			Records: v.Rows.Cardinality(), SizeBytes: int64(len(body)), ReferencedDataFile: v.Path, ContentOffset: &v.Offset, ContentSize: &v.Length}
		d.note(f, path, []string{v.Path})
	}
	return d.files.store.Put(ctx, path, body)
}

// note keeps a delete file that is written.
func (d *deleteWriter) note(f *ContentFile, path string, targets []string) {
	f.status, f.SequenceNumber = entryAdded, d.base.metadata.nextSequenceNumber()
	f.FileSequenceNumber = f.SequenceNumber
	f.written, f.targets = &writtenFile{d.files.store, path}, targets
	d.written = append(d.written, f)
}

// writePositions writes a position delete file for files of a partition.
func (d *deleteWriter) writePositions(ctx context.Context, of *ContentFile, rows map[string]*deletes.PositionSet) error {
	path := d.files.path(d.partitions.directoryOf(of), "-deletes."+d.properties.deleteFormat)
	out, err := d.files.store.Create(ctx, path)
	if err != nil {
		return err
	}
	records, size, metrics, err := writePositionDeletes(out, d.properties.newRows(d.properties.deleteFormat), rows)
	if err != nil {
		return errors.Join(err, out.Abort())
	}
	if err := out.Close(); err != nil {
		return err
	}
	f := &ContentFile{Content: PositionDeletes, Path: d.files.locationOf(path), Format: d.properties.deleteFormat, Spec: of.Spec, Partition: of.Partition,
		Records: records, SizeBytes: size, Metrics: metrics}
	targets := slices.Sorted(maps.Keys(rows))
	if len(targets) == 1 {
		f.ReferencedDataFile = targets[0]
	}
	d.note(f, path, targets)
	return nil
}
