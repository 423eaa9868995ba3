package parser

import "strings"

// clauseWords are what a misspelt word between the parts of a statement may have
// been meant for.
var clauseWords = []string{"FROM", "WHERE", "GROUP", "ORDER", "HAVING", "LIMIT", "OFFSET", "JOIN", "UNION", "QUALIFY", "VALUES", "WINDOW", "EXCEPT", "INTERSECT"}

// misspelt finds what the word at which a statement should have ended, or the one
// before it, which was taken for an alias, may have been meant for; "" for nothing.
func (p *parser) misspelt() string {
	for _, t := range p.tokens[max(p.i-1, 0) : p.i+1] {
		if t.kind != tokWord {
			continue
		}
		word := strings.ToUpper(p.text(t))
		for _, clause := range clauseWords {
			if word != clause && oneEdit(word, clause) {
				return "; did you mean " + clause + " instead of " + p.text(t) + "?"
			}
		}
	}
	return ""
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
