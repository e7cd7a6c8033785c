// Package mapped keeps slices of fixed size values in one file, from which they are used as they stand there, without being read. In go slices, out come
// bytes; in go bytes, mapped into memory, out come slices that point into them.
package mapped

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"runtime/debug"
	"unsafe"
)

// A Form is a kind of file. Its bytes are, in the byte order and with the types of the machine:
//
//	 0  magic, 8 bytes
//	 8  uint32 version, which also tells the byte order
//	12  uint32 CRC-32C of what follows
//	16  for each slice uint64 size
//
// and then the slices, each at a multiple of 8.
type Form struct {
	Magic   string
	Version uint32
}

const headerSize = 16

var errForm = errors.New("it is no graph in binary form")

// ErrDamaged says that what was mapped is not what was written.
var ErrDamaged = errors.New("the tables of the graph are damaged")

// A Slice is a slice as bytes, got and set.
type Slice struct {
	bytes func() []byte
	set   func([]byte) bool
}

// Of is a slice of values without pointers.
func Of[T any](slice *[]T) Slice {
	size := int(unsafe.Sizeof(*new(T)))
	return Slice{
		bytes: func() []byte {
			if len(*slice) == 0 {
				return nil
			}
			return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(*slice))), len(*slice)*size)
		},
		set: func(data []byte) bool {
			if len(data)%size != 0 {
				return false
			}
			if len(data) > 0 {
				*slice = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), len(data)/size)
			}
			return true
		},
	}
}

// Write writes the slices so that Read finds them. The file is for this machine alone.
func (f Form) Write(w io.Writer, slices []Slice) error {
	var parts [][]byte
	for _, s := range slices {
		parts = append(parts, s.bytes())
	}
	sizes := make([]byte, 8*len(parts))
	for i, p := range parts {
		binary.NativeEndian.PutUint64(sizes[8*i:], uint64(len(p)))
	}
	parts = append([][]byte{sizes}, parts...)
	var padding [8]byte
	sum := uint32(0)
	for _, p := range parts {
		sum = crc32.Update(sum, castagnoli, p)
		sum = crc32.Update(sum, castagnoli, padding[:padded(len(p))-len(p)])
	}
	head := make([]byte, headerSize)
	copy(head, f.Magic)
	binary.NativeEndian.PutUint32(head[8:], f.Version)
	binary.NativeEndian.PutUint32(head[12:], sum)
	for _, p := range append([][]byte{head}, parts...) {
		if _, err := w.Write(p); err != nil {
			return err
		}
		if _, err := w.Write(padding[:padded(len(p))-len(p)]); err != nil {
			return err
		}
	}
	return nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func padded(n int) int { return (n + 7) &^ 7 }

// Read sets the slices to what Write wrote of as many. The data must not change, and begins at a multiple of 8. Read looks at the sizes alone.
func (f Form) Read(data []byte, slices []Slice) error {
	n := len(slices)
	if len(data) < headerSize+8*n || string(data[:8]) != f.Magic || uintptr(unsafe.Pointer(unsafe.SliceData(data)))%8 != 0 || binary.NativeEndian.Uint32(data[8:]) != f.Version {
		return errForm
	}
	at := uint64(headerSize + 8*n)
	for i := range n {
		size := binary.NativeEndian.Uint64(data[headerSize+8*i:])
		if at > uint64(len(data)) || size > uint64(len(data))-at {
			return fmt.Errorf("%w: table %d", errForm, i)
		}
		part := data[at : at+size : at+size]
		at += uint64(padded(int(size)))
		if !slices[i].set(part) {
			return fmt.Errorf("%w: table %d", errForm, i)
		}
	}
	if at != uint64(len(data)) {
		return fmt.Errorf("%w: size", errForm)
	}
	return nil
}

// IsIntact compares data that Read has read with its checksum.
func IsIntact(data []byte) bool {
	return crc32.Checksum(data[headerSize:], castagnoli) == binary.NativeEndian.Uint32(data[12:])
}

// Guard makes ErrDamaged of what goes wrong, in the goroutine that calls it, because data that is mapped is damaged: the function that it returns must be deferred.
func Guard(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		if p := recover(); p != nil {
			fault, ok := p.(runtime.Error)
			if !ok {
				panic(p)
			}
			*err = fmt.Errorf("%w: %w", ErrDamaged, fault)
		}
	}
}
