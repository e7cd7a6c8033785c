package index

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"runtime/debug"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A mapping is a file in memory, which all processes share. Files of the cache are never written in place,
// only replaced by others, so what is mapped stays.
type mapping struct{ data []byte }

// mapFile maps the whole file, which must not be empty.
func mapFile(f *os.File, size int64) (*mapping, error) {
	if size <= 0 || size != int64(int(size)) {
		return nil, fmt.Errorf("map %s: it has %d bytes", f.Name(), size)
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", f.Name(), err)
	}
	return &mapping{data}, nil
}

func (m *mapping) close() error {
	if m == nil || m.data == nil {
		return nil
	}
	data := m.data
	m.data = nil
	return unix.Munmap(data)
}

// Guard makes an error of a fault in mapped memory, such as the end of a file that someone has cut off, in the goroutine that calls it: the
// function that it returns must be deferred.
func Guard(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		if p := recover(); p != nil {
			fault, ok := p.(interface{ Addr() uintptr })
			if !ok {
				panic(p)
			}
			*err = fmt.Errorf("read index: %w: %v", ErrDamaged, fault)
		}
	}
}

// A seal tells whether a file is the one that was written: nobody can change it, copy it or make another without
// another inode or another time of change. Who holds an archive of a repository can't make up a seal either.
type seal struct {
	Size   int64
	Inode  uint64
	Change int64 // of the inode, in nanoseconds since 1970
	CRC32C uint32
	// Settled tells that the file was durable, and its last change some time past, when it was sealed, so that the rest is
	// proof. Of others the checksum is compared as well.
	Settled bool
}

// sealOf is the file's seal as it is now, without the checksum.
func sealOf(f *os.File) (seal, error) {
	var stat unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &stat); err != nil {
		return seal{}, fmt.Errorf("stat %s: %w", f.Name(), err)
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFREG {
		return seal{}, fmt.Errorf("open %s: it is not a regular file", f.Name())
	}
	return seal{Size: stat.Size, Inode: stat.Ino, Change: stat.Ctim.Nano()}, nil
}

// hasSeal reports, as an error, whether a file of the cache is not the one with the seal. Its content is not read.
func hasSeal(root *os.Root, name string, want seal) error {
	f, err := openPlain(root, name)
	if err != nil {
		return err
	}
	defer f.Close()
	return want.matches(f)
}

func (want seal) matches(f *os.File) error {
	got, err := sealOf(f)
	if err != nil {
		return err
	}
	if got.Size != want.Size || got.Inode != want.Inode || got.Change != want.Change {
		return fmt.Errorf("open %s: %w: it is not the file that was written", f.Name(), ErrDamaged)
	}
	return nil
}

// openSealed maps a file of the cache if it has the seal. The checksum is compared if the file has not settled, or if thorough. An empty one
// maps to nil.
func openSealed(root *os.Root, name string, want seal, thorough bool) (*mapping, error) {
	f, err := openPlain(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := want.matches(f); err != nil {
		return nil, err
	}
	if want.Size == 0 {
		return &mapping{}, nil
	}
	if thorough || !want.Settled {
		sum, err := checksum(f)
		if err != nil {
			return nil, err
		}
		if sum != want.CRC32C {
			return nil, fmt.Errorf("open %s: %w: its checksum differs", f.Name(), ErrDamaged)
		}
	}
	return mapFile(f, want.Size)
}

// openPlain opens a file for reading that may be anything, in a cache that came with a repository, without
// waiting for whoever may be at the other end of a pipe.
func openPlain(root *os.Root, name string) (*os.File, error) {
	return root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var checksumBuffers = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// checksum reads the file instead of mapping it, which would count as memory of this process.
func checksum(f *os.File) (uint32, error) {
	buf := checksumBuffers.Get().(*[64 << 10]byte)
	defer checksumBuffers.Put(buf)
	sum := uint32(0)
	for offset := int64(0); ; {
		n, err := f.ReadAt(buf[:], offset)
		sum = crc32.Update(sum, castagnoli, buf[:n])
		offset += int64(n)
		if n == 0 || err != nil {
			var fault *fs.PathError
			if errors.As(err, &fault) {
				return 0, err
			}
			return sum, nil
		}
	}
}

// A number is what files hold arrays of, in the byte order of the machine.
type number interface{ ~uint32 | ~uint64 | ~float32 }

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
