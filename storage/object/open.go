package object

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Opener opens the store that a URL of its scheme names.
type Opener func(url string) (Store, error)

// registry holds the openers of cloud stores by scheme.
var registry = struct {
	mu      sync.RWMutex
	openers map[string]Opener // guarded by mu
}{openers: map[string]Opener{"file": openFileURL, "memory": openMemoryURL}}

// Register makes a store available to Open. It is for the init of a package
// that is imported for that effect, and panics when the scheme is taken.
func Register(scheme string, opener Opener) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if _, ok := registry.openers[scheme]; ok {
		panic("object: the scheme " + scheme + " is registered twice")
	}
	registry.openers[scheme] = opener
}

// futureSchemes are those of stores and catalogs that have no package yet.
var futureSchemes = []string{"s3", "s3a", "gs", "az", "abfs", "abfss", "wasbs", "hdfs", "postgres", "postgresql", "sqlite"}

// Open opens the store that a URL names:
//
//	./warehouse, /data/lake   a directory, taken as it is written
//	file:///data/my%20lake    a directory, percent-encoded
//	memory://demo             objects in memory, shared by all that Open this
//	                          name until the last of them is closed
//	memory://                 objects in memory, private
//	other://…                 what was registered for the scheme
//
// A directory need not exist, but the one above it must. A store that
// implements io.Closer must be closed.
func Open(url string) (Store, error) {
	scheme, ok := schemeOf(url)
	if !ok {
		return openDir(url)
	}
	registry.mu.RLock()
	opener, ok := registry.openers[scheme]
	known := slices.Sorted(maps.Keys(registry.openers))
	registry.mu.RUnlock()
	if !ok {
		yet := ""
		if slices.Contains(futureSchemes, scheme) {
			yet = "it is not supported yet; "
		}
		return nil, fmt.Errorf("open store: %w %q: %sknown are %s", ErrUnknownScheme, scheme, yet, strings.Join(known, ", "))
	}
	return opener(url)
}

// schemeOf returns a URL's scheme. Only "file:" does without the two slashes,
// which Hadoop leaves out, so that "C:\lake" and "a:b" stay directories.
func schemeOf(url string) (string, bool) {
	scheme, rest, ok := strings.Cut(url, ":")
	scheme = strings.ToLower(scheme)
	if !ok || scheme == "" || strings.ContainsAny(scheme, `/\`) {
		return "", false
	}
	return scheme, strings.HasPrefix(rest, "//") || scheme == "file"
}

func openFileURL(text string) (Store, error) {
	parsed, err := url.Parse(text)
	if err != nil {
		return nil, urlError("file", unwrapURLError(err))
	}
	switch {
	case parsed.Host != "" && parsed.Host != "localhost":
		return nil, urlError("file", fmt.Errorf("%q is read as a host: write three slashes", parsed.Host))
	case parsed.Opaque != "" || parsed.Path == "":
		return nil, urlError("file", errors.New("the directory isn't absolute: leave the scheme out"))
	case parsed.RawQuery != "" || parsed.Fragment != "":
		return nil, urlError("file", errors.New("it has a query or fragment: write ? as %3F and # as %23"))
	}
	dir := filepath.FromSlash(parsed.Path)
	if volume := filepath.VolumeName(dir[1:]); volume != "" {
		dir = dir[1:] // "/C:/lake"
	}
	return openDir(dir)
}

// urlError leaves the URL out, which might hold a secret.
func urlError(scheme string, err error) error {
	return fmt.Errorf("open %s store: %w in the URL: %w", scheme, ErrInvalidPath, err)
}

func unwrapURLError(err error) error {
	if parse, ok := errors.AsType[*url.Error](err); ok {
		return parse.Err
	}
	return err
}

// openDir opens a directory and finds out early when it can't become one.
func openDir(dir string) (Store, error) {
	store, err := NewFileStore(dir)
	if err != nil {
		return nil, err
	}
	stat, err := os.Stat(store.root)
	if err == nil && !stat.IsDir() {
		return nil, fmt.Errorf("open file store %q: %w: it is a file", dir, ErrInvalidPath)
	}
	if errors.Is(err, fs.ErrNotExist) {
		_, err = os.Stat(filepath.Dir(store.root))
	}
	if errors.Is(err, fs.ErrNotExist) || (err != nil && isNotObject(err)) {
		return nil, fmt.Errorf("open file store %q: %w: the directory above it doesn't exist", dir, ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("open file store %q: %w: %w", dir, ErrIO, err)
	}
	return store, nil
}

// shared holds the memory stores that Open gave a name.
var shared = struct {
	mu     sync.Mutex
	byName map[string]*sharedMemory // guarded by mu
}{byName: map[string]*sharedMemory{}}

type sharedMemory struct {
	objects *memoryObjects
	handles int
}

func openMemoryURL(text string) (Store, error) {
	name, err := url.PathUnescape(text[len("memory://"):])
	if err != nil {
		return nil, urlError("memory", err)
	}
	if strings.ContainsAny(name, "/?#@") {
		return nil, urlError("memory", errors.New("only a name may follow memory://"))
	}
	if name == "" {
		return NewMemory(""), nil
	}
	shared.mu.Lock()
	defer shared.mu.Unlock()
	entry, ok := shared.byName[name]
	if !ok {
		entry = &sharedMemory{objects: newMemoryObjects()}
		shared.byName[name] = entry
	}
	entry.handles++
	return &Memory{name: name, objects: entry.objects, release: func() { releaseShared(name, entry) }}, nil
}

func releaseShared(name string, entry *sharedMemory) {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	entry.handles--
	if entry.handles == 0 {
		delete(shared.byName, name)
	}
}
