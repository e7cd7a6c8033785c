package search

import (
	"cmp"
	"context"
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
	parts := f.Conditions()
	for _, part := range parts {
		alone, err := x.corpus.Allowed(ctx, part.Filter)
		if err != nil {
			return "", err
		}
		if alone.Count() > 0 {
			continue
		}
		skipped, err := x.corpus.Skipped(ctx, part.Filter.Path)
		if err != nil {
			return "", err
		}
		if skipped != "" {
			return part.Nothing + "\n" + skipped, nil
		}
		near := x.corpus.NearPaths(part.Filter.Path)
		if name := part.Filter.SymbolName; name != "" {
			near = x.corpus.NearNames(name)
		}
		if len(near) > 0 {
			return part.Nothing + "; near: " + strings.Join(near, ", "), nil
		}
		return part.Nothing, nil
	}
	var all []string
	for _, part := range parts {
		all = append(all, part.Written)
	}
	return "nothing satisfies all of the filter: " + strings.Join(all, ", "), nil
}
