// Package store keeps the chunks of an index on disk: the folder .cortex.
//
// It is the last stage of the pipeline, and what it writes is the stream at rest. Run takes the stream that cortex-embed writes,
// and applies every framed run as one change; Open gives the records of one generation; Indexed tells cortex-parse which files need not be
// done again; Cat turns a store back into a stream; Verify looks for damage.
//
//	.cortex/shards/00.jsonl ...    a line for each file, followed by the lines of its chunks; see store/shard
//	.cortex/generator-output.json  the manifest
//
// The hash of a file's tree path names its shard, so that a change writes the shards of the files that it changes, and no others. Reading begins
// with generation.go, writing with run.go: change.go gathers a run in a spool, plan.go decides what becomes of each file, merge.go makes the lines of the
// shards that differ, and commit.go puts them in their places.
//
// Readers take no lock. The manifest names every shard by its digest, and its replacement is the moment of commit. Until then nothing is
// touched of the old generation; the new shards stand beside the old ones under names with their digests. After it they are moved to their
// places. So a reader finds the whole old generation or the whole new one at any moment, after a crash too.
package store

import (
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"cortex/lib/hint"
)

// Dir is the name of the store's folder in the root of a repository.
const Dir = ".cortex"

// Version is the version of the files on disk.
const Version = 2

// ManifestName is the file in the store's folder whose replacement commits a new generation.
const ManifestName = "generator-output.json"

const (
	shardsDir     = "shards"
	gitignoreName = ".gitignore"
	tempSuffix    = ".tmp"
	newSuffix     = ".new"
)

const gitignore = `# Temporary files, and outputs of stages that a Makefile keeps; the index itself may be committed.
/cache/
.*.tmp
.*.new
`

// indexAll is the command that makes a whole index.
const indexAll = "cortex-parse . | cortex-chunk | cortex-embed | cortex-store"

// indexAgain is the command that brings an index up to date, and makes it anew where it must.
const indexAgain = "cortex-parse --incremental . | cortex-chunk | cortex-embed | cortex-store"

// shardName is the name of a shard by its number.
func shardName(number int) string { return fmt.Sprintf("%02x.jsonl", number) }

// shardPath is the path of a shard within the store.
func shardPath(name string) string { return shardsDir + "/" + name }

// manifestTemp is where the next manifest is written.
const manifestTemp = "." + ManifestName + tempSuffix

// timeLayout is RFC 3339 in UTC with whole seconds. Times in it sort as text.
const timeLayout = "2006-01-02T15:04:05Z"

// validTime reports whether s is a time as the store writes it.
func validTime(s string) bool {
	t, err := time.Parse(timeLayout, s)
	return err == nil && t.Format(timeLayout) == s
}

// Clock returns the clock that the environment asks for: the time that SOURCE_DATE_EPOCH
// holds (seconds since 1970, see reproducible-builds.org), or time.Now.
func Clock(getenv func(string) string) (func() time.Time, error) {
	value := getenv("SOURCE_DATE_EPOCH")
	if value == "" {
		return time.Now, nil
	}
	seconds, err := strconv.ParseInt(value, 10, 64)
	// The year 9999 is the last that RFC 3339 can write.
	if err != nil || seconds < 0 || seconds > 253402300799 {
		return nil, hint.Wrap(fmt.Errorf("SOURCE_DATE_EPOCH %q is not a number of seconds since 1970", value),
			"unset SOURCE_DATE_EPOCH, or set it to a time such as 1700000000")
	}
	at := time.Unix(seconds, 0)
	return func() time.Time { return at }, nil
}

// errNoIndex is what a missing store is.
func errNoIndex(dir string) error {
	return hint.Wrap(&noIndexError{dir}, "make one in the folder to be searched: "+indexAll)
}

type noIndexError struct{ dir string }

func (e *noIndexError) Error() string { return "no index in " + e.dir }

// Is makes a missing store recognisable as fs.ErrNotExist.
func (e *noIndexError) Is(target error) bool { return target == fs.ErrNotExist }
