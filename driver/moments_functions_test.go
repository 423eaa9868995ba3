package driver_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/eval"
)

// argumentLists are tried with every function; % is the time.
var argumentLists = []string{"(%)", "(%, %)", "(%, 1)", "('DAY', %)", "(%, 'yyyy')", "('DAY', 1, %)", "('DAY', %, %)", "(1, %)", "(array(%), %)", "(array(%))",
	"(%, %, INTERVAL '1' DAY)", "(map(%, %))", "(map(%, %), %)", "(true, %, %)", "('UTC', %)", "(named_struct('a', %))", "(ts, %)", "(%, ts)"}

// moreCalls are what is no function of values.
var moreCalls = []string{"count(%)", "max(%)", "min(%)", "sum(unix_micros(%))", "collect_list(%)", "array_agg(DISTINCT %)", "any_value(%)", "first(%)", "max_by(%, 1)",
	"count(DISTINCT %)", "approx_count_distinct(%)", "mode(%)", "median(%)", "percentile_disc(0.5) WITHIN GROUP (ORDER BY %)", "lag(%, 1, %) OVER (ORDER BY %)",
	"rank() OVER (PARTITION BY % ORDER BY %)", "min(%) OVER (ORDER BY % RANGE BETWEEN INTERVAL '1' DAY PRECEDING AND CURRENT ROW)", "% IN (%, ts)", "% BETWEEN ts AND %",
	"CASE % WHEN ts THEN 1 END", "% :: STRING", "CAST(% AS BIGINT)", "CAST(% AS DATE)", "CAST(% AS TIME)", "CAST(array(%) AS STRING)", "CAST(array(%) AS ARRAY<STRING>)",
	"% - ts", "% + INTERVAL '1' DAY", "% || 'x'", "% IS NULL", "extract(HOUR FROM %)", "typeof(%)", "transform(array(%), x -> x = ts)", "(% , 1) = (ts, 1)", "% > '2024-01-01'",
	"CAST(% AS VARIANT)", "to_json(map('a', %))", "explode(array(%))"}

// TestFunctionsTakeTimes: where the clock of a time is the session's, a call is
// worth what it is of the TIMESTAMP, for all functions.
func TestFunctionsTakeTimes(t *testing.T) {
	db := open(t, "memory://")
	at := time.Date(2024, 7, 1, 12, 34, 56, 0, time.UTC)
	clock := []string{"current_timestamp", "now", "localtimestamp", "unix_timestamp"}
	called := 0
	for _, f := range eval.Functions() {
		if f.Volatile || f.Operator || slices.Contains(clock, f.Name) {
			continue
		}
		for _, args := range argumentLists {
			compareTimes(t, db, f.Name+args, at, &called)
		}
	}
	for _, call := range moreCalls {
		compareTimes(t, db, call, at, &called)
	}
	require.Greater(t, called, 300)
}

// compareTimes compares a call of an argument, in the places of %, with one of a
// TIMESTAMP. What has no value of a TIMESTAMP may have one of the argument.
func compareTimes(t *testing.T, db querier, call string, at time.Time, called *int) {
	t.Helper()
	const from = " FROM (SELECT TIMESTAMP '2024-07-01 12:34:56' ts)"
	want, err := tryRows(t.Context(), db, "SELECT "+strings.ReplaceAll(call, "%", "CAST('2024-07-01 12:34:56' AS TIMESTAMP)")+from)
	if err != nil {
		return
	}
	*called++
	got, err := tryRows(t.Context(), db, "SELECT "+strings.ReplaceAll(call, "%", "$1")+from, at)
	require.NoError(t, err, call)
	require.Equal(t, want, got, call)
}
