package iceberg

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

// normalize gives a location without what may differ between two spellings of
// it: the scheme and the authority of a local file, and slashes at the end.
func normalize(location string) string {
	for _, prefix := range []string{"file://localhost/", "file:///", "file:/"} {
		if rest, ok := strings.CutPrefix(location, prefix); ok {
			location = "/" + strings.TrimLeft(rest, "/")
			break
		}
	}
	if len(location) > 1 {
		location = strings.TrimRight(location, "/")
	}
	return location
}

// relative gives the path of a file below the table's location; ok is false for
// files that are elsewhere.
func (m *TableMetadata) relative(location string) (relative string, ok bool) {
	return strings.CutPrefix(normalize(location), normalize(m.Location)+"/")
}

// absolute gives a path that may be relative to the table as a location.
func (m *TableMetadata) absolute(location string) string {
	if strings.HasPrefix(location, "/") || strings.Contains(location, ":") {
		return location
	}
	return strings.TrimRight(m.Location, "/") + "/" + location
}

// isAbsolute tells whether a location says where a file is without the table.
func isAbsolute(normalized string) bool {
	return strings.HasPrefix(normalized, "/") || strings.Contains(normalized, "://")
}

// resolve finds the store and the path of a location that metadata names (spec,
// "Path Resolution"). What is below the table's location is looked for in the
// directory that the table was opened in, so that a copy of a table is read
// from where it is, unless a catalog says which the table is; other files by
// their absolute paths.
func (t *Table) resolve(m *TableMetadata, location string) (object.Store, string, error) {
	if relative, ok := m.relative(location); ok && t.relocates {
		return t.inTable(relative)
	}
	return t.locate(location)
}

// locate finds the store and the path of a location, which is relative to the
// table's directory or absolute.
func (t *Table) locate(location string) (object.Store, string, error) {
	name := normalize(location)
	if !isAbsolute(name) {
		return t.inTable(name)
	}
	store, p, err := Locate(t.store, &t.volumes, location)
	if err != nil && !errors.Is(err, storage.ErrUnsupportedFeature) {
		return nil, "", t.badLocation(location, err)
	}
	return store, p, t.blame(p, "", err)
}

// Locate finds an absolute location: in a store, if it is below the store's URL,
// or else in the volume of local files.
func Locate(store object.Store, volumes *object.Volumes, location string) (object.Store, string, error) {
	name := normalize(location)
	root, isLocal := store.String(), false
	if u, err := url.Parse(root); err == nil && u.Scheme == "file" {
		root, isLocal = strings.TrimSuffix(u.Path, "/"), true // the root of a volume is a slash
	}
	if p, ok := strings.CutPrefix(name, root+"/"); ok {
		return store, p, object.ValidatePath(p)
	}
	if !isLocal || strings.Contains(name, "://") {
		return nil, "", &storage.UnsupportedFeature{Feature: "location " + location}
	}
	return volumes.Resolve(name)
}

func (t *Table) inTable(relative string) (object.Store, string, error) {
	p := t.path(path.Clean(relative))
	if err := object.ValidatePath(p); err != nil || p == "" {
		return nil, "", t.badLocation(relative, err)
	}
	return t.store, p, nil
}

func (t *Table) badLocation(location string, cause error) error {
	return &storage.CorruptTable{Path: t.path("metadata"), Offset: -1, Reason: fmt.Sprintf("location %q of a file", location), Cause: cause}
}

// path is the store's path of a file of the table's directory.
func (t *Table) path(relative string) string {
	if t.root == "" {
		return relative
	}
	return t.root + "/" + relative
}
