// Package ast is the syntax tree of tarn's SQL dialect: one typed struct for each statement, query part, table
// expression and expression, each with the byte offset at which its text begins.
//
// The tree holds what was written, not what it means: names are unresolved, literals keep their text and types are
// names. Syntax that differs only in spelling is one shape (`x::INT` is a Cast, `SOME` is ANY, `FETCH FIRST 3 ROWS` is a
// Limit), so a reader of the tree never has to know spellings.
//
// Promises:
//  1. String prints any tree as SQL that parses to an Equal tree.
//  2. Walk reaches every node of a tree.
//  3. Nodes are plain structs with exported fields; whoever builds one by hand need not set the Loc.
//
// Reading text into a tree is the business of package parser, giving it a meaning that of package bind.
//
//	stmt, err := parser.Parse("SELECT a FROM t WHERE b > 1")
//	ast.Walk(stmt, func(n ast.Node) bool {
//		if c, ok := n.(*ast.ColumnRef); ok {
//			fmt.Println(c.Pos(), ast.String(c))
//		}
//		return true
//	})
package ast
