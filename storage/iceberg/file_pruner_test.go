package iceberg

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// TestSummariesOfUUIDs: writers order UUIDs as signed or as unsigned numbers, so that
// the bounds of a manifest's partitions tell nothing of those between them.
func TestSummariesOfUUIDs(t *testing.T) {
	uuid := types.Of(types.UUID)
	schema := &Schema{Schema: types.Schema{Fields: []types.Field{{ID: 1, Name: "u", Type: uuid, Nullable: true}}}}
	spec := &PartitionSpec{Fields: []PartitionField{{SourceIDs: []types.FieldID{1}, ID: 1000, Name: "u", Transform: parseTransform("identity")}}}
	s := &Snapshot{metadata: &TableMetadata{Schemas: []*Schema{schema}, Specs: []*PartitionSpec{spec}}, schema: schema}
	id := func(first byte) []byte { return append([]byte{first}, make([]byte, 15)...) }
	column := &expr.Column{Name: "u", T: uuid, MayBeNull: true}
	p := newFilePruner(s, &expr.Call{Name: expr.OpEqual, Args: []expr.Expr{column, &expr.Literal{T: uuid, Value: id(0xc0)}}, T: types.Of(types.Boolean)})
	signed := &ManifestFile{Partitions: []fieldSummary{{LowerBound: id(0x80), UpperBound: id(0x10)}}} // has 0x80…, 0xc0… and 0x10…
	require.True(t, p.mayMatchManifest(signed))
	require.False(t, p.mayMatchPartition(&ContentFile{Spec: spec, Partition: []any{id(0x10)}}))
}

// TestSummariesWithoutBounds: without bounds all values are NULL, but some writers
// leave the bounds out and say that no value is NULL.
func TestSummariesWithoutBounds(t *testing.T) {
	schema := &Schema{Schema: types.Schema{Fields: []types.Field{{ID: 1, Name: "i", Type: types.Of(types.Int), Nullable: true}}}}
	spec := &PartitionSpec{Fields: []PartitionField{{SourceIDs: []types.FieldID{1}, ID: 1000, Name: "i", Transform: parseTransform("bucket[4]")}}}
	s := &Snapshot{metadata: &TableMetadata{Schemas: []*Schema{schema}, Specs: []*PartitionSpec{spec}}, schema: schema}
	column := &expr.Column{Name: "i", T: types.Of(types.Int), MayBeNull: true}
	p := newFilePruner(s, &expr.Call{Name: expr.OpEqual, Args: []expr.Expr{column, &expr.Literal{T: column.T, Value: int64(5)}}, T: types.Of(types.Boolean)})
	require.True(t, p.mayMatchManifest(&ManifestFile{Partitions: []fieldSummary{{ContainsNull: false}}}))
	require.False(t, p.mayMatchManifest(&ManifestFile{Partitions: []fieldSummary{{ContainsNull: true}}}))
}

// TestTransformOfOtherType: what a transform of a column of another type makes bounds
// nothing.
func TestTransformOfOtherType(t *testing.T) {
	schema := &Schema{Schema: types.Schema{Fields: []types.Field{{ID: 1, Name: "s", Type: types.Of(types.String), Nullable: true}}}}
	column := &expr.Column{Name: "s", T: types.Of(types.String), MayBeNull: true}
	for _, transform := range []string{"day", "hour", "year", "month"} {
		spec := &PartitionSpec{Fields: []PartitionField{{SourceIDs: []types.FieldID{1}, ID: 1000, Name: "s", Transform: parseTransform(transform)}}}
		s := &Snapshot{metadata: &TableMetadata{Schemas: []*Schema{schema}, Specs: []*PartitionSpec{spec}}, schema: schema}
		p := newFilePruner(s, &expr.Call{Name: expr.OpEqual, Args: []expr.Expr{column, &expr.Literal{T: column.T, Value: "x"}}, T: types.Of(types.Boolean)})
		require.True(t, p.mayMatchPartition(&ContentFile{Spec: spec, Partition: []any{int64(5)}}), transform)
	}
}
