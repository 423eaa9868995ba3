// Package parser reads tarn's SQL dialect into the tree of package ast.
//
// Lexing rests on the Tokenizer of xwb1989/sqlparser, guarded by lexer.go, the only file that imports it; the grammar is
// our own: recursive descent for statements and precedence climbing for expressions. Precedence and keywords follow Spark's
// grammar, and whether a keyword is reserved is decided where it stands: `SELECT date, end, values FROM t` reads columns.
//
// Promises:
//  1. What is not supported is a *SyntaxError with the position of the first token that doesn't fit; nothing is skipped or
//     guessed at. What other dialects have there is named, if it is known (refusals.go).
//  2. Time is linear in the length of the text. Nesting beyond 1,000 levels, expressions higher than 10,000 operators and
//     texts beyond 16 MiB are errors.
//  3. No text makes it panic.
//
// Names, types and functions are not looked up; that is the business of package bind.
//
//	stmt, err := parser.Parse("SELECT a FROM t WHERE b > ?")
//	var bad *parser.SyntaxError
//	if errors.As(err, &bad) {
//		fmt.Println(bad.Line, bad.Column, bad.Found)
//	}
package parser
