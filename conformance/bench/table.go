package main

import (
	"database/sql"
	"fmt"
	"hash/crc32"
	"math"
	"strconv"
	"strings"
	"time"
)

// table is a result in memory, column by column.
type table struct {
	rows    int
	columns []column
}

// column is one of a table: values of the kinds that it has, NULLs left out.
// Texts and decimals lie in one buffer, so that a large result is few objects.
type column struct {
	decimal bool
	ints    []int64 // and truths
	floats  []float64
	times   []time.Time
	text    []byte
	ends    []int // of each in text
	others  []string
}

func (c *column) add(v any) {
	switch x := v.(type) {
	case nil:
	case int64:
		c.ints = append(c.ints, x)
	case bool:
		var n int64
		if x {
			n = 1
		}
		c.ints = append(c.ints, n)
	case float64:
		c.floats = append(c.floats, x)
	case time.Time:
		c.times = append(c.times, x)
	case string:
		c.text = append(c.text, x...)
		c.ends = append(c.ends, len(c.text))
	case []byte:
		c.text = append(c.text, x...)
		c.ends = append(c.ends, len(c.text))
	default:
		c.others = append(c.others, fmt.Sprint(x))
	}
}

// readTable reads the rows of a result set.
func readTable(rows *sql.Rows) (table, error) {
	types, err := rows.ColumnTypes()
	if err != nil {
		return table{}, err
	}
	t := table{columns: make([]column, len(types))}
	into := make([]any, len(types))
	row := make([]any, len(types))
	for i, ct := range types {
		t.columns[i].decimal = ct.DatabaseTypeName() == "DECIMAL"
		into[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return table{}, err
		}
		for i, v := range row {
			t.columns[i].add(v)
		}
		t.rows++
	}
	return t, rows.Err()
}

// fullChecksumRows is the most rows whose text columns are summed as well.
const fullChecksumRows = 200_000

// checksum summarises the columns without regard to the order of rows: the
// count and the sum of numbers, the count and the sum of CRC-32s of the rest.
func (t table) checksum() string {
	parts := make([]string, len(t.columns))
	for i := range t.columns {
		parts[i] = t.columns[i].checksum(t.rows)
	}
	return strings.Join(parts, ";")
}

func (c *column) checksum(rows int) string {
	isText := len(c.times)+len(c.others) > 0 || len(c.ends) > 0 && !c.decimal
	switch {
	case isText && rows > fullChecksumRows:
		return "-"
	case isText:
		return c.textChecksum()
	}
	total := 0.0
	for _, x := range c.ints {
		total += float64(x)
	}
	add := func(x float64) {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			total += x
		}
	}
	for _, x := range c.floats {
		add(x)
	}
	c.eachText(func(b []byte) {
		if x, err := strconv.ParseFloat(string(b), 64); err == nil {
			add(x)
		}
	})
	return fmt.Sprintf("n%d:%s", len(c.ints)+len(c.floats)+len(c.ends), strconv.FormatFloat(total, 'g', 12, 64))
}

func (c *column) textChecksum() string {
	var crc uint32
	add := func(b []byte) { crc += crc32.ChecksumIEEE(b) }
	c.eachText(add)
	for _, x := range c.times {
		add([]byte(timeText(x)))
	}
	for _, x := range c.others {
		add([]byte(x))
	}
	return fmt.Sprintf("s%d:%08x", len(c.ends)+len(c.times)+len(c.others), crc)
}

func (c *column) eachText(f func([]byte)) {
	start := 0
	for _, end := range c.ends {
		f(c.text[start:end])
		start = end
	}
}

// timeText is a date, or ISO 8601.
func timeText(x time.Time) string {
	if x.Hour() == 0 && x.Minute() == 0 && x.Second() == 0 && x.Nanosecond() == 0 {
		return x.Format("2006-01-02")
	}
	return strings.TrimSuffix(x.UTC().Format("2006-01-02T15:04:05.000000"), ".000000")
}
