package exec

import (
	"github.com/tarndb/tarn/sql/plan"
)

// unknownRows is the estimate for a node that nothing is known of.
const unknownRows = 1 << 40

// counted is met by snapshots that know about how many rows they have.
type counted interface{ EstimatedRows() int64 }

// estimateRows guesses how many rows a node gives, to choose the side of a
// join that is built into a table. A filter is taken to keep a fifth.
func estimateRows(n plan.Node) int64 {
	switch n := n.(type) {
	case *plan.Scan:
		rows := int64(unknownRows)
		if c, ok := n.Source.(counted); ok {
			rows = c.EstimatedRows()
		}
		if n.Spec.PartitionFilter != nil || n.Spec.DataFilter != nil || n.Spec.Residual != nil {
			rows /= 5
		}
		return rows
	case *plan.Values:
		return int64(len(n.Rows))
	case *plan.Filter:
		return estimateRows(n.Input) / 5
	case *plan.Limit:
		if n.Count != plan.NoLimit {
			return min(n.Count, estimateRows(n.Input))
		}
	case *plan.Aggregate:
		if len(n.Keys) == 0 {
			return 1
		}
		return estimateRows(n.Input) / 5
	case *plan.Join:
		left, right := estimateRows(n.Left), estimateRows(n.Right)
		if n.Kind == plan.SemiJoin || n.Kind == plan.AntiJoin {
			return left
		}
		return joinRows(left, right, len(n.LeftKeys) > 0)
	}
	var total int64
	for _, c := range n.Children() {
		total = min(total+estimateRows(c), unknownRows)
	}
	return total
}

// joinRows takes an equi-join for one along a foreign key: filters on the
// smaller side thin out the larger one.
func joinRows(left, right int64, keyed bool) int64 {
	if !keyed {
		if left > 0 && right > unknownRows/max(left, 1) {
			return unknownRows
		}
		return left * right
	}
	return max(left, right)
}
