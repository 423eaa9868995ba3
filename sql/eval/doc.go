// Package eval computes bound expressions. It holds the one table of scalar
// functions, the coercion rules, the vectorised evaluator with its typed
// kernels, constant folding and the aggregate and window functions.
//
// The rules are those of Spark SQL in ANSI mode: an overflow, a division by
// zero and an invalid cast are ErrInvalidValue, NaN equals NaN and is above all
// other numbers, DECIMAL arithmetic follows Spark's precision rules.
//
// A binder calls Resolve, NewCast and Coerce to make typed expressions; who has
// rows calls Compile once per goroutine and then Eval or Filter per batch. The
// scratch vectors of a Program belong to it and are used again by its next
// call, so that a batch costs no allocation.
//
// Only selected rows are evaluated: a row outside Batch.Sel, or behind a
// condition of CASE, COALESCE, AND or OR that does not ask for it, gives no
// error. A deterministic expression of a single dictionary column is computed
// once per dictionary entry. Dictionaries are told apart by the address of
// their Vector, so whoever decodes one makes a new Vector for it.
//
// A select list or the arguments of aggregates are compiled with CompileSet,
// which computes common subexpressions once. ResolveAggregate gives the states
// that group-by operators fill, merge and read.
//
// ResolveWindow types the functions that need a window. They, and aggregates by
// ComputeWindow, are computed for all rows at once, which the caller has brought
// into the window's order and divided into partitions and frames (WindowRows).
//
// sql/REFERENCE.md is made of its tables (conformance/reference).
//
// The package leaves names, scopes and subqueries to the binder and the
// pruning of files and pages to those who have their statistics.
//
//	sum, err := eval.Resolve("+", []expr.Expr{column, expr.Int(1)})
//	program, err := eval.Compile(sum, &eval.Env{})
//	v, err := program.Eval(batch)
package eval
