package conformance

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/parser"
)

// sparkAnswer is what Spark in ANSI mode says that an expression is worth.
type sparkAnswer struct {
	question string // an expression, perhaps with its FROM clause
	kind     string // what typeof says, or "error"
	value    string // as STRING in JSON form or NULL; of an error SQLSTATE and class
}

func (a sparkAnswer) String() string { return a.kind + " " + a.value }

// TestSparkAnswers asks what Spark was asked (interop/spark_answers.sh), as it
// stands and with the literals in columns, and demands the same answers.
func TestSparkAnswers(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "spark", "*.tsv"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".tsv"), func(t *testing.T) {
			t.Parallel()
			db, err := sql.Open("tarn", "memory://")
			require.NoError(t, err)
			defer db.Close()
			conn, err := db.Conn(context.Background())
			require.NoError(t, err)
			defer conn.Close()
			for _, want := range readSparkAnswers(t, file) {
				got := askLikeSpark(conn, want.question, want.kind)
				switch {
				case !sameAnswer(want, got):
					t.Errorf("%s\n  Spark %s\n  tarn  %s", want.question, want, got)
				case want.kind != "error" && got.kind != "error":
					checkLifted(t, conn, got)
				}
			}
		})
	}
}

// checkLifted asks a question whose answer is known once more with its literals
// in columns. What must be a literal stays one, and what the types of literals
// change (1 + 2.5 has fewer digits than an INT would have) is passed by.
func checkLifted(t *testing.T, conn *sql.Conn, want sparkAnswer) {
	question, ok := lift(want.question)
	if !ok {
		return
	}
	got := askLikeSpark(conn, question, want.kind)
	needsLiteral := got.kind == "error" && strings.HasPrefix(got.value, "42")
	if !needsLiteral && got.kind == want.kind && !sameAnswer(want, got) || got.kind == "error" && !needsLiteral {
		t.Errorf("%s\n  Spark %s\n  tarn  %s", question, want, got)
	}
}

func readSparkAnswers(t *testing.T, file string) []sparkAnswer {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var out []sparkAnswer
	for _, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		parts := strings.Split(line, "\t")
		require.Len(t, parts, 3, line)
		out = append(out, sparkAnswer{parts[0], parts[1], parts[2]})
	}
	return out
}

// askLikeSpark asks a question in the form in which Spark was asked.
func askLikeSpark(conn *sql.Conn, question, kind string) sparkAnswer {
	expression, source := question, ""
	if i := strings.Index(question, " FROM (VALUES"); i >= 0 {
		expression, source = question[:i], question[i:]
	}
	text := "CAST(v AS STRING)"
	if kind == "binary" {
		text = "lower(hex(v))"
	}
	query := fmt.Sprintf("SELECT typeof(v), %s FROM (SELECT %s AS v%s)", text, expression, source)
	var gotKind string
	var value *string
	if err := conn.QueryRowContext(context.Background(), query).Scan(&gotKind, &value); err != nil {
		return sparkAnswer{question, "error", sqlState(err) + " " + err.Error()}
	}
	if value == nil {
		return sparkAnswer{question, gotKind, "NULL"}
	}
	var quoted strings.Builder
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(*value); err != nil {
		return sparkAnswer{question, "error", err.Error()}
	}
	return sparkAnswer{question, gotKind, strings.TrimSuffix(quoted.String(), "\n")}
}

func sqlState(err error) string {
	var e *driver.Error
	if errors.As(err, &e) {
		return e.SQLState()
	}
	return "?????"
}

// noSuchType is what Spark says of a type that there is not, such as NOPE or INT(3).
// It is filed under what is not supported there; here the statement is wrong, as
// with the names of columns and functions.
const noSuchType = "0A000 UNSUPPORTED_DATATYPE"

// sameAnswer compares numbers as numbers, the zeros at the end of a decimal
// being those of its type, other values exactly, and errors by the class of
// SQLSTATE: the statement is wrong (42), or a value (22).
func sameAnswer(want, got sparkAnswer) bool {
	if want.kind == "error" || got.kind == "error" {
		class := want.value[:2]
		if strings.HasPrefix(want.value, noSuchType) {
			class = "42"
		}
		return got.kind == want.kind && class == got.value[:2]
	}
	if want.kind != got.kind || (want.value == "NULL") != (got.value == "NULL") {
		return false
	}
	var w, g string
	if want.value == "NULL" || json.Unmarshal([]byte(want.value), &w) != nil || json.Unmarshal([]byte(got.value), &g) != nil {
		return want.value == got.value
	}
	if want.kind == "float" || want.kind == "double" {
		bits := map[string]int{"float": 32, "double": 64}[want.kind]
		x, errX := strconv.ParseFloat(w, bits)
		y, errY := strconv.ParseFloat(g, bits)
		near := x == y && math.Signbit(x) == math.Signbit(y) || x != x && y != y
		if approximate.MatchString(want.question) { // Java leaves the last digits to the processor
			near = near || math.Abs(x-y) <= 1e-15*math.Abs(x)
		}
		return errX == nil && errY == nil && near
	}
	if strings.HasPrefix(want.kind, "decimal(") && strings.Contains(w, ".") {
		w, g = strings.TrimRight(w, "0"), strings.TrimRight(g, "0")
	}
	return w == g
}

// approximate are the questions about functions whose results no standard gives
// to the last bit.
var approximate = regexp.MustCompile(`^(a?(cos|sin|tan)h?|atan2|cot|cbrt|exp|expm1|hypot|ln|log|log10|log1p|log2|pow|power)\(`)

// lift moves the literals of an expression into the columns of three rows, so
// that nothing of it is constant; ok is false where it has none.
func lift(question string) (lifted string, ok bool) {
	e, err := parser.ParseExpr(question)
	if err != nil {
		return "", false
	}
	var names, values []string
	holder := struct{ E ast.Expr }{e}
	liftLiterals(reflect.ValueOf(&holder).Elem(), func(l *ast.Literal) ast.Expr {
		name := fmt.Sprintf("lifted%d", len(names))
		names, values = append(names, name), append(values, ast.String(l))
		return &ast.ColumnRef{Parts: []ast.Ident{{Name: name}}}
	})
	if len(names) == 0 {
		return "", false
	}
	row := "(" + strings.Join(values, ", ") + ")"
	return fmt.Sprintf("%s FROM (VALUES %s, %s, %s) AS t(%s)", ast.String(holder.E), row, row, row, strings.Join(names, ", ")), true
}

// liftLiterals replaces the literals below v that stand where any expression may.
func liftLiterals(v reflect.Value, replace func(*ast.Literal) ast.Expr) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if l, ok := v.Interface().(*ast.Literal); ok && v.Kind() == reflect.Interface && v.Type() == reflect.TypeFor[ast.Expr]() {
			v.Set(reflect.ValueOf(replace(l)))
		} else if !v.IsNil() {
			liftLiterals(v.Elem(), replace)
		}
	case reflect.Slice:
		for i := range v.Len() {
			liftLiterals(v.Index(i), replace)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				liftLiterals(v.Field(i), replace)
			}
		}
	}
}

// beyondSpark are names that Spark does not have as functions; they mean what
// they mean in other engines.
var beyondSpark = strings.Fields(`array_element array_field bitand bitnot bitor bitxor charindex dayofweek_iso ends_with iff json_extract
	starts_with struct_field subscript week yearofweek`)

// TestSparkAnswersCoverEverything demands a question about each function and
// each aggregate, by each of its names.
func TestSparkAnswersCoverEverything(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "spark", "*.tsv"))
	require.NoError(t, err)
	asked, questions := map[string]bool{}, map[string]bool{}
	name := regexp.MustCompile(`[a-zA-Z_0-9]+\(`)
	for _, file := range files {
		for _, a := range readSparkAnswers(t, file) {
			questions[a.question] = true
			for _, call := range name.FindAllString(a.question, -1) {
				asked[strings.ToLower(strings.TrimSuffix(call, "("))] = true
			}
		}
	}
	t.Logf("%d questions", len(questions))
	names := eval.AggregateNames()
	for _, f := range eval.Functions() {
		if !f.Operator {
			names = append(append(names, f.Name), f.Aliases...)
		}
	}
	for _, n := range names {
		if !asked[n] && !strings.ContainsAny(n, "&|^~") && !slices.Contains(beyondSpark, n) && !strings.HasPrefix(n, "extract_") {
			t.Errorf("Spark was not asked about %s", n)
		}
	}
}
