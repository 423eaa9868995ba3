package delta

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/tarndb/tarn/storage/delta/internal/action"
	"github.com/tarndb/tarn/storage/delta/internal/partition"
	"github.com/tarndb/tarn/storage/delta/internal/schemajson"
	"github.com/tarndb/tarn/storage/parquet"
)

// codec is a compression that files are written with.
type codec struct {
	parquet   parquet.Codec
	extension string
}

// codecs are the compressions by the value of delta.parquet.compression.codec
// (protocol, "Table Properties"). The codec that the protocol calls lz4 has a
// framing of Hadoop's and is not among them.
var codecs = map[string]codec{
	"":             {parquet.Snappy, ".snappy.parquet"},
	"snappy":       {parquet.Snappy, ".snappy.parquet"},
	"uncompressed": {parquet.Uncompressed, ".parquet"},
	"none":         {parquet.Uncompressed, ".parquet"},
	"gzip":         {parquet.Gzip, ".gz.parquet"},
	"zstd":         {parquet.Zstd, ".zstd.parquet"},
	"lz4_raw":      {parquet.LZ4, ".lz4raw.parquet"},
}

func (m *tableMetadata) codec() (codec, bool) {
	c, ok := codecs[strings.ToLower(m.property("delta.parquet.compression.codec"))]
	return c, ok
}

// fileNamer names new data files.
type fileNamer struct {
	metadata  *tableMetadata
	extension string
	files     int
}

// maxDirectoryBytes is the longest directory name that a value is put into, as
// file systems take no more than 255 bytes.
const maxDirectoryBytes = 200

// name gives a fresh path relative to the table, decoded.
func (n *fileNamer) name(tuple []any) string {
	file := fmt.Sprintf("part-%05d-%s-c000%s", n.files, uuid.NewString(), n.extension)
	n.files++
	if dir := n.directory(tuple); dir != "" {
		return dir + "/" + file
	}
	return file
}

// directory is Hive's column=value/… or, where the table asks for that or its
// columns are renamed, a random one, which spreads files over an object store.
func (n *fileNamer) directory(tuple []any) string {
	isRandom := n.metadata.isTrue("delta.randomizeFilePrefixes") || n.metadata.mapping != schemajson.ByDisplayName
	if isRandom {
		return randomPrefix(n.metadata.property("delta.randomPrefixLength"))
	}
	var parts []string
	for _, v := range n.metadata.partitionValues(tuple) {
		part := partition.Directory(v.Column, v.Value, v.IsNull)
		if len(part) > maxDirectoryBytes {
			return randomPrefix("")
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "/")
}

func randomPrefix(length string) string {
	const chars = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	n, err := strconv.Atoi(length)
	if err != nil || n < 1 || n > 32 {
		n = 2
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = chars[rand.IntN(len(chars))]
	}
	return string(b)
}

// partitionValues serializes a tuple.
func (m *tableMetadata) partitionValues(tuple []any) []action.PartitionValue {
	var out []action.PartitionValue
	for i, c := range m.partition {
		v := action.PartitionValue{Column: m.columns[c].Physical.Name}
		text, ok := partition.Format(m.columns[c].Physical.Type, tuple[i])
		v.Value, v.IsNull = text, !ok
		out = append(out, v)
	}
	return out
}
