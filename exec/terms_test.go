package exec

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/storage"
)

// TestTermsAreComplete explains every line that EXPLAIN may add to a node, and no
// other. Files have no names in it that begin like another line.
func TestTermsAreComplete(t *testing.T) {
	var files []string
	for i := range mostNamed + 1 {
		files = append(files, fmt.Sprintf("file-%d", i))
	}
	node := &plan.Feed{}
	stats := &nodeStats{files: files, fromStatistics: true, memory: &nodeMemory{}, summary: &storage.ScanSummary{
		SkippedManifests: files, SkippedByPartition: files, SkippedByStatistics: files, SkippedAtRunTime: files, SkippedByLimit: files}}
	stats.rows.Store(1)
	stats.nanos.Store(1)
	stats.memory.peak.Store(1)
	stats.memory.spilled.Store(1)
	s := &planStats{nodes: map[plan.Node]*nodeStats{node: stats}, root: node, total: totalLine(1, 1)}
	terms := slices.Concat(ExplainTerms(), AnalyzeTerms())
	met := map[string]bool{}
	for _, analyze := range []bool{false, true} {
		s.analyze = analyze
		for _, line := range s.nodeNotes(node) {
			require.True(t, explained(line, terms[:len(ExplainTerms())], met) || analyze && explained(line, AnalyzeTerms(), met), "%q has no term", line)
		}
	}
	require.True(t, explained(s.total, AnalyzeTerms(), met))
	for _, term := range terms {
		require.True(t, met[term.Line], "nothing prints %q", term.Line)
	}
}

// explained notes the first term that a line is of; a name is below a heading.
func explained(line string, terms []plan.Term, met map[string]bool) bool {
	for _, term := range terms {
		if term.Matches(line) && (strings.HasPrefix(line, "  ") == strings.HasPrefix(term.Line, "  ")) {
			met[term.Line] = true
			return true
		}
	}
	return false
}
