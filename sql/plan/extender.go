package plan

// Extender is met by nodes whose rows are their input's columns and then columns
// of their own.
type Extender interface {
	Node
	ExprMapper
	// Keep copies the node with some of its own columns, by their numbers, or
	// gives the input if nothing is left to be done.
	Keep(own []int) Node
	// RowWise reports whether each row is made from one row of the input.
	RowWise() bool
}
