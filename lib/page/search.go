package page

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"maps"
	"math"
	"net/url"
	"path"
	"slices"
	"strings"

	"cortex/lib/graph/table"
	"cortex/lib/page/highlight"
	"cortex/lib/record"
	"cortex/lib/search"
	"cortex/lib/search/answer"
	"cortex/lib/search/query"
	"cortex/lib/terminal"
)

// pageSize is the number of results on a page.
const pageSize = 10

// A results is the content of the search page.
type results struct {
	// Heading says how many results there are. Notes are remarks on them.
	Heading string
	Notes   []note
	// Warning says why the results are doubtful.
	Warning string
	// Before, At and After are the three parts of a query with a syntax error at At. Problem is the error.
	Before, At, After, Problem string
	Groups                     []group
	Facets                     []facet
	Active                     []choice
	// Elsewhere are links to other interpretations of a query that finds nothing.
	Elsewhere  []choice
	Next, Prev string
	// Nothing says why nothing was found.
	Nothing []string
}

// A group has the results of one file.
type group struct {
	Repository, Folder, Name, URL string
	Language                      string
	Test                          bool
	Hits, More                    []hit
}

// A hit is one result.
type hit struct {
	Kind, Name, URL string
	// Trail are the headings above a section.
	Trail           string
	Code            template.HTML
	Callers, Impact string
	Twins           []choice
	Reasons         []reason
}

// A reason is one ranking signal and its contribution. Width is relative to the largest contribution.
type reason struct {
	Signal, Meaning, Gain string
	// Width is from 0 to 100, in percent.
	Width    int
	Negative bool
}

// A facet is a filter with its values.
type facet struct {
	Name   string
	Values []choice
	// More are further values, folded at first.
	More []choice
}

// search returns the search page.
func (s *Server) search(ctx context.Context, l *loans, values url.Values) (*view, error) {
	st, err := readState(values)
	if err != nil {
		return nil, err
	}
	v := &view{Template: "search", Title: "Search", State: st, Here: "search"}
	if st.Query == "" {
		v.Template, v.Body = "start", s.start(ctx, l, st)
		return v, nil
	}
	v.Title = st.Query
	told := cmp.Or(st.Kind, kindOf(st.Query))
	res, err := s.results(ctx, l, st, told)
	if err == nil && told == symbol && len(res.Groups) == 0 {
		if name := s.inherited(ctx, l, st); name != "" {
			base := st
			base.Query = name
			if res, err = s.results(ctx, l, base, told); err == nil {
				res.lead("It inherits this from what defines " + terminal.Clean(name) + ".")
			}
		}
	}
	if err == nil && st.Kind == "" && told == symbol && len(res.Groups) == 0 && len(res.Active) == 0 {
		// The name may occur only in texts.
		told = exact
		if res, err = s.results(ctx, l, st, told); err == nil && len(res.Groups) > 0 {
			res.lead("No definition has this name; these lines do.")
		}
	}
	if err == nil && st.Kind == "" && len(res.Groups) == 0 && mayBeMessage(st.Query) {
		asked, kind, err := s.message(ctx, l, st)
		if err != nil {
			return nil, err
		}
		if len(asked.Groups) > 0 {
			told, res = kind, asked
		}
	}
	if err != nil {
		return nil, err
	}
	if links := s.related(ctx, l, st); len(links) > 0 {
		res.lead("The page of relations answers this:", links...)
	}
	v.Kinds = st.kinds(told)
	v.Body = res
	return v, nil
}

// message answers a query without matches that may be a message of a program: first with the lines that have the text,
// then as a question. It also returns the kind of search that found the results.
func (s *Server) message(ctx context.Context, l *loans, st state) (*results, string, error) {
	phrase := st
	phrase.Query = `"` + strings.Trim(st.Query, `"`) + `"`
	if !strings.Contains(strings.Trim(st.Query, `"`), `"`) {
		if res, err := s.results(ctx, l, phrase, exact); err == nil && len(res.Groups) > 0 {
			res.lead("These lines have this text.")
			return res, exact, nil
		}
	}
	res, err := s.results(ctx, l, st, question)
	if err == nil && len(res.Groups) > 0 {
		var links []choice
		if _, err := query.Parse(st.Query, 0); err == nil {
			links = []choice{{Label: "Take it for an exact query", URL: st.with(func(st *state) { st.Kind = exact }).URL()}}
		}
		res.lead("Read as a message or a question, since no line has all of this text.", links...)
	}
	return res, question, err
}

// lead adds a note before the others.
func (r *results) lead(text string, links ...choice) {
	r.Notes = append([]note{{text, links}}, r.Notes...)
}

// say adds a note after the others.
func (r *results) say(text string) { r.Notes = append(r.Notes, note{Text: text}) }

// inherited returns the name of the base's member that the query, such as Class.method, refers to; "" if there is none.
func (s *Server) inherited(ctx context.Context, l *loans, st state) string {
	names := s.chosen(st.Repository)
	all := make([]string, len(names))
	l.askEach(ctx, names, func(ctx context.Context, i int, e *OpenIndex) error {
		a, err := e.Query(ctx, table.Request{Operation: table.References, Target: st.Query, Limit: 1})
		if err == nil && a.Target != nil && a.Target.FilePath != "" && a.Target.Symbol != a.Target.FilePath {
			all[i] = a.Target.Symbol
		}
		return err
	}) // an error means that nothing is found
	return cmp.Or(all...)
}

// related returns links to the relation that a query asks for, in the repositories that have the name.
func (s *Server) related(ctx context.Context, l *loans, st state) []choice {
	name, operation, label := relationAsked(st.Query)
	if name == "" || st.Kind == exact || st.Kind == symbol {
		return nil
	}
	names := s.chosen(st.Repository)
	all := make([]choice, len(names))
	l.askEach(ctx, names, func(ctx context.Context, i int, e *OpenIndex) error {
		a, err := e.Query(ctx, table.Request{Operation: table.References, Target: name, Limit: 1})
		if err == nil && (a.Target != nil || a.Ambiguous != "") {
			all[i] = choice{Label: terminal.Clean(label), URL: st.relationsURL(names[i], name, string(operation))}
			if len(names) > 1 {
				all[i].Label += " in " + names[i]
			}
		}
		return err
	}) // on an error there is no link
	return slices.DeleteFunc(all, func(c choice) bool { return c.URL == "" })
}

// request returns the request to the index.
func request(st state, kind string) search.Request {
	req := search.Request{
		Queries: []string{st.Query}, Limit: pageSize, Offset: (st.Page - 1) * pageSize, Explain: kind == question,
		Context: search.Around{Before: 1, After: 2, Read: true}, Counts: true, CountsIn: st.Folder,
		Filter: search.Filter{SymbolType: st.Symbol, Tests: st.Tests},
	}
	if kind == symbol {
		req.Queries[0] = symbolQuery(st.Query)
	}
	if st.Language != "" {
		req.Filter.Languages = []string{st.Language}
	}
	if st.What != "" {
		req.Filter.Tags = []string{st.What}
	}
	if st.Folder != "" {
		req.Filter.Path = exactly(st.Folder) + "/**"
	}
	return req
}

func (s *Server) results(ctx context.Context, l *loans, st state, kind string) (*results, error) {
	req := request(st, kind)
	all, err := s.ask(ctx, l, st.Repository, req, kind != question)
	res := &results{Active: active(st)}
	if f := queryFault(err); f != nil {
		text := []rune(st.Query)
		if kind == symbol {
			text = []rune(req.Queries[0])
		}
		at := min(max(f.Position-1, 0), len(text))
		after := min(at+1, len(text))
		res.Before, res.At, res.After, res.Problem = string(text[:at]), string(text[at:after]), string(text[after:]), f.Problem
		if f.Suggestion != "" {
			res.Problem += "; " + f.Suggestion
		}
		res.Elsewhere = elsewhere(st, kind)
		return res, nil
	}
	if err != nil {
		return nil, err
	}
	response, counts, byName := merged(req, all)
	for _, one := range all {
		if one.err != nil && queryFault(one.err) == nil { // a line of code that is no query may occur in another
			res.say(fmt.Sprintf("%s was not searched: %s", one.repository, explained(one.err)))
		}
	}
	res.Warning = response.Doubt
	if response.Metadata.Warning != "" {
		res.say(response.Metadata.Warning)
	}
	total := response.TotalFound
	if kind == question {
		total = min(total, counts.Total)
	}
	if response.NoMatch != nil {
		res.Nothing = strings.Split(response.NoMatch.Message, "\n")
	}
	if len(response.Results) == 0 {
		res.Heading = "Nothing found"
		res.Elsewhere = elsewhere(st, kind)
		return res, nil
	}
	res.Heading = heading(kind, total, response)
	res.Facets = s.facets(st, counts, byName)
	if st.Page > 1 {
		back := st
		back.Page--
		res.Prev = back.URL()
	}
	if st.Page*pageSize < total && st.Page < maxPage {
		next := st
		next.Page++
		res.Next = next.URL()
	}
	if res.Groups, err = s.groups(ctx, st, response, all); err != nil {
		return nil, err
	}
	return res, ctx.Err()
}

func heading(kind string, total int, response *search.Response) string {
	took := fmt.Sprintf(" in %.3g ms", response.Metadata.TookMS)
	switch {
	case kind != question:
		return terminal.Count(total, "match", "matches") + took
	case total < search.MaxLimit:
		return terminal.Count(total, "place", "places") + ", best first" + took
	}
	return "The best " + terminal.Number(total) + " places" + took
}

// elsewhere returns the other interpretations of the query.
func elsewhere(st state, kind string) []choice {
	var list []choice
	_, err := query.Parse(st.Query, 0)
	for _, c := range st.kinds("") {
		if c.Value != "" && c.Value != kind && (c.Value != exact || err == nil) {
			list = append(list, c)
		}
	}
	if phrase := `"` + st.Query + `"`; err != nil && !strings.Contains(st.Query, `"`) {
		if _, err := query.Parse(phrase, 0); err == nil {
			list = append(list, choice{Value: "phrase", URL: st.with(func(st *state) { st.Query, st.Kind = phrase, exact }).URL()})
		}
	}
	return list
}

// active returns the active filters, each with the link that removes it.
func active(st state) []choice {
	var list []choice
	for _, f := range []struct {
		label string
		value *string
	}{
		{st.Repository, &st.Repository}, {st.Language, &st.Language}, {strings.TrimSuffix(st.Folder, "/") + "/", &st.Folder}, {st.Symbol, &st.Symbol},
		{map[string]string{onlyCode: "code", onlyDocuments: "documents"}[st.What], &st.What},
		{map[string]string{answer.TestsNo: "without tests", answer.TestsOnly: "tests"}[st.Tests], &st.Tests},
	} {
		if *f.value == "" {
			continue
		}
		was := *f.value
		*f.value = ""
		list = append(list, choice{Label: f.label, URL: st.with(func(*state) {}).URL()})
		*f.value = was
	}
	return list
}

// maxValues is the number of values of a filter shown at first, maxMore the number of folded ones.
const (
	maxValues = 6
	maxMore   = 40
)

// facets returns the filters that are not active.
func (s *Server) facets(st state, counts *search.Counts, byName map[string]int) []facet {
	var list []facet
	add := func(name string, byValue map[string]int, label func(string) string, change func(*state, string)) {
		f := facet{Name: name}
		values := slices.SortedFunc(maps.Keys(byValue), func(a, b string) int {
			return cmp.Or(cmp.Compare(byValue[b], byValue[a]), strings.Compare(a, b))
		})
		for i, value := range values[:min(len(values), maxValues+maxMore)] {
			if byValue[value] == 0 {
				continue
			}
			c := choice{Value: value, Label: label(value), Count: byValue[value], URL: st.with(func(st *state) { change(st, value) }).URL()}
			if i < maxValues {
				f.Values = append(f.Values, c)
			} else {
				f.More = append(f.More, c)
			}
		}
		if len(f.Values) > 0 {
			list = append(list, f)
		}
	}
	same := func(value string) string { return value }
	if len(s.names()) > 1 && st.Repository == "" {
		add("Repository", byName, same, func(st *state, value string) { st.Repository = value })
	}
	what := map[string]int{}
	if st.What == "" && counts.Documents > 0 {
		what[onlyCode], what[onlyDocuments] = counts.Total-counts.Documents, counts.Documents
	}
	if st.Tests == "" && counts.Tests > 0 {
		what[answer.TestsOnly], what[answer.TestsNo] = counts.Tests, counts.Total-counts.Tests
	}
	names := map[string]string{onlyCode: "Code", onlyDocuments: "Documents", answer.TestsOnly: "Tests", answer.TestsNo: "Without tests"}
	add("Show only", what, func(value string) string { return names[value] }, func(st *state, value string) {
		if value == onlyCode || value == onlyDocuments {
			st.What = value
		} else {
			st.Tests = value
		}
	})
	if st.Language == "" {
		add("Language", counts.Languages, same, func(st *state, value string) { st.Language = value })
	}
	if st.Symbol == "" {
		add("Kind", counts.Kinds, same, func(st *state, value string) { st.Symbol = value })
	}
	folders := maps.Clone(counts.Folders)
	delete(folders, "")
	add("Folder", folders, func(value string) string { return value + "/" }, func(st *state, value string) { st.Folder = path.Join(st.Folder, value) })
	return list
}

// shownOfFile is the number of results of a file shown at first. The others are folded.
const shownOfFile = 2

// groups returns the results by file, in the order of each file's best result.
func (s *Server) groups(ctx context.Context, st state, response *search.Response, all []found) ([]group, error) {
	var list []group
	at := map[string]int{}
	for i := range response.Results {
		if ctx.Err() != nil {
			break
		}
		h := &response.Results[i]
		m := &h.Chunk.Metadata
		key := h.Repository + "\n" + m.FilePath
		n, known := at[key]
		if !known {
			n = len(list)
			at[key] = n
			folder, name := path.Split(m.FilePath)
			list = append(list, group{
				Repository: h.Repository, Folder: terminal.Clean(folder), Name: terminal.Clean(name), URL: st.fileURL(h.Repository, m.FilePath, 0),
				Language: m.Language, Test: slices.Contains(h.Chunk.Tags, record.TagTest),
			})
		}
		g := &list[n]
		from := slices.IndexFunc(all, func(one found) bool { return one.repository == h.Repository })
		one, err := s.hit(st, h, all[max(from, 0)].index)
		if err != nil {
			return nil, err
		}
		if len(g.Hits) < shownOfFile {
			g.Hits = append(g.Hits, one)
		} else {
			g.More = append(g.More, one)
		}
	}
	return list, nil
}

// hit returns one result as the page shows it.
func (s *Server) hit(st state, h *search.Hit, x *search.Index) (hit, error) {
	m := &h.Chunk.Metadata
	one, at := hit{Kind: string(m.SymbolType), Name: m.SymbolName}, m.StartLine
	marks := marksOf(h)
	code := s.code(st, h, marks)
	if i := slices.IndexFunc(code, func(l line) bool { return l.marked }); len(code) > 0 {
		at = code[max(i, 0)].number
	}
	if h.Symbol != nil {
		one.Kind, one.Name, at = string(h.Symbol.Type), h.Symbol.Name, h.Symbol.Line
	}
	target := ""
	switch {
	case h.Chunk.ChunkType == record.Documentation:
		one.Kind = "section"
		section, err := sectionOf(h, marks, func(first, last int) ([]string, error) { return x.Lines(m.FilePath, first, last) })
		if err != nil {
			return one, err
		}
		last := len(section.trail) - 1
		one.Name, one.Trail = cmp.Or(section.trail[last], h.Chunk.Title), strings.Join(section.trail[:last], record.Separator)
		if section.line > 0 && !slices.ContainsFunc(code, func(l line) bool { return l.number == section.line }) {
			heading := s.codeLines(st, h, section.text, section.line, marks)
			if len(code) > 0 && code[0].number != section.line+1 {
				heading = append(heading, line{})
			}
			code = append(heading, code...)
		}
		if section.line > 0 && at-section.line < farBelow {
			at = section.line
		}
	case one.Name == "":
		one.Kind, one.Name = string(h.Chunk.ChunkType), h.Chunk.Title
	default:
		if record.Kind(one.Kind).IsCallable() || record.Kind(one.Kind).IsType() {
			target = m.FilePath + "#" + one.Name
		}
	}
	one.Name, one.Trail = terminal.Clean(one.Name), terminal.Clean(one.Trail)
	one.URL = st.fileURL(h.Repository, m.FilePath, at)
	one.Code = linesHTML(code, false)
	if target != "" {
		one.Callers = st.relationsURL(h.Repository, target, "")
		one.Impact = st.relationsURL(h.Repository, target, impactTab)
	}
	for _, t := range h.Twins {
		one.Twins = append(one.Twins, choice{Label: terminal.Clean(t.FilePath), URL: st.fileURL(h.Repository, t.FilePath, t.StartLine)})
	}
	one.Reasons = reasons(h.Reasons)
	return one, nil
}

// code returns the lines that a result shows.
func (s *Server) code(st state, h *search.Hit, marks map[int][][2]int) []line {
	const most = 14
	var list []line
	for _, e := range h.Excerpts {
		if e.StartLine == 0 {
			continue
		}
		if len(list) > 0 {
			list = append(list, line{})
		}
		room := most - len(list)
		if room <= 0 {
			break
		}
		text, first := linesAround(e.Text, e.StartLine, room, marks)
		list = append(list, s.codeLines(st, h, text, first, marks)...)
	}
	return list
}

// codeLines returns the lines of a text whose first line has the given number in the file of a hit.
func (s *Server) codeLines(st state, h *search.Hit, text string, first int, marks map[int][][2]int) []line {
	m := &h.Chunk.Metadata
	file := st.fileURL(h.Repository, m.FilePath, 0)
	var list []line
	for i, spans := range s.colours.Lines(m.Language, text) {
		number := first + i
		list = append(list, line{number: number, url: file + anchor(number), html: highlight.Line(spans, marks[number]), marked: len(marks[number]) > 0})
	}
	return list
}

// linesAround returns the at most n lines of a text that have the most marks, and the number of the first. first is the
// number of the text's first line.
func linesAround(text string, first, n int, marks map[int][][2]int) (string, int) {
	lines := strings.Split(text, "\n")
	if len(lines) <= n {
		return text, first
	}
	best, most := 0, 0
	for from := 0; from+n <= len(lines); from++ {
		sum := 0
		for i := range n {
			sum += len(marks[first+from+i])
		}
		if sum > most {
			best, most = from, sum
		}
	}
	best = max(min(best, len(lines)-n), 0)
	return strings.Join(lines[best:best+n], "\n"), first + best
}

// meanings explain ranking signals and other changes of a score.
var meanings = map[string]string{
	"words":        "has the words of the question",
	"file words":   "its file has the words",
	"name":         "the name of its file has the words",
	"outline":      "its file declares such things",
	"type":         "declares a type that the question names",
	"declares":     "declares the name that was asked for, or has it as its heading",
	"mentioned":    "declares a name that the question mentions",
	"coverage":     "has most of the words",
	"headline":     "has the words of the first line of the question",
	"place":        "the question names its file or module",
	"line":         "has a line that the question gives",
	"size":         "the size of its file",
	"tests":        "is test code",
	"asides":       "is an example or a translation",
	"prose":        "is documentation",
	"listing":      "is a list rather than a definition",
	"meaning":      "is near in meaning",
	"file meaning": "its file is near in meaning",
	"ranks":        "its place in the lists by words and by meaning",
	"repeated":     "a better result of its file comes first, or it is in another tree",
	"merged":       "several places in one",
	"behind":       "a better place of its file comes first",
}

// reasons returns the ranking signals with their contributions.
func reasons(list []answer.Reason) []reason {
	most := 0.0
	for _, r := range list {
		most = max(most, math.Abs(r.Gain))
	}
	var out []reason
	for _, r := range list {
		if r.Gain == 0 {
			continue
		}
		out = append(out, reason{
			Signal: r.Signal, Meaning: meanings[r.Signal], Gain: fmt.Sprintf("%+.2f", r.Gain),
			Width: int(math.Round(100 * math.Abs(r.Gain) / most)), Negative: r.Gain < 0,
		})
	}
	return out
}
