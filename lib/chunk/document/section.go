package document

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cortex/lib/chunk/label"
	"cortex/lib/chunk/lines"
	"cortex/lib/record"
)

// Bounds on sections. Headings nested deeper than maxDepth count as text.
const (
	maxDepth = 16
	maxSlug  = 80 // characters
)

// A section is a heading with everything below it, or the document. Lines count from 0, and ranges of lines are half
// open.
type section struct {
	sym  *record.Symbol
	name string
	// [first, head) are the lines of the heading, or of a document's front matter. The section ends before line last.
	first, head, last int
	parent            int
	children          []int
	slug              string
	// path is the part of the section's identifier after that of the document.
	path       string
	depth      int
	index      int // among all sections; 0 is the document
	position   int // among its siblings, from 1
	breadcrumb string
	// title is the title heading of a document; nil if there is none.
	title *section
}

func (s *section) isDocument() bool { return s.index == 0 }

// heading returns the section whose heading describes s: s itself, or the title heading of a document; nil if there is
// none.
func (s *section) heading() *section {
	if s.isDocument() {
		return s.title
	}
	return s
}

// separator returns the separator between the section's identifier and the slug of a section below it.
func (s *section) separator() string {
	if s.isDocument() {
		return "#"
	}
	return "/"
}

// buildSections makes a tree of the headings among symbols. Element 0 is the document. The title heading leaves the
// tree, and the sections below it move to the document. The title heading is the first heading, if it is the only one
// at the top level or its name is docTitle.
func buildSections(src *lines.File, symbols []record.Symbol, docTitle string) []section {
	sections := make([]section, 1, len(symbols)+1)
	sections[0] = section{last: src.Count()}
	var open [maxDepth + 1]int
	depth := 0
	for i := range symbols {
		sym := label.Bounded(&symbols[i])
		if sym.Kind != record.Heading {
			continue
		}
		start, last := src.LineAt(sym.StartByte), src.LineAfter(sym.EndByte)
		first := start // of the anchors above the heading, if there are any
		if sym.DocLine > 0 {
			first = min(sym.DocLine-1, start)
		}
		if len(sections) > 1 && first <= sections[len(sections)-1].first {
			continue
		}
		for depth > 0 && sections[open[depth]].last <= first {
			depth--
		}
		parent := &sections[open[depth]]
		last = min(last, parent.last)
		if depth == maxDepth || first >= last {
			continue
		}
		head := last
		if sym.BodyByte > 0 {
			head = min(max(src.LineAt(sym.BodyByte), start+1), last)
		}
		before := &sections[len(sections)-1]
		before.head = min(before.head, first)
		index := len(sections)
		parent.children = append(parent.children, index)
		sections = append(sections, section{
			sym: sym, name: label.Line(sym.Name, label.MaxTitle), first: first, head: head, last: last,
			parent: open[depth], depth: depth + 1, index: index,
		})
		depth++
		open[depth] = index
	}
	firstHeading := src.Count()
	if len(sections) > 1 {
		firstHeading = sections[1].first
	}
	sections[0].head = frontMatterEnd(src, firstHeading)
	mergeTitle(sections, docTitle)
	nameSections(sections)
	return sections
}

// mergeTitle removes the title heading from the tree.
func mergeTitle(sections []section, docTitle string) {
	root := &sections[0]
	if len(root.children) == 0 {
		return
	}
	title := sections[root.children[0]]
	if len(root.children) > 1 && title.sym.Name != docTitle {
		return
	}
	root.title = &title
	root.children = append(title.children[:len(title.children):len(title.children)], root.children[1:]...)
	sections[title.index].children = nil
	for _, child := range title.children {
		sections[child].parent = 0
	}
}

// nameSections fills in the position, depth, slug and path of every section.
func nameSections(sections []section) {
	taken := map[string]int{}
	for i := range sections {
		s := &sections[i]
		for k, child := range s.children {
			c := &sections[child]
			c.position = k + 1
			c.depth = s.depth + 1
			c.slug = slug(c.name)
			c.path = uniquePath(taken, s.path+s.separator()+c.slug, c.slug == preamble)
		}
	}
}

// uniquePath returns path, or path with the first free suffix "-1", "-2" and so on, as anchors are numbered. A reserved
// path always gets a suffix.
func uniquePath(taken map[string]int, path string, reserved bool) string {
	n, found := taken[path]
	if !found && !reserved {
		taken[path] = 0
		return path
	}
	for {
		n++
		next := path + "-" + strconv.Itoa(n)
		if _, found := taken[next]; !found {
			taken[path], taken[next] = n, 0
			return next
		}
	}
}

// slug returns the anchor of a heading as GitHub makes it: letters, digits, "_" and "-" stay, in lower case; a space
// becomes "-"; other characters are dropped.
func slug(name string) string {
	var b strings.Builder
	n := 0
	for _, r := range name {
		switch {
		case r == ' ':
			r = '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || unicode.IsNumber(r):
			r = unicode.ToLower(r)
		default:
			continue
		}
		if n++; n > maxSlug {
			break
		}
		b.WriteRune(r)
	}
	if b.Len() == 0 {
		return "section"
	}
	return b.String()
}

// frontMatterEnd returns the line after the front matter, 0 if there is none before line before. Front matter is YAML
// between "---" or TOML between "+++", and begins with a key.
func frontMatterEnd(src *lines.File, before int) int {
	delimiter := strings.TrimSpace(src.Line(0))
	if delimiter != "---" && delimiter != "+++" {
		return 0
	}
	begun := false
	for i := 1; i < before; i++ {
		line := strings.TrimRight(src.Line(i), " \t\r\n")
		if line == delimiter {
			return i + 1
		}
		if !begun && line != "" && line[0] != '#' {
			if begun = strings.ContainsAny(line, ":=[{"); !begun {
				return 0
			}
		}
	}
	return 0
}

// saysSomething reports whether a range of lines has words other than headings, badges, tags, comments, link
// definitions and imports.
func saysSomething(src *lines.File, first, last int) bool {
	for i := first; i < last; i++ {
		line := strings.TrimSpace(src.Line(i))
		switch {
		case line == "", line[0] == '#', line[0] == '=' || line[0] == '-',
			strings.HasPrefix(line, "import "), strings.HasPrefix(line, "export "),
			line[0] == '[' && strings.Contains(line, "]:"):
			continue
		case i+1 < last && strings.HasPrefix(src.Line(i+1), "==="):
			continue
		}
		if hasWords(line) {
			return true
		}
	}
	return false
}

// hasWords reports whether a line has a word outside of images, tags and link targets.
func hasWords(line string) bool {
	for line != "" {
		opener, closer := "", ""
		switch {
		case strings.HasPrefix(line, "<!--"):
			opener, closer = "<!--", "-->"
		case line[0] == '<':
			opener, closer = "<", ">"
		case strings.HasPrefix(line, "!["):
			opener, closer = "![", "]"
		case strings.HasPrefix(line, "]("):
			opener, closer = "](", ")"
		case strings.HasPrefix(line, "]["):
			opener, closer = "][", "]"
		}
		if opener == "" {
			r, width := utf8.DecodeRuneInString(line)
			if lines.IsWord(r) {
				return true
			}
			line = line[width:]
			continue
		}
		_, after, found := strings.Cut(line[len(opener):], closer)
		if !found {
			return true
		}
		if closer == "]" && (strings.HasPrefix(after, "(") || strings.HasPrefix(after, "[")) {
			after = "]" + after
		}
		line = after
	}
	return false
}

// preamble is the slug of the text of a document or section before its first section. No heading has this slug.
const preamble = "preamble"
