// Package bind gives a parsed statement its meaning: it resolves names against
// a plan.Catalog and functions against sql/eval's table, inserts the implicit
// casts, puts typed values in the place of parameters, and gives a logical
// plan. It reads no rows, but the catalog that it asks for a table does I/O: to
// resolve a name, a transaction reads the table's log, and first completes the
// files of rows that it has written itself.
//
// What an expression uses that a node must compute (aggregates, calls with OVER,
// subqueries) is collected while a query block is bound; columns beyond those of
// any input stand for the results until the nodes are put on the block's input.
//
// Errors are *Error: they carry the line and column of the offending text and
// unwrap to a sentinel (ErrColumnNotFound, ErrUnsupportedSQL, eval's errors,
// the catalog's). What the grammar reads but nothing executes yet is
// ErrUnsupportedSQL, never a guess. Places finds the text's place for errors that
// come when the plan runs.
//
//	node, err := bind.Statement(ctx, stmt, bind.Options{Catalog: tx, Text: text, Args: args})
package bind
