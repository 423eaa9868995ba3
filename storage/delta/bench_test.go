package delta

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

// bigLog makes a table of commits with files in each, none of which exists.
func bigLog(b *testing.B, commits, files int) *Table {
	table := newSimple(b, object.NewMemory(""), nil)
	for v := 1; v <= commits; v++ {
		var body strings.Builder
		body.WriteString(`{"commitInfo":{"operation":"WRITE","engineInfo":"Apache-Spark/4.1.1 Delta-Lake/4.1.0"}}` + "\n")
		for i := range files {
			n := v*files + i
			fmt.Fprintf(&body, `{"add":{"path":"part=p%d/part-00000-%s.c000.snappy.parquet","partitionValues":{"part":"p%d"},"size":1234,"modificationTime":1,"dataChange":true,`+
				`"stats":"{\"numRecords\":100,\"minValues\":{\"id\":%d,\"v\":-1.5},\"maxValues\":{\"id\":%d,\"v\":2.5},\"nullCount\":{\"id\":0,\"v\":3}}"}}`+"\n",
				i, uuid.NewString(), i, n*100, n*100+99)
		}
		require.NoError(b, table.store.Put(ctx, table.commitPath(storage.Version(v)), []byte(body.String())))
	}
	return table
}

func BenchmarkReplayCommits(b *testing.B) {
	table := bigLog(b, 1000, 10)
	for b.Loop() {
		require.Equal(b, 10_000, latest(b, reopen(table)).files.Len())
	}
}

func BenchmarkLoadCheckpoint(b *testing.B) {
	table := bigLog(b, 1000, 10)
	require.NoError(b, table.writeCheckpoint(ctx, 1000))
	for b.Loop() {
		require.Equal(b, 10_000, latest(b, reopen(table)).files.Len())
	}
}

func BenchmarkPlan(b *testing.B) {
	s := latest(b, bigLog(b, 1000, 10))
	filter := where(b, s, "id", "=", int64(500_000))
	for b.Loop() {
		scan, err := s.NewScan().WithDataFilter(filter).Build(ctx)
		require.NoError(b, err)
		require.Len(b, scan.Tasks(), 1)
	}
}

func BenchmarkInsertOneRow(b *testing.B) {
	table := newSimple(b, object.NewMemory(""), map[string]string{"delta.checkpointInterval": "1000000"})
	for b.Loop() {
		require.NoError(b, insert(table, row3(1, "a", 1.0)))
	}
}
