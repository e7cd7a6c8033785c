package page

import (
	"context"
	"fmt"
	"html/template"
	"net/url"
	"path"
	"slices"
	"strings"

	"cortex/lib/graph"
	"cortex/lib/graph/table"
	"cortex/lib/page/highlight"
	"cortex/lib/page/markdown"
	"cortex/lib/record"
	"cortex/lib/shorten"
	"cortex/lib/terminal"
)

// A fileView is the content of the page of a file.
type fileView struct {
	Repository, Name string
	Crumbs           []choice
	// Facts are the file's language, size and the like. Notes are remarks on its state, for example that it has
	// changed.
	Facts, Notes []string
	Outline      []entry
	// Sections says that the outline is of a document.
	Sections bool
	Code     template.HTML
	Document template.HTML
	// Views are the links to the rendered document and to its source.
	Views []choice
	// Found says how many lines match the search. First is the link to the first of them, Back the link to the search.
	Found, First, Back string
	// Relations is the link to the file's relations.
	Relations string
}

// An entry is one symbol or section in the outline of a file.
type entry struct {
	Kind, Name, URL, Relations string
	Line                       int
	// Level is the nesting level, from 1 to 4.
	Level int
}

// Bounds of a page of a file.
const (
	maxEntries   = 1000
	maxSymbolLen = 80
)

// file returns the page of a file.
func (s *Server) file(ctx context.Context, l *loans, values url.Values) (*view, error) {
	st, err := readState(values)
	if err != nil {
		return nil, err
	}
	name := values.Get("path")
	if name == "" {
		return nil, notFound("the link names no file")
	}
	repository := st.Repository
	var src *source
	var marks map[int][][2]int
	err = l.ask(ctx, repository, func(ctx context.Context, e *OpenIndex) (err error) {
		if src, err = e.read(ctx, name); err != nil {
			return err
		}
		marks, err = e.matches(ctx, name, st)
		if queryFault(err) != nil {
			return nil // the search page reports errors in the query
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	f := &fileView{Repository: repository, Name: terminal.Clean(path.Base(name)), Facts: facts(src), Notes: notes(src)}
	f.Crumbs = crumbs(st, repository, name)
	if len(src.Symbols) > 0 {
		f.Relations = st.relationsURL(repository, name, string(table.Dependents))
	}
	s.showFile(f, src, st, name, marks, values)
	back := state{Query: st.Query, Kind: st.Kind}
	v := &view{Template: "file", Title: f.Name, State: back, Body: f}
	if st.Query != "" {
		f.Back = back.URL()
	}
	return v, nil
}

func (s *Server) showFile(f *fileView, src *source, st state, name string, marks map[int][][2]int, values url.Values) {
	text := strings.Join(src.Lines, "\n")
	isMarkdown := src.Language == "markdown" || src.Language == "mdx"
	wantsSource := values.Get("view") == "source"
	if isMarkdown {
		rendered, source := url.Values{}, url.Values{}
		for key := range values {
			rendered.Set(key, values.Get(key))
			source.Set(key, values.Get(key))
		}
		rendered.Del("view")
		source.Set("view", "source")
		doc, err := markdown.Render(text, markdown.Options{
			Path: name, FileURL: func(to string) string { return st.fileURL(st.Repository, to, 0) }, Marks: marks, Colours: &s.colours,
		})
		if err != nil {
			s.opts.Report(err)
		}
		if doc != "" {
			f.Views = []choice{{Label: "Document", URL: link("/file", rendered), Chosen: !wantsSource}, {Label: "Source", URL: link("/file", source), Chosen: wantsSource}}
			if !wantsSource {
				f.Document = doc
			}
		}
	}
	if headings := headingsOf(text, src.Language); len(headings) > 0 {
		src.Symbols, f.Sections = headings, true
	}
	relations := map[int]entry{}
	f.Outline = outline(src, st, name, relations)
	first, count := 0, 0
	if f.Document != "" {
		for number := range marks {
			if count++; first == 0 || number < first {
				first = number
			}
		}
		f.found(first, count)
		return
	}
	var lines []line
	for i, spans := range s.colours.Lines(src.Language, text) {
		number := i + 1
		one := line{number: number, url: anchor(number), html: highlight.Line(spans, marks[number]), marked: len(marks[number]) > 0}
		if d, ok := relations[number]; ok {
			one.relations, one.name = d.Relations, d.Name
		}
		if one.marked {
			if count++; first == 0 {
				first = number
			}
		}
		lines = append(lines, one)
	}
	f.Code = linesHTML(lines, true)
	f.found(first, count)
}

// found fills in how many lines match, and the link to the first.
func (f *fileView) found(first, count int) {
	if count > 0 {
		f.Found, f.First = terminal.Count(count, "line matches", "lines match"), anchor(first)
	}
}

// facts returns the facts about a file.
func facts(src *source) []string {
	list := []string{src.Language, terminal.Count(len(src.Lines), "line", "lines"), terminal.Bytes(src.Size)}
	if src.Language == "" {
		list = list[1:]
	}
	if src.Package != "" {
		list = append(list, "package "+terminal.Clean(src.Package))
	}
	if slices.Contains(src.Tags, record.TagTest) {
		list = append(list, "test code")
	}
	return list
}

func notes(src *source) []string {
	var list []string
	switch {
	case src.Missing:
		list = append(list, "This file is no longer there. What you see was indexed.")
	case src.Changed:
		list = append(list, "This file has changed since it was indexed. What you see was indexed.")
	}
	if src.Cut {
		list = append(list, "The file goes on; its first lines are shown.")
	}
	if src.Status == record.StatusPartial {
		list = append(list, fmt.Sprintf("Parsed with %s; the outline may lack something.", terminal.Count(src.ErrorCount, "syntax error", "syntax errors")))
	}
	return list
}

// crumbs returns the folders above the file, each with the link to its relations.
func crumbs(st state, repository, name string) []choice {
	var list []choice
	folder, _ := path.Split(name)
	at := ""
	for part := range strings.SplitSeq(strings.TrimSuffix(folder, "/"), "/") {
		if part == "" {
			continue
		}
		at += part + "/"
		list = append(list, choice{Label: terminal.Clean(part), URL: st.relationsURL(repository, at, string(table.Dependencies))})
	}
	return list
}

// outline lists the symbols of code, or the headings of a document. It adds the entries of callables and types to
// relations, by their lines.
func outline(src *source, st state, name string, relations map[int]entry) []entry {
	var list []entry
	levels := map[string]int{}
	for _, s := range src.Symbols {
		level := levels[s.Parent] + 1
		levels[s.QualifiedName] = level
		one := entry{Kind: string(s.Kind), Name: clipped(s.Name), URL: anchor(s.StartLine), Line: s.StartLine, Level: min(level, 4)}
		if s.Kind.IsCallable() || s.Kind.IsType() {
			one.Relations = st.relationsURL(st.Repository, graph.NodeID(name, s.QualifiedName), "")
			relations[s.StartLine] = one
		}
		if s.Kind == record.Field || len(list) == maxEntries {
			continue
		}
		list = append(list, one)
	}
	slices.SortStableFunc(list, func(a, b entry) int { return a.Line - b.Line })
	return list
}

// clipped returns a name as an outline shows it.
func clipped(name string) string {
	return shorten.End(terminal.Clean(strings.TrimSpace(name)), maxSymbolLen+1)
}
