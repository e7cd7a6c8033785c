package search

import (
	"fmt"

	"cortex/lib/search/answer"
	"cortex/lib/search/index"
	"cortex/lib/search/show"
)

// Lines are the lines from first to last, both in it, of a file by its tree path, as they were when it was indexed: none of a file that is not, and
// at most MaxContext of one that is. See Excerpt for lines that chunks do not hold, which are empty, and for long ones.
func (x *Index) Lines(path string, first, last int) (lines []string, err error) {
	defer index.Guard(&err)()
	file, ok := x.corpus.Generation.FileNamed(path)
	first = max(first, 1)
	if !ok || last < first {
		return nil, nil
	}
	if lines, err = show.FileLines(x.corpus, file, first, min(last, x.corpus.Generation.LastLine(file), first+answer.MaxContext-1), show.LineWidth); err != nil {
		return nil, fmt.Errorf("read lines of %s: %w", path, err)
	}
	return lines, nil
}

// LastLine is the last line that chunks of a file have, by its tree path; 0 if there is none.
func (x *Index) LastLine(path string) (last int, err error) {
	defer index.Guard(&err)()
	if file, ok := x.corpus.Generation.FileNamed(path); ok {
		last = x.corpus.Generation.LastLine(file)
	}
	return last, nil
}

// Text are all lines of a file by its tree path, as far as chunks hold them, and whether there are more than a person would read.
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
