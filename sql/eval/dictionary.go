package eval

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// maxDictionaryEntries bounds the dictionaries whose every entry is computed:
// with more, most entries may never be met by a selected row.
const maxDictionaryEntries = 4 * vector.BatchRows

// dictionaryNode computes an expression of one column. Where the column comes
// as a dictionary vector, it computes the expression once per entry, keeps the
// results for as long as the same dictionary comes, and maps rows by code.
// Dictionaries are told apart by their address: a reader makes a new Vector
// for each dictionary it decodes.
type dictionaryNode struct {
	column  int
	strict  bool // NULL in the column gives NULL
	boolean bool
	rows    node // by row, for other forms and where an entry is an error
	entries node // an instance of its own, whose result is kept

	dict       *vector.Vector
	result     *vector.Vector // by entry; nil if computing them failed
	table      []uint8        // by entry, for Boolean results: 1 for true
	batch      vector.Batch
	out        vector.Vector
	filterRows filterNode
}

// singleColumn finds the only column of a deterministic expression that is
// more than the column itself.
func singleColumn(e expr.Expr) (int, bool) {
	switch e.(type) {
	case *expr.Column, *expr.Literal:
		return 0, false
	}
	if e.Type().IsNested() {
		return 0, false
	}
	index, ok := -1, true
	expr.Walk(e, func(n expr.Expr) bool {
		switch n := n.(type) {
		case *expr.Column:
			ok = ok && (index < 0 || index == n.Index) && !n.T.IsNested()
			index = n.Index
		case *expr.Call:
			f, known := lookup(n.Name)
			ok = ok && known && !f.Volatile
		}
		return ok
	})
	return index, ok && index >= 0
}

// isStrict reports whether e is NULL for every row where its column is NULL.
func isStrict(e expr.Expr) bool {
	switch e := e.(type) {
	case *expr.Column:
		return true
	case *expr.Cast:
		return isStrict(e.Arg)
	case *expr.Call:
		f, ok := lookup(e.Name)
		if !ok || !f.strict() {
			return false
		}
		for _, a := range e.Args {
			if isStrict(a) {
				return true // one NULL argument is enough
			}
		}
	}
	return false
}

func (c *compiler) compileDictionary(e expr.Expr, column int) (node, error) {
	// Inside a strict expression the shortcut has been taken as early as it can
	// be: its parts are compiled without.
	strict := isStrict(e)
	inner := *c
	inner.dictionaries = !strict
	rows, err := inner.compileNode(e)
	if err != nil {
		return nil, err
	}
	inner.dictionaries = false
	inner.sharing = nil // entries are another batch
	entries, err := inner.compileNode(e)
	if err != nil {
		return nil, err
	}
	n := &dictionaryNode{column: column, strict: strict, rows: rows, entries: entries, boolean: e.Type().Kind == types.Boolean}
	n.filterRows = asFilter(rows)
	n.batch.Columns = make([]*vector.Vector, column+1)
	return n, nil
}

// prepare reports whether rows can be mapped by code, and computes the entries
// if the dictionary is new.
func (d *dictionaryNode) prepare(b *vector.Batch) (*vector.Vector, bool) {
	if d.column >= len(b.Columns) {
		return nil, false
	}
	v := b.Columns[d.column]
	if v.Form != vector.Dictionary || v.Dict.Len == 0 || v.Dict.Len > maxDictionaryEntries || v.Valid != nil && !d.strict {
		return nil, false
	}
	if v.Dict != d.dict {
		d.compute(v.Dict)
	}
	return v, d.result != nil
}

// compute evaluates the expression for all entries. If one is an error, rows
// are computed one by one instead: a selected row may not use that entry.
func (d *dictionaryNode) compute(dict *vector.Vector) {
	d.batch.Columns[d.column] = dict
	d.batch.Len = dict.Len
	d.dict, d.result = dict, nil
	v, err := d.entries.eval(&d.batch, nil)
	if err != nil {
		return
	}
	if v.Form != vector.Flat { // a constant result: a dictionary has a flat one
		v = v.Flatten()
	}
	result := *v // a new address per dictionary, for who caches by it
	d.result = &result
	if !d.boolean {
		return
	}
	d.table = d.table[:0]
	for i := range dict.Len {
		d.table = append(d.table, uint8(truth(v.Valid.Valid(i) && v.Bools[i])))
	}
}

func (d *dictionaryNode) eval(b *vector.Batch, sel vector.Selection) (*vector.Vector, error) {
	v, ok := d.prepare(b)
	if !ok {
		return d.rows.eval(b, sel)
	}
	d.out = vector.Vector{Type: d.result.Type, Form: vector.Dictionary, Len: v.Len, Valid: v.Valid, Codes: v.Codes, Dict: d.result}
	return &d.out, nil
}

func (d *dictionaryNode) filter(b *vector.Batch, sel, out vector.Selection) (vector.Selection, error) {
	v, ok := d.prepare(b)
	if !ok {
		return d.filterRows.filter(b, sel, out)
	}
	k := 0
	table := d.table
	if sel == nil {
		for i, code := range v.Codes[:len(out)] {
			out[k] = int32(i)
			k += int(table[code])
		}
	} else {
		for _, i := range sel {
			out[k] = i
			k += int(table[v.Codes[i]])
		}
	}
	return dropNulls(v.Valid, out[:k]), nil
}
