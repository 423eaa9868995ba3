package plan

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// declared is what the files of this package declare of their node types.
type declared struct {
	structs map[string]*ast.StructType
	methods map[string][]string // by receiver
}

func parsePackage(t *testing.T) declared {
	t.Helper()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	d := declared{structs: map[string]*ast.StructType{}, methods: map[string][]string{}}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, d.note)
	}
	return d
}

func (d declared) note(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.TypeSpec:
		if s, ok := n.Type.(*ast.StructType); ok {
			d.structs[n.Name.Name] = s
		}
	case *ast.FuncDecl:
		if n.Recv != nil {
			name := strings.TrimPrefix(typeText(n.Recv.List[0].Type), "*")
			d.methods[name] = append(d.methods[name], n.Name.Name)
		}
	}
	return true
}

// typeText prints the types that fields of nodes have.
func typeText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return "*" + typeText(e.X)
	case *ast.ArrayType:
		return "[]" + typeText(e.Elt)
	case *ast.SelectorExpr:
		return typeText(e.X) + "." + e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

// nodeTypes lists the nodes of plans.
func (d declared) nodeTypes() []string {
	var out []string
	for name, methods := range d.methods {
		if slices.Contains(methods, "Explain") && ast.IsExported(name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// hasExprs reports whether a struct holds expressions, perhaps in others.
func (d declared) hasExprs(name string) bool {
	for _, f := range d.structs[name].Fields.List {
		text := strings.TrimLeft(typeText(f.Type), "[]*")
		if text == "expr.Expr" || text != "Node" && d.structs[text] != nil && d.hasExprs(text) {
			return true
		}
	}
	return false
}

// ownExprs are nodes whose expressions are not over their input's rows: over
// those of a table, or of another node, or of no other meaning than the
// statement's.
var ownExprs = []string{"Scan", "Apply", "Insert", "Delete", "Update", "Merge"}

// TestNodesMapTheirExprs asks every node with expressions for MapExprs, without
// which a rewrite would pass over them.
func TestNodesMapTheirExprs(t *testing.T) {
	d := parsePackage(t)
	nodes := d.nodeTypes()
	require.Contains(t, nodes, "Filter")
	for _, name := range nodes {
		if d.hasExprs(name) && !slices.Contains(ownExprs, name) {
			require.Contains(t, d.methods[name], "MapExprs", name)
		}
	}
}
