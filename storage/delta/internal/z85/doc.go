// Package z85 reads and writes the Base85 of ZeroMQ's RFC 32, in which a Delta
// log has UUIDs and inline deletion vectors: four bytes, big-endian, are five
// characters.
//
//	b, err := z85.Decode("ab^-aqEH.-t@S}K{vb[*k^"[2:]) // the 16 bytes of a UUID
package z85
