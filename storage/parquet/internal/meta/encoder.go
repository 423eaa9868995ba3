package meta

import "encoding/binary"

// encoder writes the compact protocol.
type encoder struct {
	b    []byte
	last int16 // id of the field written before, in the struct at hand
}

func (e *encoder) uvarint(v uint64) { e.b = binary.AppendUvarint(e.b, v) }
func (e *encoder) varint(v int64)   { e.uvarint(uint64(v)<<1 ^ uint64(v>>63)) }

func (e *encoder) field(id int16, wire byte) {
	if delta := id - e.last; delta > 0 && delta < 16 {
		e.b = append(e.b, byte(delta)<<4|wire)
	} else {
		e.b = append(e.b, wire)
		e.varint(int64(id))
	}
	e.last = id
}

func (e *encoder) i32(id int16, v int32) {
	e.field(id, wireI32)
	e.varint(int64(v))
}

func (e *encoder) i64(id int16, v int64) {
	e.field(id, wireI64)
	e.varint(v)
}

func (e *encoder) bool(id int16, v bool) {
	if v {
		e.field(id, wireTrue)
	} else {
		e.field(id, wireFalse)
	}
}

func (e *encoder) i8(id int16, v int8) {
	e.field(id, wireByte)
	e.b = append(e.b, byte(v))
}

func (e *encoder) binary(id int16, v []byte) {
	e.field(id, wireBinary)
	e.bytes(v)
}

func (e *encoder) string(id int16, v string) { e.binary(id, []byte(v)) }

func (e *encoder) bytes(v []byte) {
	e.uvarint(uint64(len(v)))
	e.b = append(e.b, v...)
}

func (e *encoder) list(id int16, wire byte, n int) {
	e.field(id, wireList)
	if n < 15 {
		e.b = append(e.b, byte(n)<<4|wire)
		return
	}
	e.b = append(e.b, 0xf0|wire)
	e.uvarint(uint64(n))
}

// structure writes the fields of a struct that is the value of a field.
func (e *encoder) structure(id int16, fields func()) {
	e.field(id, wireStruct)
	e.element(fields)
}

// element writes a struct without a field header: an element of a list, or the
// outermost one.
func (e *encoder) element(fields func()) {
	outer := e.last
	e.last = 0
	fields()
	e.b = append(e.b, wireStop)
	e.last = outer
}
