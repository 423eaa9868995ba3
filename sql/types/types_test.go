package types

import (
	"math"
	"math/big"
	"math/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestCivilRoundTrip(t *testing.T) {
	base := time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
	for days := int32(-800_000); days < 800_000; days += 137 {
		want := base.AddDate(0, 0, int(days))
		y, m, d := CivilFromDays(days)
		require.Equal(t, want.Format("2006-01-02"), time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC).Format("2006-01-02"))
		require.Equal(t, days, DaysFromCivil(y, m, d))
	}
}

func TestParseTimestamp(t *testing.T) {
	for _, c := range []struct {
		text, want string
		ok         bool
	}{
		{"2024-02-29", "2024-02-29 00:00:00", true},
		{"2024-02-30", "", false},
		{"2024-01-02 03:04:05.678901", "2024-01-02 03:04:05.678901", true},
		{"2024-01-02T03:04", "2024-01-02 03:04:00", true},
		{"1969-12-31 23:59:59.999999", "1969-12-31 23:59:59.999999", true},
		{"2024-01-02 03:04:05Z", "2024-01-02 03:04:05", true},
		{"2024-01-02 25:00:00", "", false},
		{"nonsense", "", false},
	} {
		us, _, ok := ParseTimestamp(c.text)
		require.Equal(t, c.ok, ok, c.text)
		if ok {
			require.Equal(t, c.want, FormatTimestamp(us))
		}
	}
	_, zone, ok := ParseTimestamp("2024-01-02 03:04:05 +05:30")
	require.True(t, ok)
	require.Equal(t, int64(-19800)*MicrosPerSecond, WallToInstant(0, zone))
}

func TestAddMonthsKeepsWithinMonth(t *testing.T) {
	require.Equal(t, "2024-02-29", FormatDate(int32(AddMonths(DaysFromCivil(2024, 1, 31), 1))))
	require.Equal(t, "2023-11-30", FormatDate(int32(AddMonths(DaysFromCivil(2024, 1, 31), -2))))
}

func TestDecimalAgainstBig(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	random := func() Decimal128 {
		d := Decimal128{Hi: int64(rng.Uint64()) >> uint(rng.Intn(64)), Lo: rng.Uint64() >> uint(rng.Intn(64))}
		if rng.Intn(2) == 0 {
			d = Decimal128FromInt64(int64(d.Lo))
		}
		return d
	}
	for range 20_000 {
		a, b := random(), random()
		check := func(got Decimal128, ok bool, want *big.Int) {
			exact, fits := Decimal128FromBig(want)
			require.Equal(t, fits, ok, "%v %v", a.Big(), b.Big())
			if ok {
				require.Equal(t, exact, got)
			}
		}
		sum, ok := a.Add(b)
		check(sum, ok, new(big.Int).Add(a.Big(), b.Big()))
		diff, ok := a.Sub(b)
		check(diff, ok, new(big.Int).Sub(a.Big(), b.Big()))
		if product, ok := a.Mul(b); ok {
			check(product, ok, new(big.Int).Mul(a.Big(), b.Big()))
		}
		if b.Sign() != 0 {
			q, r := a.QuoRem(b)
			wantQ, wantR := new(big.Int).QuoRem(a.Big(), b.Big(), new(big.Int))
			check(q, true, wantQ)
			check(r, true, wantR)
		}
	}
}

func TestDecimalText(t *testing.T) {
	for _, c := range []struct {
		text  string
		p, s  int
		want  string
		valid bool
	}{
		{"1.005", 10, 2, "1.01", true},
		{"-1.005", 10, 2, "-1.01", true},
		{"0", 5, 0, "0", true},
		{"-0.4", 5, 0, "0", true},
		{"1e3", 10, 1, "1000.0", true},
		{"12.5e-1", 10, 3, "1.250", true},
		{"99999999999999999999999999999999999999", 38, 0, "99999999999999999999999999999999999999", true},
		{"999999999999999999999999999999999999999", 38, 0, "", false},
		{"100", 2, 0, "", false},
		{"1.2.3", 5, 2, "", false},
		{"", 5, 2, "", false},
		{".", 5, 2, "", false},
	} {
		d, ok := ParseDecimalAs(c.text, c.p, c.s)
		require.Equal(t, c.valid, ok, c.text)
		if ok {
			require.Equal(t, c.want, d.Format(c.s), c.text)
		}
	}
}

func TestDecimalRescaleRounding(t *testing.T) {
	half, _, _ := ParseDecimal("0.5")
	r, ok := half.Rescale(1, 0)
	require.True(t, ok)
	require.Equal(t, "1", r.Format(0))
	r, _ = half.Neg().Rescale(1, 0)
	require.Equal(t, "-1", r.Format(0))
}

func TestIntervalOrder(t *testing.T) {
	hours := func(n int64) Interval { return DayTimeInterval(n * MicrosPerHour) }
	require.Equal(t, Interval{Days: 1}, hours(24))
	require.Equal(t, Interval{Days: -1, Micros: -MicrosPerHour}, hours(-25))
	for n := int64(-49); n < 49; n++ {
		require.Negative(t, hours(n).Compare(hours(n+1)), n)
		require.Equal(t, n*MicrosPerHour, hours(n).Length())
	}
	order, ok := CompareValues(YearMonth, Interval{Months: 11}, Interval{Months: 12})
	require.True(t, ok)
	require.Negative(t, order)
}

// TestIntervalText reads what it prints, by every type, up to the ends of the range.
func TestIntervalText(t *testing.T) {
	for from := UnitYear; from <= UnitSecond; from++ {
		for to := from; to <= UnitSecond; to++ {
			typ, ok := IntervalOf(from, to)
			if !ok {
				continue
			}
			for _, n := range []int64{0, 1, -1, 99, -100, 25 * 60 * 61, math.MinInt64 / MicrosPerDay} {
				v := DayTimeInterval(n * to.Size())
				if typ.IsYearMonth() {
					v = Interval{Months: int32(n * to.Size())}
				}
				back, ok := ParseInterval(typ, FormatInterval(typ, v))
				require.True(t, ok, FormatInterval(typ, v))
				require.Equal(t, v, back)
			}
		}
	}
	least := DayTimeInterval(math.MinInt64)
	require.Equal(t, "INTERVAL '-106751991 04:00:54.775808' DAY TO SECOND", FormatInterval(DayTime, least))
	back, ok := ParseInterval(DayTime, "-106751991 04:00:54.775808")
	require.True(t, ok)
	require.Equal(t, least, back)
}
