package avrofile

import (
	"encoding/json"
	"slices"
	"strconv"
)

// hasIDs tells whether any field of a schema has an id.
func hasIDs(schema any) bool {
	switch s := schema.(type) {
	case []any:
		return slices.ContainsFunc(s, hasIDs)
	case map[string]any:
		if _, ok := s["field-id"]; ok {
			return true
		}
		for _, v := range s {
			if hasIDs(v) {
				return true
			}
		}
	}
	return false
}

// assigner gives ids to the fields of a schema that has none.
type assigner func(path []string, column int) int

// record gives a copy of a schema with ids. Elements, keys and values have
// those names in paths.
func (a assigner) record(schema any, path []string, column int) any {
	switch s := schema.(type) {
	case []any:
		out := make([]any, len(s))
		for i, branch := range s {
			out[i] = a.record(branch, path, column)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(s))
		for k, v := range s {
			switch k {
			case "fields":
				v = a.fields(v, path, column)
			case "type":
				v = a.record(v, path, column)
			case "items":
				v = a.record(v, append(slices.Clip(path), "element"), column)
			case "values":
				v = a.record(v, append(slices.Clip(path), "value"), column)
			}
			out[k] = v
		}
		return out
	}
	return schema
}

func (a assigner) fields(fields any, path []string, column int) any {
	list, ok := fields.([]any)
	if !ok {
		return fields
	}
	out := make([]any, len(list))
	for i, f := range list {
		field, ok := f.(map[string]any)
		if !ok {
			out[i] = f
			continue
		}
		name, _ := field["name"].(string)
		if len(path) == 0 {
			column = i
		}
		at := append(slices.Clip(path), name)
		field = a.record(field, at, column).(map[string]any)
		if id := a(at, column); id != 0 {
			field["field-id"] = json.Number(strconv.Itoa(id))
		}
		out[i] = field
	}
	return out
}
