package driver

import (
	"encoding/json"
	"fmt"
)

// Variant is a value of a VARIANT column, as JSON.
type Variant string

// MarshalJSON gives the JSON that it is.
func (v Variant) MarshalJSON() ([]byte, error) { return []byte(v), nil }

// Scan implements sql.Scanner; NULL gives the empty text, which is no JSON.
func (v *Variant) Scan(src any) error { return scanSame(v, src) }

// storeVariant reads the JSON into a pointer as package encoding/json does.
func storeVariant(dest any, v Variant) error {
	if err := json.Unmarshal([]byte(v), dest); err != nil {
		return fmt.Errorf("%w: %w", ErrTypeMismatch, err)
	}
	return nil
}
