package document

import (
	"regexp"
	"slices"
	"strings"

	"cortex/lib/parse/lexical"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

// release matches a line that begins the list of a release's changes in a change log without headings: its version, or
// the name of the project with its version, after words such as "Changes in" and before a date or other text in
// brackets, as in "* 1.2.3 (2020-01-01)", "name-1.2", "CHANGES FROM 1.1 TO 1.2" and "name (1.2-1) unstable; urgency=low".
var release = regexp.MustCompile(`(?i)^(?:[*+-] |=+ )?(?:(?:overview of changes|changes|new|release|released|version|what's new)\b[ \w]{0,20}?)?\(?(?:[\w.+-]+[ -])?(?:from v?\d[\w.+-]* to |in )?` +
	`[(\[]?(?:\d+:)?v?\d+(?:\.\d+)+[\w.+~:-]*[)\]]?(?:[:,;](?: .{0,40})?| +[(\[/|-].*| +\w+; .*| +\d{4}-\d\d.*| +(?:released?|on|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\d{1,2}\b)[^.]{0,40}| *=*)$`)

// withReleases adds the releases to the headings of a change log that has at most a title. It adds none unless there are
// at least two, since a line with one version may be anything.
func withReleases(text string, headings []heading) []heading {
	if len(headings) > 1 {
		return headings
	}
	start := 0
	found := headings
	for _, h := range headings {
		start = h.end
	}
	number, blank := 0, true
	for pos := 0; pos < len(text) && len(found) < maxHeadings; {
		end, next := lexical.NextLine(text, pos)
		number++
		line := strings.TrimRight(text[pos:end], " \t")
		if blank && pos >= start && len(line) <= maxHeadingName && strings.Contains(line, ".") && release.MatchString(line) {
			name := strings.TrimRight(strings.TrimLeft(line, "*+-= "), ":= ")
			found = append(found, heading{level: 1 + len(headings), start: pos, end: next, line: number, name: shorten.Line(name), signature: line})
		}
		blank = line == ""
		pos = next
	}
	if len(found) < len(headings)+2 {
		return headings
	}
	return found
}

// undeclared removes what the sections of releases list, since a change log declares nothing. A heading with a version
// belongs to a change log if two sections or more beside it are releases.
func undeclared(definitions, sections []record.Symbol) []record.Symbol {
	releases := map[string]int{} // by the section around
	for i := range sections {
		if release.MatchString(sections[i].Name) {
			releases[sections[i].Parent]++
		}
	}
	next, until := 0, 0
	return slices.DeleteFunc(definitions, func(d record.Symbol) bool {
		for ; next < len(sections) && sections[next].StartByte <= d.StartByte; next++ {
			if s := &sections[next]; releases[s.Parent] > 1 && namesVersion(s.Name) {
				until = max(until, s.EndByte)
			}
		}
		return d.StartByte < until
	})
}
