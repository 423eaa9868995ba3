package conformance

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/tarndb/tarn/driver"
	"github.com/tarndb/tarn/sql/types"
)

// Answer is the result of a query.
type Answer struct {
	Fields []types.Field
	Rows   [][]any // as Scan into *any gives them
	// IsCut says that there are more rows, but all would take too much memory.
	IsCut bool
}

// mostAnswerWords bounds what an Answer holds: the values in it, nested ones too,
// and the words of their texts.
const mostAnswerWords = 50_000_000

// Query runs a query on a connection of db and reads all its rows.
func Query(ctx context.Context, db *sql.DB, query string) (Answer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return Answer{}, err
	}
	defer conn.Close()
	return queryConn(ctx, conn, query)
}

func queryConn(ctx context.Context, conn *sql.Conn, query string) (Answer, error) {
	var out Answer
	err := conn.Raw(func(c any) error {
		rows, err := c.(*driver.Conn).QueryContext(ctx, query, nil)
		if err != nil {
			return err
		}
		out, err = read(rows.(*driver.Rows))
		return errors.Join(err, rows.Close())
	})
	return out, err
}

func read(rows *driver.Rows) (Answer, error) {
	out := Answer{Fields: rows.Schema().Fields}
	for words := 0; ; {
		if words > mostAnswerWords {
			out.IsCut = true
			return out, nil
		}
		row := make([]sqldriver.Value, len(out.Fields))
		err := rows.Next(row)
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		values := make([]any, len(row))
		for i, v := range row {
			values[i] = v
			words += wordsOf(v)
		}
		out.Rows = append(out.Rows, values)
	}
}

// wordsOf is about how many words of memory a value takes.
func wordsOf(v any) int {
	words := 2
	switch x := v.(type) {
	case string:
		words += len(x) / 8
	case []byte:
		words += len(x) / 8
	case driver.List:
		for _, e := range x {
			words += wordsOf(e)
		}
	case driver.Map:
		for _, e := range x {
			words += wordsOf(e.Key) + wordsOf(e.Value)
		}
	case driver.Struct:
		for _, f := range x {
			words += wordsOf(f.Value)
		}
	}
	return words
}

// table gives the rows as text, columns apart by two blanks. Text has quotes
// only where it is empty.
func (a Answer) table(sorted bool) string {
	lines := make([]string, len(a.Rows))
	for i, row := range a.Rows {
		cells := make([]string, len(row))
		for c, v := range row {
			if cells[c] = valueText(a.Fields[c].Type, v); cells[c] != `""` {
				cells[c] = strings.Trim(cells[c], `"`)
			}
		}
		lines[i] = strings.TrimRight(strings.Join(cells, "  "), " ") + "\n"
	}
	if sorted {
		sort.Strings(lines)
	}
	return strings.Join(lines, "")
}

// Lines gives the rows as JSON objects in the form of the golden tables'
// NDJSON files, sorted.
func (a Answer) Lines() []string {
	lines := make([]string, len(a.Rows))
	for i, row := range a.Rows {
		lines[i] = structText(a.Fields, row)
	}
	sort.Strings(lines)
	return lines
}

func structText(fields []types.Field, values []any) string {
	parts := make([]string, len(fields))
	for i, f := range fields {
		parts[i] = strconv.Quote(f.Name) + ":" + valueText(f.Type, values[i])
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// JSON gives the rows as JSON arrays in their order, the values in the golden
// tables' form.
func (a Answer) JSON() []string {
	lines := make([]string, len(a.Rows))
	for i, row := range a.Rows {
		cells := make([]string, len(row))
		for c, v := range row {
			cells[c] = valueText(a.Fields[c].Type, v)
		}
		lines[i] = "[" + strings.Join(cells, ",") + "]"
	}
	return lines
}

// valueText gives a value as JSON text in the golden tables' form.
func valueText(t types.Type, v any) string {
	switch x := v.(type) {
	case nil:
		return "null"
	case string:
		return jsonString(x)
	case []byte:
		return jsonString(hex.EncodeToString(x))
	case float64:
		return floatText(x)
	case time.Time:
		return jsonString(timeText(t, x))
	case driver.List:
		parts := make([]string, len(x))
		for i, e := range x {
			parts[i] = valueText(t.Elem.Type, e)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case driver.Map:
		return mapText(t, x)
	case driver.Struct:
		values := make([]any, len(x))
		for i, f := range x {
			values[i] = f.Value
		}
		return structText(t.Fields, values)
	}
	return fmt.Sprint(v)
}

func mapText(t types.Type, m driver.Map) string {
	type entry struct{ key, value string }
	entries := make([]entry, len(m))
	for i, e := range m {
		entries[i] = entry{valueText(t.Key.Type, e.Key), valueText(t.Elem.Type, e.Value)}
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].key < entries[j].key })
	parts := make([]string, len(m))
	for i, e := range entries {
		parts[i] = "[" + e.key + "," + e.value + "]"
	}
	return "[" + strings.Join(parts, ",") + "]"
}

func floatText(f float64) string {
	switch {
	case math.IsNaN(f):
		return `"NaN"`
	case math.IsInf(f, 1):
		return `"Infinity"`
	case math.IsInf(f, -1):
		return `"-Infinity"`
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

func timeText(t types.Type, x time.Time) string {
	days, ofDay := types.SplitMicros(x.UTC().UnixMicro())
	if t.Kind == types.Date {
		return types.FormatDate(days)
	}
	text := fmt.Sprintf("%sT%02d:%02d:%02d.%06d", types.FormatDate(days), ofDay/types.MicrosPerHour, ofDay/types.MicrosPerMinute%60, ofDay/types.MicrosPerSecond%60, ofDay%types.MicrosPerSecond)
	if t.Kind == types.TimestampNS || t.Kind == types.TimestampNTZNS {
		text += fmt.Sprintf("%03d", x.Nanosecond()%1000)
	}
	if t.Kind == types.Timestamp || t.Kind == types.TimestampNS {
		text += "Z"
	}
	return text
}

func jsonString(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return strconv.Quote(s)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// ExpectedLines reads an NDJSON file into the form that Lines gives for the
// same columns.
func ExpectedLines(data []byte, fields []types.Field) ([]string, error) {
	var lines []string
	for _, line := range strings.Split(string(data), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		var row any
		if err := d.Decode(&row); err != nil {
			return nil, err
		}
		text, err := expectedText(types.StructOf(fields...), row)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
		lines = append(lines, text)
	}
	sort.Strings(lines)
	return lines, nil
}

// expectedText gives a decoded JSON value in the form of valueText.
func expectedText(t types.Type, v any) (string, error) {
	switch x := v.(type) {
	case nil:
		return "null", nil
	case string:
		if t.Kind == types.Variant {
			return x, nil // the text of its JSON
		}
		return jsonString(x), nil
	case json.Number:
		if t.Kind != types.Float && t.Kind != types.Double {
			return x.String(), nil
		}
		f, err := x.Float64()
		return floatText(f), err
	case map[string]any:
		return expectedStruct(t, x)
	case []any:
		return expectedList(t, x)
	}
	return fmt.Sprint(v), nil
}

func expectedStruct(t types.Type, x map[string]any) (string, error) {
	if t.Kind != types.Struct || len(t.Fields) != len(x) {
		return "", fmt.Errorf("an object with %d members is expected, the type is %s", len(x), t)
	}
	parts := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		member, ok := x[f.Name]
		if !ok {
			return "", fmt.Errorf("field %s is not expected", f.Name)
		}
		text, err := expectedText(f.Type, member)
		if err != nil {
			return "", err
		}
		parts[i] = strconv.Quote(f.Name) + ":" + text
	}
	return "{" + strings.Join(parts, ",") + "}", nil
}

func expectedList(t types.Type, x []any) (string, error) {
	parts := make([]string, len(x))
	for i, e := range x {
		var err error
		switch pair, isPair := e.([]any); {
		case t.Kind == types.Map && isPair && len(pair) == 2:
			var key, value string
			if key, err = expectedText(t.Key.Type, pair[0]); err == nil {
				value, err = expectedText(t.Elem.Type, pair[1])
			}
			parts[i] = "[" + key + "," + value + "]"
		case t.Kind == types.Array:
			parts[i], err = expectedText(t.Elem.Type, e)
		default:
			err = fmt.Errorf("a list is expected, the type is %s", t)
		}
		if err != nil {
			return "", err
		}
	}
	return "[" + strings.Join(parts, ",") + "]", nil
}
