// Package variant holds values of the type VARIANT: as a tree (Value), as the
// binary form of the Parquet format's VariantEncoding.md, and read from JSON.
//
// A vector keeps the two parts of a binary form one after the other:
//
//	4 bytes           length of the metadata, little-endian
//	metadata          the dictionary of names
//	value             the value
//
// It leaves casts and printing to package eval.
//
//	v, err := variant.ParseJSON([]byte(`{"a": [1, 2.5]}`))
//	encoded := v.Append(nil)
package variant
