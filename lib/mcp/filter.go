package mcp

import (
	"encoding/json"
	"slices"
	"strings"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search"
	"cortex/lib/search/answer"
	"cortex/lib/search/show"
)

// Bounds of the arguments, as the schemas state them.
const (
	maxQueryChars    = 2000
	maxQuestionChars = 20_000
	maxGlobChars     = 500
	maxPlaceChars    = 1000
	maxTopics        = 10

	leastTokens = 500
	mostTokens  = 100_000
	// jsonTokens is what an answer in JSON may take by default; one in text, show.DefaultTokens.
	jsonTokens = 20_000
	// defaultLimit is the number of results by default.
	defaultLimit = 10
)

// Schemas name what an assistant may need; every conversation pays for them, so they are short. They have no unions (anyOf, oneOf, lists of types), which some
// clients reject, and are open, since the tools accept more: what the schemas leave out is for programs, and an argument that no tool knows is refused by name.

// sharedProperties are the arguments that both search tools name, as members of the "properties" of the input schema.
const sharedProperties = `
    "path": {"type": "string", "description": "only files that match: lib/**, *.go, a folder"},
    "tests": {"type": "string", "enum": ["no", "only"], "description": "leave test code out, or show it alone"},
    "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
    "offset": {"type": "integer", "description": "results to skip"},
    "context": {"type": "string", "description": "lines around each result, 0 to 50, or full for its definition"},
    "max_tokens": {"type": "integer", "minimum": 500, "maximum": 100000, "default": 2000},
    "format": {"type": "string", "enum": ["text", "json"]}`

// filterProperties are the arguments that cortex_search names besides. cortex_exact, whose query can say the same, accepts them too.
const filterProperties = `
    "languages": {"type": "array", "items": {"type": "string"}, "description": "any of, such as go"},
    "chunk_types": {"type": "array", "items": {"type": "string", "enum": ["symbols", "definitions", "data", "implementations", "documentation"]},
      "description": "any of: outlines, types and signatures, constants, bodies, prose"},
    "symbol_type": {"type": "string", "enum": ["function", "method", "class", "struct", "interface", "trait", "enum", "type", "module", "constant", "variable", "field", "macro", "block", "table", "key", "heading"]},
    "symbol_name": {"type": "string", "description": "only symbols that match: Parse*"},`

// filter reads the arguments that narrow a search.
func filter(a *arguments) search.Filter {
	return search.Filter{
		ChunkTypes: a.someOf("chunk_types", names(record.ChunkTypes)),
		Tags:       a.words("tags"),
		Languages:  a.words("languages"),
		Path:       pathGlob(a),
		SymbolType: a.oneOf("symbol_type", names(record.Kinds)),
		SymbolName: a.text("symbol_name", maxGlobChars),
		Tests:      a.oneOf("tests", answer.TestChoices()),
	}
}

// forEach is what each of the repositories that are asked gets of the request.
func forEach(a *arguments, req search.Request) search.Request {
	if a.several {
		return req.ForSeveral()
	}
	return req
}

func limit(a *arguments) int {
	return a.integer("limit", 1, search.MaxLimit, defaultLimit)
}

// pathGlob reads the glob of files. The folder in which an assistant stands is the root.
func pathGlob(a *arguments) string {
	glob := a.text("path", maxGlobChars)
	if strings.TrimSpace(glob) == "." {
		return ""
	}
	return glob
}

// around reads how much of the file around each result is wanted. The lines before and after may be given apart.
func around(a *arguments) search.Around {
	found := bothSides(a)
	const notGiven = -1
	before := a.integer("context_before", 0, search.MaxContext, notGiven)
	after := a.integer("context_after", 0, search.MaxContext, notGiven)
	if found.Full && (before > 0 || after > 0) {
		a.problem("context", "full along with lines before or after", "give one of them")
	}
	if before != notGiven {
		found.Before = before
	}
	if after != notGiven {
		found.After = after
	}
	return found
}

// bothSides reads context: a number of lines, in quotes or not, or full.
func bothSides(a *arguments) search.Around {
	const name = "context"
	raw, ok := a.value(name)
	if !ok {
		return search.Around{}
	}
	literal := string(raw)
	var quoted string
	if json.Unmarshal(raw, &quoted) == nil {
		literal = quoted
	}
	found, err := answer.ParseAround(literal)
	if err != nil {
		a.problem(name, "expected a number of lines or full, got "+brief(raw), hint.Of(err))
	}
	return found
}

func maxTokens(a *arguments, text bool) int {
	if text {
		return a.integer("max_tokens", leastTokens, mostTokens, show.DefaultTokens)
	}
	return a.integer("max_tokens", leastTokens, mostTokens, jsonTokens)
}

// names turns a list of typed words into strings.
func names[T ~string](words []T) []string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		out = append(out, string(w))
	}
	return slices.Clip(out)
}
