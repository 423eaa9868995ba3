package parser

import "strings"

// refusal is something that other dialects have. Where a statement stops being
// ours at such words, the error names them instead of what would have fitted.
type refusal struct {
	statement string // its first word, behind a WITH; "" for any
	// words begin at the token that doesn't fit or, if they are several, at the
	// one before it. A _ is any token.
	words   string
	feature string
	instead string // what to use; "" if there is nothing like it
}

// refusals are looked through in order.
var refusals = []refusal{
	{"CREATE", "PRIMARY KEY", "PRIMARY KEY on a column", "PRIMARY KEY (…) after the columns, in an Iceberg table"},
	{"CREATE", "CREATE UNIQUE", "CREATE INDEX", ""},
	{"CREATE", "CREATE INDEX", "CREATE INDEX", ""},
	{"CREATE", "CREATE MATERIALIZED", "CREATE MATERIALIZED VIEW", ""},
	{"CREATE", "CREATE FUNCTION", "CREATE FUNCTION", ""},
	{"CREATE", "CREATE PROCEDURE", "CREATE PROCEDURE", ""},
	{"CREATE", "CREATE SEQUENCE", "CREATE SEQUENCE", ""},
	{"CREATE", "CREATE TRIGGER", "CREATE TRIGGER", ""},
	{"CREATE", "CREATE TYPE", "CREATE TYPE", ""},
	{"CREATE", "CREATE USER", "CREATE USER", ""},
	{"CREATE", "CREATE ROLE", "CREATE ROLE", ""},
	{"CREATE", "TEMPORARY TABLE", "CREATE TEMPORARY TABLE", ""},
	{"CREATE", "TEMP TABLE", "CREATE TEMPORARY TABLE", ""},
	{"CREATE", "UNIQUE (", "UNIQUE", ""},
	{"CREATE", "UNIQUE", "UNIQUE", ""},
	{"CREATE", "KEY (", "KEY", ""},
	{"CREATE", "REFERENCES", "REFERENCES on a column", ""},
	{"CREATE", "CHECK", "CHECK on a column", ""},
	{"CREATE", "CONSTRAINT", "CONSTRAINT on a column", ""},
	{"CREATE", "COLLATE", "COLLATE", ""},
	{"CREATE", "AUTO_INCREMENT", "AUTO_INCREMENT", ""},
	{"DROP", "DROP INDEX", "DROP INDEX", ""},
	{"DROP", "DROP FUNCTION", "DROP FUNCTION", ""},
	{"ALTER", "ALTER INDEX", "ALTER INDEX", ""},

	{"INSERT", "RETURNING", "INSERT … RETURNING", ""},
	{"INSERT", "RETURNING _", "INSERT … RETURNING", ""},
	{"INSERT", "ON CONFLICT", "INSERT … ON CONFLICT", "UPSERT INTO … KEYS (…), or MERGE INTO"},
	{"INSERT", "ON DUPLICATE", "INSERT … ON DUPLICATE KEY", "UPSERT INTO … KEYS (…), or MERGE INTO"},
	{"INSERT", "INSERT OR", "INSERT OR …", "UPSERT INTO … KEYS (…), or MERGE INTO"},
	{"INSERT", "INSERT IGNORE", "INSERT IGNORE", "MERGE INTO"},
	{"UPDATE", "FROM", "UPDATE … FROM", "MERGE INTO"},
	{"UPDATE", "RETURNING", "UPDATE … RETURNING", ""},
	{"UPDATE", "ORDER BY", "UPDATE … ORDER BY", ""},
	{"UPDATE", "LIMIT", "UPDATE … LIMIT", ""},
	{"DELETE", "USING", "DELETE … USING", "MERGE INTO"},
	{"DELETE", "RETURNING", "DELETE … RETURNING", ""},
	{"DELETE", "RETURNING _", "DELETE … RETURNING", ""},
	{"DELETE", "ORDER BY", "DELETE … ORDER BY", ""},
	{"DELETE", "LIMIT", "DELETE … LIMIT", ""},
	{"REPLACE", "REPLACE INTO", "REPLACE INTO", "UPSERT INTO … KEYS (…), or MERGE INTO"},

	{"", "FOR UPDATE", "FOR UPDATE", ""},
	{"", "FOR SHARE", "FOR SHARE", ""},
	{"SELECT", "INTO", "SELECT … INTO", "CREATE TABLE … AS SELECT"},
	{"", "CLUSTER BY", "CLUSTER BY in a query", "ORDER BY"},
	{"", "DISTRIBUTE BY", "DISTRIBUTE BY", ""},
	{"", "SORT BY", "SORT BY", "ORDER BY"},
}

// refusedStatements are the first words of statements that others have.
var refusedStatements = map[string]bool{"GRANT": true, "REVOKE": true, "DENY": true, "LOCK": true, "UNLOCK": true, "CACHE": true, "UNCACHE": true,
	"LOAD": true, "MSCK": true, "PREPARE": true, "EXECUTE": true, "DEALLOCATE": true, "DECLARE": true, "ATTACH": true, "DETACH": true, "PRAGMA": true,
	"EXPORT": true, "IMPORT": true, "KILL": true, "UNDROP": true}

// refused finds what of another dialect begins at the present token or at the
// one before it, and where; nil if that is nothing known.
func (p *parser) refused() (*refusal, token) {
	statement := p.word(p.first)
	if p.i == p.first && refusedStatements[statement] {
		return &refusal{feature: statement}, p.tok
	}
	for k := range refusals {
		r := &refusals[k]
		switch {
		case r.statement != "" && r.statement != statement:
		case p.hasWords(p.i, r.words):
			return r, p.tok
		case p.i > p.first && strings.Contains(r.words, " ") && p.hasWords(p.i-1, r.words):
			return r, p.tokens[p.i-1]
		}
	}
	return nil, token{}
}

// word gives a token as it is written, in upper case; "" at the end.
func (p *parser) word(i int) string {
	if i >= len(p.tokens) || p.tokens[i].kind == tokError {
		return ""
	}
	return strings.ToUpper(p.text(p.tokens[i]))
}

func (p *parser) hasWords(i int, words string) bool {
	for word := range strings.FieldsSeq(words) {
		if found := p.word(i); found == "" || word != "_" && found != word {
			return false
		}
		i++
	}
	return true
}
