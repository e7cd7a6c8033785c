package index

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// A segment consists of sections: arrays in the byte order of the machine, each at an offset that is a multiple of 8. A
// checksum covers the first sections, which are read whenever the segment is opened.
//
//	 0  magic
//	 8  uint32 format version, which also shows the byte order
//	12  uint32 number of sections
//	16  uint64 size of the file
//	24  uint32 number of sections that the checksum covers
//	28  uint32 CRC-32C of the table of sections and the sections that it covers
//	32  for each section uint64 offset, uint64 size
const (
	magic         = "CORTEXSG"
	formatVersion = 10
	headerSize    = 32
	maxSections   = 1 << 10
)

var (
	order      = binary.NativeEndian
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

// join makes a file of the sections, with a checksum over the first checkedSections.
func join(sections [][]byte) []byte {
	table := headerSize + 16*len(sections)
	size := table
	for _, s := range sections {
		size += (len(s) + 7) &^ 7
	}
	data := make([]byte, size)
	at, end := table, table
	for i, s := range sections {
		order.PutUint64(data[headerSize+16*i:], uint64(at))
		order.PutUint64(data[headerSize+16*i+8:], uint64(len(s)))
		copy(data[at:], s)
		at += (len(s) + 7) &^ 7
		if i+1 == checkedSections {
			end = at
		}
	}
	copy(data, magic)
	order.PutUint32(data[8:], formatVersion)
	order.PutUint32(data[12:], uint32(len(sections)))
	order.PutUint64(data[16:], uint64(size))
	order.PutUint32(data[24:], checkedSections)
	order.PutUint32(data[28:], crc32.Checksum(data[headerSize:end], castagnoli))
	return data
}

// split returns the sections of a file that join made.
func split(data []byte) ([][]byte, error) {
	if len(data) < headerSize || string(data[:8]) != magic {
		return nil, fmt.Errorf("%w: no header", ErrDamaged)
	}
	if v := order.Uint32(data[8:]); v != formatVersion {
		return nil, fmt.Errorf("%w: format %d", ErrDamaged, v)
	}
	count, checked := int(order.Uint32(data[12:])), int(order.Uint32(data[24:]))
	if order.Uint64(data[16:]) != uint64(len(data)) || count > maxSections || checked > count || len(data) < headerSize+16*count {
		return nil, fmt.Errorf("%w: it has %d bytes", ErrDamaged, len(data))
	}
	end := headerSize + 16*count
	sections := make([][]byte, count)
	for i := range sections {
		offset, size := order.Uint64(data[headerSize+16*i:]), order.Uint64(data[headerSize+16*i+8:])
		if offset%8 != 0 || offset > uint64(len(data)) || size > uint64(len(data))-offset {
			return nil, fmt.Errorf("%w: section %d", ErrDamaged, i)
		}
		sections[i] = data[offset : offset+size : offset+size]
		if i < checked {
			end = max(end, int(offset+size+7)&^7)
		}
	}
	if end > len(data) || crc32.Checksum(data[headerSize:end], castagnoli) != order.Uint32(data[28:]) {
		return nil, fmt.Errorf("%w: its checksum differs", ErrDamaged)
	}
	return sections, nil
}

// A column is an array of numbers, each in as many bytes as the greatest one needs: 0, 1, 2 or 4.
type column struct {
	data  []byte
	width int
}

func (c column) at(i int) int {
	switch c.width {
	case 1:
		return int(c.data[i])
	case 2:
		return int(order.Uint16(c.data[2*i:]))
	case 4:
		return int(order.Uint32(c.data[4*i:]))
	}
	return 0
}

func pack(values []uint32) []byte {
	greatest := uint32(0)
	for _, v := range values {
		greatest = max(greatest, v)
	}
	switch {
	case greatest == 0:
		return nil
	case greatest < 1<<8:
		data := make([]byte, len(values))
		for i, v := range values {
			data[i] = byte(v)
		}
		return data
	case greatest < 1<<16:
		data := make([]byte, 2*len(values))
		for i, v := range values {
			order.PutUint16(data[2*i:], uint16(v))
		}
		return data
	}
	return bytesOf(values)
}

func unpack(data []byte, n int) (column, error) {
	if len(data) == 0 || n == 0 {
		return column{}, nil
	}
	width := len(data) / n
	if len(data) != n*width || width != 1 && width != 2 && width != 4 {
		return column{}, fmt.Errorf("%w: a column of %d bytes for %d numbers", ErrDamaged, len(data), n)
	}
	return column{data, width}, nil
}
