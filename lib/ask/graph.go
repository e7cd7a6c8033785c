package ask

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"cortex/lib/graph/render"
	"cortex/lib/graph/stored"
	"cortex/lib/graph/table"
	"cortex/lib/relation"
	"cortex/lib/request"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	cache "cortex/lib/search/index"
	"cortex/lib/terminal"
)

// GraphOptions are a request to the graph and how to write its answer.
type GraphOptions struct {
	Asker
	request.Graph
}

// Check reports the first invalid option, by the name of its flag.
func (o *GraphOptions) Check() error {
	if len(o.Words) == 0 {
		return errors.New("no operation")
	}
	info, err := table.Info(o.Words[0])
	if err != nil {
		return err
	}
	targets, wanted := o.Words[1:], 1
	if info.Operation == table.Path {
		wanted = 2
	}
	switch {
	case len(targets) != wanted && wanted == 1:
		return fmt.Errorf("%s, expected one, such as Server.Handle, lib/server.go:42 or lib/server", terminal.Count(len(targets), "target", "targets"))
	case len(targets) != wanted:
		return fmt.Errorf("%s, expected two: from where the path leads, and to where", terminal.Count(len(targets), "target", "targets"))
	}
	format := o.rendering().Format
	switch {
	case o.MaxTokens > 0 && format != render.JSON && format != render.Pretty && format != render.Brief:
		return fmt.Errorf("--max-tokens: --format %s can't be shortened; use --limit", format)
	case o.Request.Context > 0 && format != render.JSON && format != render.Pretty && format != render.Brief:
		return fmt.Errorf("--context: --format %s shows no lines", format)
	}
	pattern, err := o.pattern(o.Path)
	if err != nil {
		return err
	}
	_, err = corpus.PathMatcher(pattern)
	return err
}

// RunGraph writes the answer to w and returns the total number of results, 0 if a target is ambiguous.
func RunGraph(ctx context.Context, w io.Writer, o *GraphOptions) (found int, err error) {
	counted := &counter{w: w}
	if found, err = o.answer(ctx, counted); errors.Is(err, table.ErrDamaged) && counted.n == 0 && o.Database == "" {
		if err := stored.Forget(o.dir()); err != nil {
			return 0, err
		}
		return o.answer(ctx, counted)
	}
	return found, err
}

func (o *GraphOptions) answer(ctx context.Context, w io.Writer) (found int, err error) {
	defer cache.Guard(&err)()
	info, err := table.Info(o.Words[0])
	if err != nil {
		return 0, err
	}
	req := o.Request
	req.Operation = info.Operation
	if req.Target, err = o.standpoint().Target(o.Words[1]); err != nil {
		return 0, err
	}
	if len(o.Words) > 2 {
		if req.To, err = o.standpoint().Target(o.Words[2]); err != nil {
			return 0, err
		}
	}
	rendering := o.rendering()
	if rendering.Format.IsDrawing() && req.Limit == 0 {
		req.Limit = render.MaxDrawn
	}
	pattern, err := o.pattern(o.Path)
	if err != nil {
		return 0, err
	}
	g, lines, done, err := o.open(ctx)
	if err != nil {
		return 0, err
	}
	defer done()
	if req.Lines, req.Quote = lines, o.wantsLines(); lines == nil {
		req.Lines = o.lines(ctx)
	}
	rendering.View = o.standpoint().View()
	if rendering.View.Trees, err = g.HasSeveralTrees(); err != nil {
		return 0, err
	}
	answer, err := relation.Ask(ctx, req, pattern, relation.Source{Query: g.Query, LastLine: o.lastLine(ctx), Exact: o.exact})
	if err != nil {
		return 0, err
	}
	if o.MaxTokens > 0 {
		render.Fit(answer, o.MaxTokens, 0, func(h *table.Hit) int {
			plain := rendering
			plain.Color = false
			return len(render.Hit(h, plain)) + 1
		})
	}
	o.tell(answer, info, rendering)
	if answer.TotalFound+answer.TestsFound == 0 && o.Sources != nil && o.Database == "" {
		if x, closeIndex, err := o.openIndex(ctx, noEmbedder); err == nil {
			o.tellNewer(ctx, x)
			_ = closeIndex()
		}
	}
	if answer.NotFound != "" && rendering.Format != render.JSON {
		return 0, nil
	}
	if answer.Ambiguous != "" {
		if rendering.Format.IsDrawing() || rendering.Format == render.Quickfix {
			return 0, nil // candidates do not count as results
		}
		return 0, render.Answer(w, answer, rendering)
	}
	found = answer.TotalFound + answer.TestsFound
	if found == 0 && rendering.Format != render.JSON {
		return 0, nil
	}
	return found, render.Answer(w, answer, rendering)
}

// tell warns of what the answer leaves out, and says why an answer is empty.
func (o *GraphOptions) tell(a *table.Answer, info table.OperationInfo, rendering render.Options) {
	switch {
	case a.Document: // the note says so
	case a.NotFound != "":
		var near []string
		for i := range a.Near {
			near = append(near, fmt.Sprintf("%s (%s)", a.Near[i].Symbol, rendering.Place(&a.Near[i])))
		}
		text := fmt.Sprintf("nothing is named %q", a.NotFound)
		if len(near) > 0 {
			text += "; near: " + strings.Join(near, ", ")
		}
		o.Warn("%s", text)
	case a.Ambiguous != "" && rendering.Format.IsDrawing():
		o.Warn("%q is ambiguous; --format pretty lists the %d candidates", a.Ambiguous, a.TotalFound)
		return
	case a.Ambiguous != "":
		o.Warn("%q is ambiguous; ask again with one of the %d as path:line", a.Ambiguous, a.TotalFound)
		return
	case a.TotalFound+a.TestsFound == 0 && a.Operation == table.Path:
		o.Warn("no path between %s and %s", rendering.Name(a.Target), rendering.Name(a.To))
	case a.TotalFound+a.TestsFound == 0:
		o.Warn("no %s of %s%s", info.Noun, described(a.Target, rendering), leftOut(a.Omitted))
	}
	if also := render.Also(a, rendering); also != "" && a.TotalFound+a.TestsFound == 0 {
		o.Warn("%s", also)
	}
	if a.Note != "" {
		o.Warn("%s", strings.NewReplacer("max_tokens", "--max-tokens", "raise limit", "raise --limit", "lower limit", "lower --limit", "with path", "with --path", "lower depth", "lower --depth", "raise depth", "raise --depth", "min_confidence 0", "--min-confidence 0").Replace(a.Note))
	}
}

// described returns the name of a target, and for a symbol its kind and place: the symbol found may not be the one
// meant.
func described(s *table.Symbol, rendering render.Options) string {
	if s.StartLine == 0 {
		return rendering.Name(s)
	}
	return fmt.Sprintf("%s (%s, %s)", rendering.Name(s), s.Kind, rendering.Place(s))
}

// leftOut says which filters removed all results.
func leftOut(o *table.Omitted) string {
	var parts []string
	add := func(n int, why string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, why))
		}
	}
	if o != nil {
		add(o.Path, "in files that --path leaves out")
		add(o.Tests, "in tests")
		add(o.Code, "outside of tests")
		add(o.LowConfidence, "less sure than --min-confidence")
	}
	if len(parts) == 0 {
		return ""
	}
	return " but " + strings.Join(parts, ", ")
}

// open opens the graph. If the answer shows lines, it also opens the index of the same generation to read them from.
func (o *GraphOptions) open(ctx context.Context) (g *table.Graph, lines func(string, int, int) ([]string, error), done func(), err error) {
	if o.Database != "" {
		return o.openRemote(ctx)
	}
	opts := stored.Options{Jobs: o.Making.Jobs, Progress: o.Making.Progress, Aside: o.Making.Aside}
	if !o.wantsLines() {
		g, err := stored.Open(ctx, o.dir(), nil, opts)
		if err != nil {
			return nil, nil, nil, err
		}
		return g.Graph, nil, func() { g.Close() }, nil
	}
	x, closeIndex, err := o.openIndex(ctx, noEmbedder)
	if err != nil {
		return nil, nil, nil, err
	}
	opened, err := stored.Open(ctx, o.dir(), x.Store(), opts)
	if err != nil {
		return nil, nil, nil, errors.Join(err, closeIndex())
	}
	return opened.Graph, x.Lines, func() { opened.Close(); _ = closeIndex() }, nil
}

// wantsLines reports whether the answer shows lines of files.
func (o *GraphOptions) wantsLines() bool {
	format := o.rendering().Format
	return o.Request.Context > 0 || format == render.Brief || format == render.JSON
}

// lastLine returns a function that opens the index for each call, since calls are rare.
func (o *GraphOptions) lastLine(ctx context.Context) func(path string) (int, error) {
	return func(path string) (int, error) {
		x, done, err := o.openIndex(ctx, noEmbedder)
		if err != nil {
			return 0, err
		}
		last, err := x.LastLine(path)
		return last, errors.Join(err, done())
	}
}

// lines returns a function that opens the index for each call, since answers that show no lines rarely need any.
func (o *GraphOptions) lines(ctx context.Context) func(path string, first, last int) ([]string, error) {
	return func(path string, first, last int) ([]string, error) {
		x, done, err := o.openIndex(ctx, noEmbedder)
		if err != nil {
			return nil, err
		}
		lines, err := x.Lines(path, first, last)
		return lines, errors.Join(err, done())
	}
}

// exact runs exact search. It opens the index for each call, since calls are rare.
func (o *GraphOptions) exact(ctx context.Context, req answer.Request) (*answer.Response, error) {
	x, done, err := o.openIndex(ctx, noEmbedder)
	if err != nil {
		return nil, err
	}
	response, err := x.Exact(ctx, req)
	return response, errors.Join(err, done())
}

// openRemote opens the graph of the database.
func (o *GraphOptions) openRemote(ctx context.Context) (*table.Graph, func(string, int, int) ([]string, error), func(), error) {
	settings, err := o.settings()
	if err != nil {
		return nil, nil, nil, err
	}
	s, done, err := o.session(ctx, settings, noEmbedder)
	if err != nil {
		return nil, nil, nil, err
	}
	g, err := s.Graph()
	if err != nil {
		return nil, nil, nil, errors.Join(err, done())
	}
	return g, s.Lines, func() { _ = done() }, nil // an error on closing no longer matters: the answer is written
}

// rendering returns how to write the answer.
func (o *GraphOptions) rendering() render.Options {
	format := render.Format(o.Format)
	json, color := o.form(&o.Answer, false)
	switch {
	case format == "" && json:
		format = render.JSON
	case format == "":
		format = render.Pretty
	}
	return render.Options{Format: format, Color: color}
}
