package scanning

import "github.com/tarndb/tarn/storage"

// Narrow keeps the tasks of files that may have a row which is still wanted. A
// file's tasks lie together, the one at offset 0 first. name is how the summary
// names a file.
func Narrow(tasks []storage.ScanTask, summary storage.ScanSummary, mayMatch func(storage.DataFile) bool, name func(storage.DataFile) string) ([]storage.ScanTask, storage.ScanSummary) {
	var kept []storage.ScanTask
	summary.FilesSelected, summary.BytesSelected = 0, 0
	matches := false
	for _, t := range tasks {
		if t.Offset == 0 {
			if matches = mayMatch(t.File); matches {
				summary.FilesSelected++
				summary.BytesSelected += t.File.SizeBytes
			} else {
				summary.SkippedAtRunTime = append(summary.SkippedAtRunTime, name(t.File))
			}
		}
		if matches {
			kept = append(kept, t)
		}
	}
	return kept, summary
}
