package page

import (
	"html"
	"html/template"
	"strconv"
	"strings"
)

// A line is a line of a file. A line with number 0 stands for a gap.
type line struct {
	number int
	url    string
	html   template.HTML
	// marked says that the line has a match.
	marked bool
	// relations is the link to the relations of the definition that begins on this line; name is the definition's name.
	relations, name string
}

// linesHTML writes lines of code. It does not use a template, which would take several times as long for the hundreds
// of lines of a page. With targets, each line has an anchor for links.
func linesHTML(lines []line, targets bool) template.HTML {
	var b strings.Builder
	for i := range lines {
		l := &lines[i]
		if l.number == 0 {
			b.WriteString(`<div class="gap" aria-hidden="true"></div>`)
			continue
		}
		number := strconv.Itoa(l.number)
		b.WriteString(`<div class="l`)
		if l.marked {
			b.WriteString(" hit-line")
		}
		if targets {
			b.WriteString(`" id="L` + number)
		}
		b.WriteString(`"><a class="n" href="` + html.EscapeString(l.url) + `" tabindex="-1">` + number + "</a><code>" + string(l.html) + "</code>")
		if l.relations != "" {
			b.WriteString(`<a class="rel" href="` + html.EscapeString(l.relations) + `" aria-label="Relations of ` + html.EscapeString(l.name) + `">relations</a>`)
		}
		b.WriteString("</div>\n")
	}
	return template.HTML(b.String())
}
