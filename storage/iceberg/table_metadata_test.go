package iceberg

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNullInMetadata refuses lists with a null in them.
func TestNullInMetadata(t *testing.T) {
	for text, reason := range map[string]string{
		`"schemas": [null]`: "schemas is null",
		`"schemas": [{"type": "struct", "fields": []}], "partition-specs": [null], "default-spec-id": 0`:                                              "partition-specs is null",
		`"schemas": [{"type": "struct", "fields": []}], "partition-specs": [{"spec-id": 0, "fields": []}], "default-spec-id": 0, "snapshots": [null]`: "snapshot",
	} {
		_, err := ParseTableMetadata([]byte(`{"format-version": 2, "location": "/t", "current-schema-id": 0, ` + text + `}`))
		require.ErrorContains(t, err, reason)
	}
}
