package delta_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/catalog"
	"github.com/tarndb/tarn/storage/storagetest"
)

func TestAcceptance(t *testing.T) {
	for name, url := range map[string]func(t *testing.T) string{
		"memory": func(*testing.T) string { return "memory://" },
		"file":   func(t *testing.T) string { return t.TempDir() },
	} {
		t.Run(name, func(t *testing.T) {
			format := storagetest.Format{Word: "delta", HasPartitionColumns: true, CountsVersions: true, Stored: func(t types.Type) types.Type { return t }}
			storagetest.AcceptanceTest(t, format, func(t *testing.T) storage.Catalog {
				c, err := catalog.Open(url(t), catalog.Options{})
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, c.Close()) })
				return c
			})
		})
	}
}
