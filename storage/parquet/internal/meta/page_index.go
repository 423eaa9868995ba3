package meta

import "github.com/parquet-go/parquet-go/format"

// ParseOffsetIndex reads the locations of a chunk's pages.
func ParseOffsetIndex(b []byte) ([]format.PageLocation, error) {
	d := &decoder{b: b}
	var out []format.PageLocation
	d.structure(func(id int16, wire byte) bool {
		if id != 1 || wire != wireList {
			return false
		}
		out = readList(d, 7, readPageLocation)
		return true
	}, 1)
	return out, d.err
}

func readPageLocation(d *decoder, l *format.PageLocation) {
	d.structure(func(id int16, wire byte) bool {
		switch {
		case id == 1 && wire == wireI64:
			l.Offset = d.varint()
		case id == 2 && wire == wireI32:
			l.CompressedPageSize = d.i32()
		case id == 3 && wire == wireI64:
			l.FirstRowIndex = d.varint()
		default:
			return false
		}
		return true
	}, 1, 2, 3)
}

// ParseColumnIndex reads the bounds of a chunk's pages; they share the memory
// of b. The lists that it gives are of one length; NullCounts may be empty.
func ParseColumnIndex(b []byte) (*format.ColumnIndex, error) {
	d := &decoder{b: b}
	x := &format.ColumnIndex{}
	d.structure(func(id int16, wire byte) bool {
		if wire != wireList {
			return false
		}
		switch id {
		case 1:
			x.NullPages = d.bools()
		case 2:
			x.MinValues = d.binaries()
		case 3:
			x.MaxValues = d.binaries()
		case 5:
			for range d.list(wireI64, 1) {
				x.NullCounts = append(x.NullCounts, d.varint())
			}
		default:
			return false
		}
		return true
	}, 1, 2, 3)
	n := len(x.NullPages)
	if d.err == nil && (len(x.MinValues) != n || len(x.MaxValues) != n || len(x.NullCounts) != n && len(x.NullCounts) != 0) {
		d.err = errMalformed
	}
	return x, d.err
}

// bools reads a list of Booleans, which writers give either wire type.
func (d *decoder) bools() []bool {
	wire := byte(wireTrue)
	if d.pos < len(d.b) {
		wire = d.b[d.pos] & 15
	}
	if wire != wireTrue && wire != wireFalse {
		d.fail(errMalformed)
		return nil
	}
	out := make([]bool, d.list(wire, 1))
	for i := range out {
		out[i] = d.byte() == wireTrue
	}
	return out
}

func (d *decoder) binaries() [][]byte {
	out := make([][]byte, 0, 16)
	for range d.list(wireBinary, 1) {
		out = append(out, d.binary())
	}
	return out
}
