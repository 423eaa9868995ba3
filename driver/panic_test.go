package driver

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/plan"
)

func TestPanicOfTheBinderEndsTheStatementOnly(t *testing.T) {
	_, err := planned(func() (plan.Node, error) { panic("a bug") })
	require.ErrorContains(t, err, "internal error, please report it: a bug")
	_, err = planned(func() (plan.Node, error) { return nil, nil }) // a node that Rewrite can't take
	require.ErrorContains(t, err, "internal error")
}
