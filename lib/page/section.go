package page

import (
	"regexp"
	"slices"
	"strings"

	"cortex/lib/language"
	"cortex/lib/parse/document"
	"cortex/lib/record"
	"cortex/lib/search"
)

// farBelow is the distance in lines between a section's heading and a match from which a link leads to the match
// instead of the heading.
const farBelow = 30

// A placeInDocument is the section of a document to which a hit belongs.
type placeInDocument struct {
	// trail are the headings above the section, followed by its own.
	trail []string
	// line and text are the line number and the line of the heading. line is 0 if the heading was not found.
	line int
	text string
}

// partNumber matches the part number at the end of the titles of a section's further chunks.
var partNumber = regexp.MustCompile(` \([0-9]+\)$`)

// sectionOf returns the section with most of a hit's matches. A chunk may have several small sections, and a large
// section several chunks. lines reads lines of the hit's file.
func sectionOf(h *search.Hit, marks map[int][][2]int, lines func(first, last int) ([]string, error)) (placeInDocument, error) {
	start, trail := h.Chunk.Metadata.StartLine, strings.Split(h.Chunk.Metadata.Breadcrumb, record.Separator)
	if len(h.Parts) > 0 {
		most := -1
		for _, p := range h.Parts {
			if n := marked(marks, p.StartLine, p.EndLine); n > most {
				most, start, trail = n, p.StartLine, strings.Split(partNumber.ReplaceAllString(p.Title, ""), record.Separator)
			}
		}
	} else if at := sectionIn(h, marks); at.line > 0 {
		return at, nil
	}
	at := placeInDocument{trail: trail}
	first := max(start-farBelow, 1)
	text, err := lines(first, start+2) // a heading may take three lines
	if err != nil {
		return at, err
	}
	for _, heading := range headingsOf(strings.Join(text, "\n"), h.Chunk.Metadata.Language) {
		if first+heading.StartLine-1 <= start && heading.Name == trail[len(trail)-1] {
			at.line, at.text = headingLine(text, &heading)
			at.line += first - 1
		}
	}
	return at, nil
}

// headingLine returns the line with the name of a heading, since an underline or border may stand above the name.
func headingLine(lines []string, heading *record.Symbol) (int, string) {
	number := heading.StartLine
	if number < len(lines) && !strings.Contains(lines[number-1], heading.Name) {
		number++
	}
	return number, lines[number-1]
}

// sectionIn returns the section of a hit that is one chunk, if the chunk has headings.
func sectionIn(h *search.Hit, marks map[int][][2]int) (at placeInDocument) {
	m := &h.Chunk.Metadata
	size := m.ByteEnd - m.ByteStart
	if size <= 0 || size > len(h.Chunk.Text) {
		return at
	}
	piece := h.Chunk.Text[len(h.Chunk.Text)-size:] // the text below the breadcrumb is verbatim
	lines := strings.Split(piece, "\n")
	headings := headingsOf(piece, m.Language)
	most := -1
	for i := range headings {
		heading := &headings[i]
		first := m.StartLine + heading.StartLine - 1
		own := m.StartLine + heading.EndLine - 1
		if i+1 < len(headings) {
			own = min(own, m.StartLine+headings[i+1].StartLine-2)
		}
		// Matches in a heading count three times.
		n := marked(marks, first, own) + 2*marked(marks, first, first+1)
		if n <= most || i > 0 && n == 0 {
			continue
		}
		most = n
		trail := strings.Split(heading.QualifiedName, record.Separator)
		above := strings.Split(m.Breadcrumb, record.Separator)
		if trail[0] == above[len(above)-1] {
			above = above[:len(above)-1]
		}
		number, text := headingLine(lines, heading)
		at = placeInDocument{append(slices.Clone(above), trail...), m.StartLine + number - 1, text}
	}
	return at
}

// headingsOf returns the headings of a document or of a part of one; none for other languages.
func headingsOf(text, markup string) []record.Symbol {
	lang, _ := language.ByName(markup)
	if lang.Class != language.Document {
		return nil
	}
	f := record.File{Text: text}
	document.Read(&f, lang)
	return slices.DeleteFunc(f.Symbols, func(s record.Symbol) bool { return s.Kind != record.Heading })
}

// marked returns the number of matches from line first to line last.
func marked(marks map[int][][2]int, first, last int) (n int) {
	for number, ranges := range marks {
		if number >= first && number <= last {
			n += len(ranges)
		}
	}
	return n
}
