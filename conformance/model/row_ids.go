package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// hasRowIDs tells whether rows have ids, which stay when they are changed.
func (c config) hasRowIDs() bool {
	return c.format == "iceberg" && strings.Contains(c.properties, "'format-version' = '3'")
}

// rowIDs reads the ids of the rows by key; NULL are those of rows that the
// transaction has written itself.
func (m *machine) rowIDs(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	if !m.config.hasRowIDs() {
		return out, nil
	}
	lines, err := readLines(ctx, m.conn, "SELECT a, b, _metadata.row_id FROM t")
	for _, l := range lines {
		last := strings.LastIndexByte(l, '|')
		out[l[:last]] = l[last+1:]
	}
	return out, err
}

// compareIDs checks that a statement has left the rows their ids. Those that take
// rows away by key know no ids to keep.
func (m *machine) compareIDs(ctx context.Context, text string, before map[string]string) error {
	after, err := m.rowIDs(ctx)
	if err != nil {
		return err
	}
	ids := slices.DeleteFunc(slices.Sorted(maps.Values(after)), func(id string) bool { return id == null })
	if len(slices.Compact(slices.Clone(ids))) != len(ids) {
		return fmt.Errorf("%s: row ids are given twice: %q", text, ids)
	}
	if strings.HasPrefix(text, "UPSERT") || strings.HasPrefix(text, "APPLY") {
		return nil
	}
	for key, id := range before {
		if now, ok := after[key]; ok && now != id {
			return fmt.Errorf("%s: the row of key %s has id %s, not %s", text, key, now, id)
		}
	}
	if had, has := slices.Sorted(maps.Values(before)), slices.Sorted(maps.Values(after)); strings.HasPrefix(text, "UPDATE") && !slices.Equal(had, has) {
		return fmt.Errorf("%s: row ids are %q, not %q", text, has, had)
	}
	return nil
}
