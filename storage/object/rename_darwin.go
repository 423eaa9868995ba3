package object

import "golang.org/x/sys/unix"

func (osFileSystem) renameExclusive(from, to string) error {
	return unix.RenamexNp(from, to, unix.RENAME_EXCL)
}
