package prune

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
)

func TestRangeOfBoth(t *testing.T) {
	number := func(lo, hi int64) Range { return Range{Min: lo, Max: hi, MayBeValue: true} }
	long := types.Of(types.BigInt)
	require.Equal(t, number(1, 9), number(1, 3).Or(long, number(2, 9)))
	require.Equal(t, number(1, 3), Range{}.Or(long, number(1, 3)))
	require.Equal(t, Range{Min: int64(1), Max: int64(3), MayBeNull: true, MayBeValue: true}, number(1, 3).Or(long, Range{MayBeNull: true}))
	require.Equal(t, Range{Min: int64(1), MayBeValue: true}, number(1, 3).Or(long, Range{Min: int64(2), MayBeValue: true}))
	require.Equal(t, Anything(), number(1, 3).Or(long, Anything()))
}
