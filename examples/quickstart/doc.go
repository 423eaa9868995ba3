// Command quickstart shows tarn on one screen: it reads a Delta table that
// Spark wrote, then makes one of its own, changes it in a transaction, and
// travels back in time. Every database call is database/sql.
package main
