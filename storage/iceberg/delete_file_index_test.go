package iceberg

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

// indexMetadata is a table with column 1, a BIGINT, and column 2, a DOUBLE, an
// unpartitioned spec 0, spec 1 by column 1 and spec 2 by column 2.
func indexMetadata() *TableMetadata {
	by := func(id int, source types.FieldID) *PartitionSpec {
		return &PartitionSpec{ID: id, Fields: []PartitionField{{SourceIDs: []types.FieldID{source}, ID: 1000 + id, Name: "p", Transform: parseTransform("identity")}}}
	}
	schema := &Schema{Schema: types.Schema{Fields: []types.Field{
		{ID: 1, Name: "k", Type: types.Of(types.BigInt), Nullable: true}, {ID: 2, Name: "d", Type: types.Of(types.Double), Nullable: true}}}}
	return &TableMetadata{Schemas: []*Schema{schema}, Specs: []*PartitionSpec{{ID: 0}, by(1, 1), by(2, 2)}}
}

// TestDeleteScopes has the rules of the specification, "Scan Planning", one
// case for each side of each condition.
func TestDeleteScopes(t *testing.T) {
	m := indexMetadata()
	file := func(content Content, path string, sequence int64, spec int, partition ...any) *ContentFile {
		return &ContentFile{Content: content, Path: path, Format: "parquet", SequenceNumber: sequence, Spec: m.Specs[spec], Partition: partition, EqualityIDs: []types.FieldID{1}}
	}
	vector := func(of string, sequence int64) *ContentFile {
		f := file(PositionDeletes, "v", sequence, 0)
		f.Format, f.ReferencedDataFile = "puffin", of
		return f
	}
	positionsOf := func(of string, sequence int64) *ContentFile {
		f := file(PositionDeletes, "p", sequence, 0)
		f.ReferencedDataFile = of
		return f
	}
	byBounds := file(PositionDeletes, "b", 5, 0)
	byBounds.Metrics = []ColumnMetrics{{ID: deletePathID, LowerBound: []byte("other"), UpperBound: []byte("other")}}
	data := file(Data, "data", 5, 0)
	in7 := file(Data, "data", 5, 1, int64(7))
	for name, c := range map[string]struct {
		data    *ContentFile
		deletes []*ContentFile
		applied []string
	}{
		"position deletes of the same commit":       {data, []*ContentFile{file(PositionDeletes, "p", 5, 0)}, []string{"p"}},
		"older position deletes":                    {data, []*ContentFile{file(PositionDeletes, "p", 4, 0)}, nil},
		"position deletes of the file":              {data, []*ContentFile{positionsOf("data", 5)}, []string{"p"}},
		"position deletes of another file":          {data, []*ContentFile{positionsOf("other", 9)}, nil},
		"position deletes with bounds of another":   {data, []*ContentFile{byBounds}, nil},
		"position deletes of another partition":     {in7, []*ContentFile{file(PositionDeletes, "p", 9, 1, int64(8))}, nil},
		"position deletes of the partition":         {in7, []*ContentFile{file(PositionDeletes, "p", 9, 1, int64(7))}, []string{"p"}},
		"position deletes of an unpartitioned spec": {in7, []*ContentFile{file(PositionDeletes, "p", 9, 0)}, nil},
		"a deletion vector":                         {data, []*ContentFile{vector("data", 5)}, []string{"v"}},
		"an older deletion vector":                  {data, []*ContentFile{vector("data", 4)}, nil},
		"a deletion vector of another file":         {data, []*ContentFile{vector("other", 9)}, nil},
		"a deletion vector replaces files":          {data, []*ContentFile{vector("data", 6), file(PositionDeletes, "p", 5, 0)}, []string{"v"}},
		"an older vector replaces nothing":          {data, []*ContentFile{vector("data", 4), file(PositionDeletes, "p", 5, 0)}, []string{"p"}},
		"equality deletes of the same commit":       {data, []*ContentFile{file(EqualityDeletes, "e", 5, 0)}, nil},
		"newer equality deletes":                    {data, []*ContentFile{file(EqualityDeletes, "e", 6, 0)}, []string{"e"}},
		"global equality deletes":                   {in7, []*ContentFile{file(EqualityDeletes, "e", 6, 0)}, []string{"e"}},
		"equality deletes of the partition":         {in7, []*ContentFile{file(EqualityDeletes, "e", 6, 1, int64(7))}, []string{"e"}},
		"equality deletes of another partition":     {in7, []*ContentFile{file(EqualityDeletes, "e", 6, 1, int64(8))}, nil},
		"equality deletes of the NULL partition":    {in7, []*ContentFile{file(EqualityDeletes, "e", 6, 1, nil)}, nil},
		"equality deletes of another spec":          {in7, []*ContentFile{file(EqualityDeletes, "e", 6, 2, 7.0)}, nil},
		"NaN is one partition":                      {file(Data, "d", 1, 2, math.NaN()), []*ContentFile{file(EqualityDeletes, "e", 6, 2, math.NaN())}, []string{"e"}},
		"0.0 and -0.0 are two partitions":           {file(Data, "d", 1, 2, 0.0), []*ContentFile{file(EqualityDeletes, "e", 6, 2, math.Copysign(0, -1))}, nil},
	} {
		var applied []string
		index, err := newDeleteFileIndex(m, c.deletes)
		require.NoError(t, err, name)
		for _, d := range index.forFile(c.data).all() {
			applied = append(applied, d.Path)
		}
		require.Equal(t, c.applied, applied, name)
	}
}

// TestEqualityDeletesByMetrics: a delete file whose keys no row can have is left
// out.
func TestEqualityDeletesByMetrics(t *testing.T) {
	m := indexMetadata()
	bound := func(v int64) []byte { return appendSingleValue(nil, types.Of(types.BigInt), v) }
	metrics := func(nulls, values, low, high int64) []ColumnMetrics {
		c := ColumnMetrics{ID: 1, Values: values, NullCount: nulls, NaNCount: -1}
		if nulls != values {
			c.LowerBound, c.UpperBound = bound(low), bound(high)
		}
		return []ColumnMetrics{c}
	}
	for name, c := range map[string]struct {
		keys, rows []ColumnMetrics
		applies    bool
	}{
		"apart":                    {metrics(0, 2, 1, 5), metrics(0, 9, 6, 9), false},
		"apart, downwards":         {metrics(0, 2, 7, 9), metrics(0, 9, 1, 6), false},
		"touching":                 {metrics(0, 2, 1, 6), metrics(0, 9, 6, 9), true},
		"apart, NULL in both":      {metrics(1, 2, 1, 5), metrics(1, 9, 6, 9), true},
		"only NULL keys, no row":   {metrics(2, 2, 0, 0), metrics(0, 9, 6, 9), false},
		"only NULL rows, no key":   {metrics(0, 2, 1, 5), metrics(9, 9, 0, 0), false},
		"no metrics of the rows":   {metrics(0, 2, 1, 5), nil, true},
		"no metrics of the keys":   {nil, metrics(0, 9, 6, 9), true},
		"unknown nulls in the key": {metrics(-1, 2, 1, 5), metrics(1, 9, 6, 9), true},
	} {
		e := &ContentFile{Content: EqualityDeletes, Path: "e", SequenceNumber: 2, Spec: m.Specs[0], EqualityIDs: []types.FieldID{1}, Metrics: c.keys}
		f := &ContentFile{Path: "d", SequenceNumber: 1, Spec: m.Specs[0], Metrics: c.rows}
		index, err := newDeleteFileIndex(m, []*ContentFile{e})
		require.NoError(t, err)
		require.Equal(t, c.applies, len(index.forFile(f).equality) == 1, name)
	}
}

// TestDeletesByFloat: NaN, which is within no bounds, is a key as any other.
func TestDeletesByFloat(t *testing.T) {
	m := indexMetadata()
	metrics := func(v float64) []ColumnMetrics {
		bound := appendSingleValue(nil, types.Of(types.Double), v)
		return []ColumnMetrics{{ID: 2, Values: 2, NullCount: 0, NaNCount: 1, LowerBound: bound, UpperBound: bound}}
	}
	e := &ContentFile{Content: EqualityDeletes, Path: "e", SequenceNumber: 2, Spec: m.Specs[0], EqualityIDs: []types.FieldID{2}, Metrics: metrics(1)}
	f := &ContentFile{Path: "d", SequenceNumber: 1, Spec: m.Specs[0], Metrics: metrics(2)}
	index, err := newDeleteFileIndex(m, []*ContentFile{e})
	require.NoError(t, err)
	require.Len(t, index.forFile(f).equality, 1)
}

// TestDeletesOfNullStructs: a required field is NULL where its struct is.
func TestDeletesOfNullStructs(t *testing.T) {
	m := indexMetadata()
	m.Schemas[0].Fields = []types.Field{{ID: 3, Name: "s", Nullable: true, Type: types.StructOf(types.Field{ID: 1, Name: "k", Type: types.Of(types.BigInt)})}}
	metrics := func(v int64) []ColumnMetrics {
		bound := appendSingleValue(nil, types.Of(types.BigInt), v)
		return []ColumnMetrics{{ID: 1, Values: 2, NullCount: 1, LowerBound: bound, UpperBound: bound}}
	}
	e := &ContentFile{Content: EqualityDeletes, Path: "e", SequenceNumber: 2, Spec: m.Specs[0], EqualityIDs: []types.FieldID{1}, Metrics: metrics(1)}
	f := &ContentFile{Path: "d", SequenceNumber: 1, Spec: m.Specs[0], Metrics: metrics(2)}
	index, err := newDeleteFileIndex(m, []*ContentFile{e})
	require.NoError(t, err)
	require.Len(t, index.forFile(f).equality, 1)
}

// TestTwoDeletionVectors: which of two vectors of a file counts nobody can tell.
func TestTwoDeletionVectors(t *testing.T) {
	m := indexMetadata()
	vector := func(path string) *ContentFile {
		return &ContentFile{Content: PositionDeletes, Path: path, Format: "puffin", ReferencedDataFile: "d", Spec: m.Specs[0]}
	}
	_, err := newDeleteFileIndex(m, []*ContentFile{vector("a"), vector("b")})
	require.ErrorIs(t, err, storage.ErrCorrupt)
	require.ErrorContains(t, err, "data file d has another deletion vector, in a")
}
