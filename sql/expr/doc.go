// Package expr holds bound expressions: trees whose columns, functions and
// types are decided. It is what the binder makes, what pushdown moves between
// plan and scan, and what sql/eval computes.
//
// There are five nodes: Column, Literal, Call (every operator and scalar
// function, by name), Cast and Case; besides, Outer in correlated subqueries, and
// Lambda and Variable in calls that take functions. Expressions are immutable; Rewrite makes
// changed copies.
//
// Fold walks an expression once over a Domain, an abstract set of values: row
// vectors, partition tuples, file statistics, page bounds. Because each domain
// only says what the operators mean for its values, pruning and filtering read
// the same tree in the same way and cannot disagree about its structure.
//
//	e := expr.Compare(expr.OpGreater, col, expr.Int(5))
//	for _, conjunct := range expr.SplitConjuncts(filter) { … }
package expr
