package exec

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/vector"
)

// broken is an operator with a bug.
type broken struct{ closed bool }

func (b *broken) next(context.Context) (*vector.Batch, error) { panic("a bug") }
func (b *broken) close() error                                { b.closed = true; return nil }

func TestPanicEndsTheStatementOnly(t *testing.T) {
	ctx := context.Background()
	ops := []operator{&broken{}, &broken{}}
	err := drainOperators(ctx, ops, func(int) func(*vector.Batch) error { return nil })
	require.ErrorContains(t, err, "internal error, please report it: a bug")
	require.True(t, ops[0].(*broken).closed && ops[1].(*broken).closed)

	g := newGather(ctx, []operator{&broken{}, &broken{}})
	_, err = g.next(ctx)
	require.ErrorContains(t, err, "a bug")
	_ = g.close()

	r := &Result{rows: &broken{}, cancel: func() {}, memory: newStatementMemory(Env{})}
	_, err = r.Next(ctx)
	require.ErrorContains(t, err, "a bug")
	require.NoError(t, r.Close())
}
