package parser_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/parser"
)

// TestNestedPairsRoundTrip puts every expression of the scripts in parentheses into every other one, at each place where that
// has an operand a, b, x or 1. Wherever the result parses, the printer must have kept just the parentheses that matter.
func TestNestedPairsRoundTrip(t *testing.T) {
	var exprs []string
	for _, c := range readScripts(t) {
		if _, err := parser.ParseExpr(c.input); c.directive == "expr" && err == nil {
			exprs = append(exprs, c.input)
		}
	}
	operand := regexp.MustCompile(`\b[abx1]\b`)
	parsed := 0
	for _, outer := range exprs {
		places := operand.FindAllStringIndex(outer, -1)
		for _, at := range places {
			for _, inner := range exprs {
				src := outer[:at[0]] + "(" + inner + ")" + outer[at[1]:]
				e, err := parser.ParseExpr(src)
				if err != nil {
					continue
				}
				parsed++
				again, err := parser.ParseExpr(ast.String(e))
				require.NoError(t, err, "%s\nprints as\n%s", src, ast.String(e))
				require.True(t, ast.Equal(e, again), "%s\nprints as\n%s\nthen\n%s", src, ast.String(e), ast.String(again))
			}
		}
	}
	require.Greater(t, parsed, 20_000)
	t.Logf("%d expressions", parsed)
}
