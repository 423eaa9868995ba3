package parser_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/parser"
)

// TestScriptsCoverEveryNode checks that each statement, query body, table, expression and ALTER action of package ast occurs
// in a script, and with that in the round-trip test.
func TestScriptsCoverEveryNode(t *testing.T) {
	seen := map[string]bool{}
	see := func(n ast.Node) bool {
		seen[reflect.TypeOf(n).Elem().Name()] = true
		return true
	}
	for _, c := range readScripts(t) {
		if stmt, err := parser.Parse(c.input); err == nil {
			ast.Walk(stmt, see)
		}
		if e, err := parser.ParseExpr(c.input); err == nil {
			ast.Walk(e, see)
		}
	}
	marker := regexp.MustCompile(`(?m)^func \(\*(\w+)\) (?:statement|queryBody|tableExpr|expr|alterAction)\(\)`)
	files, err := filepath.Glob("../ast/*.go")
	require.NoError(t, err)
	kinds := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range marker.FindAllSubmatch(src, -1) {
			kinds++
			require.True(t, seen[string(m[1])], "no script has a %s", m[1])
		}
	}
	require.Greater(t, kinds, 100)
}
