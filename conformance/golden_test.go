package conformance

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/conformance/sharedtest"
)

// testGolden runs the golden cases of a format, each in its directory.
func testGolden(t *testing.T, format string, run func(t *testing.T, dir string, cases, selectors *Suite)) {
	root := sharedtest.Path(t, "golden", format)
	files, err := filepath.Glob(filepath.Join(root, "*", "case.json"))
	require.NoError(t, err)
	cases := &Suite{Name: "golden/" + format + " cases"}
	selectors := &Suite{Name: "golden/" + format + " selectors"}
	for _, file := range files {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) { run(t, dir, cases, selectors) })
	}
	t.Log(cases)
	t.Log(selectors)
}

// missedChances are selectors where tarn reads a file more than Spark does, for
// a reason; the rows are right.
var missedChances = map[string]string{
	"widen_types skipping": "a checkpoint does not say who wrote a file, and some writers leave NaN out of the maximum, so > on a DOUBLE can't skip by it",
}

// countSelectors checks every selector of a case, and gives what is to be said of
// the case.
func countSelectors(t *testing.T, name string, expected map[string]json.RawMessage, selectors *Suite, check func(s string, expected json.RawMessage) (unsupported, failure string)) (unsupported, failure string) {
	for _, s := range slices.Sorted(maps.Keys(expected)) {
		feature, wrong := check(s, expected[s])
		selectors.Count(name+" "+s, feature, wrong)
		if feature != "" {
			unsupported = feature
		}
		if wrong == "" {
			continue
		}
		failure = "see its selectors"
		if why, known := missedChances[name+" "+s]; known && !strings.Contains(wrong, "\n") {
			t.Logf("%s: %s (%s)", s, wrong, why)
			continue
		}
		t.Errorf("%s: %s", s, wrong)
	}
	return unsupported, failure
}

// diffLines describes the first difference of two sorted lists; "" if there is
// none.
func diffLines(want, got []string) string {
	for i := 0; i < len(want) || i < len(got); i++ {
		switch {
		case i >= len(want):
			return fmt.Sprintf("%d rows instead of %d, such as %s", len(got), len(want), got[i])
		case i >= len(got):
			return fmt.Sprintf("%d rows instead of %d; missing is %s", len(got), len(want), want[i])
		case want[i] != got[i]:
			return fmt.Sprintf("row\n%s instead of\n%s", got[i], want[i])
		}
	}
	return ""
}

// skippingChangesRows compares the filtered rows with those that a filter above
// an unfiltered scan gives.
func skippingChangesRows(db *sql.DB, name, predicate string) string {
	ctx := context.Background()
	pushed, err := Query(ctx, db, "SELECT * FROM "+name+" WHERE "+predicate)
	if err != nil {
		return "" // an evaluation error; it is the same with and without skipping
	}
	all, err := Query(ctx, db, "SELECT * FROM (SELECT * FROM "+name+" LIMIT 1000000000) AS t WHERE "+predicate)
	if err != nil {
		return predicate + ": " + err.Error()
	}
	if d := diffLines(all.Lines(), pushed.Lines()); d != "" {
		return predicate + ": " + d
	}
	return ""
}
