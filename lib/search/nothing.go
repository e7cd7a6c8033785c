package search

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
)

// emptyIndex is the reason why nothing is found in an index without chunks.
const emptyIndex = "the index is empty; cortex-store status tells which files were skipped and why"

// nothing returns the answer to a request that cannot find anything.
func nothing(req answer.Request, start time.Time, query, why string) *answer.Response {
	response := &answer.Response{Query: query, NoMatch: &answer.NoMatch{Message: why}, Metadata: answer.ResponseMetadata{Source: string(cmp.Or(req.Mode, answer.Auto))}}
	response.Finish(start)
	return response
}

// nothingToFind returns the reason why no request with this filter can find anything: the index is empty, or the filter
// allows no chunk. allowed holds the chunks that the filter allows. nothingToFind returns "" if there are chunks to
// search.
func (x *Index) nothingToFind(ctx context.Context, f answer.Filter, allowed corpus.Set) (string, error) {
	if x.corpus.Generation.Len() == 0 {
		return emptyIndex, nil
	}
	if allowed == nil || allowed.Count() > 0 {
		return "", nil
	}
	parts := partsOf(f)
	for _, part := range parts {
		alone, err := x.corpus.Allowed(ctx, part.filter)
		if err != nil {
			return "", err
		}
		if alone.Count() > 0 {
			continue
		}
		skipped, err := x.corpus.Skipped(ctx, part.filter.Path)
		if err != nil {
			return "", err
		}
		if skipped != "" {
			return part.nothing + "\n" + skipped, nil
		}
		near := x.corpus.NearPaths(part.filter.Path)
		if name := part.filter.SymbolName; name != "" {
			near = x.corpus.NearNames(name)
		}
		if len(near) > 0 {
			return part.nothing + "; near: " + strings.Join(near, ", "), nil
		}
		return part.nothing, nil
	}
	var all []string
	for _, part := range parts {
		all = append(all, part.written)
	}
	return "nothing satisfies all of the filter: " + strings.Join(all, ", "), nil
}

// A filterPart is one condition of a Filter.
type filterPart struct {
	filter answer.Filter
	// written describes the condition, and nothing says that no chunk satisfies it.
	written, nothing string
}

// partsOf returns the conditions of the filter.
func partsOf(f answer.Filter) []filterPart {
	var list []filterPart
	add := func(part answer.Filter, written, nothing string) {
		list = append(list, filterPart{part, written, nothing + " " + written})
	}
	if len(f.ChunkTypes) > 0 {
		add(answer.Filter{ChunkTypes: f.ChunkTypes}, "type "+quoted(f.ChunkTypes), "no chunk is of")
	}
	if len(f.Languages) > 0 {
		add(answer.Filter{Languages: f.Languages}, "language "+quoted(f.Languages), "no file is in the")
	}
	for _, tag := range f.Tags {
		add(answer.Filter{Tags: []string{tag}}, "tag "+quoted([]string{tag}), "no chunk has the")
	}
	if f.Path != "" {
		add(answer.Filter{Path: f.Path}, "path "+quoted([]string{f.Path}), "no file matches the")
	}
	switch f.Tests {
	case answer.TestsNo:
		add(answer.Filter{Tests: f.Tests}, "tests: no", "all is test code for")
	case answer.TestsOnly:
		add(answer.Filter{Tests: f.Tests}, "tests: only", "no test code is there for")
	}
	if f.SymbolType != "" {
		add(answer.Filter{SymbolType: f.SymbolType}, "kind "+quoted([]string{f.SymbolType}), "no symbol is of the")
	}
	if f.SymbolName != "" {
		add(answer.Filter{SymbolName: f.SymbolName}, "name "+quoted([]string{f.SymbolName}), "no symbol has the")
	}
	return list
}

func quoted(values []string) string {
	var list []string
	for _, value := range values {
		list = append(list, fmt.Sprintf("%q", answer.Shorten(value)))
	}
	return strings.Join(list, " or ")
}
