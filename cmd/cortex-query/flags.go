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
	loader *config.Loader // nil for exact search
}

const exactExamples = `
cortex-query exact sync.RWMutex
cortex-query exact '"error handling" AND lang:go -path:test'
cortex-query exact -- '-path:test retry'
cortex-query exact --json 'symbol:(Read* OR write~1)' | jq .chunk.id
`

const searchExamples = `
cortex-query search how are errors reported
cortex-query search --lang go --path 'lib/**' retry with backoff
`

func command() cli.Command {
	exact, words := &flags{Options: ask.Options{Exact: true}}, &flags{}
	return cli.Command{
		Name:     "cortex-query",
		Summary:  "search the index that cortex-store made",
		Examples: exactExamples + strings.TrimPrefix(searchExamples, "\n"),
		Commands: []cli.Command{
			{Name: "exact", Args: "QUERY", Summary: "find words, names and phrases, as the query says",
				Examples: exactExamples, Flags: exact.define, Run: exact.run},
			{Name: "search", Args: "QUESTION...", Summary: "find what answers a question in words",
				Examples: searchExamples, Flags: words.defineSearch, Run: words.run},
		},
	}
}

func (f *flags) define(fs *pflag.FlagSet) {
	fs.StringVar(&f.Root, "root", "", "`FOLDER` that was indexed (default: the nearest parent that has .cortex)")
	fs.IntVarP(&f.Limit, "limit", "n", search.DefaultLimit, "show at most `N` hits, 0 for all")
	fs.IntVar(&f.Offset, "offset", 0, "leave out the first `N` hits")
	fs.StringVarP(&f.Filter.Path, "path", "p", "", "only files that match `GLOB`, or in that folder")
	fs.StringSliceVarP(&f.Filter.Languages, "language", "l", nil, "only these `LANGUAGES`")
	fs.StringSliceVarP(&f.Filter.ChunkTypes, "type", "t", nil, "only these chunk `TYPES`: symbols, definitions, data, implementations, documentation")
	fs.StringSliceVar(&f.Filter.Tags, "tag", nil, "only chunks with all of these `TAGS`")
	fs.StringVar(&f.Filter.SymbolType, "symbol-type", "", "only symbols of this `KIND`, such as function or struct")
	fs.StringVar(&f.Filter.SymbolName, "symbol", "", "only symbols whose name matches `GLOB`")
	fs.BoolVar(&f.JSON, "json", false, "write one JSON object a line (default where the output is no terminal)")
	fs.StringVar(&f.Color, "color", ask.ColorAuto, "`WHEN` to colour: auto, always or never")
	fs.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "lang" {
			name = "language"
		}
		return pflag.NormalizedName(name)
	})
}

func (f *flags) defineSearch(fs *pflag.FlagSet) {
	f.define(fs)
	fs.StringVarP(&f.Mode, "mode", "m", string(search.Auto), "how to search: auto, semantic, keyword, hybrid or fusion")
	f.loader = config.Flags(fs, "embedding")
}
