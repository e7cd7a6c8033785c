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

// CheckPlaces reports a target PATH:LINE of the answer whose line is behind the end of the file; a line outside of all symbols stands for the file. lastLine gives the
// number of lines of a file by its tree path, 0 if none is indexed; it is called for targets that stand for a file alone.
func CheckPlaces(a *table.Answer, lastLine func(path string) (int, error)) error {
	for _, named := range []struct {
		query string
		found *table.Symbol
	}{{a.Query, a.Target}, {a.QueryTo, a.To}} {
		colon := strings.LastIndexByte(named.query, ':')
		line, err := strconv.Atoi(strings.TrimSpace(named.query[colon+1:]))
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

// NoteNoFile says in the note of an answer that has no results why the path admits no file, as exact search of the index does.
func NoteNoFile(ctx context.Context, a *table.Answer, path string, exact func(context.Context, answer.Request) (*answer.Response, error)) error {
	if !a.NoFile {
		return nil
	}
	// All that lacks a made-up word: documents, of which the graph knows nothing, as well.
	r, err := exact(ctx, answer.Request{Queries: []string{"NOT qzxqzx"}, Limit: 1, Filter: answer.Filter{Path: path}})
	if err != nil || r.NoMatch == nil {
		return err
	}
	// What the query alone would find stands before.
	why := r.NoMatch.Message[strings.LastIndexByte(r.NoMatch.Message, '\n')+1:]
	a.Note = strings.TrimPrefix(a.Note+"; "+why, "; ")
	return nil
}
