package eval

import (
	"strings"
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

// TestSignaturesHaveTheArguments compares what is told of aggregates and window
// functions with the numbers of arguments that they take.
func TestSignaturesHaveTheArguments(t *testing.T) {
	check := func(name, signature string, least, most int) {
		require.NotEmpty(t, signature, name)
		fewest, greatest := 64, 0
		for _, form := range signatures(name, signature) {
			args, rest, _ := strings.Cut(strings.TrimPrefix(form, name+"("), ")")
			if args == "*" || args == "" && !strings.Contains(rest, "WITHIN GROUP") {
				fewest = 0
				continue
			}
			list := strings.Split(args, ", ")
			if args != "" && strings.Contains(rest, "WITHIN GROUP") {
				list = append(list, rest) // the key is an argument
			}
			fewest = min(fewest, len(list)-strings.Count(args, "?"))
			greatest = max(greatest, len(list))
			if strings.HasSuffix(args, "…") {
				greatest = most
			}
		}
		require.Equal(t, []int{least, most}, []int{fewest, greatest}, name)
	}
	for _, f := range aggregateFunctions() {
		check(f.name, f.signature, f.least, f.most)
	}
	for _, e := range windowEntries() {
		check(e.name, e.signature, e.least, e.most)
	}
}
