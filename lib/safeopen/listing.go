package safeopen

import (
	"io/fs"
	"os"
)

// A Listing has the entries of a folder. The folder is open until Close.
type Listing struct {
	// Entries are in no particular order.
	Entries []fs.DirEntry
	dir     *os.File // nil if the entries hold their own FileInfo
	info    info
}

// Listing reads a folder below the root. Unlike List, it asks the system about an entry only when Info is called.
func (r *Root) Listing(name string) (*Listing, error) {
	if dir := r.own(); dir != nil {
		if f := openBelow(dir, name, name, directory); f != nil {
			entries, err := f.ReadDir(-1)
			if err != nil {
				f.Close()
				return nil, err
			}
			return &Listing{Entries: entries, dir: f}, nil
		}
	}
	entries, err := r.List(name)
	if err != nil {
		return nil, err
	}
	return &Listing{Entries: entries}, nil
}

// Info returns the FileInfo of an entry, without following links. The FileInfo is valid until the next call.
func (l *Listing) Info(e fs.DirEntry) (fs.FileInfo, error) {
	if l.dir == nil {
		return e.Info()
	}
	return infoIn(l.dir, e.Name(), &l.info)
}

// Close closes the folder.
func (l *Listing) Close() error {
	if l.dir == nil {
		return nil
	}
	return l.dir.Close()
}
