package mcp

import (
	"context"
	"fmt"
	"strings"

	"cortex/lib/embed"
	"cortex/lib/search"
	"cortex/lib/search/answer"
)

// searchSchema advertises query as a string, since some clients reject a schema with a
// choice of types; a list of strings is understood all the same. Further topics
// have an argument of their own.
const searchSchema = `{
  "type": "object",
  "properties": {
    "query": {"type": "string", "description": "a question or description in plain words, or a whole issue with its traceback"},
    "topics": {"type": "array", "items": {"type": "string"}, "description": "further questions, results merged"},
    "like": {"type": "string", "description": "instead of query: PATH:LINE; finds code like it"},` + filterProperties + sharedProperties + `,
    "mode": {"type": "string", "enum": ["auto", "semantic", "keyword", "hybrid", "fusion"]}
  }
}`

func searchTool() tool {
	return tool{
		name:  "cortex_search",
		title: "Search code and documentation by meaning",
		description: "Finds code and documentation of this repository by meaning and words. " +
			"Use it when you can describe what you look for but do not know its name. " +
			`Examples: {"query": "where are expired sessions removed"}, {"query": "retry with backoff", "path": "lib/**", "tests": "no"}. ` +
			"Each result is a place, path:start-end, with the lines that tell most; an answer that begins with doubt is guesses.",
		schema:  searchSchema,
		prepare: prepareSearch,
	}
}

func prepareSearch(a *arguments) question {
	req := searchRequest(a)
	form := formOf(a)
	req.Lines, req.ByFile = form.text, form.text
	ask := func(ctx context.Context, e *edition) (*finding, error) {
		asked := forEach(a, req)
		// Without its service the model may be back soon; without the model the answers would be worse for good.
		silent := embed.IsUnreachable(e.noEmbedder) && (req.Mode == "" || req.Mode == search.Auto)
		switch {
		case silent:
			asked.Mode = search.Keyword
		case e.noEmbedder != nil && req.Mode != search.Keyword:
			return nil, fmt.Errorf("%w (mode keyword and cortex_exact work)", e.noEmbedder)
		}
		response, err := e.index.Search(ctx, asked)
		if err != nil {
			return nil, err
		}
		if silent {
			response.Metadata.Warning = search.ByWordsOnly(e.noEmbedder)
		}
		return form.finding(ctx, e, response), nil
	}
	return question{ask, func(found []*finding) (string, error) { return form.write(req, found) }}
}

// searchRequest reads what is asked for.
func searchRequest(a *arguments) search.Request {
	queries, like := topics(a)
	return search.Request{
		Queries:  queries,
		Like:     like,
		Mode:     search.Mode(a.oneOf("mode", names(answer.Modes))),
		MinScore: minScore(a),
		Limit:    limit(a),
		Offset:   offset(a),
		Filter:   filter(a),
		Context:  around(a),
	}
}

// minScore is nil where the call leaves it to the settings.
func minScore(a *arguments) *float64 {
	const notGiven = -1
	if least := a.share("min_score", notGiven); least != notGiven {
		return &least
	}
	return nil
}

// queries reads query, one string or several; none if it is blank.
func (a *arguments) queries(maxChars int) []string {
	if strings.HasPrefix(string(a.values["query"]), "[") {
		return a.list("query", maxTopics, maxChars)
	}
	if s := a.text("query", maxChars); strings.TrimSpace(s) != "" {
		return []string{s}
	}
	return nil
}

// topics reads query, one string or several, and the further topics, or instead the place for which others like it are wanted.
func topics(a *arguments) (queries []string, like string) {
	faults := len(a.problems)
	queries = append(a.queries(maxQuestionChars), a.list("topics", maxTopics, maxQuestionChars)...)
	like = strings.TrimSpace(a.text("like", maxPlaceChars))
	switch {
	case len(a.problems) > faults:
	case len(queries) == 0 && like == "":
		a.problem("query", "missing or blank", `say what to find, such as "where are passwords checked"`)
	case len(queries) > 0 && like != "":
		a.problem("like", "given along with a query", "give one of them")
	}
	return queries, like
}
