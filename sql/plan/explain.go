package plan

import (
	"fmt"
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// Format prints a plan, a line per fact, children indented below their
// parents. notes, if not nil, adds lines to a node.
func Format(n Node, notes func(Node) []string) string {
	var b strings.Builder
	format(&b, n, notes, "")
	return b.String()
}

func format(b *strings.Builder, n Node, notes func(Node) []string, indent string) {
	lines := n.Explain()
	fmt.Fprintf(b, "%s%s\n", indent, lines[0])
	if notes != nil {
		lines = append(lines, notes(n)...)
	}
	for _, l := range lines[1:] {
		fmt.Fprintf(b, "%s    %s\n", indent, l)
	}
	for _, c := range n.Children() {
		format(b, c, notes, indent+"  ")
	}
}

// Explain implements Node.
func (s *Scan) Explain() []string {
	title := "Scan " + s.Source.Name().String()
	if s.AsOf != nil {
		title += s.AsOf.String()
	}
	lines := []string{title, "columns: " + names(s.Spec.Columns)}
	add := func(label string, e expr.Expr) {
		if e != nil {
			lines = append(lines, label+": "+e.String())
		}
	}
	add("partition filter", s.Spec.PartitionFilter)
	add("data filter", s.Spec.DataFilter)
	add("residual", s.Spec.Residual)
	for _, d := range s.Dynamic {
		lines = append(lines, fmt.Sprintf("dynamic filter %d: %s", d.ID, types.QuoteIdent(s.Spec.Columns[d.Column])))
	}
	if s.Spec.LimitHint > 0 {
		lines = append(lines, fmt.Sprintf("limit hint: %d", s.Spec.LimitHint))
	}
	return lines
}

// String prints the clause.
func (a *AsOf) String() string {
	switch {
	case a.Version != nil:
		return fmt.Sprintf(" VERSION AS OF %d", *a.Version)
	case a.Timestamp != nil:
		return " TIMESTAMP AS OF '" + types.FormatTimestamp(a.Timestamp.UnixMicro()) + "Z'"
	}
	return " VERSION AS OF '" + a.Ref + "'"
}

func names(columns []string) string {
	if len(columns) == 0 {
		return "none"
	}
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = types.QuoteIdent(c)
	}
	return strings.Join(quoted, ", ")
}

func exprs(list []expr.Expr) string {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = e.String()
	}
	return strings.Join(parts, ", ")
}

// Explain implements Node.
func (v *Values) Explain() []string { return []string{fmt.Sprintf("Values (%d rows)", len(v.Rows))} }

// Explain implements Node.
func (f *Feed) Explain() []string { return []string{"Feed"} }

// Explain implements Node.
func (f *Filter) Explain() []string { return []string{"Filter " + f.Condition.String()} }

// Explain implements Node.
func (p *Project) Explain() []string {
	parts := make([]string, len(p.Exprs))
	for i, e := range p.Exprs {
		parts[i] = e.String()
		if c, ok := e.(*expr.Column); !ok || c.Name != p.Names[i] {
			parts[i] += " AS " + types.QuoteIdent(p.Names[i])
		}
	}
	return []string{"Project " + strings.Join(parts, ", ")}
}

// Explain implements Node.
func (a *Aggregate) Explain() []string {
	lines := []string{"Aggregate"}
	if len(a.Keys) > 0 {
		lines = append(lines, "keys: "+exprs(a.Keys))
	}
	parts := make([]string, len(a.Aggregates))
	for i, c := range a.Aggregates {
		parts[i] = c.String()
	}
	if len(parts) > 0 {
		lines = append(lines, "aggregates: "+strings.Join(parts, ", "))
	}
	return lines
}

// String prints the call as SQL.
func (c AggregateCall) String() string {
	function := *c.Function
	function.Distinct = c.Distinct
	s := function.String()
	if c.Filter != nil {
		s += " FILTER (WHERE " + c.Filter.String() + ")"
	}
	return s
}

// Explain implements Node.
func (j *Join) Explain() []string {
	lines := []string{j.Kind.String() + " join"}
	keys := make([]string, len(j.Keys))
	for i, k := range j.Keys {
		keys[i] = k.Left.String() + " " + k.Op() + " " + k.Right.String()
		if k.Feeds != 0 {
			keys[i] += fmt.Sprintf(" (dynamic filter %d)", k.Feeds)
		}
	}
	if len(keys) > 0 {
		lines = append(lines, "keys: "+strings.Join(keys, ", "))
	}
	if j.NullAware {
		lines = append(lines, "NULL-aware")
	}
	if j.Condition != nil {
		lines = append(lines, "condition: "+j.Condition.String())
	}
	return lines
}

// Explain implements Node.
func (s *Sort) Explain() []string { return []string{"Sort " + sortKeys(s.Keys)} }

func sortKeys(keys []SortKey) string {
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = k.Expr.String()
		if k.Descending {
			parts[i] += " DESC"
		}
		if k.NullsFirst == k.Descending { // not the default
			parts[i] += map[bool]string{true: " NULLS FIRST", false: " NULLS LAST"}[k.NullsFirst]
		}
	}
	return strings.Join(parts, ", ")
}

// Explain implements Node.
func (l *Limit) Explain() []string {
	title := "Limit"
	if l.Count != NoLimit {
		title += fmt.Sprintf(" %d", l.Count)
	}
	if l.Offset > 0 {
		title += fmt.Sprintf(" OFFSET %d", l.Offset)
	}
	return []string{title}
}

// Explain implements Node.
func (u *Union) Explain() []string { return []string{"Union all"} }

// Explain implements Node.
func (n *Insert) Explain() []string {
	title := "Insert into " + n.Target.Name().String()
	if n.Overwrite {
		title = "Overwrite " + n.Target.Name().String()
		if n.ReplaceWhere != nil {
			title += " where " + n.ReplaceWhere.String()
		}
	}
	return append([]string{title}, explainRules(n.Rules)...)
}

func explainRules(rules []Rule) []string {
	var lines []string
	for _, r := range rules {
		lines = append(lines, "check "+r.Name+": "+r.Condition.String())
	}
	return lines
}

// Explain implements Node.
func (n *Delete) Explain() []string { return []string{"Delete from " + n.Target.Name().String()} }

// Explain implements Node.
func (n *Update) Explain() []string {
	return append([]string{"Update " + n.Target.Name().String()}, explainRules(n.Rules)...)
}

// Explain implements Node.
func (n *Merge) Explain() []string {
	lines := []string{"Merge into " + n.Target.Name().String()}
	for _, c := range n.Clauses {
		l := [...]string{"matched", "not matched", "not matched by source"}[c.Match]
		if c.Condition != nil {
			l += " and " + c.Condition.String()
		}
		lines = append(lines, "when "+l+": "+[...]string{"update", "delete", "insert"}[c.Action])
	}
	return append(lines, explainRules(n.Rules)...)
}

// Explain implements Node.
func (n *CreateTable) Explain() []string {
	lines := []string{"Create table " + n.Name.String()}
	if len(n.Partition) > 0 {
		parts := make([]string, len(n.Partition))
		for i, f := range n.Partition {
			parts[i] = f.String()
		}
		lines = append(lines, "partitioned by: "+strings.Join(parts, ", "))
	}
	if len(n.KeyColumns) > 0 {
		lines = append(lines, "keys: "+names(n.KeyColumns))
	}
	return lines
}

// String prints the field as PARTITIONED BY has it.
func (f PartitionField) String() string {
	switch column := types.QuoteIdent(f.Column); {
	case f.Transform == "":
		return column
	case f.Argument != 0:
		return fmt.Sprintf("%s(%d, %s)", f.Transform, f.Argument, column)
	default:
		return f.Transform + "(" + column + ")"
	}
}

// Explain implements Node.
func (n *DropTable) Explain() []string { return []string{"Drop table " + n.Name.String()} }

// Explain implements Node.
func (n *ShowTables) Explain() []string { return []string{"Show tables"} }

// Explain implements Node.
func (n *Describe) Explain() []string { return []string{"Describe " + n.Target.Name().String()} }

// Explain implements Node.
func (n *Explain) Explain() []string { return []string{"Explain"} }

// Explain implements Node.
func (n *Session) Explain() []string { return []string{"Session"} }
