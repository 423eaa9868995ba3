package objecttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/storage/object"
)

// AcceptanceTest checks a kind of store. Each call of open returns an empty
// store, whose cleaning up it leaves to t.Cleanup.
func AcceptanceTest(t *testing.T, open func(t *testing.T) object.Store) {
	cases := []struct {
		name string
		test func(t *testing.T, store object.Store)
	}{
		{"an empty store", testEmpty},
		{"put and read back", testPut},
		{"put replaces", testPutReplaces},
		{"put if absent", testPutIfAbsent},
		{"put if absent has one winner", testOneWinner},
		{"bodies are copied", testBodiesAreCopied},
		{"range reads", testGetRange},
		{"missing objects", testMissing},
		{"directories are no objects", testDirectories},
		{"delete", testDelete},
		{"list from", testListFrom},
		{"list", testList},
		{"list directories", testListDirs},
		{"a listing ends early", testListStops},
		{"many objects", testManyObjects},
		{"writer", testWriter},
		{"aborted writers leave nothing", testAbort},
		{"writers replace", testWriterReplaces},
		{"readers see whole objects", testWholeObjects},
		{"unusual names", testNames},
		{"deep paths", testDeepPath},
		{"a large object", testLarge},
		{"invalid paths", testInvalidPaths},
		{"cancelled contexts", testCancelled},
		{"a writer's context", testWriterCancelled},
		{"concurrent use", testConcurrentUse},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

// put writes small objects whose bodies are their paths.
func put(t *testing.T, store object.Store, paths ...string) {
	t.Helper()
	for _, path := range paths {
		require.NoError(t, store.Put(t.Context(), path, []byte(path)))
	}
}

// paths collects a listing, directories with a slash at the end.
func paths(t *testing.T, listing iter.Seq2[object.Info, error]) []string {
	t.Helper()
	found := []string{}
	for info, err := range listing {
		require.NoError(t, err)
		if info.IsDir {
			info.Path += "/"
		}
		found = append(found, info.Path)
	}
	return found
}

func requireBody(t *testing.T, store object.Store, path, body string) {
	t.Helper()
	read, err := store.Get(t.Context(), path)
	require.NoError(t, err)
	require.Equal(t, body, string(read))
}

func requireMissing(t *testing.T, store object.Store, path string) {
	t.Helper()
	_, err := store.Get(t.Context(), path)
	require.ErrorIs(t, err, object.ErrNotFound)
	_, err = store.Stat(t.Context(), path)
	require.ErrorIs(t, err, object.ErrNotFound)
	for _, size := range []int{0, 1} {
		_, err = store.GetRange(t.Context(), path, 0, make([]byte, size))
		require.ErrorIs(t, err, object.ErrNotFound)
	}
}

func testEmpty(t *testing.T, store object.Store) {
	require.Empty(t, paths(t, store.List(t.Context(), "")))
	require.Empty(t, paths(t, store.ListFrom(t.Context(), "", "")))
	require.Empty(t, paths(t, store.ListFrom(t.Context(), "t/_delta_log", "0")))
	dirs, err := store.ListDirs(t.Context(), "")
	require.NoError(t, err)
	require.Empty(t, dirs)
	requireMissing(t, store, "a")
	require.Contains(t, store.String(), "://")
}

func testPut(t *testing.T, store object.Store) {
	require.NoError(t, store.Put(t.Context(), "t/a", []byte("body")))
	require.NoError(t, store.Put(t.Context(), "t/empty", nil))
	requireBody(t, store, "t/a", "body")
	requireBody(t, store, "t/empty", "")

	info, err := store.Stat(t.Context(), "t/a")
	require.NoError(t, err)
	require.Equal(t, "t/a", info.Path)
	require.EqualValues(t, 4, info.Size)
	require.False(t, info.ModTime.IsZero())
	for listed, err := range store.List(t.Context(), "t") {
		require.NoError(t, err)
		require.True(t, listed.ModTime.Equal(info.ModTime) || listed.Path != "t/a")
		require.Equal(t, listed.Path == "t/empty", listed.Size == 0)
	}
}

func testPutReplaces(t *testing.T, store object.Store) {
	for _, path := range []string{"data.parquet", "_delta_log/_last_checkpoint"} {
		for _, body := range []string{"first", "the second", "3"} {
			require.NoError(t, store.Put(t.Context(), path, []byte(body)))
			requireBody(t, store, path, body)
			p := make([]byte, len(body))
			n, err := store.GetRange(t.Context(), path, 0, p)
			require.NoError(t, err)
			require.Equal(t, body, string(p[:n]), "a range read after the object was replaced")
		}
	}
}

func testPutIfAbsent(t *testing.T, store object.Store) {
	const path = "t/_delta_log/00000000000000000000.json"
	require.NoError(t, store.PutIfAbsent(t.Context(), path, []byte("mine")))
	err := store.PutIfAbsent(t.Context(), path, []byte("theirs"))
	require.ErrorIs(t, err, object.ErrExists)
	require.Contains(t, err.Error(), path)
	requireBody(t, store, path, "mine")
	require.Equal(t, []string{path}, paths(t, store.List(t.Context(), "")))

	require.NoError(t, store.Delete(t.Context(), path))
	require.NoError(t, store.PutIfAbsent(t.Context(), path, []byte("again")))
	requireBody(t, store, path, "again")
}

func testOneWinner(t *testing.T, store object.Store) {
	const writers, versions = 8, 20
	for version := range versions {
		path := fmt.Sprintf("t/_delta_log/%020d.json", version)
		errs := make([]error, writers)
		var group sync.WaitGroup
		for i := range writers {
			group.Go(func() { errs[i] = store.PutIfAbsent(t.Context(), path, fmt.Append(nil, i)) })
		}
		group.Wait()
		winner := -1
		for i, err := range errs {
			if err == nil {
				require.Equal(t, -1, winner, "two writers won version %d", version)
				winner = i
				continue
			}
			require.ErrorIs(t, err, object.ErrExists)
		}
		require.NotEqual(t, -1, winner, "nobody won version %d", version)
		requireBody(t, store, path, fmt.Sprint(winner))
	}
	require.Len(t, paths(t, store.List(t.Context(), "")), versions)
}

func testBodiesAreCopied(t *testing.T, store object.Store) {
	body := []byte("body")
	require.NoError(t, store.Put(t.Context(), "put", body))
	require.NoError(t, store.PutIfAbsent(t.Context(), "put-if-absent", body))
	w, err := store.Create(t.Context(), "create")
	require.NoError(t, err)
	_, err = w.Write(body)
	require.NoError(t, err)
	clear(body)
	require.NoError(t, w.Close())
	for _, path := range []string{"put", "put-if-absent", "create"} {
		read, err := store.Get(t.Context(), path)
		require.NoError(t, err)
		require.Equal(t, "body", string(read))
		clear(read)
		requireBody(t, store, path, "body")
	}
}

func testGetRange(t *testing.T, store object.Store) {
	require.NoError(t, store.Put(t.Context(), "ten", []byte("0123456789")))
	cases := []struct {
		off  int64
		size int
		want string
		err  error
	}{
		{0, 10, "0123456789", nil},
		{0, 1, "0", nil},
		{9, 1, "9", nil},
		{3, 4, "3456", nil},
		{0, 11, "0123456789", io.EOF},
		{8, 3, "89", io.EOF},
		{10, 1, "", io.EOF},
		{1 << 40, 1, "", io.EOF},
		{0, 0, "", nil},
		{10, 0, "", nil},
		{11, 0, "", nil},
	}
	for _, c := range cases {
		p := make([]byte, c.size)
		n, err := store.GetRange(t.Context(), "ten", c.off, p)
		require.Equal(t, c.err, err, "%d bytes at %d", c.size, c.off) // io.EOF itself, as io.ReaderAt asks
		require.Equal(t, c.want, string(p[:n]), "%d bytes at %d", c.size, c.off)
	}
	n, err := store.GetRange(t.Context(), "ten", -1, make([]byte, 1))
	require.ErrorIs(t, err, object.ErrIO)
	require.Zero(t, n)
}

func testMissing(t *testing.T, store object.Store) {
	put(t, store, "t/a")
	for _, path := range []string{"b", "t/b", "t/a/b", "t/a/b/c", "T/x", "u/v/w"} {
		requireMissing(t, store, path)
		require.NoError(t, store.Delete(t.Context(), path))
	}
	_, err := store.Get(t.Context(), "t/b")
	require.Contains(t, err.Error(), "t/b")
	require.NotErrorIs(t, err, object.ErrIO)
	require.Empty(t, paths(t, store.List(t.Context(), "t/a")), "an object isn't a directory")
	require.Empty(t, paths(t, store.ListFrom(t.Context(), "t/a", "")))
	requireBody(t, store, "t/a", "t/a")
}

func testDirectories(t *testing.T, store object.Store) {
	put(t, store, "t/part/a")
	requireMissing(t, store, "t")
	requireMissing(t, store, "t/part")
	require.NoError(t, store.Delete(t.Context(), "t/part"))
	require.NoError(t, store.Delete(t.Context(), "t/part/a"))
	require.NoError(t, store.Delete(t.Context(), "t/part"))
	require.Empty(t, paths(t, store.List(t.Context(), "")))
	put(t, store, "t/part/a", "t/part/b/c")
}

func testDelete(t *testing.T, store object.Store) {
	put(t, store, "t/a", "t/b")
	_, err := store.GetRange(t.Context(), "t/a", 0, make([]byte, 3))
	require.NoError(t, err)
	require.NoError(t, store.Delete(t.Context(), "t/a"))
	requireMissing(t, store, "t/a")
	require.NoError(t, store.Delete(t.Context(), "t/a"))
	require.Equal(t, []string{"t/b"}, paths(t, store.List(t.Context(), "")))
}

func testListFrom(t *testing.T, store object.Store) {
	put(t, store, "t/_delta_log/10", "t/_delta_log/9", "t/_delta_log/1", "t/_delta_log/2.json",
		"t/_delta_log/2", "t/_delta_log/2~/below", "t/_delta_log/2-x", "t/_delta_log/_sidecars/1",
		"t/_delta_log/Ω", "t/_delta_log/a", "t/_delta_log/Z", "t/_delta_log2/1", "t/b", "top")
	from := func(dir, start string) string {
		return strings.Join(paths(t, store.ListFrom(t.Context(), dir, start)), " ")
	}
	const log = "t/_delta_log/"
	all := log + strings.Join([]string{"1", "10", "2", "2-x", "2.json", "2~/", "9", "Z", "_sidecars/", "a", "Ω"}, " "+log)
	require.Equal(t, all, from("t/_delta_log", ""))
	require.Equal(t, all, from("t/_delta_log", "1"))
	require.Equal(t, all[strings.Index(all, log+"10"):], from("t/_delta_log", "10"))
	require.Equal(t, all[strings.Index(all, log+"2"):], from("t/_delta_log", "11"))
	require.Equal(t, all[strings.Index(all, log+"Z"):], from("t/_delta_log", "9 "))
	require.Equal(t, log+"Ω", from("t/_delta_log", "b"))
	require.Empty(t, from("t/_delta_log", "\xff"))
	require.Empty(t, from("t/_delta_lo", ""))
	require.Equal(t, "t/_delta_log/ t/_delta_log2/ t/b", from("t", ""))
	require.Equal(t, "t/_delta_log2/ t/b", from("t", "_delta_log2"))
	require.Equal(t, "t/_delta_log2/ t/b", from("t", "_delta_log-"), "by its name _delta_log is before this")
	require.Equal(t, "t/ top", from("", ""))
	require.Equal(t, "top", from("", "t "))
	require.Empty(t, from("", "tops"))
}

func testList(t *testing.T, store object.Store) {
	all := []string{"a!", "a-b/x", "a.x", "a/b-/x", "a/b.c", "a/b/c/d", "a/c", "a0", "z"}
	for i := range all {
		put(t, store, all[(i*7)%len(all)])
	}
	require.Equal(t, all, paths(t, store.List(t.Context(), "")), "in byte order of whole paths")
	require.Equal(t, []string{"a/b-/x", "a/b.c", "a/b/c/d", "a/c"}, paths(t, store.List(t.Context(), "a")))
	require.Equal(t, []string{"a/b/c/d"}, paths(t, store.List(t.Context(), "a/b")))
	require.Empty(t, paths(t, store.List(t.Context(), "nothing")))
	twice := store.List(t.Context(), "a/b")
	require.Equal(t, paths(t, twice), paths(t, twice), "a listing can be iterated again")
}

func testListDirs(t *testing.T, store object.Store) {
	put(t, store, "ns/t/_delta_log/0", "ns/t/a", "ns/t-2/b", "ns/u=1/c", "ns/file", "other/x", "top")
	cases := map[string][]string{"": {"ns", "other"}, "ns": {"t", "t-2", "u=1"}, "ns/t": {"_delta_log"}}
	for dir, want := range cases {
		dirs, err := store.ListDirs(t.Context(), dir)
		require.NoError(t, err)
		require.Equal(t, want, dirs)
	}
	for _, dir := range []string{"ns/t/_delta_log", "n", "nothing/here", "top"} {
		dirs, err := store.ListDirs(t.Context(), dir)
		require.NoError(t, err)
		require.Empty(t, dirs)
	}
}

func testListStops(t *testing.T, store object.Store) {
	put(t, store, "t/a", "t/b", "t/c/d")
	for _, listing := range []iter.Seq2[object.Info, error]{
		store.List(t.Context(), ""), store.ListFrom(t.Context(), "t", ""),
	} {
		seen := 0
		for _, err := range listing {
			require.NoError(t, err)
			seen++
			break
		}
		require.Equal(t, 1, seen)
	}
	// What is listed may be deleted on the way.
	for info, err := range store.List(t.Context(), "t") {
		require.NoError(t, err)
		require.NoError(t, store.Delete(t.Context(), info.Path))
	}
	require.Empty(t, paths(t, store.List(t.Context(), "")))
}

// testManyObjects has more objects than a page of a listing.
func testManyObjects(t *testing.T, store object.Store) {
	const objects = 1203
	var group sync.WaitGroup
	for worker := range 16 {
		group.Go(func() {
			for i := worker; i < objects; i += 16 {
				if err := store.Put(t.Context(), fmt.Sprintf("log/%05d", i), nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	for _, listing := range []iter.Seq2[object.Info, error]{
		store.List(t.Context(), ""), store.ListFrom(t.Context(), "log", ""),
	} {
		found := paths(t, listing)
		require.Len(t, found, objects)
		for i, path := range found {
			require.Equal(t, fmt.Sprintf("log/%05d", i), path)
		}
	}
	require.Len(t, paths(t, store.ListFrom(t.Context(), "log", "01200")), 3)
}

func testWriter(t *testing.T, store object.Store) {
	w, err := store.Create(t.Context(), "t/part=1/file.parquet")
	require.NoError(t, err)
	for _, piece := range []string{"a", "", "bc", "def"} {
		n, err := io.WriteString(w, piece)
		require.NoError(t, err)
		require.Equal(t, len(piece), n)
		requireMissing(t, store, "t/part=1/file.parquet")
		require.Empty(t, paths(t, store.List(t.Context(), "")), "an open writer's object is invisible")
		require.Empty(t, paths(t, store.ListFrom(t.Context(), "t/part=1", "")))
	}
	require.NoError(t, w.Close())
	requireBody(t, store, "t/part=1/file.parquet", "abcdef")
	require.NoError(t, w.Abort(), "Abort after Close does nothing")
	requireBody(t, store, "t/part=1/file.parquet", "abcdef")

	_, err = w.Write([]byte("x"))
	require.ErrorIs(t, err, object.ErrIO)
	require.ErrorIs(t, w.Close(), object.ErrIO)
	requireBody(t, store, "t/part=1/file.parquet", "abcdef")

	w, err = store.Create(t.Context(), "empty")
	require.NoError(t, err)
	require.NoError(t, w.Close())
	requireBody(t, store, "empty", "")
}

func testAbort(t *testing.T, store object.Store) {
	w, err := store.Create(t.Context(), "t/file")
	require.NoError(t, err)
	_, err = w.Write([]byte("body"))
	require.NoError(t, err)
	require.NoError(t, w.Abort())
	require.NoError(t, w.Abort())
	_, err = w.Write([]byte("body"))
	require.ErrorIs(t, err, object.ErrIO)
	require.ErrorIs(t, w.Close(), object.ErrIO)
	requireMissing(t, store, "t/file")
	require.Empty(t, paths(t, store.List(t.Context(), "")))
}

func testWriterReplaces(t *testing.T, store object.Store) {
	put(t, store, "t/file")
	_, err := store.GetRange(t.Context(), "t/file", 0, make([]byte, 1))
	require.NoError(t, err)
	w, err := store.Create(t.Context(), "t/file")
	require.NoError(t, err)
	_, err = w.Write([]byte("new"))
	require.NoError(t, err)
	requireBody(t, store, "t/file", "t/file")
	require.NoError(t, w.Close())
	requireBody(t, store, "t/file", "new")
	p := make([]byte, 3)
	_, err = store.GetRange(t.Context(), "t/file", 0, p)
	require.NoError(t, err)
	require.Equal(t, "new", string(p))
}

// testWholeObjects reads an object while it is replaced by others of the same
// bytes over and over.
func testWholeObjects(t *testing.T, store object.Store) {
	const size = 64 << 10
	body := func(i int) []byte { return bytes.Repeat([]byte{byte(i)}, size) }
	require.NoError(t, store.Put(t.Context(), "x", body(0)))
	var group sync.WaitGroup
	group.Go(func() {
		for i := range 20 {
			if err := store.Put(t.Context(), "x", body(i)); err != nil {
				t.Error(err)
			}
		}
	})
	for range 50 {
		read, err := store.Get(t.Context(), "x")
		require.NoError(t, err)
		require.Equal(t, size, bytes.Count(read, read[:1]))
	}
	group.Wait()
}

func testNames(t *testing.T, store object.Store) {
	names := []string{
		"with space", "100%", "a%20b", "a=b", "a#b", "a+b", "a&b", "a@b", "(a)[b]{c}", "a,b;c", "a~b", "a'b", "!a$",
		"...", ".hidden", "..a", "a..", "_delta_log", ".tmp-", ".tmp-x", ".tmp-9b2d", "-", "ä", "o\u0308", "日本語", "🏔", "Ω",
		"part=__HIVE_DEFAULT_PARTITION__", "d=2024-01-02", strings.Repeat("long", 60),
	}
	if runtime.GOOS == "windows" { // where the file store refuses names that the system would change
		names = slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, ".") })
	}
	for _, name := range names {
		for _, path := range []string{name, "dir/" + name, name + ".d/x"} {
			require.NoError(t, store.PutIfAbsent(t.Context(), path, []byte(path)), path)
		}
	}
	for _, name := range names {
		for _, path := range []string{name, "dir/" + name, name + ".d/x"} {
			requireBody(t, store, path, path)
		}
		require.Equal(t, []string{name + ".d/x"}, paths(t, store.List(t.Context(), name+".d")))
		require.Contains(t, paths(t, store.ListFrom(t.Context(), "dir", name)), "dir/"+name)
	}
	require.Len(t, paths(t, store.List(t.Context(), "")), 3*len(names))
}

func testDeepPath(t *testing.T, store object.Store) {
	path := strings.Repeat("d/", 40) + "x"
	put(t, store, path)
	w, err := store.Create(t.Context(), path+".d/y")
	require.NoError(t, err)
	require.NoError(t, w.Close())
	requireBody(t, store, path, path)
	require.Equal(t, []string{path, path + ".d/y"}, paths(t, store.List(t.Context(), "d/d")))
}

func testLarge(t *testing.T, store object.Store) {
	const size = 9<<20 + 7
	body := make([]byte, size)
	for i := range body {
		body[i] = byte(i * 31 >> 8)
	}
	w, err := store.Create(t.Context(), "large")
	require.NoError(t, err)
	for rest := body; len(rest) > 0; {
		n, err := w.Write(rest[:min(len(rest), 1<<20-3)])
		require.NoError(t, err)
		rest = rest[n:]
	}
	require.NoError(t, w.Close())
	require.NoError(t, store.PutIfAbsent(t.Context(), "large too", body))
	for _, path := range []string{"large", "large too"} {
		read, err := store.Get(t.Context(), path)
		require.NoError(t, err)
		require.True(t, bytes.Equal(body, read))
		p := make([]byte, 5<<20)
		n, err := store.GetRange(t.Context(), path, 4<<20, p)
		require.NoError(t, err)
		require.True(t, bytes.Equal(body[4<<20:9<<20], p[:n]))
	}
}

func testInvalidPaths(t *testing.T, store object.Store) {
	invalid := []string{"/", "/a", "a/", "a//b", ".", "..", "./a", "../a", "a/.", "a/..", "a/./b", "a/../b",
		"a\x00b", ".tmp-00000000-0000-4000-8000-000000000000", "a/.tmp-00000000-0000-4000-8000-000000000000/b"}
	for _, path := range append(invalid, "") {
		for op, err := range callAll(t.Context(), store, path, path) {
			if path == "" && isDirOp(op) {
				require.NoError(t, err)
				continue
			}
			require.ErrorIs(t, err, object.ErrInvalidPath, "%s %q", op, path)
		}
	}
	require.Empty(t, paths(t, store.List(t.Context(), "")))
}

func isDirOp(op object.Op) bool {
	return op == object.OpList || op == object.OpListFrom || op == object.OpListDirs
}

// callAll calls each method on a path or a directory and yields the errors.
func callAll(ctx context.Context, store object.Store, path, dir string) iter.Seq2[object.Op, error] {
	return func(yield func(object.Op, error) bool) {
		_, get := store.Get(ctx, path)
		_, getRange := store.GetRange(ctx, path, 0, make([]byte, 1))
		_, stat := store.Stat(ctx, path)
		_, create := store.Create(ctx, path)
		_, listDirs := store.ListDirs(ctx, dir)
		_ = yield(object.OpGet, get) && yield(object.OpGetRange, getRange) && yield(object.OpStat, stat) &&
			yield(object.OpCreate, create) && yield(object.OpListDirs, listDirs) &&
			yield(object.OpListFrom, lastError(store.ListFrom(ctx, dir, ""))) &&
			yield(object.OpList, lastError(store.List(ctx, dir))) &&
			yield(object.OpPut, store.Put(ctx, path, nil)) &&
			yield(object.OpPutIfAbsent, store.PutIfAbsent(ctx, path, nil)) &&
			yield(object.OpDelete, store.Delete(ctx, path))
	}
}

func lastError(listing iter.Seq2[object.Info, error]) error {
	var last error
	for _, err := range listing {
		last = err
	}
	return last
}

func testCancelled(t *testing.T, store object.Store) {
	put(t, store, "t/a", "t/b", "t/c")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for op, err := range callAll(ctx, store, "t/a", "t") {
		require.ErrorIs(t, err, context.Canceled, op)
		require.NotErrorIs(t, err, object.ErrIO, op)
	}
	requireBody(t, store, "t/a", "t/a")

	for _, list := range []func(context.Context) iter.Seq2[object.Info, error]{
		func(ctx context.Context) iter.Seq2[object.Info, error] { return store.List(ctx, "") },
		func(ctx context.Context) iter.Seq2[object.Info, error] { return store.ListFrom(ctx, "t", "") },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var errs []error
		for _, err := range list(ctx) {
			errs = append(errs, err)
			cancel()
		}
		require.Len(t, errs, 2, "a listing ends when its context does")
		require.NoError(t, errs[0])
		require.ErrorIs(t, errs[1], context.Canceled)
	}
}

func testWriterCancelled(t *testing.T, store object.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	w, err := store.Create(ctx, "t/a")
	require.NoError(t, err)
	closing, err := store.Create(ctx, "t/b")
	require.NoError(t, err)
	_, err = w.Write([]byte("x"))
	require.NoError(t, err)
	cancel()
	_, err = w.Write([]byte("x"))
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, w.Close(), context.Canceled)
	require.NoError(t, w.Abort())
	require.ErrorIs(t, closing.Close(), context.Canceled)
	require.Empty(t, paths(t, store.List(t.Context(), "")))
}

// testConcurrentUse mixes all calls; the race detector and the errors judge.
func testConcurrentUse(t *testing.T, store object.Store) {
	errs := make(chan error, 8)
	var group sync.WaitGroup
	for worker := range cap(errs) {
		group.Go(func() { errs <- useStore(t.Context(), store, worker) })
	}
	group.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
}

func useStore(ctx context.Context, store object.Store, worker int) error {
	var errs []error
	for i := range 20 {
		path := fmt.Sprintf("d%d/%d", i%3, (worker+i)%5)
		switch (worker + i) % 4 {
		case 0:
			errs = append(errs, store.Put(ctx, path, []byte(path)))
		case 1:
			errs = append(errs, store.Delete(ctx, path))
		case 2:
			errs = append(errs, lastError(store.List(ctx, "")))
		}
		p := make([]byte, len(path))
		_, err := store.GetRange(ctx, path, 0, p)
		if err == nil && string(p) != path {
			err = fmt.Errorf("read %q at %q", p, path)
		}
		if !errors.Is(err, object.ErrNotFound) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
