package safeopen

import (
	"io/fs"
	"os"
)

// A Listing is what is in a folder, which is open until Close.
type Listing struct {
	// Entries are in no order.
	Entries []fs.DirEntry
	dir     *os.File // nil where the entries know all about themselves
	info    info
}

// Listing reads a folder below the root. Unlike List it asks the system about single entries only when Info is called.
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

// Info is what the system says of an entry, of a link itself. It is valid until the next call.
func (l *Listing) Info(e fs.DirEntry) (fs.FileInfo, error) {
	if l.dir == nil {
		return e.Info()
	}
	return infoIn(l.dir, e.Name(), &l.info)
}

// Close ends the use of the folder.
func (l *Listing) Close() error {
	if l.dir == nil {
		return nil
	}
	return l.dir.Close()
}
