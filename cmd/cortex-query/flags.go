package main

import (
	"strings"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/request"
)

// flags holds the flags of exact, search or similar.
type flags struct {
	face
	exact, similar bool
	hits           *request.Hits
	set            *pflag.FlagSet
}

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
cortex-query search how are errors reported           # unquoted words are one question
cortex-query search "error handling" "retry policy"   # each quoted phrase is a topic
cortex-query search --language go --path 'lib/**' retry with backoff
cortex-query search --explain how are errors reported # which signals put each hit where it is
`

const similarExamples = `
cortex-query similar lib/server.go:42                  # code like what is in that line, the place itself left out
cortex-query similar --path 'test/**' --mode semantic lib/server.go:42
`

func command() cli.Command {
	exact, words, similar := &flags{exact: true}, &flags{}, &flags{similar: true}
	return cli.Command{
		Name:     "cortex-query",
		Summary:  "search the index that cortex-store made",
		Examples: briefExamples + strings.TrimPrefix(searchExamples, "\n"),
		Commands: []cli.Command{
			{Name: "exact", Args: "QUERY", Summary: "find words, names and phrases",
				Examples: exactExamples, Flags: exact.defineExact, Run: exact.run},
			{Name: "search", Args: "QUESTION...", Summary: "find code and text that answer a question in plain words",
				Examples: searchExamples, Flags: words.defineSearch, Run: words.run},
			{Name: "similar", Args: "PATH:LINE", Summary: "find code and text like those at a place",
				Examples: similarExamples, Flags: similar.defineSearch, Run: similar.run},
			graphCommand(),
			statusCommand(),
		},
	}
}

func (f *flags) defineExact(fs *pflag.FlagSet) {
	exact := &request.Exact{}
	f.define(fs, &exact.Hits, exact.Options())
	f.loader = config.Flags(fs)
}

func (f *flags) defineSearch(fs *pflag.FlagSet) {
	search := &request.Search{}
	f.define(fs, &search.Hits, search.Options())
	f.loader = config.Flags(fs, "embedding", "search.min_score")
}

func (f *flags) define(fs *pflag.FlagSet, hits *request.Hits, options []request.Option) {
	f.locations(fs)
	f.set, f.hits = fs, hits
	request.Flags(fs, options)
}
