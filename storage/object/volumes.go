package object

import (
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// Volumes finds the stores of files that are named by absolute local paths. The
// zero value is ready; it is safe for concurrent use.
type Volumes struct {
	mu     sync.Mutex
	stores map[string]*FileStore // by the volume's root, guarded by mu
}

// Resolve gives the store of a whole local volume and the path in it of an
// absolute path with slashes.
func (v *Volumes) Resolve(absolute string) (Store, string, error) {
	local := path.Clean(absolute)
	if runtime.GOOS == "windows" && len(local) > 2 && local[2] == ':' {
		local = local[1:] // "/C:/lake"
	}
	volume := filepath.VolumeName(filepath.FromSlash(local)) + string(filepath.Separator)
	below := strings.TrimPrefix(filepath.ToSlash(local), filepath.ToSlash(volume))
	if err := ValidatePath(below); err != nil {
		return nil, "", err
	}
	if below == "" {
		return nil, "", ErrInvalidPath
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if s, ok := v.stores[volume]; ok {
		return s, below, nil
	}
	s, err := NewFileStore(volume)
	if err != nil {
		return nil, "", err
	}
	if v.stores == nil {
		v.stores = map[string]*FileStore{}
	}
	v.stores[volume] = s
	return s, below, nil
}
