package meta

// Append appends the footer to dst.
func (m *FileMetaData) Append(dst []byte) []byte {
	e := &encoder{b: dst}
	e.element(func() {
		e.i32(1, m.Version)
		e.list(2, wireStruct, len(m.Schema))
		for i := range m.Schema {
			e.element(func() { m.Schema[i].append(e, i == 0) })
		}
		e.i64(3, m.NumRows)
		e.list(4, wireStruct, len(m.RowGroups))
		for i := range m.RowGroups {
			e.element(func() { m.RowGroups[i].append(e) })
		}
		if len(m.KeyValues) > 0 {
			e.list(5, wireStruct, len(m.KeyValues))
			for _, kv := range m.KeyValues {
				e.element(func() {
					e.string(1, kv.Key)
					e.string(2, kv.Value)
				})
			}
		}
		e.string(6, m.CreatedBy)
		e.list(7, wireStruct, len(m.ColumnOrders))
		for _, order := range m.ColumnOrders {
			e.element(func() { e.structure(order, func() {}) })
		}
	})
	return e.b
}

func (s *SchemaElement) append(e *encoder, root bool) {
	if s.HasType {
		e.i32(1, int32(s.Type))
		if s.Type == FixedLenByteArray {
			e.i32(2, s.TypeLength)
		}
	}
	if !root {
		e.i32(3, int32(s.Repetition))
	}
	e.string(4, s.Name)
	if !s.HasType {
		e.i32(5, s.NumChildren)
	}
	if s.Converted != NoConverted {
		e.i32(6, int32(s.Converted))
	}
	if s.Converted == ConvertedDecimal {
		e.i32(7, s.Scale)
		e.i32(8, s.Precision)
	}
	if s.HasFieldID {
		e.i32(9, s.FieldID)
	}
	if s.Logical.Kind != NoLogical {
		e.structure(10, func() { s.Logical.append(e) })
	}
}

func (t *LogicalType) append(e *encoder) {
	e.structure(int16(t.Kind), func() {
		switch t.Kind {
		case LogicalDecimal:
			e.i32(1, t.Scale)
			e.i32(2, t.Precision)
		case LogicalTime, LogicalTimestamp:
			e.bool(1, t.UTC)
			e.structure(2, func() { e.structure(int16(t.Unit), func() {}) })
		case LogicalInteger:
			e.i8(1, t.BitWidth)
			e.bool(2, t.Signed)
		}
	})
}

func (g *RowGroup) append(e *encoder) {
	e.list(1, wireStruct, len(g.Columns))
	for i := range g.Columns {
		e.element(func() { g.Columns[i].append(e) })
	}
	e.i64(2, g.TotalByteSize)
	e.i64(3, g.NumRows)
	e.i64(5, g.FileOffset)
	e.i64(6, g.TotalCompressedSize)
	e.field(7, wireI16)
	e.varint(int64(g.Ordinal))
}

func (c *ColumnChunk) append(e *encoder) {
	e.i64(2, c.FileOffset)
	e.structure(3, func() { c.MetaData.append(e) })
	if c.OffsetIndex.Length > 0 {
		e.i64(4, c.OffsetIndex.Offset)
		e.i32(5, c.OffsetIndex.Length)
	}
	if c.ColumnIndex.Length > 0 {
		e.i64(6, c.ColumnIndex.Offset)
		e.i32(7, c.ColumnIndex.Length)
	}
}

func (m *ColumnMetaData) append(e *encoder) {
	e.i32(1, int32(m.Type))
	e.list(2, wireI32, len(m.Encodings))
	for _, v := range m.Encodings {
		e.varint(int64(v))
	}
	e.list(3, wireBinary, len(m.Path))
	for _, p := range m.Path {
		e.bytes([]byte(p))
	}
	e.i32(4, int32(m.Codec))
	e.i64(5, m.NumValues)
	e.i64(6, m.TotalUncompressedSize)
	e.i64(7, m.TotalCompressedSize)
	e.i64(9, m.DataPageOffset)
	if m.DictionaryPageOffset > 0 {
		e.i64(11, m.DictionaryPageOffset)
	}
	e.structure(12, func() { m.Statistics.append(e) })
}

func (s *Statistics) append(e *encoder) {
	if s.Max != nil {
		e.binary(1, s.Max)
	}
	if s.Min != nil {
		e.binary(2, s.Min)
	}
	if s.NullCount >= 0 {
		e.i64(3, s.NullCount)
	}
	if s.MaxValue != nil {
		e.binary(5, s.MaxValue)
	}
	if s.MinValue != nil {
		e.binary(6, s.MinValue)
	}
	if s.MaxValue != nil {
		e.bool(7, s.MaxExact)
	}
	if s.MinValue != nil {
		e.bool(8, s.MinExact)
	}
}
