// Package source says which files of a tree are indexed, and reads them.
//
// Walk lists a tree and List checks given paths; both apply the ignore files, the
// built-in exclusions and the globs of the settings. Folder.Read reads one file, or says
// why it is skipped. A Cache saves reading files that have not changed, a Watcher waits for
// changes. lib/parse is its only user in the pipeline. Begin with source.go and walk.go; ignore.go, products.go, secret.go and content.go have the rules.
//
// No path leads out of the root: files are opened by lib/safeopen, and symbolic links are never followed.
package source

import (
	"errors"
	"io/fs"
)

// DefaultMaxSize is the size in bytes above which a file is skipped: 1 MiB.
const DefaultMaxSize = 1 << 20

// Reasons for which a file is skipped. Some are followed by ": " and a detail, so
// compare with Reason.
const (
	Binary    = "binary"
	Generated = "generated"
	Minified  = "minified"
	// LinkedWorktree is that of a folder: it has the files of the tree at another commit.
	LinkedWorktree = "linked worktree"
	NotRegular     = "not a regular file"
	NotUTF8        = "not UTF-8"
	Secret         = "secret"
	SymbolicLink   = "symbolic link"
	TooLong        = "path too long"
	TooLarge       = "too large"
	Unreadable     = "unreadable"
)

// Options say what belongs to a tree. The patterns are those of glob.Parse over paths
// relative to Root, anchored there; one that could leave Root is an error.
type Options struct {
	// Root is the folder that is the tree.
	Root string
	// Code and Docs, if not empty, name the only code files and documents that
	// belong to the tree. A file that matches either list belongs to it.
	Code, Docs []string
	// Ignore names files and folders that do not belong to the tree.
	Ignore []string
	// Secrets takes in files that hold secrets, which are left out otherwise.
	Secrets bool
	// MaxSize is the limit in bytes for callers to pass to Folder.Read; 0 means DefaultMaxSize.
	MaxSize int64
	// Report, if set, receives faults that cost no more than one ignore file or folder.
	Report func(error)
}

// An Entry is one file of a tree.
type Entry struct {
	// Path is one that a record may have (record.CheckPath): relative to the root, with slashes, valid UTF-8. Bytes of a name that are not are
	// written \xNN; Skip is then set.
	Path string
	// Size is that on disk, in bytes.
	Size int64
	// Stat is what the system said of the file when it was listed.
	Stat Stat
	// Skip is why the file is not to be read: one of the reasons of this package,
	// perhaps with a detail; "" if none is known yet.
	Skip string
	// Secrets is that of the Options.
	Secrets bool
	// Deleted is set by List alone: the tree has no such file, or no longer wants it.
	Deleted bool
}

// Reason returns the reason in skip without its detail.
func Reason(skip string) string {
	for i := 0; i+1 < len(skip); i++ {
		if skip[i] == ':' && skip[i+1] == ' ' {
			return skip[:i]
		}
	}
	return skip
}

// cause is err without the operation and path that package os adds.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
