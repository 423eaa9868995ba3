package parser_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/parser"
)

func TestParseAll(t *testing.T) {
	src := "; SELECT ? ;\n-- none\n;INSERT INTO t VALUES ($2, $1, $2); SELECT :b, :a, :b;;"
	all, err := parser.ParseAll(src)
	require.NoError(t, err)
	require.Len(t, all, 3)
	texts := []string{"SELECT ?", "INSERT INTO t VALUES ($2, $1, $2)", "SELECT :b, :a, :b"}
	styles := []ast.ParamStyle{ast.QuestionParam, ast.DollarParam, ast.ColonParam}
	for i, s := range all {
		require.Equal(t, texts[i], src[s.Start:s.End])
		require.Equal(t, styles[i], s.ParamStyle)
		require.Equal(t, []int{1, 2, 2}[i], s.ParamCount)
		require.Equal(t, s.Start, int(s.Stmt.Pos()))
	}
	require.Equal(t, []string{"b", "a"}, all[2].ParamNames)

	none, err := parser.ParseAll(" ; -- nothing\n;")
	require.NoError(t, err)
	require.Empty(t, none)

	_, err = parser.ParseAll("SELECT 1; SELECT 2 3")
	require.EqualError(t, err, "line 1:20: expected the end of the statement, found 3")
}

func TestParameterOrdinals(t *testing.T) {
	stmt, err := parser.Parse("SELECT @x, @y FROM t WHERE a = @x AND b IN (@z)")
	require.NoError(t, err)
	var ordinals []int
	ast.Walk(stmt, func(n ast.Node) bool {
		if p, ok := n.(*ast.Param); ok {
			require.Equal(t, ast.AtParam, p.Style)
			ordinals = append(ordinals, p.Ordinal)
		}
		return true
	})
	require.Equal(t, []int{1, 2, 1, 3}, ordinals)
}

func TestPositionsAreByteOffsets(t *testing.T) {
	src := "SELECT 'é', t.größe + 1 AS x FROM \"täble\" AS t WHERE naïve = 1"
	stmt, err := parser.Parse(src)
	require.NoError(t, err)
	ast.Walk(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ColumnRef:
			require.True(t, strings.HasPrefix(src[n.Pos():], n.Parts[0].Name), src[n.Pos():])
		case *ast.Literal:
			require.True(t, strings.HasPrefix(strings.TrimPrefix(src[n.Pos():], "'"), n.Text))
		case *ast.TableName:
			require.True(t, strings.HasPrefix(src[n.Pos():], `"täble"`))
		}
		return true
	})
}

func TestSyntaxError(t *testing.T) {
	_, err := parser.Parse("MERGE INTO t USING s ON t.id = s.id\r\nWHEN MATCHED THEN INSERT *")
	require.ErrorIs(t, err, parser.ErrSyntax)
	require.EqualError(t, err, "line 2:19: expected UPDATE or DELETE after THEN, found INSERT")
	var bad *parser.SyntaxError
	require.True(t, errors.As(err, &bad))
	require.Equal(t, parser.SyntaxError{
		Line: 2, Column: 19, Offset: 55, Found: "INSERT", Expected: "UPDATE or DELETE after THEN",
	}, *bad)

	_, err = parser.Parse("SELECT 'é' \xff")
	require.EqualError(t, err, "line 1:12: invalid UTF-8 byte 0xff")

	_, err = parser.Parse("SELECT 1 '" + strings.Repeat("x", 1000) + "' FROM t WHERE a b '" + strings.Repeat("y", 1000) + "'")
	require.Error(t, err)
	require.Less(t, len(err.Error()), 300)
}

// nested repeats open, then inner, then close, n times.
func nested(open, inner, close string, n int) string {
	return strings.Repeat(open, n) + inner + strings.Repeat(close, n)
}

func TestDepthLimit(t *testing.T) {
	shapes := []struct{ open, inner, close string }{
		{"(", "1", ")"}, {"f(", "1", ")"}, {"(SELECT ", "1", ")"}, {"NOT ", "a", ""}, {"- ", "a", ""}, {"[", "1", "]"},
		{"CASE WHEN a THEN ", "1", " END"}, {"a = (", "1", ")"}, {"a IN (", "1", ")"}, {"{'a': ", "1", "}"},
		{"CAST(a AS ARRAY<INT>) || (", "1", ")"}, {"sum(a) OVER (ROWS ", "1", " PRECEDING)"}, {"position(", "1", ")"},
		{"x[", "1", "]"}, {"f(x -> ", "1", ")"}, {"EXISTS (SELECT ", "1", ")"}, {"a BETWEEN 1 AND (", "2", ")"},
	}
	for _, s := range shapes {
		e, err := parser.ParseExpr(nested(s.open, s.inner, s.close, 300))
		require.NoError(t, err, s.open)
		again, err := parser.ParseExpr(ast.String(e))
		require.NoError(t, err, s.open)
		require.True(t, ast.Equal(e, again), s.open)

		_, err = parser.ParseExpr(nested(s.open, s.inner, s.close, 100_000))
		require.ErrorIs(t, err, parser.ErrSyntax, s.open)
		require.Contains(t, err.Error(), "nested more than 1000 levels deep")
	}
	_, err := parser.ParseExpr(nested("(", "1", ")", 990))
	require.NoError(t, err)

	for _, s := range []struct{ open, inner, close string }{
		{"SELECT * FROM (", "t", ")"}, {"SELECT * FROM (", "SELECT 1", ")"}, {"(", "SELECT 1", ")"},
		{"EXPLAIN ", "SELECT 1", ""}, {"SELECT 1 GROUP BY GROUPING SETS (", "a", ")"},
		{"SELECT CAST(a AS ", "INT", ")"}, {"SELECT CAST(a AS ARRAY<", "INT", ">)"},
		{"WITH a AS (", "SELECT 1", ") SELECT 1"}, {"FROM a JOIN (", "b", ")"},
	} {
		_, err := parser.Parse(nested(s.open, s.inner, s.close, 100_000))
		require.ErrorIs(t, err, parser.ErrSyntax, s.open)
	}
}

func TestHeightLimit(t *testing.T) {
	chain := func(item, sep string, n int) string { return strings.Repeat(item+sep, n-1) + item }
	for _, sep := range []string{" OR ", " AND ", " + ", " || ", " = "} {
		e, err := parser.ParseExpr(chain("a", sep, 9_000))
		require.NoError(t, err)
		again, err := parser.ParseExpr(ast.String(e))
		require.NoError(t, err)
		require.True(t, ast.Equal(e, again))
		_, err = parser.ParseExpr(chain("a", sep, 100_000))
		require.ErrorIs(t, err, parser.ErrSyntax)
		require.Contains(t, err.Error(), "more than 10000 operators in a row")
	}
	for _, src := range []string{
		"SELECT * FROM " + chain("a", " JOIN ", 100_000),
		chain("SELECT 1", " UNION ALL ", 100_000),
		"SELECT a" + strings.Repeat("[0]", 100_000),
		"SELECT a" + strings.Repeat("::INT", 100_000),
		"SELECT a" + strings.Repeat(" IS NULL", 100_000),
		"SELECT CAST(a AS INT" + strings.Repeat("[]", 100_000) + ")",
		"SELECT * FROM t" + strings.Repeat(" PIVOT (sum(a) FOR b IN (1))", 100_000),
	} {
		_, err := parser.Parse(src)
		require.ErrorIs(t, err, parser.ErrSyntax, src[:40])
	}
	// Length alone is no height.
	_, err := parser.Parse("SELECT a FROM t WHERE a IN (" + chain("1 + 2", ", ", 100_000) + ")")
	require.NoError(t, err)
}

func TestSizeLimit(t *testing.T) {
	_, err := parser.Parse("SELECT '" + strings.Repeat("x", 16<<20) + "'")
	require.ErrorIs(t, err, parser.ErrSyntax)
	require.Contains(t, err.Error(), "more than the limit")
}

// TestLinearTime parses texts that invite backtracking; a quadratic parser would take minutes.
func TestLinearTime(t *testing.T) {
	start := time.Now()
	for _, src := range []string{
		"SELECT " + strings.Repeat("f((a, b), ", 900) + "1" + strings.Repeat(")", 900),
		"SELECT " + strings.Repeat("a.", 500_000) + "a",
		"SELECT f(" + strings.Repeat("a, ", 300_000) + "a)",
		"SELECT f((" + strings.Repeat("a, ", 300_000) + "a))",
		"SELECT " + strings.Repeat("(", 1_000_000),
		"SELECT " + strings.Repeat("/*", 1_000_000),
		"SELECT " + strings.Repeat("'", 1_000_001),
		strings.Repeat("SELECT 1;", 200_000),
		"INSERT INTO t VALUES " + strings.Repeat("(1, 'a', -2.5, ?), ", 100_000) + "(1, 'a', -2.5, ?)",
		"SELECT " + strings.Repeat(":a + ", 5_000) + ":a",
	} {
		_, err := parser.ParseAll(src)
		if err != nil {
			require.ErrorIs(t, err, parser.ErrSyntax)
		}
	}
	require.Less(t, time.Since(start), 30*time.Second)
}

func ExampleParse() {
	stmt, err := parser.Parse("select a from t where b::int > 1 or not c")
	fmt.Println(ast.String(stmt), err)
	_, err = parser.Parse("SELECT a FROM t WHERE b >")
	fmt.Println(err)
	// Output:
	// SELECT a FROM t WHERE CAST(b AS INT) > 1 OR NOT c <nil>
	// line 1:26: expected an expression, found <end of input>
}
