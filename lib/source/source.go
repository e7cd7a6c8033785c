// Package source decides which files of a tree are indexed, and reads them.
//
// Walk lists a tree, and List checks given paths. Both apply the ignore files, the built-in exclusions and the globs of
// the settings. Folder.Read reads one file, or returns the reason to skip it. A Cache avoids reading unchanged files
// again, and a Watcher waits for changes. In the pipeline only lib/parse uses the package. Begin with source.go and
// walk.go; ignore.go, products.go, secret.go and content.go have the rules.
//
// No path leads out of the root: lib/safeopen opens all files, and symbolic links are never followed, apart from one in
// the place of git's info/exclude.
package source

import (
	"errors"
	"io/fs"

	"cortex/lib/record"
)

// DefaultMaxSize is the default size in bytes above which files are skipped: 1 MiB.
const DefaultMaxSize = 1 << 20

// Reasons to skip a file. Some are followed by ": " and a detail, so compare with record.ReasonOf.
const (
	Binary         = "binary"
	Generated      = "generated"
	Minified       = "minified"
	LinkedWorktree = record.SkippedWorktree
	NotRegular     = "not a regular file"
	NotUTF8        = "not UTF-8"
	Pointer        = "pointer of Git LFS"
	Product        = record.SkippedProducts
	Secret         = "secret"
	SymbolicLink   = "symbolic link"
	TooLong        = "path too long"
	TooLarge       = "too large"
	Unreadable     = record.SkippedUnreadable
)

// Options say which files belong to a tree. The patterns are parsed by glob.Parse and match paths relative to Root. A
// pattern that could match outside of Root is an error.
type Options struct {
	// Root is the folder of the tree.
	Root string
	// Code and Docs, if not empty, select the code files and the documents that belong to the tree. A file that matches
	// either list belongs to it.
	Code, Docs []string
	// Ignore excludes files and folders from the tree.
	Ignore []string
	// Store is the folder of the store that the tree is compared with, "" if there is none. Neither this folder nor the
	// cache folder (derived.Home) belongs to the tree, whatever they are called and whatever ignore files say.
	Store string
	// Secrets includes files that hold secrets.
	Secrets bool
	// MaxSize is the limit, in bytes, that callers pass to Folder.Read; 0 means DefaultMaxSize.
	MaxSize int64
	// Report, if set, receives errors that affect a single ignore file or folder.
	Report func(error)
}

// An Entry is one file of a tree.
type Entry struct {
	// Path is valid for records (record.CheckPath): relative to the root, with slashes, valid UTF-8. If a name is not
	// UTF-8, its invalid bytes are written as \xNN, and Skip is set.
	Path string
	// Size is the size on disk, in bytes.
	Size int64
	// Stat is the Stat of the file when it was listed.
	Stat Stat
	// Skip is the reason not to read the file, one of this package's reasons with or without a detail; "" if there is
	// none so far.
	Skip string
	// Secrets is Options.Secrets.
	Secrets bool
	// Deleted is set by List only: the file does not exist or does not belong to the tree any more.
	Deleted bool
}

// cause returns err without the operation and path that package os adds.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
