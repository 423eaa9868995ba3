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
	columns [][]any
	decimal []bool
}

// readTable reads the rows of a result set.
func readTable(rows *sql.Rows) (table, error) {
	types, err := rows.ColumnTypes()
	if err != nil {
		return table{}, err
	}
	t := table{columns: make([][]any, len(types)), decimal: make([]bool, len(types))}
	into := make([]any, len(types))
	row := make([]any, len(types))
	for i, ct := range types {
		t.decimal[i] = ct.DatabaseTypeName() == "DECIMAL"
		into[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return table{}, err
		}
		for i, v := range row {
			t.columns[i] = append(t.columns[i], v)
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
		parts[i] = t.columnChecksum(i)
	}
	return strings.Join(parts, ";")
}

func (t table) columnChecksum(c int) string {
	n, total, crc, isText := 0, 0.0, uint32(0), false
	for _, v := range t.columns[c] {
		if v == nil {
			continue
		}
		n++
		f, numeric := number(v, t.decimal[c])
		if numeric {
			if !math.IsNaN(f) && !math.IsInf(f, 0) {
				total += f
			}
			continue
		}
		isText = true
		crc += crc32.ChecksumIEEE([]byte(textOf(v)))
	}
	switch {
	case isText && t.rows > fullChecksumRows:
		return "-"
	case isText:
		return fmt.Sprintf("s%d:%08x", n, crc)
	}
	return fmt.Sprintf("n%d:%s", n, strconv.FormatFloat(total, 'g', 12, 64))
}

func number(v any, decimal bool) (float64, bool) {
	switch x := v.(type) {
	case int64:
		return float64(x), true
	case float64:
		return x, true
	case bool:
		if x {
			return 1, true
		}
		return 0, true
	case string:
		if decimal {
			f, err := strconv.ParseFloat(x, 64)
			return f, err == nil
		}
	}
	return 0, false
}

func textOf(v any) string {
	switch x := v.(type) {
	case time.Time:
		if x.Hour() == 0 && x.Minute() == 0 && x.Second() == 0 && x.Nanosecond() == 0 {
			return x.Format("2006-01-02")
		}
		return strings.TrimSuffix(x.UTC().Format("2006-01-02T15:04:05.000000"), ".000000")
	case []byte:
		return string(x)
	}
	return fmt.Sprint(v)
}
