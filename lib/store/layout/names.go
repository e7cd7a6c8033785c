// Package layout describes the folder of a store: the names of its files, the manifest, and the shards. Readers and writers share it.
//
//	.cortex/shards/00.jsonl ...    a line for each file, followed by the lines of its chunks; see store/shard
//	.cortex/generator-output.json  the manifest
//
// The hash of a file's tree path names its shard. The content of a shard is in its own file, or beside it in a file with the digest in its name (NewPath), until the writer
// has renamed that. Among the derived files of the store are tables of the files of each shard (tables.go).
package layout

import (
	"fmt"
	"io/fs"
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
	// TempSuffix ends the names of temporary files, NewSuffix those of shards that are not in their places.
	TempSuffix = ".tmp"
	NewSuffix  = ".new"
)

// IndexAll is the command that makes a whole index.
const IndexAll = "cortex-parse . | cortex-chunk | cortex-embed | cortex-store"

// IndexAgain is the command that brings an index up to date, and makes it anew where it must.
const IndexAgain = "cortex-parse --incremental . | cortex-chunk | cortex-embed | cortex-store"

// ShardName is the name of a shard by its number.
func ShardName(number int) string { return fmt.Sprintf("%02x.jsonl", number) }

// ShardPath is the path of a shard within the store.
func ShardPath(name string) string { return ShardsDir + "/" + name }

// TimeLayout is RFC 3339 in UTC with whole seconds. Times in it sort as text.
const TimeLayout = "2006-01-02T15:04:05Z"

// ValidTime reports whether s is a time as the store writes it.
func ValidTime(s string) bool {
	t, err := time.Parse(TimeLayout, s)
	return err == nil && t.Format(TimeLayout) == s
}

// NoIndex is the error of a missing store.
func NoIndex(dir string) error {
	return hint.Wrap(&noIndexError{dir}, "make one in the folder to be searched: "+IndexAll)
}

type noIndexError struct{ dir string }

func (e *noIndexError) Error() string { return "no index in " + e.dir }

// Is makes a missing store recognisable as fs.ErrNotExist.
func (e *noIndexError) Is(target error) bool { return target == fs.ErrNotExist }
