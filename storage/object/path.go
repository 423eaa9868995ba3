package object

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
)

// tempPrefix starts the names of files that are being written. Spark, Flink and
// the other engines skip names with a leading dot, as our own listings skip
// these.
const tempPrefix = ".tmp-"

// ValidatePath says whether a path can name an object or, if it is empty, the
// root. It returns ErrInvalidPath for a path that
//
//  1. starts or ends with a slash or has two in a row,
//  2. has the element "." or "..",
//  3. contains a NUL byte, or
//  4. has an element of the form that stores keep for files being written:
//     ".tmp-" and a UUID.
func ValidatePath(path string) error {
	if path == "" {
		return nil
	}
	if strings.IndexByte(path, 0) >= 0 {
		return fmt.Errorf("%w: it contains a NUL byte", ErrInvalidPath)
	}
	for rest, more := path, true; more; {
		var element string
		element, rest, more = strings.Cut(rest, "/")
		switch {
		case element == "":
			return fmt.Errorf("%w: it has an empty element", ErrInvalidPath)
		case element == "." || element == "..":
			return fmt.Errorf("%w: it has the element %q", ErrInvalidPath, element)
		case isTemporary(element):
			return fmt.Errorf("%w: the name %q is kept for files being written", ErrInvalidPath, element)
		}
	}
	return nil
}

// isTemporary reports whether a name is one that temporaryName made. A name of
// the user's that only starts in the same way isn't.
func isTemporary(name string) bool {
	id, ok := strings.CutPrefix(name, tempPrefix)
	return ok && len(id) == 36 && uuid.Validate(id) == nil
}

func temporaryName() string { return tempPrefix + uuid.NewString() }

// joinPath puts a directory and a name together; the root adds no slash.
func joinPath(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}
