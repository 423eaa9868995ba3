package schemajson

import (
	"strconv"
	"strings"

	"github.com/tarndb/tarn/sql/types"
)

// withLengths gives the STRINGs of a type the lengths of CHAR(n) and
// VARCHAR(n), which a column's metadata has as the text of its whole type, such
// as "struct<c:char(3)>". A text that doesn't fit the type is ignored.
func withLengths(t types.Type, text string) types.Type {
	if text == "" {
		return t
	}
	p := charParser{rest: text}
	out, ok := p.parse(t)
	if !ok || p.rest != "" {
		return t
	}
	return out
}

// charParser walks the text of a type in step with the type itself.
type charParser struct{ rest string }

func (p *charParser) take(prefix string) bool {
	if len(p.rest) < len(prefix) || !strings.EqualFold(p.rest[:len(prefix)], prefix) {
		return false
	}
	p.rest = p.rest[len(prefix):]
	return true
}

func (p *charParser) parse(t types.Type) (types.Type, bool) {
	switch t.Kind {
	case types.Struct:
		return p.parseStruct(t)
	case types.Array:
		if !p.take("array<") {
			return t, false
		}
		elem := *t.Elem
		var ok bool
		elem.Type, ok = p.parse(elem.Type)
		t.Elem = &elem
		return t, ok && p.take(">")
	case types.Map:
		if !p.take("map<") {
			return t, false
		}
		key, value := *t.Key, *t.Elem
		var ok1, ok2 bool
		if key.Type, ok1 = p.parse(key.Type); !ok1 || !p.take(",") {
			return t, false
		}
		value.Type, ok2 = p.parse(value.Type)
		t.Key, t.Elem = &key, &value
		return t, ok2 && p.take(">")
	case types.String:
		return p.parseString(t)
	}
	// Any other type: up to the end of its name and of its arguments.
	end := strings.IndexAny(p.rest, ",>")
	if open := strings.IndexByte(p.rest, '('); open >= 0 && (end < 0 || open < end) {
		end = strings.IndexByte(p.rest, ')') + 1
	}
	if end < 0 {
		end = len(p.rest)
	}
	p.rest = p.rest[end:]
	return t, true
}

func (p *charParser) parseStruct(t types.Type) (types.Type, bool) {
	if !p.take("struct<") {
		return t, false
	}
	fields := append([]types.Field{}, t.Fields...)
	for i := range fields {
		if i > 0 && !p.take(",") {
			return t, false
		}
		p.rest = strings.TrimLeft(p.rest, " ")
		quoted := "`" + strings.ReplaceAll(fields[i].Name, "`", "``") + "`"
		if !p.take(fields[i].Name) && !p.take(quoted) || !p.take(":") {
			return t, false
		}
		var ok bool
		if fields[i].Type, ok = p.parse(fields[i].Type); !ok {
			return t, false
		}
	}
	t.Fields = fields
	return t, p.take(">")
}

func (p *charParser) parseString(t types.Type) (types.Type, bool) {
	kind := types.NoChar
	switch {
	case p.take("string"):
		return t, true
	case p.take("varchar("):
		kind = types.VarChar
	case p.take("char("):
		kind = types.Char
	default:
		return t, false
	}
	digits, rest, ok := strings.Cut(p.rest, ")")
	n, err := strconv.ParseInt(digits, 10, 32)
	if !ok || err != nil || n < 1 {
		return t, false
	}
	p.rest = rest
	t.Char, t.Length = kind, int32(n)
	return t, true
}

// hasLength tells whether a type is, or holds, a CHAR or VARCHAR.
func hasLength(t types.Type) bool {
	switch t.Kind {
	case types.Array:
		return hasLength(t.Elem.Type)
	case types.Map:
		return hasLength(t.Key.Type) || hasLength(t.Elem.Type)
	case types.Struct:
		for _, f := range t.Fields {
			if hasLength(f.Type) {
				return true
			}
		}
	}
	return t.Char != types.NoChar
}

// typeText writes a whole type in Spark's words.
func typeText(t types.Type) string {
	switch t.Kind {
	case types.Array:
		return "array<" + typeText(t.Elem.Type) + ">"
	case types.Map:
		return "map<" + typeText(t.Key.Type) + "," + typeText(t.Elem.Type) + ">"
	case types.Struct:
		parts := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			parts[i] = types.QuoteIdent(f.Name) + ":" + typeText(f.Type)
		}
		return "struct<" + strings.Join(parts, ",") + ">"
	}
	return strings.ToLower(t.String())
}
