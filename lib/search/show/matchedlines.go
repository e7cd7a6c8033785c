package show

import (
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// MatchedLines returns the lines of the chunk with a needle, in their order. For a chunk without a match, it returns
// the line that declares what the finder finds, or else the first line with text. Lines that are not in the file get
// the number of the chunk's first line.
func MatchedLines(c *record.Chunk, needles []Needle, finder *Finder) []answer.MatchedLine {
	lines := newTextLines(c)
	found, _ := lines.matches(needles)
	if len(found) == 0 {
		found = finder.mainLine(lines)
	}
	var list []answer.MatchedLine
	for len(found) > 0 {
		n := lines.at(found[0].start)
		line := answer.MatchedLine{FilePath: c.Metadata.FilePath, Tree: c.Metadata.Tree, Number: lines.number[n], Text: lines.line(n)}
		for len(found) > 0 && lines.at(found[0].start) == n {
			from, to := found[0].start-lines.start[n], min(found[0].end-lines.start[n], len(line.Text))
			if from < to {
				line.Matches = append(line.Matches, [2]int{from, to})
			}
			if end := found[0].end; end > lines.start[n+1] {
				// A match that continues in the next line belongs to that line, too.
				found[0].start = lines.start[n+1] + len(lines.line(n+1)) - len(strings.TrimLeft(lines.line(n+1), " \t"))
				if found[0].start < end && n+1 < lines.count() {
					break
				}
			}
			found = found[1:]
		}
		if !lines.real {
			line.Number = max(c.Metadata.StartLine, 1)
		}
		if line.Number > 0 {
			list = append(list, line)
		}
	}
	return list
}
