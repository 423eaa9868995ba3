package iceberg

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

// The properties that say which metrics files have, as the reference
// implementation understands them.
const (
	defaultMetricsProperty     = "write.metadata.metrics.default"
	columnMetricsProperty      = "write.metadata.metrics.column."
	maxInferredColumnsProperty = "write.metadata.metrics.max-inferred-column-defaults"
	maxInferredColumnsDefault  = 100
)

// metricsMode says which metrics a column has: the number of characters or bytes
// that its bounds are cut to, or one of the following.
type metricsMode int

const (
	noMetrics   metricsMode = -1
	countsOnly  metricsMode = 0
	cutBounds   metricsMode = 16 // the default
	fullMetrics metricsMode = math.MaxInt
)

func parseMetricsMode(property, text string) (metricsMode, error) {
	word := strings.ToLower(text)
	switch word {
	case "none":
		return noMetrics, nil
	case "counts":
		return countsOnly, nil
	case "full":
		return fullMetrics, nil
	}
	if length, ok := strings.CutPrefix(word, "truncate("); ok && strings.HasSuffix(length, ")") {
		if n, err := strconv.Atoi(strings.TrimSuffix(length, ")")); err == nil && n > 0 {
			return metricsMode(n), nil
		}
	}
	return 0, fmt.Errorf("table property %s: %q is none of none, counts, truncate(length) and full", property, text)
}

// metricsModes are the modes of a table's columns.
type metricsModes struct {
	columns   map[string]metricsMode
	otherwise metricsMode
}

func (m *TableMetadata) metricsModes(schema *Schema) (*metricsModes, error) {
	out := &metricsModes{columns: map[string]metricsMode{}, otherwise: cutBounds}
	if text, ok := m.Properties[defaultMetricsProperty]; ok {
		var err error
		if out.otherwise, err = parseMetricsMode(defaultMetricsProperty, text); err != nil {
			return nil, err
		}
	} else if err := out.inferDefaults(m, schema); err != nil {
		return nil, err
	}
	sorted := out.otherwise
	if sorted == noMetrics || sorted == countsOnly {
		sorted = cutBounds
	}
	names := schema.columnNames()
	for _, id := range m.sortedColumns() {
		out.columns[names[id]] = sorted
	}
	for key, text := range m.Properties {
		if column, ok := strings.CutPrefix(key, columnMetricsProperty); ok {
			mode, err := parseMetricsMode(key, text)
			if err != nil {
				return nil, err
			}
			out.columns[column] = mode
		}
	}
	return out, nil
}

// inferDefaults gives bounds to the first columns only if there are very many.
func (o *metricsModes) inferDefaults(m *TableMetadata, schema *Schema) error {
	limit := maxInferredColumnsDefault
	if text, ok := m.Properties[maxInferredColumnsProperty]; ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return fmt.Errorf("table property %s: %q is no number of columns", maxInferredColumnsProperty, text)
		}
		limit = n
	}
	names := schema.columnNames()
	if len(names) <= limit {
		return nil
	}
	o.otherwise = noMetrics
	for _, id := range schema.firstLeaves(limit) {
		o.columns[names[id]] = cutBounds
	}
	return nil
}

// columnNames are the full names of the fields at any depth.
func (s *Schema) columnNames() map[types.FieldID]string {
	out := map[types.FieldID]string{}
	var add func(f types.Field, above string)
	add = func(f types.Field, above string) {
		out[f.ID] = above + f.Name
		for _, child := range f.Type.Parts() {
			add(child, out[f.ID]+".")
		}
	}
	for _, f := range s.Fields {
		add(f, "")
	}
	return out
}

// firstLeaves are the first leaf columns, those of a struct before the ones
// further below.
func (s *Schema) firstLeaves(limit int) []types.FieldID {
	var out []types.FieldID
	var add func(fields []types.Field)
	add = func(fields []types.Field) {
		for _, f := range fields {
			if !f.Type.IsNested() && len(out) < limit {
				out = append(out, f.ID)
			}
		}
		for _, f := range fields {
			add(f.Type.Parts())
		}
	}
	add(s.Fields)
	return out
}

// sortedColumns are the columns that the table's sort order has in their own
// order (spec, "Sort Orders").
func (m *TableMetadata) sortedColumns() []types.FieldID {
	var orders []struct {
		OrderID int `json:"order-id"`
		Fields  []struct {
			Transform string        `json:"transform"`
			SourceID  types.FieldID `json:"source-id"`
		} `json:"fields"`
	}
	var out []types.FieldID
	if json.Unmarshal(m.SortOrders, &orders) != nil {
		return nil // an order of a later version of the spec: nothing depends on it
	}
	for _, o := range orders {
		for _, f := range o.Fields {
			kind := parseTransform(f.Transform).kind
			if o.OrderID == m.DefaultSortOrderID && kind != bucketTransform && kind != voidTransform && kind != unknownTransform {
				out = append(out, f.SourceID)
			}
		}
	}
	return out
}

// fileMetrics gives the metrics of a file of so many records, of whose columns
// the writer has told the statistics (spec, "Data File Fields").
func (m *TableMetadata) fileMetrics(schema *Schema, stats storage.FileStats, records int64) ([]ColumnMetrics, error) {
	modes, err := m.metricsModes(schema)
	if err != nil {
		return nil, err
	}
	names, repeated := schema.columnNames(), schema.repeatedFields()
	var out []ColumnMetrics
	for _, c := range stats.Columns {
		mode, ok := modes.columns[names[c.ID]]
		if !ok {
			mode = modes.otherwise
		}
		if c.ID != 0 && mode != noMetrics {
			out = append(out, columnMetrics(c, mode, records, repeated[c.ID]))
		}
	}
	slices.SortFunc(out, func(a, b ColumnMetrics) int { return cmp.Compare(a.ID, b.ID) })
	return out, nil
}

// repeatedFields are the fields below lists and maps, whose values are not one
// for each row.
func (s *Schema) repeatedFields() map[types.FieldID]bool {
	out := map[types.FieldID]bool{}
	var add func(f types.Field, repeated bool)
	add = func(f types.Field, repeated bool) {
		out[f.ID] = repeated
		for _, child := range f.Type.Parts() {
			add(child, repeated || f.Type.Kind != types.Struct)
		}
	}
	for _, f := range s.Fields {
		add(f, false)
	}
	return out
}

func columnMetrics(c storage.ColumnStats, mode metricsMode, records int64, repeated bool) ColumnMetrics {
	out := ColumnMetrics{ID: c.ID, SizeBytes: c.SizeBytes, Values: -1, NullCount: -1, NaNCount: -1}
	if repeated {
		return out
	}
	out.Values, out.NullCount = records, c.NullCount
	if c.Type.Kind == types.Float || c.Type.Kind == types.Double {
		out.NaNCount = c.NaNCount
	}
	if mode != countsOnly && c.Min != nil && c.Max != nil {
		out.LowerBound = lowerBound(c.Type, c.Min, int(mode))
		out.UpperBound = upperBound(c.Type, c.Max, int(mode))
	}
	return out
}

// lowerBound writes a lower bound, cut to a length; nil for text that readers
// would take for another one.
func lowerBound(t types.Type, v any, length int) []byte {
	if text, ok := v.(string); ok && !utf8.ValidString(text) {
		return nil
	}
	return appendSingleValue([]byte{}, t, cut(t, v, length))
}

// upperBound writes an upper bound. What is cut is made larger by its last
// character or byte that can be; nil if there is none.
func upperBound(t types.Type, v any, length int) []byte {
	short := cut(t, v, length)
	switch v := v.(type) {
	case string:
		if !utf8.ValidString(v) {
			return nil
		}
		if len(short.(string)) < len(v) {
			next, ok := nextString(short.(string))
			if !ok {
				return nil
			}
			short = next
		}
	case []byte:
		if len(short.([]byte)) < len(v) {
			next, ok := nextBytes(short.([]byte))
			if !ok {
				return nil
			}
			short = next
		}
	}
	return appendSingleValue([]byte{}, t, short)
}

// cut shortens text and binary values.
func cut(t types.Type, v any, length int) any {
	if t.Kind == types.String || t.Kind == types.Binary {
		return Transform{kind: truncateTransform, param: length}.truncate(v)
	}
	return v
}
