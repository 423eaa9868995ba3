//go:build unix && !linux && !darwin

package object

import "errors"

func (osFileSystem) renameExclusive(string, string) error { return errors.ErrUnsupported }
