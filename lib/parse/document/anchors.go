package document

import (
	"regexp"
	"strings"
)

// joinAnchors sets above and aboveLine of the headings that have anchors or attributes above them, such as "[[x]]" in
// AsciiDoc and ".. _x:" in reStructuredText. Links to the section lead to these lines, so they are a part of it.
func joinAnchors(text, lang string, headings []heading) {
	first := 0 // the end of the heading before
	for i := range headings {
		h := &headings[i]
		h.above, h.aboveLine = h.start, h.line
		line := h.line
		for pos := h.start; pos > first; {
			start := strings.LastIndexByte(text[first:pos-1], '\n') + 1 + first
			line--
			switch s := strings.TrimSpace(text[start:pos]); {
			case s == "" && lang != "asciidoc":
			case isAnchor(s, lang):
				h.above, h.aboveLine = start, line
			default:
				start = first
			}
			pos = start
		}
		first = h.end
	}
}

// isAnchor reports whether a line only gives what is below it a name or attributes.
func isAnchor(line, lang string) bool {
	switch lang {
	case "asciidoc":
		return strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]")
	case "rst":
		return strings.HasPrefix(line, ".. _") && strings.HasSuffix(line, ":") || strings.HasPrefix(line, ".. index::")
	case "html":
		return sectionTag.MatchString(line)
	case "markdown", "mdx":
		_, attribute, _ := strings.Cut(line, "<a ")
		return strings.HasPrefix(line, "<a ") && strings.Count(line, "<") <= 2 && !strings.Contains(attribute, "href") &&
			(strings.HasSuffix(line, "></a>") || strings.HasSuffix(line, "/>"))
	}
	return false
}

// sectionTag matches a line of HTML that only begins a section or names a place.
var sectionTag = regexp.MustCompile(`(?i)^<(?:section|article|div|header|a)\b[^<>]*>(?:</a>)?$`)
