package exec

// NewStingyBudget gives a budget that refuses everything that can be spilled and
// nothing else.
func NewStingyBudget() *Budget {
	b := NewBudget(0)
	b.stingy = true
	return b
}
