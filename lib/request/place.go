package request

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"cortex/lib/graph/table"
	"cortex/lib/hint"
	"cortex/lib/search/answer"
	"cortex/lib/terminal"
)

// CheckPlaces returns an error if a target PATH:LINE of the answer has a line beyond the end of the file. A line
// outside of all symbols resolves to the file, so CheckPlaces calls lastLine only for such targets. lastLine returns
// the number of lines of a file by its tree path, 0 if the file is not indexed.
func CheckPlaces(a *table.Answer, lastLine func(path string) (int, error)) error {
	for _, named := range []struct {
		query string
		found *table.Symbol
	}{{a.Query, a.Target}, {a.QueryTo, a.To}} {
		colon := strings.LastIndexByte(named.query, ':')
		first, _, _ := strings.Cut(named.query[colon+1:], ",") // answers print 98-111,120-130
		first, _, _ = strings.Cut(first, "-")
		line, err := strconv.Atoi(strings.TrimSpace(first))
		if err != nil || colon < 0 || named.found == nil || named.found.Kind != table.FileKind || strings.HasSuffix(named.found.FilePath, named.query) {
			continue
		}
		last, err := lastLine(named.found.FilePath)
		if err != nil {
			return err
		}
		if 0 < last && last < line {
			return hint.Wrap(fmt.Errorf("place %q: the file has %s in the index", named.query, terminal.Count(last, "line", "lines")), "make the index again if the file has changed")
		}
	}
	return nil
}

// NoteNothing adds to the note of an answer without results why there are none: path matches no file, or the index is
// empty. It asks exact search of the index for the reason.
func NoteNothing(ctx context.Context, a *table.Answer, path string, exact func(context.Context, answer.Request) (*answer.Response, error)) error {
	switch {
	case a.NoFile:
	case a.NotFound != "" && len(a.Near) == 0:
		path = ""
	default:
		return nil
	}
	// The query matches every chunk without a made-up word, including those of documents, which the graph does not
	// have.
	r, err := exact(ctx, answer.Request{Queries: []string{"NOT qzxqzx"}, Limit: 1, Filter: answer.Filter{Path: path}})
	if err != nil || r.NoMatch == nil {
		return err
	}
	// Earlier lines of the message are about the query, which the user did not write.
	why := r.NoMatch.Message[strings.LastIndexByte(r.NoMatch.Message, '\n')+1:]
	a.Note = strings.TrimPrefix(a.Note+"; "+why, "; ")
	return nil
}
