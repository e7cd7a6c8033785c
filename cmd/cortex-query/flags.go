package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/search"
	"cortex/lib/search/render"
)

// flags are those of one subcommand.
type flags struct {
	exact         bool
	loader        *config.Loader
	root          string
	limit, offset int
	mode, color   string
	json          bool
	filter        search.Filter
}

const exactExamples = `
cortex-query exact sync.RWMutex
cortex-query exact '"error handling" AND lang:go -path:test'
cortex-query exact --json 'symbol:(Read* OR write~1)' | jq .chunk.id
`

const searchExamples = `
cortex-query search how are errors reported
cortex-query search --lang go --path 'lib/**' retry with backoff
`

func command() cli.Command {
	exact, words := &flags{exact: true}, &flags{}
	return cli.Command{
		Name:     "cortex-query",
		Summary:  "search the index that cortex-store made",
		Examples: exactExamples + strings.TrimPrefix(searchExamples, "\n"),
		Commands: []cli.Command{
			{Name: "exact", Args: "QUERY", Summary: "find words, names and phrases, as the query says",
				Examples: exactExamples, Flags: exact.define, Run: exact.run},
			{Name: "search", Args: "QUESTION...", Summary: "find what answers a question in words",
				Examples: searchExamples, Flags: words.define, Run: words.run},
		},
	}
}

func (f *flags) define(fs *pflag.FlagSet) {
	fs.StringVar(&f.root, "root", "", "`FOLDER` that was indexed (default: the nearest parent that has .cortex)")
	fs.IntVarP(&f.limit, "limit", "n", search.DefaultLimit, "show at most `N` hits, 0 for all")
	fs.IntVar(&f.offset, "offset", 0, "leave out the first `N` hits")
	fs.StringVarP(&f.filter.Path, "path", "p", "", "only files that match `GLOB`, or in that folder")
	fs.StringSliceVarP(&f.filter.Languages, "language", "l", nil, "only these `LANGUAGES`")
	fs.StringSliceVarP(&f.filter.ChunkTypes, "type", "t", nil, "only these chunk `TYPES`: symbols, definitions, data, implementations, documentation")
	fs.StringSliceVar(&f.filter.Tags, "tag", nil, "only chunks with all of these `TAGS`")
	fs.StringVar(&f.filter.SymbolType, "symbol-type", "", "only symbols of this `KIND`, such as function or struct")
	fs.StringVar(&f.filter.SymbolName, "symbol", "", "only symbols whose name matches `GLOB`")
	fs.BoolVar(&f.json, "json", false, "write one JSON object a line (default where the output is no terminal)")
	fs.StringVar(&f.color, "color", "auto", "`WHEN` to colour: auto, always or never")
	f.mode = string(search.Auto)
	if !f.exact {
		fs.StringVarP(&f.mode, "mode", "m", f.mode, "how to search: auto, semantic, keyword or hybrid")
		f.loader = config.Flags(fs, "embedding")
	}
	fs.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "lang" {
			name = "language"
		}
		return pflag.NormalizedName(name)
	})
}

// request checks the flags and arguments.
func (f *flags) request(env *cli.Env) (search.Request, error) {
	req := search.Request{Queries: []string{strings.Join(env.Args, " ")}, Limit: f.limit, Offset: f.offset, Mode: search.Mode(f.mode), Filter: f.filter}
	switch {
	case len(env.Args) == 0 && f.exact:
		return req, cli.Usagef("no query")
	case len(env.Args) == 0:
		return req, cli.Usagef("no question")
	case f.limit < 0:
		return req, cli.Usagef("--limit %d: expected 0 or more", f.limit)
	case f.offset < 0:
		return req, cli.Usagef("--offset %d: expected 0 or more", f.offset)
	case f.color != "auto" && f.color != "always" && f.color != "never":
		return req, cli.Usagef("--color %q: expected auto, always or never", f.color)
	}
	if f.limit == 0 {
		req.Limit = -1
	}
	return req, nil
}

// rendering says how to write the answer.
func (f *flags) rendering(env *cli.Env, root string) render.Options {
	terminal := cli.IsTerminal(env.Stdout)
	opts := render.Options{
		// Who asks for colour wants to read.
		JSON:  f.json || !terminal && f.color != "always",
		Color: f.color == "always" || f.color == "auto" && terminal && env.Getenv("NO_COLOR") == "" && env.Getenv("TERM") != "dumb",
	}
	if dir, err := os.Getwd(); err == nil {
		if abs, err := filepath.Abs(root); err == nil {
			if rel, err := filepath.Rel(dir, abs); err == nil && rel != "." {
				opts.Prefix = filepath.ToSlash(rel)
			}
		}
	}
	return opts
}
