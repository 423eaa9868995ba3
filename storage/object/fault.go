package object

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path"
	"strings"
	"sync"
)

// ErrInjected is the cause of the errors that a [Fault] makes up, unless its
// rule has another.
var ErrInjected = errors.New("injected fault")

// Effect says what a fault does to a call.
type Effect int

const (
	// FailBefore makes the call fail without reaching the store.
	FailBefore Effect = iota

	// FailAfter makes the call fail although the store did its work.
	FailAfter

	// LoseAnswer is FailAfter with a time-out for an error, which is what a
	// caller sees of a network that fails at the wrong moment.
	LoseAnswer
)

// Rule chooses calls and says how they fail. The zero Rule makes every call
// fail before it has an effect.
type Rule struct {
	// Op is the operation; "" is any.
	Op Op

	// Path is a pattern as of [path.Match], for the whole path or, if it has
	// no slash, for its last element; "" is any path.
	Path string

	// Index chooses the n-th of the matching calls, from 1; 0 is each one. A
	// test that makes every call fail in turn counts it up until a run comes
	// to its end without [Fault.Fired].
	Index int

	Effect Effect

	// Err replaces ErrInjected or, for LoseAnswer, os.ErrDeadlineExceeded as
	// the cause.
	Err error
}

// Fault passes calls on to a store and makes those fail that its script names.
// The calls of a Writer, each Write too, count like those of the Store, and a
// listing counts when it is iterated.
type Fault struct {
	// OnCall, if not nil, is called before each call, without a lock, so that
	// it may use the store: a test puts another writer's step there. Set it
	// before the first call.
	OnCall func(op Op, path string)

	store Store

	mu     sync.Mutex // guards what follows
	script []scriptedRule
	calls  int
	fired  int
}

type scriptedRule struct {
	Rule
	matches int // calls so far
}

// NewFault returns a store whose calls fail as the rules say. Of several rules
// for one call the first wins.
func NewFault(store Store, rules ...Rule) *Fault {
	f := &Fault{store: store}
	f.Script(rules...)
	return f
}

// Script replaces the rules and begins counting anew.
func (f *Fault) Script(rules ...Rule) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.script, f.calls, f.fired = nil, 0, 0
	for _, rule := range rules {
		f.script = append(f.script, scriptedRule{Rule: rule})
	}
}

// Calls returns how many calls there were since the script began.
func (f *Fault) Calls() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls
}

// Fired returns how many calls failed by the script.
func (f *Fault) Fired() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.fired
}

// next counts a call and returns the rule that it fails by, if any.
func (f *Fault) next(op Op, path string) (*Rule, error) {
	if f.OnCall != nil {
		f.OnCall(op, path)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	var chosen *Rule
	for i := range f.script {
		rule := &f.script[i]
		matches, err := rule.matchesCall(op, path)
		if err != nil {
			return nil, fmt.Errorf("fault rule %d, pattern %q: %w", i, rule.Path, err)
		}
		if !matches {
			continue
		}
		rule.matches++
		if chosen == nil && (rule.Index == 0 || rule.Index == rule.matches) {
			chosen = &rule.Rule
		}
	}
	if chosen != nil {
		f.fired++
	}
	return chosen, nil
}

func (r *Rule) matchesCall(op Op, name string) (bool, error) {
	if r.Path == "" {
		return r.Op == "" || r.Op == op, nil
	}
	if !strings.Contains(r.Path, "/") {
		name = path.Base(name)
	}
	matches, err := path.Match(r.Path, name)
	return matches && (r.Op == "" || r.Op == op), err
}

// failure is the error that a call fails with.
func (r *Rule) failure(op Op, path string) error {
	cause := r.Err
	switch {
	case cause != nil:
	case r.Effect == LoseAnswer:
		cause = os.ErrDeadlineExceeded
	default:
		cause = ErrInjected
	}
	return causeError(op, path, ErrIO, cause)
}

// call does a call, or not, and answers as the script says. A fault after the
// effect hides the real answer, also when that was an error.
func (f *Fault) call(op Op, path string, effect func() error) error {
	rule, err := f.next(op, path)
	if err != nil {
		return err
	}
	if rule != nil && rule.Effect == FailBefore {
		return rule.failure(op, path)
	}
	err = effect()
	if rule != nil {
		return rule.failure(op, path)
	}
	return err
}

// String returns the URL of the store below.
func (f *Fault) String() string { return f.store.String() }

// Close closes the store below, if it needs that.
func (f *Fault) Close() error { return closeStore(f.store) }

// Get implements Store.
func (f *Fault) Get(ctx context.Context, path string) (body []byte, err error) {
	err = f.call(OpGet, path, func() error {
		body, err = f.store.Get(ctx, path)
		return err
	})
	if err != nil {
		return nil, err
	}
	return body, nil
}

// GetRange implements Store.
func (f *Fault) GetRange(ctx context.Context, path string, off int64, p []byte) (n int, err error) {
	err = f.call(OpGetRange, path, func() error {
		n, err = f.store.GetRange(ctx, path, off, p)
		return err
	})
	return n, err
}

// Stat implements Store.
func (f *Fault) Stat(ctx context.Context, path string) (info Info, err error) {
	err = f.call(OpStat, path, func() error {
		info, err = f.store.Stat(ctx, path)
		return err
	})
	if err != nil {
		return Info{}, err
	}
	return info, nil
}

// ListFrom implements Store.
func (f *Fault) ListFrom(ctx context.Context, dir, start string) iter.Seq2[Info, error] {
	return f.list(OpListFrom, dir, f.store.ListFrom(ctx, dir, start))
}

// List implements Store.
func (f *Fault) List(ctx context.Context, dir string) iter.Seq2[Info, error] {
	return f.list(OpList, dir, f.store.List(ctx, dir))
}

// list fails a listing at its start, or at its end for a fault after the
// effect.
func (f *Fault) list(op Op, dir string, below iter.Seq2[Info, error]) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		stopped := false
		err := f.call(op, dir, func() error {
			for info, err := range below {
				if err != nil {
					return err
				}
				if !yield(info, nil) {
					stopped = true
					return nil
				}
			}
			return nil
		})
		if err != nil && !stopped {
			yield(Info{}, err)
		}
	}
}

// ListDirs implements Store.
func (f *Fault) ListDirs(ctx context.Context, dir string) (names []string, err error) {
	err = f.call(OpListDirs, dir, func() error {
		names, err = f.store.ListDirs(ctx, dir)
		return err
	})
	if err != nil {
		return nil, err
	}
	return names, nil
}

// Put implements Store.
func (f *Fault) Put(ctx context.Context, path string, body []byte) error {
	return f.call(OpPut, path, func() error { return f.store.Put(ctx, path, body) })
}

// PutIfAbsent implements Store.
func (f *Fault) PutIfAbsent(ctx context.Context, path string, body []byte) error {
	return f.call(OpPutIfAbsent, path, func() error { return f.store.PutIfAbsent(ctx, path, body) })
}

// Delete implements Store.
func (f *Fault) Delete(ctx context.Context, path string) error {
	return f.call(OpDelete, path, func() error { return f.store.Delete(ctx, path) })
}

// Create implements Store.
func (f *Fault) Create(ctx context.Context, path string) (Writer, error) {
	var below Writer
	err := f.call(OpCreate, path, func() (err error) {
		below, err = f.store.Create(ctx, path)
		return err
	})
	if err != nil {
		if below != nil { // the caller never gets to see it
			err = errors.Join(err, below.Abort())
		}
		return nil, err
	}
	return &faultWriter{fault: f, path: path, below: below}, nil
}

type faultWriter struct {
	fault *Fault
	path  string
	below Writer
	err   error // of the first failed Write
	done  bool
}

func (w *faultWriter) Write(p []byte) (n int, err error) {
	err = w.fault.call(OpWrite, w.path, func() error {
		n, err = w.below.Write(p)
		return err
	})
	if err != nil && w.err == nil {
		w.err = err
	}
	return n, err
}

// Close fails after a failed Write, as every Writer does, even though the one
// below may know nothing of the failure. When it fails it leaves nothing behind
// that wasn't published.
func (w *faultWriter) Close() error {
	w.done = true
	err := w.err
	if err == nil {
		err = w.fault.call(OpClose, w.path, w.below.Close)
	}
	if err != nil {
		err = errors.Join(err, w.below.Abort())
	}
	return err
}

// Abort counts only where it has something to do.
func (w *faultWriter) Abort() error {
	if w.done {
		return w.below.Abort()
	}
	w.done = true
	return w.fault.call(OpAbort, w.path, w.below.Abort)
}
