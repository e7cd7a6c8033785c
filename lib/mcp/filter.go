package mcp

import (
	"encoding/json"
	"slices"
	"strings"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search"
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
	// textTokens and jsonTokens are what an answer may take by default.
	textTokens = 2_000
	jsonTokens = 20_000
	// defaultLimit is the number of results by default.
	defaultLimit = 10
)

// sharedProperties are the arguments that every search tool has, as members of
// the "properties" of its input schema. Schemas have no unions (anyOf, oneOf, lists of types), which
// some clients reject, and are closed.
const sharedProperties = `
    "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10,
      "description": "Most results to return, 1 to 100."},
    "chunk_types": {"type": "array", "maxItems": 20,
      "items": {"type": "string", "enum": ["symbols", "definitions", "data", "implementations", "documentation"]},
      "description": "Only these kinds of text, any of: symbols (outline of a file), definitions (types and signatures), data (constants, variables), implementations (bodies), documentation."},
    "tags": {"type": "array", "maxItems": 20, "items": {"type": "string", "maxLength": 100},
      "description": "Only what has all of these tags, such as code, doc, test, go."},
    "languages": {"type": "array", "maxItems": 20, "items": {"type": "string", "maxLength": 100},
      "description": "Only these languages, any of, such as go, python, markdown."},
    "path": {"type": "string", "maxLength": 500,
      "description": "Only files whose path matches this glob: lib/**, *.go, or the name of a folder or file."},
    "symbol_type": {"type": "string",
      "enum": ["function", "method", "class", "struct", "interface", "trait", "enum", "type", "module", "constant", "variable", "field", "macro", "block", "table", "key", "heading"],
      "description": "Only symbols of this kind."},
    "symbol_name": {"type": "string", "maxLength": 500,
      "description": "Only symbols whose name matches this glob: Parse*, Handler.ServeHTTP."},
    "context": {"type": "string", "pattern": "^([0-9]|[1-4][0-9]|50|full)$",
      "description": "Lines of the file around each result: a number from 0 to 50, or full for the definition or section around it (at most 50 lines)."},
    "context_before": {"type": "integer", "minimum": 0, "maximum": 50,
      "description": "Lines of the file before each result, instead of context."},
    "context_after": {"type": "integer", "minimum": 0, "maximum": 50,
      "description": "Lines of the file after each result, instead of context."},
    "max_tokens": {"type": "integer", "minimum": 500, "maximum": 100000, "default": 2000,
      "description": "Size of the answer: the telling lines of each result, more of the first ones where there is room."},
    "format": {"type": "string", "enum": ["text", "json"], "default": "text",
      "description": "text to read, or json for programs, with all fields (max_tokens then defaults to 20000)."},
    "include_stats": {"type": "boolean", "default": false,
      "description": "Also tell how the index stands: generation, chunks, model, when it was made, and whether files have changed since."}`

// filter reads the arguments that narrow a search.
func filter(a *arguments) search.Filter {
	return search.Filter{
		ChunkTypes: a.someOf("chunk_types", names(record.ChunkTypes)),
		Tags:       a.words("tags"),
		Languages:  a.words("languages"),
		Path:       pathGlob(a),
		SymbolType: a.oneOf("symbol_type", names(record.Kinds)),
		SymbolName: a.text("symbol_name", maxGlobChars),
	}
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
	found, err := search.ParseAround(literal)
	if err != nil {
		a.problem(name, "expected a number of lines or full, got "+brief(raw), hint.Of(err))
	}
	return found
}

func maxTokens(a *arguments, text bool) int {
	if text {
		return a.integer("max_tokens", leastTokens, mostTokens, textTokens)
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
