// Package lru is a cache of the values used last, for footers, manifests and
// deleted rows.
//
//	footers := lru.New[string, *parquet.File](1024)
//	file, err := footers.Get(path, func() (*parquet.File, error) { return open(path) })
package lru
