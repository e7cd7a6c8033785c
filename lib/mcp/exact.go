package mcp

import (
	"context"

	"cortex/lib/request"
	"cortex/lib/search"
)

func exactTool() tool {
	return tool{
		name:  "cortex_exact",
		title: "Search code and documentation by exact words",
		description: "Finds every place of this repository that has the given words, like grep with an index. " +
			"Use it when you know a name, a message or a phrase, or to read definitions whole, many at once (context full). " +
			"An identifier is found whole and by its parts, in any case. " +
			"Adjacent words mean AND; AND OR NOT; \"a phrase\"; Prov*; term~1 fuzzy; /regexp/; ( ); " +
			"field:term with text, title, tags, chunk_type, path, language, symbol, symbol_type, package. " +
			`Examples: {"query": "\"connection refused\" NOT path:vendor"}, {"query": "symbol:(Open OR Server.Close)", "context": "full"}.`,
		prepare: func() question {
			req := &request.Exact{}
			return question{req.Options(), req.Read, hitsOf(&req.Hits, false, answerQuery)}
		},
	}
}

func answerQuery(ctx context.Context, e *openIndex, asked search.Request) (*search.Response, error) {
	return e.index.Exact(ctx, asked)
}
