// Package vector holds columnar data: Vector, a column of values of one type,
// and Batch, a set of equally long columns with an optional selection.
//
// A Vector has one of three forms. A flat vector holds a value per row in one
// typed slice. A constant vector holds one value that stands for every row. A
// dictionary vector holds a code per row and a flat vector of the distinct
// values. NULLs are kept apart from values in a Bitmap; the slot of a NULL
// holds some value of the right type that nobody may look at.
//
// Strings are views (offset and length) into one byte buffer per vector, so
// that a decoded page is used in place and selecting rows copies no bytes.
//
// The package promises no locking: a vector that several goroutines see must
// not change. It leaves computing to sql/eval.
//
//	b := vector.NewBuilder(types.Of(types.BigInt), 2)
//	b.AppendInt64(7)
//	b.AppendNull()
//	v := b.Vector() // 7, NULL
package vector
