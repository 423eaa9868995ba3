// Package schemajson reads and writes the schema of a Delta table, which a log
// has in Spark SQL's JSON (protocol, "Schema Serialization Format").
//
// A schema is read into two trees of the same shape: the columns as users see
// them, and as data files have them, which differ where the table maps columns
// (protocol, "Column Mapping"). The metadata of fields that only the format
// uses is kept apart from both.
//
//	schema, err := schemajson.Parse(metadata.SchemaString, schemajson.ByName)
//	schema.Columns[0].Logical.Name  // what SQL calls it
//	schema.Columns[0].Physical.Name // what Parquet files call it
package schemajson
