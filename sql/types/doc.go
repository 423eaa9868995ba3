// Package types holds the SQL types of tarn and the plain values that every
// layer shares: Type, Field and Schema, the 128-bit Decimal, civil dates and
// times, intervals and table names.
//
// It promises that a Type is an immutable description that can be compared
// with Equal, printed as SQL, and mapped to exactly one Physical
// representation in a vector. It knows nothing of expressions, of batches or
// of the table formats; those translate their own type names to these.
//
//	amount := types.Field{Name: "amount", Type: types.DecimalOf(12, 2), Nullable: true}
//	schema := types.Schema{Fields: []types.Field{amount}}
//	fmt.Println(schema.Fields[0].Type) // DECIMAL(12,2)
package types
