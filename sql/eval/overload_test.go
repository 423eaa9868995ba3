package eval

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// TestRefusedArguments: an error about the types of arguments names those that
// were given and what the function takes.
func TestRefusedArguments(t *testing.T) {
	ints := col(0, types.ArrayOf(tInt, true))
	for _, c := range []struct {
		name string
		args []expr.Expr
		want string
	}{
		{"slice", []expr.Expr{ints, ints, lit(tInt, 1)}, "slice does not take (ARRAY<INT>, ARRAY<INT>, INT); it is slice("},
		{"sequence", []expr.Expr{lit(tInt, 1), lit(tInt, 2), ints}, "sequence does not take (INT, INT, ARRAY<INT>); it is sequence("},
		{"sequence", []expr.Expr{lit(tInt, 1)}, "sequence does not take (INT); it is sequence("},
		{"sort_array", []expr.Expr{lit(tInt, 1)}, "sort_array does not take (INT); it is sort_array("},
		{"split", []expr.Expr{ints, expr.Str("a")}, "split does not take (ARRAY<INT>, STRING); it is split("},
		{"timestampdiff", []expr.Expr{expr.Str("DAY"), ints, ints}, "timestampdiff does not take (STRING, ARRAY<INT>, ARRAY<INT>); it is timestampdiff("},
	} {
		_, err := Resolve(c.name, c.args)
		require.ErrorIs(t, err, ErrTypeMismatch)
		require.ErrorContains(t, err, c.want)
	}
}
