package source

import "io/fs"

// A Stat is what the system says of a file that was not opened. Of a file that was written
// to in between, two differ, unless that was within the grain of its clock (see Cache).
type Stat struct {
	Size int64
	// Modified is when the content, Changed when anything about the file last changed, in
	// nanoseconds since 1970. Programs can set the first at will.
	Modified, Changed int64
	// Inode is the number of the file. It and Changed are 0 where the system has none.
	Inode uint64
}

func newStat(info fs.FileInfo) Stat {
	s := Stat{Size: info.Size(), Modified: info.ModTime().UnixNano()}
	s.Changed, s.Inode = inode(info)
	return s
}
