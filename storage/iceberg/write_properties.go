package iceberg

import (
	"io"
	"strconv"
	"strings"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/parquet"
	"github.com/tarndb/tarn/storage/writer"
)

// writeProperties are the table properties that say how files are written, with
// the defaults that other writers have.
type writeProperties struct {
	format, deleteFormat         string
	parquet                      parquet.WriterOptions
	avroCodec                    string
	targetBytes, deleteBytes     int64
	mergeOnRead                  map[string]bool // by storage.WriteOptions.Operation
	gzipMetadata                 bool
	manifestBytes                int64
	manifestsToMerge             int
	mergesManifests              bool
	previousVersions             int
	deletesOldMetadata           bool
	deletesByFile                bool // a position delete file for each data file
	dataLocation, metadataFolder string
}

var parquetCodecs = map[string]parquet.Codec{"zstd": parquet.Zstd, "snappy": parquet.Snappy, "gzip": parquet.Gzip, "uncompressed": parquet.Uncompressed, "lz4_raw": parquet.LZ4}

// newRows makes the writers of files of a format.
func (p *writeProperties) newRows(format string) func(io.Writer, types.Schema) (writer.RowWriter, error) {
	return func(out io.Writer, schema types.Schema) (writer.RowWriter, error) {
		return newRowWriter(format, out, schema, p.parquet, p.avroCodec)
	}
}

// modeProperties say for a statement whether the files that lose rows are written
// anew or get delete files.
var modeProperties = map[string]string{"DELETE": "write.delete.mode", "UPDATE": "write.update.mode", "MERGE": "write.merge.mode"}

// writeProperties reads the properties; an *UnsupportedFeature names one that is
// not served.
func (m *TableMetadata) writeProperties() (*writeProperties, error) {
	p := &writeProperties{mergeOnRead: map[string]bool{}}
	var refused error
	text := func(name, otherwise string) string {
		if v, ok := m.Properties[name]; ok {
			return v
		}
		return otherwise
	}
	refuse := func(name string) {
		if refused == nil {
			refused = &storage.UnsupportedFeature{Feature: "table property " + name + "=" + m.Properties[name], Writing: true}
		}
	}
	number := func(name string, otherwise int64) int64 {
		v, err := strconv.ParseInt(strings.TrimSpace(text(name, strconv.FormatInt(otherwise, 10))), 10, 64)
		if err != nil || v < 0 {
			refuse(name)
		}
		return v
	}
	isTrue := func(name string, otherwise bool) bool {
		return strings.EqualFold(text(name, strconv.FormatBool(otherwise)), "true")
	}
	p.format = strings.ToLower(text("write.format.default", "parquet"))
	p.deleteFormat = strings.ToLower(text("write.delete.format.default", p.format))
	if p.format != "parquet" && p.format != "avro" {
		refuse("write.format.default")
	}
	if p.deleteFormat != "parquet" && p.deleteFormat != "avro" {
		refuse("write.delete.format.default")
	}
	codec, ok := parquetCodecs[strings.ToLower(text("write.parquet.compression-codec", "zstd"))]
	if !ok {
		refuse("write.parquet.compression-codec")
	}
	p.parquet = parquet.WriterOptions{Codec: codec, FieldIDs: true, RowGroupBytes: number("write.parquet.row-group-size-bytes", 128<<20),
		PageBytes: int(number("write.parquet.page-size-bytes", 1<<20))}
	p.avroCodec = strings.ToLower(text("write.avro.compression-codec", "gzip"))
	p.targetBytes, p.deleteBytes = number("write.target-file-size-bytes", writer.DefaultTargetFileSizeBytes), number("write.delete.target-file-size-bytes", 64<<20)
	for operation, name := range modeProperties {
		switch mode := strings.ToLower(text(name, "copy-on-write")); {
		case mode == "merge-on-read" && m.FormatVersion >= 2:
			p.mergeOnRead[operation] = true
		case mode != "merge-on-read" && mode != "copy-on-write":
			refuse(name)
		}
	}
	p.gzipMetadata = strings.EqualFold(text("write.metadata.compression-codec", "none"), "gzip")
	p.manifestBytes = number("commit.manifest.target-size-bytes", 8<<20)
	p.manifestsToMerge, p.mergesManifests = int(number("commit.manifest.min-count-to-merge", 100)), isTrue("commit.manifest-merge.enabled", true)
	p.previousVersions, p.deletesOldMetadata = int(number("write.metadata.previous-versions-max", 100)), isTrue("write.metadata.delete-after-commit.enabled", false)
	p.deletesByFile = strings.EqualFold(text("write.delete.granularity", "partition"), "file")
	location := strings.TrimRight(m.Location, "/")
	p.dataLocation = strings.TrimRight(text("write.data.path", location+"/data"), "/")
	p.metadataFolder = strings.TrimRight(text("write.metadata.path", location+"/"+MetadataDir), "/")
	if isTrue("write.object-storage.enabled", false) {
		refuse("write.object-storage.enabled")
	}
	return p, refused
}
