package delta

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

// LogDir is the directory of the log in a table's directory. Without it there is
// no table.
const LogDir = "_delta_log"

// sidecarDir is where the file actions of V2 checkpoints are.
const sidecarDir = "_sidecars"

// lastCheckpointName is the hint where to find the newest checkpoint.
const lastCheckpointName = "_last_checkpoint"

// logFileKind tells the files of a log apart by their names (protocol, "File
// Types").
type logFileKind uint8

const (
	commitFile          logFileKind = iota // n.json
	classicCheckpoint                      // n.checkpoint.parquet
	multiPartCheckpoint                    // n.checkpoint.o.p.parquet
	uuidCheckpoint                         // n.checkpoint.u.json or n.checkpoint.u.parquet
)

// logFile is a file of the log, or a directory that has the name of one.
type logFile struct {
	kind    logFileKind
	version storage.Version
	part    int // of multi-part checkpoints, from 1
	parts   int
	info    object.Info
}

// parseLogFile reads a file's name; ok is false for files that are neither
// commits nor checkpoints, such as checksums and log compactions, whose commits
// are there as well.
func parseLogFile(info object.Info) (f logFile, ok bool) {
	parts := strings.Split(path.Base(info.Path), ".")
	f.info = info
	if f.version, ok = parseVersion(parts[0]); !ok {
		return f, false
	}
	switch {
	case len(parts) == 2 && parts[1] == "json":
		f.kind = commitFile
		return f, true
	case len(parts) < 3 || parts[1] != "checkpoint":
		return f, false
	case len(parts) == 3 && parts[2] == "parquet":
		f.kind = classicCheckpoint
		return f, true
	case len(parts) == 4 && (parts[3] == "parquet" || parts[3] == "json"):
		f.kind = uuidCheckpoint
		return f, true
	case len(parts) == 5 && parts[4] == "parquet":
		f.kind = multiPartCheckpoint
		var err1, err2 error
		f.part, err1 = strconv.Atoi(parts[2])
		f.parts, err2 = strconv.Atoi(parts[3])
		return f, err1 == nil && err2 == nil && f.part >= 1 && f.part <= f.parts
	}
	return f, false
}

// parseVersion reads a version of exactly 20 digits.
func parseVersion(digits string) (storage.Version, bool) {
	if len(digits) != 20 || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return storage.Version(n), err == nil
}

func versionName(v storage.Version) string { return fmt.Sprintf("%020d", v) }

// logPath is the store's path of a file of the log.
func (t *Table) logPath(name string) string { return t.storePath(LogDir + "/" + name) }

func (t *Table) commitPath(v storage.Version) string { return t.logPath(versionName(v) + ".json") }
