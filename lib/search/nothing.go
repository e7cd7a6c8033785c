package search

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"
)

// emptyIndex is why nothing is found in an index without chunks.
const emptyIndex = "the index is empty; cortex-store status tells which files were skipped and why"

// nothing is the answer to a request that can't find anything.
func (req *Request) nothing(start time.Time, query, why string) *Response {
	response := &Response{Query: query, NoMatch: &NoMatch{Message: why}, Metadata: ResponseMetadata{Source: string(cmp.Or(req.Mode, Auto))}}
	response.finish(start)
	return response
}

// nothingToFind tells why a request can't find anything, whatever it asks for: the index is empty, or the filter, of which allowed is
// the set of chunks, admits none. It is "" where there is something to be found.
func (x *Index) nothingToFind(ctx context.Context, f Filter, allowed bitset) (string, error) {
	if x.cat.Len() == 0 {
		return emptyIndex, nil
	}
	if allowed == nil || allowed.count() > 0 {
		return "", nil
	}
	parts := f.parts()
	for _, part := range parts {
		alone, err := x.allowed(ctx, part.filter)
		if err != nil {
			return "", err
		}
		if alone.count() == 0 {
			return part.nothing, nil
		}
	}
	var all []string
	for _, part := range parts {
		all = append(all, part.written)
	}
	return "nothing satisfies all of the filter: " + strings.Join(all, ", "), nil
}

// A filterPart is one condition of a Filter.
type filterPart struct {
	filter Filter
	// written is the condition in words, and nothing says that no chunk satisfies it.
	written, nothing string
}

// parts are the conditions of the filter.
func (f Filter) parts() []filterPart {
	var list []filterPart
	add := func(part Filter, written, nothing string) {
		list = append(list, filterPart{part, written, nothing + " " + written})
	}
	if len(f.ChunkTypes) > 0 {
		add(Filter{ChunkTypes: f.ChunkTypes}, "type "+quoted(f.ChunkTypes), "no chunk is of")
	}
	if len(f.Languages) > 0 {
		add(Filter{Languages: f.Languages}, "language "+quoted(f.Languages), "no file is in the")
	}
	for _, tag := range f.Tags {
		add(Filter{Tags: []string{tag}}, "tag "+quoted([]string{tag}), "no chunk has the")
	}
	if f.Path != "" {
		add(Filter{Path: f.Path}, "path "+quoted([]string{f.Path}), "no file matches the")
	}
	switch f.Tests {
	case TestsNo:
		add(Filter{Tests: f.Tests}, "tests: no", "all is test code for")
	case TestsOnly:
		add(Filter{Tests: f.Tests}, "tests: only", "no test code is there for")
	}
	if f.SymbolType != "" {
		add(Filter{SymbolType: f.SymbolType}, "kind "+quoted([]string{f.SymbolType}), "no symbol is of the")
	}
	if f.SymbolName != "" {
		add(Filter{SymbolName: f.SymbolName}, "name "+quoted([]string{f.SymbolName}), "no symbol has the")
	}
	return list
}

func quoted(values []string) string {
	var list []string
	for _, value := range values {
		list = append(list, fmt.Sprintf("%q", shortened(value)))
	}
	return strings.Join(list, " or ")
}
