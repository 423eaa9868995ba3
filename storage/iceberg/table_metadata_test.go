package iceberg

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNullInMetadata refuses lists with a null in them.
func TestNullInMetadata(t *testing.T) {
	for text, reason := range map[string]string{
		`"schemas": [null]`: "schemas is null",
		`"schemas": [{"type": "struct", "fields": []}, {"type": "struct", "fields": []}]`:                                                             "schema 0 is listed twice",
		`"schemas": [{"type": "struct", "fields": []}], "default-spec-id": 0, "partition-specs": [{"spec-id": 0, "fields": []}, {"spec-id": 0}]`:      "partition spec 0 is listed twice",
		`"schemas": [{"type": "struct", "fields": []}], "partition-specs": [null], "default-spec-id": 0`:                                              "partition-specs is null",
		`"schemas": [{"type": "struct", "fields": []}], "partition-specs": [{"spec-id": 0, "fields": []}], "default-spec-id": 0, "snapshots": [null]`: "snapshot",
	} {
		_, err := ParseTableMetadata([]byte(`{"format-version": 2, "location": "/t", "current-schema-id": 0, ` + text + `}`))
		require.ErrorContains(t, err, reason)
	}
}

// TestDefaultOfDroppedField: equality deletes may be by a column that was dropped and
// that is not in the file, where it has its default.
func TestDefaultOfDroppedField(t *testing.T) {
	m, err := ParseTableMetadata([]byte(`{"format-version": 3, "location": "/t", "table-uuid": "u", "last-column-id": 2, "current-schema-id": 1, "schemas": [
		{"type": "struct", "schema-id": 0, "fields": [{"id": 1, "name": "a", "type": "int", "required": false},
			{"id": 2, "name": "b", "type": "int", "required": false, "initial-default": 5}]},
		{"type": "struct", "schema-id": 1, "fields": [{"id": 1, "name": "a", "type": "int", "required": false}]}],
		"partition-specs": [{"spec-id": 0, "fields": []}], "default-spec-id": 0}`))
	require.NoError(t, err)
	s := &Snapshot{metadata: m, schema: m.schema(1)}
	key, err := s.keyField(2)
	require.NoError(t, err)
	v, ok := s.valueOfMissing(&ContentFile{Spec: m.Specs[0]}, key.column)
	require.True(t, ok)
	require.EqualValues(t, 5, v)
}
