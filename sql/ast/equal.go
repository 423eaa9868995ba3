package ast

import "reflect"

// Equal tells whether two trees are the same but for their positions. Names compare by case.
func Equal(a, b Node) bool {
	return equalValues(reflect.ValueOf(a), reflect.ValueOf(b))
}

func equalValues(a, b reflect.Value) bool {
	if !a.IsValid() || !b.IsValid() {
		return a.IsValid() == b.IsValid()
	}
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Interface, reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return equalValues(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equalValues(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		return equalStructs(a, b)
	}
	return a.Equal(b)
}

func equalStructs(a, b reflect.Value) bool {
	for i := range a.NumField() {
		if a.Type().Field(i).Type == locType {
			continue
		}
		if !equalValues(a.Field(i), b.Field(i)) {
			return false
		}
	}
	return true
}
