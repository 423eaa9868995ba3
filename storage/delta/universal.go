package delta

import (
	"context"
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage/object"
)

// UniversalFormats is the property that lists the formats into which writers of
// a table translate its metadata.
const UniversalFormats = "delta.universalFormat.enabledFormats"

// IsUniversal tells whether the table in a directory says that its metadata is
// translated for readers of Iceberg, whose files are then derived from its log.
func IsUniversal(ctx context.Context, store object.Store, root string) (bool, error) {
	snapshot, err := OpenTable(store, root, types.TableName{Format: "delta", Path: root}, Options{}).LoadLatest(ctx)
	if err != nil {
		return false, err
	}
	formats := strings.Split(snapshot.Properties()[UniversalFormats], ",")
	return slices.ContainsFunc(formats, func(f string) bool { return strings.EqualFold(strings.TrimSpace(f), "iceberg") }), nil
}
