package main

import (
	"strings"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/search"
	"cortex/lib/search/ask"
)

// flags are those of one subcommand.
type flags struct {
	ask.Options
	place  config.Place
	loader *config.Loader
	set    *pflag.FlagSet
}

// limited reports whether a limit was given.
func (f *flags) limited() bool { return f.set.Changed("limit") }

const exactExamples = `
cortex-query exact sync.RWMutex                       # a name, whole or by its parts, in any case
cortex-query exact '"error handling" -path:test'      # a phrase; AND OR NOT + - ( ); adjacent terms: AND
cortex-query exact 'symbol:(Read* OR wri?e) lang:go'  # fields: text title tags chunk_type path lang symbol ...
cortex-query exact 'providr~1 retry^3'                # one edit away (~2: two); weight in the ranking
cortex-query exact '/^(get|set)_.*id$/'               # regular expression: in a word, without ^ and $ anywhere
cortex-query exact --files-with-matches mutex         # and --count; vim -q <(cortex-query exact --format quickfix x)
cortex-query exact --json -- '-path:test retry' | jq .chunk.id
`

const briefExamples = `
cortex-query exact 'sync.RWMutex OR "error handling"'
cortex-query exact --help
`

const searchExamples = `
cortex-query search how are errors reported           # words without blanks are one question
cortex-query search "error handling" "retry policy"   # each quoted phrase is a topic; hits are merged
cortex-query search --lang go --path 'lib/**' retry with backoff
cortex-query search --explain how are errors reported # which signals put each hit where it is
`

const similarExamples = `
cortex-query similar lib/server.go:42                  # code like what is in that line, the place itself left out
cortex-query similar --path 'test/**' --mode semantic lib/server.go:42
`

func command() cli.Command {
	exact, words, similar := &flags{Options: ask.Options{Exact: true}}, &flags{}, &flags{Options: ask.Options{Similar: true}}
	return cli.Command{
		Name:     "cortex-query",
		Summary:  "search the index that cortex-store made",
		Examples: briefExamples + strings.TrimPrefix(searchExamples, "\n"),
		Commands: []cli.Command{
			{Name: "exact", Args: "QUERY", Summary: "find words, names and phrases, as the query says",
				Examples: exactExamples, Flags: exact.defineExact, Run: exact.run},
			{Name: "search", Args: "QUESTION...", Summary: "find what answers a question in words",
				Examples: searchExamples, Flags: words.defineSearch, Run: words.run},
			{Name: "similar", Args: "PATH:LINE", Summary: "find code and text like those at a place",
				Examples: similarExamples, Flags: similar.defineSearch, Run: similar.run},
			graphCommand(),
			statusCommand(),
		},
	}
}

func (f *flags) define(fs *pflag.FlagSet) {
	f.place.Flags(fs)
	f.set = fs
	fs.IntVarP(&f.Limit, "limit", "n", search.DefaultLimit, "show at most `N` hits, 0 for all")
	fs.IntVar(&f.Offset, "offset", 0, "leave out the first `N` hits")
	fs.StringVarP(&f.Filter.Path, "path", "p", "", "only files that match `GLOB` from the root of the tree, or in that folder; . is the current one")
	fs.StringSliceVarP(&f.Filter.Languages, "language", "l", nil, "only these `LANGUAGES`")
	fs.StringSliceVarP(&f.Filter.ChunkTypes, "type", "t", nil, "only these chunk `TYPES`: symbols, definitions, data, implementations, documentation")
	fs.StringSliceVar(&f.Filter.Tags, "tag", nil, "only chunks with all of these `TAGS`")
	fs.StringVar(&f.Filter.SymbolType, "symbol-type", "", "only symbols of this `KIND`, such as function or struct")
	fs.StringVar(&f.Filter.SymbolName, "symbol", "", "only symbols whose name matches `GLOB`")
	fs.StringVar(&f.Filter.Tests, "tests", "", "no leaves test code out, only shows it alone (`no|only`)")
	fs.StringVarP(&f.Context, "context", "C", "", "`LINES` around each matching line (in JSON around each hit, 50 in all), or full for the definition around it")
	fs.StringVarP(&f.Before, "before-context", "B", "", "`LINES` before each")
	fs.StringVarP(&f.After, "after-context", "A", "", "`LINES` after each")
	fs.BoolVar(&f.Whole, "whole", false, "show whole hits, as JSON does")
	fs.IntVar(&f.MaxTokens, "max-tokens", 0, "size of the answer: the first hits whole, then shortened, then places; 0 for no bound")
	fs.BoolVar(&f.JSON, "json", false, "same as --format json: one object a line")
	fs.StringVar(&f.Format, "format", "", "write in this `FORM`: "+formats(f.Exact)+" (default: pretty, json in a pipe)")
	fs.StringVar(&f.Color, "color", ask.ColorAuto, "`WHEN` to colour: auto, always or never")
	fs.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "lang" {
			name = "language"
		}
		return pflag.NormalizedName(name)
	})
}

func formats(exact bool) string {
	if exact {
		return "pretty, text, json, grep or quickfix"
	}
	return "pretty, text or json"
}

func (f *flags) defineExact(fs *pflag.FlagSet) {
	f.define(fs)
	fs.BoolVar(&f.Files, "files-with-matches", false, "name only the files that have hits, all of them")
	fs.BoolVarP(&f.Null, "null", "0", false, "end each of these names with a NUL, for xargs -0, and leave it as it is")
	fs.BoolVarP(&f.Count, "count", "c", false, "write only the number of hits")
	f.loader = config.Flags(fs)
}

func (f *flags) defineSearch(fs *pflag.FlagSet) {
	f.define(fs)
	fs.StringVarP(&f.Mode, "mode", "m", string(search.Auto), "how to search: auto, semantic, keyword, hybrid or fusion")
	fs.BoolVar(&f.Explain, "explain", false, "tell which signals put each hit where it is")
	f.loader = config.Flags(fs, "embedding", "search.min_score")
}
