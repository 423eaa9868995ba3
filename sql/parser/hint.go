package parser

import "strings"

// wordMeant is a word, and what is written for it if it is not the word itself.
type wordMeant struct{ word, written string }

// clauseWords stand between the parts of a statement.
var clauseWords = []wordMeant{{"FROM", ""}, {"WHERE", ""}, {"GROUP", ""}, {"ORDER", ""}, {"HAVING", ""}, {"LIMIT", ""}, {"OFFSET", ""}, {"JOIN", ""},
	{"UNION", ""}, {"QUALIFY", ""}, {"VALUES", ""}, {"WINDOW", ""}, {"EXCEPT", ""}, {"INTERSECT", ""}, {"PARTITION", ""},
	{"GROUPBY", "GROUP BY"}, {"ORDERBY", "ORDER BY"}}

// createWords come before clauseWords in CREATE.
var createWords = []wordMeant{{"PARTITION", "PARTITIONED"}, {"PARTITIONED", ""}, {"PARTITIONBY", "PARTITIONED BY"}, {"PARTITIONEDBY", "PARTITIONED BY"}}

// statementWords begin statements.
const statementWords = `SELECT WITH VALUES INSERT UPDATE DELETE MERGE TRUNCATE CREATE DROP ALTER SHOW DESCRIBE EXPLAIN BEGIN COMMIT ROLLBACK
	SAVEPOINT SET RESET USE OPTIMIZE VACUUM RESTORE`

// hint tells what may have been meant at the present token, where expected would
// have fitted; "" if nothing is like it.
func (p *parser) hint(expected string) string {
	meant := p.slip(expected)
	if meant == "" {
		meant = p.misspelt(expected)
	}
	if meant == "" {
		return ""
	}
	return "; did you mean " + meant + "?"
}

// endsPart reports whether the parser had read all that it could of a statement
// or of what stands in parentheses.
func endsPart(expected string) bool { return expected == endOfStatement || expected == `")"` }

// slip knows what people write in haste, or who think of another dialect.
func (p *parser) slip(expected string) string {
	at, before := p.word(p.i), p.wordBefore(1)
	switch {
	case expected == "a table" && p.tok.kind == tokString:
		path := "`" + strings.Trim(p.text(p.tok), "'") + "`"
		return "delta." + path + " or iceberg." + path
	case expected == "SET" && at == "=":
		return "SET " + p.text(p.tokens[p.i-1]) + " = …"
	case at == "&" && before == "&":
		return "AND instead of &&"
	case before == "IF" && at == "NOT", before == "IF" && oneEdit(at, "EXISTS") && p.word(p.first) == "CREATE":
		return "IF NOT EXISTS"
	case before == "IF" && oneEdit(at, "EXISTS"):
		return "IF EXISTS"
	case !endsPart(expected):
	case (at == "GROUP" || at == "ORDER" || at == "PARTITIONED") && p.word(p.i+1) != "BY":
		return at + " BY"
	case before == "ROLLUP" || before == "CUBE":
		return "GROUP BY " + before + " (…)"
	case before == "TOP" && p.tok.kind == tokNumber:
		return "LIMIT " + at + " at the end"
	case at == "," && p.wordBefore(2) == "LIMIT":
		return "LIMIT " + p.word(p.i+1) + " OFFSET " + before
	}
	return ""
}

// misspelt finds a word that is much like the present one and would have fitted.
// Where a part ends, the word before it, which was taken for an alias, may be the
// misspelt one.
func (p *parser) misspelt(expected string) string {
	if expected == "a statement" {
		expected = statementWords
	}
	var words []wordMeant
	for _, w := range strings.FieldsFunc(expected, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		words = append(words, wordMeant{word: w})
	}
	if !endsPart(expected) {
		return p.instead(p.i, words)
	}
	if p.word(p.first) == "CREATE" {
		words = append(words, createWords...)
	}
	words = append(words, clauseWords...)
	if meant := p.instead(max(p.i-1, p.first), words); meant != "" {
		return meant
	}
	return p.instead(p.i, words)
}

// instead says which of the words a token may have been meant for.
func (p *parser) instead(i int, words []wordMeant) string {
	if p.tokens[i].kind != tokWord {
		return ""
	}
	found := strings.ToUpper(p.text(p.tokens[i]))
	for _, w := range words {
		switch {
		case found == w.word && w.written == "" || !oneEdit(found, w.word):
		case w.written == "":
			return w.word + " instead of " + p.text(p.tokens[i])
		default:
			return w.written + " instead of " + p.text(p.tokens[i])
		}
	}
	return ""
}

// wordBefore is the token n before the present one of the same statement, as word
// gives it.
func (p *parser) wordBefore(n int) string {
	if p.i-n < p.first {
		return ""
	}
	return p.word(p.i - n)
}

// oneEdit reports whether a letter was left out, added or replaced, or two
// neighbours exchanged.
func oneEdit(a, b string) bool {
	if len(a) < 3 || len(a) < len(b)-1 || len(a) > len(b)+1 {
		return false
	}
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	restA, restB := a[i:], b[i:]
	switch {
	case len(a) < len(b):
		return restA == restB[1:]
	case len(a) > len(b):
		return restA[1:] == restB
	case len(restA) > 1 && restA[:2] == string([]byte{restB[1], restB[0]}) && restA[2:] == restB[2:]:
		return true
	}
	return restA == "" || restA[1:] == restB[1:]
}
