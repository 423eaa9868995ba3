package delta

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/google/uuid"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/deletes"
	"github.com/tarndb/tarn/storage/delta/internal/action"
	"github.com/tarndb/tarn/storage/delta/internal/z85"
	"github.com/tarndb/tarn/storage/object"
)

// uuidChars is the length of a UUID in base85.
const uuidChars = 20

// deletedRows gives the rows of a file that its deletion vector takes away; nil
// if it has none.
func (t *Table) deletedRows(ctx context.Context, f *activeFile) (*deletes.PositionSet, error) {
	if f.add.DeletionVector == nil {
		return nil, nil
	}
	return t.vectors.Get(f.key(), func() (*deletes.PositionSet, error) {
		rows, err := t.readDeletionVector(ctx, f.add.DeletionVector)
		if err != nil {
			return nil, fmt.Errorf("deletion vector of %s: %w", f.path, err)
		}
		return rows, nil
	})
}

// readDeletionVector reads what a descriptor points at (protocol, "Deletion
// Vector Descriptor Schema").
func (t *Table) readDeletionVector(ctx context.Context, d *action.DeletionVector) (*deletes.PositionSet, error) {
	var rows *deletes.PositionSet
	var err error
	if d.StorageType == "i" {
		rows, err = parseInline(d)
	} else {
		rows, err = t.readStored(ctx, d)
	}
	if err != nil {
		return nil, err
	}
	if n := rows.Cardinality(); n != d.Cardinality {
		return nil, fmt.Errorf("%w: it has %d rows and the log says %d", storage.ErrCorrupt, n, d.Cardinality)
	}
	return rows, nil
}

func parseInline(d *action.DeletionVector) (*deletes.PositionSet, error) {
	b, err := z85.Decode(d.PathOrInlineDV)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", storage.ErrCorrupt, err)
	}
	// The text is padded to whole groups; the size is of what was encoded.
	if size := int(d.SizeInBytes); size >= 0 && size < len(b) {
		b = b[:size]
	}
	return deletes.Parse(b)
}

// vectorPath gives the decoded path of the file that a vector is in.
func vectorPath(d *action.DeletionVector) (string, error) {
	switch d.StorageType {
	case "p":
		return decodePath(d.PathOrInlineDV)
	case "u":
		text := d.PathOrInlineDV
		if len(text) < uuidChars {
			return "", fmt.Errorf("%w: %q is too short for a UUID", storage.ErrCorrupt, text)
		}
		prefix, encoded := text[:len(text)-uuidChars], text[len(text)-uuidChars:]
		b, err := z85.Decode(encoded)
		if err != nil {
			return "", fmt.Errorf("%w: %w", storage.ErrCorrupt, err)
		}
		name := "deletion_vector_" + uuid.UUID(b).String() + ".bin"
		if prefix != "" {
			name = prefix + "/" + name
		}
		return name, nil
	}
	return "", fmt.Errorf("%w: storage type %q", storage.ErrCorrupt, d.StorageType)
}

// readStored reads a vector from its file (protocol, "Deletion Vector File
// Storage Format").
func (t *Table) readStored(ctx context.Context, d *action.DeletionVector) (*deletes.PositionSet, error) {
	decoded, err := vectorPath(d)
	if err != nil {
		return nil, err
	}
	store, path, err := t.resolve(decoded)
	if err != nil {
		return nil, err
	}
	var offset int64
	if d.Offset != nil {
		offset = int64(*d.Offset)
	}
	const maxVectorBytes = 1 << 30
	if d.SizeInBytes < 0 || d.SizeInBytes > maxVectorBytes || offset < 0 {
		return nil, fmt.Errorf("%w: %d bytes at %d of %s", storage.ErrCorrupt, d.SizeInBytes, offset, path)
	}
	blob := make([]byte, int(d.SizeInBytes)+deletes.FramingBytes)
	_, err = store.GetRange(ctx, path, offset, blob)
	switch {
	case errors.Is(err, object.ErrNotFound):
		return nil, fmt.Errorf("%w: %s: %w", storage.ErrDataFileMissing, path, err)
	case err == io.EOF:
		return nil, &storage.CorruptTable{Path: path, Offset: offset, Reason: fmt.Sprintf("file ends within the vector of %d bytes", d.SizeInBytes)}
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	rows, err := deletes.ParseFramed(blob)
	if err != nil {
		return nil, &storage.CorruptTable{Path: path, Offset: offset, Reason: "deletion vector", Cause: err}
	}
	return rows, nil
}
