package types

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What java.time and thus Spark make of wall clocks that a zone skips or
// repeats, on either side of Greenwich.
func TestWallClocksThatAZoneSkipsOrRepeats(t *testing.T) {
	for _, c := range []struct{ zone, wall, instant string }{
		{"America/New_York", "2024-03-10 01:59:59", "2024-03-10 06:59:59"},
		{"America/New_York", "2024-03-10 02:00:00", "2024-03-10 07:00:00"},
		{"America/New_York", "2024-03-10 02:30:00", "2024-03-10 07:30:00"},
		{"America/New_York", "2024-03-10 03:00:00", "2024-03-10 07:00:00"},
		{"America/New_York", "2024-11-03 00:59:59", "2024-11-03 04:59:59"},
		{"America/New_York", "2024-11-03 01:00:00", "2024-11-03 05:00:00"},
		{"America/New_York", "2024-11-03 01:30:00", "2024-11-03 05:30:00"},
		{"America/New_York", "2024-11-03 02:00:00", "2024-11-03 07:00:00"},
		{"Europe/Vienna", "2024-03-31 02:30:00", "2024-03-31 01:30:00"},
		{"Europe/Vienna", "2024-10-27 01:59:59", "2024-10-26 23:59:59"},
		{"Europe/Vienna", "2024-10-27 02:30:00", "2024-10-27 00:30:00"},
		{"Europe/Vienna", "2024-10-27 03:00:00", "2024-10-27 02:00:00"},
		{"Australia/Lord_Howe", "2024-10-06 02:15:00", "2024-10-05 15:45:00"},
		{"Australia/Lord_Howe", "2024-04-07 01:45:00", "2024-04-06 14:45:00"},
		{"Pacific/Apia", "2011-12-30 12:00:00", "2011-12-30 22:00:00"}, // a day that never was
	} {
		zone, err := time.LoadLocation(c.zone)
		require.NoError(t, err)
		wall, _, ok := ParseTimestamp(c.wall)
		require.True(t, ok)
		want, _, ok := ParseTimestamp(c.instant)
		require.True(t, ok)
		require.Equal(t, want, WallToInstant(wall, zone), "%s in %s", c.wall, c.zone)
	}
}

// A wall clock that exists is the clock of its instant, and no earlier instant
// shows it.
func TestWallToInstantIsTheEarliestOfItsClock(t *testing.T) {
	for _, name := range []string{"America/New_York", "Europe/Vienna", "Asia/Kathmandu", "Africa/Casablanca", "America/Sao_Paulo"} {
		zone, err := time.LoadLocation(name)
		require.NoError(t, err)
		for instant := int64(-3e9); instant < 2e9; instant += 86400*11 + 1799 {
			wall := InstantToWall(instant*MicrosPerSecond, zone)
			got := WallToInstant(wall, zone)
			require.Equal(t, wall, InstantToWall(got, zone), "%s %d", name, instant)
			require.LessOrEqual(t, got, instant*MicrosPerSecond)
		}
	}
}
