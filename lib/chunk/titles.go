package chunk

import (
	"regexp"
	"strings"

	"cortex/lib/chunk/label"
	"cortex/lib/chunk/lines"
	"cortex/lib/shorten"
)

// title returns the title of a chunk without a symbol.
func (c *cutter) title(words string) string {
	if words == "" {
		return c.f.FilePath
	}
	return c.f.FilePath + ": " + label.Line(words, label.MaxTitle/2)
}

// firstWords returns the first line of a span that is not trivial, as far as the span shows it.
func (c *cutter) firstWords(p lines.Span) string {
	for i := p.First; i < p.Last; i++ {
		if c.src.trivial(i) {
			continue
		}
		line := strings.TrimSpace(c.src.Text[max(p.From, c.src.Start[i]):min(p.To, c.src.Start[i+1])])
		if c.f.Language == "html" && len(line) <= 4*label.MaxTitle {
			line = strings.TrimSpace(tags.ReplaceAllString(line, ""))
		}
		if strings.IndexFunc(line, lines.IsWord) < 0 {
			continue // the part of a long line has no words
		}
		if len(line) > 4*label.MaxTitle {
			line = strings.ToValidUTF8(line[:4*label.MaxTitle], "")
		}
		line, _ = c.uncomment(line)
		return line
	}
	return ""
}

// tags matches a tag of HTML, and one that goes on below the line.
var tags = regexp.MustCompile(`<[^<>]*(?:>|$)`)

// wordSlug makes a slug of the beginning of a line, for an identifier.
func wordSlug(line string) string {
	const most = 40
	out := ""
	for _, w := range words(line) {
		if out != "" && len(out)+len(w) >= most {
			break
		}
		if out != "" {
			out += "-"
		}
		out += shorten.End(w, most)
	}
	return out
}

// nameList joins names to at most limit characters.
func nameList(names []string, limit int) string {
	var b strings.Builder
	for i, name := range names {
		if b.Len() > 0 && b.Len()+len(name) > limit {
			b.WriteString(", …")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(shorten.End(name, limit))
	}
	return b.String()
}
