package search

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"cortex/lib/hint"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/show"
	"cortex/lib/terminal"
)

// errLike is the error for a request with both a question and a place.
var errLike = errors.New("a question and a place to compare with: give one of them")

// similar finds code and documentation similar to a place.
func (x *Index) similar(ctx context.Context, req answer.Request, allowed corpus.Set) (*answer.Response, error) {
	start := time.Now()
	place, err := x.locate(req.Like)
	if err != nil {
		return nil, err
	}
	list, terms, mode, err := x.ranker.Like(ctx, place, req, allowed)
	if err != nil {
		return nil, err
	}
	response := &answer.Response{Query: "like " + req.Like, TotalFound: len(list), Metadata: answer.ResponseMetadata{Source: string(mode)}}
	if len(list) == 0 {
		response.NoMatch = &answer.NoMatch{Message: "nothing else shares a word or a meaning with the place"}
	}
	list = x.goodEnough(response, list, req)
	finder := show.FinderFor(req, show.Notice|show.Imports, nil)
	shown := answer.Page(list, req)
	if len(shown) == 0 {
		x.tellBeyond(response, list, req)
	}
	if err := x.fill(response, shown, req, show.QuestionNeedles(terms), finder); err != nil {
		return nil, err
	}
	response.Finish(start)
	return response, nil
}

// firstLine returns the first line of a place as answers print it: 98, 98-111 or 98-111,120-130.
func firstLine(lines string) (first int, ok bool) {
	for span := range strings.SplitSeq(lines, ",") {
		start, end, isRange := strings.Cut(span, "-")
		if !isRange {
			end = start
		}
		for _, text := range []string{start, end} {
			line, err := strconv.Atoi(text)
			if err != nil || line < 1 {
				return 0, false
			}
			if first == 0 {
				first = line
			}
		}
	}
	return first, true
}

// locate returns the chunk that Request.Like names: by its identifier, or by a line of a file. Of several lines the
// first counts. The end of a path is enough to name a file if no other path ends so.
func (x *Index) locate(like string) (int, error) {
	like = strings.TrimSpace(like)
	if chunk, ok := x.corpus.Generation.Find(like); ok {
		return chunk, nil
	}
	const cure = "write PATH:LINE, such as lib/server.go:42, or the identifier of a chunk"
	colon := strings.LastIndexByte(like, ':')
	line, ok := firstLine(like[colon+1:])
	if colon < 1 || !ok {
		return 0, hint.Wrap(fmt.Errorf("place %q: expected a file and a line", answer.Shorten(like)), cure)
	}
	name := path.Clean(strings.ReplaceAll(like[:colon], `\`, "/"))
	file, known := x.corpus.Generation.FileNamed(name)
	if !known {
		var ends []string
		x.corpus.Generation.EachFile(func(of uint32, path string, _ int) {
			if strings.HasSuffix(path, "/"+name) || strings.HasSuffix(path, ":"+name) {
				file, ends = of, append(ends, path)
			}
		})
		switch {
		case len(ends) == 0:
			return 0, hint.Wrap(fmt.Errorf("place %q: no such file in the index", answer.Shorten(like)), cure+", as in the results of a search")
		case len(ends) > 1:
			return 0, hint.Wrap(fmt.Errorf("place %q: %d files match", answer.Shorten(like), len(ends)), "write more of the path, such as "+slices.Min(ends))
		}
	}
	best, rank, last := -1, [3]int{}, 0
	for i := range x.corpus.Generation.Chunks(file) {
		start, end := x.corpus.Generation.Lines(i)
		last = max(last, end)
		if x.corpus.Generation.Traits(i)&corpus.TraitDerived != 0 {
			continue
		}
		// Prefer the chunk with the line, else the nearest one; then one piece of the file to a chunk of several
		// pieces; then the shortest.
		own := [3]int{max(start-line, line-end, 0), 0, end - start}
		if !corpus.IsVerbatim(x.corpus.Generation.ChunkType(i)) {
			own[1] = 1
		}
		if best < 0 || slices.Compare(own[:], rank[:]) < 0 {
			best, rank = i, own
		}
	}
	if best < 0 || line > last {
		return 0, hint.Wrap(fmt.Errorf("place %q: the file has %s in the index", answer.Shorten(like), terminal.Count(last, "line", "lines")), "make the index again if the file has changed")
	}
	return best, nil
}
