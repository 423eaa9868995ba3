// Package jsonscan reads JSON texts in one pass, without building a tree: the
// caller is asked for each field of an object and takes, or skips, its value.
// A log of a hundred thousand actions is read this way in the time that a
// reflecting decoder takes for a tenth of it.
//
// Field names are compared exactly. Malformed text gives a *SyntaxError with
// the byte offset; nothing panics and nesting is bounded.
//
//	s := jsonscan.New([]byte(`{"path":"a.parquet","size":7}`))
//	err := s.Object(func(key []byte) error {
//		switch string(key) {
//		case "size":
//			size, err = s.Int64()
//			return err
//		}
//		return s.Skip()
//	})
package jsonscan
