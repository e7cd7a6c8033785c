package index

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

// Files of our own consist of sections: arrays in the byte order of the machine, each at a multiple of 8.
//
//	 0  magic
//	 8  uint32 format version, which also tells the byte order
//	12  uint32 what the file is
//	16  uint64 size of the file
//	24  uint32 CRC-32C of all that follows
//	28  uint32 number of sections
//	32  for each section uint64 offset, uint64 size
const (
	magic         = "CORTEXIX"
	formatVersion = 5
	headerSize    = 32
	maxSections   = 1 << 10
)

// What a file is.
const (
	catalogFile    = 1
	generationFile = 2
	invertedFile   = 3
)

var (
	order = binary.NativeEndian
	// bigEndian is the order of zap.
	bigEndian = binary.BigEndian
)

// sections are the content of such a file: what comes before the arrays, and these.
type sections struct {
	header []byte
	arrays [][]byte
}

func newSections(what uint32, arrays [][]byte) sections {
	header := make([]byte, headerSize+16*len(arrays))
	at := len(header)
	for i, a := range arrays {
		order.PutUint64(header[headerSize+16*i:], uint64(at))
		order.PutUint64(header[headerSize+16*i+8:], uint64(len(a)))
		at += len(a) + len(padding(a))
	}
	copy(header, magic)
	order.PutUint32(header[8:], formatVersion)
	order.PutUint32(header[12:], what)
	order.PutUint64(header[16:], uint64(at))
	order.PutUint32(header[28:], uint32(len(arrays)))
	sum := crc32.Checksum(header[28:], castagnoli)
	for _, a := range arrays {
		sum = crc32.Update(crc32.Update(sum, castagnoli, a), castagnoli, padding(a))
	}
	order.PutUint32(header[24:], sum)
	return sections{header, arrays}
}

// padding is what follows an array.
func padding(array []byte) []byte { return zeros[:-len(array)&7] }

var zeros = make([]byte, 7)

// WriteTo writes the file, an array at a time.
func (s sections) WriteTo(w io.Writer) (written int64, err error) {
	for i, array := range append([][]byte{s.header}, s.arrays...) {
		for _, part := range [][]byte{array, padding(array)} {
			if len(part) > 0 {
				n, err := w.Write(part)
				if written += int64(n); err != nil {
					return written, fmt.Errorf("section %d: %w", i, err)
				}
			}
		}
	}
	return written, nil
}

// splitSections undoes that. The checksum must have been compared, or is now.
func splitSections(what uint32, data []byte, checked bool) ([][]byte, error) {
	if len(data) < headerSize || string(data[:8]) != magic {
		return nil, fmt.Errorf("%w: no header", ErrDamaged)
	}
	if v := order.Uint32(data[8:]); v != formatVersion {
		return nil, fmt.Errorf("%w: format %d", ErrDamaged, v)
	}
	if order.Uint32(data[12:]) != what || order.Uint64(data[16:]) != uint64(len(data)) {
		return nil, fmt.Errorf("%w: another file", ErrDamaged)
	}
	if !checked && crc32.Checksum(data[28:], castagnoli) != order.Uint32(data[24:]) {
		return nil, fmt.Errorf("%w: its checksum differs", ErrDamaged)
	}
	count := int(order.Uint32(data[28:]))
	if count > maxSections || len(data) < headerSize+16*count {
		return nil, fmt.Errorf("%w: %d sections", ErrDamaged, count)
	}
	sections := make([][]byte, count)
	for i := range sections {
		offset, size := order.Uint64(data[headerSize+16*i:]), order.Uint64(data[headerSize+16*i+8:])
		if offset%8 != 0 || offset > uint64(len(data)) || size > uint64(len(data))-offset {
			return nil, fmt.Errorf("%w: section %d", ErrDamaged, i)
		}
		sections[i] = data[offset : offset+size : offset+size]
	}
	return sections, nil
}
