package document

import "strings"

// An htmlKind is one of the seven kinds of HTML blocks of CommonMark, section 4.6, which differ in their end
// conditions.
type htmlKind uint8

const (
	notHTML htmlKind = iota
	htmlRaw
	htmlComment
	htmlInstruction
	htmlDeclaration
	htmlCDATA
	htmlBlockTag
	htmlAnyTag
)

// endsAtBlank reports whether the block ends before a blank line.
func (k htmlKind) endsAtBlank() bool { return k >= htmlBlockTag }

// ends reports whether the line is the last of the block, or the blank line after it.
func (k htmlKind) ends(line string) bool {
	switch k {
	case htmlRaw:
		return closesRaw(line)
	case htmlComment:
		return strings.Contains(line, "-->")
	case htmlInstruction:
		return strings.Contains(line, "?>")
	case htmlDeclaration:
		return strings.IndexByte(line, '>') >= 0
	case htmlCDATA:
		return strings.Contains(line, "]]>")
	}
	return strings.Trim(line, " \t") == ""
}

// htmlStart returns the kind of HTML block that a line begins. rest begins with "<".
func htmlStart(rest string, inParagraph bool) htmlKind {
	switch {
	case len(rest) == 1:
		return notHTML
	case strings.HasPrefix(rest, "<!--"):
		return htmlComment
	case rest[1] == '?':
		return htmlInstruction
	case strings.HasPrefix(rest, "<![CDATA["):
		return htmlCDATA
	case rest[1] == '!':
		if len(rest) > 2 && isLetter(rest[2]) {
			return htmlDeclaration
		}
		return notHTML
	}
	closing := rest[1] == '/'
	name := tagName(rest[1:])
	if closing {
		name = tagName(rest[2:])
	}
	if name == "" {
		return notHTML
	}
	after := rest[1+len(name):]
	if closing {
		after = after[1:]
	}
	raw := isRawTag(name)
	if !closing && raw && (after == "" || strings.IndexByte(" \t>", after[0]) >= 0) {
		return htmlRaw
	}
	if isBlockTag(name) && (after == "" || strings.IndexByte(" \t>", after[0]) >= 0 || strings.HasPrefix(after, "/>")) {
		return htmlBlockTag
	}
	if !inParagraph && !raw && isWholeTag(after, closing) {
		return htmlAnyTag
	}
	return notHTML
}

// closesRaw reports whether line has one of the tags that end raw HTML.
func closesRaw(line string) bool {
	for {
		i := strings.Index(line, "</")
		if i < 0 {
			return false
		}
		line = line[i+2:]
		if name := tagName(line); isRawTag(name) && strings.HasPrefix(line[len(name):], ">") {
			return true
		}
	}
}

// tagName returns the tag name at the start of s.
func tagName(s string) string {
	n := 0
	for n < len(s) && (isLetter(s[n]) || n > 0 && (s[n] == '-' || s[n] >= '0' && s[n] <= '9')) {
		n++
	}
	return s[:n]
}

// isWholeTag reports whether s, which follows a tag name, completes the tag and has
// nothing after it.
func isWholeTag(s string, closing bool) bool {
	s = strings.TrimRight(s, " \t")
	body, ok := strings.CutSuffix(s, ">")
	if !ok {
		return false
	}
	if closing {
		return strings.Trim(body, " \t") == ""
	}
	body = strings.TrimSuffix(body, "/")
	if body == "" {
		return true
	}
	if body[0] != ' ' && body[0] != '\t' {
		return false
	}
	for {
		body = strings.TrimLeft(body, " \t")
		if body == "" {
			return true
		}
		n := strings.IndexAny(body, " \t=\"'<>`/")
		if n == 0 || !isLetter(body[0]) && body[0] != '_' && body[0] != ':' {
			return false
		}
		if n < 0 {
			return true
		}
		value, hasValue := strings.CutPrefix(strings.TrimLeft(body[n:], " \t"), "=")
		if !hasValue {
			if body[n] != ' ' && body[n] != '\t' {
				return false
			}
			body = body[n:]
			continue
		}
		value = strings.TrimLeft(value, " \t")
		if value == "" {
			return false
		}
		if value[0] == '"' || value[0] == '\'' {
			i := strings.IndexByte(value[1:], value[0])
			if i < 0 {
				return false
			}
			body = value[i+2:]
			if body != "" && body[0] != ' ' && body[0] != '\t' {
				return false
			}
			continue
		}
		i := strings.IndexAny(value, " \t\"'=<>`")
		if i == 0 {
			return false
		}
		if i < 0 {
			return true
		}
		if body = value[i:]; body[0] != ' ' && body[0] != '\t' {
			return false
		}
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// isRawTag reports whether the content of the element is raw text up to an end tag.
func isRawTag(name string) bool {
	switch strings.ToLower(name) {
	case "script", "pre", "style", "textarea":
		return true
	}
	return false
}

// isBlockTag reports whether the tag begins a block that ends at a blank line.
func isBlockTag(name string) bool {
	switch strings.ToLower(name) {
	case "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center",
		"col", "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption",
		"figure", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head",
		"header", "hr", "html", "iframe", "legend", "li", "link", "main", "menu", "menuitem", "nav",
		"noframes", "ol", "optgroup", "option", "p", "param", "search", "section", "summary", "table",
		"tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul":
		return true
	}
	return false
}
