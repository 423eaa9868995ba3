package conformance

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the expected output of the SQL scripts")

// step is a directive of a script with its input and expected output:
//
//	exec            runs statements; the output is the number of rows changed
//	query           runs a query; the output is its rows, in order
//	sorted          the same, with the rows sorted
//	error           runs a statement that must fail; the output is the error
//
// A format behind the directive, as in "query delta", is the only one whose tables
// the step is for.
//
// A line "----" stands between input and output, and an empty line ends a
// step. Lines that begin with # are comments.
type step struct {
	comments  string
	directive string
	input     string
	expected  string
	line      int
}

func parseScript(t *testing.T, path string) []step {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var steps []step
	var s step
	section := 0 // before the directive, in the input, in the output
	for i, line := range strings.Split(string(data), "\n") {
		switch {
		case section == 0 && (line == "" || strings.HasPrefix(line, "#")):
			s.comments += line + "\n"
		case section == 0:
			s.directive, s.line, section = line, i+1, 1
		case section == 1 && line == "----":
			section = 2
		case section == 1:
			s.input += line + "\n"
		case line == "":
			steps = append(steps, s)
			s, section = step{}, 0
		default:
			s.expected += line + "\n"
		}
	}
	require.Zero(t, section, "%s: the last step does not end with an empty line", path)
	return steps
}

// TestScripts runs every script on a directory, in memory, with so little memory
// for rows that operators use temporary files, and on Iceberg tables.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.test"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		for _, store := range []string{"file", "memory", "spilling", "iceberg"} {
			t.Run(store+"/"+filepath.Base(file), func(t *testing.T) {
				dsn := "memory://"
				switch store {
				case "file":
					dsn = t.TempDir()
				case "iceberg":
					dsn += "?format=iceberg"
				case "spilling":
					dsn += "?memory_limit=64KiB&temp_dir=" + t.TempDir()
				}
				runScript(t, file, dsn)
			})
		}
	}
}

func runScript(t *testing.T, file, dsn string) {
	db, err := sql.Open("tarn", dsn)
	require.NoError(t, err)
	defer db.Close()
	conn, err := db.Conn(context.Background())
	require.NoError(t, err)
	defer conn.Close()
	var out strings.Builder
	for _, s := range parseScript(t, file) {
		directive, only, _ := strings.Cut(s.directive, " ")
		isIceberg := strings.Contains(dsn, "format=iceberg")
		got := s.expected
		if only == "" || (only == "iceberg") == isIceberg {
			got = runStep(conn, directive, s.input)
		}
		if !*rewrite {
			require.Equal(t, s.expected, got, "%s:%d: %s", file, s.line, s.input)
		}
		fmt.Fprintf(&out, "%s%s\n%s----\n%s\n", s.comments, s.directive, s.input, got)
	}
	if *rewrite {
		require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o644))
	}
}

// memoryLines are what EXPLAIN ANALYZE says of the memory of a node.
var memoryLines = regexp.MustCompile(`(?m)^ *(memory|spilled): .*\n`)

// varying is what differs from run to run: the random part of a file's name,
// and the sizes and times that EXPLAIN shows.
var varying = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\([0-9.]+ [KMG]?i?B of [0-9.]+ [KMG]?i?B\)|read: [0-9.]+ [KMG]?i?B of.*|, time of all .*| rows in [0-9.]+.*`)

// commitTime is when a commit that an error is about took place.
var commitTime = regexp.MustCompile(`(newest version, [0-9]+ of )[^ ]+`)

// fileName is a data file's name, without the partition, in each format.
var fileName = regexp.MustCompile(`(data/)?([^ \n]*/)?(part-[0-9]{5}|[0-9]{5}-0)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}[-.0-9a-z]*\.parquet`)

func mask(text string) string {
	text = fileName.ReplaceAllString(text, "$2….parquet")
	text = strings.ReplaceAll(text, "=__HIVE_DEFAULT_PARTITION__/", "=null/")
	return varying.ReplaceAllString(memoryLines.ReplaceAllString(text, ""), "…")
}

func runStep(conn *sql.Conn, directive, input string) string {
	ctx := context.Background()
	switch directive {
	case "exec":
		r, err := conn.ExecContext(ctx, input)
		if err != nil {
			return "ERROR " + err.Error() + "\n"
		}
		n, err := r.RowsAffected()
		if err != nil {
			return "ERROR " + err.Error() + "\n"
		}
		return fmt.Sprintf("%d rows\n", n)
	case "error":
		if _, err := conn.ExecContext(ctx, input); err != nil {
			return commitTime.ReplaceAllString(err.Error(), "$1…") + "\n"
		}
		return "no error\n"
	case "query", "sorted":
		answer, err := queryConn(ctx, conn, input)
		if err != nil {
			return "ERROR " + err.Error() + "\n"
		}
		return mask(answer.table(directive == "sorted"))
	}
	return "unknown directive " + directive + "\n"
}
