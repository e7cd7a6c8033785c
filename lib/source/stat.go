package source

import "io/fs"

// A Stat is what the system reports about a file without opening it. After a write it differs, unless the write came
// within the resolution of the file system's clock (see Cache).
type Stat struct {
	Size int64
	// Modified is when the content last changed, Changed when anything about the file last changed, in nanoseconds
	// since 1970. Programs can set Modified to any time.
	Modified, Changed int64
	// Inode is the file's inode number. Inode and Changed are 0 on systems that lack them.
	Inode uint64
}

func newStat(info fs.FileInfo) Stat {
	s := Stat{Size: info.Size(), Modified: info.ModTime().UnixNano()}
	s.Changed, s.Inode = inode(info)
	return s
}
