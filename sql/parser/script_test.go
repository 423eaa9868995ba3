package parser_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/parser"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the expected output in testdata")

// scriptCase is a case of testdata/*.test: a directive (statement or expr), the input, "----", the canonical text or the error.
type scriptCase struct {
	directive, input, want string
}

// readScripts reads every script. Cases are separated by an empty line.
func readScripts(t testing.TB) []scriptCase {
	t.Helper()
	var all []scriptCase
	files, err := filepath.Glob("testdata/*.test")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		all = append(all, readScript(t, file)...)
	}
	return all
}

func readScript(t testing.TB, file string) []scriptCase {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var cases []scriptCase
	for _, block := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		if strings.HasPrefix(block, "# ") {
			continue
		}
		head, want, _ := strings.Cut(block, "\n----")
		directive, input, _ := strings.Cut(head, "\n")
		cases = append(cases, scriptCase{directive: directive, input: input, want: strings.TrimSpace(want)})
	}
	return cases
}

func runCase(t testing.TB, c scriptCase) string {
	t.Helper()
	switch c.directive {
	case "statement":
		stmt, err := parser.Parse(c.input)
		if err != nil {
			return "error: " + err.Error()
		}
		requireRoundTrip(t, stmt)
		return ast.String(stmt)
	case "expr":
		e, err := parser.ParseExpr(c.input)
		if err != nil {
			return "error: " + err.Error()
		}
		again, err := parser.ParseExpr(ast.String(e))
		require.NoError(t, err, ast.String(e))
		require.True(t, ast.Equal(e, again), ast.String(e))
		return ast.String(e)
	}
	t.Fatalf("unknown directive %q", c.directive)
	return ""
}

func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.test")
	require.NoError(t, err)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			cases := readScript(t, file)
			if *rewrite {
				rewriteScript(t, file)
				return
			}
			for _, c := range cases {
				require.Equal(t, c.want, runCase(t, c), c.input)
			}
		})
	}
}

func rewriteScript(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	blocks := strings.Split(strings.TrimSpace(string(text)), "\n\n")
	for i, block := range blocks {
		if strings.HasPrefix(block, "# ") {
			continue
		}
		head, _, _ := strings.Cut(block, "\n----")
		directive, input, _ := strings.Cut(head, "\n")
		blocks[i] = head + "\n----\n" + runCase(t, scriptCase{directive: directive, input: input})
	}
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(blocks, "\n\n")+"\n"), 0o644))
}
