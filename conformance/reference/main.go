package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarndb/tarn/exec"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/plan"
)

// target is the file, below the module's root.
var target = filepath.Join("sql", "REFERENCE.md")

func main() {
	var b strings.Builder
	write(&b)
	if err := os.WriteFile(target, []byte(b.String()), 0o644); err != nil {
		log.Fatal(err)
	}
}

const introduction = `# Reference

Made by ` + "`go run ./conformance/reference`" + ` from the tables that tarn itself works with; tests hold it to them and run the examples.

In a signature, ` + "`?`" + ` marks what may be left out and ` + "`…`" + ` what may be repeated. T, K and V are any types, the same ones wherever
they stand in a signature; arguments are cast to the types shown where Spark in ANSI mode would cast them. NULL for an argument gives NULL
unless the text says otherwise.

Besides, the grammar has CASE, CAST, TRY_CAST and ` + "`::`" + `, BETWEEN, EXISTS, IN, ANY and ALL with subqueries, IS [NOT] DISTINCT FROM,
IS [NOT] TRUE, FALSE and UNKNOWN, EXTRACT, and the forms of TRIM, SUBSTRING, POSITION and OVERLAY with words between
the arguments; they mean calls of what is listed here. GROUPING and GROUPING_ID tell the grouping sets apart.
`

// write writes the reference.
func write(w io.Writer) {
	fmt.Fprint(w, introduction)
	writeTypes(w)
	writeForms(w)
	writeProperties(w)
	fmt.Fprint(w, "\n## Functions and operators\n")
	for _, group := range eval.FunctionGroups() {
		writeFunctions(w, group, ofGroup(group))
	}
	writeFunctions(w, "Aggregates", eval.AggregateFunctions())
	fmt.Fprintln(w, "\nEach takes FILTER (WHERE …), and DISTINCT or OVER (…). first, last, any_value and the like pass over NULLs if their last argument is TRUE.")
	writeFunctions(w, "Window functions", eval.WindowFunctions())
	fmt.Fprintln(w, "\nlag, lead, first, last and nth_value take IGNORE NULLS.")
	writeFunctions(w, "Table functions", eval.TableFunctions())
	fmt.Fprintln(w, "\nThey stand in FROM, where they may read columns of the tables before them. Those that take a value apart stand in LATERAL VIEW and in a select list too.")
	fmt.Fprint(w, "\n## EXPLAIN\n\nEXPLAIN runs nothing. EXPLAIN ANALYZE runs the statement, so that a DELETE deletes, and shows what it took.\n\nA plan is a tree: a node's inputs stand below it, further to the right. `…` stands for what differs from plan to plan.\n")
	writeTerms(w, "Nodes, and the lines below them", plan.Terms())
	writeTerms(w, "What EXPLAIN adds to scans", exec.ExplainTerms())
	writeTerms(w, "What EXPLAIN ANALYZE adds to nodes", exec.AnalyzeTerms())
}

func ofGroup(group string) []*eval.Function {
	return slices.DeleteFunc(slices.Clone(eval.Functions()), func(f *eval.Function) bool { return f.Group != group })
}

func writeFunctions(w io.Writer, title string, functions []*eval.Function) {
	fmt.Fprintf(w, "\n### %s\n\n| name | signatures | |\n|---|---|---|\n", title)
	for _, f := range functions {
		names := written(f.Name)
		for _, alias := range f.Aliases {
			if !strings.HasPrefix(alias, extractPrefix) {
				names += ", " + written(alias)
			}
		}
		signatures := make([]string, len(f.Signatures))
		for i, s := range f.Signatures {
			signatures[i] = code(strings.TrimPrefix(s, f.Name))
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", names, strings.Join(signatures, "<br>"), cell(f.Doc))
	}
}

// extractPrefix begins names that only EXTRACT uses.
const extractPrefix = "extract_"

// written is a name as a statement has it.
func written(name string) string {
	switch name {
	case "negate":
		return "`-` before a value"
	case "array_element":
		return "`a[i]`, " + code(name)
	case "array_field", "struct_field":
		return "`a.b`, " + code(name)
	case "interval_field":
		return "`EXTRACT` of an interval"
	case "and", "or", "not", "in", "div", "like", "ilike", "rlike", "is_null", "is_not_null":
		return code(strings.ToUpper(strings.ReplaceAll(name, "_", " ")))
	}
	if field, ok := strings.CutPrefix(name, extractPrefix); ok {
		return "`EXTRACT(" + strings.ToUpper(field) + " FROM …)`"
	}
	return code(name)
}

func writeTerms(w io.Writer, title string, terms []plan.Term) {
	fmt.Fprintf(w, "\n### %s\n\n| line | |\n|---|---|\n", title)
	for _, t := range terms {
		fmt.Fprintf(w, "| %s | %s |\n", code(strings.TrimSpace(t.Line)), cell(t.Meaning))
	}
}

// code puts text in a cell as code.
func code(text string) string { return "`" + cell(text) + "`" }

// cell keeps a bar from ending a table's cell.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
