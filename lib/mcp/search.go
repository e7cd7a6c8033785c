package mcp

import (
	"context"
	"fmt"
	"strings"

	"cortex/lib/request"
	"cortex/lib/search"
)

func searchTool() tool {
	return tool{
		name:  "cortex_search",
		title: "Search code and documentation by meaning",
		description: "Finds code and documentation of this repository by meaning and words. " +
			"Use it when you can describe it but do not know its name. " +
			"Ask all you want to know in one call, with topics. " +
			`Examples: {"query": "where are expired sessions removed", "topics": ["how are passwords checked"]}, {"query": "retry with backoff", "path": "lib/**"}. ` +
			"Results are places, path:start-end, with their telling lines.",
		prepare: func() question {
			req := &request.Search{}
			return question{req.Options(), req.Read, hitsOf(&req.Hits, true, func(ctx context.Context, e *openIndex, asked search.Request) (*search.Response, error) {
				response, err := answerQuestion(ctx, e, asked)
				if err == nil && req.Cut {
					response.Metadata.Warning = strings.TrimPrefix(response.Metadata.Warning+"; "+cutNote, "; ")
				}
				return response, err
			})}
		},
	}
}

// cutNote is the warning that a question was cut.
var cutNote = fmt.Sprintf("only the first %d characters of a question were read", request.MaxQuestion)

// answerQuestion answers a search. If the store's model cannot be opened, it answers by words alone, with a warning. If
// the request names a mode that needs the model, it returns an error instead.
func answerQuestion(ctx context.Context, e *openIndex, asked search.Request) (*search.Response, error) {
	missing := e.noEmbedder != nil && asked.Like == "" && asked.Mode != search.Keyword
	if missing && asked.Mode != "" && asked.Mode != search.Auto {
		return nil, fmt.Errorf("%s search: %w", asked.Mode, e.noEmbedder)
	}
	response, err := e.index.Search(ctx, asked)
	if err == nil && missing {
		response.Metadata.Warning = search.ByWordsOnly(e.noEmbedder)
	}
	return response, err
}
