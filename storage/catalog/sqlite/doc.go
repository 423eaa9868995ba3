// Package sqlite keeps a catalog of Iceberg tables in an SQLite database, in the
// tables that the JDBC catalog of Iceberg's Java library and PyIceberg's SQL
// catalog use, so that one database serves all three. It is imported for its
// effect:
//
//	import _ "github.com/tarndb/tarn/storage/catalog/sqlite"
//
//	db, err := sql.Open("tarn", "/data/lake?catalog=sqlite:/data/cat.db&catalog_name=lake")
//
// The table iceberg_tables has the location of each table's current metadata
// file, by the catalog's name, the namespace and the table's name. Its column
// iceberg_type, which tells tables and views apart, came later: a database
// without it stays so. iceberg_namespace_properties has the namespaces that were
// made before any table in them.
//
// A commit is one transaction that begins with the write lock (BEGIN IMMEDIATE)
// and changes the location only if it is the one that the commit was made on.
// Who finds the database locked waits for half a minute.
package sqlite
