package parser_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/parser"
)

// FuzzParse checks that no text panics, that every error has a position inside the text, and that what parses prints as text
// that parses to the same tree.
func FuzzParse(f *testing.F) {
	for _, c := range readScripts(f) {
		f.Add(c.input)
	}
	if dir := os.Getenv("TARN_SHARED"); dir != "" {
		files, _ := filepath.Glob(filepath.Join(dir, "corpus", "*", "*.sql"))
		for _, file := range files {
			src, err := os.ReadFile(file)
			require.NoError(f, err)
			if len(src) < 4096 {
				f.Add(string(src))
			}
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		all, err := parser.ParseAll(src)
		if err != nil {
			var bad *parser.SyntaxError
			require.True(t, errors.As(err, &bad))
			require.LessOrEqual(t, bad.Offset, len(src))
			require.Positive(t, bad.Line)
			require.Positive(t, bad.Column)
			return
		}
		for _, s := range all {
			require.LessOrEqual(t, s.Start, s.End)
			require.LessOrEqual(t, s.End, len(src))
			requireRoundTrip(t, s.Stmt)
			ast.Walk(s.Stmt, func(n ast.Node) bool {
				require.True(t, 0 <= n.Pos() && int(n.Pos()) <= len(src))
				return true
			})
		}
	})
}
