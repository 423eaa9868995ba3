package parser_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/conformance/sharedtest"
	"github.com/tarndb/tarn/sql/parser"
)

// query1 has the shape of a reporting query over one wide table.
const query1 = `
SELECT flag, status, sum(quantity) AS sum_qty, sum(price * (1 - discount)) AS sum_disc_price,
       sum(price * (1 - discount) * (1 + tax)) AS sum_charge, avg(quantity) AS avg_qty, count(*) AS count_order
FROM lineitem
WHERE shipdate <= date '1998-12-01' - interval '90' day
GROUP BY flag, status
ORDER BY flag, status`

func BenchmarkParse(b *testing.B) {
	b.SetBytes(int64(len(query1)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parser.Parse(query1); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseTPCH parses the 22 queries; time/query is what one takes.
func BenchmarkParseTPCH(b *testing.B) {
	files, err := filepath.Glob(filepath.Join(sharedtest.Path(b, "corpus", "tpch"), "*.sql"))
	require.NoError(b, err)
	var queries []string
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(b, err)
		queries = append(queries, string(src))
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, q := range queries {
			if _, err := parser.Parse(q); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(queries)), "ns/query")
}
