package exec

import (
	"slices"
	"sync"

	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

// taskQueue hands each task of a scan to one of its operators.
type taskQueue struct {
	node    *plan.Scan
	stats   *planStats       // nil unless EXPLAIN
	filters []*dynamicFilter // of node.Dynamic
	files   map[string]int32 // by path: the first of the scan's tasks that is of the file

	mu       sync.Mutex // guards what follows
	scan     storage.Scan
	tasks    []storage.ScanTask // not taken yet
	started  bool
	taken    int
	narrowAt int // tasks to take before filters that get narrower are looked at again
}

func newTaskQueue(x *executor, n *plan.Scan, scan storage.Scan) *taskQueue {
	q := &taskQueue{node: n, stats: x.stats, scan: scan, tasks: divided(scan, x.env.Threads), files: map[string]int32{}}
	for i, t := range scan.Tasks() { // which whoever changes the rows knows, and not the parts
		if _, ok := q.files[t.File.Path]; !ok {
			q.files[t.File.Path] = int32(i)
		}
	}
	for _, d := range n.Dynamic {
		q.filters = append(q.filters, x.dynamic(d.ID))
	}
	return q
}

// tasksPerWorker is how many tasks of about the same size leave no worker idle
// for long at the end.
const tasksPerWorker = 4

// divided gives the tasks of a scan; where there are few for the workers, the
// large ones in parts.
func divided(scan storage.Scan, workers int) []storage.ScanTask {
	tasks := scan.Tasks()
	divider, ok := scan.(storage.Divider)
	if !ok || workers < 2 || len(tasks) == 0 || len(tasks) >= tasksPerWorker*workers {
		return tasks
	}
	var out []storage.ScanTask
	for _, t := range tasks {
		parts := (tasksPerWorker*workers + len(tasks) - 1) / len(tasks)
		for parts > 1 && !divider.Divides(t, parts) {
			parts--
		}
		for p := range parts {
			if t.Part, t.Parts = p, parts; parts == 1 {
				t.Parts = 0
			}
			out = append(out, t)
		}
	}
	return out
}

// take gives the next task and the scan that opens it; ok is false at the end.
func (q *taskQueue) take() (storage.Scan, storage.ScanTask, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.started {
		q.started = true
		q.order()
		q.narrow()
	} else if q.taken >= q.narrowAt && slices.ContainsFunc(q.node.Dynamic, func(d plan.DynamicFilter) bool { return d.TopN }) {
		q.narrowAt = 2*q.taken + 1 // often at first, then seldom: every time all tasks are looked at
		q.narrow()
	}
	if len(q.tasks) == 0 {
		return nil, storage.ScanTask{}, false
	}
	task := q.tasks[0]
	q.tasks = q.tasks[1:]
	q.taken++
	return q.scan, task, true
}

// narrow applies the dynamic filters that are known by now.
func (q *taskQueue) narrow() {
	filters := runtimeFilters(q.node, q.filters)
	if len(filters) == 0 || len(q.tasks) == 0 {
		return
	}
	q.scan = q.scan.Narrow(filters)
	type part struct {
		path   string
		offset int64
	}
	left := map[part]bool{}
	for _, t := range q.scan.Tasks() {
		left[part{t.File.Path, t.Offset}] = true
	}
	q.tasks = slices.DeleteFunc(slices.Clone(q.tasks), func(t storage.ScanTask) bool { return !left[part{t.File.Path, t.Offset}] })
	if q.stats != nil {
		q.stats.narrowed(q.node, q.scan)
	}
}

// order puts the files first whose rows a top-N filter wants first, by the
// bounds of its column.
func (q *taskQueue) order() {
	i := slices.IndexFunc(q.node.Dynamic, func(d plan.DynamicFilter) bool { return d.TopN })
	if i < 0 {
		return
	}
	d := q.node.Dynamic[i]
	bounds := map[string]storage.ColumnStats{}
	for _, t := range q.tasks {
		if s, ok := q.scan.ColumnStatistics(t, d.Column); ok && s.Min != nil {
			bounds[t.File.Path] = s
		}
	}
	slices.SortStableFunc(q.tasks, func(a, b storage.ScanTask) int {
		x, knownX := bounds[a.File.Path]
		y, knownY := bounds[b.File.Path]
		switch {
		case !knownX && !knownY:
			return 0
		case !knownX:
			return 1
		case !knownY:
			return -1
		case d.Descending:
			order, _ := types.CompareValues(x.Type, y.Max, x.Max)
			return order
		}
		order, _ := types.CompareValues(x.Type, x.Min, y.Min)
		return order
	})
}
