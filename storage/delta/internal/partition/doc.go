// Package partition reads and writes partition values as a Delta log has them,
// as text (protocol, "Partition Value Serialization"), and the names of the
// directories that files of a partition are put in.
//
//	v, err := partition.Parse(types.Of(types.Date), "2024-01-02")
//	text, ok := partition.Format(types.Of(types.Date), v)
package partition
