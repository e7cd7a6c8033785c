package chunk

import (
	"regexp"
	"strings"

	"cortex/lib/shorten"
)

// title returns the title of a chunk without a symbol.
func (c *cutter) title(words string) string {
	if words == "" {
		return c.f.FilePath
	}
	return c.f.FilePath + ": " + shorten.End(withoutControls(words), maxTitle/2)
}

// firstWords returns the first line of a span that is not trivial, as far as the span shows it.
func (c *cutter) firstWords(p span) string {
	for i := p.first; i < p.last; i++ {
		if c.src.trivial(i) {
			continue
		}
		line := strings.TrimSpace(c.src.text[max(p.from, c.src.start[i]):min(p.to, c.src.start[i+1])])
		if c.f.Language == "html" && len(line) <= 4*maxTitle {
			line = strings.TrimSpace(tags.ReplaceAllString(line, ""))
		}
		if strings.IndexFunc(line, isWord) < 0 {
			continue // the part of a long line has no words
		}
		if len(line) > 4*maxTitle {
			line = strings.ToValidUTF8(line[:4*maxTitle], "")
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
