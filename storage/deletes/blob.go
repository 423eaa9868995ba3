package deletes

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/RoaringBitmap/roaring/v2/roaring64"

	"github.com/tarndb/tarn/storage"
)

// Magic starts a deletion vector (Delta protocol, "Deletion Vector Format";
// Puffin specification, "deletion-vector-v1").
const Magic = 1681511377

// FileVersion is the first byte of a Delta deletion-vector file (Delta
// protocol, "Deletion Vector File Storage Format").
const FileVersion = 1

// FramingBytes is what a framed vector has more than the bare one.
const FramingBytes = 8

func corrupt(format string, args ...any) error {
	return fmt.Errorf("deletion vector: %s: %w", fmt.Sprintf(format, args...), storage.ErrCorrupt)
}

// Parse reads a bare vector: the bytes of an inline deletion vector.
func Parse(vector []byte) (s *PositionSet, err error) {
	defer func() { // the bitmap library's own checks are not our promise
		if r := recover(); r != nil {
			s, err = nil, corrupt("%v", r)
		}
	}()
	if len(vector) < 12 {
		return nil, corrupt("%d bytes are too few", len(vector))
	}
	if magic := binary.LittleEndian.Uint32(vector); magic != Magic {
		return nil, corrupt("magic number is %d, not %d", magic, Magic)
	}
	if err := checkBuckets(vector[4:]); err != nil {
		return nil, err
	}
	bitmap := roaring64.New()
	if _, err := bitmap.ReadFrom(bytes.NewReader(vector[4:])); err != nil {
		return nil, corrupt("%v", err)
	}
	return &PositionSet{bitmap: bitmap}, nil
}

// checkBuckets walks the 32-bit bitmaps: their keys ascend and have a zero
// high bit, each is well-formed, and nothing follows the last.
func checkBuckets(b []byte) error {
	count := binary.LittleEndian.Uint64(b)
	b = b[8:]
	if count > uint64(len(b)/8) { // a key and the smallest bitmap
		return corrupt("%d buckets in %d bytes", count, len(b))
	}
	last := int64(-1)
	for range count {
		if len(b) < 8 {
			return corrupt("it ends within a bucket")
		}
		key := int64(binary.LittleEndian.Uint32(b))
		if key <= last || key > 1<<31-1 {
			return corrupt("bucket %d follows bucket %d", key, last)
		}
		last = key
		var bucket roaring.Bitmap
		n, err := bucket.ReadFrom(bytes.NewReader(b[4:]))
		if err == nil {
			err = bucket.Validate()
		}
		if err != nil {
			return corrupt("bucket %d: %v", key, err)
		}
		b = b[4+n:]
	}
	if len(b) != 0 {
		return corrupt("%d bytes follow the last bucket", len(b))
	}
	return nil
}

// ParseFramed reads a vector with its size and checksum; the blob may be
// longer than what the size says.
func ParseFramed(blob []byte) (*PositionSet, error) {
	if len(blob) < FramingBytes {
		return nil, corrupt("%d bytes are too few", len(blob))
	}
	size := int64(binary.BigEndian.Uint32(blob))
	if size > int64(len(blob)-FramingBytes) {
		return nil, corrupt("it says to have %d bytes, and %d are there", size, len(blob)-FramingBytes)
	}
	vector := blob[4 : 4+size]
	if want, got := binary.BigEndian.Uint32(blob[4+size:]), crc32.ChecksumIEEE(vector); want != got {
		return nil, corrupt("checksum is %08x, not %08x", got, want)
	}
	return Parse(vector)
}

// Append appends the bare vector to dst.
func (s *PositionSet) Append(dst []byte) []byte {
	s.bitmap.RunOptimize()
	dst = binary.LittleEndian.AppendUint32(dst, Magic)
	buf := bytes.NewBuffer(dst)
	if _, err := s.bitmap.WriteTo(buf); err != nil {
		panic("deletes: " + err.Error()) // a bytes.Buffer doesn't fail
	}
	return buf.Bytes()
}

// AppendFramed appends the vector with its size and checksum to dst.
func (s *PositionSet) AppendFramed(dst []byte) []byte {
	start := len(dst)
	dst = s.Append(append(dst, 0, 0, 0, 0))
	vector := dst[start+4:]
	binary.BigEndian.PutUint32(dst[start:], uint32(len(vector)))
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(vector))
}
