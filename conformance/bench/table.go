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
type column struct {
	decimal bool
	ints    pieces[int64] // and truths
	floats  pieces[float64]
	times   pieces[time.Time]
	texts   []texts // and decimals
	strings int     // in texts
	others  []string
}

// pieces are values in few objects that never move.
type pieces[T any] struct {
	count int
	lists [][]T
}

const (
	firstPiece = 64
	mostPiece  = 1 << 15
)

func (p *pieces[T]) add(x T) {
	n := len(p.lists) - 1
	if n < 0 || len(p.lists[n]) == cap(p.lists[n]) {
		n++
		p.lists = append(p.lists, make([]T, 0, min(firstPiece<<n, mostPiece)))
	}
	p.lists[n] = append(p.lists[n], x)
	p.count++
}

func (p *pieces[T]) each(f func(T)) {
	for _, list := range p.lists {
		for _, x := range list {
			f(x)
		}
	}
}

// texts are some texts in one buffer.
type texts struct {
	data []byte
	ends []int
}

func addText[T string | []byte](c *column, x T) {
	n := len(c.texts) - 1
	if n < 0 || len(c.texts[n].data)+len(x) > cap(c.texts[n].data) {
		n++
		c.texts = append(c.texts, texts{data: make([]byte, 0, max(len(x), min(firstPiece<<n, 16*mostPiece)))})
	}
	t := &c.texts[n]
	t.data = append(t.data, x...)
	t.ends = append(t.ends, len(t.data))
	c.strings++
}

func (c *column) add(v any) {
	switch x := v.(type) {
	case nil:
	case int64:
		c.ints.add(x)
	case bool:
		var n int64
		if x {
			n = 1
		}
		c.ints.add(n)
	case float64:
		c.floats.add(x)
	case time.Time:
		c.times.add(x)
	case string:
		addText(c, x)
	case []byte:
		addText(c, x)
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
	isText := c.times.count+len(c.others) > 0 || c.strings > 0 && !c.decimal
	switch {
	case isText && rows > fullChecksumRows:
		return "-"
	case isText:
		return c.textChecksum()
	}
	total := 0.0
	c.ints.each(func(x int64) { total += float64(x) })
	add := func(x float64) {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			total += x
		}
	}
	c.floats.each(add)
	c.eachText(func(b []byte) {
		if x, err := strconv.ParseFloat(string(b), 64); err == nil {
			add(x)
		}
	})
	return fmt.Sprintf("n%d:%s", c.ints.count+c.floats.count+c.strings, strconv.FormatFloat(total, 'g', 12, 64))
}

func (c *column) textChecksum() string {
	var crc uint32
	add := func(b []byte) { crc += crc32.ChecksumIEEE(b) }
	c.eachText(add)
	c.times.each(func(x time.Time) { add([]byte(timeText(x))) })
	for _, x := range c.others {
		add([]byte(x))
	}
	return fmt.Sprintf("s%d:%08x", c.strings+c.times.count+len(c.others), crc)
}

func (c *column) eachText(f func([]byte)) {
	for _, t := range c.texts {
		start := 0
		for _, end := range t.ends {
			f(t.data[start:end])
			start = end
		}
	}
}

// timeText is a date, or ISO 8601.
func timeText(x time.Time) string {
	if x.Hour() == 0 && x.Minute() == 0 && x.Second() == 0 && x.Nanosecond() == 0 {
		return x.Format("2006-01-02")
	}
	return strings.TrimSuffix(x.UTC().Format("2006-01-02T15:04:05.000000"), ".000000")
}
