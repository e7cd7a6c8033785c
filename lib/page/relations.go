package page

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"cortex/lib/graph"
	"cortex/lib/record"
	"cortex/lib/terminal"
)

// impactTab is the tab of what a change reaches.
const impactTab = string(graph.Impact)

// A tab is one operation of the graph as people see it.
type tab struct {
	operation graph.Operation
	label     string
	// in and out are what a drawing asks for on the left and on the right of what it is about; "" for nothing.
	in, out graph.Operation
	// empty says that there is nothing.
	empty string
}

// tabs are those of a thing of the kind.
func tabs(kind record.Kind) []tab {
	impact := tab{graph.Impact, "Reached by a change", graph.Impact, "", "Nothing is known to be reached by a change of it."}
	uses := tab{graph.References, "References", graph.References, "", "Nothing is known to name it."}
	switch {
	case kind == graph.FileKind, kind == graph.PackageKind, kind == graph.ExternalKind, kind == record.Module:
		return []tab{
			{graph.Dependencies, "Needs", graph.Dependents, graph.Dependencies, "It is not known to need anything."},
			{graph.Dependents, "Needed by", graph.Dependents, graph.Dependencies, "Nothing is known to need it."},
			impact,
		}
	case kind.IsType():
		return []tab{
			{graph.Implementations, "Implementations", graph.Implementations, "", "No type is known to implement or extend it, nor it any."},
			uses, {graph.Callers, "Made or called by", graph.Callers, "", "Nothing is known to make one."}, impact,
		}
	}
	return []tab{
		{graph.Callers, "Callers", graph.Callers, graph.Callees, "Nothing is known to call it."},
		{graph.Callees, "Calls", graph.Callers, graph.Callees, "It is not known to call anything."},
		{graph.Implementations, "Implementations", graph.Implementations, "", "No method is known to implement it, nor it any."},
		uses, impact,
	}
}

// A relationsView is what the page of relations shows.
type relationsView struct {
	Repository, Name, Kind, Signature, Place, URL string
	Tabs                                          []choice
	Drawing, Legend                               template.HTML
	// Missing says that the drawing leaves something out.
	Missing string
	Lists   []related
	// Beyond says where chains end that go on, and Deeper, if it has a URL, follows them further. Notes say what was left out, Empty that there is nothing.
	Beyond string
	Deeper choice
	Notes  []string
	Empty  string
	// Candidates are what the name could mean, under the heading Which.
	Which      string
	Candidates []choice
}

// A related is a list of results.
type related struct {
	Heading string
	Items   []relative
}

// A relative is one result.
type relative struct {
	Name, Kind, Place, URL, Relations string
	// Sure says how sure the relation is where that is not certain, How how it comes about.
	Sure, How string
	Code      template.HTML
}

// Bounds of a page of relations.
const (
	maxListed = 100
	maxPlaces = 3
	maxGrown  = 12
)

// relations is the page of how a thing hangs together with others.
func (s *Server) relations(ctx context.Context, l *loans, values url.Values) (*view, error) {
	st, err := readState(values)
	if err != nil {
		return nil, err
	}
	target := strings.ToValidUTF8(values.Get("of"), "\uFFFD")
	if target == "" || len(target) > record.MaxPath+maxField {
		return nil, notFound("the link names nothing")
	}
	v := &relationsView{Repository: st.Repository}
	err = l.ask(ctx, st.Repository, func(ctx context.Context, e *OpenIndex) error {
		*v = relationsView{Repository: st.Repository}
		return s.relate(ctx, e, v, st, target, values)
	})
	if err != nil {
		return nil, err
	}
	title := v.Name
	if title == "" {
		title = v.Which
	}
	return &view{Template: "relations", Title: title, State: state{Query: st.Query, Kind: st.Kind}, Body: v}, nil
}

func (s *Server) relate(ctx context.Context, e *OpenIndex, v *relationsView, st state, target string, values url.Values) error {
	first, err := e.Query(ctx, graph.Request{Operation: graph.References, Target: target, Limit: 1, MinConfidence: graph.DefaultMinConfidence})
	if err != nil {
		return err
	}
	if first.Target == nil {
		v.choose(first, st)
		return nil
	}
	of := first.Target
	v.Name, v.Kind, v.Signature = terminal.Clean(of.Symbol), string(of.Kind), terminal.Clean(of.Signature)
	if of.FilePath != "" {
		v.Place, v.URL = place(of), st.fileURL(st.Repository, of.FilePath, of.StartLine)
	}
	list := tabs(of.Kind)
	chosen := 0
	for i, t := range list {
		if string(t.operation) == values.Get("show") {
			chosen = i
		}
	}
	var answer *graph.Answer
	depth, _ := strconv.Atoi(values.Get("depth")) // what is no number is the default
	depth = min(max(depth, graph.DefaultImpactDepth), graph.MaxDepth)
	for i, t := range list {
		req := graph.Request{Operation: t.operation, Target: target, Limit: 1, MinConfidence: graph.DefaultMinConfidence}
		if i == chosen {
			req.Limit = maxListed
		}
		if t.operation == graph.Impact {
			req.Depth = depth
		}
		a, err := e.Query(ctx, req)
		if err != nil {
			return err
		}
		if i == chosen {
			answer = a
		}
		v.Tabs = append(v.Tabs, choice{Label: t.label, Count: a.TotalFound + a.TestsFound, Chosen: i == chosen, URL: st.relationsURL(st.Repository, target, string(t.operation))})
	}
	t := list[chosen]
	if err := v.fill(e, answer, t, st); err != nil {
		return err
	}
	if answer.Beyond {
		v.Beyond = fmt.Sprintf("This is what is at most %d steps away; more is reached beyond.", depth)
		if depth < graph.MaxDepth {
			at := st.relationsURL(st.Repository, target, impactTab)
			v.Deeper = choice{Label: fmt.Sprintf("Go %d steps far", depth+1), URL: fmt.Sprintf("%s&depth=%d", at, depth+1)}
		}
	}
	if len(v.Lists) == 0 {
		v.Empty = t.empty
		if answer.Passed > 0 {
			v.Empty += " It is given away as a value; see its references."
		}
		return nil
	}
	grown := values["more"]
	return v.draw(ctx, e, of, target, t, st, grown[:min(len(grown), maxGrown)])
}

// choose lists what a name could mean.
func (v *relationsView) choose(a *graph.Answer, st state) {
	list := a.Candidates
	if v.Which = fmt.Sprintf("%q could be", terminal.Clean(a.Ambiguous)); a.Ambiguous == "" {
		v.Which, list = fmt.Sprintf("Nothing is named %q", terminal.Clean(terminal.Short(a.NotFound, 200))), a.Near
	}
	for i := range list {
		c := &list[i]
		v.Candidates = append(v.Candidates, choice{Label: terminal.Clean(c.Symbol), Title: string(c.Kind) + ", " + place(c), URL: st.relationsURL(st.Repository, targetOf(c), "")})
	}
}

func place(s *graph.Symbol) string {
	if s.FilePath == "" || s.StartLine == 0 {
		return terminal.Clean(s.FilePath)
	}
	return terminal.Clean(s.Place())
}

func (v *relationsView) fill(e *OpenIndex, a *graph.Answer, t tab, st state) error {
	add := func(heading string, hits []graph.Hit) error {
		if len(hits) == 0 {
			return nil
		}
		list := related{Heading: heading}
		for i := range hits {
			item, err := relativeOf(e, &hits[i], st)
			if err != nil {
				return err
			}
			list.Items = append(list.Items, item)
		}
		v.Lists = append(v.Lists, list)
		return nil
	}
	var up, down, tests []graph.Hit
	for _, h := range a.Results {
		switch {
		case h.Up:
			up = append(up, h)
		case h.Test && t.operation != graph.Impact:
			tests = append(tests, h)
		default:
			down = append(down, h)
		}
	}
	heading := fmt.Sprintf("%s (%s)", t.label, terminal.Number(a.TotalFound))
	if len(up) > 0 {
		heading = "Implemented or extended by"
	}
	for _, part := range []struct {
		heading string
		hits    []graph.Hit
	}{{"It implements or extends", up}, {heading, down}, {"In tests", tests}, {fmt.Sprintf("Tests that reach it (%s)", terminal.Number(a.TestsFound)), a.Tests}} {
		if err := add(part.heading, part.hits); err != nil {
			return err
		}
	}
	if more := a.TotalFound - len(a.Results); more > 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("The first %d are listed; there are %s more.", len(a.Results), terminal.Number(more)))
	}
	if more := a.TestsFound - len(a.Tests); more > 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("The first %d tests are listed; there are %s more.", len(a.Tests), terminal.Number(more)))
	}
	if o := a.Omitted; o != nil && o.LowConfidence > 0 {
		v.Notes = append(v.Notes, terminal.Count(o.LowConfidence, "relation that is little more than a guess is", "relations that are little more than guesses are")+" left out.")
	}
	return nil
}

func relativeOf(e *OpenIndex, h *graph.Hit, st state) (relative, error) {
	item := relative{Name: terminal.Clean(h.Symbol.Symbol), Kind: string(h.Kind), Place: place(&h.Symbol)}
	file := h.FilePath
	if h.LinesIn != "" {
		file = h.LinesIn
	}
	if h.Kind != graph.ExternalKind {
		item.Relations = st.relationsURL(st.Repository, targetOf(&h.Symbol), "")
		if h.FilePath != "" {
			item.URL = st.fileURL(st.Repository, h.FilePath, h.StartLine)
		}
	}
	if h.Confidence > 0 && h.Confidence < graph.Sure {
		item.Sure = fmt.Sprintf("%d %% sure", int(math.Round(100*h.Confidence)))
	}
	if h.Distance > 1 {
		item.How = fmt.Sprintf("%d steps away", h.Distance)
	}
	if h.Through != "" {
		item.How = strings.TrimPrefix(item.How+", by way of "+terminal.Clean(h.Through), ", ")
	}
	if file == "" {
		return item, nil
	}
	var lines []line
	for _, n := range h.Lines[:min(len(h.Lines), maxPlaces)] {
		text, err := e.Index.Lines(file, n, n)
		if err != nil {
			return item, err
		}
		one := line{number: n, url: st.fileURL(st.Repository, file, n)}
		if len(text) > 0 {
			one.html = lineHTML([]span{{strings.TrimSpace(text[0]), 0}}, nil)
		}
		lines = append(lines, one)
	}
	item.Code = linesHTML(lines, false)
	return item, nil
}

// Bounds of a drawing.
const (
	// drawnAtFirst is how many things stand on a side at first, drawnMore how many a click adds, maxDrawn how many there are in all.
	drawnAtFirst = 8
	drawnMore    = 6
)

// draw draws what stands left and right of the thing, and of those that have grown.
func (v *relationsView) draw(ctx context.Context, e *OpenIndex, of *graph.Symbol, target string, t tab, st state, grown []string) error {
	d := newDrawing()
	add := func(operation graph.Operation, target string, most int) error {
		if operation == "" {
			return nil
		}
		room := most
		if strings.HasSuffix(target, "/") {
			most *= 5 // many files are in few folders
		}
		a, err := e.Query(ctx, graph.Request{Operation: operation, Target: target, Limit: most, MinConfidence: graph.DefaultMinConfidence})
		if err != nil {
			return err
		}
		part := a.Draw(2*most + 1)
		d.add(&part, targetOf(of), room)
		d.more = d.more || a.TotalFound > len(a.Results)
		return nil
	}
	for _, operation := range slices.Compact([]graph.Operation{t.in, t.out}) {
		if err := add(operation, target, drawnAtFirst); err != nil {
			return err
		}
	}
	d.level()
	more := d.more
	for _, id := range grown {
		n := d.byID[id]
		if n == nil || n.level == 0 {
			continue
		}
		operation := t.in
		if n.level > 0 && t.out != "" {
			operation = t.out
		}
		if operation == graph.Impact {
			operation = graph.Callers
		}
		if err := add(operation, id, drawnMore); err != nil {
			return err
		}
		n.grown = true
		d.level()
	}
	if more {
		v.Missing = "The list below has more."
	}
	v.Legend = d.legend()
	show := string(t.operation)
	v.Drawing = d.svg(fmt.Sprintf("Drawing: %s of %s", strings.ToLower(t.label), v.Name), func(n *drawnNode) (grow, open string) {
		if n.symbol.FilePath != "" {
			open = st.fileURL(st.Repository, n.symbol.FilePath, n.symbol.StartLine)
		}
		if n.symbol.Kind == graph.ExternalKind {
			return "", open
		}
		if n.level == 0 {
			return "", open
		}
		more := slices.DeleteFunc(slices.Clone(grown), func(id string) bool { return id == n.id })
		if !n.grown {
			more = append(more, n.id)
		}
		to, _ := url.Parse(st.relationsURL(st.Repository, target, show)) // it is ours
		values := to.Query()
		if len(more) > 0 {
			values["more"] = more
		}
		return link("/relations", values) + "#drawing", open
	})
	return nil
}
