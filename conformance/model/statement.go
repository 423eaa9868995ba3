package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// change is a statement, and what it does to the model.
type change struct {
	sql  string
	rows rows // afterwards
	n    int64
}

// values is a list of rows for VALUES, with further values behind the columns.
func values(list []entry) string {
	out := make([]string, len(list))
	for i, e := range list {
		cells := []string{strconv.Itoa(e.key.a), e.key.b, e.row.v, e.row.s, e.row.day}
		out[i] = "(" + strings.Join(append(cells, e.more...), ", ") + ")"
	}
	return strings.Join(out, ", ")
}

// entry is a row with its key, and further columns of a source.
type entry struct {
	key  key
	row  row
	more []string
}

// typedValues is a query of rows whose columns have the table's types, also where
// all are NULL.
func typedValues(list []entry, more ...string) string {
	return fmt.Sprintf("SELECT CAST(a AS INT) a, CAST(b AS STRING) b, CAST(v AS BIGINT) v, CAST(s AS STRING) s, CAST(day AS DATE) day%s FROM (VALUES %s) x(a, b, v, s, day%s)",
		columnList(more), values(list), columnList(more))
}

func columnList(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ", " + strings.Join(names, ", ")
}

// entries makes up to most rows; keys may come twice.
func (g *generator) entries(most int) []entry {
	out := make([]entry, 1+g.IntN(most))
	for i := range out {
		out[i] = entry{key: g.key(), row: g.row()}
	}
	return out
}

// distinct drops rows whose key an earlier one has, or that the model has.
func distinct(list []entry, without rows) []entry {
	seen := map[key]bool{}
	return slices.DeleteFunc(list, func(e entry) bool {
		_, had := without[e.key]
		drop := seen[e.key] || had
		seen[e.key] = true
		return drop
	})
}

// changes are the kinds of statements that change rows, as often as they are in
// the list.
var changes = []func(*generator, rows) change{
	insert, insert, insert, insertSelect, upsert, upsert, upsert, upsertSelect, applyChanges, applyChanges, update, update, updateKey, remove, remove, removeKey, removeKey,
	merge, merge, mergeBySource,
}

func insert(g *generator, r rows) change {
	list := distinct(g.entries(8), r)
	if len(list) == 0 {
		return update(g, r)
	}
	for _, e := range list {
		r[e.key] = e.row
	}
	return change{"INSERT INTO t VALUES " + values(list), r, int64(len(list))}
}

// insertSelect copies rows to keys beyond those that other statements make.
func insertSelect(g *generator, r rows) change {
	c, shift := g.someCondition(), mostA*(1+g.IntN(2))
	c = c.and(condition{fmt.Sprintf("a < %d", mostA), func(k key, _ row) bool { return k.a < mostA }})
	c = c.and(condition{fmt.Sprintf("NOT EXISTS (SELECT 1 FROM t o WHERE o.a = t.a + %d AND o.b <=> t.b)", shift), func(k key, _ row) bool {
		_, had := r[key{k.a + shift, k.b}]
		return !had
	}})
	n := int64(0)
	for _, k := range r.keys() {
		if c.holds(k, r[k]) {
			r[key{k.a + shift, k.b}] = r[k]
			n++
		}
	}
	return change{fmt.Sprintf("INSERT INTO t SELECT a + %d, b, v, s, day FROM t WHERE %s", shift, c.sql), r, n}
}

func upsert(g *generator, r rows) change {
	list := g.entries(10)
	for _, e := range list {
		r[e.key] = e.row
	}
	return change{"UPSERT INTO t KEYS (a, b) VALUES " + values(list), r, int64(len(list))}
}

// upsertSelect reads the table that it changes.
func upsertSelect(g *generator, r rows) change {
	c, s := g.someCondition(), g.row().s
	n := int64(0)
	for k, v := range r {
		if c.holds(k, v) {
			v.s = s
			r[k] = v
			n++
		}
	}
	return change{fmt.Sprintf("UPSERT INTO t KEYS (b, a) SELECT a, b, v, CAST(%s AS STRING), day FROM t WHERE %s", s, c.sql), r, n}
}

func applyChanges(g *generator, r rows) change {
	list := g.entries(12)
	last := map[key]int{}
	for i := range list {
		sequence, op := g.IntN(1000)*len(list)+i, pick(g, []string{"'u'", "'u'", "'d'", null})
		list[i].more = []string{op, strconv.Itoa(sequence)}
		k := list[i].key
		if sequence < last[k] {
			continue
		}
		last[k] = sequence
		if delete(r, k); op != "'d'" {
			r[k] = list[i].row
		}
	}
	sql := "APPLY CHANGES INTO t FROM (" + typedValues(list, "op", "seq") + ") KEYS (a, b) DELETE WHEN op = 'd' SEQUENCE BY seq"
	return change{sql, r, int64(len(last))}
}

func update(g *generator, r rows) change {
	c, day, n := g.someCondition(), g.day(), int64(0)
	for k, v := range r {
		if !c.holds(k, v) {
			continue
		}
		if old, ok := number(v.v); ok {
			v.v = strconv.FormatInt(old+1, 10)
		}
		v.day = day
		r[k] = v
		n++
	}
	return change{fmt.Sprintf("UPDATE t SET v = v + 1, day = CAST(%s AS DATE) WHERE %s", day, c.sql), r, n}
}

// updateKey moves rows to keys that no other rows have.
func updateKey(g *generator, r rows) change {
	c, by := g.someCondition(), 1000*(1+g.IntN(5))
	moved := rows{}
	for k, v := range r {
		if _, taken := r[key{k.a + by, k.b}]; taken {
			return update(g, r)
		}
		if c.holds(k, v) {
			moved[k] = v
		}
	}
	for k, v := range moved {
		delete(r, k)
		r[key{k.a + by, k.b}] = v
	}
	return change{fmt.Sprintf("UPDATE t SET a = a + %d WHERE %s", by, c.sql), r, int64(len(moved))}
}

func remove(g *generator, r rows) change {
	c, n := g.someCondition(), int64(0)
	for k, v := range r {
		if c.holds(k, v) {
			delete(r, k)
			n++
		}
	}
	return change{"DELETE FROM t WHERE " + c.sql, r, n}
}

// removeKey may be done without reading.
func removeKey(g *generator, r rows) change {
	k, n := g.key(), int64(0)
	if keys := r.keys(); len(keys) > 0 && g.IntN(4) > 0 {
		k = pick(g, keys)
	}
	if _, had := r[k]; had {
		n = 1
	}
	delete(r, k)
	return change{"DELETE FROM t WHERE " + ofKey(k).sql, r, n}
}

func merge(g *generator, r rows) change {
	list, before, n := distinct(g.entries(12), nil), r.clone(), int64(0)
	for _, e := range list {
		old, had := before[e.key]
		v, ok := number(old.v)
		switch {
		case had && ok && v < 0:
			delete(r, e.key)
		case had:
			old.v, old.s = e.row.v, e.row.s
			r[e.key] = old
		default:
			r[e.key] = e.row
		}
		n++
	}
	return change{"MERGE INTO t USING (" + typedValues(list) + ") n ON t.a = n.a AND t.b <=> n.b WHEN MATCHED AND t.v < 0 THEN DELETE " +
		"WHEN MATCHED THEN UPDATE SET v = n.v, s = n.s WHEN NOT MATCHED THEN INSERT *", r, n}
}

// mergeBySource changes rows that have no partner.
func mergeBySource(g *generator, r rows) change {
	list, c, n := distinct(g.entries(12), nil), g.someCondition(), int64(0)
	source := map[key]bool{}
	for _, e := range list {
		source[e.key] = true
		if _, had := r[e.key]; !had {
			r[e.key] = e.row
			n++
		}
	}
	for k, v := range r {
		if c.holds(k, v) && !source[k] {
			delete(r, k)
			n++
		}
	}
	return change{"MERGE INTO t USING (" + typedValues(list) + ") n ON t.a = n.a AND t.b <=> n.b WHEN NOT MATCHED THEN INSERT * " +
		"WHEN NOT MATCHED BY SOURCE AND " + c.sql + " THEN DELETE", r, n}
}
