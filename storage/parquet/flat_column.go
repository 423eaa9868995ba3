package parquet

import (
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// flatColumn reads a top-level column of a primitive type. Batches that lie in
// pages of dictionary codes come as codes and dictionary, others as values; a
// batch within one page of strings views that page.
type flatColumn struct {
	pages  *pages
	out    vector.Vector // the batch; its slices may belong to a page
	own    vector.Vector // memory for values
	codes  []int32
	valid  vector.Bitmap
	null   constantColumn
	picked picker

	// The batch being read:
	mode  flatMode
	dense int // values so far, NULLs left out
}

type flatMode uint8

const (
	flatEmpty  flatMode = iota // nothing but NULLs yet
	flatCodes                  // codes hold the values
	flatValues                 // own, or for bytes out, holds them
)

func newFlatColumn(p *pages) *flatColumn {
	c := &flatColumn{pages: p, null: *newNullColumn(p.want)}
	p.flat = true
	c.own.Type, c.out.Type = p.want, p.want
	return c
}

func (c *flatColumn) chunks() []*pages { return []*pages{c.pages} }

// read gives the next n rows.
func (c *flatColumn) read(n int) (*vector.Vector, error) {
	c.mode, c.dense = flatEmpty, 0
	if c.pages.leaf.maxDef > 0 {
		c.valid = resize(c.valid, (n+63)/64)
		clear(c.valid)
	}
	for row := 0; row < n; {
		k, err := c.nextRows(n - row)
		if err != nil {
			return nil, err
		}
		values := k
		if c.pages.leaf.maxDef > 0 {
			if values, err = c.pages.defs.Bits(c.valid, row, k); err != nil {
				return nil, c.pages.decodeError(err, "definition levels can't be read")
			}
		}
		if err := c.append(n, values, row+k == n); err != nil {
			return nil, err
		}
		if err := c.pages.pass(k); err != nil {
			return nil, err
		}
		row += k
	}
	return c.finish(n), nil
}

// nextRows opens the page that has the next rows and tells how many of n.
func (c *flatColumn) nextRows(n int) (int, error) {
	more, err := c.pages.advance()
	if err != nil {
		return 0, err
	}
	if !more {
		return 0, c.pages.corrupt(nil, "chunk has fewer values than its row group has rows")
	}
	return min(n, c.pages.n-c.pages.at), c.pages.open()
}

// append takes the next k values of the open page into a batch of n rows. Last
// tells that no other page follows in this batch.
func (c *flatColumn) append(n, k int, last bool) error {
	if k == 0 {
		return nil
	}
	if c.pages.form == formCodes && c.mode != flatValues && c.pages.want.Kind != types.Boolean {
		return c.appendCodes(n, k)
	}
	c.toValues(n)
	if c.pages.form == formCodes {
		if err := c.gatherCodes(k); err != nil {
			return err
		}
	} else if err := c.appendValues(k, last); err != nil {
		return err
	}
	c.dense += k
	return nil
}

func (c *flatColumn) appendCodes(n, k int) error {
	c.codes = resize(c.codes, max(n, vector.BatchRows))
	c.mode = flatCodes
	if err := c.pages.readCodes(c.codes[c.dense : c.dense+k]); err != nil {
		return err
	}
	c.dense += k
	return nil
}

// toValues leaves the code form: the batch has values that are not in the
// dictionary.
func (c *flatColumn) toValues(n int) {
	if c.mode == flatValues {
		return
	}
	codes := c.codes[:c.dense]
	if c.mode == flatEmpty {
		codes = nil
	}
	c.mode = flatValues
	c.own.Reset(n)
	c.out.Data = nil
	gatherInto(&c.own, 0, c.pages.dict, codes)
}

func (c *flatColumn) gatherCodes(k int) error {
	codes := resize(c.pages.scratch.Codes, k)
	c.pages.scratch.Codes = codes
	if err := c.pages.readCodes(codes); err != nil {
		return err
	}
	c.ownBytes()
	gatherInto(&c.own, c.dense, c.pages.dict, codes)
	return nil
}

// appendValues takes values of a page without codes.
func (c *flatColumn) appendValues(k int, last bool) error {
	src, from, err := c.pages.rawValues(k)
	if err != nil {
		return err
	}
	if c.pages.convert != nil {
		if err := c.pages.convert(&c.own, c.dense, src, from, k); err != nil {
			return c.pages.corrupt(err, "a value can't be read as %s", c.pages.want)
		}
		return nil
	}
	views := src.Views[from : from+k]
	if c.dense == 0 && last {
		copy(c.own.Views, views)
		c.out.Data = src.Data
		return nil
	}
	c.ownBytes()
	for i, v := range views {
		c.own.SetBytes(c.dense+i, src.Data[v.Offset:v.Offset+v.Length])
	}
	return nil
}

// ownBytes notes that the strings of the batch lie in memory of its own.
func (c *flatColumn) ownBytes() { c.out.Data = nil }

// finish spreads the values over the rows that are not NULL.
func (c *flatColumn) finish(n int) *vector.Vector {
	var valid vector.Bitmap
	if c.dense < n {
		valid = c.valid
	}
	switch c.mode {
	case flatEmpty:
		c.null.v.Len = n
		return &c.null.v
	case flatCodes:
		codes := c.codes[:n]
		if valid != nil {
			spread(codes, valid, c.dense)
		}
		c.out = vector.Vector{Type: c.pages.want, Form: vector.Dictionary, Len: n, Valid: valid, Codes: codes, Dict: c.pages.dict}
		return &c.out
	}
	data := c.out.Data
	if data == nil {
		data = c.own.Data
	}
	if valid != nil {
		spreadValues(&c.own, valid, c.dense)
	}
	own := c.own
	own.Data, own.Valid = data, valid
	c.out = own
	return &c.out
}

// pick gives some rows of the batch.
func (c *flatColumn) pick(sel vector.Selection) *vector.Vector {
	if c.mode == flatEmpty {
		return c.null.pick(sel)
	}
	return c.picked.pick(&c.out, sel)
}

// skip passes over rows; pages that it passes over whole are not unpacked.
func (c *flatColumn) skip(n int) error {
	for n > 0 {
		more, err := c.pages.advance()
		if err != nil {
			return err
		}
		if !more {
			return c.pages.corrupt(nil, "chunk has fewer values than its row group has rows")
		}
		k := min(n, c.pages.n-c.pages.at)
		if !c.pages.absent && (c.pages.opened || k < c.pages.n) {
			if err := c.skipRows(k); err != nil {
				return err
			}
		}
		if err := c.pages.pass(k); err != nil {
			return err
		}
		n -= k
	}
	return nil
}

func (c *flatColumn) skipRows(k int) error {
	if err := c.pages.open(); err != nil {
		return err
	}
	values := k
	if c.pages.leaf.maxDef > 0 {
		c.valid = resize(c.valid, (k+63)/64)
		clear(c.valid)
		var err error
		if values, err = c.pages.defs.Bits(c.valid, 0, k); err != nil {
			return c.pages.decodeError(err, "definition levels can't be read")
		}
	}
	return c.pages.skipValues(values)
}
