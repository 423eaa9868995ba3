package eval

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/vector"
)

// Hash tables and DISTINCT keep what they know of a dictionary by its address,
// so an expression must not give two dictionaries under one address.
func TestDictionaryResultsHaveAddressesOfTheirOwn(t *testing.T) {
	p := compile(t, call("lower", col(0, tString)))
	var dicts []*vector.Vector
	for _, word := range []string{"A", "B"} {
		out, err := p.Eval(vector.NewBatch(1, vector.NewDictionary(vec(tString, word), []int32{0}, nil)))
		require.NoError(t, err)
		require.Equal(t, vector.Dictionary, out.Form)
		dicts = append(dicts, out.Dict)
	}
	require.NotSame(t, dicts[0], dicts[1])
}

func TestCountDistinctOverSeveralDictionaries(t *testing.T) {
	p := compile(t, call("lower", col(0, tString)))
	a, err := ResolveAggregate("count", []expr.Expr{col(0, tString)}, true)
	require.NoError(t, err)
	s := a.NewState()
	s.Grow(1)
	for _, words := range [][]any{{"A", "B"}, {"C", "D", "E"}} {
		codes := make([]int32, len(words))
		for i := range codes {
			codes[i] = int32(i)
		}
		out, err := p.Eval(vector.NewBatch(len(words), vector.NewDictionary(vec(tString, words...), codes, nil)))
		require.NoError(t, err)
		require.NoError(t, s.Update([]*vector.Vector{out}, nil, len(words), nil))
	}
	v, err := s.Result(0, 1)
	require.NoError(t, err)
	require.Equal(t, int64(5), v.Value(0))
}
