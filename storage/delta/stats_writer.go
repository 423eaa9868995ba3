package delta

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

const (
	// defaultIndexedColumns is how many leaf columns have statistics unless the
	// table says otherwise.
	defaultIndexedColumns = 32
	// statStringChars is the length at which string bounds are cut off.
	statStringChars = 32
)

// statsFormatter writes the statistics of new files (protocol, "Per-file
// Statistics").
type statsFormatter struct {
	fields      []types.Field // of the files
	indexed     map[string]bool
	tightBounds bool // say that bounds are tight, where deletion vectors may make them wide
}

// newStatsFormatter decides which leaf columns, told by their paths in files,
// have statistics.
func newStatsFormatter(m *tableMetadata, fields []types.Field, dataColumns []int) *statsFormatter {
	s := &statsFormatter{fields: fields, indexed: map[string]bool{}, tightBounds: m.isTrue("delta.enableDeletionVectors")}
	chosen := m.property("delta.dataSkippingStatsColumns")
	left := defaultIndexedColumns
	if n, err := strconv.Atoi(m.property("delta.dataSkippingNumIndexedCols")); err == nil {
		left = n
	}
	names := splitNames(chosen)
	for i, c := range dataColumns {
		visitLeaves(m.columns[c].Logical, fields[i], nil, nil, func(logical, physical []string) {
			if chosen != "" {
				s.indexed[pathKey(physical)] = covers(names, logical)
				return
			}
			s.indexed[pathKey(physical)] = left != 0
			if left > 0 {
				left--
			}
		})
	}
	return s
}

// visitLeaves calls visit with the two paths of each leaf of a column; arrays
// and maps are leaves.
func visitLeaves(logical, physical types.Field, l, p []string, visit func(logical, physical []string)) {
	l, p = append(l[:len(l):len(l)], logical.Name), append(p[:len(p):len(p)], physical.Name)
	if logical.Type.Kind != types.Struct {
		visit(l, p)
		return
	}
	for i := range logical.Type.Fields {
		visitLeaves(logical.Type.Fields[i], physical.Type.Fields[i], l, p, visit)
	}
}

func pathKey(path []string) string { return strings.Join(path, "\x00") }

// splitNames takes a list of column names apart, each in its parts.
func splitNames(list string) [][]string {
	var names [][]string
	name, part, quoted := []string{}, strings.Builder{}, false
	end := func(whole bool) {
		name = append(name, strings.TrimSpace(part.String()))
		part.Reset()
		if whole {
			names = append(names, name)
			name = []string{}
		}
	}
	for _, r := range list {
		switch {
		case r == '`':
			quoted = !quoted
		case r == '.' && !quoted:
			end(false)
		case r == ',' && !quoted:
			end(true)
		default:
			part.WriteRune(r)
		}
	}
	end(true)
	return names
}

// covers tells whether one of the names is a column or the struct around it.
func covers(names [][]string, path []string) bool {
	for _, name := range names {
		if len(name) > len(path) {
			continue
		}
		same := true
		for i := range name {
			same = same && strings.EqualFold(name[i], path[i])
		}
		if same {
			return true
		}
	}
	return false
}

// jsonObject is a JSON object with its fields in order.
type jsonObject struct {
	names  []string
	values map[string]any // *jsonObject or string, JSON text
}

// set puts a value at a path.
func (o *jsonObject) set(path []string, json string) {
	if o.values == nil {
		o.values = map[string]any{}
	}
	if _, ok := o.values[path[0]]; !ok {
		o.names = append(o.names, path[0])
	}
	if len(path) == 1 {
		o.values[path[0]] = json
		return
	}
	child, ok := o.values[path[0]].(*jsonObject)
	if !ok {
		child = &jsonObject{}
		o.values[path[0]] = child
	}
	child.set(path[1:], json)
}

func (o *jsonObject) append(b []byte) []byte {
	b = append(b, '{')
	for i, name := range o.names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, quoteJSON(name)...), ':')
		if child, ok := o.values[name].(*jsonObject); ok {
			b = child.append(b)
		} else {
			b = append(b, o.values[name].(string)...)
		}
	}
	return append(b, '}')
}

// quoteJSON writes a string; those that are no UTF-8 are replaced in parts, so
// bounds of such never come here.
func quoteJSON(s string) string {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return `""` // a string can always be encoded
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// format writes the statistics of a file.
func (s *statsFormatter) format(f *storage.DataFile) string {
	var lo, hi, nulls jsonObject
	for _, c := range f.Stats.Columns {
		path, ok := s.leafPath(c.Path)
		if !ok || !s.indexed[pathKey(path)] {
			continue
		}
		if text := formatMin(c.Type, c.Min); text != "" {
			lo.set(path, text)
		}
		if text := formatMax(c.Type, c.Max); text != "" && c.NaNCount == 0 {
			hi.set(path, text)
		}
		if c.NullCount >= 0 {
			nulls.set(path, strconv.FormatInt(c.NullCount, 10))
		}
	}
	b := strconv.AppendInt([]byte(`{"numRecords":`), f.Records, 10)
	b = lo.append(append(b, `,"minValues":`...))
	b = hi.append(append(b, `,"maxValues":`...))
	b = nulls.append(append(b, `,"nullCount":`...))
	if s.tightBounds {
		b = append(b, `,"tightBounds":true`...)
	}
	return string(append(b, '}'))
}

// leafPath tells whether a column of the file is a leaf that only structs are
// around; what is in an array or a map has no statistics.
func (s *statsFormatter) leafPath(path []string) ([]string, bool) {
	fields := s.fields
	for i, name := range path {
		at := types.Schema{Fields: fields}.Index(name)
		if at < 0 {
			return nil, false
		}
		t := fields[at].Type
		if t.Kind != types.Struct {
			return path, i == len(path)-1
		}
		fields = t.Fields
	}
	return nil, false
}

// formatMin writes a lower bound; it is empty where there is none.
func formatMin(t types.Type, v any) string {
	if s, ok := v.(string); ok && t.Kind == types.String {
		if !utf8.ValidString(s) {
			return ""
		}
		return quoteJSON(cutString(s))
	}
	return formatBound(t, v)
}

// formatMax writes an upper bound: of a string that is cut off, one that is
// above all that begin the same.
func formatMax(t types.Type, v any) string {
	s, ok := v.(string)
	if !ok || t.Kind != types.String {
		return formatBound(t, v)
	}
	if !utf8.ValidString(s) {
		return ""
	}
	cut := cutString(s)
	rest := s[len(cut):]
	for strings.HasPrefix(rest, string(utf8.MaxRune)) { // nothing could be above it
		cut, rest = cut+string(utf8.MaxRune), rest[len(string(utf8.MaxRune)):]
	}
	if rest != "" {
		cut += string(utf8.MaxRune)
	}
	return quoteJSON(cut)
}

func cutString(s string) string {
	chars := 0
	for i := range s {
		if chars == statStringChars {
			return s[:i]
		}
		chars++
	}
	return s
}

// formatBound writes a bound of a type that is not a string.
func formatBound(t types.Type, v any) string {
	switch v := v.(type) {
	case int64:
		return formatWholeBound(t, v)
	case float64:
		switch {
		case math.IsNaN(v):
			return ""
		case math.IsInf(v, 1):
			return `"Infinity"`
		case math.IsInf(v, -1):
			return `"-Infinity"`
		}
		bits := 64
		if t.Kind == types.Float {
			bits = 32
		}
		return strconv.FormatFloat(v, 'g', -1, bits)
	case types.Decimal128:
		return v.Format(int(t.Scale))
	}
	return "" // Boolean and binary columns have no bounds
}

func formatWholeBound(t types.Type, v int64) string {
	switch t.Kind {
	case types.Date:
		if hasPlainYear(v) {
			return `"` + types.FormatDate(int32(v)) + `"`
		}
		return ""
	case types.Timestamp, types.TimestampNTZ:
		// Cut down to milliseconds (protocol, "Per-file Statistics").
		days, us := types.SplitMicros(v)
		if !hasPlainYear(int64(days)) {
			return ""
		}
		text := types.FormatDate(days) + "T" + types.FormatTimeOfDay(us-us%types.MicrosPerSecond) + "." + millisText(us)
		if t.Kind == types.Timestamp {
			text += "Z"
		}
		return `"` + text + `"`
	case types.TinyInt, types.SmallInt, types.Int, types.BigInt:
		return strconv.FormatInt(v, 10)
	}
	return ""
}

func millisText(us int64) string {
	return strconv.FormatInt(1000+us%types.MicrosPerSecond/microsPerMilli, 10)[1:]
}

// hasPlainYear tells the days of the years 1 to 9999, which every engine writes
// and reads in the same way.
func hasPlainYear(days int64) bool {
	const firstDay, lastDay = -719162, 2932896
	return days >= firstDay && days <= lastDay
}
