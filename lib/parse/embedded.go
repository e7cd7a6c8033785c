package parse

import (
	"cmp"
	"slices"
	"sort"

	"cortex/lib/language"
	"cortex/lib/parse/document"
	"cortex/lib/parse/extract"
	"cortex/lib/parse/grammar"
	"cortex/lib/parse/lexical"
	"cortex/lib/record"
)

// embedded parses the segments of f in other languages, such as scripts of a page and cells of a notebook, and adds
// their symbols, references and breaks to f. Segments within segments are not parsed.
func (w *worker) embedded(f *record.File, segments []extract.Segment) {
	if len(segments) == 0 {
		return
	}
	lines := lexical.LineStarts(f.Text)
	for _, s := range extract.Distinct(segments) {
		lang, ok := language.ByName(s.Language)
		if !ok || s.Start >= s.End {
			continue
		}
		part := &record.File{FilePath: f.FilePath, Language: lang.Name, Text: f.Text[s.Start:s.End], Status: f.Status}
		if g := grammar.For(lang.Name, f.FilePath); g != nil {
			w.Extract(part, g, cmp.Or(s.Readable, part.Text))
		} else if lang.Class == language.Document {
			document.Read(part, lang)
		}
		merge(f, part, s.Start, sort.SearchInts(lines, s.Start+1)-1)
	}
	slices.SortStableFunc(f.Symbols, func(a, b record.Symbol) int {
		return cmp.Or(cmp.Compare(a.StartByte, b.StartByte), cmp.Compare(b.EndByte, a.EndByte))
	})
	f.References = extract.JoinReferences(f.References)
	slices.SortStableFunc(f.Breaks, func(a, b record.Break) int { return cmp.Compare(a.Line(), b.Line()) })
	f.Breaks = slices.CompactFunc(f.Breaks, func(a, b record.Break) bool { return a.Line() == b.Line() })
}

// merge adds the findings of part to f. part begins at byte start of f, after the given number of lines.
func merge(f, part *record.File, start, lines int) {
	for _, s := range part.Symbols {
		s.StartByte += start
		s.EndByte += start
		if s.BodyByte > 0 {
			s.BodyByte += start
		}
		s.StartLine += lines
		s.EndLine += lines
		if s.DocLine > 0 {
			s.DocLine += lines
		}
		f.Symbols = append(f.Symbols, s)
	}
	for _, ref := range part.References {
		for i := range ref.Lines {
			ref.Lines[i] += lines
		}
		f.References = append(f.References, ref)
	}
	for _, t := range part.Typings {
		t.Line += lines
		f.Typings = append(f.Typings, t)
	}
	for _, b := range part.Breaks {
		b[0] += lines
		f.Breaks = append(f.Breaks, b)
	}
	for _, name := range part.Imports {
		if !slices.Contains(f.Imports[max(0, len(f.Imports)-1000):], name) {
			f.Imports = append(f.Imports, name)
		}
	}
	f.ErrorCount += part.ErrorCount
	if part.Status != record.StatusOK && f.Status == record.StatusOK {
		f.Status, f.Reason = record.StatusPartial, part.Reason
	}
}
