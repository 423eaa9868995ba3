package parquet

import (
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// column gives the values of one wanted column, row group by row group. Of the
// rows of a row group each is either read or skipped, in order. What read and
// pick give is valid until the next call.
type column interface {
	// chunks lists what has to be fetched of a row group.
	chunks() []*pages
	// read gives the next n rows.
	read(n int) (*vector.Vector, error)
	// pick gives some rows of what read gave last.
	pick(sel vector.Selection) *vector.Vector
	// skip passes over the next n rows.
	skip(n int) error
}

// constantColumn has one value for all rows: a partition value, or NULL for a
// column that the file doesn't have.
type constantColumn struct {
	v vector.Vector
}

func newConstantColumn(v *vector.Vector) *constantColumn {
	c := &constantColumn{v: *v}
	if v.Form != vector.Constant {
		c.v = *v.Flatten().Slice(0, 1)
		c.v.Form = vector.Constant
	}
	return c
}

func newNullColumn(t types.Type) *constantColumn {
	return newConstantColumn(vector.NewNull(t, 1))
}

func (c *constantColumn) chunks() []*pages { return nil }
func (c *constantColumn) skip(int) error   { return nil }

func (c *constantColumn) read(n int) (*vector.Vector, error) {
	c.v.Len = n
	return &c.v, nil
}

func (c *constantColumn) pick(sel vector.Selection) *vector.Vector {
	c.v.Len = len(sel)
	return &c.v
}
