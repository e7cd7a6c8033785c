package document

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"cortex/lib/language/fence"
	"cortex/lib/parse/lexical"
	"cortex/lib/shorten"
)

// scanReST finds the section titles of reStructuredText: a line of text with a line of one repeated punctuation
// character below it, or one above and below. The levels of these styles follow from the order in which they first
// occur.
func scanReST(text string) document {
	var doc document
	type style struct {
		char byte
		over bool
	}
	var styles []style
	var lines [3]restLine // the current line, last, and the two lines before it
	number := 0
	for pos := 0; pos < len(text) && len(doc.headings) < maxHeadings; {
		end, next := lexical.NextLine(text, pos)
		number++
		lines[0], lines[1] = lines[1], lines[2]
		lines[2] = restLine{text: strings.TrimRight(text[pos:end], " \t"), start: pos, number: number}
		pos = next
		over, title, under := lines[0], lines[1], lines[2]
		char, width := adornment(under.text)
		if width == 0 || title.text == "" {
			continue
		}
		if c, _ := adornment(title.text); c != 0 {
			continue
		}
		overChar, overWidth := adornment(over.text)
		st := style{char, overChar == char && overWidth == width}
		first := title
		switch {
		case st.over:
			first = over
		case title.text[0] == ' ' || title.text[0] == '\t' || over.text != "":
			continue
		}
		name := strings.TrimSpace(title.text)
		if !fitsAdornment(name, width) {
			continue
		}
		level := 1
		for level <= len(styles) && styles[level-1] != st {
			level++
		}
		if level > len(styles) {
			styles = append(styles, st)
		}
		doc.headings = append(doc.headings, heading{
			level: min(level, maxLevel), start: first.start, end: next, line: first.number,
			name: restTitle(name), signature: name,
		})
		lines = [3]restLine{}
	}
	return doc
}

// restMarkup matches a literal, text with a role or link target, a substitution, and emphasis. The text is in a group.
var restMarkup = regexp.MustCompile("``(.+?)``|(?::[\\w:+.-]+:)?`([^`]+?)(?:\\s*<[^`<>]*>)?`_{0,2}|\\|[^|\\s](?:[^|]*[^|\\s])?\\|_{0,2}|\\*\\*([^*]+)\\*\\*|\\*([^*\\s]+)\\*")

// restTitle returns a title without its markup.
func restTitle(source string) string {
	if len(source) <= maxInline {
		if plain := shorten.Line(restMarkup.ReplaceAllString(source, "$1$2$3$4")); plain != "" {
			source = plain
		}
	}
	return shorten.End(shorten.Line(source), maxHeadingName)
}

// A restLine is a line of reStructuredText.
type restLine struct {
	text          string
	start, number int
}

// adornment returns the character and the length of a line that repeats one punctuation character; 0 for other lines.
func adornment(line string) (char byte, width int) {
	if line == "" || strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", line[0]) < 0 {
		return 0, 0
	}
	if n := fence.Run(line); n == len(line) {
		return line[0], n
	}
	return 0, 0
}

// fitsAdornment reports whether an underline of the given width is long enough for the title. One of at least 4
// characters may be shorter than the title, but must be longer than half of it.
func fitsAdornment(title string, width int) bool {
	n := utf8.RuneCountInString(title)
	return width >= n || width >= 4 && width*2 > n
}

// scanAsciiDoc finds the section titles of AsciiDoc outside delimited blocks: "= Title" to "====== Title", the same with
// "#", and a title with a line below it.
func scanAsciiDoc(text string) document {
	var doc document
	block := ""
	number := 0
	above, aboveStart := "", 0 // the line above if a title may be there, so if it is the first of a paragraph
	inParagraph := false
	for pos := 0; pos < len(text) && len(doc.headings) < maxHeadings; {
		end, next := lexical.NextLine(text, pos)
		number++
		line := strings.TrimRight(text[pos:end], " \t")
		start, title, titleStart := pos, above, aboveStart
		pos, above = next, ""
		if block != "" {
			if line == block {
				block = ""
			}
			continue
		}
		if level := fence.Underlines(line, title); level > 0 {
			doc.headings = append(doc.headings, heading{
				level: level, start: titleStart, end: next, line: number - 1, name: asciiDocTitle(title), signature: title,
			})
			inParagraph = false
			continue
		}
		if isBlockDelimiter(line) {
			block, inParagraph = line, false
			continue
		}
		if line == "" || line[0] != '=' && line[0] != '#' {
			if tags, ok := strings.CutPrefix(line, ":keywords:"); ok && len(doc.headings) <= 1 {
				doc.tags = appendTags(doc.tags, strings.Split(tags, ","))
			}
			if !inParagraph {
				above, aboveStart = line, start
			}
			inParagraph = line != "" && (inParagraph || !betweenBlocks(line))
			continue
		}
		level := fence.Run(line)
		if inParagraph || level > 6 || level == len(line) || line[level] != ' ' {
			inParagraph = true
			continue
		}
		doc.headings = append(doc.headings, heading{
			level: level, start: start, end: next, line: number,
			name: asciiDocTitle(strings.TrimSuffix(line[level:], line[level:level+1]+line[:level])), signature: line,
		})
		inParagraph = false
	}
	return doc
}

// betweenBlocks reports whether a line of AsciiDoc sets an attribute or anchor, is a comment or break, or calls a macro
// such as "endif::x[]", so that a block may begin below it.
func betweenBlocks(line string) bool {
	if line[len(line)-1] == ']' {
		name, _, isMacro := strings.Cut(line, "::")
		return line[0] == '[' || isMacro && !strings.ContainsAny(name, " \t")
	}
	return line[0] == ':' || strings.HasPrefix(line, "//") || strings.Trim(line, "'<-*") == ""
}

// asciiDocRole matches a text with an identifier or a role, which is in a group.
var asciiDocRole = regexp.MustCompile(`\[[#.%][^\[\]]*\](?:#([^#]+)#|##([^#]+)##)`)

// asciiDocTitle returns a section title without anchors, roles and the marks of code.
func asciiDocTitle(s string) string {
	if len(s) <= maxInline {
		s = asciiDocRole.ReplaceAllString(s, "$1$2")
	}
	for {
		before, rest, _ := strings.Cut(s, "[[")
		_, after, found := strings.Cut(rest, "]]")
		if !found {
			return shorten.End(shorten.Line(strings.ReplaceAll(s, "`", "")), maxHeadingName)
		}
		s = before + after
	}
}

// isBlockDelimiter reports whether a line opens a delimited block of AsciiDoc.
func isBlockDelimiter(line string) bool {
	switch {
	case line == "|===" || line == ",===" || line == ":===" || line == "!===":
		return true
	case strings.HasPrefix(line, "```"):
		return line == "```"
	case len(line) < 4 || strings.IndexByte("-.=*_+/", line[0]) < 0:
		return false
	}
	return fence.Run(line) == len(line)
}

// scanOrg finds the headings of Org: stars at the start of a line, followed by a space.
func scanOrg(text string) document {
	var doc document
	number := 0
	for pos := 0; pos < len(text) && len(doc.headings) < maxHeadings; {
		end, next := lexical.NextLine(text, pos)
		number++
		line := strings.TrimRight(text[pos:end], " \t")
		start := pos
		pos = next
		if strings.HasPrefix(line, "#+") {
			key, value, _ := strings.Cut(line[2:], ":")
			switch strings.ToLower(key) {
			case "title":
				doc.title = shorten.End(shorten.Line(value), maxHeadingName)
			case "filetags":
				doc.tags = appendTags(doc.tags, strings.Split(value, ":"))
			}
			continue
		}
		if line == "" || line[0] != '*' {
			continue
		}
		level := fence.Run(line)
		if level == len(line) || line[level] != ' ' {
			continue
		}
		doc.headings = append(doc.headings, heading{
			level: min(level, maxLevel), start: start, end: next, line: number,
			name: orgTitle(line[level:]), signature: line,
		})
	}
	return doc
}

// orgMarkup matches the priority and the progress of an Org heading, and links, whose text is in a group.
var orgMarkup = regexp.MustCompile(`\[#\w\]|\[\d*(?:/\d*|%)\]|\[\[[^\[\]]+\]\[([^\[\]]+)\]\]|\[\[([^\[\]]+)\]\]`)

// orgTitle returns the title of an Org heading without its state, its tags and the targets of links.
func orgTitle(s string) string {
	s = strings.TrimSpace(s)
	for _, state := range []string{"TODO ", "DONE "} {
		s = strings.TrimPrefix(s, state)
	}
	if i := strings.LastIndexAny(s, " \t"); i > 0 && len(s)-i > 3 && s[i+1] == ':' && s[len(s)-1] == ':' {
		s = s[:i]
	}
	if strings.IndexByte(s, '[') >= 0 {
		s = orgMarkup.ReplaceAllString(s, "$1$2")
	}
	s = orgCode.ReplaceAllString(s, "$1$2$3")
	return shorten.End(shorten.Line(s), maxHeadingName)
}

// orgCode matches code in Org, which is in the second group, with what is beside it.
var orgCode = regexp.MustCompile(`(^|[\s({\['"|])[~=]([^\s~=](?:[^~=]*[^\s~=])?)[~=]($|[\s)}\].,:;!?'"|-])`)

// appendTags appends the tags that are not blank.
func appendTags(tags, more []string) []string {
	for _, tag := range more {
		if tag = shorten.Line(tag); tag != "" && len(tag) <= maxHeadingName {
			tags = append(tags, tag)
		}
	}
	return tags
}
