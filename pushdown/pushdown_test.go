package pushdown_test

import (
	"context"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/pushdown"
	"github.com/tarndb/tarn/sql/bind"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/parser"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the expected plans")

// source is a table whose storage applies conjuncts on day (a partition
// column) and on the columns that begin with "exact" exactly, those on columns
// that begin with "inexact" inexactly, and no others.
type source struct {
	storage.ScanBuilder
	name   string
	schema types.Schema
}

func (s *source) Name() types.TableName        { return types.TableName{Name: s.name} }
func (s *source) Schema() types.Schema         { return s.schema }
func (s *source) PartitionColumns() []string   { return []string{"day"} }
func (s *source) NewScan() storage.ScanBuilder { return s }

// EstimatedRows is the number in a name such as r200.
func (s *source) EstimatedRows() int64 {
	n, err := strconv.ParseInt(strings.TrimPrefix(s.name, "r"), 10, 64)
	if err != nil {
		return 1000
	}
	return n
}

func (s *source) Support(conjunct expr.Expr) storage.FilterSupport {
	support := storage.Exact
	for _, c := range expr.Columns(conjunct) {
		switch {
		case c.Name == "day" || strings.HasPrefix(c.Name, "exact"):
		case strings.HasPrefix(c.Name, "inexact"):
			support = min(support, storage.Inexact)
		default:
			support = storage.Unsupported
		}
	}
	return support
}

// catalog has every table, each one once.
type catalog map[string]*source

func (c catalog) Resolve(_ context.Context, n types.TableName, _ *plan.AsOf) (plan.Source, error) {
	var fields []types.Field
	for _, name := range []string{"id", "day", "exact_n", "inexact_n", "other"} {
		t := types.Of(types.Int)
		if name == "day" {
			t = types.Of(types.Date)
		}
		fields = append(fields, types.Field{Name: name, Type: t, Nullable: true})
	}
	if c[n.Name] == nil {
		c[n.Name] = &source{name: n.Name, schema: types.Schema{Fields: fields}}
	}
	return c[n.Name], nil
}

func (c catalog) Target(ctx context.Context, n types.TableName) (plan.Source, error) {
	return c.Resolve(ctx, n, nil)
}

// TestPlans compares rewritten plans with testdata/plans.test: a statement, a
// line "----", the plan, an empty line.
func TestPlans(t *testing.T) {
	const file = "testdata/plans.test"
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var out strings.Builder
	for _, block := range strings.Split(strings.TrimSpace(string(data)), "\n\n") {
		text, want, _ := strings.Cut(block+"\n", "\n----\n")
		want = strings.TrimSpace(want)
		var sql []string
		for _, line := range strings.Split(text, "\n") {
			if !strings.HasPrefix(line, "#") {
				sql = append(sql, line)
			}
		}
		query := strings.Join(sql, "\n")
		stmt, err := parser.Parse(query)
		require.NoError(t, err, query)
		node, err := bind.Statement(context.Background(), stmt, bind.Options{Catalog: catalog{}, Text: query})
		require.NoError(t, err, query)
		node, err = pushdown.Rewrite(node)
		require.NoError(t, err, query)
		got := strings.TrimRight(plan.Format(node, nil), "\n")
		if !*rewrite {
			require.Equal(t, want, got, query)
		}
		out.WriteString(text + "\n----\n" + got + "\n\n")
	}
	if *rewrite {
		require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o644))
	}
}
