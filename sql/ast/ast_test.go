package ast_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/parser"
)

func parse(t *testing.T, src string) ast.Statement {
	t.Helper()
	stmt, err := parser.Parse(src)
	require.NoError(t, err)
	return stmt
}

func TestWalkReachesEveryColumn(t *testing.T) {
	stmt := parse(t, `
		WITH w (x) AS (SELECT c1 FROM t)
		SELECT c2 AS x, f(n => c3, c4, y -> c5), * EXCEPT (c6) REPLACE (c7 AS z), CASE c8 WHEN c9 THEN c10 ELSE c11 END,
			sum(c12) FILTER (WHERE c13) OVER (PARTITION BY c14 ORDER BY c15 ROWS BETWEEN c16 PRECEDING AND c17 FOLLOWING)
		FROM a JOIN (SELECT c18) AS s ON c19, LATERAL g(c20), u VERSION AS OF c21
		WHERE c22 IN (c23, c24) AND c25 BETWEEN c26 AND c27 AND EXISTS (SELECT c28)
		GROUP BY c29, ROLLUP (c30, (c31, c32)) HAVING c33 LIKE c34 ESCAPE c35
		WINDOW v AS (ORDER BY c36) QUALIFY c37
		ORDER BY c38 LIMIT c39 OFFSET c40`)
	var names []string
	ast.Walk(stmt, func(n ast.Node) bool {
		if c, ok := n.(*ast.ColumnRef); ok {
			names = append(names, c.Parts[0].Name)
		}
		return true
	})
	want := map[string]bool{}
	for i := 1; i <= 40; i++ {
		want[fmt.Sprintf("c%d", i)] = true
	}
	require.Len(t, names, len(want))
	for _, name := range names {
		require.True(t, want[name], name)
	}
}

func TestWalkSkipsWhatVisitRefuses(t *testing.T) {
	var seen []string
	ast.Walk(parse(t, "SELECT a, (SELECT b), c"), func(n ast.Node) bool {
		if c, ok := n.(*ast.ColumnRef); ok {
			seen = append(seen, c.Parts[0].Name)
		}
		_, sub := n.(*ast.Subquery)
		return !sub
	})
	require.Equal(t, []string{"a", "c"}, seen)
	ast.Walk(nil, func(ast.Node) bool { t.Fatal("visited nil"); return true })
}

// Walk hands out pointers into the tree, so a visitor may change it in place.
func TestWalkVisitsValuesInPlace(t *testing.T) {
	stmt := parse(t, "SELECT a FROM t ORDER BY b")
	ast.Walk(stmt, func(n ast.Node) bool {
		if item, ok := n.(*ast.OrderItem); ok {
			item.Desc = true
		}
		return true
	})
	require.Equal(t, "SELECT a FROM t ORDER BY b DESC", ast.String(stmt))
}

func TestEqual(t *testing.T) {
	a := parse(t, "SELECT a + 1 FROM t WHERE b IN (1, 2)")
	require.True(t, ast.Equal(a, parse(t, "select  a+1\nfrom t where (b in (1,2))")))
	for _, other := range []string{
		"SELECT a + 2 FROM t WHERE b IN (1, 2)", "SELECT a - 1 FROM t WHERE b IN (1, 2)",
		"SELECT A + 1 FROM t WHERE b IN (1, 2)", "SELECT a + 1 FROM t WHERE b NOT IN (1, 2)",
		"SELECT a + 1 FROM t WHERE b IN (1, 2, 3)", "SELECT a + 1 FROM t", "SELECT a + 1L FROM t WHERE b IN (1, 2)",
		"SELECT a + 1 FROM (SELECT 1) AS t WHERE b IN (1, 2)", "DELETE FROM t",
	} {
		require.False(t, ast.Equal(a, parse(t, other)), other)
	}
	require.True(t, ast.Equal(nil, nil))
	require.False(t, ast.Equal(a, nil))
}

func TestQuoteIdent(t *testing.T) {
	for name, want := range map[string]string{
		"a": "a", "_x1$": "_x1$", "größe": "größe", "a b": "`a b`", "a`b": "`a``b`", "1a": "`1a`", "$1": "`$1`",
		"select": "`select`", "Values": "`Values`", "date": "date", "": "``", "\ufffd": "`\ufffd`",
	} {
		require.Equal(t, want, ast.QuoteIdent(name))
	}
}

// The printer puts parentheses where a tree built by hand needs them.
func TestStringOfBuiltTrees(t *testing.T) {
	col := func(name string) ast.Expr { return &ast.ColumnRef{Parts: []ast.Ident{{Name: name}}} }
	num := func(text string) ast.Expr { return &ast.Literal{Kind: ast.IntegerLiteral, Text: text} }
	for want, e := range map[string]ast.Expr{
		"a - (b - c)":    &ast.Binary{Op: ast.OpSub, L: col("a"), R: &ast.Binary{Op: ast.OpSub, L: col("b"), R: col("c")}},
		"(a OR b) AND c": &ast.Binary{Op: ast.OpAnd, L: &ast.Binary{Op: ast.OpOr, L: col("a"), R: col("b")}, R: col("c")},
		"(NOT a) = b":    &ast.Binary{Op: ast.OpEq, L: &ast.Unary{Op: ast.OpNot, Expr: col("a")}, R: col("b")},
		"-(1)":           &ast.Unary{Op: ast.OpNeg, Expr: num("1")},
		"- -a":           &ast.Unary{Op: ast.OpNeg, Expr: &ast.Unary{Op: ast.OpNeg, Expr: col("a")}},
		"(a + 1)[0].x":   &ast.FieldAccess{Expr: &ast.Subscript{Expr: &ast.Binary{Op: ast.OpAdd, L: col("a"), R: num("1")}, Index: num("0")}, Name: ast.Ident{Name: "x"}},
	} {
		require.Equal(t, want, ast.String(e))
		again, err := parser.ParseExpr(want)
		require.NoError(t, err)
		require.True(t, ast.Equal(e, again), want)
	}
}
