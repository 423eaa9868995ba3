package variant

import (
	"strconv"
	"strings"

	"github.com/tarndb/tarn/sql/types"
)

// Path leads to a part of a value.
type Path []step

// step goes to a member of an object, or to an element of an array.
type step struct {
	name  string
	index int // -1 for a member
}

// ParsePath reads $.name, $['name'], $["name"] and $[n].
func ParsePath(text string) (Path, bool) {
	rest, ok := strings.CutPrefix(text, "$")
	var path Path
	for ok && rest != "" {
		var s step
		switch rest[0] {
		case '.':
			end := strings.IndexAny(rest[1:], ".[")
			if end < 0 {
				end = len(rest) - 1
			}
			s, ok = step{rest[1 : 1+end], -1}, end > 0
			rest = rest[1+end:]
		case '[':
			s, rest, ok = parseSubscript(rest[1:])
		default:
			ok = false
		}
		path = append(path, s)
	}
	return path, ok
}

// parseSubscript reads what stands behind a bracket, up to the closing one.
func parseSubscript(text string) (s step, rest string, ok bool) {
	if text != "" && (text[0] == '\'' || text[0] == '"') {
		end := strings.Index(text[1:], text[:1]+"]")
		if end < 0 {
			return s, "", false
		}
		return step{text[1 : 1+end], -1}, text[end+3:], true
	}
	number, rest, ok := strings.Cut(text, "]")
	n, err := strconv.ParseUint(number, 10, 31)
	return step{index: int(n)}, rest, ok && err == nil
}

// Lookup gives the part of a value that a path leads to.
func (p Path) Lookup(v Value) (Value, bool) {
	for _, s := range p {
		switch {
		case s.index >= 0 && v.Type.Kind == types.Array && s.index < len(v.Elements):
			v = v.Elements[s.index]
		case s.index < 0 && v.Type.Kind == types.Struct:
			var ok bool
			if v, ok = v.Member(s.name); !ok {
				return Value{}, false
			}
		default:
			return Value{}, false
		}
	}
	return v, true
}
