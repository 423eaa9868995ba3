package object

import (
	"context"
	"iter"
	"slices"
	"strings"
)

// listPage is how many objects a listing reads under the lock at a time.
const listPage = 1000

// ListFrom implements Store.
func (m *Memory) ListFrom(ctx context.Context, dir, start string) iter.Seq2[Info, error] {
	return m.list(ctx, OpListFrom, dir, start, m.objects.children(joinPath(dir, "")+start))
}

// List implements Store.
func (m *Memory) List(ctx context.Context, dir string) iter.Seq2[Info, error] {
	return m.list(ctx, OpList, dir, "", m.objects.descendants)
}

// pager returns up to listPage objects below a prefix whose paths are from or
// follow it, and the path to go on from, "" at the end.
type pager func(prefix, from string) (page []Info, next string)

func (m *Memory) list(ctx context.Context, op Op, dir, start string, pages pager) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		if err := m.beginDir(ctx, op, dir); err != nil {
			yield(Info{}, err)
			return
		}
		prefix := joinPath(dir, "")
		for from := prefix + start; ; {
			page, next := pages(prefix, from)
			for _, info := range page {
				if err := ctx.Err(); err != nil {
					yield(Info{}, opError(op, dir, err))
					return
				}
				if !yield(info, nil) {
					return
				}
			}
			if next == "" {
				return
			}
			from = next
		}
	}
}

func (m *Memory) beginDir(ctx context.Context, op Op, dir string) error {
	if m.closed.Load() {
		return causeError(op, dir, ErrIO, errDone)
	}
	return beginDir(ctx, op, dir)
}

// descendants pages through all objects below a prefix.
func (o *memoryObjects) descendants(prefix, from string) (page []Info, next string) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	o.byPath.AscendGreaterOrEqual(memoryObject{path: from}, func(found memoryObject) bool {
		switch {
		case !strings.HasPrefix(found.path, prefix):
			return false
		case len(page) == listPage:
			next = found.path
			return false
		}
		page = append(page, found.info())
		return true
	})
	return page, next
}

// children pages through the objects and directories directly below a prefix
// that are called start or later. It steps over a directory, however large, in
// one search.
func (o *memoryObjects) children(start string) pager {
	return func(prefix, from string) (page []Info, next string) {
		o.mu.RLock()
		defer o.mu.RUnlock()
		for more := true; more; {
			more = false
			o.byPath.AscendGreaterOrEqual(memoryObject{path: from}, func(found memoryObject) bool {
				rest, ok := strings.CutPrefix(found.path, prefix)
				if !ok {
					return false
				}
				if len(page) == listPage {
					next = found.path
					return false
				}
				name, _, isBelow := strings.Cut(rest, "/")
				if !isBelow {
					page = append(page, found.info())
					return true
				}
				if dir := prefix + name; dir >= start {
					page = append(page, Info{Path: dir, IsDir: true})
				}
				from, more = afterDir(prefix+name), true
				return false
			})
		}
		return page, next
	}
}

// afterDir returns the least string that follows all paths below a directory.
func afterDir(dir string) string { return dir + string(rune('/'+1)) }

// ListDirs implements Store.
func (m *Memory) ListDirs(ctx context.Context, dir string) ([]string, error) {
	if err := m.beginDir(ctx, OpListDirs, dir); err != nil {
		return nil, err
	}
	prefix := joinPath(dir, "")
	var names []string
	m.objects.mu.RLock()
	defer m.objects.mu.RUnlock()
	for from, more := prefix, true; more; {
		more = false
		m.objects.byPath.AscendGreaterOrEqual(memoryObject{path: from}, func(found memoryObject) bool {
			rest, ok := strings.CutPrefix(found.path, prefix)
			if !ok {
				return false
			}
			if name, _, isBelow := strings.Cut(rest, "/"); isBelow {
				names = append(names, name)
				from, more = afterDir(prefix+name), true
				return false
			}
			return true
		})
	}
	slices.Sort(names) // the tree's order is that of paths, "a-b/" before "a/"
	return names, nil
}
