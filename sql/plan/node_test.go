package plan

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
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
var ownExprs = []string{"Scan", "Apply", "Insert", "Delete", "Update", "Merge", "Upsert", "DeleteKeys"}

// table is a Source for tests.
type table struct{}

func (table) Name() types.TableName      { return types.TableName{Name: "t"} }
func (table) PartitionColumns() []string { return nil }
func (table) Schema() types.Schema {
	return types.Schema{Fields: []types.Field{{Name: "a", Type: types.Of(types.Int)}, {Name: "b", Type: types.Of(types.Int)}}}
}

// everyNode gives nodes of every type that print every line they can.
func everyNode(t *testing.T) []Node {
	scan := &Scan{Source: table{}, AsOf: &AsOf{Ref: "x"}, Dynamic: []DynamicFilter{{ID: 1}},
		Spec: ScanSpec{Columns: []string{"a", "b"}, PartitionFilter: expr.True, DataFilter: expr.True, Residual: expr.True, LimitHint: 1}}
	a := ColumnOf(scan, 0)
	count, err := eval.ResolveAggregate("count", nil, false)
	require.NoError(t, err)
	window, err := Numbered(scan, "row_number", []expr.Expr{a}, []SortKey{{Expr: a}})
	require.NoError(t, err)
	rows := &WorkingTable{}
	shared := NewShared(scan, 1)
	rules := []Rule{{Name: "r", Condition: expr.True}}
	nodes := []Node{scan, &Values{}, &Feed{}, &Filter{Input: scan, Condition: expr.True}, &Project{Input: scan, Exprs: []expr.Expr{a}, Names: []string{"a"}},
		&Aggregate{Input: scan, Keys: []expr.Expr{a}, KeyNames: []string{"a"}, Aggregates: []AggregateCall{{Function: count}}}, window,
		&Expand{Input: scan, Sets: [][]expr.Expr{{a}}, Names: []string{"x"}}, &Sort{Input: scan, Keys: []SortKey{{Expr: a}}},
		&Limit{Input: scan, Count: NoLimit}, &Limit{Input: scan, Count: 1, Offset: 1}, &Union{Inputs: []Node{scan, scan}},
		&Apply{Kind: LeftJoin, Left: scan, Right: scan, Params: []Param{{Value: a}}, Condition: expr.True},
		NewGenerate(scan, &eval.Generator{Args: []expr.Expr{a}}, false), NewGenerate(scan, &eval.Generator{Args: []expr.Expr{a}}, true),
		&Recursion{Anchor: scan, Step: scan, Rows: rows}, &Recursion{Anchor: scan, Step: scan, Rows: rows, Distinct: true}, rows, shared, shared.Rows,
		&Insert{Target: table{}, Input: scan, Rules: rules}, &Insert{Target: table{}, Input: scan, Overwrite: true},
		&Insert{Target: table{}, Input: scan, Overwrite: true, ReplaceWhere: expr.True}, &Delete{Target: table{}, Input: scan},
		&Update{Target: table{}, Input: scan, Rules: rules}, &Merge{Target: table{}, Input: scan, Clauses: []MergeClause{{}}, Rules: rules},
		&Upsert{Target: table{}, Input: scan, Rules: rules}, &DeleteKeys{Target: table{}, Input: scan, Keys: []string{"a"}},
		&CreateTable{Name: table{}.Name(), Partition: []PartitionField{{Column: "a"}}, KeyColumns: []string{"a"}}, &DropTable{Name: table{}.Name()}, &ShowTables{}, &Describe{Target: table{}}, &Explain{Input: scan}, &Session{}}
	for kind := range RightAntiJoin + 1 {
		nodes = append(nodes, &Join{Kind: kind, Left: scan, Right: scan, Keys: []JoinKey{{Left: a, Right: a, Feeds: 1}}, Condition: expr.True, NullAware: true})
	}
	return nodes
}

// TestTermsAreComplete explains every line that EXPLAIN may print of a node, and
// no other.
func TestTermsAreComplete(t *testing.T) {
	nodes := everyNode(t)
	types, met := map[string]bool{}, map[string]bool{}
	for _, n := range nodes {
		types[strings.TrimPrefix(fmt.Sprintf("%T", n), "*plan.")] = true
		for _, line := range n.Explain() {
			explained := false
			for _, term := range Terms() {
				if term.Matches(line) {
					explained, met[term.Line] = true, true
				}
			}
			require.True(t, explained, "%q has no term", line)
		}
	}
	for _, name := range parsePackage(t).nodeTypes() {
		require.True(t, types[name], "everyNode has no %s", name)
	}
	for _, term := range Terms() {
		require.True(t, met[term.Line], "no node prints %q", term.Line)
	}
}

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
