package object

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// renameExclusive answers EINVAL where the file system doesn't know the flag.
func (osFileSystem) renameExclusive(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) {
		return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	return err
}
