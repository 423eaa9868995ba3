package iceberg

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/deletes"
	"github.com/tarndb/tarn/storage/object"
	"github.com/tarndb/tarn/storage/parquet"
)

// deletedRows gives the positions of the rows of a data file that are deleted,
// nil for none: those of its deletion vector, or of all its position delete
// files.
func (t *Table) deletedRows(ctx context.Context, m *TableMetadata, f *scanFile) (*deletes.PositionSet, error) {
	if v := f.deletes.vector; v != nil {
		return t.deletionVector(ctx, m, v)
	}
	var rows *deletes.PositionSet
	for i, d := range f.deletes.positions {
		byFile, err := t.positionDeletes(ctx, m, d)
		if err != nil {
			return nil, err
		}
		set := byFile[f.file.Path]
		switch {
		case set == nil:
		case rows == nil && i == len(f.deletes.positions)-1:
			rows = set
		case rows == nil:
			rows = set.Clone()
		default:
			rows.Or(set)
		}
	}
	return rows, nil
}

// positionDeletes reads a position delete file (spec, "Position Delete Files").
func (t *Table) positionDeletes(ctx context.Context, m *TableMetadata, d *ContentFile) (map[string]*deletes.PositionSet, error) {
	return t.positions.Get(d.Path, func() (map[string]*deletes.PositionSet, error) {
		rows, err := t.openPositionDeletes(ctx, m, d)
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		out := map[string]*deletes.PositionSet{}
		for {
			b, err := rows.Next(ctx)
			if errors.Is(err, io.EOF) {
				return out, nil
			}
			if err != nil {
				return nil, fmt.Errorf("position delete file %s: %w", d.Path, err)
			}
			var path string
			var set *deletes.PositionSet
			for i := range b.Rows() {
				row := b.Row(i)
				if b.Columns[0].IsNull(row) || b.Columns[1].IsNull(row) {
					continue // some writers have left such rows; they name no row
				}
				if p := b.Columns[0].Bytes(row); set == nil || path != string(p) {
					path = string(p)
					if set = out[path]; set == nil {
						set = deletes.NewPositionSet()
						out[path] = set
					}
				}
				position := b.Columns[1].Value(row).(int64)
				if position < 0 {
					return nil, &storage.CorruptTable{Path: d.Path, Offset: -1, Reason: fmt.Sprintf("position delete file has position %d", position)}
				}
				set.Add(position)
			}
		}
	})
}

// positionColumns are the columns of a position delete file.
var positionColumns = []types.Field{
	{ID: deletePathID, Name: "file_path", Type: types.Of(types.String)},
	{ID: deletePositionID, Name: "pos", Type: types.Of(types.BigInt)},
}

func (t *Table) openPositionDeletes(ctx context.Context, m *TableMetadata, d *ContentFile) (storage.BatchReader, error) {
	store, path, err := t.resolve(m, d.Path)
	if err != nil {
		return nil, err
	}
	switch d.Format {
	case "parquet":
		file, err := parquet.Open(ctx, store, path, -1, parquet.OpenOptions{})
		if err != nil {
			return nil, err
		}
		return file.Read(parquet.ReadOptions{Columns: positionColumns, ByID: file.HasFieldIDs()})
	case "avro":
		body, err := store.Get(ctx, path)
		if err != nil {
			return nil, dataFileError(path, err)
		}
		return newAvroRows(path, body, parquet.ReadOptions{Columns: positionColumns}, nil, avroValues{}, nil)
	}
	return nil, &storage.UnsupportedFeature{Table: t.name.String(), Feature: d.Format + " delete files"}
}

// dataFileError makes a missing object a missing data file.
func dataFileError(path string, err error) error {
	if errors.Is(err, object.ErrNotFound) {
		return fmt.Errorf("%w: %s", storage.ErrDataFileMissing, path)
	}
	return err
}

// vectorKey identifies a blob of a Puffin file.
type vectorKey struct {
	path   string
	offset int64
}

// maxVectorBytes bounds the size of a deletion vector.
const maxVectorBytes = 1 << 30

// deletionVector reads a deletion vector: a blob of a Puffin file at the place
// that the manifest tells (spec, "Deletion Vectors"; Puffin spec,
// "deletion-vector-v1").
func (t *Table) deletionVector(ctx context.Context, m *TableMetadata, d *ContentFile) (*deletes.PositionSet, error) {
	damaged := func(reason string, cause error) error {
		return &storage.CorruptTable{Path: d.Path, Offset: value(d.ContentOffset, -1), Reason: reason, Cause: cause}
	}
	if d.ContentOffset == nil || d.ContentSize == nil || *d.ContentOffset < 0 || *d.ContentSize < 0 || *d.ContentSize > maxVectorBytes {
		return nil, damaged("the place of the deletion vector is missing or wrong", nil)
	}
	return t.vectors.Get(vectorKey{d.Path, *d.ContentOffset}, func() (*deletes.PositionSet, error) {
		store, path, err := t.resolve(m, d.Path)
		if err != nil {
			return nil, err
		}
		blob := make([]byte, *d.ContentSize)
		if _, err := store.GetRange(ctx, path, *d.ContentOffset, blob); errors.Is(err, io.EOF) {
			return nil, damaged("file ends within the deletion vector", err)
		} else if err != nil {
			return nil, dataFileError(path, err)
		}
		rows, err := deletes.ParseFramed(blob)
		if err != nil {
			return nil, damaged("deletion vector", err)
		}
		if rows.Cardinality() != d.Records {
			return nil, damaged(fmt.Sprintf("deletion vector has %d rows, not %d", rows.Cardinality(), d.Records), nil)
		}
		return rows, nil
	})
}
