package object_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/storage/object"
)

// commit is a small program of calls, as a table format would make them.
func commit(ctx context.Context, store object.Store) error {
	for _, err := range store.ListFrom(ctx, "t/_delta_log", "00") {
		if err != nil {
			return err
		}
	}
	w, err := store.Create(ctx, "t/a.parquet")
	if err != nil {
		return err
	}
	if _, err := w.Write([]byte("PAR1")); err != nil {
		return errors.Join(err, w.Abort())
	}
	if err := w.Close(); err != nil {
		return err
	}
	if _, err := store.GetRange(ctx, "t/a.parquet", 1, make([]byte, 2)); err != nil {
		return err
	}
	return store.PutIfAbsent(ctx, "t/_delta_log/00.json", []byte("{}"))
}

func TestTrace(t *testing.T) {
	trace := object.NewTrace(object.NewMemory(""))
	require.NoError(t, commit(t.Context(), trace))
	require.ErrorIs(t, commit(t.Context(), trace), object.ErrExists)
	_, err := trace.Get(t.Context(), "x")
	require.ErrorIs(t, err, object.ErrNotFound)
	_, err = trace.GetRange(t.Context(), "t/a.parquet", 3, make([]byte, 5))
	require.Equal(t, io.EOF, err)
	w, err := trace.Create(t.Context(), "b")
	require.NoError(t, err)
	require.NoError(t, w.Abort())
	one := `list-from "t/_delta_log" start="00"
create "t/a.parquet"
close "t/a.parquet" bytes=4
get-range "t/a.parquet" offset=1 bytes=2
put-if-absent "t/_delta_log/00.json" bytes=2`
	require.Equal(t, one+"\n"+one+` error="object already exists"
get "x" bytes=0 error="object not found"
get-range "t/a.parquet" offset=3 bytes=1 error="EOF"
create "b"
abort "b" bytes=0
`, trace.Text())
	require.Len(t, trace.Calls(), 14)
	trace.Reset()
	require.Empty(t, trace.Text())
}

// TestFaultAtEveryCall makes each call of a program fail in turn: before it
// has an effect nothing is committed, and the commit itself may fail after.
func TestFaultAtEveryCall(t *testing.T) {
	for _, effect := range []object.Effect{object.FailBefore, object.FailAfter, object.LoseAnswer} {
		for n := 1; ; n++ {
			below := newFile(t)
			fault := object.NewFault(below, object.Rule{Index: n, Effect: effect})
			err := commit(t.Context(), fault)
			if fault.Fired() == 0 {
				require.NoError(t, err)
				require.Equal(t, 6, fault.Calls())
				break
			}
			require.ErrorIs(t, err, object.ErrIO)
			require.Equal(t, effect == object.LoseAnswer, os.IsTimeout(unwrapAll(err)))
			require.Equal(t, effect != object.LoseAnswer, errors.Is(err, object.ErrInjected))
			_, err = below.Get(t.Context(), "t/_delta_log/00.json")
			if n == 6 && effect != object.FailBefore {
				require.NoError(t, err, "the call had its effect")
			} else {
				require.ErrorIs(t, err, object.ErrNotFound)
			}
			requireNoTemporaryFiles(t, below)
		}
	}
}

// unwrapAll finds the cause of an error that was made up.
func unwrapAll(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return os.ErrDeadlineExceeded
	}
	return err
}

func requireNoTemporaryFiles(t *testing.T, store *object.FileStore) {
	t.Helper()
	entries, err := os.ReadDir(store.Root() + "/t")
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	require.NoError(t, err)
	for _, entry := range entries {
		require.False(t, strings.HasPrefix(entry.Name(), ".tmp-"), entry.Name())
	}
}

func TestFaultRules(t *testing.T) {
	ctx := t.Context()
	memory := object.NewMemory("")
	require.NoError(t, memory.Put(ctx, "t/_delta_log/0.json", []byte("{}")))
	own := errors.New("own")
	fault := object.NewFault(memory,
		object.Rule{Op: object.OpGet, Path: "*.json", Index: 2, Err: own},
		object.Rule{Op: object.OpPut, Path: "t/*", Effect: object.FailAfter},
		object.Rule{Op: object.OpPutIfAbsent, Effect: object.LoseAnswer},
		object.Rule{Op: object.OpList, Effect: object.FailAfter})

	for i := 1; i <= 3; i++ {
		_, err := fault.Get(ctx, "t/_delta_log/0.json")
		require.Equal(t, i == 2, errors.Is(err, own), i)
		_, err = fault.Get(ctx, "t/_delta_log/0.crc")
		require.ErrorIs(t, err, object.ErrNotFound)
	}
	require.ErrorIs(t, fault.Put(ctx, "t/a", nil), object.ErrInjected)
	require.NoError(t, fault.Put(ctx, "t/b/c", nil), "* stays within an element")
	err := fault.PutIfAbsent(ctx, "t/_delta_log/0.json", nil)
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.NotErrorIs(t, err, object.ErrExists, "the answer is lost")

	var listed []string
	var last error
	for info, err := range fault.List(ctx, "") {
		listed, last = append(listed, info.Path), err
	}
	require.Equal(t, []string{"t/_delta_log/0.json", "t/a", "t/b/c", ""}, listed)
	require.ErrorIs(t, last, object.ErrInjected)
	require.Equal(t, 4, fault.Fired())
	require.Equal(t, 10, fault.Calls())

	fault.Script(object.Rule{Path: "[", Index: 1})
	require.ErrorContains(t, fault.Delete(ctx, "t/a"), "pattern")
	fault.Script()
	require.NoError(t, fault.Delete(ctx, "t/a"))
}

// TestFaultHook has another writer come first at the last moment.
func TestFaultHook(t *testing.T) {
	memory := object.NewMemory("")
	fault := object.NewFault(memory)
	var hookErr error
	fault.OnCall = func(op object.Op, path string) {
		if op == object.OpPutIfAbsent {
			hookErr = memory.PutIfAbsent(t.Context(), path, []byte("theirs"))
		}
	}
	require.ErrorIs(t, commit(t.Context(), fault), object.ErrExists)
	require.NoError(t, hookErr)
}

func TestWrappersClose(t *testing.T) {
	memory := object.NewMemory("")
	closeStore(t, object.NewTrace(object.NewFault(memory)))
	require.ErrorIs(t, memory.Put(t.Context(), "x", nil), os.ErrClosed)
}
