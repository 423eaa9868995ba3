package parser_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xwb1989/sqlparser"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/parser"
)

// The oracle: statements inside the subset that the grammar of xwb1989/sqlparser reads faithfully are parsed by both parsers
// and compared as fully parenthesised prefix notation. Its grammar is used in tests only.

// TestOracleGenerated compares statements made at random, from a fixed seed.
func TestOracleGenerated(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 400)
	for range 3000 {
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		requireSameReading(t, generateStatement(data))
	}
}

// FuzzOracle lets the fuzzer choose among the generator's alternatives.
func FuzzOracle(f *testing.F) {
	f.Add([]byte("0123456789"))
	f.Add([]byte{0, 200, 3, 40, 50, 6, 70, 8, 90, 100, 11, 120})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2000 {
			requireSameReading(t, generateStatement(data))
		}
	})
}

func requireSameReading(t *testing.T, src string) {
	t.Helper()
	theirs, err := sqlparser.Parse(src)
	require.NoError(t, err, src)
	want, err := theirNotation(theirs)
	require.NoError(t, err, src)
	ours, err := parser.Parse(src)
	require.NoError(t, err, src)
	got, err := ourNotation(ours)
	require.NoError(t, err, src)
	require.Equal(t, want, got, src)
}

// insideSubset are the statements whose grammar is compared; of a DDL statement xwb's Parse logs and discards what it doesn't
// know.
var insideSubset = regexp.MustCompile(`(?i)^(select|insert|update|delete)\b`)

// outsideSubset is what xwb's grammar reads differently, or as something else without a word.
var outsideSubset = regexp.MustCompile(`(?i)\|\||"|\\|[@#^]|//|/\*!|'\s+'|\b(date|time|timestamp)\s*'|\binterval\b|::`)

// TestOracleCorpus compares the statements of the corpus that lie in the subset.
func TestOracleCorpus(t *testing.T) {
	compared := 0
	for _, file := range corpusFiles(t) {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		text := strings.TrimSuffix(strings.TrimSpace(string(src)), ";")
		if !insideSubset.MatchString(text) || outsideSubset.MatchString(text) {
			continue
		}
		theirs, err := sqlparser.Parse(text)
		if err != nil {
			continue
		}
		want, err := theirNotation(theirs)
		if errors.Is(err, errNoNotation) {
			continue
		}
		ours, err := parser.Parse(text)
		require.NoError(t, err)
		got, err := ourNotation(ours)
		if errors.Is(err, errNoNotation) {
			continue // such as TRY_CAST, which xwb takes for a function with an alias
		}
		require.Equal(t, want, got, file)
		compared++
	}
	require.Greater(t, compared, 60)
	t.Logf("%d statements compared", compared)
}

// errNoNotation marks a node outside the subset.
var errNoNotation = errors.New("outside the oracle's subset")

// notation is text under construction; it gives up at the first node outside the subset.
type notation struct{ err error }

func (n *notation) unknown(node any) string {
	n.err = fmt.Errorf("%w: %T", errNoNotation, node)
	return ""
}

func theirNotation(stmt sqlparser.Statement) (string, error) {
	n := &theirs{}
	s := n.statement(stmt)
	return s, n.err
}

func ourNotation(stmt ast.Statement) (string, error) {
	n := &ours{}
	s := n.statement(stmt)
	return s, n.err
}

// form joins the parts of a node, leaving out the empty ones.
func form(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return "(" + strings.Join(kept, " ") + ")"
}

// tagged is a form if its content isn't empty.
func tagged(tag string, parts ...string) string {
	if strings.Join(parts, "") == "" {
		return ""
	}
	return form(append([]string{tag}, parts...)...)
}

func each[T any](items []T, f func(T) string) string {
	var parts []string
	for _, item := range items {
		parts = append(parts, f(item))
	}
	return strings.Join(parts, " ")
}

// wrapQuery adds ORDER BY and LIMIT to a body.
func wrapQuery(body, order, limit, offset string) string {
	if order+limit+offset == "" {
		return body
	}
	return form("query", body, tagged("order", order), tagged("limit", limit), tagged("offset", offset))
}
