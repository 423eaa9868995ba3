package iceberg_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/catalog"
	_ "github.com/tarndb/tarn/storage/catalog/sqlite"
	"github.com/tarndb/tarn/storage/storagetest"
)

// stored is the type that a column of another has in a table (spec, "Primitive
// Types": there are no shorter integers).
func stored(t types.Type) types.Type {
	if t.Kind == types.TinyInt || t.Kind == types.SmallInt {
		return types.Of(types.Int)
	}
	return t
}

func TestAcceptance(t *testing.T) {
	memory, file := func(*testing.T) string { return "memory://" }, func(t *testing.T) string { return t.TempDir() }
	database := func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "catalog.db") }
	none := func(*testing.T) string { return "" }
	for name, place := range map[string]struct{ warehouse, metastore func(t *testing.T) string }{
		"memory": {memory, none}, "file": {file, none}, "memory in a catalog": {memory, database}, "file in a catalog": {file, database},
	} {
		t.Run(name, func(t *testing.T) {
			storagetest.AcceptanceTest(t, storagetest.Format{Word: "iceberg", Stored: stored}, func(t *testing.T) storage.Catalog {
				c, err := catalog.Open(place.warehouse(t), catalog.Options{Metastore: place.metastore(t)})
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, c.Close()) })
				return c
			})
		})
	}
}
