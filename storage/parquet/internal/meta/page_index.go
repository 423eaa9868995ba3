package meta

// PageLocation is where a page is (parquet.thrift, PageLocation).
type PageLocation struct {
	Offset         int64 // of the page's header in the file
	CompressedSize int32 // with the header
	FirstRow       int64 // in the row group
}

// ColumnIndex has the bounds of the pages of a chunk (PageIndex.md). The lists
// are of one length; NullCounts may be empty.
type ColumnIndex struct {
	NullPages  []bool
	Min, Max   [][]byte
	NullCounts []int64
}

// ParseOffsetIndex reads the locations of a chunk's pages.
func ParseOffsetIndex(b []byte) ([]PageLocation, error) {
	d := &decoder{b: b}
	var out []PageLocation
	d.structure(func(id int16, wire byte) bool {
		if id != 1 || wire != wireList {
			return false
		}
		out = readList(d, 7, readPageLocation)
		return true
	}, 1)
	return out, d.err
}

func readPageLocation(d *decoder, l *PageLocation) {
	d.structure(func(id int16, wire byte) bool {
		switch {
		case id == 1 && wire == wireI64:
			l.Offset = d.varint()
		case id == 2 && wire == wireI32:
			l.CompressedSize = d.i32()
		case id == 3 && wire == wireI64:
			l.FirstRow = d.varint()
		default:
			return false
		}
		return true
	}, 1, 2, 3)
}

// ParseColumnIndex reads the bounds of a chunk's pages; they share the memory
// of b.
func ParseColumnIndex(b []byte) (*ColumnIndex, error) {
	d := &decoder{b: b}
	x := &ColumnIndex{}
	d.structure(func(id int16, wire byte) bool {
		if wire != wireList {
			return false
		}
		switch id {
		case 1:
			x.NullPages = d.bools()
		case 2:
			x.Min = d.binaries()
		case 3:
			x.Max = d.binaries()
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
	if d.err == nil && (len(x.Min) != n || len(x.Max) != n || len(x.NullCounts) != n && len(x.NullCounts) != 0) {
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

// AppendOffsetIndex appends the locations of a chunk's pages to dst.
func AppendOffsetIndex(dst []byte, pages []PageLocation) []byte {
	e := &encoder{b: dst}
	e.element(func() {
		e.list(1, wireStruct, len(pages))
		for _, p := range pages {
			e.element(func() {
				e.i64(1, p.Offset)
				e.i32(2, p.CompressedSize)
				e.i64(3, p.FirstRow)
			})
		}
	})
	return e.b
}

// Append appends the index to dst, its bounds as without an order.
func (x *ColumnIndex) Append(dst []byte) []byte {
	e := &encoder{b: dst}
	e.element(func() {
		e.list(1, wireTrue, len(x.NullPages))
		for _, null := range x.NullPages {
			b := byte(wireFalse)
			if null {
				b = wireTrue
			}
			e.b = append(e.b, b)
		}
		for i, bounds := range [][][]byte{x.Min, x.Max} {
			e.list(int16(2+i), wireBinary, len(bounds))
			for _, b := range bounds {
				e.bytes(b)
			}
		}
		e.i32(4, 0) // BoundaryOrder UNORDERED
		e.list(5, wireI64, len(x.NullCounts))
		for _, n := range x.NullCounts {
			e.varint(n)
		}
	})
	return e.b
}
