package search

import (
	"fmt"

	"cortex/lib/search/answer"
	"cortex/lib/search/index"
	"cortex/lib/search/show"
)

// Lines returns the lines [first, last] of a file, named by its tree path, as they were when it was indexed; at most
// MaxContext lines, and none if the file is not indexed. See Excerpt for lines that chunks do not hold and for long
// lines.
func (x *Index) Lines(path string, first, last int) (lines []string, err error) {
	defer index.Guard(&err)()
	file, ok := x.corpus.Generation.FileNamed(path)
	first = max(first, 1)
	if !ok || last < first {
		return nil, nil
	}
	if lines, err = show.FileLines(x.corpus, file, first, min(last, x.corpus.Generation.LastLine(file), first+answer.MaxContext-1), answer.LineWidth); err != nil {
		return nil, fmt.Errorf("read lines of %s: %w", path, err)
	}
	return lines, nil
}

// LastLine returns the number of the last line that chunks of a file have; 0 if the file is not indexed. path is a tree
// path.
func (x *Index) LastLine(path string) (last int, err error) {
	defer index.Guard(&err)()
	if file, ok := x.corpus.Generation.FileNamed(path); ok {
		last = x.corpus.Generation.LastLine(file)
	}
	return last, nil
}

// Text returns all lines of a file that chunks hold, at most show.MaxExcerpts; more reports whether the file has
// further ones. path is a tree path.
func (x *Index) Text(path string) (lines []string, more bool, err error) {
	defer index.Guard(&err)()
	file, ok := x.corpus.Generation.FileNamed(path)
	if !ok {
		return nil, false, nil
	}
	last := x.corpus.Generation.LastLine(file)
	if lines, err = show.FileLines(x.corpus, file, 1, min(last, show.MaxExcerpts), 0); err != nil {
		return nil, false, fmt.Errorf("read lines of %s: %w", path, err)
	}
	return lines, last > show.MaxExcerpts, nil
}
