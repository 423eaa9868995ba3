package meta

import "github.com/parquet-go/parquet-go/format"

// ParsePageHeader reads the page header that b starts with and tells how many
// bytes it has.
func ParsePageHeader(b []byte, h *PageHeader) (int, error) {
	d := decoder{b: b}
	*h = PageHeader{Compressed: true}
	d.pageHeader(h)
	return d.pos, d.err
}

// pageHeader is written without closures: it is read once per page, on the
// path that must not allocate.
func (d *decoder) pageHeader(h *PageHeader) {
	id, seen := int16(0), 0
	for d.err == nil {
		wire := d.fieldHeader(&id)
		if wire == wireStop {
			if seen&0b1110 != 0b1110 { // type and both sizes are required
				d.fail(errMalformed)
			}
			return
		}
		switch {
		case wire == wireI32 && id <= 4:
			v := d.i32()
			seen |= 1 << max(id, 0)
			switch id {
			case 1:
				h.Type = format.PageType(v)
			case 2:
				h.UncompressedSize = v
			case 3:
				h.CompressedSize = v
			case 4:
				h.CRC, h.HasCRC = uint32(v), true
			}
		case wire == wireStruct && (id == 5 && h.Type == format.DataPage || id == 7 && h.Type == format.DictionaryPage || id == 8 && h.Type == format.DataPageV2):
			h.HasBody = true
			d.pageBody(h)
		default:
			d.skip(wire)
		}
	}
}

func (d *decoder) fieldHeader(id *int16) byte {
	h := d.byte()
	if h&15 == wireStop {
		return wireStop
	}
	if delta := int16(h >> 4); delta != 0 {
		*id += delta
	} else {
		*id = int16(d.varint())
	}
	return h & 15
}

// pageBody reads the struct that belongs to the page's type.
func (d *decoder) pageBody(h *PageHeader) {
	id, seen, want := int16(0), 0, 0b11110
	switch h.Type {
	case format.DictionaryPage:
		want = 0b110
	case format.DataPageV2:
		want = 0b1111110
	}
	for d.err == nil {
		wire := d.fieldHeader(&id)
		switch {
		case wire == wireStop:
			if seen&want != want {
				d.fail(errMalformed)
			}
			return
		case wire == wireI32:
			seen |= 1 << (id & 15)
			d.pageField(h, id, d.i32())
		case id == 7 && h.Type == format.DataPageV2 && (wire == wireTrue || wire == wireFalse):
			h.Compressed = wire == wireTrue
		default:
			d.skip(wire)
		}
	}
}

func (d *decoder) pageField(h *PageHeader, id int16, v int32) {
	if id == 1 {
		h.NumValues = v
		return
	}
	if h.Type != format.DataPageV2 {
		switch id {
		case 2:
			h.Encoding = format.Encoding(v)
		case 3:
			h.DefEncoding = format.Encoding(v)
		case 4:
			h.RepEncoding = format.Encoding(v)
		}
		return
	}
	switch id {
	case 2:
		h.NumNulls = v
	case 3:
		h.NumRows = v
	case 4:
		h.Encoding = format.Encoding(v)
	case 5:
		h.DefBytes = v
	case 6:
		h.RepBytes = v
	}
}
