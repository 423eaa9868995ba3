// Command reference writes sql/REFERENCE.md: what the tables of sql/eval, sql/plan
// and exec say of the operators, the functions and the words of EXPLAIN. It runs
// in the module's root, as in
//
//	go run ./conformance/reference
//
// and a test compares the file with the tables.
package main
