package search

import (
	"fmt"
	"slices"
)

// Lines are the lines from first to last, both in it, of a file by its tree path, as they were when it was indexed: none of a file that is not, and
// at most MaxContext of one that is. See Excerpt for lines that chunks do not hold, which are empty, and for long ones.
func (x *Index) Lines(path string, first, last int) (lines []string, err error) {
	defer x.guard(&err)()
	files := x.facets.files()
	file := slices.Index(files.paths, path)
	first = max(first, 1)
	if file < 0 || last < first {
		return nil, nil
	}
	chunks := files.chunks[file]
	if lines, err = x.fileLines(chunks, first, min(last, x.lastLine(chunks), first+MaxContext-1), maxContextWidth); err != nil {
		return nil, fmt.Errorf("read lines of %s: %w", path, err)
	}
	return lines, nil
}

// MatchPath makes the test of Filter.Path, for paths of trees.
func MatchPath(glob string) (func(path string) bool, error) { return pathMatcher(glob) }
