package parse

import (
	"cmp"
	"slices"
	"sort"

	"cortex/lib/language"
	"cortex/lib/record"
)

// maxSegments bounds the segments of one file that are parsed.
const maxSegments = 2000

// maxInside is how deep segments in the file's own language nest.
const maxInside = 4

// readInside reads the segments in the file's own language, such as the arguments of a macro that are
// items, into the extraction itself, so that names, scopes and comments work across the border. What
// does not parse without error between the brackets is left out.
func (w *worker) readInside(x *extraction) {
	count := 0
	for range maxInside {
		own := slices.Clone(x.embedded)
		// All before the first is read: that leaves the scopes without order.
		own = slices.DeleteFunc(own, func(s segment) bool {
			return s.language != x.grammar.name || s.end-s.start <= 2 || x.inLocal(s.start)
		})
		x.embedded = slices.DeleteFunc(x.embedded, func(s segment) bool { return s.language == x.grammar.name })
		if len(own) == 0 {
			return
		}
		for _, s := range own {
			if count++; count > maxSegments {
				break
			}
			inner := span{s.start + 1, s.end - 1}
			t, err := w.run(x.query, x.masked[inner.start:inner.end])
			if err == nil && t.errors == 0 {
				x.read(t.captures, inner.start)
			}
		}
		x.arrange()
	}
}

// embedded adds what stands in segments of other languages: scripts and styles of a
// page, cells of a notebook. Segments do not hold further ones.
func (w *worker) embedded(f *record.File, segments []segment) {
	if len(segments) == 0 {
		return
	}
	lines := lineStarts(f.Text)
	for _, s := range distinct(segments) {
		lang, ok := language.ByName(s.language)
		if !ok || s.start >= s.end {
			continue
		}
		part := &record.File{FilePath: f.FilePath, Language: lang.Name, Text: f.Text[s.start:s.end], Status: f.Status}
		if g := grammarFor(lang.Name, f.FilePath); g != nil {
			w.extract(part, g, cmp.Or(s.readable, part.Text))
		} else if lang.Class == language.Document {
			markdownFile(part, lang)
		}
		merge(f, part, s.start, sort.SearchInts(lines, s.start+1)-1)
	}
	slices.SortStableFunc(f.Symbols, func(a, b record.Symbol) int {
		return cmp.Or(cmp.Compare(a.StartByte, b.StartByte), cmp.Compare(b.EndByte, a.EndByte))
	})
	f.References = joinReferences(f.References)
	slices.SortStableFunc(f.Breaks, func(a, b record.Break) int { return cmp.Compare(a.Line(), b.Line()) })
	f.Breaks = slices.CompactFunc(f.Breaks, func(a, b record.Break) bool { return a.Line() == b.Line() })
}

// distinct is the segments to parse. Of several on the same text the first pattern of the query counts.
func distinct(segments []segment) []segment {
	slices.SortStableFunc(segments, func(a, b segment) int {
		return cmp.Or(byStart(a.span, b.span), cmp.Compare(a.pattern, b.pattern))
	})
	segments = slices.CompactFunc(segments, func(a, b segment) bool { return a.span == b.span })
	return segments[:min(len(segments), maxSegments)]
}

// merge adds to f what was found in a part of it that begins at a byte and after some lines.
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
