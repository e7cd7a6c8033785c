package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"cortex/lib/graph/render"
	"cortex/lib/graph/stored"
	"cortex/lib/graph/table"
	"cortex/lib/hint"
	"cortex/lib/relation"
	"cortex/lib/request"
	"cortex/lib/search/render/brief"
	"cortex/lib/terminal"
)

func graphTool() tool {
	return tool{
		name:  "cortex_graph",
		title: "Ask how code hangs together",
		description: "Tells how code hangs together: who calls a function, what implements a type, what depends on a file, what a change would reach, how one function gets to another. " +
			"Use it before you change a signature or move code. " +
			`Examples: {"operation": "callers", "target": "Server.Handle"}, {"operation": "path", "target": "main", "to": "Store.Get"}. ` +
			"Each result has the lines of the relation; an ambiguous name gets candidates.",
		prepare: func() question {
			req := &request.Graph{}
			return question{req.Options(), req.Read, graphOf(req)}
		},
	}
}

func graphOf(req *request.Graph) answering {
	ask := func(ctx context.Context, e *openIndex, _ bool) (*finding, error) {
		asked := req.Request
		asked.Lines, asked.Quote = e.index.Lines, !render.Format(req.Format).IsDrawing()
		if render.Format(req.Format).IsDrawing() {
			asked.Limit, asked.Context = min(asked.Limit, render.MaxDrawn), 0
		}
		pattern, err := e.pattern(req.Path)
		if err != nil {
			return nil, err
		}
		if asked.Target, err = e.target("target", asked.Target); err != nil {
			return nil, err
		}
		if asked.To, err = e.target("to", asked.To); err != nil {
			return nil, err
		}
		var g *stored.Graph
		query := func(ctx context.Context, asked table.Request) (answer *table.Answer, err error) {
			answer, g, err = e.query(ctx, asked)
			return answer, err
		}
		answer, err := relation.Ask(ctx, asked, pattern, relation.Source{Query: query, LastLine: e.index.LastLine, Exact: e.index.Exact})
		if err != nil {
			return nil, err
		}
		trees, err := g.HasSeveralTrees()
		if err != nil {
			return nil, err
		}
		return &finding{graph: answer, trees: trees}, nil
	}
	return answering{ask, func(found []*finding) (string, error) {
		format, tokens := req.Format, cmp.Or(req.MaxTokens, request.JSONTokens)
		if isText(format) {
			tokens = cmp.Or(req.MaxTokens, brief.WideTokens)
		}
		if found[0].repository == "" || len(found) > 1 && format != request.FormatJSON && !slices.ContainsFunc(found, knowsSomething) {
			return writeGraph(found[0].graph, format, tokens, found[0].trees)
		}
		found = knowing(found)
		if render.Format(format).IsDrawing() && len(found) > 1 {
			var names []string
			for _, one := range found {
				names = append(names, one.repository)
			}
			return "", hint.Wrap(fmt.Errorf("%q is in several repositories, and a drawing shows one", req.Target), "give repository: one of "+strings.Join(names, ", "))
		}
		return writeGraphs(found, format, tokens)
	}}
}

// target returns a target of the graph with its path relative to the root of the tree. Only absolute paths change.
// Errors name the argument.
func (e *openIndex) target(argument, typed string) (string, error) {
	if !filepath.IsAbs(typed) {
		return typed, nil
	}
	target, err := e.standpoint().Target(typed)
	if err != nil {
		return "", fmt.Errorf("%s: %w", argument, err)
	}
	return target, nil
}

// query asks the graph, and also returns the graph that answered.
func (e *openIndex) query(ctx context.Context, req table.Request) (*table.Answer, *stored.Graph, error) {
	g, err := e.graph.get(e.manager.ctx)
	if err != nil {
		return nil, nil, err
	}
	answer, err := g.Query(ctx, req)
	if errors.Is(err, table.ErrDamaged) && e.session == nil {
		// The graph file is damaged, so make it again and ask the new one.
		if g, err = e.graph.again(e.manager.ctx); err == nil {
			answer, err = g.Query(ctx, req)
		}
	}
	return answer, g, err
}

// knowsSomething reports whether the repository has the target or a similar name.
func knowsSomething(one *finding) bool { return one.graph.NotFound == "" || len(one.graph.Near) > 0 }

// maxUnknowing is the number of repositories whose similar names are shown if no repository has the target.
const maxUnknowing = 5

// knowing returns the findings of the repositories that have the target. If there are none, it returns up to
// maxUnknowing findings with similar names, or else the first finding.
func knowing(found []*finding) []*finding {
	var know, near []*finding
	for _, one := range found {
		switch {
		case one.graph.NotFound == "":
			know = append(know, one)
		case knowsSomething(one):
			near = append(near, one)
		}
	}
	switch {
	case know != nil:
		return know
	case near != nil:
		return near[:min(len(near), maxUnknowing)]
	}
	return found[:1]
}

// writeGraphs writes the answers of several repositories within maxTokens.
func writeGraphs(found []*finding, format string, maxTokens int) (string, error) {
	type part struct {
		Repository string          `json:"repository"`
		Root       string          `json:"root"`
		Answer     json.RawMessage `json:"answer"`
	}
	var parts []part
	var text []string
	for _, one := range found {
		where := fmt.Sprintf("%s: in %s", terminal.Clean(one.repository), terminal.Clean(one.root))
		answer, err := writeGraph(one.graph, format, max(maxTokens/len(found)-brief.Cost(where), 1), one.trees)
		if err != nil {
			return "", err
		}
		parts = append(parts, part{one.repository, one.root, json.RawMessage(answer)})
		if isText(format) {
			answer = where + "\n" + answer
		}
		text = append(text, answer)
	}
	if format == request.FormatJSON {
		return encode(map[string]any{"repositories": parts})
	}
	return strings.Join(text, "\n\n"), nil
}

// writeGraph writes an answer within maxTokens, shortened by render.Fit.
func writeGraph(a *table.Answer, format string, maxTokens int, trees bool) (string, error) {
	opts := render.Options{Format: render.Brief, View: terminal.View{Trees: trees}}
	switch format {
	case string(render.Mermaid), string(render.DOT):
		if a.Target == nil {
			break // there is nothing to draw
		}
		opts.Format = render.Format(format)
	case request.FormatJSON:
		opts.Format = render.JSON
	}
	cost := func(text string) int { return len(text) }
	if opts.Format == render.Brief {
		cost = func(text string) int { return brief.BytesPerToken * brief.Cost(text) }
	}
	frame := *a
	frame.Results, frame.Tests = []table.Hit{}, nil
	size, err := writtenGraph(&frame, opts)
	if err != nil {
		return "", err
	}
	render.Fit(a, maxTokens, cost(size), func(h *table.Hit) int { return cost(render.Hit(h, opts)) + len(",") })
	return writtenGraph(a, opts)
}

func writtenGraph(a *table.Answer, opts render.Options) (string, error) {
	var b bytes.Buffer
	if err := render.Answer(&b, a, opts); err != nil {
		return "", fmt.Errorf("encode answer: %w", err)
	}
	if opts.Format == render.Brief && a.Note != "" {
		b.WriteString(a.Note)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}
