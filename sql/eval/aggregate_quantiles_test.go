package eval

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQuantiles compares with the answers of Spark 4.1.1 about a * a % modulus for
// a from 1 to rows, in one partition.
func TestQuantiles(t *testing.T) {
	fractions := []float64{0, 0.1, 0.5, 0.33, 0.77, 0.99, 1}
	for _, c := range []struct {
		modulus, accuracy, rows int64
		want                    []float64
	}{
		{7919, 1, 120_000, []float64{0, 0, 0, 0, 0, 0, 0}},
		{7919, 10, 120_000, []float64{0, 0, 3072, 2135, 5461, 7912, 7912}},
		{7919, 100, 120_000, []float64{0, 662, 3832, 2455, 5974, 7912, 7912}},
		{7919, 1000, 120_000, []float64{0, 721, 3841, 2497, 5993, 7812, 7912}},
		{79190013, 10_000, 120_000, []float64{1, 6596730, 37985374, 24366238, 60047001, 78345037, 79189273}},
		{79190013, 3, 50_000, []float64{1, 1, 22131229, 1, 79189273, 79189273, 79189273}},
	} {
		q, all := quantiles{err: 1 / float64(c.accuracy)}, quantiles{err: 1 / float64(c.accuracy)}
		for a := int64(1); a <= c.rows; a++ {
			q.add(float64(a * a % c.modulus))
		}
		all.merge(&q)
		require.Equal(t, c.want, all.at(fractions), "modulus %d, accuracy %d", c.modulus, c.accuracy)
	}
}
