package index

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"unsafe"
)

// Guard makes an error of a fault in mapped memory, such as the end of a file that someone has cut off, in the goroutine that calls it: the
// function that it returns must be deferred.
func Guard(err *error) func() {
	return guard(err, func(p any) bool { _, ok := p.(interface{ Addr() uintptr }); return ok })
}

// guardTables makes an error also of a number in a segment that points nowhere.
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

// A number is what files hold arrays of, in the byte order of the machine.
type number interface {
	~int8 | ~uint32 | ~uint64 | ~float32
}

// numbers is the array in the bytes, which are not copied if they are aligned.
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

// bytesOf is the memory of the array.
func bytesOf[T number](array []T) []byte {
	if len(array) == 0 {
		return nil
	}
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(array))), len(array)*int(unsafe.Sizeof(zero)))
}

// text is the string in the bytes, which are not copied.
func text(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }
