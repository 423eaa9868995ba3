package object

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// maxOpenFiles is none here, because Windows lets nobody delete or replace a
// file that is open.
const maxOpenFiles = 0

// syncDir has nothing to do: NTFS keeps its directories in its journal and has
// no call to flush one.
func (osFileSystem) syncDir(string) error { return nil }

func (osFileSystem) renameExclusive(from, to string) error {
	source, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	target, err := windows.UTF16PtrFromString(to)
	if err != nil {
		return err
	}
	// Without MOVEFILE_REPLACE_EXISTING an existing target is an error.
	return windows.MoveFileEx(source, target, windows.MOVEFILE_WRITE_THROUGH)
}

// lacksHardLinks reports whether link failed because the file system, FAT for
// one, has none.
func lacksHardLinks(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, windows.ERROR_INVALID_FUNCTION) ||
		errors.Is(err, windows.ERROR_NOT_SUPPORTED) || errors.Is(err, windows.ERROR_NOT_SAME_DEVICE)
}

// isNotObject reports whether an error of open or read means that a path leads
// to no file.
func isNotObject(err error) bool {
	return errors.Is(err, windows.ERROR_DIRECTORY) || errors.Is(err, windows.ERROR_INVALID_NAME)
}

// localPath refuses what Windows would take for another name: backslashes,
// colons, device names, and dots and spaces at an element's end, which it drops.
func localPath(root, path string) (string, error) {
	if path == "" {
		return root, nil
	}
	local, err := filepath.Localize(path)
	for element := range strings.SplitSeq(path, "/") {
		if err == nil && strings.TrimRight(element, ". ") != element {
			err = fmt.Errorf("%q ends with a dot or space", element)
		}
	}
	if err != nil {
		return "", fmt.Errorf("%w: not a file name on Windows: %w", ErrInvalidPath, err)
	}
	return filepath.Join(root, local), nil
}
