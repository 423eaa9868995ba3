package driver

import (
	"database/sql"
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/tarndb/tarn/sql/types"
)

// Into makes a Scanner that stores a column in a Go variable of a type that
// Scan alone does not reach:
//
//   - ARRAY in a slice, MAP in a map, STRUCT in a struct, nested to any depth.
//     A field of a STRUCT goes to the Go field with its name in a tag tarn:"…"
//     or db:"…", or else to the one whose name is the same but for case;
//   - DECIMAL in a big.Rat, in a big.Int if it is whole, and in types with the
//     method Compose;
//   - TIME in a time.Duration.
//
// NULL is nil where dest is a pointer, a slice or a map, and an error
// elsewhere. dest is a pointer to the variable.
func Into(dest any) sql.Scanner { return into{dest} }

type into struct{ dest any }

// Scan implements sql.Scanner.
func (i into) Scan(src any) error {
	v := reflect.ValueOf(i.dest)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return wrapError(fmt.Errorf("%w: Into takes a pointer to a variable, not a %T", ErrTypeMismatch, i.dest))
	}
	return wrapError(store(v.Elem(), src))
}

// composer is met by decimal types, as decomposer is.
type composer interface {
	Compose(form byte, negative bool, coefficient []byte, exponent int32) error
}

// store puts a value of the kinds that Rows gives into a Go variable.
func store(dest reflect.Value, src any) error {
	if dest.Kind() == reflect.Pointer {
		if src == nil {
			dest.SetZero()
			return nil
		}
		target := reflect.New(dest.Type().Elem())
		if err := store(target.Elem(), src); err != nil {
			return err
		}
		dest.Set(target)
		return nil
	}
	if done, err := storeSpecial(dest, src); done {
		return err
	}
	if src == nil {
		switch dest.Kind() {
		case reflect.Slice, reflect.Map, reflect.Interface:
			dest.SetZero()
			return nil
		}
		return fmt.Errorf("%w: NULL can't be stored in %s; use a pointer to it", ErrTypeMismatch, dest.Type())
	}
	if v := reflect.ValueOf(src); v.Type().AssignableTo(dest.Type()) {
		dest.Set(v)
		return nil
	}
	if dest.Kind() == reflect.String {
		return storeText(dest, src)
	}
	switch x := src.(type) {
	case List:
		return storeList(dest, x)
	case Map:
		return storeMap(dest, x)
	case Struct:
		return storeStruct(dest, x)
	case Variant:
		return storeVariant(dest.Addr().Interface(), x)
	}
	return storeScalar(dest, src)
}

// storeSpecial stores in types that know how, or that this package knows;
// done is false for all others.
func storeSpecial(dest reflect.Value, src any) (done bool, err error) {
	text, isText := src.(string)
	switch d := dest.Addr().Interface().(type) {
	case sql.Scanner:
		return true, d.Scan(src)
	case *time.Duration:
		if isText {
			return true, (*Time)(d).Scan(src)
		}
	case *big.Rat:
		if n, ok := src.(int64); ok {
			d.SetInt64(n)
			return true, nil
		}
		if !isText {
			return true, mismatch(dest, src)
		}
		if _, ok := d.SetString(text); !ok {
			return true, mismatch(dest, src)
		}
		return true, nil
	case *big.Int:
		if n, ok := src.(int64); ok {
			d.SetInt64(n)
			return true, nil
		}
		var r big.Rat
		if _, ok := r.SetString(text); !isText || !ok || !r.IsInt() {
			return true, mismatch(dest, src)
		}
		d.Set(r.Num())
		return true, nil
	case composer:
		if n, ok := src.(int64); ok {
			text, isText = strconv.FormatInt(n, 10), true
		}
		if !isText {
			return true, mismatch(dest, src)
		}
		return true, compose(d, text)
	}
	return false, nil
}

// compose hands the parts of a DECIMAL over.
func compose(d composer, text string) error {
	value, scale, ok := types.ParseDecimal(text)
	if !ok {
		return fmt.Errorf("%w: %q is no DECIMAL", ErrTypeMismatch, text)
	}
	digits, _ := new(big.Int).SetString(value.Abs().Format(0), 10)
	return d.Compose(0, value.Sign() < 0, digits.Bytes(), -int32(scale))
}

func storeList(dest reflect.Value, l List) error {
	switch dest.Kind() {
	case reflect.Slice:
		dest.Set(reflect.MakeSlice(dest.Type(), len(l), len(l)))
	case reflect.Array:
		if dest.Len() != len(l) {
			return fmt.Errorf("%w: a list of %d elements does not fit %s", ErrTypeMismatch, len(l), dest.Type())
		}
	default:
		return mismatch(dest, l)
	}
	for i, v := range l {
		if err := store(dest.Index(i), v); err != nil {
			return fmt.Errorf("element %d: %w", i, err)
		}
	}
	return nil
}

func storeMap(dest reflect.Value, m Map) error {
	if dest.Kind() != reflect.Map {
		return mismatch(dest, m)
	}
	t := dest.Type()
	out := reflect.MakeMapWithSize(t, len(m))
	for _, e := range m {
		key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		err := store(key, e.Key)
		if err == nil {
			err = store(value, e.Value)
		}
		if err != nil {
			return fmt.Errorf("key %v: %w", e.Key, err)
		}
		if key.Kind() == reflect.Interface && !key.Elem().Comparable() {
			return fmt.Errorf("%w: the key %v can't be one of a Go map", ErrTypeMismatch, e.Key)
		}
		out.SetMapIndex(key, value)
	}
	dest.Set(out)
	return nil
}

// storeStruct fills a Go struct, or a map from the fields' names.
func storeStruct(dest reflect.Value, s Struct) error {
	if dest.Kind() == reflect.Map && dest.Type().Key().Kind() == reflect.String {
		m := make(Map, len(s))
		for i, f := range s {
			m[i] = Entry{Key: f.Name, Value: f.Value}
		}
		return storeMap(dest, m)
	}
	if dest.Kind() != reflect.Struct {
		return mismatch(dest, s)
	}
	for _, f := range s {
		index := goField(dest.Type(), f.Name)
		if index == nil {
			return fmt.Errorf("%w: %s has no field for %s; give one the tag tarn:%q", ErrTypeMismatch, dest.Type(), f.Name, f.Name)
		}
		target, err := dest.FieldByIndexErr(index)
		if err == nil {
			err = store(target, f.Value)
		}
		if err != nil {
			return fmt.Errorf("field %s: %w", f.Name, err)
		}
	}
	return nil
}

// goField finds the field of a Go struct that stands for a name: by its tag
// first, then by its own name.
func goField(t reflect.Type, name string) []int {
	var byName []int
	for _, f := range reflect.VisibleFields(t) {
		if !f.IsExported() || f.Anonymous && f.Type.Kind() == reflect.Struct {
			continue
		}
		tag, tagged := f.Tag.Lookup("tarn")
		if !tagged {
			tag, tagged = f.Tag.Lookup("db")
		}
		switch {
		case tagged && strings.EqualFold(tag, name):
			return f.Index
		case !tagged && byName == nil && strings.EqualFold(f.Name, name):
			byName = f.Index
		}
	}
	return byName
}

// storeScalar converts by the rules of Scan, ranges checked.
func storeScalar(dest reflect.Value, src any) error {
	switch kind := dest.Kind(); {
	case kind == reflect.Bool:
		if b, ok := src.(bool); ok {
			dest.SetBool(b)
			return nil
		}
	case kind == reflect.Slice && dest.Type().Elem().Kind() == reflect.Uint8:
		if b, ok := bytesOf(src); ok {
			dest.SetBytes(b)
			return nil
		}
	case kind == reflect.Array && dest.Type().Elem().Kind() == reflect.Uint8:
		if b, ok := src.([]byte); ok && len(b) == dest.Len() {
			reflect.Copy(dest, reflect.ValueOf(b))
			return nil
		}
	case dest.CanInt(), dest.CanUint(), dest.CanFloat():
		return storeNumber(dest, src)
	}
	return mismatch(dest, src)
}

func bytesOf(src any) ([]byte, bool) {
	if text, ok := src.(string); ok {
		return []byte(text), true
	}
	b, ok := src.([]byte)
	return b, ok
}

// storeText stores any value as text, nested ones as JSON.
func storeText(dest reflect.Value, src any) error {
	switch x := src.(type) {
	case []byte:
		dest.SetString(string(x))
	case time.Time:
		dest.SetString(x.Format(time.RFC3339Nano))
	default:
		dest.SetString(fmt.Sprint(x))
	}
	return nil
}

func storeNumber(dest reflect.Value, src any) error {
	text, isText := src.(string)
	n, isWhole := src.(int64)
	var err error
	if isText && !dest.CanFloat() {
		n, err = strconv.ParseInt(text, 10, 64)
		isWhole = err == nil
	}
	switch {
	case dest.CanInt() && isWhole && !dest.OverflowInt(n):
		dest.SetInt(n)
		return nil
	case dest.CanUint() && isWhole && n >= 0 && !dest.OverflowUint(uint64(n)):
		dest.SetUint(uint64(n))
		return nil
	case !dest.CanFloat():
		return mismatch(dest, src)
	}
	f, isFloat := src.(float64)
	switch {
	case isText:
		f, err = strconv.ParseFloat(text, 64)
	case isWhole:
		f = float64(n)
	case !isFloat:
		return mismatch(dest, src)
	}
	if err != nil || dest.OverflowFloat(f) {
		return mismatch(dest, src)
	}
	dest.SetFloat(f)
	return nil
}

func mismatch(dest reflect.Value, src any) error {
	return fmt.Errorf("%w: %v (%T) can't be stored in %s", ErrTypeMismatch, src, src, dest.Type())
}
