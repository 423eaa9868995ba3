package plan

import "strings"

// Term is a line that EXPLAIN prints, with … for what differs from plan to
// plan, and what it means.
type Term struct{ Line, Meaning string }

// Matches reports whether a line of EXPLAIN, without its indentation, is one of
// the term.
func (t Term) Matches(line string) bool {
	parts := strings.Split(t.Line, "…")
	rest, ok := strings.CutPrefix(line, parts[0])
	if !ok || len(parts) == 1 {
		return ok && rest == ""
	}
	for _, p := range parts[1 : len(parts)-1] {
		at := strings.Index(rest[min(1, len(rest)):], p)
		if at < 0 {
			return false
		}
		rest = rest[1+at+len(p):]
	}
	last := parts[len(parts)-1]
	return len(rest) > len(last) && strings.HasSuffix(rest, last)
}

// Terms explains what Format prints without notes, the words of nodes first and
// then those of the lines below them.
func Terms() []Term {
	return append(nodeTerms(), lineTerms()...)
}

func nodeTerms() []Term {
	return []Term{
		{"Scan …", "reads a table, at a past state if one is named"},
		{"Values (… rows)", "rows that the statement itself gives; one without columns where there is no FROM"},
		{"Feed", "rows that a program hands over"},
		{"Filter …", "the input's rows for which the condition is true"},
		{"Project …", "computes columns from each row"},
		{"Aggregate", "one row per group of equal keys; also what DISTINCT and UNION are"},
		{"Window", "computes calls over the rows around each row"},
		{"Expand …", "gives every row once per grouping set"},
		{"Generate …", "gives every row once per element of an array, or per number of a series"},
		{"Generate outer …", "the same, and once with NULLs where there is none"},
		{"Sort …", "orders the rows"},
		{"Limit", "all rows from an offset on"},
		{"Limit …", "the first rows, behind those that OFFSET skips"},
		{"Union all", "the rows of all inputs"},
		{"Inner join", "the pairs of a left and a right row that match"},
		{"Left join", "these, and left rows without a match, with NULLs on the right"},
		{"Right join", "these, and right rows without a match, with NULLs on the left"},
		{"Full join", "these, and the rows of both sides without a match"},
		{"Semi join", "left rows that have a match: IN and EXISTS"},
		{"Anti join", "left rows that have none: NOT EXISTS"},
		{"Right semi join", "right rows that have a match"},
		{"Right anti join", "right rows that have none"},
		{"Mark join", "left rows, each with a Boolean that tells whether it has a match"},
		{"Single join", "a left join of which more than one match is an error: a subquery that is a value"},
		{"… apply", "a correlated subquery before a join is made of it; a plan that runs has none"},
		{"Recursion", "a recursive WITH: the first input's rows, then those of the second again and again"},
		{"Recursion, distinct rows", "the same with UNION: rows that were given before are dropped"},
		{"Last rows of the recursion", "the rows that the second input of a Recursion gave last"},
		{"Keep rows …", "the input's rows, which are kept because several places read them, under a number"},
		{"Rows …", "the rows that were kept under this number"},
		{"Insert into …", "adds rows to a table"},
		{"Overwrite …", "replaces all rows of a table"},
		{"Overwrite … where …", "replaces the rows of a table for which the condition is true"},
		{"Delete from …", "takes rows away from a table"},
		{"Update …", "changes rows of a table"},
		{"Merge into …", "changes a table by the rows of a join"},
		{"Upsert into …", "writes rows in place of those with the same keys; APPLY CHANGES too"},
		{"Delete keys from …", "takes the rows with the input's keys away, without a look at them where the table can"},
		{"Create table …", "makes a table, and fills it from its input"},
		{"Drop table …", "removes a table"},
		{"Show tables", "lists the tables of a schema"},
		{"Describe …", "lists the columns of a table"},
		{"Explain", "a plan, as rows of text"},
		{"Session", "begins or ends a transaction, or sets an option"},
	}
}

func lineTerms() []Term {
	return []Term{
		{"columns: …", "the columns that are read"},
		{"partition filter: …", "what partition values must satisfy: files are skipped by it, and nothing is left to check"},
		{"data filter: …", "what files, row groups, pages and rows are skipped by, as far as their statistics tell"},
		{"residual: …", "what is checked for each row after reading, because the filters above do not make sure of it"},
		{"dynamic filter …: …", "a column of which only the values are read that the join with this number has met in its right input"},
		{"limit hint: …", "so many rows are enough: files beyond them are not read"},
		{"keys: …", "the expressions to group by; of a join, those that are equal in rows that match; of a change, the columns that tell rows apart"},
		{"aggregates: …", "the aggregates of each group"},
		{"partition by: …", "the expressions that are equal in the rows of a window partition"},
		{"order by: …", "the order within it"},
		{"calls: …", "the window functions"},
		{"set: …", "the values of the grouping columns in one grouping set"},
		{"condition: …", "what rows that match satisfy besides their keys"},
		{"NULL-aware", "the mark is NULL where NULLs leave it open whether there is a match"},
		{"outer: …", "what the subquery takes from each left row"},
		{"partitioned by: …", "what a new table's rows are partitioned by"},
		{"check …: …", "a condition that every written row must satisfy"},
		{"when …: …", "a clause of MERGE: which rows, and what happens to them"},
	}
}
