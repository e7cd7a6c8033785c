package page

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"math"
	"net/url"
	"slices"
	"strings"

	"cortex/lib/graph"
	"cortex/lib/graph/table"
	"cortex/lib/page/drawing"
	"cortex/lib/page/highlight"
	"cortex/lib/record"
	"cortex/lib/search"
	"cortex/lib/terminal"
)

// impactTab is the tab of the impact of a change.
const impactTab = string(table.Impact)

// A tab is an operation of the graph as people see it.
type tab struct {
	operation table.Operation
	label     string
	// in and out are the operations whose results a drawing shows on the left and on the right; "" for none.
	in, out table.Operation
	// empty is the text for a tab without results.
	empty string
}

// tabs returns the tabs for a symbol of that kind. The page opens on the first tab that has results.
func tabs(kind record.Kind) []tab {
	impact := tab{table.Impact, "Reached by a change", table.Impact, "", "Nothing is known to be reached by a change of it."}
	uses := tab{table.References, "References", table.References, "", "Nothing is known to name it."}
	switch {
	case kind == table.FileKind, kind == table.PackageKind, kind == table.ExternalKind, kind == record.Module:
		return []tab{
			{table.Dependencies, "Needs", table.Dependents, table.Dependencies, "It is not known to need anything."},
			{table.Dependents, "Needed by", table.Dependents, table.Dependencies, "Nothing is known to need it."},
			impact,
		}
	case kind.IsType():
		return []tab{
			{table.Implementations, "Implementations", table.Implementations, "", "No type is known to implement or extend it, nor it any."},
			uses, {table.Callers, "Made or called by", table.Callers, "", "Nothing is known to make one."}, impact,
		}
	}
	return []tab{
		{table.Callers, "Callers", table.Callers, table.Callees, "Nothing is known to call it."},
		uses,
		{table.Callees, "Calls", table.Callers, table.Callees, "It is not known to call anything."},
		{table.Implementations, "Implementations", table.Implementations, "", "No method is known to implement it, nor it any."},
		impact,
	}
}

// maxPlaces is the number of lines shown for a relation.
const maxPlaces = 3

// A relationsView is the content of the page of relations.
type relationsView struct {
	Repository, Name, Kind, Signature, Place, URL string
	Tabs                                          []choice
	// Lead says how many results there are and where chains end, with links. Notes say what is left out.
	Lead, Notes     []note
	Drawing, Legend template.HTML
	// Missing says that the drawing is incomplete.
	Missing bool
	Lists   []related
	// Candidates are the possible meanings of the name, under the heading Which.
	Which      string
	Candidates []choice
}

// A related is a list of results. ID is its anchor on the page.
type related struct {
	ID, Heading string
	Items       []relative
}

// A relative is one result.
type relative struct {
	Name, Kind, Place, URL, Relations string
	// Badge gives the confidence of an uncertain relation, and marks helpers of tests. How says how the relation comes
	// about.
	Badge, How string
	Code       template.HTML
}

// relations returns the page of the relations of a symbol, file or folder.
func (s *Server) relations(ctx context.Context, l *loans, values url.Values) (*view, error) {
	r, err := readRelationsState(values)
	if err != nil {
		return nil, err
	}
	var v *relationsView
	err = l.ask(ctx, r.Repository, func(ctx context.Context, e *OpenIndex) error {
		v = &relationsView{Repository: r.Repository}
		return v.relate(ctx, e, r)
	})
	if err != nil {
		return nil, err
	}
	return &view{Template: "relations", Title: cmp.Or(v.Name, v.Which), State: state{Query: r.Query, Kind: r.Kind}, Body: v}, nil
}

func (v *relationsView) relate(ctx context.Context, e *OpenIndex, r relationsState) error {
	target := r.Of
	ask := func(operation table.Operation, limit int) (*table.Answer, error) {
		req := table.Request{Operation: operation, Target: target, Limit: limit, MinConfidence: table.DefaultMinConfidence, Lines: e.Index.Lines}
		if r.Guesses {
			req.MinConfidence = 0
		}
		if operation == table.Impact {
			req.Depth = r.Depth
		}
		return e.Query(ctx, req)
	}
	first, err := ask(table.References, 1)
	if err != nil {
		return err
	}
	if first.Target == nil {
		v.choose(first, r)
		return nil
	}
	of := first.Target
	// Use the same target for all tabs, although the meaning of a name depends on the operation.
	target = graph.TargetOf(of)
	v.Name, v.Kind, v.Signature = terminal.Clean(of.Symbol), string(of.Kind), terminal.Clean(of.Signature)
	if of.FilePath != "" {
		v.Place, v.URL = place(of), r.fileURL(r.Repository, of.FilePath, of.StartLine)
	}
	v.also(first, r)
	list := tabs(of.Kind)
	answers := make([]*table.Answer, len(list))
	chosen, filled := -1, 0
	for i, t := range list {
		if answers[i], err = ask(t.operation, 1); err != nil {
			return err
		}
		if string(t.operation) == r.Show {
			chosen = i
		}
		if reached(answers[filled]) == 0 && reached(answers[i]) > 0 {
			filled = i
		}
	}
	if chosen < 0 {
		if filled > 0 {
			v.Lead = append(v.Lead, nothing(list[0], answers[0]))
			if err := v.named(ctx, e, of, list[0], r); err != nil {
				return err
			}
		}
		chosen = filled
	}
	tabOf := func(i int) choice {
		c := r.to(list[i].label, func(r *relationsState) {
			*r = relationsState{state: r.state, Of: r.Of, Show: string(list[i].operation)}
		})
		c.Count, c.Chosen = answers[i].TotalFound, i == chosen
		if n := answers[i].TestsFound; n > 0 {
			c.Title = fmt.Sprintf("%s, %s other", terminal.Count(n, "test", "tests"), terminal.Number(c.Count))
		}
		return c
	}
	for i := range list {
		v.Tabs = append(v.Tabs, tabOf(i))
	}
	r.Show = string(list[chosen].operation)
	a, err := ask(list[chosen].operation, r.Listed)
	if err != nil {
		return err
	}
	if reached(a) == 0 {
		empty := nothing(list[chosen], a)
		if reached(answers[filled]) > 0 {
			to := tabOf(filled)
			to.Label = fmt.Sprintf("Show %s (%s)", strings.ToLower(to.Label), terminal.Number(reached(answers[filled])))
			empty.Links = []choice{to}
		}
		v.Lead = append(v.Lead, empty)
		v.leftOut(a, r)
		return v.named(ctx, e, of, list[chosen], r)
	}
	if err := v.fill(e, a, list[chosen], r); err != nil {
		return err
	}
	v.leftOut(a, r)
	return v.draw(ctx, e, a, list[chosen], r)
}

// reached returns the number of results, tests included.
func reached(a *table.Answer) int { return a.TotalFound + a.TestsFound }

// nothing returns the note for an empty tab.
func nothing(t tab, a *table.Answer) note {
	n := note{Text: t.empty}
	if a.Passed > 0 {
		n.Text += fmt.Sprintf(" It is used as a value in %s.", terminal.Count(a.Passed, "place", "places"))
	}
	return n
}

// named adds a note with the number of lines that have the name of a definition without callers, and a link to them:
// the graph may have missed calls.
func (v *relationsView) named(ctx context.Context, e *OpenIndex, of *table.Symbol, t tab, r relationsState) error {
	if t.operation != table.Callers || of.FilePath == "" {
		return nil
	}
	name := of.Symbol[strings.LastIndexAny(of.Symbol, ".:")+1:]
	quoted := `"` + name + `"`
	found, err := e.Index.Find(ctx, search.Request{Queries: []string{quoted}, Limit: -1})
	if queryFault(err) != nil {
		return nil // the name has no letters or digits
	}
	if err != nil {
		return err
	}
	n := 0
	err = found.Lines(func(l search.MatchedLine) error {
		if strings.Contains(l.Text, name) && (l.FilePath != of.FilePath || l.Number != of.StartLine) {
			n++
		}
		return nil
	})
	if n > 0 {
		to := state{Query: quoted, Kind: exact, Repository: r.Repository}
		v.Lead = append(v.Lead, note{
			Text:  "Its name stands in " + terminal.Count(n, "line", "lines") + " besides its definition.",
			Links: []choice{{Label: "Search for the name", URL: to.URL()}},
		})
	}
	return err
}

// also adds links to other symbols of the same name.
func (v *relationsView) also(a *table.Answer, r relationsState) {
	if len(a.Also) == 0 {
		return
	}
	others := note{Text: "Also named so:"}
	if more := a.AlsoFound - len(a.Also); more > 0 {
		others.Text = fmt.Sprintf("Also named so, among %s others:", terminal.Number(a.AlsoFound))
	}
	for i := range a.Also {
		others.Links = append(others.Links, r.to(terminal.Clean(a.Also[i].Symbol), func(r *relationsState) { r.Of = graph.TargetOf(&a.Also[i]) }))
	}
	v.Lead = append(v.Lead, others)
}

// choose lists the candidates for an ambiguous or unknown name.
func (v *relationsView) choose(a *table.Answer, r relationsState) {
	list := a.Candidates
	if v.Which = fmt.Sprintf("%q could be", terminal.Clean(a.Ambiguous)); a.Ambiguous == "" {
		v.Which, list = fmt.Sprintf("Nothing is named %q", terminal.Clean(terminal.Short(a.NotFound, 200))), a.Near
	}
	if a.Document {
		v.Which = terminal.Clean(a.Note)
	}
	for i := range list {
		c := &list[i]
		to := r.to(terminal.Clean(c.Symbol), func(r *relationsState) { r.Of = graph.TargetOf(c) })
		to.Title = string(c.Kind) + ", " + place(c)
		v.Candidates = append(v.Candidates, to)
	}
}

func place(s *table.Symbol) string {
	if s.FilePath == "" || s.StartLine == 0 {
		return terminal.Clean(s.FilePath)
	}
	return terminal.Clean(s.Place())
}

// fill lists the results. For an impact the tests come first; otherwise results in tests come last.
func (v *relationsView) fill(e *OpenIndex, a *table.Answer, t tab, r relationsState) error {
	isImpact := t.operation == table.Impact
	var up, down, tests []table.Hit
	for _, h := range a.Results {
		switch {
		case h.Up:
			up = append(up, h)
		case h.Test && !isImpact:
			tests = append(tests, h)
		default:
			down = append(down, h)
		}
	}
	heading := fmt.Sprintf("%s (%s)", t.label, terminal.Number(a.TotalFound))
	if len(up) > 0 {
		heading = "Implemented or extended by"
	}
	if isImpact {
		heading = fmt.Sprintf("Other code that it reaches (%s)", terminal.Number(a.TotalFound))
		v.reach(a, r)
	}
	for _, part := range []struct {
		id, heading string
		hits        []table.Hit
	}{
		{"tests", fmt.Sprintf("Tests that reach it (%s)", terminal.Number(a.TestsFound)), a.Tests},
		{"up", "It implements or extends", up}, {"list", heading, down}, {"in-tests", "In tests", tests},
	} {
		if len(part.hits) == 0 {
			continue
		}
		list := related{ID: part.id, Heading: part.heading}
		for i := range part.hits {
			item, err := relativeOf(e, &part.hits[i], isImpact && part.id == "list" && part.hits[i].Test, r.state)
			if err != nil {
				return err
			}
			list.Items = append(list.Items, item)
		}
		v.Lists = append(v.Lists, list)
	}
	return nil
}

// maxFurther is the number of links to results at the end of the longest chains.
const maxFurther = 5

// reach says how many tests and other places a change reaches, whether chains go on, and how to see more.
func (v *relationsView) reach(a *table.Answer, r relationsState) {
	counts := note{Text: "A change of it reaches"}
	if a.TestsFound > 0 {
		counts.Links = append(counts.Links, choice{Label: terminal.Count(a.TestsFound, "test", "tests"), URL: "#tests"})
	} else {
		counts.Text += " no test that is known, and"
	}
	if a.TotalFound > 0 {
		counts.Links = append(counts.Links, choice{Label: terminal.Count(a.TotalFound, "other place", "other places"), URL: "#list"})
	}
	v.Lead = append(v.Lead, counts)
	if r.Wanted > 0 {
		v.Lead = append(v.Lead, note{Text: fmt.Sprintf("The address asks for %d steps; a page shows at most %d.", r.Wanted, table.MaxDepth)})
	}
	end := note{Text: "The chains end here: nothing further is known to be reached."}
	switch {
	case a.Beyond && r.Depth < table.MaxDepth:
		end.Text = fmt.Sprintf("This is what is at most %d steps away; more is reached beyond.", r.Depth)
		end.Links = []choice{r.to(fmt.Sprintf("Show what is %d steps away", r.Depth+1), func(r *relationsState) { r.Depth++ })}
	case a.Beyond:
		end.Text = fmt.Sprintf("This is what is at most %d steps away; more is reached beyond. Go on from", r.Depth)
		for i := len(a.Results) - 1; i >= 0 && len(end.Links) < maxFurther; i-- {
			if h := &a.Results[i]; h.Distance == r.Depth && !h.Test && h.Kind != table.ExternalKind {
				end.Links = append(end.Links, r.to(terminal.Clean(h.Symbol.Symbol), func(r *relationsState) { r.Of, r.Depth, r.Grown = graph.TargetOf(&h.Symbol), 0, nil }))
			}
		}
	}
	v.Lead = append(v.Lead, end)
}

// leftOut says what is not listed, with links to list it.
func (v *relationsView) leftOut(a *table.Answer, r relationsState) {
	for _, part := range []struct {
		listed, found int
		one, many     string
	}{{len(a.Results), a.TotalFound, "place is", "places are"}, {len(a.Tests), a.TestsFound, "test is", "tests are"}} {
		more := part.found - part.listed
		if more <= 0 {
			continue
		}
		n := note{Text: terminal.Count(more, "further "+part.one, "further "+part.many) + " not listed."}
		if r.Listed < table.MaxLimit {
			n.Links = []choice{r.to("List up to "+terminal.Number(min(5*r.Listed, table.MaxLimit)), func(r *relationsState) { r.Listed *= 5 })}
		}
		v.Notes = append(v.Notes, n)
	}
	if o := a.Omitted; o != nil && o.LowConfidence > 0 {
		v.Lead = append(v.Lead, note{
			Text:  terminal.Count(o.LowConfidence, "relation that is little more than a guess is", "relations that are little more than guesses are") + " left out.",
			Links: []choice{r.to("Show guesses too", func(r *relationsState) { r.Guesses = true })},
		})
	}
	if r.Guesses {
		v.Lead = append(v.Lead, note{Text: "Guesses are shown too.", Links: []choice{r.to("Leave them out", func(r *relationsState) { r.Guesses = false })}})
	}
}

// relativeOf returns a result for the list. isHelper says that the result is test code but not a test.
func relativeOf(e *OpenIndex, h *table.Hit, isHelper bool, st state) (relative, error) {
	item := relative{Name: terminal.Clean(h.Symbol.Symbol), Kind: string(h.Kind), Place: place(&h.Symbol)}
	file := cmp.Or(h.LinesIn, h.FilePath)
	if h.Kind != table.ExternalKind {
		item.Relations = st.relationsURL(st.Repository, graph.TargetOf(&h.Symbol), "")
		if h.FilePath != "" {
			item.URL = st.fileURL(st.Repository, h.FilePath, h.StartLine)
		}
	}
	if h.Confidence > 0 && h.Confidence < table.Sure {
		item.Badge = fmt.Sprintf("%d %% sure", int(math.Round(100*h.Confidence)))
	}
	if isHelper {
		item.Badge = strings.TrimPrefix(item.Badge+", helper of tests", ", ")
	}
	var how []string
	if h.Distance > 1 {
		how = append(how, fmt.Sprintf("%d steps away", h.Distance))
	}
	if way := cmp.Or(h.Through, h.Via); way != "" && (h.Distance > 1 || h.Through != "") {
		how = append(how, "by way of "+terminal.Clean(way))
	}
	item.How = strings.Join(how, ", ")
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
			one.html = highlight.Line([]highlight.Span{{Text: strings.TrimSpace(text[0])}}, nil)
		}
		lines = append(lines, one)
	}
	item.Code = linesHTML(lines, false)
	return item, nil
}

// Bounds of a drawing.
const (
	// drawnAtFirst is the number of nodes on each side at first, drawnOfImpact the number of nodes of an impact,
	// drawnMore the number that a click adds.
	drawnAtFirst  = 8
	drawnOfImpact = 24
	drawnMore     = 6
)

// draw draws the nodes on both sides of the target, and those of the nodes that the user has expanded. a is the answer
// of the tab.
func (v *relationsView) draw(ctx context.Context, e *OpenIndex, a *table.Answer, t tab, r relationsState) error {
	d := drawing.New(graph.TargetOf(a.Target))
	add := func(operation table.Operation, target string, most int) error {
		if operation == "" {
			return nil
		}
		room := most
		if strings.HasSuffix(target, "/") {
			most *= 5 // many files share few folders
		}
		a, err := e.Query(ctx, table.Request{Operation: operation, Target: target, Limit: most, MinConfidence: table.DefaultMinConfidence})
		if err != nil {
			return err
		}
		part := a.Draw(2*most + 1)
		d.Add(&part, min(d.Len()+room, drawing.MaxNodes))
		d.More = d.More || a.TotalFound > len(a.Results)
		return nil
	}
	if t.operation == table.Impact {
		part := a.Draw(2 * table.MaxLimit)
		d.Add(&part, 2*table.MaxLimit)
		d.Level()
		d.Thin(drawnOfImpact)
		for i := range a.Results {
			if h := &a.Results[i]; h.Test {
				if n := d.Node(graph.TargetOf(&h.Symbol)); n != nil {
					n.Helper = true
				}
			}
		}
	} else {
		for _, operation := range slices.Compact([]table.Operation{t.in, t.out}) {
			if err := add(operation, r.Of, drawnAtFirst); err != nil {
				return err
			}
		}
		d.Level()
	}
	v.Missing = d.More
	for _, id := range r.Grown {
		n := d.Node(id)
		if n == nil || n.Level == 0 {
			continue
		}
		operation := t.in
		if n.Level > 0 && t.out != "" {
			operation = t.out
		}
		if operation == table.Impact {
			operation = table.Callers
		}
		if err := add(operation, id, drawnMore); err != nil {
			return err
		}
		n.Grown = true
		d.Level()
	}
	v.Legend = d.Legend()
	v.Drawing = d.SVG(fmt.Sprintf("Drawing: %s of %s", strings.ToLower(t.label), v.Name), func(n *drawing.Node) (grow, open string) {
		if n.Symbol.FilePath != "" {
			open = r.fileURL(r.Repository, n.Symbol.FilePath, n.Symbol.StartLine)
		}
		if n.Symbol.Kind == table.ExternalKind || n.Level == 0 {
			return "", open
		}
		to := r.to("", func(r *relationsState) {
			r.Grown = slices.DeleteFunc(slices.Clone(r.Grown), func(id string) bool { return id == n.ID })
			if !n.Grown {
				r.Grown = append(r.Grown, n.ID)
			}
		})
		return to.URL + "#drawing", open
	})
	return nil
}
