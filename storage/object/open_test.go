package object_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/storage/object"
)

func open(t *testing.T, url string) object.Store {
	t.Helper()
	store, err := object.Open(url)
	require.NoError(t, err)
	return store
}

func closeStore(t *testing.T, store object.Store) {
	t.Helper()
	require.NoError(t, store.(io.Closer).Close())
}

func TestOpenDirectories(t *testing.T) {
	dir := t.TempDir()
	slashed := filepath.ToSlash(dir)
	if slashed[0] != '/' {
		slashed = "/" + slashed
	}
	for _, name := range []string{"plain", "a b", "50%", "a#b?c", "ü", "a:b"} {
		store, err := object.NewFileStore(filepath.Join(dir, name))
		require.NoError(t, err)
		again := open(t, store.String()).(*object.FileStore)
		require.Equal(t, store.Root(), again.Root(), "String and Open round-trip")
		require.Equal(t, store.Root(), open(t, filepath.Join(dir, name)).(*object.FileStore).Root())
	}
	for _, url := range []string{"file://" + slashed + "/x", "file:" + slashed + "/x", "FILE://localhost" + slashed + "/x"} {
		require.Equal(t, filepath.Join(dir, "x"), open(t, url).(*object.FileStore).Root())
	}
	t.Chdir(dir)
	require.NoError(t, open(t, "warehouse").Put(t.Context(), "x", nil))
	require.FileExists(t, filepath.Join(dir, "warehouse", "x"))
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	cases := []struct {
		url  string
		want error
		text string
	}{
		{"", object.ErrInvalidPath, "empty"},
		{file, object.ErrInvalidPath, "it is a file"},
		{filepath.Join(file, "x"), object.ErrNotFound, "directory above"},
		{filepath.Join(dir, "a", "b"), object.ErrNotFound, "directory above"},
		{"file://data/lake", object.ErrInvalidPath, "three slashes"},
		{"file:data/lake", object.ErrInvalidPath, "absolute"},
		{"file://", object.ErrInvalidPath, "absolute"},
		{"file:///a?b=c", object.ErrInvalidPath, "query"},
		{"file:///a%zz", object.ErrInvalidPath, "%zz"},
		{"memory://a/b", object.ErrInvalidPath, "name"},
		{"memory://%zz", object.ErrInvalidPath, "%zz"},
		{"nope://user:secret@host/x", object.ErrUnknownScheme, `"nope": known are file, memory`},
		{"s3://bucket/x", object.ErrUnknownScheme, "it is not supported yet; known are file, memory"},
		{"postgres://user:secret@host/x", object.ErrUnknownScheme, "it is not supported yet"},
	}
	for _, c := range cases {
		_, err := object.Open(c.url)
		require.ErrorIs(t, err, c.want, c.url)
		require.ErrorContains(t, err, c.text, c.url)
		require.NotContains(t, err.Error(), "secret")
	}
}

func TestOpenMemory(t *testing.T) {
	ctx := t.Context()
	first, second, other, private := open(t, "memory://shared"), open(t, "memory://shared"), open(t, "memory://other"), open(t, "memory://")
	require.Equal(t, "memory://shared", first.String())
	require.NoError(t, first.Put(ctx, "x", []byte("body")))
	body, err := second.Get(ctx, "x")
	require.NoError(t, err)
	require.Equal(t, "body", string(body))
	for _, store := range []object.Store{other, private, open(t, "memory://")} {
		_, err := store.Get(ctx, "x")
		require.ErrorIs(t, err, object.ErrNotFound)
	}

	closeStore(t, first)
	closeStore(t, first) // counts once
	_, err = first.Get(ctx, "x")
	require.ErrorIs(t, err, object.ErrIO)
	require.ErrorIs(t, err, os.ErrClosed)
	third := open(t, "memory://shared")
	_, err = third.Get(ctx, "x")
	require.NoError(t, err, "the second handle kept it alive")

	closeStore(t, second)
	closeStore(t, third)
	fresh := open(t, "memory://shared")
	_, err = fresh.Get(ctx, "x")
	require.ErrorIs(t, err, object.ErrNotFound, "the last handle took it along")
	closeStore(t, fresh)
	closeStore(t, other)
}

// registerCloud survives -count.
var registerCloud = sync.OnceFunc(func() {
	object.Register("test-cloud", func(url string) (object.Store, error) { return object.NewMemory(url), nil })
})

func TestRegister(t *testing.T) {
	registerCloud()
	require.Equal(t, "memory://test-cloud:%2F%2Fbucket", open(t, "test-cloud://bucket").String())
	require.Panics(t, func() { object.Register("file", nil) })
}

func ExampleOpen() {
	store, err := object.Open("memory://")
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	for range 2 {
		err := store.PutIfAbsent(ctx, "t/_delta_log/00000000000000000000.json", []byte("{}"))
		fmt.Println(err)
	}
	for info, err := range store.List(ctx, "t") {
		fmt.Println(info.Path, info.Size, err)
	}
	// Output:
	// <nil>
	// put-if-absent "t/_delta_log/00000000000000000000.json": object already exists
	// t/_delta_log/00000000000000000000.json 2 <nil>
}
