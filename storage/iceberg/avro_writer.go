package iceberg

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/iceberg/internal/avrofile"
	"github.com/tarndb/tarn/storage/parquet"
	"github.com/tarndb/tarn/storage/writer"
)

// newRowWriter begins a data or delete file.
func newRowWriter(format string, out io.Writer, schema types.Schema, parquetOptions parquet.WriterOptions, avroCodec string) (writer.RowWriter, error) {
	switch format {
	case "parquet":
		return parquet.NewWriter(out, schema, parquetOptions)
	case "avro":
		return newAvroWriter(out, schema, avroCodec)
	}
	return nil, &storage.UnsupportedFeature{Feature: "files in " + format, Writing: true}
}

// avroWriter writes an Avro data or delete file (spec, Appendix A, "Avro"). It
// tells no statistics, as the reference implementation does.
type avroWriter struct {
	out    countingWriter
	file   *avrofile.Writer
	fields []types.Field
	row    []byte
	rows   int64
}

// countingWriter counts what goes through it.
type countingWriter struct {
	to   io.Writer
	size int64
}

// Write implements io.Writer.
func (w *countingWriter) Write(b []byte) (int, error) {
	n, err := w.to.Write(b)
	w.size += int64(n)
	return n, err
}

func newAvroWriter(out io.Writer, schema types.Schema, codec string) (*avroWriter, error) {
	record, err := avroRecord("table", schema.Fields)
	if err != nil {
		return nil, err
	}
	w := &avroWriter{out: countingWriter{to: out}, fields: schema.Fields}
	w.file, err = avrofile.NewWriter(&w.out, record, nil, codec)
	return w, err
}

// Write implements writer.RowWriter.
func (w *avroWriter) Write(b *vector.Batch) error {
	for k := range b.Rows() {
		w.row = w.row[:0]
		for i, f := range w.fields {
			var err error
			if w.row, err = appendAvroField(w.row, f, b.Columns[i].Value(b.Row(k))); err != nil {
				return fmt.Errorf("write avro: column %s: %w", types.QuoteIdent(f.Name), err)
			}
		}
		if err := w.file.Append(w.row); err != nil {
			return fmt.Errorf("write avro: %w", err)
		}
		w.rows++
	}
	return nil
}

// Rows implements writer.RowWriter.
func (w *avroWriter) Rows() int64 { return w.rows }

// Size implements writer.RowWriter: without the block at hand, which is small.
func (w *avroWriter) Size() int64 { return w.out.size }

// Close implements writer.RowWriter.
func (w *avroWriter) Close() (storage.FileStats, int64, error) {
	if err := w.file.Close(); err != nil {
		return storage.FileStats{}, 0, fmt.Errorf("write avro: %w", err)
	}
	return storage.FileStats{}, w.rows, nil
}

// appendAvroField appends a value, behind the branch of the union of a field
// that can be NULL.
func appendAvroField(dst []byte, f types.Field, v any) ([]byte, error) {
	const null, other = 0, 1
	switch {
	case f.Type.Kind == types.Void:
		return dst, nil
	case !f.Nullable && v == nil:
		return nil, fmt.Errorf("NULL in a column that is not nullable: %w", storage.ErrConstraint)
	case v == nil:
		return binary.AppendVarint(dst, null), nil
	case f.Nullable:
		dst = binary.AppendVarint(dst, other)
	}
	return appendAvro(dst, f.Type, v)
}

// appendAvro appends a value that is not NULL (Avro specification, "Binary
// Encoding").
func appendAvro(dst []byte, t types.Type, v any) ([]byte, error) {
	switch v := v.(type) {
	case bool:
		if v {
			return append(dst, 1), nil
		}
		return append(dst, 0), nil
	case int64:
		return binary.AppendVarint(dst, v), nil
	case float64:
		if t.Kind == types.Float {
			return binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(v))), nil
		}
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(v)), nil
	case types.Decimal128:
		full, err := fixedDecimal(t, v)
		return append(dst, full...), err
	case string:
		return append(binary.AppendVarint(dst, int64(len(v))), v...), nil
	case []byte:
		return appendAvroBytes(dst, t, v)
	case []vector.MapEntry:
		return appendAvroMap(dst, t, v)
	case []any:
		if t.Kind == types.Array {
			return appendAvroArray(dst, t, v)
		}
		for i, f := range t.Fields {
			var err error
			if dst, err = appendAvroField(dst, f, v[i]); err != nil {
				return nil, err
			}
		}
		return dst, nil
	}
	return nil, fmt.Errorf("%T is no %s", v, t)
}

func appendAvroBytes(dst []byte, t types.Type, v []byte) ([]byte, error) {
	want := int(t.Length)
	switch t.Kind {
	case types.Binary:
		return append(binary.AppendVarint(dst, int64(len(v))), v...), nil
	case types.UUID:
		want = uuidBytes
	}
	if len(v) != want {
		return nil, fmt.Errorf("value has %d bytes and not %d", len(v), want)
	}
	return append(dst, v...), nil
}

// appendAvroArray appends the items as one block and the block of none that ends
// them.
func appendAvroArray(dst []byte, t types.Type, items []any) ([]byte, error) {
	if len(items) > 0 {
		dst = binary.AppendVarint(dst, int64(len(items)))
	}
	for _, v := range items {
		var err error
		if dst, err = appendAvroField(dst, *t.Elem, v); err != nil {
			return nil, err
		}
	}
	return binary.AppendVarint(dst, 0), nil
}

// appendAvroMap appends the entries as an array of records.
func appendAvroMap(dst []byte, t types.Type, entries []vector.MapEntry) ([]byte, error) {
	if len(entries) > 0 {
		dst = binary.AppendVarint(dst, int64(len(entries)))
	}
	for _, e := range entries {
		var err error
		if dst, err = appendAvroField(dst, types.Field{Type: t.Key.Type}, e.Key); err != nil {
			return nil, err
		}
		if dst, err = appendAvroField(dst, *t.Elem, e.Value); err != nil {
			return nil, err
		}
	}
	return binary.AppendVarint(dst, 0), nil
}

// fixedDecimal gives the unscaled value in as many bytes as its type has in Avro.
// A partition value may not fit: truncate makes numbers below zero longer.
func fixedDecimal(t types.Type, d types.Decimal128) ([]byte, error) {
	if !d.FitsPrecision(int(t.Precision)) {
		return nil, fmt.Errorf("%s does not fit %s", d.Format(int(t.Scale)), t)
	}
	full := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(d.Hi)), d.Lo)
	return full[len(full)-decimalBytes(t):], nil
}
