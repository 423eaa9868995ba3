// Package encoding decodes and encodes the values of Parquet pages
// (Encodings.md): the hybrid of run lengths and bit packing, the delta
// encodings and byte-stream split. Input is checked: what ends early or says
// impossible sizes gives an error.
//
//	var h encoding.Hybrid
//	h.Reset(page, width)
//	err := h.Codes(codes)
package encoding

import "errors"

// ErrTruncated says that a page has fewer values than it should.
var ErrTruncated = errors.New("encoded values end early")

// ErrMalformed says that a page breaks the rules of its encoding.
var ErrMalformed = errors.New("encoded values are malformed")

// slack is how many bytes after a page's end kernels may read; where the
// memory ends sooner, slower code is used.
const slack = 64
