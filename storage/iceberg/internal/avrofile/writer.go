package avrofile

import (
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"maps"

	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"
)

// Writer writes the rows of a file.
type Writer struct {
	rows *ocf.Writer
}

// NewWriter begins a file of a schema, which is the JSON of a record. The
// metadata goes into the header. Codecs are named as the table properties of
// Iceberg name them.
func NewWriter(w io.Writer, schema any, metadata map[string]string, codec string) (*Writer, error) {
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	s, err := avro.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("avro schema: %w", err)
	}
	header := map[string][]byte{}
	for key, v := range maps.All(metadata) {
		header[key] = []byte(v)
	}
	c, err := codecNamed(codec)
	if err != nil {
		return nil, err
	}
	rows, err := ocf.NewWriter(w, s, ocf.WithMetadata(header), ocf.WithCodec(c))
	return &Writer{rows}, err
}

// codecNamed gives the codec of a table property.
func codecNamed(name string) (ocf.Codec, error) {
	switch name {
	case "gzip":
		return ocf.DeflateCodec(flate.DefaultCompression), nil
	case "uncompressed":
		return nil, nil
	case "snappy":
		return ocf.SnappyCodec(), nil
	case "zstd":
		return ocf.ZstdCodec(nil, nil)
	}
	return nil, fmt.Errorf("compression %q of Avro files is unknown; it can be gzip, snappy, zstd or uncompressed", name)
}

// Encode appends a row: a struct with avro tags, or a map by field names.
func (w *Writer) Encode(row any) error { return w.rows.Encode(row) }

// Append appends a row that is encoded already.
func (w *Writer) Append(row []byte) error {
	_, err := w.rows.Write(row)
	return err
}

// Close writes what is left; closing what is written to is the caller's affair.
func (w *Writer) Close() error { return w.rows.Close() }
