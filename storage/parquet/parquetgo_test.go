package parquet_test

import (
	"bytes"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"testing"

	peer "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage/parquet"
)

// TestPeerReadsFlatColumns has parquet-go read what Writer wrote of each type.
func TestPeerReadsFlatColumns(t *testing.T) {
	// LZ4 is left out: parquet-go 0.32 forgets the decoded page where its codec
	// wanted a buffer larger than the page.
	codecs := []parquet.Codec{parquet.Snappy, parquet.Uncompressed, parquet.Zstd, parquet.Gzip}
	for i, codec := range codecs {
		for _, distinct := range []int{20, 1 << 30} { // dictionaries, plain pages
			schema := allSchema(i%2 == 0)
			schema.Fields = schema.Fields[:len(leafTypes)]
			g := &generator{r: rand.New(rand.NewPCG(7, uint64(i))), nulls: 0.3 * float64(1-i%2), distinct: distinct}
			batches := []*vector.Batch{g.batch(schema, 2000), g.batch(schema, 1), g.batch(schema, 1500)}
			b, _ := write(t, schema, parquet.WriterOptions{Codec: codec, RowGroupRows: 1800, PageRows: 500}, batches...)

			var want [][]any
			for _, batch := range batches {
				want = append(want, batchRows(batch)...)
			}
			equalPeerRows(t, schema, want, b)
		}
	}
}

func equalPeerRows(t *testing.T, schema types.Schema, want [][]any, file []byte) {
	t.Helper()
	f, err := peer.OpenFile(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	require.EqualValues(t, len(want), f.NumRows())
	at := 0
	for _, g := range f.RowGroups() {
		rows := g.Rows()
		buf := make([]peer.Row, 100)
		for {
			n, err := rows.ReadRows(buf)
			for _, row := range buf[:n] {
				require.Len(t, row, len(schema.Fields))
				for c, f := range schema.Fields {
					require.Equal(t, fmt.Sprint(want[at][c]), fmt.Sprint(peerValue(row[c], f.Type)), "row %d, column %s %s", at, f.Name, f.Type)
				}
				at++
			}
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
		}
		require.NoError(t, rows.Close())
	}
	require.Equal(t, len(want), at)
}

// peerValue is a value of parquet-go as batches give one of the type.
func peerValue(v peer.Value, t types.Type) any {
	if v.IsNull() {
		return nil
	}
	switch v.Kind() {
	case peer.Boolean:
		return v.Boolean()
	case peer.Float:
		return float64(v.Float())
	case peer.Double:
		return v.Double()
	case peer.Int32, peer.Int64:
		n := int64(v.Int32())
		if v.Kind() == peer.Int64 {
			n = v.Int64()
		}
		if t.Kind == types.Decimal {
			return types.Decimal128FromInt64(n)
		}
		return n
	}
	b := bytes.Clone(v.ByteArray())
	switch t.Kind {
	case types.Decimal:
		n := new(big.Int).SetBytes(b)
		if b[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
		lo := new(big.Int).And(n, new(big.Int).SetUint64(1<<64-1))
		return types.Decimal128{Hi: new(big.Int).Rsh(n, 64).Int64(), Lo: lo.Uint64()}
	case types.String:
		return string(b)
	}
	return b
}

type point struct {
	X *int64  `parquet:"x,optional"`
	Y *string `parquet:"Y,optional"`
}

// peerNested has the nested columns of nestedSchema.
type peerNested struct {
	Struct  *point           `parquet:"struct,optional"`
	List    []string         `parquet:"list,list"`
	Structs []point          `parquet:"structs,list"`
	Map     map[string]int64 `parquet:"map"`
}

func nestedSchema() types.Schema {
	str, num := types.Of(types.String), types.Of(types.BigInt)
	xy := types.StructOf(types.Field{Name: "x", Type: num, Nullable: true}, types.Field{Name: "Y", Type: str, Nullable: true})
	return types.Schema{Fields: []types.Field{
		{Name: "struct", Type: xy, Nullable: true}, {Name: "list", Type: types.ArrayOf(str, false)},
		{Name: "structs", Type: types.ArrayOf(xy, false)}, {Name: "map", Type: types.MapOf(str, num, false)},
	}}
}

func nestedRow(r *rand.Rand) peerNested {
	p := func() point {
		var out point
		if r.IntN(3) > 0 {
			x := r.Int64()
			out.X = &x
		}
		if r.IntN(3) > 0 {
			y := fmt.Sprint("y", r.IntN(50))
			out.Y = &y
		}
		return out
	}
	row := peerNested{List: []string{}, Structs: []point{}, Map: map[string]int64{}}
	if r.IntN(4) > 0 {
		s := p()
		row.Struct = &s
	}
	for range r.IntN(4) {
		row.List = append(row.List, fmt.Sprint("e", r.IntN(1000)))
		row.Structs = append(row.Structs, p())
	}
	if r.IntN(2) > 0 {
		row.Map["k"] = r.Int64()
	}
	return row
}

// values is the row as batches give it.
func (n *peerNested) values() []any {
	xy := func(p point) any {
		out := []any{nil, nil}
		if p.X != nil {
			out[0] = *p.X
		}
		if p.Y != nil {
			out[1] = *p.Y
		}
		return out
	}
	out := []any{nil, make([]any, 0), make([]any, 0), []vector.MapEntry{}}
	if n.Struct != nil {
		out[0] = xy(*n.Struct)
	}
	for i := range n.List {
		out[1] = append(out[1].([]any), n.List[i])
		out[2] = append(out[2].([]any), xy(n.Structs[i]))
	}
	for k, v := range n.Map {
		out[3] = []vector.MapEntry{{Key: k, Value: v}}
	}
	return out
}

// TestPeerNested has each side read the nested columns that the other wrote.
func TestPeerNested(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	schema := nestedSchema()
	rowsOf := make([]peerNested, 3000)
	columns := make([]*vector.Builder, len(schema.Fields))
	for c, f := range schema.Fields {
		columns[c] = vector.NewBuilder(f.Type, len(rowsOf))
	}
	var want [][]any
	for i := range rowsOf {
		rowsOf[i] = nestedRow(r)
		want = append(want, rowsOf[i].values())
		for c, v := range want[i] {
			columns[c].AppendValue(v)
		}
	}
	batch := &vector.Batch{Len: len(rowsOf)}
	for _, c := range columns {
		batch.Columns = append(batch.Columns, c.Vector())
	}

	b, _ := write(t, schema, parquet.WriterOptions{PageRows: 700, RowGroupRows: 2000}, batch)
	got, err := peer.Read[peerNested](bytes.NewReader(b), int64(len(b)))
	require.NoError(t, err)
	require.Len(t, got, len(want))
	for i := range got {
		require.Equal(t, want[i], got[i].values(), "row %d", i)
	}

	var out bytes.Buffer
	require.NoError(t, peer.Write(&out, rowsOf, peer.MaxRowsPerRowGroup(1100)))
	f, err := openBytes(t, out.Bytes())
	require.NoError(t, err)
	equalRows(t, want, rows(t, f, parquet.ReadOptions{Columns: schema.Fields}))
}

// peerFlat has columns in the encodings of parquet-go.
type peerFlat struct {
	Bool      bool     `parquet:"bool"`
	Int       int32    `parquet:"int"`
	IntDict   int32    `parquet:"int_dict,dict"`
	IntDelta  int32    `parquet:"int_delta,delta"`
	Long      int64    `parquet:"long,plain"`
	LongDelta int64    `parquet:"long_delta,delta"`
	LongSplit int64    `parquet:"long_split,split"`
	Float     float32  `parquet:"float,split"`
	Double    float64  `parquet:"double,split"`
	Optional  *float64 `parquet:"optional,optional,dict"`
	Text      string   `parquet:"text"`
	TextDict  string   `parquet:"text_dict,dict"`
	TextDelta string   `parquet:"text_delta,delta"`
	TextOpt   *string  `parquet:"text_opt,optional"`
	UUID      [16]byte `parquet:"uuid,uuid"`
	Date      int32    `parquet:"date,date"`
	Time      int64    `parquet:"time,timestamp(microsecond)"`
	Cents     int64    `parquet:"cents,decimal(2:15)"`
}

func (p *peerFlat) values() []any {
	out := []any{p.Bool, int64(p.Int), int64(p.IntDict), int64(p.IntDelta), p.Long, p.LongDelta, p.LongSplit, float64(p.Float), p.Double, nil,
		p.Text, p.TextDict, p.TextDelta, nil, p.UUID[:], int64(p.Date), p.Time, types.Decimal128FromInt64(p.Cents)}
	if p.Optional != nil {
		out[9] = *p.Optional
	}
	if p.TextOpt != nil {
		out[13] = *p.TextOpt
	}
	return out
}

func flatRow(r *rand.Rand, i int) peerFlat {
	p := peerFlat{Bool: r.IntN(2) > 0, Int: int32(r.Uint32()), IntDict: int32(r.IntN(30)), IntDelta: int32(i * 3), Long: r.Int64(),
		LongDelta: r.Int64() >> r.IntN(64), LongSplit: r.Int64(), Float: r.Float32(), Double: r.NormFloat64(), Text: fmt.Sprint("text ", r.IntN(1e6)),
		TextDict: fmt.Sprint("word ", r.IntN(100)), TextDelta: fmt.Sprintf("prefix %06d", i), Date: int32(r.IntN(20000)), Time: r.Int64N(1 << 50), Cents: r.Int64N(1e12)}
	for k := range p.UUID {
		p.UUID[k] = byte(r.Uint32())
	}
	if r.IntN(3) > 0 {
		p.Optional = &p.Double
		p.TextOpt = &p.Text
	}
	return p
}

// TestPeerWritesFlatColumns reads what parquet-go wrote.
func TestPeerWritesFlatColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	in := make([]peerFlat, 5000)
	want := make([][]any, len(in))
	for i := range in {
		in[i] = flatRow(r, i)
		want[i] = in[i].values()
	}
	for _, codec := range []compress.Codec{&peer.Uncompressed, &peer.Snappy, &peer.Gzip, &peer.Brotli, &peer.Zstd, &peer.Lz4Raw} {
		for version := 1; version <= 2; version++ {
			t.Run(fmt.Sprintf("%s, pages of version %d", codec, version), func(t *testing.T) {
				var out bytes.Buffer
				require.NoError(t, peer.Write(&out, in, peer.Compression(codec), peer.DataPageVersion(version),
					peer.PageBufferSize(8<<10), peer.MaxRowsPerRowGroup(2100), peer.DataPageStatistics(version == 2)))
				f, err := openBytes(t, out.Bytes())
				require.NoError(t, err)
				equalRows(t, want, rows(t, f, parquet.ReadOptions{Columns: f.Schema().Fields}))
			})
		}
	}
}
