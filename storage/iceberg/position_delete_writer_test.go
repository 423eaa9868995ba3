package iceberg

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/deletes"
	"github.com/tarndb/tarn/storage/object"
	"github.com/tarndb/tarn/storage/parquet"
	"github.com/tarndb/tarn/storage/writer"
)

// TestPositionDeleteFiles writes files in both formats and reads them.
func TestPositionDeleteFiles(t *testing.T) {
	many := deletes.NewPositionSet(7, 1<<40)
	many.AddRange(1000, 8000)
	one := map[string]*deletes.PositionSet{"s3://b/one.parquet?x=" + strings.Repeat("é", 100): deletes.NewPositionSet(5, 3)}
	two := map[string]*deletes.PositionSet{"/t/b.parquet": deletes.NewPositionSet(1), "/t/a.parquet": many}
	for _, format := range []string{"parquet", "avro"} {
		for _, rows := range []map[string]*deletes.PositionSet{one, two} {
			var out bytes.Buffer
			newRows := func(w io.Writer, schema types.Schema) (writer.RowWriter, error) {
				return newRowWriter(format, w, schema, parquet.WriterOptions{FieldIDs: true}, "gzip")
			}
			records, size, metrics, err := writePositionDeletes(&out, newRows, rows)
			require.NoError(t, err)
			require.EqualValues(t, out.Len(), size)
			want := int64(0)
			for _, set := range rows {
				want += set.Cardinality()
			}
			require.Equal(t, want, records)
			requirePositionMetrics(t, rows, metrics, format)

			store := object.NewMemory(t.Name() + format)
			require.NoError(t, store.Put(t.Context(), "deletes."+format, out.Bytes()))
			table := OpenTable(store, "", types.TableName{Name: "t"}, Options{})
			got, err := table.positionDeletes(t.Context(), &TableMetadata{}, &ContentFile{Path: "deletes." + format, Format: format})
			require.NoError(t, err)
			require.Len(t, got, len(rows))
			for path, set := range rows {
				require.True(t, set.Equal(got[path]), path)
			}
			require.NoError(t, store.Close())
		}
	}
}

// requirePositionMetrics asks for whole paths as bounds where a file is for one
// data file, and for none otherwise.
func requirePositionMetrics(t *testing.T, rows map[string]*deletes.PositionSet, metrics []ColumnMetrics, format string) {
	f := &ContentFile{Content: PositionDeletes, Metrics: metrics}
	require.Equal(t, []types.FieldID{deletePositionID, deletePathID}, []types.FieldID{metrics[0].ID, metrics[1].ID})
	for _, m := range metrics {
		require.EqualValues(t, -1, max(m.Values, m.NullCount, m.NaNCount))
		require.Equal(t, format == "parquet", m.SizeBytes > 0)
		require.Equal(t, len(rows) == 1, m.LowerBound != nil && m.UpperBound != nil)
	}
	if len(rows) > 1 {
		require.Empty(t, f.referencedFile())
		return
	}
	for path, set := range maps.All(rows) {
		require.Equal(t, path, f.referencedFile())
		high, _ := parseSingleValue(types.Of(types.BigInt), metrics[0].UpperBound)
		require.Equal(t, set.Max(), high)
	}
}

// TestPositionDeletesOfClosedFile gives the error of the file.
func TestPositionDeletesOfClosedFile(t *testing.T) {
	newRows := func(io.Writer, types.Schema) (writer.RowWriter, error) { return nil, storage.ErrUnsupportedFeature }
	_, _, _, err := writePositionDeletes(io.Discard, newRows, nil)
	require.ErrorIs(t, err, storage.ErrUnsupportedFeature)
}

// parsePuffinFooter reads the footer of a Puffin file.
func parsePuffinFooter(t *testing.T, b []byte) (footer puffinFooter, text string) {
	require.True(t, bytes.HasPrefix(b, []byte(puffinMagic)) && bytes.HasSuffix(b, []byte(puffinMagic)))
	const tail = 12 // size, flags, magic
	size := int(binary.LittleEndian.Uint32(b[len(b)-tail:]))
	require.Equal(t, []byte{0, 0, 0, 0}, b[len(b)-8:len(b)-4])
	payload := b[len(b)-tail-size : len(b)-tail]
	require.True(t, bytes.HasSuffix(b[:len(b)-tail-size], []byte(puffinMagic)))
	require.NoError(t, json.Unmarshal(payload, &footer))
	return footer, string(payload)
}

// TestPuffinFiles writes the vectors of Spark's files, of which the footer must
// be the same but for places, and reads them.
func TestPuffinFiles(t *testing.T) {
	forTables(t, "-deletes.puffin", requirePuffinRoundTrips)
	out, err := encodePuffin(nil)
	require.NoError(t, err)
	_, text := parsePuffinFooter(t, out)
	require.JSONEq(t, `{"blobs":[],"properties":{"created-by":"tarn"}}`, text)
}

func requirePuffinRoundTrips(t *testing.T, files []string) {
	for _, file := range files {
		body, err := os.ReadFile(file)
		require.NoError(t, err)
		theirs, _ := parsePuffinFooter(t, body)
		var vectors []vectorBlob
		for _, b := range theirs.Blobs {
			rows, err := deletes.ParseFramed(body[b.Offset : b.Offset+b.Length])
			require.NoError(t, err)
			vectors = append(vectors, vectorBlob{Path: b.Properties["referenced-data-file"], Rows: rows})
		}
		out, err := encodePuffin(vectors)
		require.NoError(t, err)
		ours, _ := parsePuffinFooter(t, out)
		require.Len(t, ours.Blobs, len(theirs.Blobs))
		for i, b := range ours.Blobs {
			require.Equal(t, []int64{vectors[i].Offset, vectors[i].Length}, []int64{b.Offset, b.Length})
			rows, err := deletes.ParseFramed(out[b.Offset : b.Offset+b.Length])
			require.NoError(t, err)
			require.True(t, vectors[i].Rows.Equal(rows))
			b.Offset, b.Length = theirs.Blobs[i].Offset, theirs.Blobs[i].Length
			require.Equal(t, theirs.Blobs[i], b, file)
		}
	}
}
