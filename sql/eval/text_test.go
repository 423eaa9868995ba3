package eval

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/vector"
)

// 1.6 GB must be refused before they are made.
func TestReplaceRefusesHugeText(t *testing.T) {
	many := strings.Repeat("a", 40_000)
	p := compile(t, call("replace", col(0, tString), expr.Str("a"), expr.Str(many)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := p.Eval(vector.NewBatch(1, vec(tString, many)))
	runtime.ReadMemStats(&after)
	require.ErrorIs(t, err, ErrInvalidValue)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20))

	out, err := p.Eval(vector.NewBatch(1, vec(tString, "ba"))) // long, and not too long
	require.NoError(t, err)
	require.Len(t, out.Value(0), 1+len(many))
}
