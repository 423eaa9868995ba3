//go:build unix

package object

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// maxOpenFiles is how many files a FileStore keeps open for reading.
const maxOpenFiles = 128

// syncDir accepts a file system that has no such call (some FUSE and network
// ones answer EINVAL or ENOTSUP): there it is the server that decides.
func (osFileSystem) syncDir(name string) error {
	dir, err := os.Open(name)
	if err != nil {
		return err
	}
	err = dir.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, dir.Close())
}

// lacksHardLinks reports whether link failed because the file system has none:
// FAT answers EPERM, others ENOTSUP or ENOSYS, bind mounts EXDEV, Android's
// sandbox EACCES.
func lacksHardLinks(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EPERM) ||
		errors.Is(err, syscall.EXDEV) || errors.Is(err, syscall.EACCES)
}

// isNotObject reports whether an error of open or read means that a path leads
// to no file: through a file, or to a directory.
func isNotObject(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EISDIR)
}

// localPath turns a store's path into one of the operating system's.
func localPath(root, path string) (string, error) {
	return filepath.Join(root, path), nil
}
