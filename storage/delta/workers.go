package delta

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// workers are goroutines that are waited for. A panic of one does not end the
// program: it becomes a panic of the goroutine that waits, where whoever runs
// the statement makes an error of it.
type workers struct {
	group    sync.WaitGroup
	mu       sync.Mutex
	panicked any // the first panic and its stack
}

// start runs f in a goroutine.
func (w *workers) start(f func()) {
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

// wait waits for all that were started.
func (w *workers) wait() {
	w.group.Wait()
	if w.panicked != nil {
		panic(w.panicked)
	}
}
