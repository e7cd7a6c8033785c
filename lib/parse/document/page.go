package document

import (
	"cmp"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"cortex/lib/parse/lexical"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

// ReadPage replaces the headings of an HTML page by those of its sections and sets its title, if the page is a document:
// if it has headings and a text. A template and the page of an application have little text, and stay as they are.
func ReadPage(f *record.File) {
	p := pageScanner{text: f.Text}
	p.scan()
	if len(p.headings) == 0 || p.letters < minLetters || p.placeholders*lettersOfPlaceholder > p.letters {
		return
	}
	joinAnchors(f.Text, "html", p.headings)
	f.Title = cmp.Or(titleHeading(p.headings), p.title)
	f.Symbols = slices.DeleteFunc(f.Symbols, func(s record.Symbol) bool { return s.Kind == record.Heading })
	f.Symbols = append(f.Symbols, sections(f.Text, p.headings)...)
	slices.SortStableFunc(f.Symbols, func(a, b record.Symbol) int {
		return cmp.Or(cmp.Compare(a.StartByte, b.StartByte), cmp.Compare(b.EndByte, a.EndByte))
	})
}

const (
	// minLetters is the number of letters outside of tags, code and navigation that a document has at least.
	minLetters = 400
	// lettersOfPlaceholder is how many letters a document has for each placeholder of a template engine.
	lettersOfPlaceholder = 200
	// maxHTMLHeading bounds the size in bytes of a heading's element.
	maxHTMLHeading = 4 << 10
)

// A pageScanner reads the tags of a page in linear time.
type pageScanner struct {
	text     string
	headings []heading
	title    string
	// letters counts those of the text, placeholders those of template engines in it.
	letters, placeholders int
	unclosed              map[string]bool // elements without an end tag in the rest of the text
}

func (p *pageScanner) scan() {
	p.unclosed = map[string]bool{}
	counted, line := 0, 1
	inCode := false
	for pos := 0; pos < len(p.text) && len(p.headings) < maxHeadings; {
		open := strings.IndexByte(p.text[pos:], '<')
		if open < 0 {
			break
		}
		open += pos
		if !inCode {
			p.prose(p.text[pos:open])
		}
		rest := p.text[open:]
		switch {
		case strings.HasPrefix(rest, "<!--"):
			pos = after(p.text, open, "-->")
			continue
		case strings.HasPrefix(rest, "<%"), strings.HasPrefix(rest, "<?") && !strings.HasPrefix(rest, "<?xml"):
			p.placeholders++
		}
		closing := strings.HasPrefix(rest, "</")
		name := tagName(strings.TrimPrefix(rest[1:], "/"))
		if name == "" {
			pos = open + 1
			continue
		}
		name = strings.ToLower(name)
		end := after(p.text, open, ">")
		if !closing && bindsAttribute.MatchString(rest[:min(end-open, maxHTMLHeading)]) {
			p.placeholders++
		}
		pos = end
		switch name {
		case "code", "kbd", "samp":
			inCode = !closing
		case "script", "style", "pre", "textarea", "nav", "svg", "footer", "form", "select", "template":
			if !closing {
				pos = p.skip(end, name)
			}
		case "title":
			if !closing {
				pos = p.skip(end, name)
				p.title = cmp.Or(p.title, htmlText(p.text[end:min(pos, end+maxHTMLHeading)]))
			}
		case "h1", "h2", "h3", "h4", "h5", "h6":
			if closing {
				break
			}
			line += strings.Count(p.text[counted:open], "\n")
			counted = open
			if h, ok := htmlHeading(p.text, open, line); ok && h.name != "" {
				p.headings = appendHeading(p.headings, h)
			}
		}
	}
}

// prose counts the letters of a text between tags.
func (p *pageScanner) prose(text string) {
	p.placeholders += strings.Count(text, "{{") + strings.Count(text, "{%")
	for _, r := range text {
		if unicode.IsLetter(r) {
			p.letters++
		}
	}
}

// bindsAttribute matches a tag with an attribute that a framework or a template engine fills in.
var bindsAttribute = regexp.MustCompile(`\s(?:\*ng|ng-|v-|x-|@|:|\[|\(|th:)[\w.()\]-]+=|\{[{%]`)

// skip returns the offset of the end tag of the element whose start tag ends at from; from if there is none.
func (p *pageScanner) skip(from int, name string) int {
	for pos := from; !p.unclosed[name]; {
		i := strings.Index(p.text[pos:], "</")
		if i < 0 {
			break
		}
		pos += i + 2
		if strings.EqualFold(tagName(p.text[pos:min(len(p.text), pos+20)]), name) {
			return pos - 2
		}
	}
	p.unclosed[name] = true
	return from
}

// after returns the offset behind the first occurrence of mark from start on; the length of the text if there is none.
func after(text string, start int, mark string) int {
	if i := strings.Index(text[start:], mark); i >= 0 {
		return start + i + len(mark)
	}
	return len(text)
}

// htmlHeading reads the heading element of HTML at open, which is on the given line. The heading has the whole lines.
func htmlHeading(text string, open, line int) (heading, bool) {
	if len(text) < open+4 || text[open+1]|0x20 != 'h' || text[open+2] < '1' || text[open+2] > '6' || isLetter(text[open+3]) {
		return heading{}, false
	}
	element := text[open:min(len(text), open+maxHTMLHeading)]
	begin, end := strings.IndexByte(element, '>'), -1
	for at := 0; end < 0; {
		i := strings.Index(element[at:], "</")
		if i < 0 {
			return heading{}, false
		}
		if at += i; len(element) > at+3 && element[at+2]|0x20 == 'h' && element[at+3] == element[2] {
			end = at
		}
		at += 2
	}
	if begin < 0 || begin > end {
		return heading{}, false
	}
	_, next := lexical.NextLine(text, open+end)
	return heading{
		level: int(element[2] - '0'), start: strings.LastIndexByte(text[:open], '\n') + 1, end: next, line: line,
		name: htmlText(element[begin+1 : end]), signature: shorten.End(shorten.Line(element[:end]), maxHeadingName),
	}, true
}

// appendHeading appends a heading that does not begin on the last line of the one before.
func appendHeading(headings []heading, h heading) []heading {
	if n := len(headings); n > 0 && h.start < headings[n-1].end {
		return headings
	}
	return append(headings, h)
}

// htmlText returns a short text without tags and comments; if there is no text, the alternative texts of images.
func htmlText(source string) string {
	var b, images strings.Builder
	for source != "" {
		before, rest, found := strings.Cut(source, "<")
		b.WriteString(before)
		if !found {
			break
		}
		mark := ">"
		if strings.HasPrefix(rest, "!--") {
			mark = "-->"
		}
		var tag string
		if tag, source, found = strings.Cut(rest, mark); !found {
			break
		}
		if alt := altText.FindStringSubmatch(tag); alt != nil && strings.EqualFold(tagName(tag), "img") {
			images.WriteString(" " + alt[1] + alt[2])
		} else if isBlockTag(tagName(tag)) || strings.HasPrefix(tag, "br") {
			b.WriteByte(' ')
		}
	}
	text := strings.TrimRight(shorten.Line(html.UnescapeString(b.String())), " ¶§#")
	return shorten.End(cmp.Or(text, shorten.Line(html.UnescapeString(images.String()))), maxHeadingName)
}

// altText matches the alternative text of an image.
var altText = regexp.MustCompile(`(?i)\salt\s*=\s*(?:"([^"]*)"|'([^']*)')`)
