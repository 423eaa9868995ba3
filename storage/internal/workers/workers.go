package workers

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// Group is goroutines that are waited for. A panic of one does not end the
// program: it becomes a panic of the goroutine that waits, where whoever runs
// the statement makes an error of it.
type Group struct {
	group    sync.WaitGroup
	mu       sync.Mutex
	panicked any // the first panic and its stack
}

// Start runs f in a goroutine.
func (w *Group) Start(f func()) {
	w.group.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				w.mu.Lock()
				defer w.mu.Unlock()
				if w.panicked == nil {
					w.panicked = fmt.Sprintf("%v\n%s", p, debug.Stack())
				}
			}
		}()
		f()
	})
}

// Wait waits for all that were started.
func (w *Group) Wait() {
	w.group.Wait()
	if w.panicked != nil {
		panic(w.panicked)
	}
}
