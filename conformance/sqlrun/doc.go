// Command sqlrun runs SQL statements on a warehouse and prints the rows that
// they give as JSON lines, in the form of the golden tables. The cross-engine
// checks drive it. Each statement may run on another connection, so BEGIN is of
// no use here.
//
//	sqlrun WAREHOUSE "INSERT INTO t VALUES (1); SELECT * FROM t"
package main
