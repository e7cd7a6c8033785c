// Package ask answers one request from a terminal or a script: it loads the store, asks
// package search, and has package render write the hits. cortex-query is its only caller.
package ask

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"cortex/lib/embed"
	"cortex/lib/search"
	"cortex/lib/search/answer"
	"cortex/lib/search/render"
	"cortex/lib/search/show"
	"cortex/lib/store"
	"cortex/lib/terminal"
)

// Options are the request and how its answer is to be written.
type Options struct {
	// Root is the folder that was indexed, Store the folder of its store; "" is .cortex in Root.
	Root, Store string
	// Words are the query, or the question, in as many arguments as it was typed.
	Words []string
	// Exact asks for exact search.
	Exact bool
	// Similar asks for what is like the place that the one word names, a file and a line.
	Similar bool
	// Limit is the greatest number of hits, 0 for all; Offset is how many are left out.
	Limit, Offset int
	// Mode is for questions alone; "" is auto. So is Explain, which asks for the signals behind each hit.
	Mode    string
	Explain bool
	Filter  search.Filter
	// Context is what search.ParseAround reads. Before and After are what search.ParseLines reads, and take the place of
	// Context on their side; "" leaves it.
	Context, Before, After string
	// Whole asks for whole hits, where a person reads them; JSON has them anyway.
	Whole bool
	// MaxTokens bounds the answer as search.Response.Fit does; 0 for no bound.
	MaxTokens int
	// Format is one of Formats; with "", JSON stands for FormatJSON, a Terminal gets FormatPretty, and other outputs get
	// FormatJSON.
	Format   string
	JSON     bool
	Terminal bool
	// Files asks for the names of the files that have hits, Count for the number of hits; both are for exact search.
	Files, Count bool
	// Null ends the names of Files with a NUL instead of a line feed, and leaves them as they are.
	Null bool
	// Making says how the index is made if it is missing.
	Making search.Making
	// Settings are those of the index; nil means the defaults.
	Settings func() (search.Settings, error)
	// Color is one of Colors.
	Color  string
	Getenv func(string) string
	// Warn is told what did not keep the request from being answered.
	Warn func(format string, args ...any)
	// Accept, if it is set, is told of the model of the store's embeddings, "" if it has none, and refuses what does not go with it.
	Accept func(model string) error
	// Embedding gives the settings of the embedder; it is called only for a search that needs one.
	Embedding func() (embed.Config, error)

	// view says from where the reader sees the files of the index that was opened.
	view terminal.View
}

// The values of Options.Format. The last two are for exact search: all matching lines instead of hits.
const (
	FormatPretty   = "pretty"
	FormatText     = "text"
	FormatJSON     = "json"
	FormatGrep     = "grep"
	FormatQuickfix = "quickfix"
)

// Formats lists the values of Options.Format.
func Formats() []string {
	return []string{FormatPretty, FormatText, FormatJSON, FormatGrep, FormatQuickfix}
}

// ByLine reports whether the answer is made of lines or files, of which all are wanted where no limit is given.
func (o *Options) ByLine() bool {
	return o.Files || o.Count || o.Format == FormatGrep || o.Format == FormatQuickfix
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
	case o.Similar && len(o.Words) != 1:
		return fmt.Errorf("%d places, expected one, such as lib/server.go:42", len(o.Words))
	case len(o.Words) == 0:
		return errors.New("no question")
	case o.Limit < 0:
		return fmt.Errorf("--limit %d: expected 0 or more", o.Limit)
	case o.Offset < 0:
		return fmt.Errorf("--offset %d: expected 0 or more", o.Offset)
	case o.Format != "" && !slices.Contains(Formats(), o.Format):
		return fmt.Errorf("--format %q: expected %s", o.Format, strings.Join(Formats(), ", "))
	case !o.Exact && o.ByLine():
		return fmt.Errorf("--format %s: only exact search has matching lines", o.Format)
	case o.Context+o.Before+o.After != "" && o.ByLine():
		return errors.New("--context: lines and files have none; leave it out, or leave out --format, --count and --files-with-matches")
	case o.Whole && o.ByLine():
		return errors.New("--whole: lines and files are no hits; leave it out, or leave out --format, --count and --files-with-matches")
	case o.Whole && o.Context+o.Before+o.After != "":
		return errors.New("--whole: leave out --context, --before-context and --after-context")
	case o.MaxTokens < 0 || 0 < o.MaxTokens && o.MaxTokens < leastTokens:
		return fmt.Errorf("--max-tokens %d: expected 0, for no bound, or %d or more", o.MaxTokens, leastTokens)
	case o.MaxTokens > 0 && o.ByLine():
		return errors.New("--max-tokens: only hits can be shortened; use --limit")
	case o.Files && o.Count:
		return errors.New("--files-with-matches and --count: give one of them")
	case o.Null && !o.Files:
		return errors.New("--null: only --files-with-matches has names that it could end")
	case !slices.Contains(Colors(), o.Color):
		return fmt.Errorf("--color %q: expected auto, always or never", o.Color)
	}
	if _, err := patternFromRoot(o.Root, o.Filter.Path); err != nil {
		return err
	}
	_, err := o.around()
	return err
}

// around is what the hits are to be shown with.
func (o *Options) around() (search.Around, error) {
	around, err := answer.ParseAround(o.Context)
	if err != nil {
		return around, fmt.Errorf("--context %q: expected a number of lines from 0 to %d, or full", o.Context, search.MaxContext)
	}
	if around.Full && o.Before+o.After != "" {
		return around, errors.New("--context full: leave out --before-context and --after-context")
	}
	for _, side := range []struct {
		flag, text string
		lines      *int
	}{{"--before-context", o.Before, &around.Before}, {"--after-context", o.After, &around.After}} {
		if side.text == "" {
			continue
		}
		if *side.lines, err = answer.ParseLines(side.text); err != nil {
			return around, fmt.Errorf("%s %q: expected a number of lines from 0 to %d", side.flag, side.text, search.MaxContext)
		}
	}
	around.Read = !o.rendering().JSON && (o.Whole || o.Context+o.Before+o.After != "")
	around.Whole = around.Read && o.Whole
	return around, nil
}

// leastTokens is the least size of an answer that says anything.
const leastTokens = 100

// dir is the folder of the store.
func (o *Options) dir() string { return cmp.Or(o.Store, filepath.Join(o.Root, store.Dir)) }

// Run answers the request on w and returns how many hits there are in all.
func Run(ctx context.Context, w io.Writer, opts Options) (found int, err error) {
	counted := &counter{w: w}
	if found, err = opts.answer(ctx, counted); search.IsStale(err) && counted.n == 0 {
		if err := search.Forget(opts.dir()); err != nil {
			return 0, err
		}
		return opts.answer(ctx, counted)
	}
	return found, err
}

// counter counts what is written.
type counter struct {
	w io.Writer
	n int
}

func (c *counter) Write(data []byte) (int, error) {
	n, err := c.w.Write(data)
	c.n += n
	return n, err
}

func (o *Options) answer(ctx context.Context, w io.Writer) (found int, err error) {
	settings, err := o.settings()
	if err != nil {
		return 0, err
	}
	var embedder embed.Embedder
	defer func() {
		if embedder != nil {
			embedder.Close()
		}
	}()
	index, err := search.Open(ctx, o.dir(), func(model string) (embed.Embedder, error) {
		var err error
		embedder, err = o.embedder(ctx, model)
		return embedder, err
	}, settings, o.Making, nil)
	if err != nil {
		return 0, err
	}
	defer index.Close()
	o.view = viewOf(o.Root)
	if o.view.Trees, err = index.HasSeveralTrees(); err != nil {
		return 0, err
	}
	if o.Format == FormatText {
		return o.text(ctx, w, index)
	}
	if o.Exact {
		return o.exact(ctx, w, index)
	}
	response, err := index.Search(ctx, o.request())
	if fault := (*search.QueryError)(nil); errors.As(err, &fault) {
		return 0, render.QueryError(fault)
	}
	if err != nil {
		return 0, err
	}
	if response.Metadata.Warning != "" {
		o.Warn("%s", response.Metadata.Warning)
	}
	if response.NoMatch != nil {
		_, err := o.tellNothing(w, response.NoMatch)
		return 0, err
	}
	o.fit(response)
	found, rendering := response.TotalFound, o.rendering()
	if response.Doubt != "" {
		found = 0 // guesses are no success
		if rendering.JSON {
			o.Warn("%s", response.Doubt)
		}
	}
	rendering.Lines = o.screen()
	return found, render.Response(w, response, rendering)
}

// text writes the answer as assistants get it.
func (o *Options) text(ctx context.Context, w io.Writer, index *search.Index) (int, error) {
	req, ask := o.request(), index.Search
	if req.Lines = true; o.Exact {
		ask = index.Exact
	} else {
		req.ByFile = !o.Similar
	}
	response, err := ask(ctx, req)
	if fault := (*search.QueryError)(nil); errors.As(err, &fault) {
		return 0, render.QueryError(fault)
	}
	if err != nil {
		return 0, err
	}
	found := response.TotalFound
	if response.NoMatch != nil || response.Doubt != "" {
		found = 0 // guesses are no success
	}
	_, err = io.WriteString(w, show.Text(response, cmp.Or(o.MaxTokens, show.DefaultTokens))+"\n")
	return found, err
}

// screenLines is how many lines an answer takes at a terminal if nothing else is asked for: a screen of the usual size.
const screenLines = 40

// screen bounds the lines of an answer to a question.
func (o *Options) screen() int {
	if !o.Terminal || o.Context+o.Before+o.After != "" || o.Whole || o.Explain || o.MaxTokens > 0 {
		return 0
	}
	return screenLines
}

// tellNothing says why nothing was found: to people by Warn, and to programs in the answer, which is then told.
func (o *Options) tellNothing(w io.Writer, why *search.NoMatch) (told bool, err error) {
	for line := range strings.Lines(why.Message) {
		o.Warn("%s", strings.TrimSuffix(line, "\n"))
	}
	if o.JSON || o.Format == FormatJSON {
		return true, render.NoMatch(w, why)
	}
	return false, nil
}

// fit makes the response keep to MaxTokens, in the form in which it will be written, and tells what is left out.
func (o *Options) fit(response *search.Response) {
	if o.MaxTokens == 0 {
		return
	}
	show.Fit(response, o.MaxTokens, 0, o.size)
	if response.Truncated {
		o.Warn("%s", strings.Replace(response.Note, "max_tokens", "--max-tokens", 1))
	}
}

// size is the number of bytes of the hit as it will be written, without colour.
func (o *Options) size(h *search.Hit) int {
	plain := o.rendering()
	plain.Color = false
	out := &counter{w: io.Discard}
	if err := render.Hit(out, h, plain); err != nil {
		return math.MaxInt32 // writing it will fail, too
	}
	return out.n
}

func (o *Options) settings() (search.Settings, error) {
	if o.Settings == nil {
		return search.Settings{}, nil
	}
	return o.Settings()
}

// exact answers a query of exact search. Hits are written as they are read.
func (o *Options) exact(ctx context.Context, w io.Writer, index *search.Index) (int, error) {
	start := time.Now()
	found, err := index.Find(ctx, o.request())
	if fault := (*search.QueryError)(nil); errors.As(err, &fault) {
		return 0, render.QueryError(fault)
	}
	if err != nil {
		return 0, err
	}
	took := math.Round(float64(time.Since(start).Microseconds())/10) / 100
	out := bufio.NewWriter(w)
	if err := o.write(out, found, took); err != nil {
		return 0, err
	}
	return found.Total(), out.Flush()
}

func (o *Options) write(w io.Writer, found *search.Found, took float64) error {
	rendering := o.rendering()
	if why := found.NoMatch; why != nil {
		if told, err := o.tellNothing(w, why); told || err != nil {
			return err
		}
	}
	switch {
	case o.Count:
		_, err := fmt.Fprintln(w, found.Total())
		return err
	case o.Files:
		paths, trees, err := found.Files()
		if err != nil {
			return err
		}
		for i := range paths {
			if err := render.File(w, trees[i], paths[i], rendering); err != nil {
				return err
			}
		}
		return nil
	case o.Format == FormatGrep, o.Format == FormatQuickfix:
		return found.Lines(func(l search.Line) error { return render.Line(w, &l, o.Format == FormatQuickfix, rendering) })
	}
	if o.MaxTokens > 0 {
		return o.writeFitting(w, found, took)
	}
	written := 0
	err := found.Each(func(h *search.Hit) error {
		written++
		return render.Hit(w, h, rendering)
	})
	if err != nil {
		return err
	}
	return render.Summary(w, written, found.Total(), search.ResponseMetadata{TookMS: took, Source: search.SourceExact}, rendering)
}

// errEnough ends the reading of hits of which none would be shown.
var errEnough = errors.New("enough hits")

// writeFitting writes as many hits as there is room for, as far as there is.
func (o *Options) writeFitting(w io.Writer, found *search.Found, took float64) error {
	response := &search.Response{TotalFound: found.Total(), Metadata: search.ResponseMetadata{TookMS: took, Source: search.SourceExact}}
	err := found.Each(func(h *search.Hit) error {
		response.Results = append(response.Results, *h)
		if len(response.Results) > o.MaxTokens/leastHitTokens {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	o.fit(response)
	return render.Response(w, response, o.rendering())
}

// leastHitTokens is less than the place of any hit takes.
const leastHitTokens = 10

func (o *Options) request() search.Request {
	around, _ := o.around() // Check has seen it
	filter := o.Filter
	filter.Path, _ = patternFromRoot(o.Root, filter.Path)
	req := search.Request{Queries: topics(o.Words), Limit: o.Limit, Offset: o.Offset, Mode: search.Mode(o.Mode), Filter: filter, Explain: o.Explain, Context: around}
	if req.Limit == 0 {
		req.Limit = -1
	}
	if o.Exact {
		req.Queries = []string{strings.Join(o.Words, " ")}
	}
	if o.Similar {
		req.Queries, req.Like = nil, placeFromRoot(o.Root, o.Words[0])
	}
	return req
}

// topics are what the words ask for. The shell hides quotes, so a blank tells: a word with one inside is a topic of its own, and the
// others together are one question, which stands where the first of them does. Topics are asked alone and their hits
// merged.
func topics(words []string) []string {
	var list, question []string
	at := 0
	for _, word := range words {
		word = strings.TrimSpace(word)
		switch {
		case word == "":
		case strings.ContainsFunc(word, unicode.IsSpace):
			list = append(list, word)
		default:
			if question == nil {
				at = len(list)
			}
			question = append(question, word)
		}
	}
	if question != nil || list == nil {
		list = slices.Insert(list, at, strings.Join(question, " "))
	}
	return list
}

// rendering says how to write the answer. Who asks for colour or for whole hits wants to read.
func (o *Options) rendering() render.Options {
	color := o.Terminal && o.Getenv("NO_COLOR") == "" && o.Getenv("TERM") != "dumb"
	if o.Color != ColorAuto {
		color = o.Color == ColorAlways
	}
	return render.Options{
		JSON:  o.Format == FormatJSON || o.Format == "" && (o.JSON || !o.Terminal && o.Color != ColorAlways && !o.Whole),
		Color: color,
		View:  o.view,
		Null:  o.Null,
	}
}

// embedder is the model that the store was made with; nil where none is needed or, for
// a search that can do without, to be had.
func (o *Options) embedder(ctx context.Context, model string) (embed.Embedder, error) {
	if o.Accept != nil {
		if err := o.Accept(model); err != nil {
			return nil, err
		}
	}
	if o.Exact || o.Similar || model == "" || o.Mode == string(search.Keyword) {
		return nil, nil
	}
	cfg, err := o.Embedding()
	if err != nil {
		return nil, err
	}
	embedder, err := embed.OpenModel(ctx, model, cfg)
	if err != nil && (o.Mode == "" || o.Mode == string(search.Auto)) {
		o.Warn("%s", search.ByWordsOnly(err))
		return nil, nil
	}
	return embedder, err
}
