package object

import (
	"io"
	"os"
)

// fileSystem is the part of the operating system that decides what survives a
// crash. It is an interface so that tests can see the order of its calls and
// make them fail.
type fileSystem interface {
	// create makes a new file and fails where there is one.
	create(name string) (syncFile, error)
	mkdir(name string) error
	remove(name string) error

	// rename moves a file and replaces the target.
	rename(from, to string) error

	// link gives a file a second name and fails where there is one.
	link(from, to string) error

	// renameExclusive moves a file and fails with fs.ErrExist where the target
	// exists, with errors.ErrUnsupported where the system has no such call.
	renameExclusive(from, to string) error

	// syncDir makes the entries of a directory durable, on systems that ask
	// for it.
	syncDir(name string) error
}

// syncFile is a file being written.
type syncFile interface {
	io.WriteCloser
	Sync() error
}

// osFileSystem is the real one. Its other methods differ by platform.
type osFileSystem struct{}

func (osFileSystem) create(name string) (syncFile, error) {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	return file, nil
}

func (osFileSystem) mkdir(name string) error      { return os.Mkdir(name, 0o777) }
func (osFileSystem) remove(name string) error     { return os.Remove(name) }
func (osFileSystem) rename(from, to string) error { return os.Rename(from, to) }
func (osFileSystem) link(from, to string) error   { return os.Link(from, to) }
