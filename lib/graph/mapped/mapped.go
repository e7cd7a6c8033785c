// Package mapped keeps slices of fixed-size values in one file that can be mapped into memory. Write takes slices and
// writes bytes; Read takes mapped bytes and sets slices that point into them, without copying.
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

// A Form is a file format. Its bytes are, in the byte order and with the memory layout of the machine:
//
//	 0  magic, 8 bytes
//	 8  uint32 version; a file of the other byte order has another version
//	12  uint32 CRC-32C of all bytes that follow
//	16  for each slice: uint64 size in bytes
//
// and then the slices, each at an offset that is a multiple of 8.
type Form struct {
	Magic   string
	Version uint32
}

const headerSize = 16

var errForm = errors.New("it is no graph in binary form")

// ErrDamaged reports that mapped bytes are not the bytes that were written.
var ErrDamaged = errors.New("the tables of the graph are damaged")

// A Slice gives access to a slice as bytes.
type Slice struct {
	bytes func() []byte
	set   func([]byte) bool
}

// Of returns access to a slice. T must not contain pointers.
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

// Write writes a file with the slices. Only machines of the same architecture can read the file.
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

// Read sets the slices from a file that Write wrote from as many slices. They share the memory of data, which must not
// change and must begin at an address that is a multiple of 8. Read checks the header and the sizes only, not the
// checksum; see IsIntact.
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

// IsIntact reports whether data, which Read has accepted, matches its checksum.
func IsIntact(data []byte) bool {
	return crc32.Checksum(data[headerSize:], castagnoli) == binary.NativeEndian.Uint32(data[12:])
}

// Guard turns runtime panics and memory faults in the calling goroutine, as damaged mapped data causes them, into an
// *err that wraps ErrDamaged. The caller must defer the returned function.
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
