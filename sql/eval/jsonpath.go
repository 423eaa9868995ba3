package eval

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/tarndb/tarn/sql/types"
)

// rowJSONObject gives strings without their quotes and everything else as
// compact JSON.
func rowJSONObject(f *frame, i int) error {
	steps, ok := parseJSONPath(f.text(1, i))
	raw := bytes.TrimSpace(f.bytes(0, i))
	if ok && json.Valid(raw) && string(raw) != "null" {
		if found, ok := appendAtPath(nil, raw, steps, rawText); ok {
			return f.setBytes(i, found)
		}
	}
	f.setNull(i)
	return nil
}

// jsonPathStep goes to a member of an object or to an element of an array, or
// to all elements.
type jsonPathStep struct {
	name  string
	index int // of an element, or one of the others
}

const (
	byName   = -1 - iota
	allItems // [*]
)

// parseJSONPath reads $.name, $['name'], $[n] and $[*].
func parseJSONPath(path string) ([]jsonPathStep, bool) {
	rest, ok := strings.CutPrefix(path, "$")
	var steps []jsonPathStep
	for ok && rest != "" {
		var step jsonPathStep
		switch rest[0] {
		case '.':
			end := strings.IndexAny(rest[1:], ".[")
			if end < 0 {
				end = len(rest) - 1
			}
			step = jsonPathStep{name: rest[1 : 1+end], index: byName}
			rest, ok = rest[1+end:], end > 0 && step.name != "*"
		case '[':
			end := strings.IndexByte(rest, ']')
			if end < 0 {
				return nil, false
			}
			step, ok = parseSubscript(rest[1:end])
			rest = rest[end+1:]
		default:
			ok = false
		}
		steps = append(steps, step)
	}
	return steps, ok
}

func parseSubscript(inner string) (jsonPathStep, bool) {
	if inner == "*" {
		return jsonPathStep{index: allItems}, true
	}
	if n := len(inner); n > 2 && inner[0] == '\'' && inner[n-1] == '\'' {
		return jsonPathStep{name: inner[1 : n-1], index: byName}, true
	}
	n, err := strconv.ParseUint(inner, 10, 31)
	return jsonPathStep{index: int(n)}, err == nil
}

// jsonStyle says how values at the end of a path are written.
type jsonStyle uint8

const (
	rawText   jsonStyle = iota // a string without quotes
	quoted                     // as JSON
	flattened                  // as JSON, the items of an array instead of it
)

// appendAtPath writes what stands at a path below a value, after Spark's
// get_json_object; ok is false if nothing does, even if an empty array was
// written. Inside an array that is being written the values have commas between
// them.
func appendAtPath(dst []byte, raw json.RawMessage, path []jsonPathStep, style jsonStyle) (out []byte, ok bool) {
	if len(path) == 0 {
		return appendAtEnd(dst, raw, style)
	}
	step, rest := path[0], path[1:]
	switch raw[0] {
	case '{':
		if step.index == byName {
			return appendMember(dst, raw, step.name, rest, style)
		}
	case '[':
		items := jsonItems(raw)
		switch {
		case step.index >= 0 && step.index < len(items):
			if len(rest) > 0 && rest[0].index == allItems {
				style = quoted
			}
			return appendAtPath(dst, items[step.index], rest, style)
		case step.index == allItems:
			return appendItems(dst, items, rest, style)
		}
	}
	return dst, false
}

func appendAtEnd(dst []byte, raw json.RawMessage, style jsonStyle) ([]byte, bool) {
	if style == rawText && raw[0] == '"' {
		var s string
		err := json.Unmarshal(raw, &s)
		return append(dst, s...), err == nil
	}
	if style == flattened && raw[0] == '[' {
		found := false
		for _, item := range jsonItems(raw) {
			var ok bool
			dst, ok = appendAtEnd(dst, item, style)
			found = found || ok
		}
		return dst, found
	}
	return appendCompactJSON(appendComma(dst, style), raw), true
}

// appendComma writes one after a value of the array that is being written.
func appendComma(dst []byte, style jsonStyle) []byte {
	if style == rawText || len(dst) == 0 || bytes.IndexByte([]byte("[,"), dst[len(dst)-1]) >= 0 {
		return dst
	}
	return append(dst, ',')
}

// appendMember goes on with the first member of the name that is not null and
// has the rest of the path.
func appendMember(dst []byte, raw json.RawMessage, name string, rest []jsonPathStep, style jsonStyle) ([]byte, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return dst, false
	}
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return dst, false
		}
		if key != name || string(value) == "null" {
			continue
		}
		var ok bool
		if dst, ok = appendAtPath(dst, value, rest, style); ok {
			return dst, true
		}
	}
	return dst, false
}

// appendItems writes what is found in all items: one value as it is where the
// path began with this array, else an array, inside another one even if it is
// empty.
func appendItems(dst []byte, items []json.RawMessage, rest []jsonPathStep, style jsonStyle) ([]byte, bool) {
	next, found := style, 0
	switch {
	case len(rest) > 0 && rest[0].index == allItems: // [*][*]
		rest, next = rest[1:], flattened
	case style == rawText:
		next = quoted
	}
	list := []byte{'['}
	for _, item := range items {
		var ok bool
		if list, ok = appendAtPath(list, item, rest, next); ok {
			found++
		}
	}
	twoStars := next == flattened && style != flattened
	if found == 1 && style != quoted && !twoStars {
		return append(dst, list[1:]...), true
	}
	if found == 0 && style != quoted {
		return dst, false
	}
	return append(append(appendComma(dst, style), list...), ']'), found > 0
}

func jsonItems(raw json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

// appendCompactJSON writes JSON without blanks, with fractions as a DOUBLE
// prints them.
func appendCompactJSON(dst []byte, raw json.RawMessage) []byte {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var open []json.Delim
	inKey := false
	for {
		token, err := d.Token()
		if err != nil {
			return dst
		}
		delim, isDelim := token.(json.Delim)
		if closing := isDelim && (delim == '}' || delim == ']'); closing {
			open = open[:len(open)-1]
			dst = append(dst, byte(delim))
			inKey = len(open) > 0 && open[len(open)-1] == '{'
			continue
		}
		if last := len(dst) - 1; last >= 0 && len(open) > 0 && bytes.IndexByte([]byte("{[:"), dst[last]) < 0 {
			dst = append(dst, ',')
		}
		switch {
		case isDelim:
			open = append(open, delim)
			dst = append(dst, byte(delim))
			inKey = delim == '{'
			continue
		case inKey:
			dst = append(appendJSONString(dst, token.(string)), ':')
			inKey = false
			continue
		}
		dst = appendJSONScalar(dst, token)
		inKey = len(open) > 0 && open[len(open)-1] == '{'
	}
}

func appendJSONScalar(dst []byte, token json.Token) []byte {
	switch v := token.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case string:
		return appendJSONString(dst, v)
	}
	n := token.(json.Number).String()
	switch {
	case n == "-0":
		return append(dst, '0')
	case !strings.ContainsAny(n, ".eE"):
		return append(dst, n...)
	}
	x, _ := strconv.ParseFloat(n, 64) // out of range it is infinite
	text := javaFloat(x, types.Of(types.Double))
	if math.IsInf(x, 0) {
		return appendJSONString(dst, text)
	}
	return append(dst, text...)
}
