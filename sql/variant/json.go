package variant

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tarndb/tarn/sql/types"
)

// maxDepth is how deeply values may be nested, as in Spark.
const maxDepth = 1000

var errTooDeep = fmt.Errorf("more than %d values in one another", maxDepth)

// ParseJSON reads the first JSON value of a text. What follows it is not looked
// at, as in Spark.
func ParseJSON(text []byte) (Value, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := parseNext(d, 0)
	if err != nil {
		return Value{}, err
	}
	if end := int(d.InputOffset()); v.isWord() && end < len(text) && strings.IndexByte(" \t\r\n", text[end]) < 0 {
		return Value{}, fmt.Errorf("the character %q follows a value", text[end])
	}
	return v, nil
}

// isWord reports whether only what follows tells where the text of v ends.
func (v Value) isWord() bool {
	return v.Type.Kind != types.String && v.Type.Kind != types.Array && v.Type.Kind != types.Struct
}

func parseNext(d *json.Decoder, depth int) (Value, error) {
	if depth > maxDepth {
		return Value{}, errTooDeep
	}
	token, err := d.Token()
	if err != nil {
		return Value{}, err
	}
	switch t := token.(type) {
	case nil:
		return Value{}, nil
	case bool:
		return Value{Type: types.Of(types.Boolean), Scalar: t}, nil
	case string:
		return Value{Type: types.Of(types.String), Scalar: t}, nil
	case json.Number:
		return parseNumber(t.String())
	case json.Delim:
		if t == '[' {
			return parseArray(d, depth)
		}
		return parseObject(d, depth)
	}
	return Value{}, errors.New("no JSON value")
}

func parseArray(d *json.Decoder, depth int) (Value, error) {
	var elements []Value
	for d.More() {
		e, err := parseNext(d, depth+1)
		if err != nil {
			return Value{}, err
		}
		elements = append(elements, e)
	}
	_, err := d.Token() // ]
	return ArrayOf(elements), err
}

func parseObject(d *json.Decoder, depth int) (Value, error) {
	var names []string
	var values []Value
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return Value{}, err
		}
		e, err := parseNext(d, depth+1)
		if err != nil {
			return Value{}, err
		}
		names, values = append(names, token.(string)), append(values, e)
	}
	if _, err := d.Token(); err != nil { // }
		return Value{}, err
	}
	v, ok := ObjectOf(names, values)
	if !ok {
		return Value{}, errors.New("an object has a name twice")
	}
	return v, nil
}

// parseNumber reads a whole number, a decimal number of up to 38 digits, and
// everything else, and whatever has an exponent, as a DOUBLE.
func parseNumber(s string) (Value, error) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return Value{Type: types.Of(types.BigInt), Scalar: n}, nil
	}
	if !strings.ContainsAny(s, "eE") {
		if d, scale, ok := types.ParseDecimal(s); ok && scale <= types.MaxDecimalPrecision {
			return DecimalOf(d, scale), nil
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return Value{}, err
	}
	return Value{Type: types.Of(types.Double), Scalar: f}, nil
}
