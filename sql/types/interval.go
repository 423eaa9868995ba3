package types

import (
	"fmt"
	"strings"
)

// Interval is a span of time whose parts do not convert into each other: a
// month has no fixed number of days, and a day of civil time no fixed number
// of microseconds.
type Interval struct {
	Months int32
	Days   int32
	Micros int64
}

// Negate gives the interval that undoes v.
func (v Interval) Negate() Interval {
	return Interval{Months: -v.Months, Days: -v.Days, Micros: -v.Micros}
}

// Compare orders intervals by their length, with 30 days to a month and 24
// hours to a day. Between intervals of months only, or of days and less only,
// that is exact.
func (v Interval) Compare(w Interval) int { return v.length().Cmp(w.length()) }

// length is the interval in microseconds.
func (v Interval) length() Decimal128 {
	days := int64(v.Months)*30 + int64(v.Days)
	length, _ := Decimal128FromInt64(days).Mul(Decimal128FromInt64(MicrosPerDay))
	length, _ = length.Add(Decimal128FromInt64(v.Micros))
	return length
}

// String prints the interval as an SQL literal without the word INTERVAL.
func (v Interval) String() string {
	var parts []string
	add := func(n int64, unit string) {
		if n != 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, unit))
		}
	}
	add(int64(v.Months/12), "YEARS")
	add(int64(v.Months%12), "MONTHS")
	add(int64(v.Days), "DAYS")
	add(v.Micros/3_600_000_000, "HOURS")
	add(v.Micros/60_000_000%60, "MINUTES")
	if us := v.Micros % 60_000_000; us != 0 {
		sign := ""
		if us < 0 {
			sign, us = "-", -us
		}
		sec := strings.TrimRight(fmt.Sprintf("%s%d.%06d", sign, us/1_000_000, us%1_000_000), "0")
		parts = append(parts, strings.TrimSuffix(sec, ".")+" SECONDS")
	}
	if parts == nil {
		return "0 SECONDS"
	}
	return strings.Join(parts, " ")
}
