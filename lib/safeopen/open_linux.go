package safeopen

import (
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// openBelow opens a file or folder below dir for reading, and gives it the name name. It takes one system call; os.Root
// takes one or two for each folder of the path. It returns nil if the kernel does not support the call, if the path has
// a link, or on any error. The caller then uses os.Root, which opens the file or returns the error.
func openBelow(dir *os.File, path, name string, flags uint64) *os.File {
	fd, err := unix.Openat2(int(dir.Fd()), path, &unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NOCTTY | unix.O_LARGEFILE | flags,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	})
	if err != nil {
		return nil
	}
	return os.NewFile(uintptr(fd), name)
}

// infoIn returns the FileInfo of an entry of a folder, in i.
func infoIn(dir *os.File, name string, i *info) (fs.FileInfo, error) {
	i.name = name
	if err := unix.Fstatat(int(dir.Fd()), name, &i.stat, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: err}
	}
	i.sys = syscall.Stat_t{Ino: i.stat.Ino, Ctim: syscall.Timespec(i.stat.Ctim)}
	return i, nil
}

// An info is a fs.FileInfo. Its Sys has only the inode and the time of the last change.
type info struct {
	name string
	stat unix.Stat_t
	sys  syscall.Stat_t
}

func (i *info) Name() string       { return i.name }
func (i *info) Size() int64        { return i.stat.Size }
func (i *info) IsDir() bool        { return i.Mode().IsDir() }
func (i *info) ModTime() time.Time { return time.Unix(i.stat.Mtim.Unix()) }
func (i *info) Sys() any           { return &i.sys }

func (i *info) Mode() fs.FileMode {
	mode := fs.FileMode(i.stat.Mode & 0o777)
	switch i.stat.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return mode
	case unix.S_IFDIR:
		return mode | fs.ModeDir
	case unix.S_IFLNK:
		return mode | fs.ModeSymlink
	case unix.S_IFIFO:
		return mode | fs.ModeNamedPipe
	case unix.S_IFSOCK:
		return mode | fs.ModeSocket
	case unix.S_IFBLK:
		return mode | fs.ModeDevice
	case unix.S_IFCHR:
		return mode | fs.ModeDevice | fs.ModeCharDevice
	}
	return mode | fs.ModeIrregular
}
