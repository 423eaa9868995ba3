package conformance

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/conformance/sharedtest"
)

const module = "github.com/tarndb/tarn"

// mayImport says which of the module's packages a package may import besides
// itself and what is below it. A trailing /... covers a tree. This is the
// direction of the layers: sql <- storage <- pushdown <- exec <- driver, and
// storage <- txn <- driver.
var mayImport = []struct {
	pkg     string
	imports []string
}{
	{"sql/types", nil},
	{"sql/vector", []string{"sql/types"}},
	{"sql/expr", []string{"sql/types"}},
	{"sql/variant", []string{"sql/types"}},
	{"sql/eval", []string{"sql/types", "sql/expr", "sql/vector", "sql/variant"}},
	{"sql/ast", nil},
	{"sql/parser", []string{"sql/ast"}},
	{"sql/plan", []string{"sql/types", "sql/expr", "sql/vector", "sql/eval"}},
	{"sql/bind", []string{"sql/types", "sql/expr", "sql/eval", "sql/ast", "sql/parser", "sql/plan"}},
	{"storage/catalog", []string{"sql/types", "storage", "storage/object", "storage/delta", "storage/iceberg"}},
	{"storage/...", []string{"sql/types", "sql/expr", "sql/variant", "sql/vector", "sql/eval", "storage/..."}},
	{"pushdown", []string{"sql/...", "storage"}},
	{"txn", []string{"sql/types", "sql/expr", "sql/vector", "sql/plan", "storage"}},
	{"exec", []string{"sql/...", "pushdown", "storage"}},
	{"driver", []string{"sql/...", "pushdown", "storage", "storage/object", "storage/catalog", "exec", "txn"}},
	{"conformance/...", []string{"..."}},
	{"examples/...", []string{"driver"}},
}

// doors are the foreign packages that only one package may import.
var doors = map[string]string{
	"github.com/xwb1989/sqlparser":             "sql/parser",
	"github.com/parquet-go/parquet-go":         "storage/parquet",
	"github.com/parquet-go/parquet-go/variant": "sql/variant",
	"github.com/RoaringBitmap/roaring/v2":      "storage/deletes",
	"github.com/parquet-go/bitpack":            "storage/parquet",
	"github.com/klauspost/compress":            "storage/parquet",
	"github.com/pierrec/lz4":                   "storage/parquet",
	"github.com/andybalholm/brotli":            "storage/parquet",
	"github.com/twmb/avro":                     "storage/iceberg",
	"github.com/twmb/murmur3":                  "storage/iceberg",
	"modernc.org/sqlite":                       "storage/catalog/sqlite",
}

// formatPackages are the packages that may import a table format.
var formatPackages = []string{"storage/delta", "storage/iceberg"}

// TestImports holds the import direction, the doors, and that only
// storage/catalog imports a format.
func TestImports(t *testing.T) {
	root := sharedtest.ModuleRoot(t)
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil || strings.HasPrefix(rel, "conformance/interop/") {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(rel))
		isTest := strings.HasSuffix(rel, "_test.go") || strings.HasSuffix(pkg, "test")
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			checkImport(t, rel, pkg, imported, isTest)
		}
		return nil
	}))
}

func checkImport(t *testing.T, file, pkg, imported string, isTest bool) {
	longest := ""
	for prefix := range doors {
		if within(imported, prefix+"/...") && len(prefix) > len(longest) {
			longest = prefix
		}
	}
	if door := doors[longest]; longest != "" && !within(pkg, door+"/...") && !isTest {
		t.Errorf("%s imports %s, which only %s may", file, imported, door)
	}
	own, isOwn := strings.CutPrefix(imported, module+"/")
	if !isOwn || isTest || within(own, pkg+"/...") {
		return
	}
	if pkg == "storage/catalog" || strings.HasPrefix(pkg, "conformance") {
		return
	}
	for _, f := range formatPackages {
		if within(own, f+"/...") && !within(pkg, f+"/...") {
			t.Errorf("%s imports the table format %s; only storage/catalog may", file, own)
		}
	}
	for _, row := range mayImport {
		if !within(pkg, row.pkg) {
			continue
		}
		for _, allowed := range row.imports {
			if allowed == "..." || within(own, allowed) {
				return
			}
		}
		t.Errorf("%s: package %s may not import %s", file, pkg, own)
		return
	}
	t.Errorf("%s: package %s has no row in the table of imports", file, pkg)
}

// within reports whether a package is the pattern or, for a trailing /...,
// below it.
func within(pkg, pattern string) bool {
	tree, isTree := strings.CutSuffix(pattern, "/...")
	return pkg == tree || isTree && strings.HasPrefix(pkg, tree+"/")
}
