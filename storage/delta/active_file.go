package delta

import (
	"strings"

	"github.com/google/btree"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/delta/internal/action"
)

// activeFile is a logical file of a snapshot: a data file and its deletion
// vector. It never changes and is shared by snapshots.
type activeFile struct {
	path        string // decoded
	dv          string // unique id of the deletion vector
	add         *action.Add
	partition   []any // typed
	records     int64 // rows in the data file; -1 if unknown
	knownWriter bool  // the commit says that it is of an engine with exact statistics

	// Of files that this program wrote and that no log names yet:
	written bool   // the data file is one of them
	vector  string // path of the deletion vector that is one of them; empty if none
}

// fileKey identifies a logical file (protocol, "Add File and Remove File").
type fileKey struct{ path, dv string }

func (f *activeFile) key() fileKey { return fileKey{f.path, f.dv} }

func lessFile(a, b *activeFile) bool {
	if c := strings.Compare(a.path, b.path); c != 0 {
		return c < 0
	}
	return a.dv < b.dv
}

const fileTreeDegree = 32

// fileTree holds the files of a snapshot in order of their keys.
type fileTree = btree.BTreeG[*activeFile]

func newFileTree() *fileTree { return btree.NewG(fileTreeDegree, lessFile) }

// newActiveFile understands an add action; its partition values are bound later.
func newActiveFile(a *action.Add, knownWriter bool) (*activeFile, error) {
	path, err := decodePath(a.Path)
	if err != nil {
		return nil, err
	}
	return &activeFile{path: path, dv: a.DeletionVector.UniqueID(), add: a, records: numRecords(a.Stats), knownWriter: knownWriter}, nil
}

// hasExactStats tells whether the statistics come from an engine whose bounds
// have NaN as the largest number and decimals with all their digits.
func (f *activeFile) hasExactStats() bool { return f.knownWriter || isSparkFileName(f.path) }

// isSparkFileName tells the names that Spark, and nobody else, gives to files of
// partitioned tables, with a dot before the counter: part-00000-UUID.c000.….
// They tell the writer of files in checkpoints, which don't say who added what.
func isSparkFileName(path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	const uuidAt, dotAt = len("part-00000-"), len("part-00000-") + 36
	if len(name) < dotAt+len(".c000.") || !strings.HasPrefix(name, "part-") || name[uuidAt-1] != '-' {
		return false
	}
	counter := name[dotAt:]
	return strings.HasPrefix(counter, ".c") && counter[5] == '.' && isDigits(counter[2:5]) && isDigits(name[5:10])
}

func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// deleted is the number of rows that the deletion vector takes away.
func (f *activeFile) deleted() int64 {
	if f.add.DeletionVector == nil {
		return 0
	}
	return f.add.DeletionVector.Cardinality
}

// dataFile is the file as the engine sees it.
func (f *activeFile) dataFile() storage.DataFile {
	return storage.DataFile{Path: f.path, SizeBytes: f.add.Size, Records: f.records, Deleted: f.deleted(), Partition: f.partition, Entry: f}
}

// isKnownWriter tells the engines that count NaN in when they make statistics,
// as the largest number, and write decimals exactly; others do neither.
func isKnownWriter(info *action.CommitInfo) bool {
	return info != nil && (strings.HasPrefix(info.EngineInfo, "Apache-Spark/") || strings.HasPrefix(info.EngineInfo, engineName))
}
