package driver

import (
	"database/sql/driver"
	"time"
	"unsafe"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// chunkRows is how many rows are converted together. What a chunk's values of a
// column share is little, as one that a program keeps holds all of it.
const chunkRows = 64

// rowValues converts the rows of batches to driver.Values, a chunk at a time.
type rowValues struct {
	columns []columnValues
	row, to int // the next row of the chunk, and its end
	at      [chunkRows]int32
}

// columnValues converts a column.
type columnValues struct {
	convert func(v *vector.Vector, at []int32, out []driver.Value)
	values  [chunkRows]driver.Value
	dicts   [cachedDictionaries]dictionaryValues
	oldest  int // of dicts
}

// The entries of small dictionaries are converted once. Workers that take turns
// have a dictionary each.
const (
	cachedDictionaries = 4
	mostCachedEntries  = 4096
)

// dictionaryValues are the entries of a dictionary that were met; nil for others.
type dictionaryValues struct {
	dict   *vector.Vector
	values []driver.Value
}

func newRowValues(fields []types.Field, zone *time.Location) *rowValues {
	r := &rowValues{columns: make([]columnValues, len(fields))}
	for i, f := range fields {
		r.columns[i] = columnValues{convert: converterOf(f.Type, zone)}
	}
	return r
}

// next gives the values of the next row of the chunk; false at its end.
func (r *rowValues) next(dest []driver.Value) bool {
	if r.row == r.to {
		return false
	}
	for c := range r.columns {
		dest[c] = r.columns[c].values[r.row]
	}
	r.row++
	return true
}

// load converts the rows of a batch from the k-th on and gives how many.
func (r *rowValues) load(b *vector.Batch, k int) int {
	r.row, r.to = 0, min(b.Rows()-k, chunkRows)
	for i := range r.to {
		r.at[i] = int32(b.Row(k + i))
	}
	for c, v := range b.Columns {
		r.columns[c].load(v, r.at[:r.to])
	}
	return r.to
}

func (c *columnValues) load(v *vector.Vector, rows []int32) {
	out := c.values[:len(rows)]
	switch {
	case v.MayHaveNulls():
		c.loadNullable(v, rows, out)
	case v.Form == vector.Dictionary && v.Dict.Len <= mostCachedEntries:
		c.loadCodes(c.cached(v.Dict), v, rows, out)
	default:
		c.loadEach(v, rows, out)
	}
}

// loadEach converts values of rows that are not NULL.
func (c *columnValues) loadEach(v *vector.Vector, rows []int32, out []driver.Value) {
	if v.Form == vector.Flat {
		c.convert(v, rows, out)
		return
	}
	var positions [chunkRows]int32
	values := v
	for k, i := range rows {
		var p int
		values, p = v.At(int(i))
		positions[k] = int32(p)
	}
	c.convert(values, positions[:len(rows)], out)
}

func (c *columnValues) loadNullable(v *vector.Vector, rows []int32, out []driver.Value) {
	var valid [chunkRows]int32
	var found [chunkRows]driver.Value
	n := 0
	for _, i := range rows {
		if !v.IsNull(int(i)) {
			valid[n] = i
			n++
		}
	}
	if n > 0 {
		c.loadEach(v, valid[:n], found[:n])
	}
	n = 0
	for k, i := range rows {
		if out[k] = nil; !v.IsNull(int(i)) {
			out[k] = found[n]
			n++
		}
	}
}

// cached gives what is known of a dictionary's entries.
func (c *columnValues) cached(dict *vector.Vector) *dictionaryValues {
	for i := range c.dicts {
		if d := &c.dicts[i]; d.dict == dict && len(d.values) == dict.Len {
			return d
		}
	}
	d := &c.dicts[c.oldest]
	c.oldest = (c.oldest + 1) % cachedDictionaries
	*d = dictionaryValues{dict: dict, values: make([]driver.Value, dict.Len)}
	return d
}

func (c *columnValues) loadCodes(d *dictionaryValues, v *vector.Vector, rows []int32, out []driver.Value) {
	for k, i := range rows {
		code := v.Codes[i]
		if d.values[code] == nil {
			c.convert(v.Dict, []int32{code}, d.values[code:code+1])
		}
		out[k] = d.values[code]
	}
}

// converterOf chooses how the values of a column, none of them NULL, are
// converted: those at some positions of a flat vector.
func converterOf(t types.Type, zone *time.Location) func(v *vector.Vector, at []int32, out []driver.Value) {
	if zone == nil {
		zone = time.UTC
	}
	switch t.Kind {
	case types.TinyInt, types.SmallInt, types.Int:
		return numbers(func(v *vector.Vector, p int32) int64 { return int64(v.Int32s[p]) })
	case types.BigInt:
		return numbers(func(v *vector.Vector, p int32) int64 { return v.Int64s[p] })
	case types.Float:
		return numbers(func(v *vector.Vector, p int32) float64 { return float64(v.Float32s[p]) })
	case types.Double:
		return numbers(func(v *vector.Vector, p int32) float64 { return v.Float64s[p] })
	case types.Date:
		return numbers(func(v *vector.Vector, p int32) time.Time { return time.Unix(int64(v.Int32s[p])*86400, 0).UTC() })
	case types.Timestamp:
		return numbers(func(v *vector.Vector, p int32) time.Time { return time.UnixMicro(v.Int64s[p]).In(zone) })
	case types.TimestampNTZ:
		return numbers(func(v *vector.Vector, p int32) time.Time { return time.UnixMicro(v.Int64s[p]).UTC() })
	case types.String:
		return texts(func(dst []byte, v *vector.Vector, p int32) []byte { return append(dst, v.Bytes(int(p))...) })
	case types.Decimal:
		return decimals(t)
	}
	return func(v *vector.Vector, at []int32, out []driver.Value) {
		for k, p := range at {
			out[k] = value(t, v.Value(int(p)), zone)
		}
	}
}

// decimals converts decimals to their text.
func decimals(t types.Type) func(v *vector.Vector, at []int32, out []driver.Value) {
	scale := int(t.Scale)
	if t.Physical() == types.PhysInt64 {
		return texts(func(dst []byte, v *vector.Vector, p int32) []byte {
			return types.Decimal128FromInt64(v.Int64s[p]).Append(dst, scale)
		})
	}
	return texts(func(dst []byte, v *vector.Vector, p int32) []byte { return v.Int128s[p].Append(dst, scale) })
}

// numbers makes values of a fixed size lie side by side.
func numbers[T any](get func(v *vector.Vector, p int32) T) func(v *vector.Vector, at []int32, out []driver.Value) {
	return func(v *vector.Vector, at []int32, out []driver.Value) {
		values := make([]T, len(at))
		for k, p := range at {
			values[k] = get(v, p)
		}
		box(values, out)
	}
}

// texts makes texts lie side by side.
func texts(add func(dst []byte, v *vector.Vector, p int32) []byte) func(v *vector.Vector, at []int32, out []driver.Value) {
	var all []byte
	ends := make([]int, 0, chunkRows)
	return func(v *vector.Vector, at []int32, out []driver.Value) {
		all, ends = all[:0], ends[:0]
		for _, p := range at {
			all = add(all, v, p)
			ends = append(ends, len(all))
		}
		text, from := string(all), 0
		values := make([]string, len(at))
		for k, end := range ends {
			values[k] = text[from:end]
			from = end
		}
		box(values, out)
	}
}

// interfaceWords is how Go lays out an interface value.
type interfaceWords struct{ typ, data unsafe.Pointer }

// box makes interface values of values without an allocation for each: they
// point into the slice, which nobody changes. T is not of the size and kind of a
// pointer.
func box[T any](values []T, out []driver.Value) {
	var sample any = values[0]
	typ := (*interfaceWords)(unsafe.Pointer(&sample)).typ
	for k := range values {
		*(*interfaceWords)(unsafe.Pointer(&out[k])) = interfaceWords{typ, unsafe.Pointer(&values[k])}
	}
}
