package mcp

import (
	"context"
	"fmt"

	"cortex/lib/embed/provider"
	"cortex/lib/request"
	"cortex/lib/search"
)

func searchTool() tool {
	return tool{
		name:  "cortex_search",
		title: "Search code and documentation by meaning",
		description: "Finds code and documentation of this repository by meaning and words. " +
			"Use it when you can describe what you look for but do not know its name. " +
			`Examples: {"query": "where are expired sessions removed"}, {"query": "retry with backoff", "path": "lib/**", "tests": "no"}. ` +
			"Each result is a place, path:start-end, with the lines that tell most; an answer that begins with doubt is guesses.",
		prepare: func() question {
			req := &request.Search{}
			return question{req.Options(), req.Read, hitsOf(&req.Hits, true, answerQuestion)}
		},
	}
}

func answerQuestion(ctx context.Context, e *openIndex, asked search.Request) (*search.Response, error) {
	// Without its service the model may be back soon; without the model the answers would be worse for good.
	silent := provider.IsUnreachable(e.noEmbedder) && (asked.Mode == "" || asked.Mode == search.Auto)
	switch {
	case silent:
		asked.Mode = search.Keyword
	case e.noEmbedder != nil && asked.Mode != search.Keyword:
		return nil, fmt.Errorf("%w (mode keyword and cortex_exact work)", e.noEmbedder)
	}
	response, err := e.index.Search(ctx, asked)
	if err == nil && silent {
		response.Metadata.Warning = search.ByWordsOnly(e.noEmbedder)
	}
	return response, err
}
