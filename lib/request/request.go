// Package request has a type for each kind of request (Search, Exact and Graph) and the table of their options. A row
// of the table defines a flag and its help, the argument of a tool and its property in the JSON schema, and the check
// of the value, so a new option is one row.
//
// Begin with request.go, which has the types and the table. value.go reads and checks values, flags.go makes the flags
// of commands, arguments.go the arguments of tools, standpoint.go resolves paths.
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
	"cortex/lib/search/render/brief"
)

// A Search asks for places that answer a question, or that are like a given place.
type Search struct {
	Hits
	// Cut says that a question was longer than MaxQuestion and was cut.
	Cut bool
}

// An Exact asks for the places that match a query.
type Exact struct{ Hits }

// Hits are the options that Search and Exact share.
type Hits struct {
	// Request is the request to lib/search. Its Context is parsed from Around.
	answer.Request
	Around Around
	// Whole asks for whole hits in answers for people. JSON always has whole hits.
	Whole bool
	// Files asks for the names of the files that have hits, Count for the number of hits. Both are for Exact only.
	Files, Count bool
	// Null ends each name of Files with a NUL instead of a line feed, and does not remove control characters.
	Null bool
	Answer
}

// Around is the number of lines shown around a hit, as typed: answer.ParseAround reads Lines. answer.ParseLines reads
// Before and After, each of which overrides Lines on its side.
type Around struct{ Lines, Before, After string }

// A Graph asks for relations in code. Its Match is made from Path.
type Graph struct {
	table.Request
	// Path is a glob of file paths, as in answer.Filter.
	Path string
	Answer
}

// An Answer says how an answer is written.
type Answer struct {
	// Format is one of the formats below. If it is "", the command or server chooses.
	Format string
	// JSON stands for FormatJSON if Format is "".
	JSON bool
	// Color is one of the colors below.
	Color string
	// MaxTokens bounds the answer. If it is 0, the command or server chooses the bound.
	MaxTokens int
	// Stats asks for the state of the index.
	Stats bool
}

// The formats of answers. Grep and quickfix are for Exact only, and list matching lines instead of hits.
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
	// MaxQuestion is the longest question, in characters.
	MaxQuestion = 20_000
	maxPlace    = 1000
	// maxOffset exceeds the number of results of any answer.
	maxOffset = 1_000_000
	// leastTokens is the least bound on an answer of a tool at which the answer is still useful; leastTyped is the
	// least for commands.
	leastTokens = 500
	leastTyped  = 100
	mostTokens  = 100_000
	// JSONTokens bounds the answer of a tool in JSON if the call sets no bound.
	JSONTokens = 20_000
	// aroundEdge is the number of lines that a tool shows before and after the place of an edge.
	aroundEdge = 2
)

// Schemas describe only what an assistant may need. They are short because every conversation pays for them. They have
// no unions (anyOf, oneOf, lists of types), which some clients reject. They allow additional properties, since the
// tools accept more arguments, which are meant for programs. Tools reject unknown arguments by name.

// Options returns the options of a search.
func (r *Search) Options() []Option {
	const question = "a question in plain words, or a whole issue with its traceback"
	first := queries(&r.Queries, MaxQuestion).cut(MaxQuestion, &r.Cut)
	reset := first.reset
	first.reset = func() {
		reset()
		r.Cut = false
	}
	more := list(maxTopics, MaxQuestion, func(more []string) { r.Queries = append(r.Queries, more...) }).cut(MaxQuestion, &r.Cut)
	return slices.Concat([]Option{
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
}

// Options returns the options of exact search. Filters that the query language can express are not in the schema.
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
		case "limit":
			rows[i].value = integer(&r.Limit, 1, answer.MaxLimit, 0).withoutMaximum()
			rows[i].about = fmt.Sprintf("default %d, %d if full", toolLimit, wholeLimit)
		case "format":
			rows[i].help = formatHelp("pretty, text, json, grep or quickfix")
			rows[i].typed = oneOf(&r.Format, "", FormatPretty, FormatText, FormatJSON, FormatGrep, FormatQuickfix)
		}
	}
	return rows
}

// Default limits of the tools. Of whole definitions, which a query names, the size of the answer is the bound.
const toolLimit, wholeLimit = 10, 40

func (h *Hits) options() []Option {
	f, a := &h.Filter, &h.Around
	return slices.Concat([]Option{
		{name: "limit", flag: "limit n", help: "show at most `N` hits, 0 for all",
			value: integer(&h.Limit, 1, answer.MaxLimit, toolLimit), typed: integer(&h.Limit, 0, noBound, answer.DefaultLimit)},
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
	}, h.Answer.options(fmt.Sprintf("default %d or more, json %d", brief.DefaultTokens, JSONTokens), "size of the answer in `TOKENS`: the first hits whole, then shortened, then places; 0 for no bound", "one object a line, paths from the root of the tree",
		"pretty, text or json", []string{FormatText, FormatJSON}, []string{FormatPretty, FormatText, FormatJSON}),
		[]Option{{name: "include_stats", quiet: true, value: boolean(&h.Stats)}})
}

// Options returns the options of a request to the graph.
func (r *Graph) Options() []Option {
	return slices.Concat([]Option{
		{name: "operation", required: true, about: "implementations: types below and above; impact: all that a change could reach, and its tests; path: the shortest chain from target to to", value: oneOf(&r.Operation, "", operations()...)},
		{name: "target", required: true, about: "Server.Handle, Handle, lib/server.go:42, a file or a folder", value: text(&r.Target, maxPlace)},
		{name: "to", about: "where a path ends", value: text(&r.To, maxPlace)},
		{name: "depth", flag: "depth d", help: fmt.Sprintf("follow chains of `N` edges, at most %d (default %d; %d for impact)", table.MaxDepth, table.DefaultDepth, table.DefaultImpactDepth),
			about: "edges in a chain (1, impact 3)", value: integer(&r.Depth, 1, table.MaxDepth, 0)},
		{name: "limit", flag: "limit n", help: fmt.Sprintf("show at most `N` results, 0 for %d (default %d; %d in drawings)", table.MaxLimit, table.DefaultLimit, render.MaxDrawn),
			value: integer(&r.Limit, 1, table.MaxLimit, table.DefaultLimit), typed: orMost(&r.Limit, table.MaxLimit)},
		{name: "include_context", about: "with lines of code", value: choice(func(on bool) {
			if r.Context = 0; on {
				r.Context = aroundEdge
			}
		})},
		{flag: "context C", help: fmt.Sprintf("`LINES` of code before and after each place, at most %d", table.MaxContext), value: integer(&r.Context, 0, table.MaxContext, 0)},
		pathOption(&r.Path, "only files that match"),
		testsOption(&r.Tests, ""),
		{name: "min_confidence", flag: "min-confidence", help: "leave out relations with a confidence below `SHARE`, from 0 to 1", about: "0 shows guesses too", value: share(&r.MinConfidence, table.DefaultMinConfidence)},
	}, r.Answer.options(fmt.Sprintf("default %d, json %d", brief.WideTokens, JSONTokens), "size of the answer in `TOKENS`: the first results whole, then shortened; 0 for no bound", "the answer as one object, paths from the root of the tree",
		"pretty, text, json, quickfix, dot or mermaid", []string{FormatText, FormatJSON, string(render.Mermaid), string(render.DOT)}, names(render.Formats)))
}

// operations returns the names of all operations of the graph.
func operations() (list []table.Operation) {
	for _, info := range table.Operations {
		list = append(list, info.Operation)
	}
	return list
}

// testsOption returns the option that selects test code.
func testsOption(field *string, about string) Option {
	return Option{name: "tests", flag: "tests", help: "`WHAT` to do with test code: no leaves it out, only shows it alone", about: about, value: tests(field)}
}

// pathOption returns the option for a glob of file paths.
func pathOption(field *string, about string) Option {
	pattern := text(field, maxGlob)
	pattern.texts = globOf
	return Option{name: "path", flag: "path p", help: "only files that match `GLOB` from the root of the tree, or in a folder; ./, ../ and full paths as in a shell; may be repeated",
		about: about, value: pattern, joined: true}
}

// options returns the options of answers. tokens describes the default of max_tokens, which depends on the format and
// on other arguments.
func (a *Answer) options(tokens, size, object, forms string, read, typed []string) []Option {
	return []Option{
		{name: "max_tokens", flag: "max-tokens", help: size, about: tokens, value: integer(&a.MaxTokens, leastTokens, mostTokens, 0).withoutMaximum(), typed: orNone(&a.MaxTokens, leastTyped)},
		{flag: "json", help: "same as --format json: " + object, value: boolean(&a.JSON)},
		{name: "format", flag: "format", help: formatHelp(forms), value: oneOf(&a.Format, "", read...), typed: oneOf(&a.Format, "", typed...)},
		{flag: "color", help: "`WHEN` to colour: auto, always or never", value: oneOf(&a.Color, ColorAuto, ColorAuto, ColorAlways, ColorNever)},
	}
}

func formatHelp(forms string) string {
	return "write in this `FORM`: " + forms + " (default: pretty, json in a pipe)"
}

// Read parses the texts.
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
			err = hint.Wrap(errors.New("full excludes lines before or after"), "give one of them")
		}
	}
	return around, err
}

// check completes a tool's request. Paths of tools start at the root, so the path "." filters nothing.
func (h *Hits) check() (err error) {
	if h.Filter.Path = strings.TrimSpace(h.Filter.Path); h.Filter.Path == "." {
		h.Filter.Path = ""
	}
	if h.Context, err = h.Around.Read(); err != nil {
		return argumentError("context", err)
	}
	return nil
}

// Read fills in the request from the arguments of a tool.
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

// Read fills in the request from the arguments of a tool.
func (r *Exact) Read(arguments []byte, more ...Option) error {
	return read(arguments, slices.Concat(more, r.Options()), func() error {
		if len(r.Queries) == 0 {
			return errors.New("query: missing or blank; give the words to find, such as RWMutex")
		}
		if err := r.check(); err != nil || r.Limit > 0 {
			return err
		}
		if r.Limit = toolLimit; r.Context.Full {
			r.Limit = wholeLimit
		}
		return nil
	})
}

// Read fills in the request from the arguments of a tool.
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
