package mcp

import (
	"context"
	"strings"

	"cortex/lib/search"
	"cortex/lib/search/answer"
	"cortex/lib/search/query"
)

// maxOffset is more than any answer can have results.
const maxOffset = 1_000_000

func offset(a *arguments) int {
	if a.several {
		return a.integer("offset", 0, answer.MaxOffsetOfSeveral, 0)
	}
	return a.integer("offset", 0, maxOffset, 0)
}

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
	req := search.Request{Limit: limit(a), Offset: offset(a), Filter: filter(a), Context: around(a)}
	form := formOf(a)
	req.Lines = form.text
	ask := func(ctx context.Context, e *edition) (*finding, error) {
		asked := forEach(a, req)
		var err error
		if asked.Queries, err = anyOf(queries); err != nil {
			return nil, err
		}
		response, err := e.index.Exact(ctx, asked)
		if err != nil {
			return nil, err
		}
		return form.finding(ctx, e, response), nil
	}
	return question{ask, func(found []*finding) (string, error) { return form.write(req, found) }}
}
