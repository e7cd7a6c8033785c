// Package ask answers one request from a terminal or a script: it loads the store, asks
// package search, and has package render write the hits. cortex-query is its only caller.
package ask

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"cortex/lib/embed"
	"cortex/lib/search"
	"cortex/lib/search/render"
	"cortex/lib/store"
)

// Options are the request and how its answer is to be written.
type Options struct {
	// Root is the folder that was indexed, which holds the store.
	Root string
	// Words are the query, or the question, in as many arguments as it was typed.
	Words []string
	// Exact asks for exact search.
	Exact bool
	// Limit is the greatest number of hits, 0 for all; Offset is how many are left out.
	Limit, Offset int
	// Mode is for questions alone; "" is auto.
	Mode   string
	Filter search.Filter
	// JSON asks for one object a line, which is also what an output gets that is no Terminal.
	JSON     bool
	Terminal bool
	// Color is one of Colors.
	Color  string
	Getenv func(string) string
	// Warn is told what did not keep the request from being answered.
	Warn func(format string, args ...any)
	// Embedding gives the settings of the embedder; it is called only for a search that needs one.
	Embedding func() (embed.Config, error)
}

// The values of Options.Color.
const (
	ColorAuto   = "auto"
	ColorAlways = "always"
	ColorNever  = "never"
)

// Colors lists the values of Options.Color.
func Colors() []string { return []string{ColorAuto, ColorAlways, ColorNever} }

// Check reports the first option that makes no sense, under the name of its flag.
func (o *Options) Check() error {
	switch {
	case o.Exact && strings.HasPrefix(o.Filter.Path, "ath:"):
		// The flag has eaten a term such as -path:test, and would find nothing.
		return fmt.Errorf("-p%s: read as the flag -p; write -- before a query that begins with -", o.Filter.Path)
	case len(o.Words) == 0 && o.Exact:
		return errors.New("no query")
	case len(o.Words) == 0:
		return errors.New("no question")
	case o.Limit < 0:
		return fmt.Errorf("--limit %d: expected 0 or more", o.Limit)
	case o.Offset < 0:
		return fmt.Errorf("--offset %d: expected 0 or more", o.Offset)
	case !slices.Contains(Colors(), o.Color):
		return fmt.Errorf("--color %q: expected auto, always or never", o.Color)
	}
	return nil
}

// Run answers the request on w and returns how many hits there are in all.
func Run(ctx context.Context, w io.Writer, opts Options) (found int, err error) {
	snap, err := store.Load(ctx, filepath.Join(opts.Root, store.Dir))
	if err != nil {
		return 0, err
	}
	embedder, err := opts.embedder(ctx, snap.Manifest.Model)
	if err != nil {
		return 0, err
	}
	if embedder != nil {
		defer embedder.Close()
	}
	index, err := search.Once(ctx, snap, embedder, search.Settings{})
	if err != nil {
		return 0, err
	}
	defer index.Close()
	request := index.Search
	if opts.Exact {
		request = index.Exact
	}
	response, err := request(ctx, opts.request())
	if fault := (*search.QueryError)(nil); errors.As(err, &fault) {
		return 0, render.QueryError(fault)
	}
	if err != nil {
		return 0, err
	}
	return response.TotalFound, render.Response(w, response, opts.rendering())
}

func (o *Options) request() search.Request {
	req := search.Request{Queries: []string{strings.Join(o.Words, " ")}, Limit: o.Limit, Offset: o.Offset, Mode: search.Mode(o.Mode), Filter: o.Filter}
	if req.Limit == 0 {
		req.Limit = -1
	}
	return req
}

// rendering says how to write the answer. Who asks for colour wants to read.
func (o *Options) rendering() render.Options {
	color := o.Terminal && o.Getenv("NO_COLOR") == "" && o.Getenv("TERM") != "dumb"
	if o.Color != ColorAuto {
		color = o.Color == ColorAlways
	}
	return render.Options{
		JSON:   o.JSON || !o.Terminal && o.Color != ColorAlways,
		Color:  color,
		Prefix: prefix(o.Root),
	}
}

// prefix is the way from the current folder to root, with slashes; "" if they are the same.
func prefix(root string) string {
	here, err := filepath.Abs(".")
	if err != nil {
		return ""
	}
	there, err := filepath.Abs(root)
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(here, there)
	if err != nil || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel)
}

// embedder is the model that the store was made with; nil where none is needed or, for
// a search that can do without, to be had.
func (o *Options) embedder(ctx context.Context, model string) (embed.Embedder, error) {
	if o.Exact || model == "" || o.Mode == string(search.Keyword) {
		return nil, nil
	}
	cfg, err := o.Embedding()
	if err != nil {
		return nil, err
	}
	embedder, err := embed.OpenModel(ctx, model, cfg)
	if err != nil && (o.Mode == "" || o.Mode == string(search.Auto)) {
		o.Warn("searching by words only: %v", err)
		return nil, nil
	}
	return embedder, err
}
