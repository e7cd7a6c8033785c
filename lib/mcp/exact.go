package mcp

import (
	"context"
	"strings"

	"cortex/lib/search"
	"cortex/lib/search/query"
)

// maxOffset is more than any answer can have results.
const maxOffset = 1_000_000

const exactSchema = `{
  "type": "object",
  "properties": {
    "query": {"type": "string"},` + sharedProperties + `
  },
  "required": ["query"]
}`

func exactTool() tool {
	return tool{
		name:  "cortex_exact",
		title: "Search code and documentation by exact words",
		description: "Finds every place of this repository that has the given words, like grep with an index. " +
			"Use it when you know a name, a message or a phrase. An identifier is found whole and by its parts, in any case. " +
			"Adjacent words mean AND; AND OR NOT; \"a phrase\"; Prov*; term~1 fuzzy; /regexp/; ( ); " +
			"field:term with text, title, tags, chunk_type, path, language, symbol, symbol_type, package. " +
			`Examples: {"query": "\"connection refused\" NOT path:vendor"}, {"query": "symbol:Parse* language:go", "tests": "no"}. ` +
			"When nothing matches, the answer says which word is missing and what comes near it.",
		schema:  exactSchema,
		prepare: prepareExact,
	}
}

// anyOf is the one query for what any of several finds.
func anyOf(queries []string) ([]string, error) {
	if len(queries) == 1 {
		return queries, nil
	}
	for _, q := range queries {
		if _, err := query.Parse(q, 1); err != nil {
			return nil, err
		}
	}
	return []string{"(" + strings.Join(queries, ") OR (") + ")"}, nil
}

func prepareExact(a *arguments) question {
	faults := len(a.problems)
	queries := a.queries(maxQueryChars)
	if len(queries) == 0 && len(a.problems) == faults {
		a.problem("query", "missing or blank", "give the words to find, such as RWMutex")
	}
	req := search.Request{Limit: limit(a), Offset: a.integer("offset", 0, maxOffset, 0), Filter: filter(a), Context: around(a)}
	form := formOf(a)
	req.Lines = form.text
	return func(ctx context.Context, e *edition) (string, error) {
		req := req
		var err error
		if req.Queries, err = anyOf(queries); err != nil {
			return "", err
		}
		response, err := e.index.Exact(ctx, req)
		if err != nil {
			return "", err
		}
		return form.answer(ctx, e, response)
	}
}
