// Package ask answers one request of cortex-query: it opens the index, asks lib/search or lib/graph, and writes the
// answer with their packages render. Begin with ask.go; graph.go asks for relations, open.go opens the index.
package ask

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"

	"cortex/lib/embed"
	"cortex/lib/hint"
	"cortex/lib/request"
	"cortex/lib/search"
	"cortex/lib/search/answer"
	"cortex/lib/search/render"
	"cortex/lib/search/render/brief"
	"cortex/lib/terminal"
)

// Options are a request for hits and how to write its answer.
type Options struct {
	Asker
	// Exact selects exact search.
	Exact bool
	// Similar asks for code like the code at the place PATH:LINE, the only one of Words.
	Similar bool
	// Hits are the request. A Limit of 0 means all hits. Queries, Like and Context are filled in from Words and Around.
	request.Hits
	// OwnLimit says that the user gave the Limit, and so knows that there may be more hits.
	OwnLimit bool
	// Accept, if set, gets the model of the store's embeddings, "" without embeddings, and returns an error if the
	// model cannot be used with the flags.
	Accept func(root, model string) error
	// Embedding returns the settings of the embedder. It is called only for a search that needs one.
	Embedding func(root string) (embed.Config, error)

	// view says how to show paths to the reader.
	view terminal.View
}

// ByLine reports whether the answer is a list of lines or files. Without a limit such an answer is complete.
func (o *Options) ByLine() bool {
	return o.Files || o.Count || o.Format == request.FormatGrep || o.Format == request.FormatQuickfix
}

// Check reports the first invalid option, by the name of its flag.
func (o *Options) Check() error {
	switch {
	case o.Exact && strings.HasPrefix(o.Filter.Path, "ath:"):
		// The flag -p has taken the rest of a term such as -path:test as its value, and would match nothing.
		return fmt.Errorf("-p%s: read as the flag -p; write -- before a query that begins with -", o.Filter.Path)
	case o.Exact && strings.TrimSpace(strings.Join(o.Words, "")) == "":
		return errors.New("no query")
	case o.Similar && len(o.Words) != 1:
		return fmt.Errorf("%d places, expected one, such as lib/server.go:42", len(o.Words))
	case len(o.Words) == 0:
		return errors.New("no question")
	case o.isAround() && o.ByLine():
		return errors.New("--context: no effect with --format grep or quickfix, --count and --files-with-matches: leave it or them out")
	case o.Whole && o.ByLine():
		return errors.New("--whole: no effect with --format grep or quickfix, --count and --files-with-matches: leave it or them out")
	case o.Whole && o.isAround():
		return errors.New("--whole: leave out --context, --before-context and --after-context")
	case o.MaxTokens > 0 && o.ByLine():
		return errors.New("--max-tokens: only hits can be shortened; use --limit")
	case o.Files && o.Count:
		return errors.New("--files-with-matches and --count: give one of them")
	case (o.Files || o.Count) && (o.JSON || o.Format == request.FormatJSON):
		return errors.New("--files-with-matches and --count write no JSON: leave --json out")
	case o.Null && !o.Files:
		return errors.New("--null: only with --files-with-matches")
	}
	if _, err := o.pattern(o.Filter.Path); err != nil {
		return err
	}
	if o.Similar {
		if _, err := o.standpoint().Place(o.Words[0]); err != nil {
			return fmt.Errorf("place %w", err)
		}
	}
	_, err := o.around()
	return err
}

// isAround reports whether the user asked for lines around the hits.
func (o *Options) isAround() bool { return o.Around != request.Around{} }

// around returns the lines to show around the hits.
func (o *Options) around() (search.Around, error) {
	around, err := o.Around.Read()
	if err != nil {
		return around, hint.Wrap(fmt.Errorf("--context: %w", err), hint.Of(err))
	}
	around.Read = !o.rendering().JSON && (o.Whole || o.isAround())
	around.Whole = around.Read && o.Whole
	return around, nil
}

// Run writes the answer to w and returns the total number of hits, 0 if it shows none.
func Run(ctx context.Context, w io.Writer, opts Options) (found int, err error) {
	counted := &counter{w: w}
	if found, err = opts.answer(ctx, counted); search.IsStale(err) && counted.n == 0 && opts.Database == "" {
		if err := search.Forget(opts.dir()); err != nil {
			return 0, err
		}
		return opts.answer(ctx, counted)
	}
	return found, err
}

// counter counts the bytes written.
type counter struct {
	w io.Writer
	n int
}

func (c *counter) Write(data []byte) (int, error) {
	n, err := c.w.Write(data)
	c.n += n
	return n, err
}

func (o *Options) answer(ctx context.Context, w io.Writer) (int, error) {
	index, done, err := o.openIndex(ctx, o.embedder)
	if err != nil {
		return 0, err
	}
	found, err := o.answerFrom(ctx, w, index)
	if err == nil && found == 0 {
		o.tellNewer(ctx, index)
	}
	if closed := done(); err == nil {
		err = closed
	}
	return found, err
}

func (o *Options) answerFrom(ctx context.Context, w io.Writer, index *search.Index) (found int, err error) {
	o.view = o.standpoint().View()
	if o.view.Trees, err = index.HasSeveralTrees(); err != nil {
		return 0, err
	}
	if o.Format == request.FormatText {
		return o.text(ctx, w, index)
	}
	if o.Exact {
		return o.exact(ctx, w, index)
	}
	response, err := index.Search(ctx, o.request())
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
	if len(response.Results) == 0 || response.Doubt != "" {
		found = 0 // guesses do not count as success
		if rendering.JSON {
			o.Warn("%s", response.Doubt)
		}
	}
	rendering.Columns, rendering.Rows = o.screen()
	return found, render.Response(w, response, rendering)
}

// text writes the answer in the form for assistants.
func (o *Options) text(ctx context.Context, w io.Writer, index *search.Index) (int, error) {
	req, ask := o.request(), index.Search
	req.Lines, req.Further = true, brief.Further(req.Context, o.MaxTokens)
	if o.Exact {
		ask = index.Exact
	} else {
		req.ByFile = !o.Similar
	}
	found := 0
	var responses []*search.Response
	for _, one := range req.Apart() {
		response, err := ask(ctx, one)
		if err != nil {
			return 0, explained(err)
		}
		if len(response.Results) > 0 && response.Doubt == "" { // guesses do not count as success
			found += response.TotalFound
		}
		o.showPaths(response.Results)
		responses = append(responses, response)
	}
	_, err := io.WriteString(w, brief.Topics(responses, brief.Budget(responses, o.MaxTokens), brief.Flags)+"\n")
	return found, err
}

// showPaths makes the paths of hits those that the reader can open.
func (o *Options) showPaths(hits []search.Hit) {
	for i := range hits {
		m := &hits[i].Chunk.Metadata
		m.FilePath = o.view.Path(m.Tree, m.FilePath)
		for j := range hits[i].Twins {
			twin := &hits[i].Twins[j]
			twin.FilePath = o.view.Path(twin.Tree, twin.FilePath)
		}
	}
}

// explained returns the error with the query and a pointer to the fault, if the error is about the query.
func explained(err error) error {
	if fault := (*search.QueryError)(nil); errors.As(err, &fault) {
		return render.QueryError(fault)
	}
	return err
}

// usualRows is the number of rows of an answer at a terminal of unknown size.
const usualRows = 40

// screen returns the bounds of an answer at a terminal: the columns of a title, and the rows in total. 0 means no
// bound.
func (o *Options) screen() (columns, rows int) {
	if !o.Terminal || o.isAround() || o.Whole || o.Explain || o.MaxTokens > 0 {
		return 0, 0
	}
	if o.Rows == 0 {
		return o.Columns, usualRows
	}
	return o.Columns, o.Rows - 1 // the last row is for the next prompt
}

// tellNothing says why nothing was found: by Warn, and in JSON also in the answer; then told is true.
func (o *Options) tellNothing(w io.Writer, why *search.NoMatch) (told bool, err error) {
	for line := range strings.Lines(why.Message) {
		o.Warn("%s", strings.TrimSuffix(line, "\n"))
	}
	if path := o.pathAmongWords(); path != "" {
		o.Warn("%s was taken for a word of the query; --path %s searches only there", path, path)
	}
	if o.JSON || o.Format == request.FormatJSON {
		return true, render.NoMatch(w, why)
	}
	return false, nil
}

// pathAmongWords returns a file or folder that follows the query, as for grep; "" if there is none.
func (o *Options) pathAmongWords() string {
	if !o.Exact || o.Database != "" {
		return ""
	}
	for _, word := range o.Words[1:] {
		if _, err := os.Lstat(word); err == nil && strings.ContainsAny(word, "./") {
			return word
		}
	}
	return ""
}

// fit shortens the response to MaxTokens and warns of what is left out.
func (o *Options) fit(response *search.Response) {
	if o.MaxTokens == 0 {
		return
	}
	brief.Fit(response, o.MaxTokens, 0, brief.Flags, o.size)
	if response.Truncated {
		o.Warn("%s", response.Note)
	}
}

// size returns the number of bytes of the hit as it will be written, without colour.
func (o *Options) size(h *search.Hit) int {
	plain := o.rendering()
	plain.Color = false
	out := &counter{w: io.Discard}
	if err := render.Hit(out, h, plain); err != nil {
		return math.MaxInt32 // writing the hit will fail too
	}
	return out.n
}

// exact answers a query of exact search. It writes hits while it reads them.
func (o *Options) exact(ctx context.Context, w io.Writer, index *search.Index) (int, error) {
	start := time.Now()
	find := index.FindOrMakers
	if o.ByLine() {
		find = index.Find
	}
	found, err := find(ctx, o.request())
	if err != nil {
		return 0, explained(err)
	}
	for _, note := range []string{found.Warning, found.Unmatched, found.Doubt} {
		if note != "" {
			o.Warn("%s", note)
		}
	}
	took := math.Round(float64(time.Since(start).Microseconds())/10) / 100
	out := bufio.NewWriter(w)
	switch err := o.write(out, found, took); {
	case errors.Is(err, errBeyond):
		return 0, nil
	case err != nil:
		return 0, err
	}
	if found.Doubt != "" {
		return 0, out.Flush() // guesses do not count as success
	}
	return found.Total(), out.Flush()
}

// errBeyond says that the answer is empty because of --offset. The user was already told.
var errBeyond = errors.New("nothing is left")

// beyond warns and returns errBeyond if the request skips all of n results.
func (o *Options) beyond(n int, one, many string) error {
	why := answer.Beyond(o.Request, n, one, many)
	if why == "" {
		return nil
	}
	o.Warn("%s", why)
	return errBeyond
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
		paths, trees, total, err := found.Files()
		if err == nil {
			err = o.beyond(total, "file", "files")
		}
		if err != nil {
			return err
		}
		for i := range paths {
			if err := render.File(w, trees[i], paths[i], rendering); err != nil {
				return err
			}
		}
		return nil
	}
	if err := o.beyond(found.Total(), "hit", "hits"); err != nil {
		return err
	}
	switch {
	case o.Format == request.FormatGrep, o.Format == request.FormatQuickfix:
		return found.Lines(func(l search.MatchedLine) error {
			return render.Line(w, &l, o.Format == request.FormatQuickfix, rendering)
		})
	case o.MaxTokens > 0:
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
	if rendering.JSON && !o.OwnLimit && o.Offset+written < found.Total() {
		o.Warn("%d of %s; --limit 0 writes all", written, terminal.Count(found.Total(), "hit", "hits"))
	}
	return render.Summary(w, written, found.Total(), search.ResponseMetadata{TookMS: took, Source: search.SourceExact}, rendering)
}

// errEnough stops reading hits when no more fit in the answer.
var errEnough = errors.New("enough hits")

// writeFitting writes as many hits as fit in MaxTokens.
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

// leastHitTokens is less than the size of the shortest hit, in tokens.
const leastHitTokens = 10

func (o *Options) request() search.Request {
	req := o.Request
	req.Context, _ = o.around() // Check has reported errors
	req.Filter.Path, _ = o.pattern(req.Filter.Path)
	req.Queries = topics(o.Words)
	if req.Limit == 0 {
		req.Limit = -1
	}
	if o.Exact {
		req.Queries = []string{strings.Join(o.Words, " ")}
	}
	if o.Similar {
		req.Queries = nil
		req.Like, _ = o.standpoint().Place(o.Words[0]) // Check has reported errors
	}
	return req
}

// topics returns the topics in the words. The shell removes quotes, so blanks decide: a word that contains a blank is a
// topic of its own. The other words together are one question, in the place of the first of them. Each topic is asked
// separately, and the hits are merged.
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

// rendering returns how to write the answer.
func (o *Options) rendering() render.Options {
	json, color := o.form(&o.Answer, o.Whole)
	return render.Options{JSON: json, Color: color, View: o.view, Null: o.Null}
}

// embedder opens the model that the store was made with. It returns nil if the request needs no model, or if the model
// cannot be opened and the mode is auto.
func (o *Options) embedder(ctx context.Context, model string) (embed.Embedder, error) {
	if o.Accept != nil {
		if err := o.Accept(o.Root, model); err != nil {
			return nil, err
		}
	}
	if o.Exact || o.Similar || model == "" || o.Mode == search.Keyword {
		return nil, nil
	}
	cfg, err := o.Embedding(o.Root)
	if err != nil {
		return nil, err
	}
	embedder, err := embed.OpenModel(ctx, model, cfg)
	if err != nil && (o.Mode == "" || o.Mode == search.Auto) {
		o.Warn("%s", search.ByWordsOnly(err))
		return nil, nil
	}
	return embedder, err
}
