package exec

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/vector"
)

// failing is an operator that fails, or waits to be told to stop, and takes its
// time to close.
type failing struct {
	err     error // nil to wait
	closing time.Duration
}

func (f *failing) next(ctx context.Context) (*vector.Batch, error) {
	if f.err != nil {
		return nil, f.err
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

func (f *failing) close() error {
	time.Sleep(f.closing)
	return nil
}

// TestDrainGivesTheCause: a worker that fails stops the others, and their
// cancellation is not what the statement failed with, whichever ends first.
func TestDrainGivesTheCause(t *testing.T) {
	cause := errors.New("damaged")
	ops := []operator{&failing{}, &failing{err: cause, closing: 20 * time.Millisecond}, &failing{}}
	sink := func(int) func(*vector.Batch) error { return func(*vector.Batch) error { return nil } }
	require.ErrorIs(t, drainOperators(t.Context(), ops, sink), cause)

	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	require.Equal(t, context.Canceled, drainOperators(ctx, []operator{&failing{}, &failing{}}, sink))
}
