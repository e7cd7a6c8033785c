// Package relation answers a request to the graph as users write it: its targets may be copied from a stack trace, a
// signature or an earlier answer. A table.Request goes in, and a table.Answer comes out; if the answer is empty, its
// note says why. Commands (lib/ask) and tools (lib/mcp) ask through this package.
//
// Begin with Ask. signature.go finds the name in a target that is more than a name.
package relation

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"cortex/lib/graph/table"
	"cortex/lib/hint"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/terminal"
)

// A Source is what Ask reads.
type Source struct {
	// Query asks the graph.
	Query func(context.Context, table.Request) (*table.Answer, error)
	// LastLine returns the number of lines of a file by its tree path, 0 if the file is not indexed. Calls are rare.
	LastLine func(path string) (int, error)
	// Exact runs exact search. Calls are rare.
	Exact func(context.Context, answer.Request) (*answer.Response, error)
}

// Ask answers a request whose targets are relative to the root of the tree. pattern says which files count; "" means
// all. If nothing has the name of a target, Ask asks for it without arguments and type arguments: a target may be
// copied from a stack trace or a signature. It returns an error for a line beyond the end of a file, and notes why an
// answer is empty.
func Ask(ctx context.Context, req table.Request, pattern string, from Source) (a *table.Answer, err error) {
	if req.Match = nil; pattern != "" {
		if req.Match, err = corpus.PathMatcher(pattern); err != nil {
			return nil, err
		}
	}
	a, err = from.Query(ctx, req)
	for _, target := range []*string{&req.Target, &req.To} {
		typed := *target
		for _, name := range slices.Compact([]string{withoutArguments(typed), declaredName(typed)}) {
			if err != nil || a.NotFound == "" || a.NotFound != *target || name == *target {
				continue
			}
			before, first := *target, a
			*target = name
			if a, err = from.Query(ctx, req); err == nil && a.NotFound == name && (len(a.Near) == 0 || before != typed) {
				a, *target = first, before
			}
		}
	}
	if err == nil && a.NotFound != "" && !a.Document && path.Ext(a.NotFound) != "" {
		err = askOfDocument(ctx, &a, req, from)
	}
	if err == nil {
		err = checkPlaces(a, from.LastLine)
	}
	if err == nil {
		err = noteNothing(ctx, a, pattern, from.Exact)
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}

// checkPlaces returns an error if a target PATH:LINE of the answer has a line beyond the end of the file. A line
// outside of all symbols resolves to the file, so checkPlaces calls lastLine only for such targets. lastLine returns
// the number of lines of a file by its tree path, 0 if the file is not indexed.
func checkPlaces(a *table.Answer, lastLine func(path string) (int, error)) error {
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

// every is a query that matches every chunk without a made-up word, including those of documents, which the graph does not
// have.
const every = "NOT qzxqzx"

// askOfDocument asks again with the whole path if the name that was not found is the end of the path of one document.
func askOfDocument(ctx context.Context, a **table.Answer, req table.Request, from Source) error {
	found, err := from.Exact(ctx, answer.Request{Queries: []string{every}, Limit: maxHits, Filter: answer.Filter{Path: "**/" + (*a).NotFound}})
	if err != nil || len(found.Results) == 0 || found.TotalFound > maxHits {
		return err
	}
	whole := found.Results[0].Chunk.Metadata.FilePath
	if slices.ContainsFunc(found.Results, func(h answer.Hit) bool { return h.Chunk.Metadata.FilePath != whole }) {
		return nil
	}
	for _, target := range []*string{&req.Target, &req.To} {
		if *target == (*a).NotFound {
			*target = whole
		}
	}
	if again, err := from.Query(ctx, req); err != nil || again.Document {
		*a = again
		return err
	}
	return nil
}

// maxHits is the most chunks of a document that is named by the end of its path.
const maxHits = 500

// noteNothing adds to the note of an answer without results why there are none: path matches no file, or the index is
// empty. It asks exact search of the index for the reason.
func noteNothing(ctx context.Context, a *table.Answer, path string, exact func(context.Context, answer.Request) (*answer.Response, error)) error {
	switch {
	case a.NoFile:
	case a.NotFound != "" && len(a.Near) == 0 && !a.Document:
		path = ""
	default:
		return nil
	}
	r, err := exact(ctx, answer.Request{Queries: []string{every}, Limit: 1, Filter: answer.Filter{Path: path}})
	if err != nil || r.NoMatch == nil {
		return err
	}
	// Earlier lines of the message are about the query, which the user did not write.
	why := r.NoMatch.Message[strings.LastIndexByte(r.NoMatch.Message, '\n')+1:]
	a.Note = strings.TrimPrefix(a.Note+"; "+why, "; ")
	return nil
}
