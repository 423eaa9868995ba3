package delta

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage/delta/internal/jsonscan"
	"github.com/tarndb/tarn/storage/prune"
)

// numRecords reads the number of rows from statistics; -1 if it isn't there.
func numRecords(stats string) int64 {
	if stats == "" {
		return -1
	}
	// Writers put it first, so the scan seldom goes further.
	records := int64(-1)
	s := jsonscan.NewString(stats)
	err := s.Object(func(name []byte) (err error) {
		if string(name) != "numRecords" || s.Peek() == 'n' {
			return s.Skip()
		}
		if records, err = s.Int64(); err == nil {
			err = errFound
		}
		return err
	})
	if err != errFound || records < 0 {
		return -1
	}
	return records
}

// errFound ends a scan that has what it was looking for.
var errFound = errors.New("found")

// fileStats are the statistics of the columns that a filter reads (protocol,
// "Per-file Statistics").
type fileStats struct {
	records int64         // -1 if unknown
	columns []columnStats // as asked for
}

// columnStats are the statistics of one column, as text.
type columnStats struct {
	min, max  string // JSON values; empty if absent
	nullCount int64  // -1 if absent
}

// parseStats reads the statistics of leaf columns, told by their physical
// paths. Statistics that can't be read are none at all. It stops when it has
// all it can use, which is nearly always before the end.
func parseStats(stats string, columns [][]string) fileStats {
	p := statsParser{s: jsonscan.NewString(stats), paths: columns, out: noStats(len(columns))}
	err := p.s.Object(p.field)
	if err == nil {
		err = p.s.End()
	}
	if err != nil && err != errFound {
		return noStats(len(columns))
	}
	return p.out
}

func noStats(columns int) fileStats {
	out := fileStats{records: -1, columns: make([]columnStats, columns)}
	for i := range out.columns {
		out.columns[i].nullCount = -1
	}
	return out
}

type statsParser struct {
	s     *jsonscan.Scanner
	paths [][]string
	seen  int // of numRecords, minValues, maxValues and nullCount, which are all that is used
	out   fileStats
}

func (p *statsParser) field(name []byte) (err error) {
	switch string(name) {
	case "numRecords":
		if p.s.Peek() != 'n' {
			p.out.records, err = p.s.Int64()
			return p.took(err)
		}
	case "minValues":
		if p.s.Peek() == '{' {
			return p.took(p.columnsAt(minValues, 0, 0))
		}
	case "maxValues":
		if p.s.Peek() == '{' {
			return p.took(p.columnsAt(maxValues, 0, 0))
		}
	case "nullCount":
		if p.s.Peek() == '{' {
			return p.took(p.columnsAt(nullCount, 0, 0))
		}
	}
	return p.s.Skip()
}

// took counts a field and ends the scan when there are no more of use.
func (p *statsParser) took(err error) error {
	if p.seen++; err == nil && p.seen == 4 {
		return errFound
	}
	return err
}

// statKind is one of the values of a column.
type statKind uint8

const (
	minValues statKind = iota
	maxValues
	nullCount
)

// maxStatsColumns is how many columns statistics are read of at a time.
const maxStatsColumns = 64

// columnsAt takes the values of one kind within a struct at a depth. Bit i of
// other says that path i does not lead to that struct.
func (p *statsParser) columnsAt(kind statKind, depth int, other uint64) error {
	return p.s.Object(func(name []byte) error {
		next := p.s.Peek()
		at, within, outside := -1, false, other
		for i, path := range p.paths {
			switch {
			case other>>i&1 != 0:
			case depth >= len(path) || path[depth] != string(name):
				outside |= 1 << i
			case depth == len(path)-1:
				at = i
			default:
				within = true
			}
		}
		switch {
		case next == '{' && within:
			return p.columnsAt(kind, depth+1, outside)
		case at < 0 || next == '{' || next == 'n':
			return p.s.Skip()
		}
		return p.value(kind, at)
	})
}

func (p *statsParser) value(kind statKind, at int) (err error) {
	c := &p.out.columns[at]
	if kind == nullCount {
		c.nullCount, err = p.s.Int64()
		return err
	}
	raw, err := p.s.Raw()
	if kind == minValues {
		c.min = string(raw)
	} else {
		c.max = string(raw)
	}
	return err
}

// columnRange gives what the statistics say of a column's live values. wasFloat
// tells that the column is a DOUBLE and may have been a FLOAT when they were
// made.
func (f *fileStats) columnRange(i int, t types.Type, wasFloat, knownWriter bool) prune.Range {
	r := prune.Anything()
	c := f.columns[i]
	if f.records >= 0 && c.nullCount >= 0 {
		// Wide statistics tell of NULLs only where all or none are (protocol,
		// "Per-file Statistics").
		if c.nullCount == 0 {
			r.MayBeNull = false
		}
		if c.nullCount == f.records {
			r.MayBeValue = false
		}
	}
	r.MayBeNaN = (t.Kind == types.Float || t.Kind == types.Double) && !knownWriter
	if t.Kind == types.Decimal && !knownWriter && (isRounded(c.min) || isRounded(c.max)) {
		return r
	}
	r.Min = statValue(t, c.min)
	r.Max = widenMax(t, statValue(t, c.max))
	if wasFloat {
		r.Min, r.Max = widenFloats(r.Min, r.Max)
	}
	return r
}

// isRounded tells the decimal bounds that a writer may have put through a
// double, which keeps 15 digits for certain.
func isRounded(raw string) bool {
	digits := 0
	for _, c := range strings.TrimLeft(raw, "-0.") {
		if c >= '0' && c <= '9' {
			digits++
		} else if c != '.' {
			return true
		}
	}
	return digits > 15
}

// statValue reads a bound as a value of the column's type; nil where it is
// absent or is none. A type whose statistics have no agreed form has no bounds.
func statValue(t types.Type, raw string) any {
	if raw == "" {
		return nil
	}
	s := jsonscan.NewString(raw)
	if raw[0] == '"' {
		v, err := s.String()
		if err != nil {
			return nil
		}
		return statText(t, v)
	}
	switch t.Kind {
	case types.TinyInt, types.SmallInt, types.Int, types.BigInt:
		if n, err := strconv.ParseInt(raw, 10, 64); err == nil {
			return n
		}
	case types.Float, types.Double:
		return parseFloat(t, raw)
	case types.Decimal:
		if d, ok := types.ParseDecimalAs(raw, int(t.Precision), int(t.Scale)); ok {
			return d
		}
	}
	return nil
}

// statText reads a bound that is a JSON string.
func statText(t types.Type, text string) any {
	switch t.Kind {
	case types.String:
		return text
	case types.Date:
		if d, ok := types.ParseDate(text); ok {
			return int64(d)
		}
	case types.Timestamp:
		if wall, zone, ok := types.ParseTimestamp(text); ok {
			if zone == nil {
				zone = time.UTC
			}
			return types.WallToInstant(wall, zone)
		}
	case types.TimestampNTZ:
		if wall, zone, ok := types.ParseTimestamp(text); ok && (zone == nil || zone == time.UTC) {
			return wall
		}
	case types.Float, types.Double:
		return parseFloat(t, text) // NaN, Infinity
	}
	return nil
}

// parseFloat reads a number in the precision of its type: 0.1 stands for a FLOAT
// that is a little above the DOUBLE 0.1.
func parseFloat(t types.Type, text string) any {
	bits := 64
	if t.Kind == types.Float {
		bits = 32
	}
	f, err := strconv.ParseFloat(text, bits)
	if err != nil {
		return nil
	}
	return f
}

// widenFloats makes bounds hold for a text that may stand for a FLOAT.
func widenFloats(lo, hi any) (any, any) {
	if l, ok := lo.(float64); ok {
		lo = min(l, float64(float32(l)))
	}
	if h, ok := hi.(float64); ok {
		hi = max(h, float64(float32(h)))
	}
	return lo, hi
}

// microsPerMilli is how far below the largest timestamp its bound may be.
const microsPerMilli = 1000

// widenMax makes an upper bound of a timestamp hold, as writers cut those down
// to milliseconds (protocol, "Per-file Statistics", the footnote).
func widenMax(t types.Type, v any) any {
	us, ok := v.(int64)
	if !ok || t.Kind != types.Timestamp && t.Kind != types.TimestampNTZ {
		return v
	}
	if us > math.MaxInt64-microsPerMilli {
		return nil
	}
	return us + microsPerMilli - 1
}

// formatParsedStats writes statistics that a checkpoint has as a struct in the
// form that commits have them in.
func formatParsedStats(t types.Type, value any) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(parsedStat(t, value)); err != nil {
		return ""
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// parsedStat gives a value of the struct as a JSON value; nil for none.
func parsedStat(t types.Type, value any) any {
	switch v := value.(type) {
	case []any:
		if t.Kind != types.Struct {
			return nil
		}
		m := map[string]any{}
		for i, f := range t.Fields {
			if x := parsedStat(f.Type, v[i]); x != nil {
				m[f.Name] = x
			}
		}
		return m
	case int64:
		switch t.Kind {
		case types.Date:
			return types.FormatDate(int32(v))
		case types.Timestamp:
			return types.FormatTimestamp(v) + "Z"
		case types.TimestampNTZ:
			return types.FormatTimestamp(v)
		}
		return v
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return strings.TrimPrefix(strconv.FormatFloat(v, 'g', -1, 64), "+")
		}
		return v
	case types.Decimal128:
		return json.Number(v.Format(int(t.Scale)))
	case string, bool:
		return v
	}
	return nil
}
