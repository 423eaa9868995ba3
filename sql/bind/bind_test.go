package bind_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/bind"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/parser"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

var errNoTable = errors.New("table not found")

// source is a table of the test catalog.
type source struct {
	name   types.TableName
	schema types.Schema
	rules  []types.WriteRule
}

func (s source) Name() types.TableName         { return s.name }
func (s source) Schema() types.Schema          { return s.schema }
func (s source) PartitionColumns() []string    { return nil }
func (s source) WriteRules() []types.WriteRule { return s.rules }

// catalog has the tables t(id, name, s), u(id, amount, day), x.t(id) and
// ruled(a, b, c), of which c is computed.
type catalog struct{}

func (catalog) Resolve(_ context.Context, name types.TableName, _ *plan.AsOf) (plan.Source, error) {
	field := func(name string, t types.Type) types.Field { return types.Field{Name: name, Type: t, Nullable: true} }
	id := types.Field{Name: "id", Type: types.Of(types.Int)}
	s := source{name: name}
	switch name.String() {
	case "t":
		nested := types.StructOf(field("x", types.Of(types.Int)), field("id", types.Of(types.Int)))
		s.schema.Fields = []types.Field{id, field("name", types.Of(types.String)), field("s", nested), field("m", types.MapOf(types.Of(types.Int), types.Of(types.Int), true))}
	case "u":
		s.schema.Fields = []types.Field{id, field("amount", types.DecimalOf(8, 2)), field("day", types.Of(types.Date))}
	case "x.t":
		s.schema.Fields = []types.Field{id}
	case "ruled":
		s.schema.Fields = []types.Field{field("a", types.Of(types.Int)), field("b", types.Of(types.Int)), field("c", types.Of(types.Int))}
		s.rules = []types.WriteRule{{Kind: types.RuleCheck, Name: "positive", Text: "a > 0"}, {Kind: types.RuleDefault, Column: "b", Text: "41 + 1"}, {Kind: types.RuleGenerated, Column: "c", Text: "a + b"}}
	default:
		return nil, fmt.Errorf("%w: %s", errNoTable, name)
	}
	return s, nil
}

func (c catalog) Target(ctx context.Context, name types.TableName) (plan.Source, error) {
	return c.Resolve(ctx, name, nil)
}

func bound(text string, o bind.Options) (plan.Node, error) {
	statements, err := parser.ParseAll(text)
	if err != nil {
		return nil, err
	}
	o.Catalog, o.Text = catalog{}, text
	return bind.Statement(context.Background(), statements[len(statements)-1].Stmt, o)
}

// TestPlans shows how names are resolved where that is not plain.
func TestPlans(t *testing.T) {
	vienna, err := time.LoadLocation("Europe/Vienna")
	require.NoError(t, err)
	for _, c := range []struct{ text, want string }{
		// A name with several parts is a column of a table before it is a field.
		{"SELECT t.s.id, s.x, t.id FROM t", "Project s.id AS id, s.x AS x, id\n  Scan t\n      columns: id, name, s, m"},
		{"SELECT * FROM (SELECT id AS t, s FROM t) t WHERE t.t = 1", "Project t, s\n  Filter t = 1"},
		// USING and NATURAL: the key first and once; qualified names still reach both.
		{"SELECT * FROM t JOIN u USING (id)", "Project id, name, s, m, amount, day"},
		{"SELECT id, t.id, u.id FROM t LEFT JOIN u USING (id)", "Project id, t.id, u.id\n  Project t.id, t.id,"},
		{"SELECT id FROM t RIGHT JOIN u USING (id)", "Project id\n  Project u.id, t.id,"},
		{"SELECT id FROM t FULL JOIN u USING (id)", "Project id\n  Project coalesce(t.id, u.id) AS id, t.id,"},
		{"SELECT * FROM t NATURAL JOIN u", "Project id, name, s, m, amount, day"},
		{"SELECT u.* FROM t JOIN u USING (id)", "Project u.id, amount, day"},
		{"SELECT * FROM t LEFT SEMI JOIN u USING (id)", "Project id, name, s, m"},
		// A common table expression hides a table, itself sees what came before it.
		{"WITH t AS (SELECT id FROM t WHERE id > 1) SELECT * FROM t", "Scan t"},
		{"WITH a AS (SELECT 1 AS v), a AS (SELECT v + 1 AS v FROM a) SELECT v FROM a", "Project v + 1 AS v\n    Project 1 AS v"},
		{"WITH t AS (SELECT 1 AS v) SELECT v FROM t UNION ALL SELECT id FROM x.t", "Scan x.t"},
		// ORDER BY: output names first, in expressions too; then the input.
		{"SELECT -id AS id FROM u ORDER BY id", "Sort id"},
		{"SELECT -id AS id FROM u ORDER BY id + 1", "Sort `(-id) + 1`"},
		{"SELECT id FROM u ORDER BY amount", "Sort amount"},
		{"SELECT id AS i FROM u ORDER BY u.id", "Sort i"},
		{"SELECT id, amount FROM u ORDER BY 2 DESC NULLS FIRST", "Sort amount DESC NULLS FIRST"},
		// GROUP BY and HAVING: columns first, then aliases.
		{"SELECT id % 2 AS odd, count(*) FROM u GROUP BY odd", "keys: id % 2"},
		{"SELECT -id AS id, count(*) FROM u GROUP BY id", "keys: id"},
		{"SELECT id, count(*) AS n FROM u GROUP BY id HAVING n > 1", "Filter `count(*)` > 1"},
		{"SELECT id, sum(amount) AS s, s / 2 AS half FROM u GROUP BY ALL", "keys: id"},
		// Lateral aliases; a column of the name wins.
		{"SELECT id + 1 AS a, a * 2 AS b FROM u", "Project id + 1 AS a, (id + 1) * 2 AS b"},
		{"SELECT id + 1 AS amount, amount FROM u", "Project id + 1 AS amount, amount"},
		{"SELECT named_struct('k', id) AS p, p.k + 1 FROM u ORDER BY p.k", "Sort"},
		// * with EXCEPT and REPLACE.
		{"SELECT * EXCEPT (name, S) FROM t", "Project id, m\n"},
		{"SELECT u.* REPLACE (amount * 2 AS amount) FROM u", "AS amount, day"},
		{"SELECT * EXCEPT (id) FROM t JOIN u USING (id)", "Project name, s, m, amount, day"},
		// The same aggregate is computed once.
		{"SELECT sum(amount), sum(amount) + 1 FROM u ORDER BY sum(amount)", "aggregates: sum(amount)\n"},
		// Rules of a table.
		{"INSERT INTO ruled (a) VALUES (1)", "check positive: a > 0\n  Project a, 42 AS b, a + 42 AS c\n    Values"},
		{"INSERT INTO ruled (a) SELECT id FROM u", "Project id AS a, 42 AS b, id + 42 AS c"},
		{"UPDATE ruled SET a = a + 1", "(a + 1) + b AS c"},
		{"UPDATE ruled SET a = 7, c = DEFAULT", "7 + b AS c"},
		// Times that a zone skips or repeats are the same in every form of time travel.
		{"SELECT * FROM t@20240331023000000", "Scan t TIMESTAMP AS OF '2024-03-31 01:30:00Z'"},
		{"SELECT * FROM t TIMESTAMP AS OF '2024-03-31 02:30:00'", "Scan t TIMESTAMP AS OF '2024-03-31 01:30:00Z'"},
		{"SELECT * FROM t@20241027023000123", "Scan t TIMESTAMP AS OF '2024-10-27 00:30:00.123Z'"},
	} {
		node, err := bound(c.text, bind.Options{Env: &eval.Env{Zone: vienna}})
		require.NoError(t, err, c.text)
		require.Contains(t, plan.Format(node, nil), c.want, c.text)
	}
}

func TestSchemaOfTheSession(t *testing.T) {
	for _, c := range []struct{ schema, table, want string }{
		{"", "t", "Scan t\n"}, {"x", "t", "Scan x.t\n"}, {"x", "default.t", "Scan t\n"}, {"x", "DEFAULT.u", "Scan u\n"}, {"default", "u", "Scan u\n"},
	} {
		node, err := bound("SELECT * FROM "+c.table, bind.Options{Schema: c.schema})
		require.NoError(t, err)
		require.Contains(t, plan.Format(node, nil), c.want)
	}
	node, err := bound("CREATE TABLE n (id INT)", bind.Options{Schema: "x", Format: "delta"})
	require.NoError(t, err)
	create := node.(*plan.CreateTable)
	require.Equal(t, "x.n delta", create.Name.String()+" "+create.Format)
	node, err = bound("USE x", bind.Options{})
	require.NoError(t, err)
	require.Equal(t, &plan.Session{Action: plan.Set, Name: "schema", Value: "x"}, node)
}

// TestMergeValues: generated columns are computed where no value is given.
func TestMergeValues(t *testing.T) {
	for insert, want := range map[string]string{
		"VALUES (id, 5)":                    "id, 5, id + 5",
		"VALUES (id, DEFAULT)":              "id, 42, id + 42",
		"(a) VALUES (id)":                   "id, 42, id + 42",
		"(c, a, b) VALUES (DEFAULT, id, 1)": "id, 1, id + 1",
		"(a, c) VALUES (id, 7)":             "id, 42, 7",
	} {
		node, err := bound("MERGE INTO ruled USING u ON a = id WHEN NOT MATCHED THEN INSERT "+insert, bind.Options{})
		require.NoError(t, err, insert)
		var values []string
		for _, v := range node.(*plan.Merge).Clauses[0].Values {
			values = append(values, v.String())
		}
		require.Equal(t, want, strings.Join(values, ", "), insert)
	}
	_, err := bound("MERGE INTO ruled USING u ON a = id WHEN NOT MATCHED THEN INSERT VALUES (id, 1, 2)", bind.Options{})
	require.ErrorIs(t, err, bind.ErrInvalidSQL)
}

// errorPlaces are texts with the place and the kind of what is wrong in them.
var errorPlaces = []struct {
	text         string
	line, column int
	sentinel     error
	message      string
}{
	{"SELECT nam FROM t", 1, 8, bind.ErrColumnNotFound, "nam; did you mean name?"},
	{"SELECT\n  id,\n\tnope FROM u", 3, 2, bind.ErrColumnNotFound, "nope; the columns are id, amount, day"},
	{"SELECT 'é', nope FROM u", 1, 13, bind.ErrColumnNotFound, "nope"},
	{"SELECT 1; SELECT nope FROM u", 1, 18, bind.ErrColumnNotFound, "nope"},
	{"SELECT s.y FROM t", 1, 10, bind.ErrColumnNotFound, "s has no field y"},
	{"SELECT name.x FROM t", 1, 13, bind.ErrColumnNotFound, "it is a STRING"},
	{"SELECT v.* FROM t", 1, 8, bind.ErrColumnNotFound, "no table v in FROM"},
	{"SELECT * EXCEPT (id, z) FROM u", 1, 22, bind.ErrColumnNotFound, "z"},
	{"SELECT * REPLACE (1 AS z) FROM u", 1, 19, bind.ErrColumnNotFound, "REPLACE names z"},
	{"SELECT id FROM t, u", 1, 8, bind.ErrAmbiguousColumn, "id could be a column of t or of u"},
	{"SELECT id AS a, amount AS a, a FROM u", 1, 30, bind.ErrAmbiguousColumn, "several columns of the select list"},
	{"SELECT id AS a, amount AS a FROM u ORDER BY a", 1, 45, bind.ErrAmbiguousColumn, "several columns of the select list"},
	{"SELECT * FROM t JOIN u USING (name)", 1, 31, bind.ErrColumnNotFound, "exactly one column name on each side"},
	{"SELECT * FROM t JOIN t USING (id) WHERE name = ''", 1, 41, bind.ErrAmbiguousColumn, "name"},
	{"SELECT * FROM nope", 1, 15, errNoTable, "nope"},
	{"WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a", 1, 26, errNoTable, "b"},
	{"SELECT id AS i FROM t WHERE i = 1", 1, 29, bind.ErrColumnNotFound, "i"},
	{"SELECT name, count(*) FROM t", 1, 8, bind.ErrInvalidSQL, "name must stand in GROUP BY"},
	{"SELECT count(*) FROM t GROUP BY id HAVING name > ''", 1, 43, bind.ErrInvalidSQL, "name must stand in GROUP BY"},
	{"SELECT id FROM t GROUP BY id ORDER BY name", 1, 39, bind.ErrInvalidSQL, "name"},
	{"SELECT count(*) FROM t GROUP BY 1", 1, 33, bind.ErrInvalidSQL, "which is an aggregate"},
	{"SELECT id FROM t GROUP BY 2", 1, 27, bind.ErrInvalidSQL, "position 2 is not in the select list"},
	{"SELECT sum(count(*)) FROM t", 1, 12, bind.ErrInvalidSQL, "stands inside the aggregate"},
	{"SELECT count(*) AS n, sum(n) FROM t", 1, 27, bind.ErrInvalidSQL, "over another aggregate"},
	{"SELECT id FROM t WHERE max(id) = 1", 1, 24, bind.ErrInvalidSQL, "can't stand in WHERE"},
	{"SELECT count(*) FILTER (WHERE id) FROM t", 1, 31, eval.ErrTypeMismatch, "FILTER needs a BOOLEAN"},
	{"SELECT id FROM t WHERE name", 1, 24, eval.ErrTypeMismatch, "WHERE needs a BOOLEAN"},
	{"SELECT 1 + array(1)", 1, 8, eval.ErrTypeMismatch, ""},
	{"SELECT upperr(name) FROM t", 1, 8, eval.ErrFunctionNotFound, "did you mean upper?"},
	{"SELECT CAST(1 AS NOSUCH)", 1, 18, bind.ErrInvalidSQL, "there is no type NOSUCH"},
	{"SELECT CAST(1 AS DECIMAL(40,2))", 1, 18, eval.ErrInvalidValue, "precision is 1 to 38"},
	{"SELECT DATE '2024-02-30'", 1, 8, bind.ErrInvalidSQL, `"2024-02-30" is not a DATE`},
	{"SELECT DISTINCT m FROM t", 1, 1, eval.ErrTypeMismatch, "DISTINCT can't compare values of m"},
	{"SELECT m, count(*) FROM t GROUP BY m", 1, 1, eval.ErrTypeMismatch, "GROUP BY can't compare values of m"},
	{"SELECT id FROM t ORDER BY m", 1, 27, eval.ErrTypeMismatch, "ORDER BY can't compare values of m"},
	{"SELECT DISTINCT id FROM u ORDER BY amount", 1, 36, bind.ErrInvalidSQL, "SELECT DISTINCT"},
	{"SELECT id FROM u LIMIT -1", 1, 24, bind.ErrInvalidSQL, "LIMIT needs a whole number"},
	{"SELECT id FROM u UNION SELECT id, day FROM u", 1, 24, bind.ErrInvalidSQL, "1 and 2 columns"},
	{"SELECT id FROM u UNION SELECT m FROM t", 1, 24, eval.ErrTypeMismatch, "no common type: INT, MAP<INT, INT>"},
	{"VALUES (1), (2, 3)", 1, 14, bind.ErrInvalidSQL, "row 2 of VALUES has 2 values"},
	{"SELECT $2", 1, 8, bind.ErrParameter, "parameter 2 has no argument: 1 given"},
	{"SELECT :x", 1, 8, bind.ErrParameter, `no argument is named "x"`},
	{"SELECT 1", 1, 1, bind.ErrParameter, "argument 1 of 1 has no parameter"},
	{"INSERT INTO u VALUES (1, 2)", 1, 23, bind.ErrInvalidSQL, "row 1 has 2 values for 3 columns of u"},
	{"INSERT INTO u (id, ID) VALUES (1, 2)", 1, 20, bind.ErrInvalidSQL, "column ID is named twice"},
	{"INSERT INTO u (id) VALUES (1), (DATE '2024-01-01')", 1, 33, eval.ErrTypeMismatch, "column id is INT"},
	{"UPDATE u SET idd = 1", 1, 14, bind.ErrColumnNotFound, "did you mean id?"},
	{"UPDATE u SET id = 1, id = 2", 1, 22, bind.ErrInvalidSQL, "column id is set twice"},
	{"UPDATE ruled SET c = DEFAULT, c = DEFAULT", 1, 31, bind.ErrInvalidSQL, "column c is set twice"},
	{"DELETE FROM u VERSION AS OF 1", 1, 13, plan.ErrReadOnlySnapshot, "VERSION AS OF 1"},
	{"MERGE INTO u USING t ON u.id = t.id WHEN NOT MATCHED THEN INSERT (id) VALUES (u.id)", 1, 79, bind.ErrColumnNotFound, "u.id"},
	{"MERGE INTO u USING t ON u.id = t.id WHEN NOT MATCHED THEN INSERT (id, id) VALUES (1, 2)", 1, 71, bind.ErrInvalidSQL, "column id is named twice"},
	{"MERGE INTO u USING t ON u.id = t.id WHEN MATCHED THEN UPDATE SET *", 1, 37, bind.ErrColumnNotFound, "no column amount"},
	{"MERGE INTO u USING (SELECT id, id, amount, day FROM u) AS s ON true WHEN MATCHED THEN UPDATE SET *", 1, 69, bind.ErrAmbiguousColumn, "several columns id"},
	{"SELECT id FROM u@v1abc", 1, 17, bind.ErrInvalidSQL, "@v1abc is neither a version"},
	{"SELECT (SELECT 1, 2)", 1, 8, bind.ErrInvalidSQL, "a subquery used as a value must give one column, this one gives 2"},
	{"SELECT 1 IN (SELECT 1, 2)", 1, 8, bind.ErrInvalidSQL, "1 values are compared with a subquery of 2 columns"},
	{"SELECT 1 LIMIT (SELECT 1)", 1, 16, bind.ErrUnsupportedSQL, "a subquery in a constant is not supported yet"},
	{"SELECT id,\n rank() OVER () FROM u", 2, 2, bind.ErrInvalidSQL, "rank needs a window with ORDER BY"},
	{"SELECT sum(DISTINCT id) OVER () FROM u", 1, 8, bind.ErrUnsupportedSQL, "DISTINCT in a window function"},
	{"SELECT id FROM u WHERE 1 = rank() OVER (ORDER BY id)", 1, 28, bind.ErrInvalidSQL, "can't stand in WHERE"},
	{"SELECT max(id) OVER (ORDER BY id ROWS 1.5 PRECEDING) FROM u", 1, 39, eval.ErrTypeMismatch, "bounded by an INT"},
	{"SELECT max(id) OVER (ORDER BY rank() OVER (ORDER BY id)) FROM u", 1, 31, bind.ErrInvalidSQL, "inside the window function"},
	{"SELECT rand() AS r, r + 1", 1, 21, bind.ErrUnsupportedSQL, "r"},
	{"VACUUM t", 1, 1, bind.ErrUnsupportedSQL, "VACUUM t is not supported yet"},
	{"CREATE TABLE n (a INT, b INT DEFAULT 1)", 1, 38, bind.ErrUnsupportedSQL, "a DEFAULT value"},
	{"CREATE TABLE n (a INT) PARTITIONED BY (aa)", 1, 40, bind.ErrColumnNotFound, "PARTITIONED BY names aa"},
	{"DROP TABLE u PURGE", 1, 1, bind.ErrUnsupportedSQL, "DROP TABLE with PURGE"},
	{"USE CATALOG c", 1, 1, bind.ErrUnsupportedSQL, "USE of a catalog"},
}

func TestErrorsHavePlaces(t *testing.T) {
	for _, c := range errorPlaces {
		o := bind.Options{Env: &eval.Env{Now: time.Unix(0, 0)}}
		if errors.Is(c.sentinel, bind.ErrParameter) {
			o.Args = []bind.Arg{{Type: types.Of(types.Int), Value: int64(1)}}
		}
		_, err := bound(c.text, o)
		require.ErrorIs(t, err, c.sentinel, c.text)
		require.ErrorContains(t, err, c.message, c.text)
		var placed *bind.Error
		require.ErrorAs(t, err, &placed, c.text)
		require.Equal(t, [2]int{c.line, c.column}, [2]int{placed.Line, placed.Column}, "%s: %v", c.text, err)
	}
}

func TestInsertFrom(t *testing.T) {
	ctx := context.Background()
	var asked []types.Field
	input := func(fields []types.Field) plan.Node {
		asked = fields
		return &plan.Feed{Fields: fields}
	}
	n, err := bind.InsertFrom(ctx, "ruled", []string{"A"}, input, bind.Options{Catalog: catalog{}})
	require.NoError(t, err)
	require.Equal(t, "Insert into ruled\n    check positive: a > 0\n  Project a, 42 AS b, a + 42 AS c\n    Feed", strings.TrimSpace(plan.Format(n, nil)))
	require.Len(t, asked, 1)
	require.True(t, asked[0].Nullable)
	for text, sentinel := range map[string]error{"ruled x": parser.ErrSyntax, "": parser.ErrSyntax, "nope": errNoTable, "ruled@v1": parser.ErrSyntax} {
		_, err := bind.InsertFrom(ctx, text, nil, input, bind.Options{Catalog: catalog{}})
		require.ErrorIs(t, err, sentinel, text)
	}
}
