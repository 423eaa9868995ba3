package delta

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

// decodePath decodes the path of a data file or deletion vector, which the log
// has as a URI (protocol, "Add File and Remove File"). A path in the table is
// relative; one that is absolute begins with a slash, for a local file, or with
// the scheme of another store.
func decodePath(encoded string) (string, error) {
	text := encoded
	if scheme := schemeOf(text); scheme == "file" {
		text = strings.TrimPrefix(text[len("file:"):], "//")
		text = strings.TrimPrefix(text, "localhost")
	} else if scheme != "" {
		return text, nil
	}
	if !strings.Contains(text, "%") {
		return text, nil
	}
	decoded, err := url.PathUnescape(text)
	if err != nil {
		return "", fmt.Errorf("path %q is not percent-encoded: %w", encoded, err)
	}
	if schemeOf(decoded) != "" {
		decoded = "./" + decoded // so that it is not taken for a URI from now on
	}
	return decoded, nil
}

// encodePath encodes a path relative to the table for the log.
func encodePath(decoded string) string {
	const plain = "-_.~/=+,@&$!*'();"
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(decoded) {
		c := decoded[i]
		isPlain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80 || strings.IndexByte(plain, c) >= 0
		if !isPlain {
			b.WriteByte('%')
			b.WriteByte(digits[c>>4])
			b.WriteByte(digits[c&15])
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// schemeOf gives the scheme of an absolute URI, empty for a path.
func schemeOf(text string) string {
	scheme, _, ok := strings.Cut(text, ":")
	if !ok || scheme == "" || strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789+-.") != "" {
		return ""
	}
	if c := scheme[0]; c >= '0' && c <= '9' {
		return ""
	}
	return strings.ToLower(scheme)
}

// storePath is the store's path of a file relative to the table.
func (t *Table) storePath(relative string) string {
	if t.root == "" {
		return relative
	}
	return t.root + "/" + relative
}

// resolve finds the store and the path of a decoded data file path. A table
// that names files of another one by absolute paths, as a shallow clone does,
// can be read where both are local.
func (t *Table) resolve(decoded string) (object.Store, string, error) {
	if schemeOf(decoded) == "" && !strings.HasPrefix(decoded, "/") {
		relative := path.Clean(decoded)
		return t.store, t.storePath(relative), t.checkPath(relative)
	}
	if !strings.HasPrefix(decoded, "/") || !strings.HasPrefix(t.store.String(), "file:") {
		return nil, "", &storage.UnsupportedFeature{Table: t.name.String(), Feature: "absolute path " + decoded}
	}
	store, below, err := t.volumes.Resolve(decoded)
	if err != nil {
		return nil, "", t.badPath(decoded, err)
	}
	return store, below, nil
}

// checkPath refuses what can be no file's path, of this table or at all.
func (t *Table) checkPath(relative string) error {
	err := object.ValidatePath(relative)
	if relative == "" {
		err = object.ErrInvalidPath
	}
	if err != nil {
		return t.badPath(relative, err)
	}
	return nil
}

func (t *Table) badPath(path string, cause error) error {
	return &storage.CorruptTable{Path: t.storePath(LogDir), Offset: -1, Reason: fmt.Sprintf("path %q of a file", path), Cause: cause}
}
