// Command reference writes sql/REFERENCE.md: what the tables of sql/eval, sql/plan
// and exec say of the operators, the functions and the words of EXPLAIN, and its
// own lists of types, forms and table properties. It runs in the module's root, as in
//
//	go run ./conformance/reference
//
// and tests compare the file with the tables and run what it shows.
package main
