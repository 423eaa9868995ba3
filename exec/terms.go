package exec

import "github.com/tarndb/tarn/sql/plan"

// ExplainTerms explains the lines that EXPLAIN adds to those of plan.Terms.
func ExplainTerms() []plan.Term {
	return []plan.Term{
		{Line: "files: … of … selected (… of …)", Meaning: "the files that are read, of those of the table, and their sizes"},
		{Line: "… selected", Meaning: "the names of the files that are read, ten at most"},
		{Line: "… skipped manifests: …", Meaning: "lists of files that are not read because of the partition values of all their files"},
		{Line: "… skipped by partition: …", Meaning: "files that are not read because of the partition filter"},
		{Line: "… skipped by statistics: …", Meaning: "files that are not read because of the data filter and the bounds of their columns"},
		{Line: "… skipped at run time: …", Meaning: "files that are not read because of dynamic filters"},
		{Line: "… skipped by limit: …", Meaning: "files that are not read because of the limit hint"},
		{Line: "  and … more", Meaning: "files that are not named"},
		{Line: "  …", Meaning: "the name of such a file"},
		{Line: "answered by the statistics of the files", Meaning: "nothing was read: the log has the answer"},
	}
}

// AnalyzeTerms explains the lines that EXPLAIN ANALYZE adds besides.
func AnalyzeTerms() []plan.Term {
	return []plan.Term{
		{Line: "read: … of the columns that are needed, … row groups, … more skipped", Meaning: "the bytes of the column chunks of the row groups that were read, and how many row groups their statistics kept from being read"},
		{Line: "rows: …, time of all workers with inputs: …", Meaning: "the rows that the node gave, and the time spent in it and below it, added up over workers"},
		{Line: "memory: … peak", Meaning: "the most memory that the node held at a time"},
		{Line: "spilled: … in … files", Meaning: "what it wrote to temporary files because the memory limit left no room"},
		{Line: "total: … rows in …", Meaning: "the rows of the result, or that were changed, and the time of the whole statement"},
	}
}
