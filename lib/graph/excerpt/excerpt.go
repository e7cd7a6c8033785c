// Package excerpt reads lines of files for the answers of package table: it cuts ranges out of them (excerpt.go) and finds
// the marks of a declaration, such as decorators (marks.go).
package excerpt

import "strings"

// An Excerpt is a range of lines of a file, as it was when it was indexed.
type Excerpt struct {
	StartLine int `json:"start_line"`
	EndLine   int `json:"end_line"`
	// Text has the lines, with a line feed after each but the last.
	Text string `json:"text"`
}

// Around returns at most most excerpts that show lines, which are sorted, with context lines before and after each. They
// neither overlap nor begin or end with blank lines. read returns the lines of the file from first to last.
func Around(lines []int, context, most int, read func(first, last int) ([]string, error)) ([]Excerpt, error) {
	var all []Excerpt
	last := 0
	for _, line := range lines {
		if len(all) == most {
			break
		}
		if line <= last {
			continue // shown already
		}
		from := max(line-context, last+1)
		text, err := read(from, line+context)
		if err != nil {
			return nil, err
		}
		for len(text) > 0 && strings.TrimSpace(text[0]) == "" {
			text, from = text[1:], from+1
		}
		for len(text) > 0 && strings.TrimSpace(text[len(text)-1]) == "" {
			text = text[:len(text)-1]
		}
		if len(text) == 0 {
			continue
		}
		last = from + len(text) - 1
		all = append(all, Excerpt{from, last, strings.Join(text, "\n")})
	}
	return all, nil
}
