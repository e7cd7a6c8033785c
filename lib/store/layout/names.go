// Package layout describes the folder of a store: the names of its files, the manifest, and the shards. Readers and
// writers share it. Begin with manifest.go.
//
//	.cortex/shards/00.jsonl ...    a line for each file, followed by the lines of its chunks; see store/shard
//	.cortex/generator-output.json  the manifest
//
// The hash of a file's tree path selects its shard. The content of a shard is in the file of its name or, until the
// writer has renamed it, in a file beside it with the digest in its name (NewPath). The derived files of the store
// include a table of the files of each shard (tables.go).
package layout

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"cortex/lib/hint"
)

// Dir is the name of the store's folder in the root of a repository.
const Dir = ".cortex"

// Version is the version of the files on disk.
const Version = 3

// ManifestName is the file in the store's folder whose replacement commits a new generation.
const ManifestName = "generator-output.json"

const (
	// ShardsDir is the folder of the shards in the store's folder.
	ShardsDir = "shards"
	// TempSuffix is the suffix of temporary files.
	TempSuffix = ".tmp"
)

// IndexAll is the command that builds an index in full.
const IndexAll = "cortex-parse . | cortex-chunk | cortex-embed | cortex-store"

// IndexAgain is the command that updates an index, and rebuilds it if necessary.
const IndexAgain = "cortex-parse --incremental . | cortex-chunk | cortex-embed | cortex-store"

// InFolder returns the command IndexAll or IndexAgain for the store in dir, which is "" for a tree in a database. A
// store named .cortex lies in its tree; the tree of any other store is not known here.
func InFolder(dir, command string) string {
	switch {
	case dir == "":
		return command
	case filepath.Base(dir) == Dir:
		return Command(filepath.Dir(dir), dir, command)
	}
	return Command(".", dir, command)
}

// Command returns the command IndexAll or IndexAgain for the tree root and the store in dir. It names the store unless
// that is .cortex in the root, where the command would write anyway.
func Command(root, dir, command string) string {
	if dir != filepath.Join(root, Dir) {
		store := " --store " + ShellWord(dir)
		command = strings.Replace(command, " --incremental", " --incremental"+store, 1) + store
	}
	if root == "." {
		return command
	}
	return "cd " + ShellWord(root) + " && " + command
}

// ShellWord returns a path as one word for a shell.
func ShellWord(path string) string {
	if !strings.ContainsAny(path, " \t\"'`$&|;<>()*?[]{}!#~\\") {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// ShardName returns the name of the shard with this number.
func ShardName(number int) string { return fmt.Sprintf("%02x.jsonl", number) }

// ShardPath returns the path of a shard within the store.
func ShardPath(name string) string { return ShardsDir + "/" + name }

// NewPath returns the path of a shard's new content until the writer renames the file after the commit.
func NewPath(s *Shard) string { return ShardsDir + "/." + s.Name + "." + s.Digest[:16] + ".new" }

// ShardOf returns the name of the shard that a file in shards/ holds, "" for a file that does not belong to Cortex.
// isNew is set for the new content of a shard (see NewPath).
func ShardOf(name string) (shard string, isNew bool) {
	m := shardFile.FindStringSubmatch(name)
	if m == nil {
		return "", false
	}
	return m[1] + m[2], m[2] != ""
}

// shardFile matches the names of shards, and of their new contents.
var shardFile = regexp.MustCompile(`^(?:([0-9a-f]{2}\.jsonl)|\.([0-9a-f]{2}\.jsonl)\..*new)$`)

// TimeLayout is RFC 3339 in UTC with whole seconds. Times in it sort as text.
const TimeLayout = "2006-01-02T15:04:05Z"

// ValidTime reports whether s is a time as the store writes it.
func ValidTime(s string) bool {
	t, err := time.Parse(TimeLayout, s)
	return err == nil && t.Format(TimeLayout) == s
}

// NoIndex returns the error of a missing store.
func NoIndex(dir string) error {
	return hint.Wrap(&noIndexError{dir}, "make one in the folder to be searched: "+InFolder(dir, IndexAll))
}

type noIndexError struct{ dir string }

func (e *noIndexError) Error() string { return "no index in " + e.dir }

// Is reports that the error is fs.ErrNotExist.
func (e *noIndexError) Is(target error) bool { return target == fs.ErrNotExist }
