// Package document finds the sections of documents: Markdown, reStructuredText, AsciiDoc, Org, HTML, manual pages, help
// of Vim and plain text. Read takes the text of a file record and adds a symbol for each heading, and for each option or
// other name that the document declares. Begin with document.go; blocks.go reads the block structure of Markdown,
// markup.go and vimhelp.go the other formats, definitions.go the names, with those in lists and tables in listed.go.
package document

import (
	"cmp"
	"slices"
	"strings"

	"cortex/lib/language"
	"cortex/lib/parse/lexical"
	"cortex/lib/record"
)

// Read sets title, tags, symbols and status of a document from its text. The symbols are its headings, each with the
// span of its section, and the names that it declares, each with the span of its line.
func Read(f *record.File, lang language.Language) {
	f.Status = record.StatusOK
	var doc document
	name := lang.Name
	if name == language.Text && isVimHelp(f.Text) {
		name = vimHelp
	}
	if scan := scanner(name); scan != nil {
		doc = scan(f.Text)
	}
	doc.headings = slices.DeleteFunc(doc.headings, func(h heading) bool { return h.name == "" })
	switch name {
	case language.Text, "markdown", "rst":
		doc.headings = withReleases(f.Text, doc.headings)
	}
	joinAnchors(f.Text, name, doc.headings)
	f.Symbols = sections(f.Text, doc.headings)
	f.Symbols = append(f.Symbols, undeclared(definitions(f.Text, name), f.Symbols)...)
	slices.SortStableFunc(f.Symbols, func(a, b record.Symbol) int { return cmp.Compare(a.StartByte, b.StartByte) })
	f.Title = doc.title
	if f.Title == "" {
		f.Title = titleHeading(doc.headings)
	}
	f.Tags = append(f.Tags, doc.tags...)
}

// HasHeadings reports whether Read finds headings of documents in the language.
func HasHeadings(lang string) bool { return scanner(lang) != nil }

// scanner returns the function that finds the headings of documents in the language, nil if there is none.
func scanner(lang string) func(text string) document {
	switch lang {
	case "markdown":
		return func(text string) document { return scanMarkdown(text, false) }
	case "mdx":
		return func(text string) document { return scanMarkdown(text, true) }
	case "rst", language.Text: // the underlined titles of plain text are those of reStructuredText
		return scanReST
	case "asciidoc":
		return scanAsciiDoc
	case "org":
		return scanOrg
	case "roff":
		return scanRoff
	case vimHelp:
		return scanVimHelp
	}
	return nil
}

// titleHeading returns the name of the first heading if that can be the title, otherwise "". It can if all others are
// below it, or if it is one of several of level 1 and names no version, as the first heading of a change log does.
func titleHeading(headings []heading) string {
	if len(headings) == 0 {
		return ""
	}
	first := headings[0]
	for _, h := range headings[1:] {
		if h.level <= first.level && (first.level > 1 || namesVersion(first.name)) {
			return ""
		}
	}
	return first.name
}

// namesVersion reports whether a heading looks like that of a release.
func namesVersion(name string) bool {
	for i := 1; i+1 < len(name); i++ {
		if name[i] == '.' && lexical.IsDigit(name[i-1]) && lexical.IsDigit(name[i+1]) {
			return true
		}
	}
	return len(name) >= 10 && strings.EqualFold(name[:10], "unreleased")
}

// sections makes a symbol for each heading. Its span ends at the next heading of the same or a higher rank, or at the
// anchors above that.
func sections(text string, headings []heading) []record.Symbol {
	if len(headings) == 0 {
		return nil
	}
	symbols := make([]record.Symbol, len(headings))
	lastLine := lastLineNumber(text, headings[len(headings)-1])
	var open [maxLevel + 1]int // indexes of the headings around, outermost first
	depth := 0
	closeDownTo := func(level, endByte, endLine int) {
		for depth > 0 && headings[open[depth-1]].level >= level {
			depth--
			s := &symbols[open[depth]]
			s.EndByte, s.EndLine = endByte, max(endLine, s.StartLine)
		}
	}
	for i := range headings {
		h := &headings[i]
		closeDownTo(h.level, h.above, h.aboveLine-1)
		s := &symbols[i]
		*s = record.Symbol{
			Kind: record.Heading, Name: h.name, QualifiedName: h.name, Signature: h.signature,
			StartLine: h.line, StartByte: h.start, BodyByte: h.end, Exported: true,
		}
		if h.aboveLine < h.line {
			s.DocLine = h.aboveLine
		}
		if depth > 0 {
			s.Parent = symbols[open[depth-1]].QualifiedName
			s.QualifiedName = s.Parent + record.Separator + h.name
		}
		open[depth] = i
		depth++
	}
	closeDownTo(0, len(text), lastLine)
	for i := range symbols {
		if symbols[i].BodyByte >= symbols[i].EndByte {
			symbols[i].BodyByte = 0
		}
	}
	return symbols
}

// lastLineNumber returns the number of the last line of text, counting from the heading h.
func lastLineNumber(text string, h heading) int {
	rest := text[h.start:]
	n := h.line + strings.Count(rest, "\n")
	if strings.HasSuffix(rest, "\n") {
		n--
	}
	return n
}
