package exec

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// explain gives the plan's text: with the files that its scans select or, with
// ANALYZE, after running it, with rows and times as well.
func (x *executor) explain(n *plan.Explain) (*Result, error) {
	inner := *x
	inner.stats = &planStats{nodes: map[plan.Node]*nodeStats{}, analyze: n.Analyze}
	var err error
	if n.Analyze {
		err = inner.analyze(n.Input)
	} else {
		err = inner.planScans(n.Input)
	}
	if err != nil {
		return nil, err
	}
	rows := newRows(n.Schema())
	for _, line := range strings.Split(strings.TrimRight(plan.Format(n.Input, inner.stats.notes), "\n"), "\n") {
		rows.add(line)
	}
	return rows.result(), nil
}

// analyze runs a plan and drops its rows.
func (x *executor) analyze(n plan.Node) error {
	start := time.Now()
	r, err := x.run(n)
	if err != nil {
		return err
	}
	rows := r.RowsAffected
	if r.rows != nil {
		err = pump(x.ctx, r.rows, func(b *vector.Batch) error {
			rows += int64(b.Rows())
			return nil
		})
		err = errors.Join(err, r.rows.close())
	}
	x.stats.total = totalLine(rows, time.Since(start))
	x.stats.root = n
	return err
}

func totalLine(rows int64, took time.Duration) string {
	return fmt.Sprintf("total: %d rows in %s", rows, took.Round(10*time.Microsecond))
}

// planScans asks the storage which files the scans would read.
func (x *executor) planScans(n plan.Node) error {
	if s, ok := n.(*plan.Scan); ok {
		_, err := x.planScan(s)
		return err
	}
	for _, c := range n.Children() {
		if err := x.planScans(c); err != nil {
			return err
		}
	}
	return nil
}

// planStats collects what EXPLAIN shows besides the plan.
type planStats struct {
	mu      sync.Mutex // guards nodes and what is in them but the atomics
	nodes   map[plan.Node]*nodeStats
	analyze bool
	root    plan.Node
	total   string
}

// nodeStats are the figures of one node over all its operators.
type nodeStats struct {
	rows    atomic.Int64
	nanos   atomic.Int64
	summary *storage.ScanSummary
	files   []string // that the scan reads
	read    storage.ReadMetrics
	// fromStatistics: nothing was read, the files' statistics have the answer
	fromStatistics bool
	memory         *nodeMemory // nil for a node that keeps nothing
}

func (s *planStats) node(n plan.Node) *nodeStats {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.nodes[n] == nil {
		s.nodes[n] = &nodeStats{}
	}
	return s.nodes[n]
}

func (s *planStats) planned(n plan.Node, scan storage.Scan) {
	summary := scan.Summary()
	stats := s.node(n)
	stats.summary, stats.files = &summary, nil
	for i, t := range scan.Tasks() {
		if i == 0 || t.Offset == 0 { // a file of several tasks is one file
			stats.files = append(stats.files, t.File.Path)
		}
	}
}

// narrowed notes what dynamic filters have left of a scan.
func (s *planStats) narrowed(n plan.Node, scan storage.Scan) {
	stats, summary := s.node(n), scan.Summary()
	s.mu.Lock()
	defer s.mu.Unlock()
	stats.summary = &summary
	if gone := summary.SkippedAtRunTime; len(gone) > 0 {
		stats.files = slices.DeleteFunc(stats.files, func(f string) bool { return slices.Contains(gone, f) })
	}
}

func (s *planStats) read(n plan.Node, m storage.ReadMetrics) {
	stats := s.node(n)
	s.mu.Lock()
	defer s.mu.Unlock()
	stats.read.Add(m)
}

// measure counts the rows and the time of a node's operators.
func (s *planStats) measure(n plan.Node, ops []operator) []operator {
	stats := s.node(n)
	for i, op := range ops {
		ops[i] = &measuredOperator{operator: op, stats: stats}
	}
	return ops
}

type measuredOperator struct {
	operator
	stats *nodeStats
}

func (m *measuredOperator) next(ctx context.Context) (*vector.Batch, error) {
	start := time.Now()
	b, err := m.operator.next(ctx)
	m.stats.nanos.Add(int64(time.Since(start)))
	if err == nil {
		m.stats.rows.Add(int64(b.Rows()))
	}
	return b, err
}

// notes are the lines that EXPLAIN adds to a node.
func (s *planStats) notes(n plan.Node) []string {
	lines := s.nodeNotes(n)
	if n == s.root {
		lines = append(lines, s.total)
	}
	return lines
}

func (s *planStats) nodeNotes(n plan.Node) []string {
	stats, ok := s.nodes[n]
	if !ok {
		return nil
	}
	var lines []string
	if sum := stats.summary; sum != nil {
		lines = append(lines, fmt.Sprintf("files: %d of %d selected (%s of %s)", sum.FilesSelected, sum.FilesTotal, formatBytes(sum.BytesSelected), formatBytes(sum.BytesTotal)))
		lines = append(lines, nameFiles("selected", stats.files)...)
		lines = append(lines, nameFiles("skipped manifests: the partition values in them fail the filter", sum.SkippedManifests)...)
		lines = append(lines, nameFiles("skipped by partition: their partition values fail the partition filter", sum.SkippedByPartition)...)
		lines = append(lines, nameFiles("skipped by statistics: no value within their bounds passes the data filter", sum.SkippedByStatistics)...)
		lines = append(lines, nameFiles("skipped at run time: no value within their bounds passes a dynamic filter", sum.SkippedAtRunTime)...)
		lines = append(lines, nameFiles("skipped by limit: the files before them have enough rows", sum.SkippedByLimit)...)
	}
	if stats.fromStatistics {
		lines = append(lines, "answered by the statistics of the files")
	}
	if !s.analyze {
		return lines
	}
	if stats.summary != nil {
		lines = append(lines, fmt.Sprintf("read: %s of the columns that are needed, %d row groups, %d more skipped", formatBytes(stats.read.BytesRead), stats.read.RowGroupsRead, stats.read.RowGroupsPruned))
	}
	if nanos := time.Duration(stats.nanos.Load()); nanos > 0 {
		lines = append(lines, fmt.Sprintf("rows: %d, time of all workers with inputs: %s", stats.rows.Load(), nanos.Round(10*time.Microsecond)))
	}
	if stats.memory != nil {
		lines = append(lines, stats.memory.notes()...)
	}
	return lines
}

// mostNamed is how many files EXPLAIN names under a heading.
const mostNamed = 10

// nameFiles lists files, a line each, under how many there are and why.
func nameFiles(what string, files []string) []string {
	if len(files) == 0 {
		return nil
	}
	lines := []string{fmt.Sprintf("%d %s", len(files), what)}
	for _, f := range files[:min(len(files), mostNamed)] {
		lines = append(lines, "  "+f)
	}
	if more := len(files) - mostNamed; more > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more", more))
	}
	return lines
}

// formatBytes prints a size in the unit that reads best.
func formatBytes(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}
