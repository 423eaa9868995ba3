package iceberg

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

const (
	// MetadataDir is the directory of metadata files in a table's directory.
	MetadataDir = "metadata"
	// versionHint names the file that says about which metadata file is the newest.
	versionHint = "version-hint.text"
)

// Pointer tells which metadata file is a table's current one, and changes that.
// Paths are locations as metadata has them, or relative to the table's directory.
type Pointer interface {
	// Current gives the newest metadata file; ErrTableNotFound if there is none.
	Current(ctx context.Context) (location string, err error)
	// Next names the metadata file that may follow one, which is empty for the
	// first of a table. It does no I/O. An error says why the table can't be
	// written to.
	Next(current string, gzip bool) (location string, err error)
	// Publish makes next, with its content, the metadata file that follows
	// current: storage.ErrLostRace if another does, a *storage.AmbiguousError if
	// the answer was lost.
	Publish(ctx context.Context, current, next string, body []byte) error
	// Committed is told of a success. Its failure does no harm.
	Committed(ctx context.Context, location string) error
}

// directory is the Pointer of a table without a catalog: its metadata files are
// numbered (spec, "File System Tables").
type directory struct {
	table *Table
}

// versionNames are the names that the metadata file of a version may have.
func versionNames(version int64) []string {
	v := "v" + strconv.FormatInt(version, 10)
	return []string{v + ".metadata.json", v + ".gz.metadata.json", v + ".metadata.json.gz"}
}

// Current implements Pointer. It begins with the hint and goes on while there
// is a next version.
func (d directory) Current(ctx context.Context) (string, error) {
	version, err := d.hint(ctx)
	if err != nil {
		return "", err
	}
	name := ""
	if version > 0 {
		if name, err = d.find(ctx, version); err != nil {
			return "", err
		}
		if name == "" { // an older one would be an older state
			return "", &storage.CorruptTable{Path: d.table.path(MetadataDir), Offset: -1, Reason: fmt.Sprintf("the metadata file of version %d, which %s names, is missing", version, versionHint)}
		}
	}
	if name == "" {
		if version, name, err = d.newest(ctx); err != nil {
			return "", err
		}
	}
	for version > 0 {
		next, err := d.find(ctx, version+1)
		if err != nil {
			return "", err
		}
		if next == "" {
			break
		}
		version, name = version+1, next
	}
	return MetadataDir + "/" + name, nil
}

// Next implements Pointer.
func (d directory) Next(current string, gzip bool) (string, error) {
	version := int64(0)
	if current != "" {
		v, ofCatalog, ok := parseMetadataName(path.Base(current))
		if !ok || ofCatalog {
			return "", &storage.UnsupportedFeature{Table: d.table.name.String(), Feature: "a catalog, which " + path.Base(current) + " belongs to", Writing: true}
		}
		version = v
	}
	names := versionNames(version + 1)
	if gzip {
		return MetadataDir + "/" + names[1], nil
	}
	return MetadataDir + "/" + names[0], nil
}

// Publish implements Pointer. Files of a version that are compressed otherwise
// have other names, so those are looked for too.
func (d directory) Publish(ctx context.Context, _, next string, body []byte) error {
	version, _, _ := parseMetadataName(path.Base(next))
	other, err := d.find(ctx, version)
	if err != nil {
		return err
	}
	if other != "" {
		return storage.ErrLostRace
	}
	switch err := d.table.store.PutIfAbsent(ctx, d.table.path(next), body); {
	case errors.Is(err, object.ErrExists):
		return storage.ErrLostRace
	case errors.Is(err, object.ErrInvalidPath):
		return err
	case err != nil:
		return &storage.AmbiguousError{Cause: err}
	}
	return nil
}

// Committed implements Pointer: it writes the hint.
func (d directory) Committed(ctx context.Context, location string) error {
	version, _, _ := parseMetadataName(path.Base(location))
	known, err := d.hint(ctx)
	if err != nil || known >= version {
		return err
	}
	return d.table.store.Put(ctx, d.table.path(MetadataDir+"/"+versionHint), strconv.AppendInt(nil, version, 10))
}

// hint reads the version that the hint names; 0 if there is none.
func (d directory) hint(ctx context.Context) (int64, error) {
	body, err := d.table.store.Get(ctx, d.table.path(MetadataDir+"/"+versionHint))
	if errors.Is(err, object.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	version, err := strconv.ParseInt(strings.TrimSpace(string(body)), 10, 64)
	if err != nil || version < 1 {
		return 0, nil
	}
	return version, nil
}

// find gives the name of a version's metadata file, empty if there is none.
func (d directory) find(ctx context.Context, version int64) (string, error) {
	for _, name := range versionNames(version) {
		_, err := d.table.store.Stat(ctx, d.table.path(MetadataDir+"/"+name))
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, object.ErrNotFound) {
			return "", err
		}
	}
	return "", nil
}

// newest looks through the directory. Without numbered files, those that a
// catalog has written are considered: theirs begin with a number too, but only
// the catalog knows for certain which one counts.
func (d directory) newest(ctx context.Context) (version int64, name string, err error) {
	catalogVersion, catalogName, several := int64(-1), "", false
	for info, err := range d.table.store.ListFrom(ctx, d.table.path(MetadataDir), "0") {
		if err != nil {
			return 0, "", err
		}
		base := path.Base(info.Path)
		v, ofCatalog, ok := parseMetadataName(base)
		switch {
		case !ok:
		case !ofCatalog && v > version:
			version, name = v, base
		case ofCatalog && v == catalogVersion:
			several = true
		case ofCatalog && v > catalogVersion:
			catalogVersion, catalogName, several = v, base, false
		}
	}
	switch {
	case name != "":
		return version, name, nil
	case several:
		return 0, "", fmt.Errorf("%w: %s has several metadata files of version %d; name one of them instead of the directory", storage.ErrTableNotFound, d.table.name, catalogVersion)
	case catalogName != "":
		return 0, catalogName, nil
	}
	return 0, "", fmt.Errorf("%w: %s: no metadata file in %s", storage.ErrTableNotFound, d.table.name, d.table.path(MetadataDir))
}

// parseMetadataName reads the number of a metadata file's name, which is
// v<V>.metadata.json or, by a catalog, <V>-<uuid>.metadata.json, perhaps with
// the mark of gzip.
func parseMetadataName(base string) (version int64, ofCatalog, ok bool) {
	stem, ok := strings.CutSuffix(strings.TrimSuffix(base, ".gz"), ".metadata.json")
	if !ok {
		return 0, false, false
	}
	stem = strings.TrimSuffix(stem, ".gz")
	if number, isVersion := strings.CutPrefix(stem, "v"); isVersion {
		version, err := strconv.ParseInt(number, 10, 64)
		return version, false, err == nil && version > 0
	}
	number, _, ok := strings.Cut(stem, "-")
	version, err := strconv.ParseInt(number, 10, 64)
	return version, true, ok && err == nil && version >= 0
}

// file is the Pointer of a table that is named by one of its metadata files.
type file string

// Current implements Pointer.
func (f file) Current(context.Context) (string, error) { return string(f), nil }

// Next implements Pointer: nothing follows.
func (f file) Next(string, bool) (string, error) {
	return "", &storage.UnsupportedFeature{Table: string(f), Feature: "a table that is not named by one of its metadata files", Writing: true}
}

// Publish implements Pointer.
func (f file) Publish(_ context.Context, current, _ string, _ []byte) error {
	_, err := f.Next(current, false)
	return err
}

// Committed implements Pointer.
func (f file) Committed(context.Context, string) error { return nil }

// Exists tells whether there is an Iceberg table in a directory.
func Exists(ctx context.Context, store object.Store, root string) (bool, error) {
	for info, err := range store.ListFrom(ctx, path.Join(root, MetadataDir), "0") {
		if err != nil {
			return false, err
		}
		if _, _, ok := parseMetadataName(path.Base(info.Path)); ok {
			return true, nil
		}
	}
	return false, nil
}
