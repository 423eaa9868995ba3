package exec

// NewStingyBudget gives a budget that refuses two of three requests of what can
// be spilled, the first one as well, and nothing else.
func NewStingyBudget() *Budget {
	b := NewBudget(0)
	b.stingy = true
	return b
}
