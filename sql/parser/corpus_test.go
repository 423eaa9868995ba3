package parser_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/conformance/sharedtest"
	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/parser"
)

// corpusFiles are the statements that must parse.
func corpusFiles(t testing.TB) []string {
	t.Helper()
	var files []string
	for _, group := range []string{"tpch", "tpch_spec", "tpcds", "clickbench", "lakehouse"} {
		found, err := filepath.Glob(filepath.Join(sharedtest.Path(t, "corpus"), group, "*.sql"))
		require.NoError(t, err)
		files = append(files, found...)
	}
	require.Len(t, files, 429)
	return files
}

func TestCorpusParsesAndRoundTrips(t *testing.T) {
	for _, file := range corpusFiles(t) {
		t.Run(filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			all, err := parser.ParseAll(string(src))
			require.NoError(t, err)
			require.NotEmpty(t, all)
			for _, s := range all {
				requireRoundTrip(t, s.Stmt)
			}
		})
	}
}

// requireRoundTrip checks that a statement's canonical text parses to the same tree and prints the same again.
func requireRoundTrip(t testing.TB, stmt ast.Statement) {
	t.Helper()
	text := ast.String(stmt)
	again, err := parser.Parse(text)
	require.NoError(t, err, text)
	require.True(t, ast.Equal(stmt, again), "%s\nprints as\n%s", text, ast.String(again))
	require.Equal(t, text, ast.String(again))
}

func TestCorpusErrors(t *testing.T) {
	dir := sharedtest.Path(t, "corpus")
	table, err := os.ReadFile(filepath.Join(dir, "errors.tsv"))
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(table)), "\n")[1:]
	require.Len(t, lines, 20)
	for _, line := range lines {
		want := strings.Split(line, "\t")
		t.Run(want[0], func(t *testing.T) {
			src, err := os.ReadFile(filepath.Join(dir, "errors", want[0]))
			require.NoError(t, err)
			_, err = parser.Parse(string(src))
			require.ErrorIs(t, err, parser.ErrSyntax)
			var bad *parser.SyntaxError
			require.True(t, errors.As(err, &bad))
			require.Equal(t, want[1:], []string{strconv.Itoa(bad.Line), strconv.Itoa(bad.Column), bad.Found}, err.Error())
			t.Log(err)
		})
	}
}
