package meta

import (
	"encoding/binary"
	"errors"
	"math"
)

// Wire types of the compact protocol (Thrift, "Compact protocol").
const (
	wireStop   = 0
	wireTrue   = 1
	wireFalse  = 2
	wireByte   = 3
	wireI16    = 4
	wireI32    = 5
	wireI64    = 6
	wireDouble = 7
	wireBinary = 8
	wireList   = 9
	wireSet    = 10
	wireMap    = 11
	wireStruct = 12
)

// maxDepth bounds how deep structs may nest; the footer's go five deep.
const maxDepth = 32

var errTruncated = errors.New("metadata ends early")
var errMalformed = errors.New("metadata is malformed")

// decoder reads the compact protocol. Its first error sticks, and from then on
// it gives zeros, so that callers check once at the end.
type decoder struct {
	b     []byte
	pos   int
	depth int
	err   error
}

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
	d.pos = len(d.b)
}

func (d *decoder) byte() byte {
	if d.pos >= len(d.b) {
		d.fail(errTruncated)
		return 0
	}
	d.pos++
	return d.b[d.pos-1]
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.b[d.pos:])
	if n <= 0 {
		d.fail(errTruncated)
		return 0
	}
	d.pos += n
	return v
}

func (d *decoder) varint() int64 {
	u := d.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

func (d *decoder) i32() int32 {
	v := d.varint()
	if v < math.MinInt32 || v > math.MaxInt32 {
		d.fail(errMalformed)
		return 0
	}
	return int32(v)
}

// binary gives bytes of the input, not a copy.
func (d *decoder) binary() []byte {
	n := d.uvarint()
	if n > uint64(len(d.b)-d.pos) {
		d.fail(errTruncated)
		return nil
	}
	d.pos += int(n)
	return d.b[d.pos-int(n) : d.pos : d.pos]
}

func (d *decoder) string() string { return string(d.binary()) }

// list reads the header of a list whose elements have the wire type and take
// at least least bytes each, which bounds the length.
func (d *decoder) list(wire byte, least uint64) int {
	h := d.byte()
	n := uint64(h >> 4)
	if n == 15 {
		n = d.uvarint()
	}
	if n > uint64(len(d.b)-d.pos)/least || h&15 != wire && n > 0 {
		d.fail(errMalformed)
		return 0
	}
	return int(n)
}

// structure calls field for each field of a struct, which reads its value or
// answers false to have it skipped. Fields that are required and were not
// read make the struct malformed: a zero in their place could cost rows.
func (d *decoder) structure(field func(id int16, wire byte) bool, required ...int16) {
	var seen uint64
	if d.depth++; d.depth > maxDepth {
		d.fail(errMalformed)
	}
	id := int16(0)
	for d.err == nil {
		wire := d.fieldHeader(&id)
		if wire == wireStop {
			break
		}
		if !field(id, wire) {
			d.skip(wire)
		} else if id > 0 && id < 64 {
			seen |= 1 << id
		}
	}
	for _, id := range required {
		if seen>>id&1 == 0 {
			d.fail(errMalformed)
		}
	}
	d.depth--
}

func (d *decoder) skip(wire byte) {
	switch wire {
	case wireTrue, wireFalse:
	case wireByte:
		d.byte()
	case wireI16, wireI32, wireI64:
		d.uvarint()
	case wireDouble:
		d.skipBytes(8)
	case wireBinary:
		d.binary()
	case wireList, wireSet:
		d.skipList()
	case wireMap:
		d.skipMap()
	case wireStruct:
		d.structure(func(int16, byte) bool { return false })
	default:
		d.fail(errMalformed)
	}
}

func (d *decoder) skipBytes(n int) {
	if n > len(d.b)-d.pos {
		d.fail(errTruncated)
		return
	}
	d.pos += n
}

// skipElement skips a value in a list, where a Boolean takes a byte.
func (d *decoder) skipElement(wire byte) {
	if wire == wireTrue || wire == wireFalse {
		d.byte()
		return
	}
	if d.depth++; d.depth > maxDepth {
		d.fail(errMalformed)
	}
	d.skip(wire)
	d.depth--
}

func (d *decoder) skipList() {
	h := d.byte()
	n := uint64(h >> 4)
	if n == 15 {
		n = d.uvarint()
	}
	for ; n > 0 && d.err == nil; n-- {
		d.skipElement(h & 15)
	}
}

func (d *decoder) skipMap() {
	n := d.uvarint()
	if n == 0 {
		return
	}
	h := d.byte()
	for ; n > 0 && d.err == nil; n-- {
		d.skipElement(h >> 4)
		d.skipElement(h & 15)
	}
}
