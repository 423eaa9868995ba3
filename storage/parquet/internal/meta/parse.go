package meta

import (
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// ParseFileMetaData reads a footer. Statistics share the memory of b.
func ParseFileMetaData(b []byte) (*FileMetaData, error) {
	d := &decoder{b: b}
	m := &FileMetaData{}
	d.structure(func(id int16, wire byte) bool {
		switch {
		case id == 1 && wire == wireI32:
			m.Version = d.i32()
		case id == 2 && wire == wireList:
			m.Schema = readList(d, 3, readSchemaElement)
		case id == 3 && wire == wireI64:
			m.NumRows = d.varint()
		case id == 4 && wire == wireList:
			m.RowGroups = readList(d, 5, readRowGroup)
		case id == 6 && wire == wireBinary:
			m.CreatedBy = d.string()
		case id == 7 && wire == wireList:
			m.ColumnOrders = readList(d, 2, readColumnOrder)
		case id == 8 && wire == wireStruct:
			m.Encrypted = true
			return false
		default:
			return false
		}
		return true
	}, 2, 3, 4)
	return m, d.err
}

// readList reads a list of structs. The slice grows with the input read, so
// that a wrong length costs nothing.
func readList[T any](d *decoder, least uint64, read func(*decoder, *T)) []T {
	n := d.list(wireStruct, least)
	out := make([]T, 0, min(n, 1024))
	for range n {
		var zero T
		out = append(out, zero)
		read(d, &out[len(out)-1])
		if d.err != nil {
			return nil
		}
	}
	return out
}

func readColumnOrder(d *decoder, order *int16) {
	d.structure(func(id int16, _ byte) bool {
		*order = id
		return false
	})
}

func readSchemaElement(d *decoder, e *SchemaElement) {
	e.Converted, e.Repetition = NoConverted, NoRepetition
	d.structure(func(id int16, wire byte) bool {
		if wire == wireI32 {
			return readSchemaInt(d, e, id)
		}
		switch {
		case id == 4 && wire == wireBinary:
			e.Name = d.string()
		case id == 10 && wire == wireStruct:
			readLogicalType(d, &e.Logical)
		default:
			return false
		}
		return true
	}, 4)
}

func readSchemaInt(d *decoder, e *SchemaElement, id int16) bool {
	v := d.i32()
	switch id {
	case 1:
		e.Type, e.HasType = format.Type(v), true
	case 2:
		e.TypeLength = v
	case 3:
		e.Repetition = format.FieldRepetitionType(v)
	case 5:
		e.NumChildren = v
	case 6:
		e.Converted = deprecated.ConvertedType(v)
	case 7:
		e.Scale = v
	case 8:
		e.Precision = v
	case 9:
		e.FieldID, e.HasFieldID = v, true
	}
	return true
}

func readLogicalType(d *decoder, t *LogicalType) {
	d.structure(func(member int16, wire byte) bool {
		t.Kind = LogicalKind(member)
		if wire != wireStruct {
			return false
		}
		d.structure(func(id int16, wire byte) bool {
			switch t.Kind {
			case LogicalDecimal:
				return readDecimal(d, t, id, wire)
			case LogicalTime, LogicalTimestamp:
				return readTime(d, t, id, wire)
			case LogicalInteger:
				return readInteger(d, t, id, wire)
			}
			return false
		})
		return true
	})
}

func readDecimal(d *decoder, t *LogicalType, id int16, wire byte) bool {
	switch {
	case id == 1 && wire == wireI32:
		t.Scale = d.i32()
	case id == 2 && wire == wireI32:
		t.Precision = d.i32()
	default:
		return false
	}
	return true
}

func readTime(d *decoder, t *LogicalType, id int16, wire byte) bool {
	switch {
	case id == 1 && (wire == wireTrue || wire == wireFalse):
		t.UTC = wire == wireTrue
	case id == 2 && wire == wireStruct:
		d.structure(func(unit int16, _ byte) bool {
			t.Unit = Unit(unit)
			return false
		})
	default:
		return false
	}
	return true
}

func readInteger(d *decoder, t *LogicalType, id int16, wire byte) bool {
	switch {
	case id == 1 && wire == wireByte:
		t.BitWidth = int8(d.byte())
	case id == 2 && (wire == wireTrue || wire == wireFalse):
		t.Signed = wire == wireTrue
	default:
		return false
	}
	return true
}

func readRowGroup(d *decoder, g *RowGroup) {
	d.structure(func(id int16, wire byte) bool {
		switch {
		case id == 1 && wire == wireList:
			g.Columns = readList(d, 12, readColumnChunk)
		case id == 2 && wire == wireI64:
			g.TotalByteSize = d.varint()
		case id == 3 && wire == wireI64:
			g.NumRows = d.varint()
		case id == 5 && wire == wireI64:
			g.FileOffset = d.varint()
		case id == 6 && wire == wireI64:
			g.TotalCompressedSize = d.varint()
		case id == 7 && wire == wireI16:
			g.Ordinal = int16(d.varint())
		default:
			return false
		}
		return true
	}, 1, 3)
}

func readColumnChunk(d *decoder, c *ColumnChunk) {
	d.structure(func(id int16, wire byte) bool {
		switch {
		case id == 1 && wire == wireBinary:
			c.FilePath = d.string()
		case id == 2 && wire == wireI64:
			c.FileOffset = d.varint()
		case id == 3 && wire == wireStruct:
			c.HasMetaData = true
			readColumnMetaData(d, c)
		case id == 4 && wire == wireI64:
			c.OffsetIndex.Offset = d.varint()
		case id == 5 && wire == wireI32:
			c.OffsetIndex.Length = d.i32()
		case id == 6 && wire == wireI64:
			c.ColumnIndex.Offset = d.varint()
		case id == 7 && wire == wireI32:
			c.ColumnIndex.Length = d.i32()
		case id == 8 && wire == wireStruct:
			c.Encrypted = true
			return false
		default:
			return false
		}
		return true
	})
}

func readColumnMetaData(d *decoder, c *ColumnChunk) {
	m := &c.MetaData
	m.Statistics.NullCount = -1
	d.structure(func(id int16, wire byte) bool {
		switch {
		case id == 1 && wire == wireI32:
			m.Type = format.Type(d.i32())
		case id == 2 && wire == wireList:
			m.Encodings = make([]format.Encoding, d.list(wireI32, 1))
			for i := range m.Encodings {
				m.Encodings[i] = format.Encoding(d.i32())
			}
		case id == 3 && wire == wireList:
			m.Path = make([]string, 0, 4)
			for range d.list(wireBinary, 1) {
				m.Path = append(m.Path, d.string())
			}
		case id == 4 && wire == wireI32:
			m.Codec = format.CompressionCodec(d.i32())
		case id == 12 && wire == wireStruct:
			readStatistics(d, &m.Statistics)
		case wire == wireI64:
			return readColumnLong(d, c, id)
		default:
			return false
		}
		return true
	}, 1, 4, 5, 7, 9)
}

func readColumnLong(d *decoder, c *ColumnChunk, id int16) bool {
	v := d.varint()
	switch id {
	case 5:
		c.MetaData.NumValues = v
	case 6:
		c.MetaData.TotalUncompressedSize = v
	case 7:
		c.MetaData.TotalCompressedSize = v
	case 9:
		c.MetaData.DataPageOffset = v
	case 11:
		c.MetaData.DictionaryPageOffset = v
	}
	return true
}

func readStatistics(d *decoder, s *Statistics) {
	d.structure(func(id int16, wire byte) bool {
		switch {
		case id == 1 && wire == wireBinary:
			s.Max = d.binary()
		case id == 2 && wire == wireBinary:
			s.Min = d.binary()
		case id == 3 && wire == wireI64:
			s.NullCount = d.varint()
		case id == 5 && wire == wireBinary:
			s.MaxValue = d.binary()
		case id == 6 && wire == wireBinary:
			s.MinValue = d.binary()
		case id == 7 && (wire == wireTrue || wire == wireFalse):
			s.MaxExact = wire == wireTrue
		case id == 8 && (wire == wireTrue || wire == wireFalse):
			s.MinExact = wire == wireTrue
		default:
			return false
		}
		return true
	})
}
