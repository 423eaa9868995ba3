package workers

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPanicOfWorkerReachesWhoWaits(t *testing.T) {
	var w Group
	var done atomic.Int32
	for i := range 4 {
		w.Start(func() {
			if i == 2 {
				panic("a bug")
			}
			done.Add(1)
		})
	}
	defer func() {
		require.Contains(t, fmt.Sprint(recover()), "a bug")
		require.EqualValues(t, 3, done.Load())
	}()
	w.Wait()
}
