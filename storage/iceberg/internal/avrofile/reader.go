package avrofile

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"

	"github.com/tarndb/tarn/storage/internal/lru"
)

// maxBlockBytes bounds what a block of a file may unpack to.
const maxBlockBytes = 512 << 20

// maxEmptyRows bounds how many rows of no bytes a block may have.
const maxEmptyRows = 1 << 20

// maxSchemas bounds how many schemas a Kind remembers.
const maxSchemas = 64

// Reader gives the rows of a file.
type Reader struct {
	// Metadata is the key-value metadata of the header.
	Metadata map[string][]byte
	// Schema is the schema of the file as JSON, with its own names and types. Readers
	// share it.
	Schema any

	rows   *avro.Schema
	codec  ocf.Codec // nil if blocks are not compressed
	sync   []byte
	rest   []byte // the blocks to come
	block  []byte // what is left of the current one
	inside int64  // rows left in block
}

// ErrFormat says that the bytes are no Avro file that this package can read.
var ErrFormat = errors.New("not a readable Avro file")

// Open reads the header of a file. names gives the name by which a field is
// decoded; fields for which keep is false are skipped. assign, if not nil, gives
// the ids of the fields of a file that has none, by the names on the way to a
// field and the place of its column; 0 is none.
func Open(body []byte, names func(id int) (name string, keep bool), assign func(path []string, column int) int) (*Reader, error) {
	return open(body, func(text []byte) (*fileSchema, error) { return newFileSchema(text, names, assign) })
}

// Kind is a kind of files of which the same fields are wanted. It remembers the
// schemas that it has met, as most files of a kind have the same one, and is safe for
// concurrent use.
type Kind struct {
	names   func(id int) (string, bool)
	schemas *lru.Cache[string, *fileSchema]
}

// NewKind gives a kind of files by the names of the wanted fields, as Open takes them.
func NewKind(names func(id int) (name string, keep bool)) *Kind {
	return &Kind{names: names, schemas: lru.New[string, *fileSchema](maxSchemas)}
}

// Open reads the header of a file of the kind.
func (k *Kind) Open(body []byte) (*Reader, error) {
	return open(body, func(text []byte) (*fileSchema, error) {
		return k.schemas.Get(string(text), func() (*fileSchema, error) { return newFileSchema(text, k.names, nil) })
	})
}

func open(body []byte, schema func(text []byte) (*fileSchema, error)) (*Reader, error) {
	h, rest, err := parseHeader(body)
	if err != nil {
		return nil, err
	}
	s, err := schema(h.metadata["avro.schema"])
	if err != nil {
		return nil, err
	}
	r := &Reader{Metadata: h.metadata, Schema: s.json, rows: s.rows, sync: h.sync, rest: rest}
	r.codec, err = newCodec(string(h.metadata["avro.codec"]))
	return r, err
}

// fileSchema is the schema of a file.
type fileSchema struct {
	json any
	rows *avro.Schema // from the file's fields to those that are wanted
}

func newFileSchema(text []byte, names func(id int) (string, bool), assign func(path []string, column int) int) (*fileSchema, error) {
	s := &fileSchema{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&s.json); err != nil {
		return nil, fmt.Errorf("%w: schema: %w", ErrFormat, err)
	}
	if assign != nil && !hasIDs(s.json) {
		s.json = assigner(assign).record(s.json, nil, 0)
	}
	named := map[string]any{}
	collectNamed(s.json, named, 0)
	writer, err := parse(renamer{names: names, keepAll: true}.rename(s.json, false, 0))
	if err != nil {
		return nil, err
	}
	reader, err := parse(renamer{names: names, named: named}.rename(s.json, false, 0))
	if err != nil {
		return nil, err
	}
	if s.rows, err = avro.Resolve(writer, reader); err != nil {
		return nil, fmt.Errorf("%w: schema: %w", ErrFormat, err)
	}
	return s, nil
}

func parse(schema any) (*avro.Schema, error) {
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, fmt.Errorf("%w: schema: %w", ErrFormat, err)
	}
	s, err := avro.Parse(string(text), avro.WithLaxNames(nil))
	if err != nil {
		return nil, fmt.Errorf("%w: schema: %w", ErrFormat, err)
	}
	return s, nil
}

// newCodec gives the codec of a file, nil for none.
func newCodec(name string) (ocf.Codec, error) {
	switch name {
	case "", "null":
		return nil, nil
	case "deflate":
		return ocf.DeflateCodec(flate.DefaultCompression), nil
	case "snappy":
		return ocf.SnappyCodec(), nil
	case "zstandard":
		return ocf.ZstdCodec(nil, nil)
	}
	return nil, fmt.Errorf("%w: codec %s", ErrFormat, name)
}

// Decode reads the next row; io.EOF at the end.
func (r *Reader) Decode(row any) error {
	for r.inside == 0 {
		if len(r.rest) == 0 {
			return io.EOF
		}
		if err := r.nextBlock(); err != nil {
			return err
		}
	}
	rest, err := r.rows.Decode(r.block, row)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	r.block = rest
	r.inside--
	return nil
}

// nextBlock unpacks a block: the number of its rows, its size, the rows and the
// marker of the file.
func (r *Reader) nextBlock() error {
	rows, n := binary.Varint(r.rest)
	if n <= 0 || rows < 0 {
		return fmt.Errorf("%w: damaged block", ErrFormat)
	}
	data, rest, err := parseBytes(r.rest[n:])
	if err != nil || len(rest) < syncBytes || !bytes.Equal(rest[:syncBytes], r.sync) {
		return fmt.Errorf("%w: damaged block", ErrFormat)
	}
	if r.codec != nil {
		if bounded, ok := r.codec.(ocf.BoundedDecompressor); ok {
			data, err = bounded.DecompressBounded(data, maxBlockBytes)
		} else {
			data, err = r.codec.Decompress(data)
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrFormat, err)
		}
	}
	if rows > max(int64(len(data)), maxEmptyRows) {
		return fmt.Errorf("%w: a block of %d bytes with %d rows", ErrFormat, len(data), rows)
	}
	r.block, r.inside, r.rest = data, rows, rest[syncBytes:]
	return nil
}

// Close frees the codec.
func (r *Reader) Close() error {
	if r.codec == nil {
		return nil
	}
	return r.codec.Close()
}

const (
	magic     = "Obj\x01"
	syncBytes = 16
	// maxDepth bounds the nesting of a schema.
	maxDepth = 200
)

// header is the part of a file before its blocks (Avro specification, "Object
// Container Files").
type header struct {
	metadata map[string][]byte
	sync     []byte
}

func parseHeader(body []byte) (h header, rest []byte, err error) {
	bad := fmt.Errorf("%w: damaged header", ErrFormat)
	if len(body) < len(magic) || string(body[:len(magic)]) != magic {
		return h, nil, fmt.Errorf("%w: it does not begin with Obj", ErrFormat)
	}
	b := body[len(magic):]
	h.metadata = map[string][]byte{}
	for {
		count, n := binary.Varint(b)
		if n <= 0 {
			return h, nil, bad
		}
		b = b[n:]
		if count == 0 {
			break
		}
		if count < 0 { // the size of the block in bytes follows
			count = -count
			if _, n = binary.Varint(b); n <= 0 {
				return h, nil, bad
			}
			b = b[n:]
		}
		for ; count > 0; count-- {
			var key, value []byte
			if key, b, err = parseBytes(b); err != nil {
				return h, nil, bad
			}
			if value, b, err = parseBytes(b); err != nil {
				return h, nil, bad
			}
			h.metadata[string(key)] = value
		}
	}
	if len(b) < syncBytes {
		return h, nil, bad
	}
	h.sync = b[:syncBytes]
	return h, b[syncBytes:], nil
}

func parseBytes(b []byte) (value, rest []byte, err error) {
	length, n := binary.Varint(b)
	if n <= 0 || length < 0 || length > int64(len(b)-n) {
		return nil, nil, ErrFormat
	}
	return b[n : n+int(length)], b[n+int(length):], nil
}

// renamer gives a schema with the names of fields by their ids and without
// logical types. Entries of a map that is an array keep the names key and value.
type renamer struct {
	names   func(id int) (name string, keep bool)
	keepAll bool
	// named are the types with a name that were not met yet. The field that
	// defines one may be skipped, so whatever field is the first to use it does.
	named map[string]any
}

// collectNamed notes the definitions of the types that fields refer to by name.
func collectNamed(schema any, named map[string]any, depth int) {
	if depth > maxDepth {
		return
	}
	switch s := schema.(type) {
	case []any:
		for _, branch := range s {
			collectNamed(branch, named, depth+1)
		}
	case map[string]any:
		if name := typeName(s); name != "" {
			named[name] = s
		}
		for _, key := range []string{"fields", "type", "items", "values"} {
			collectNamed(s[key], named, depth+1)
		}
	}
}

// typeName is the name that a definition gives a type; empty if it is none.
func typeName(schema map[string]any) string {
	switch schema["type"] {
	case "record", "fixed", "enum", "error":
		name, _ := schema["name"].(string)
		if space, _ := schema["namespace"].(string); space != "" {
			return space + "." + name
		}
		return name
	}
	return ""
}

func (r renamer) rename(schema any, isEntry bool, depth int) any {
	if depth > maxDepth {
		return schema
	}
	switch s := schema.(type) {
	case string:
		if definition, ok := r.named[s]; ok {
			return r.rename(definition, isEntry, depth+1)
		}
	case []any:
		out := make([]any, len(s))
		for i, branch := range s {
			out[i] = r.rename(branch, isEntry, depth+1)
		}
		return out
	case map[string]any:
		delete(r.named, typeName(s))
		isMap := s["logicalType"] == "map"
		out := make(map[string]any, len(s))
		for k, v := range s {
			switch k {
			case "logicalType", "default", "aliases", "doc":
			case "fields":
				out[k] = r.fields(v, isEntry, depth+1)
			case "type", "items", "values":
				out[k] = r.rename(v, isEntry && k == "type" || isMap && k == "items", depth+1)
			default:
				out[k] = v
			}
		}
		return out
	}
	return schema
}

func (r renamer) fields(fields any, isEntry bool, depth int) any {
	list, ok := fields.([]any)
	if !ok {
		return fields
	}
	out := make([]any, 0, len(list))
	for i, f := range list {
		field, ok := f.(map[string]any)
		if !ok {
			return fields // which no schema has
		}
		name, keep := r.fieldName(field, isEntry, i)
		if !keep {
			continue
		}
		renamed := r.rename(field, false, depth).(map[string]any)
		renamed["name"] = name
		out = append(out, renamed)
	}
	return out
}

// fieldName gives the name by which a field is decoded; keep is false for one
// that is skipped.
func (r renamer) fieldName(field map[string]any, isEntry bool, at int) (name any, keep bool) {
	id, hasID := FieldID(field)
	switch {
	case isEntry && at < 2:
		return [2]string{"key", "value"}[at], true
	case hasID:
		name, keep := r.names(id)
		return name, keep || r.keepAll
	}
	return field["name"], r.keepAll
}

// Columns tells the ids of the top-level fields of the file.
func (r *Reader) Columns() map[int]bool {
	out := map[int]bool{}
	record, _ := r.Schema.(map[string]any)
	fields, _ := record["fields"].([]any)
	for _, f := range fields {
		if field, ok := f.(map[string]any); ok {
			if id, ok := FieldID(field); ok {
				out[id] = true
			}
		}
	}
	return out
}

// Name is the name by which a field that the caller has none for is decoded.
func Name(id int) string { return "f" + strconv.Itoa(id) }

// FieldID gives the id of a field of a schema.
func FieldID(field map[string]any) (id int, ok bool) {
	n, ok := field["field-id"].(json.Number)
	if !ok {
		return 0, false
	}
	v, err := strconv.Atoi(n.String())
	return v, err == nil
}
