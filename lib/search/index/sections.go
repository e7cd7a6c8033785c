package index

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
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
	formatVersion = 4
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

func joinSections(what uint32, sections [][]byte) []byte {
	size := headerSize + 16*len(sections)
	for _, s := range sections {
		size += padded(len(s))
	}
	out := make([]byte, headerSize+16*len(sections), size)
	copy(out, magic)
	order.PutUint32(out[8:], formatVersion)
	order.PutUint32(out[12:], what)
	order.PutUint64(out[16:], uint64(size))
	order.PutUint32(out[28:], uint32(len(sections)))
	for i, s := range sections {
		order.PutUint64(out[headerSize+16*i:], uint64(len(out)))
		order.PutUint64(out[headerSize+16*i+8:], uint64(len(s)))
		out = append(out, s...)
		out = out[:len(out)+padded(len(s))-len(s)]
	}
	order.PutUint32(out[24:], crc32.Checksum(out[28:], castagnoli))
	return out
}

func padded(n int) int { return (n + 7) &^ 7 }

// splitSections undoes joinSections. The checksum must have been compared, or is now.
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
