package index

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"unsafe"
)

// Guard turns a fault in mapped memory, as of a truncated file, into an error in the goroutine that defers its result.
func Guard(err *error) func() {
	return guard(err, func(p any) bool { _, ok := p.(interface{ Addr() uintptr }); return ok })
}

// guardTables turns any runtime error, such as a number in a segment that is out of range, into an error.
func guardTables(err *error) func() {
	return guard(err, func(p any) bool { _, ok := p.(runtime.Error); return ok })
}

func guard(err *error, isDamage func(p any) bool) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		if p := recover(); p != nil {
			if !isDamage(p) {
				panic(p)
			}
			*err = fmt.Errorf("read index: %w: %v", ErrDamaged, p)
		}
	}
}

// A number is an element type of the arrays in segments, which are in the byte order of the machine.
type number interface {
	~int8 | ~uint32 | ~uint64 | ~float32
}

// numbers returns the array that the bytes hold. It copies them only if they are not aligned.
func numbers[T number](data []byte) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	n := len(data) / size
	if n == 0 {
		return nil
	}
	p := unsafe.Pointer(unsafe.SliceData(data))
	if uintptr(p)%unsafe.Alignof(zero) != 0 {
		aligned := make([]T, n)
		copy(bytesOf(aligned), data)
		return aligned
	}
	return unsafe.Slice((*T)(p), n)
}

// bytesOf returns the memory of the array.
func bytesOf[T number](array []T) []byte {
	if len(array) == 0 {
		return nil
	}
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(array))), len(array)*int(unsafe.Sizeof(zero)))
}

// text returns the bytes as a string, without copying them.
func text(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }
