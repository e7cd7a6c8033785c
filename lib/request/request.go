// Package request holds a type for each kind of request (Search, Exact and Graph) and the table of their options. A row of the table
// defines the flag with its line of help, the argument of a tool with its property in the JSON schema, and the check of the value,
// so a new option is one row.
//
// request.go has the types and the table, value.go reads and checks values, flags.go makes the flags of commands, arguments.go the arguments of tools.
package request

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cortex/lib/graph/render"
	"cortex/lib/graph/table"
	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/show"
)

// A Search asks for what answers a question, or for what is like a place.
type Search struct {
	Hits
	// Cut tells that a question was longer than MaxQuestion, of which the beginning is asked.
	Cut bool
}

// An Exact asks for the places that a query says.
type Exact struct{ Hits }

// Hits are what Search and Exact ask for and how it is shown.
type Hits struct {
	// Request is what lib/search is asked. Its Context is that of Around.
	answer.Request
	Around Around
	// Whole asks for whole hits, where a person reads them; JSON has them anyway.
	Whole bool
	// Files asks for the names of the files that have hits, Count for the number of hits; both are for Exact.
	Files, Count bool
	// Null ends the names of Files with a NUL instead of a line feed, and leaves them as they are.
	Null bool
	Answer
}

// Around is how much of the file around a hit is shown, as it was written: Lines is what answer.ParseAround reads; Before and After
// are what answer.ParseLines reads, and take the place of Lines on their side.
type Around struct{ Lines, Before, After string }

// A Graph asks how code hangs together. Its Match comes from Path.
type Graph struct {
	table.Request
	// Path is a glob of files, as in answer.Filter.
	Path string
	Answer
}

// An Answer is how an answer is written.
type Answer struct {
	// Format is one of the formats below; "" leaves it to the face.
	Format string
	// JSON stands for FormatJSON where Format is "".
	JSON bool
	// Color is one of the colors below.
	Color string
	// MaxTokens bounds the answer, 0 for the bound of the face.
	MaxTokens int
	// Stats asks for the state of the index.
	Stats bool
}

// The formats of answers. Grep and quickfix are for Exact: all matching lines instead of hits.
const (
	FormatPretty   = "pretty"
	FormatText     = "text"
	FormatJSON     = "json"
	FormatGrep     = "grep"
	FormatQuickfix = "quickfix"
)

// When an answer is coloured.
const (
	ColorAuto   = "auto"
	ColorAlways = "always"
	ColorNever  = "never"
)

const (
	maxQuery = 2000
	// MaxQuestion is the length of a question in characters.
	MaxQuestion = 20_000
	maxPlace    = 1000
	// maxOffset is more than any answer can have results.
	maxOffset = 1_000_000
	// leastTokens is the least size of an answer that says anything, of tools; leastTyped that of commands.
	leastTokens = 500
	leastTyped  = 100
	mostTokens  = 100_000
	// aroundEdge is how many lines before and after the place of an edge a tool shows.
	aroundEdge = 2
)

// Schemas name what an assistant may need; every conversation pays for them, so they are short. They have no unions (anyOf, oneOf, lists
// of types), which some clients reject, and are open, since the tools accept more: what is left out is for programs, and an
// argument that no tool knows is refused by name.

// Options are the rows of a question.
func (r *Search) Options() []Option {
	const question = "a question in plain words, or a whole issue with its traceback"
	first := queries(&r.Queries, MaxQuestion).cut(MaxQuestion, &r.Cut)
	reset := first.reset
	first.reset = func() {
		reset()
		r.Cut = false
	}
	more := list(maxTopics, MaxQuestion, func(more []string) { r.Queries = append(r.Queries, more...) }).cut(MaxQuestion, &r.Cut)
	rows := slices.Concat([]Option{
		{name: "query", about: question, value: first},
		{name: "topics", about: "further questions", value: more},
		{name: "like", about: "instead of query: PATH:LINE; finds code like it", value: text(&r.Like, maxPlace)},
	}, r.Hits.options(), []Option{
		{name: "mode", flag: "mode m", help: "`MODE` of the search: auto, semantic, keyword, hybrid or fusion",
			about: "keyword: words alone",
			value: oneOf(&r.Mode, "", answer.Modes...), typed: oneOf(&r.Mode, answer.Auto, answer.Modes...)},
		{name: "min_score", quiet: true, value: optionalShare(&r.MinScore)},
		{flag: "explain", help: "show how each signal ranked each hit", value: boolean(&r.Explain)},
	})
	for i := range rows {
		if rows[i].name == "max_tokens" { // the default depends on how many topics are asked
			rows[i].about, rows[i].value = "grows with topics by itself", rows[i].value.byDefault(0)
		}
	}
	return rows
}

// Options are the rows of a query of exact search, which can say itself what the filters of questions say.
func (r *Exact) Options() []Option {
	rows := slices.Concat([]Option{{name: "query", required: true, value: queries(&r.Queries, maxQuery)}}, r.Hits.options(), []Option{
		{flag: "files-with-matches", help: "write only the names of all files with hits", value: boolean(&r.Files)},
		{flag: "null 0", help: "end each file name with a NUL and do not clean it, for xargs -0", value: boolean(&r.Null)},
		{flag: "count c", help: "write only the number of hits", value: boolean(&r.Count)},
	})
	for i := range rows {
		switch rows[i].name {
		case "languages", "chunk_types", "symbol_type", "symbol_name":
			rows[i].quiet = true
		case "format":
			rows[i].help = formatHelp("pretty, text, json, grep or quickfix")
			rows[i].typed = oneOf(&r.Format, "", FormatPretty, FormatText, FormatJSON, FormatGrep, FormatQuickfix)
		}
	}
	return rows
}

func (h *Hits) options() []Option {
	f, a := &h.Filter, &h.Around
	return slices.Concat([]Option{
		{name: "limit", flag: "limit n", help: "show at most `N` hits, 0 for all",
			value: integer(&h.Limit, 1, answer.MaxLimit, 10), typed: integer(&h.Limit, 0, noBound, answer.DefaultLimit)},
		{name: "offset", flag: "offset", help: "leave out the first `N` hits", about: "results to skip", value: integer(&h.Offset, 0, maxOffset, 0).unbounded()},
		pathOption(&f.Path, "only files that match: lib/**, *.go, a folder"),
		{name: "languages", flag: "language l lang", help: "only these `LANGUAGES`", about: "any of, such as go", value: words(&f.Languages)},
		{name: "chunk_types", flag: "type t", help: "only these chunk `TYPES`: symbols, definitions, data, implementations, documentation",
			about: "any of: outlines, types and signatures, constants, bodies, prose", value: words(&f.ChunkTypes, names(record.ChunkTypes)...)},
		{name: "tags", flag: "tag", help: "only chunks with all of these `TAGS`", quiet: true, value: words(&f.Tags)},
		{name: "symbol_type", flag: "symbol-type", help: "only symbols of this `KIND`, such as function or struct", value: oneOf(&f.SymbolType, "", names(record.Kinds)...)},
		{name: "symbol_name", flag: "symbol", help: "only symbols whose name matches `GLOB`", about: "only symbols that match: Parse*", value: text(&f.SymbolName, maxGlob)},
		testsOption(&f.Tests, "leave test code out, or show it alone"),
		{name: "context", flag: "context C", help: "`LINES` around each matching line (JSON: around each hit, at most 50), or full: the whole definition",
			about: "0 to 50 lines around each result, or full: its definition", value: lines(&a.Lines, true)},
		{name: "context_before", flag: "before-context B", help: "`LINES` before each matching line", quiet: true, value: lines(&a.Before, false)},
		{name: "context_after", flag: "after-context A", help: "`LINES` after each matching line", quiet: true, value: lines(&a.After, false)},
		{flag: "whole", help: "show whole hits, as JSON does", value: boolean(&h.Whole)},
	}, h.Answer.options(show.DefaultTokens, "size of the answer in `TOKENS`: the first hits whole, then shortened, then places; 0 for no bound", "one object a line, paths from the root of the tree",
		"pretty, text or json", []string{FormatText, FormatJSON}, []string{FormatPretty, FormatText, FormatJSON}),
		[]Option{{name: "include_stats", quiet: true, value: boolean(&h.Stats)}})
}

// Options are the rows of a question to the graph.
func (r *Graph) Options() []Option {
	return slices.Concat([]Option{
		{name: "operation", required: true, about: "implementations: types below and above; impact: all that a change could reach, and its tests; path: the shortest chain from target to to", value: oneOf(&r.Operation, "", operations()...)},
		{name: "target", required: true, about: "Server.Handle, Handle, lib/server.go:42, a file or a folder", value: text(&r.Target, maxPlace)},
		{name: "to", about: "where a path ends", value: text(&r.To, maxPlace)},
		{name: "depth", flag: "depth d", help: fmt.Sprintf("follow chains of `N` edges, at most %d (default %d; %d for impact)", table.MaxDepth, table.DefaultDepth, table.DefaultImpactDepth),
			about: "edges in a chain (1, impact 3)", value: integer(&r.Depth, 1, table.MaxDepth, 0)},
		{name: "limit", flag: "limit n", help: fmt.Sprintf("show at most `N` results (default %d; %d in drawings)", table.DefaultLimit, render.MaxDrawn),
			value: integer(&r.Limit, 1, table.MaxLimit, table.DefaultLimit), typed: integer(&r.Limit, 1, table.MaxLimit, 0)},
		{name: "include_context", about: "with lines of code", value: choice(func(on bool) {
			if r.Context = 0; on {
				r.Context = aroundEdge
			}
		})},
		{flag: "context C", help: fmt.Sprintf("`LINES` of code before and after each place, at most %d", table.MaxContext), value: integer(&r.Context, 0, table.MaxContext, 0)},
		pathOption(&r.Path, "only files that match"),
		testsOption(&r.Tests, ""),
		{name: "min_confidence", flag: "min-confidence", help: "leave out relations with a confidence below `SHARE`, from 0 to 1", about: "0 shows guesses too", value: share(&r.MinConfidence, table.DefaultMinConfidence)},
	}, r.Answer.options(show.WideTokens, "size of the answer in `TOKENS`: the first results whole, then shortened; 0 for no bound", "the answer as one object, paths from the root of the tree",
		"pretty, text, json, quickfix, dot or mermaid", []string{FormatText, FormatJSON, string(render.Mermaid), string(render.DOT)}, names(render.Formats)))
}

// operations are the names of all operations of the graph.
func operations() (list []table.Operation) {
	for _, info := range table.Operations {
		list = append(list, info.Operation)
	}
	return list
}

// testsOption is the row of test code. The schema of one tool says what its values mean.
func testsOption(field *string, about string) Option {
	return Option{name: "tests", flag: "tests", help: "leave test code out, or show it alone (`no|only`)", about: about, value: tests(field)}
}

// pathOption is the row of a glob of files.
func pathOption(field *string, about string) Option {
	pattern := text(field, maxGlob)
	pattern.texts = globOf
	return Option{name: "path", flag: "path p", help: "only files that match `GLOB` from the root of the tree, or in a folder; ./, ../ and full paths as in a shell",
		about: about, value: pattern}
}

func (a *Answer) options(tokens int, size, object, forms string, read, typed []string) []Option {
	return []Option{
		{name: "max_tokens", flag: "max-tokens", help: size, value: integer(&a.MaxTokens, leastTokens, mostTokens, 0).byDefault(tokens), typed: orNone(&a.MaxTokens, leastTyped)},
		{flag: "json", help: "same as --format json: " + object, value: boolean(&a.JSON)},
		{name: "format", flag: "format", help: formatHelp(forms), value: oneOf(&a.Format, "", read...), typed: oneOf(&a.Format, "", typed...)},
		{flag: "color", help: "`WHEN` to colour: auto, always or never", value: oneOf(&a.Color, ColorAuto, ColorAuto, ColorAlways, ColorNever)},
	}
}

func formatHelp(forms string) string {
	return "write in this `FORM`: " + forms + " (default: pretty, json in a pipe)"
}

// Read is what lib/search understands.
func (a Around) Read() (answer.Around, error) {
	around, err := answer.ParseAround(a.Lines)
	for _, side := range []struct {
		text  string
		lines *int
	}{{a.Before, &around.Before}, {a.After, &around.After}} {
		if side.text == "" || err != nil {
			continue
		}
		if *side.lines, err = answer.ParseLines(side.text); err == nil && around.Full && *side.lines > 0 {
			err = hint.Wrap(errors.New("full along with lines before or after"), "give one of them")
		}
	}
	return around, err
}

// check completes the request of a tool. An assistant stands in the root, so the path . is no filter.
func (h *Hits) check() (err error) {
	if h.Filter.Path = strings.TrimSpace(h.Filter.Path); h.Filter.Path == "." {
		h.Filter.Path = ""
	}
	if h.Context, err = h.Around.Read(); err != nil {
		return argumentError("context", err)
	}
	return nil
}

// Read sets the request from the arguments of a tool.
func (r *Search) Read(arguments []byte, more ...Option) error {
	return read(arguments, slices.Concat(more, r.Options()), func() error {
		r.Like = strings.TrimSpace(r.Like)
		switch {
		case len(r.Queries) == 0 && r.Like == "":
			return errors.New(`query: missing or blank; say what to find, such as "where are passwords checked"`)
		case len(r.Queries) > 0 && r.Like != "":
			return errors.New("like: given along with a query; give one of them")
		}
		return r.check()
	})
}

// Read sets the request from the arguments of a tool.
func (r *Exact) Read(arguments []byte, more ...Option) error {
	return read(arguments, slices.Concat(more, r.Options()), func() error {
		if len(r.Queries) == 0 {
			return errors.New("query: missing or blank; give the words to find, such as RWMutex")
		}
		return r.check()
	})
}

// Read sets the request from the arguments of a tool.
func (r *Graph) Read(arguments []byte, more ...Option) error {
	return read(arguments, slices.Concat(more, r.Options()), func() (err error) {
		r.Target, r.To = strings.TrimSpace(r.Target), strings.TrimSpace(r.To)
		switch {
		case r.Operation == "":
			return errors.New("operation: missing; give one of: " + strings.Join(names(operations()), ", "))
		case r.Target == "":
			return errors.New("target: missing or blank; name a symbol, a file, a folder or a place such as lib/server.go:42")
		case r.Operation == table.Path && r.To == "":
			return errors.New("to: missing; say where the path ends")
		case r.Operation != table.Path && r.To != "":
			return errors.New("to: only path has one; leave it out")
		}
		if glob := strings.TrimSpace(r.Path); glob != "" && glob != "." {
			if r.Match, err = corpus.PathMatcher(glob); err != nil {
				return argumentError("path", err)
			}
		}
		return nil
	})
}
