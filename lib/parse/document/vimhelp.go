package document

import (
	"cmp"
	"regexp"
	"strings"

	"cortex/lib/language/fence"
	"cortex/lib/parse/lexical"
	"cortex/lib/shorten"
)

// vimHelp stands for the language of plain text that is a help file of Vim.
const vimHelp = "vim help"

// isVimHelp reports whether a text is a help file of Vim: whether it begins with its own name as a tag, "*name.txt*".
func isVimHelp(text string) bool {
	first, _, _ := strings.Cut(text, "\n")
	return strings.HasPrefix(first, "*") && vimTag.MatchString(first) && strings.Contains(first, ".txt*")
}

// vimTag matches a tag, the place to which a link leads.
var vimTag = regexp.MustCompile(`(?:^|[ \t])\*([^\s*|]+)\*(?:[ \t\r]|$)`)

// vimTags returns the tags in a line, without the marks of options, functions and commands.
func vimTags(line string) []string {
	var names []string
	for len(line) <= maxInline && strings.Contains(line, "*") {
		at := vimTag.FindStringSubmatchIndex(line)
		if at == nil {
			break
		}
		name := strings.TrimSuffix(strings.Trim(line[at[2]:at[3]], ":'\""), "()")
		names = appendName(names, name)
		line = line[at[3]+1:] // behind the tag
	}
	return names
}

// scanVimHelp finds the sections of a help file of Vim: the lines below a rule of "=" or "-". The title stands behind the
// tag in the first line.
func scanVimHelp(text string) document {
	var doc document
	first, _, _ := strings.Cut(text, "\n")
	doc.title = shorten.End(shorten.Line(withoutVimTags(first)), maxHeadingName)
	rule, number := line{}, 0
	for pos := 0; pos < len(text) && len(doc.headings) < maxHeadings; {
		end, next := lexical.NextLine(text, pos)
		number++
		l := line{text: strings.TrimRight(text[pos:end], " \t"), start: pos, end: next, number: number}
		pos = next
		if len(l.text) >= minVimRule && strings.IndexByte("=-", l.text[0]) >= 0 && fence.Run(l.text) == len(l.text) {
			rule = l
			continue
		}
		if rule.text != "" && l.text != "" && !strings.Contains(l.text, "vim:") {
			level := 1 + strings.IndexByte("=-", rule.text[0])
			name := cmp.Or(shorten.Line(withoutVimTags(l.text)), strings.Join(vimTags(l.text), " "))
			doc.headings = append(doc.headings, heading{
				level: level, start: rule.start, end: l.end, line: rule.number, name: shorten.End(name, maxHeadingName), signature: shorten.Line(l.text),
			})
		}
		rule = line{}
	}
	return doc
}

// minVimRule is the least length of a line that separates sections, which Vim's own help makes as wide as the text.
const minVimRule = 40

func withoutVimTags(line string) string {
	return vimTag.ReplaceAllString(vimTag.ReplaceAllString(line, " "), " ") // twice, as tags share the space between them
}
