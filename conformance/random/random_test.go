package main

import (
	"bytes"
	"context"
	"math/rand"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestVariantsAgree runs a few queries; .ci/run runs more.
func TestVariantsAgree(t *testing.T) {
	var report bytes.Buffer
	failures, err := run(context.Background(), options{seed: 77, count: 60, only: -1, dir: filepath.Join(t.TempDir(), "random")}, &report)
	require.NoError(t, err)
	require.Zero(t, failures, report.String())
	require.Contains(t, report.String(), "0 panicked; 0 goroutines leaked")
}

// TestSeedDecidesQueries makes the same queries of a seed twice.
func TestSeedDecidesQueries(t *testing.T) {
	queries := func() (out []string) {
		tables := makeTables(rand.New(rand.NewSource(5)))
		for i := range int64(50) {
			g := &gen{Rand: rand.New(rand.NewSource(i)), tables: tables, subqueries: 3}
			q := g.statement()
			out = append(out, q.ours, q.duck, q.opaque)
		}
		return out
	}
	require.Equal(t, queries(), queries())
}

// TestTemplatesHaveAnOrder sorts calls that differ in their parameters
// only.
func TestTemplatesHaveAnOrder(t *testing.T) {
	parsed := func(lines string) []template { return parseTemplates(lines)[f64] }
	a, b := "f64 | corr({i16}, {tame}) | -\n", "f64 | corr({i16}, {i16}) | -\n"
	one, other := parsed(a+b), parsed(b+a)
	sortTemplates(one)
	sortTemplates(other)
	require.Equal(t, one, other)
}

func TestTemplates(t *testing.T) {
	got := parseTemplates("i32<100 | length({str}, {n1..3}, {re}) | =\n~f64 | ln({tame}) | -\n# comment\n")
	require.Equal(t, template{result: i32, bound: 100, ours: "length({1}, {2}, {3})", duck: "CAST(length({1}, {2}, {3}) AS INT)", params: []string{"str", "n1..3", "re"}}, got[i32][0])
	require.True(t, got[f64][0].rough)
	require.Empty(t, got[f64][0].duck)
	twice := parseTemplates("str | listagg({str}) WITHIN GROUP (ORDER BY {1}) | -\n")[str][0]
	require.Equal(t, "listagg({1}) WITHIN GROUP (ORDER BY {1})", twice.ours)
	for k, list := range templates {
		require.Contains(t, typeNames, k)
		for _, one := range list {
			require.False(t, strings.Contains(one.ours, "{a"), one.ours)
		}
	}
}

// TestLambdas draws lambda functions in both dialects.
func TestLambdas(t *testing.T) {
	for placeholder, want := range map[string]text{
		"i32 => i32":             {ours: "^\\(?p1\\)? -> ", duck: "^lambda p1: "},
		"i32,i32<100:# => i32":   {ours: "^\\(p1, p2\\) -> ", duck: "^lambda p1, p2: .*CAST\\(p2 - 1 AS INT\\)"},
		"i32:.key,i32:.v => i32": {ours: "^\\(p1, p2\\) -> ", duck: "^lambda p1: .*p1\\.v"},
	} {
		matched := 0
		for seed := range int64(30) {
			g := &gen{Rand: rand.New(rand.NewSource(seed))}
			drawn := g.argument(placeholder, 1)
			require.Regexp(t, want.ours, drawn.ours)
			if regexp.MustCompile(want.duck).MatchString(drawn.duck) {
				matched++
			}
		}
		require.NotZero(t, matched, placeholder)
	}
}
