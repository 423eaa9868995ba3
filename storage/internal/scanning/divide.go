package scanning

import "github.com/tarndb/tarn/storage"

// minPartRows is how many rows a part of a task has at least.
const minPartRows = 1 << 17

// Divides tells whether a task of a Parquet file is worth that many parts: a
// worker for each reads the dictionaries again.
func Divides(task storage.ScanTask, parts int) bool {
	return task.File.Records >= int64(parts)*minPartRows
}
