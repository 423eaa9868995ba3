// Package prune decides from summaries of values (file statistics, manifest
// bounds, row-group and page statistics) whether a filter can be true for any
// of the summarised rows, or is true for all of them.
//
// It is one abstract interpretation of sql/expr: every expression denotes a
// Range, the interval of the values it may have and whether it may be NULL,
// and a Boolean expression is a Range over false < true. A missing statistic is
// the widest Range, so what is not known never prunes.
//
//	keep := prune.InclusiveMetrics(filter, func(c *expr.Column) prune.Range {
//		return prune.Range{Min: int64(1), Max: int64(9), MayBeValue: true}
//	})
package prune
