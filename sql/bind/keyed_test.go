package bind_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/bind"
	"github.com/tarndb/tarn/sql/parser"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// keyedTable is a table whose keys are a and b.
type keyedTable struct{ source }

func (keyedTable) KeyColumns() []string { return []string{"b", "a"} }
func (keyedTable) Properties() map[string]string {
	return map[string]string{"tarn.delete.mode": "Equality"}
}

// keylessTable names none.
type keylessTable struct{ source }

func (keylessTable) Properties() map[string]string {
	return map[string]string{"tarn.delete.mode": "equality"}
}

type keyedCatalog struct{}

func (keyedCatalog) Resolve(_ context.Context, name types.TableName, _ *plan.AsOf) (plan.Source, error) {
	s := source{name: name, schema: types.Schema{Fields: []types.Field{{Name: "a", Type: types.Of(types.Int)}, {Name: "b", Type: types.Of(types.String), Nullable: true},
		{Name: "c", Type: types.Of(types.Double), Nullable: true}, {Name: "d", Type: types.Type{Kind: types.String, Char: types.Char, Length: 3}, Nullable: true}}}}
	if name.Name == "keyless" {
		return keylessTable{s}, nil
	}
	return keyedTable{s}, nil
}

func (c keyedCatalog) Target(ctx context.Context, name types.TableName) (plan.Source, error) {
	return c.Resolve(ctx, name, nil)
}

func planOf(t *testing.T, text string) string {
	s, err := parser.ParseAll(text)
	require.NoError(t, err)
	n, err := bind.Statement(context.Background(), s[0].Stmt, bind.Options{Catalog: keyedCatalog{}, Text: text})
	require.NoError(t, err, text)
	return plan.Format(n, nil)
}

func TestKeysOfTheTable(t *testing.T) {
	require.Contains(t, planOf(t, "UPSERT INTO keyed VALUES (1, 'x', 1, 'd')"), "Upsert into keyed\n    keys: b, a\n")
	require.Contains(t, planOf(t, "UPSERT INTO keyed KEYS (a) VALUES (1, 'x', 1, 'd')"), "keys: a\n")
}

// TestDeleteByKey shows which conditions say nothing but what keys are equal to.
func TestDeleteByKey(t *testing.T) {
	const byKey, reading = "Delete keys from", "Delete from"
	for _, c := range []struct{ text, want, rows string }{
		{"DELETE FROM keyed WHERE a = 1 AND b = 'x'", byKey, "(1 rows)"},
		{"DELETE FROM keyed WHERE 'x' = b AND a IN (1, 2, NULL)", byKey, "(2 rows)"},
		{"DELETE FROM keyed WHERE b IN ('x', 'y') AND a IN (1, 2, 3)", byKey, "(6 rows)"},
		{"DELETE FROM keyed WHERE a = 1", reading, ""},
		{"DELETE FROM keyed", reading, ""},
		{"DELETE FROM keyed WHERE a = 1 AND b = 'x' AND c = 1", reading, ""},
		{"DELETE FROM keyed WHERE a = 1 AND b = 'x' AND d = 'd'", reading, ""},
		{"DELETE FROM keyed WHERE a = 1 OR b = 'x'", reading, ""},
		{"DELETE FROM keyed WHERE a = 1 AND b = 'x' AND a = 2", reading, ""},
		{"DELETE FROM keyed WHERE a > 1 AND b = 'x'", reading, ""},
		{"DELETE FROM keyed WHERE a = 1.5 AND b = 'x'", reading, ""},
		{"DELETE FROM keyed WHERE a = a AND b = 'x'", reading, ""},
		{"DELETE FROM keyed WHERE a = 1 AND b = (SELECT 'x')", reading, ""},
		{"DELETE FROM keyless WHERE a = 1", byKey, "(1 rows)"},
		{"DELETE FROM keyless WHERE c = 1", reading, ""},
		{"DELETE FROM keyless WHERE d = 'abc'", reading, ""},
		{"DELETE FROM keyless WHERE a = 1 AND a = 2", reading, ""},
		{"DELETE FROM keyless", reading, ""},
	} {
		got := planOf(t, c.text)
		require.Contains(t, got, c.want, c.text)
		require.Contains(t, got, c.rows, c.text)
	}
}
