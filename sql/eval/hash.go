package eval

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"math"
	"math/bits"
	"unicode"
	"unicode/utf8"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// hashFunctions are checksums, Spark's hash functions and typeof.
func hashFunctions() []*Function {
	hash := special("hash", "(ANY…) INT", "Spark's Murmur3 hash with seed 42", resolveHash(types.Int), compileHash)
	wide := special("xxhash64", "(ANY…) BIGINT", "Spark's xxHash64 with seed 42", resolveHash(types.BigInt), compileHash)
	typeOf := special("typeof", "(ANY) STRING", "the name of the type", resolveTypeof, nil)
	hash.lenient, wide.lenient, typeOf.lenient = true, true, true
	return []*Function{hash, wide, typeOf,
		function("md5", "the MD5 checksum in hexadecimal digits", over("BINARY", "STRING", func(f *frame, i int) error {
			sum := md5.Sum(f.bytes(0, i))
			return f.setHex(i, sum[:])
		})),
		function("sha1 sha", "the SHA-1 checksum in hexadecimal digits", over("BINARY", "STRING", func(f *frame, i int) error {
			sum := sha1.Sum(f.bytes(0, i))
			return f.setHex(i, sum[:])
		})),
		function("sha2", "the SHA-2 checksum of 224, 256 (or 0), 384 or 512 bits in hexadecimal digits", orNull(over("BINARY, INT", "STRING", rowSHA2))),
		function("crc32", "the CRC-32 checksum", over("BINARY", "BIGINT", func(f *frame, i int) error {
			f.out.Int64s[i] = int64(crc32.ChecksumIEEE(f.bytes(0, i)))
			return nil
		})),
		function("luhn_check", "tells whether the last of some digits is their check digit by Luhn's algorithm", over("STRING", "BOOLEAN", rowLuhn)),
	}
}

// rowLuhn adds the digits from the last one on, every second one doubled.
func rowLuhn(f *frame, i int) error {
	s := f.bytes(0, i)
	sum, ok := 0, len(s) > 0
	for k := 0; ok && len(s) > 0; k++ {
		r, size := utf8.DecodeLastRune(s)
		var d int
		d, ok = digitValue(r)
		d <<= k & 1
		sum += d/10 + d%10
		s = s[:len(s)-size]
	}
	f.out.Bools[i] = ok && sum%10 == 0
	return nil
}

// digitValue is that of a decimal digit of any script within 16 bits. The digits
// of a script follow one another, in its table of ranges too.
func digitValue(r rune) (int, bool) {
	for _, digits := range unicode.Nd.R16 {
		if r <= rune(digits.Hi) {
			return int(r-rune(digits.Lo)) % 10, r >= rune(digits.Lo)
		}
	}
	return 0, false
}

func (f *frame) setHex(i int, b []byte) error {
	start := len(f.out.Data)
	f.out.Data = hex.AppendEncode(f.out.Data, b)
	return f.endBytes(i, start)
}

func rowSHA2(f *frame, i int) error {
	b := f.bytes(0, i)
	switch f.int(1, i) {
	case 0, 256:
		sum := sha256.Sum256(b)
		return f.setHex(i, sum[:])
	case 224:
		sum := sha256.Sum224(b)
		return f.setHex(i, sum[:])
	case 384:
		sum := sha512.Sum384(b)
		return f.setHex(i, sum[:])
	case 512:
		sum := sha512.Sum512(b)
		return f.setHex(i, sum[:])
	}
	f.setNull(i)
	return nil
}

func resolveTypeof(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	return expr.Str(args[0].Type().CatalogString()), nil
}

func resolveHash(result types.Kind) resolver {
	return func(name string, args []expr.Expr) (expr.Expr, error) {
		if err := wantArgs(name, args, 1, -1); err != nil {
			return nil, err
		}
		for _, a := range args {
			if k := a.Type().Kind; k == types.Map || k == types.Variant {
				return nil, mismatch("%s does not take %s", name, a.Type())
			}
		}
		return &expr.Call{Name: name, Args: args, T: types.Of(result)}, nil
	}
}

// hashSeed is Spark's; the hash of each value is the seed of the next.
const hashSeed = 42

func compileHash(c *compiler, e *expr.Call) (node, error) {
	args, err := c.compileAll(e.Args)
	if err != nil {
		return nil, err
	}
	row := func(f *frame, i int) error {
		h := uint32(hashSeed)
		for a := range f.args {
			v, p := f.at(a, i)
			h = hashValue(murmur{}, v.Type, v, p, h)
		}
		f.out.Int32s[i] = int32(h)
		return nil
	}
	if e.Name == "xxhash64" {
		row = func(f *frame, i int) error {
			h := uint64(hashSeed)
			for a := range f.args {
				v, p := f.at(a, i)
				h = hashValue(xxhash{}, v.Type, v, p, h)
			}
			f.out.Int64s[i] = int64(h)
			return nil
		}
	}
	return newCall(c, e.Name, e.T, args, false, rowKernel(row)), nil
}

// hasher is one of Spark's two hash functions.
type hasher[H any] interface {
	word32(x uint32, seed H) H
	word64(x uint64, seed H) H
	bytes(b []byte, seed H) H
}

// hashValue hashes row p of a vector; NULL leaves the seed as it is. Numbers
// below 64 bits are hashed as 32 bits, decimals above 18 digits by the bytes
// of their big-endian two's complement.
func hashValue[H any](h hasher[H], t types.Type, v *vector.Vector, p int, seed H) H {
	if v.IsNull(p) {
		return seed
	}
	values, p := v.At(p)
	switch t.Physical() {
	case types.PhysBool:
		return h.word32(uint32(truth(values.Bools[p])), seed)
	case types.PhysInt32:
		return h.word32(uint32(values.Int32s[p]), seed)
	case types.PhysInt64:
		return h.word64(uint64(values.Int64s[p]), seed)
	case types.PhysInt128:
		return h.bytes(values.Int128s[p].BigEndian(), seed)
	case types.PhysFloat32:
		x := values.Float32s[p]
		if x != x {
			return h.word32(0x7fc00000, seed) // as all NaNs of Java
		}
		return h.word32(math.Float32bits(x+0), seed)
	case types.PhysFloat64:
		x := values.Float64s[p]
		if x != x {
			return h.word64(0x7ff8000000000000, seed)
		}
		return h.word64(math.Float64bits(x+0), seed)
	case types.PhysBytes:
		return h.bytes(viewBytes(values, p), seed)
	case types.PhysInterval:
		x := values.Intervals[p]
		switch {
		case t.IsYearMonth():
			return h.word32(uint32(x.Months), seed)
		case t.IsDayTime():
			return h.word64(uint64(x.Length()), seed)
		}
		return h.word32(uint32(x.Months), h.word32(uint32(x.Days), h.word64(uint64(x.Micros), seed)))
	case types.PhysList:
		for e := values.Offsets[p]; e < values.Offsets[p+1]; e++ {
			seed = hashValue(h, values.Child.Type, values.Child, int(e), seed)
		}
	case types.PhysStruct:
		for i, c := range values.Children {
			seed = hashValue(h, t.Fields[i].Type, c, p, seed)
		}
	}
	return seed
}

// murmur is Murmur3 for 32 bits; Spark hashes the bytes behind the last whole
// word one by one.
type murmur struct{}

func (murmur) mix(h, k uint32) uint32 {
	k = bits.RotateLeft32(k*0xcc9e2d51, 15) * 0x1b873593
	return bits.RotateLeft32(h^k, 13)*5 + 0xe6546b64
}

func (murmur) finish(h, length uint32) uint32 {
	h ^= length
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

func (m murmur) word32(x, seed uint32) uint32 { return m.finish(m.mix(seed, x), 4) }

func (m murmur) word64(x uint64, seed uint32) uint32 {
	return m.finish(m.mix(m.mix(seed, uint32(x)), uint32(x>>32)), 8)
}

func (m murmur) bytes(b []byte, seed uint32) uint32 {
	h, n := seed, len(b)
	for ; len(b) >= 4; b = b[4:] {
		h = m.mix(h, binary.LittleEndian.Uint32(b))
	}
	for _, c := range b {
		h = m.mix(h, uint32(int32(int8(c))))
	}
	return m.finish(h, uint32(n))
}

// xxhash is xxHash for 64 bits.
type xxhash struct{}

const (
	xxPrime1 uint64 = 0x9E3779B185EBCA87
	xxPrime2 uint64 = 0xC2B2AE3D27D4EB4F
	xxPrime3 uint64 = 0x165667B19E3779F9
	xxPrime4 uint64 = 0x85EBCA77C2B2AE63
	xxPrime5 uint64 = 0x27D4EB2F165667C5
)

func xxRound(acc, x uint64) uint64 { return bits.RotateLeft64(acc+x*xxPrime2, 31) * xxPrime1 }

func xxFinish(h uint64) uint64 {
	h = (h ^ h>>33) * xxPrime2
	h = (h ^ h>>29) * xxPrime3
	return h ^ h>>32
}

func xxWord32(h uint64, x uint32) uint64 {
	return bits.RotateLeft64(h^uint64(x)*xxPrime1, 23)*xxPrime2 + xxPrime3
}

func xxWord64(h, x uint64) uint64 {
	return bits.RotateLeft64(h^xxRound(0, x), 27)*xxPrime1 + xxPrime4
}

func (xxhash) word32(x uint32, seed uint64) uint64 { return xxFinish(xxWord32(seed+xxPrime5+4, x)) }

func (xxhash) word64(x, seed uint64) uint64 { return xxFinish(xxWord64(seed+xxPrime5+8, x)) }

func (xxhash) bytes(b []byte, seed uint64) uint64 {
	n := uint64(len(b))
	h := seed + xxPrime5
	if n >= 32 {
		p1, p2 := xxPrime1, xxPrime2
		acc := [4]uint64{seed + p1 + p2, seed + p2, seed, seed - p1}
		for ; len(b) >= 32; b = b[32:] {
			for k := range acc {
				acc[k] = xxRound(acc[k], binary.LittleEndian.Uint64(b[8*k:]))
			}
		}
		h = bits.RotateLeft64(acc[0], 1) + bits.RotateLeft64(acc[1], 7) + bits.RotateLeft64(acc[2], 12) + bits.RotateLeft64(acc[3], 18)
		for _, a := range acc {
			h = (h^xxRound(0, a))*xxPrime1 + xxPrime4
		}
	}
	h += n
	for ; len(b) >= 8; b = b[8:] {
		h = xxWord64(h, binary.LittleEndian.Uint64(b))
	}
	if len(b) >= 4 {
		h = xxWord32(h, binary.LittleEndian.Uint32(b))
		b = b[4:]
	}
	for _, c := range b {
		h = bits.RotateLeft64(h^uint64(c)*xxPrime5, 11) * xxPrime1
	}
	return xxFinish(h)
}
