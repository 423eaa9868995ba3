package scanning

import (
	"math"
	"slices"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/parquet"
)

// Scan is what the planned scans of every format hold. A format's own embeds it
// and adds what only the format knows: statistics and how a file is opened.
type Scan struct {
	Layout Layout
	Fields []types.Field // of Layout.Read, as files have them

	name    func(f storage.DataFile) string // in the summary
	filter  expr.Expr                       // Layout's, and what Narrowed adds
	members []parquet.Member
	tasks   []storage.ScanTask
	summary storage.ScanSummary
}

// NewScan gives a scan without files.
func NewScan(layout Layout, fields []types.Field, name func(storage.DataFile) string) Scan {
	return Scan{Layout: layout, Fields: slices.Clip(fields), name: name, filter: layout.Filter}
}

// Schema implements storage.Scan.
func (s *Scan) Schema() types.Schema { return s.Layout.Schema }

// Tasks implements storage.Scan.
func (s *Scan) Tasks() []storage.ScanTask { return s.tasks }

// Summary implements storage.Scan.
func (s *Scan) Summary() storage.ScanSummary { return s.summary }

// minPartRows is how many rows a part of a task has at least.
const minPartRows = 1 << 17

// Divides implements storage.Divider for tasks of Parquet files: a worker for
// each part reads the dictionaries again.
func (s *Scan) Divides(task storage.ScanTask, parts int) bool {
	return task.File.Records >= int64(parts)*minPartRows
}

// SplitBytes is how much of a file a task reads at most.
const SplitBytes = 128 << 20

// Plan makes the tasks of n files, which a format has selected as the summary
// says. Without a filter, files are left out once those before them have as many
// rows as the request's limit for certain. A file that is whole has one task.
func (s *Scan) Plan(r *Request, summary storage.ScanSummary, n int, file func(i int) (f storage.DataFile, whole bool)) {
	s.summary = summary
	s.tasks = make([]storage.ScanTask, 0, n)
	var certain int64
	for i := range n {
		f, whole := file(i)
		if r.Limit > 0 && r.DataFilter == nil && certain >= r.Limit {
			s.summary.SkippedByLimit = append(s.summary.SkippedByLimit, s.name(f))
			continue
		}
		certain += max(f.LiveRecords(), 0)
		s.summary.FilesSelected++
		s.summary.BytesSelected += f.SizeBytes
		s.addTasks(f, whole)
	}
}

// maxSplits is how many tasks a file has at most: its size is what metadata says.
const maxSplits = 1024

func (s *Scan) addTasks(f storage.DataFile, whole bool) {
	split := max(SplitBytes, f.SizeBytes/maxSplits+1)
	if whole {
		split = f.SizeBytes
	}
	for offset := int64(0); ; offset += split {
		length := min(f.SizeBytes-offset, split)
		s.tasks = append(s.tasks, storage.ScanTask{File: f, Offset: offset, Length: length})
		if length == f.SizeBytes-offset {
			return
		}
	}
}

// ReadOptions asks for the scan's columns of the rows of a task.
func (s *Scan) ReadOptions(task storage.ScanTask) parquet.ReadOptions {
	o := parquet.ReadOptions{Columns: s.Fields, Filter: s.filter, Members: s.members, Offset: task.Offset, Length: task.Length, Part: task.Part, Parts: task.Parts, Positions: s.Layout.Positions}
	if task.Offset+task.Length >= task.File.SizeBytes {
		o.Length = math.MaxInt64 - task.Offset // to the end, whatever metadata says of the size
	}
	return o
}

// Narrowed gives a scan that reads rows for which all filters hold, of files that
// may have such rows. pruner makes a test of files for a filter over the table's
// schema.
func (s *Scan) Narrowed(filters []storage.RuntimeFilter, pruner func(filter expr.Expr) func(storage.DataFile) bool) Scan {
	out := *s
	out.members = slices.Clone(s.members)
	var bounds []expr.Expr
	for _, f := range filters {
		out.filter = expr.And(out.filter, f.Bounds)
		bounds = append(bounds, s.Layout.InTable(f.Bounds))
		if f.Members != nil {
			out.members = append(out.members, parquet.Member{Column: f.Column, Set: f.Members})
		}
	}
	out.keep(pruner(expr.And(bounds...)))
	return out
}

// keep drops the tasks of files that can have no row which is still wanted. A
// file's tasks lie together, the one at offset 0 first.
func (s *Scan) keep(mayMatch func(storage.DataFile) bool) {
	var kept []storage.ScanTask
	s.summary.FilesSelected, s.summary.BytesSelected = 0, 0
	matches := false
	for _, t := range s.tasks {
		if t.Offset == 0 {
			if matches = mayMatch(t.File); matches {
				s.summary.FilesSelected++
				s.summary.BytesSelected += t.File.SizeBytes
			} else {
				s.summary.SkippedAtRunTime = append(s.summary.SkippedAtRunTime, s.name(t.File))
			}
		}
		if matches {
			kept = append(kept, t)
		}
	}
	s.tasks = kept
}
