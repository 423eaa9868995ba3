package parser

import (
	"go/ast"
	goparser "go/parser"
	gotoken "go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xwb1989/sqlparser"
)

// lexed shows the tokens of a text between bars, and the error where the lexer stopped.
func lexed(src string) string {
	tokens, bad := tokenize(src)
	var parts []string
	for _, t := range tokens[:len(tokens)-1] {
		parts = append(parts, src[t.pos:t.end])
	}
	if bad != nil {
		parts = append(parts, "ERROR "+bad.message)
	}
	return strings.Join(parts, "|")
}

// Each case is a trap: a text that the Tokenizer misreads when it is given as it is.
func TestLexerTraps(t *testing.T) {
	cases := []struct{ name, src, want string }{
		{"concatenation is no OR", `a||b`, `a||||b`},
		{"double quotes are identifiers", `"a b"."c""d"`, `"a b"|.|"c""d"`},
		{"backtick in double quotes", "\"a`b\" `c\"d`", "\"a`b\"|`c\"d`"},
		{"backslash is literal", `'a\' 'b'`, `'a\'|'b'`},
		{"backslash at the end of a raw string", `r'a\' x`, `r'a\'|x`},
		{"escapes in E strings", `E'a\'b\\' x`, `E'a\'b\\'|x`},
		{"doubled quote", `'it''s'`, `'it''s'`},
		{"conditional comment", `1 /*! 2 */`, `1|ERROR a conditional comment /*! is not supported`},
		{"hint is a comment", `SELECT /*+ x */ 1`, `SELECT|1`},
		{"nested comment", `1 /* a /* b */ c */ 2`, `1|2`},
		{"unterminated nested comment", `1 /* a /* b */`, `1|ERROR unterminated comment`},
		{"comment at the end", `1 -- x`, `1`},
		{"comment marks in strings", `'--' '/*' "--"`, `'--'|'/*'|"--"`},
		{"hash is no comment", `1 # 2`, `1|ERROR unexpected character "#"`},
		{"double slash is no comment", `1 // 2`, `1|/|/|2`},
		{"NUL is not skipped", "1\x002", "1|ERROR unexpected character \"\\x00\""},
		{"NUL in a string", "'a\x00b' c", "'a\x00b'|c"},
		{"cast is no list argument", `a::int`, `a|::|int`},
		{"colon after an operand", `a:b ':c':d`, `a|:|b|':c'|:|d`},
		{"named parameters", `:id @p1`, `:|id|@|p1`},
		{"at sign splits", `t@v3 t@20240101`, `t|@|v3|t|@|20240101`},
		{"question mark keeps its text", `? ?`, `?|?`},
		{"dollar", `$1 a$b $partition`, `$1|a$b|$partition`},
		{"brackets and braces", `a[1]{b}`, `a|[|1|]|{|b|}`},
		{"arrows", `a=>b->c->>d==e`, `a|=>|b|->|c|->>|d|==|e`},
		{"comparison", `a<=>b<=c<>d!=e>=f<<g>>h`, `a|<=>|b|<=|c|<>|d|!=|e|>=|f|<<|g|>>|h`},
		{"crowded operators", `a<-b<==c>>>d`, `a|<|-|b|<=|=|c|>>|>|d`},
		{"double ampersand is no AND", `a&&b`, `a|&|&|b`},
		{"letters beyond ASCII", `größe 日本語`, `größe|日本語`},
		{"no-break space", "a\u00a0b\ufeffc", `a|b|c`},
		{"form feed", "a\fb\vc", `a|b|c`},
		{"other characters", `a ¤ b`, `a|ERROR unexpected character ¤`},
		{"number suffixes", `10L 2.5BD 1y`, `10L|2.5BD|1y`},
		{"underscores in numbers", `1_000 1_000.5`, `1_000|1_000.5`},
		{"exponents", `1e10 1.5E-3 .5`, `1e10|1.5E-3|.5`},
		{"number run into a word", `1abc`, `ERROR invalid number 1abc`},
		{"number run into a number", `1.2.3`, `ERROR invalid number 1.2.3`},
		{"hexadecimal number", `0x1F`, `ERROR invalid number 0x1F`},
		{"binary string", `X'1F' x''`, `X'1F'|x''`},
		{"odd binary string", `X'1'`, `X'1'`},
		{"bit string", `b'1'`, `ERROR unknown string prefix b`},
		{"prefix needs adjacency", `x '1F'`, `x|'1F'`},
		{"word before a string", `DATE'2020-01-01'`, `DATE|'2020-01-01'`},
		{"keywords keep their case", `sElEcT MERGE over`, `sElEcT|MERGE|over`},
		{"unterminated string", `a 'b c`, `a|ERROR unterminated string 'b`},
		{"unterminated identifier", "a `b c", "a|ERROR unterminated quoted identifier `b"},
		{"empty identifier", "a `` b", "a|ERROR empty quoted identifier"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, lexed(c.src))
		})
	}
}

// The mask has the same length as the source and the tokens are in order, with blanks and comments alone between them.
func TestLexerOffsets(t *testing.T) {
	src := "SELECT \"a`b\", 'x\\' /* c /* d */ */ || größe -- e\n, 1_000L, t.$1 :: int, @p"
	l := &lexer{src: src, mask: []byte(src)}
	require.Equal(t, len(src), l.maskAll())
	require.Len(t, l.mask, len(src))
	pos := uint32(0)
	for _, tok := range l.scan(len(src)) {
		require.Empty(t, strings.TrimSpace(string(l.mask[pos:tok.pos])))
		require.Greater(t, tok.end, tok.pos)
		pos = tok.end
	}
}

// The keyword table is ours: MERGE, OVER, QUALIFY, INTERSECT and EXCEPT are plain identifiers to the Tokenizer.
func TestKeywordsTheTokenizerLacks(t *testing.T) {
	for _, w := range []string{"MERGE", "OVER", "QUALIFY", "INTERSECT", "EXCEPT"} {
		typ, _ := sqlparser.NewStringTokenizer(w).Scan()
		require.Equal(t, sqlparser.ID, typ)
		require.NotZero(t, lookupKeyword(strings.ToLower(w)))
	}
	require.Zero(t, lookupKeyword("mergex"))
	require.Zero(t, lookupKeyword(strings.Repeat("x", 100)))
}

// Every keyword that the grammar asks for is in the table; one that isn't would never be found.
func TestGrammarKeywordsAreInTheTable(t *testing.T) {
	asks := map[string]bool{"at": true, "atAny": true, "atSeq": true, "accept": true, "acceptSeq": true, "expect": true, "is": true}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	fset := gotoken.NewFileSet()
	seen := 0
	check := func(lit ast.Expr) {
		b, ok := lit.(*ast.BasicLit)
		if !ok || b.Kind != gotoken.STRING {
			return
		}
		word, err := strconv.Unquote(b.Value)
		require.NoError(t, err)
		require.NotZero(t, keywordIndex[word], "%s at %s", word, fset.Position(b.Pos()))
		seen++
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		f, err := goparser.ParseFile(fset, file, src, 0)
		require.NoError(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if sel, ok := n.Fun.(*ast.SelectorExpr); ok && asks[sel.Sel.Name] {
					for _, arg := range n.Args {
						check(arg)
					}
				}
			case *ast.SwitchStmt:
				if call, ok := n.Tag.(*ast.CallExpr); ok && isKeywordCall(call) {
					for _, c := range n.Body.List {
						for _, v := range c.(*ast.CaseClause).List {
							if b, ok := v.(*ast.BasicLit); !ok || b.Value != `""` {
								check(v)
							}
						}
					}
				}
			}
			return true
		})
	}
	require.Greater(t, seen, 300)
}

func isKeywordCall(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "keyword"
}
