package iceberg

import (
	"encoding/binary"
	"strconv"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage/deletes"
)

// rowPositionID is the field id of a row's position in its file (spec, "Reserved
// Field IDs").
const rowPositionID types.FieldID = 2147483645

// vectorBlob is the deletion vector of a data file and its place in a Puffin
// file.
type vectorBlob struct {
	Path           string // as metadata has it
	Rows           *deletes.PositionSet
	Offset, Length int64
}

// puffinFooter is the footer of a Puffin file (Puffin spec, "FileMetadata").
type puffinFooter struct {
	Blobs      []puffinBlob      `json:"blobs"`
	Properties map[string]string `json:"properties"`
}

type puffinBlob struct {
	Type           string            `json:"type"`
	Fields         []types.FieldID   `json:"fields"`
	SnapshotID     int64             `json:"snapshot-id"`
	SequenceNumber int64             `json:"sequence-number"`
	Offset         int64             `json:"offset"`
	Length         int64             `json:"length"`
	Properties     map[string]string `json:"properties"`
}

const (
	puffinMagic = "PFA1"
	// inheritedID stands for the snapshot and the sequence number of a vector,
	// which are not known while it is written (Puffin spec, "deletion-vector-v1").
	inheritedID = -1
	createdBy   = "tarn"
)

// encodePuffin gives a Puffin file of deletion vectors and fills in their places
// (Puffin spec, "File structure").
func encodePuffin(vectors []vectorBlob) ([]byte, error) {
	b := []byte(puffinMagic)
	footer := puffinFooter{Blobs: []puffinBlob{}, Properties: map[string]string{"created-by": createdBy}}
	for i := range vectors {
		v := &vectors[i]
		v.Offset = int64(len(b))
		b = v.Rows.AppendFramed(b)
		v.Length = int64(len(b)) - v.Offset
		footer.Blobs = append(footer.Blobs, puffinBlob{Type: "deletion-vector-v1", Fields: []types.FieldID{rowPositionID},
			SnapshotID: inheritedID, SequenceNumber: inheritedID, Offset: v.Offset, Length: v.Length,
			Properties: map[string]string{"referenced-data-file": v.Path, "cardinality": strconv.FormatInt(v.Rows.Cardinality(), 10)}})
	}
	payload, err := marshal(footer)
	if err != nil {
		return nil, err
	}
	b = append(append(b, puffinMagic...), payload...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = append(b, 0, 0, 0, 0) // flags: the payload is not compressed
	return append(b, puffinMagic...), nil
}
