// Package avrofile reads the Avro object container files of Iceberg:
// manifest lists, manifests, data files and delete files (spec, Appendix A,
// "Avro").
//
// Iceberg finds fields by the field-id of the Avro schema, not by their names.
// A Reader therefore asks its caller for the names of fields by their ids and
// decodes rows by those, skipping fields that the caller does not want. Logical
// types are dropped, so that values come as Avro's own.
//
//	r, err := avrofile.Open(body, func(id int) (string, bool) { return "file_path", id == 100 })
//	for {
//		err := r.Decode(&row) // io.EOF at the end
//	}
package avrofile
