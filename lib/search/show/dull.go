package show

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"cortex/lib/record"
	"cortex/lib/search/token"
	"cortex/lib/search/wording"
)

// Dull lines occur in most files and answer no question except one about them: licence notices, imports, long literals.

// A Dullness is a set of kinds of dull lines.
type Dullness uint8

const (
	Notice Dullness = 1 << iota
	Imports
	Literal
)

// DullFor returns the kinds of lines that are dull for these questions.
func DullFor(topics []string) Dullness {
	dull := Notice | Imports | Literal
	for _, topic := range topics {
		for _, word := range wording.PlainWords(topic) {
			switch wording.Stem(word) {
			case "licens", "licenc", "copyright", "spdx", "author", "patent":
				dull &^= Notice
			case "import", "includ", "depend", "requir", "packag", "modul", "header", "prelud":
				dull &^= Imports
			case "liter", "tabl", "byte", "blob", "base64", "hex", "constant", "data":
				dull &^= Literal
			}
		}
	}
	return dull
}

// noticeWords matches words of a notice, in lower case and on one line.
var noticeWords = regexp.MustCompile(`copyright|spdx-|licen[cs]ed under|all rights reserved|permission is hereby|redistributions? |without warrant|software is provided|in no event|free software|` +
	`(compliance with|copy of|under|see) the licen[cs]e\b|public licen[cs]e|(org|com)/licen[cs]e|this (file|program|library|software|module) is part of|applicable law|neither the name`)

// noticeStems are parts of noticeWords: every match of noticeWords contains one of them.
var noticeStems = []string{"copyright", "spdx-", "licen", "rights reserved", "hereby", "is part of", "redistribution", "warrant", "software", "in no event", "applicable law", "neither the name"}

// importRests maps the word with which an import begins to a pattern for the rest of the line.
var importRests = func() map[string]*regexp.Regexp {
	rests := map[string]*regexp.Regexp{}
	for words, rest := range map[string]string{
		"import":              `\s+[^.]`,
		"from":                `\s+\S+\s+import\b`,
		"#":                   `\s*(include|import)\b`,
		"@import":             `(\W|$)`,
		"use":                 `\s+([\w\\:{}*, ]+;|[\w:]+::\{)`,
		"using":               `\s+(static\s+|namespace\s+)?[\w.:]+;`,
		"package":             `\s+[\w.]+;?$`,
		"require":             `(\s*\(?["'][^"']*["']\)?;?|\s+[A-Z][\w.]*)$`,
		"require_relative":    `\s*\(?["'][^"']*["']\)?;?$`,
		"extern":              ` crate\b`,
		"library":             `\(`,
		"open":                `\s+[A-Z][\w.]*$`,
		"alias":               `\s+[A-Z]`,
		"const let var local": `\s+[\w{},: ]+=\s*require\b`,
	} {
		for word := range strings.FieldsSeq(words) {
			rests[word] = regexp.MustCompile("^" + rest)
		}
	}
	return rests
}()

// lineComments begin the lines of comments, also those inside of a block comment.
var lineComments = []string{"//", "/*", "*", "#", "--", ";", "%"}

// blockComments are the delimiters of block comments.
var blockComments = [][2]string{{"/*", "*/"}, {"<!--", "-->"}, {`"""`, `"""`}, {"'''", "'''"}, {"{-", "-}"}, {"(*", "*)"}, {"--[[", "]]"}}

const (
	// longRun is the number of bytes without a space from which on a line is a literal rather than code.
	longRun = 100
	// longNumbers is the length from which on a line of numbers is part of a table.
	longNumbers = 40
	// lastNotice is the last line of a file at which a notice may begin.
	lastNotice = 40
	// maxImports bounds the lines of one import.
	maxImports = 200
)

// dullLines tells which lines of the text are dull by one of these kinds: those before the text of a document, and of
// code none if all lines are dull.
func dullLines(c *record.Chunk, text *textLines, kinds Dullness) []bool {
	dull := make([]bool, text.count())
	if c.ChunkType == record.Documentation || kinds == 0 {
		if kinds&Notice != 0 {
			frontMatter(text, dull)
		}
		return dull
	}
	comment := 0 // the line after the last comment
	for n := 0; n < text.count(); n++ {
		line := strings.TrimSpace(text.line(n))
		if kinds&Notice != 0 && n >= comment && 0 < text.number[n] && text.number[n] <= lastNotice {
			comment = commentEnd(text, n)
			notices(text, n, comment, dull)
		}
		switch {
		case dull[n]:
		case kinds&Imports != 0 && isImport(line):
			dull[n] = true
			if open := opened(line); open != 0 {
				for to := n + 1; to < min(text.count(), n+maxImports) && open > 0; to++ {
					open += opened(text.line(to))
					dull[to] = true
				}
			}
		case kinds&Literal != 0 && isLiteral(line):
			dull[n] = true
		}
	}
	for n := range text.count() {
		if text.number[n] > 0 && !dull[n] && token.HasWord(text.line(n)) {
			return dull
		}
	}
	clear(dull) // all lines are dull
	return dull
}

// frontMatter marks the settings of a page before its text, from a line "---" or "+++" to the next one like it, but not its
// title.
func frontMatter(text *textLines, dull []bool) {
	begin := slices.IndexFunc(text.number, func(number int) bool { return number > 0 }) // behind headings that the chunker made
	if begin < 0 || text.number[begin] != 1 {
		return
	}
	mark := strings.TrimSpace(text.line(begin))
	if mark != "---" && mark != "+++" {
		return
	}
	for n := begin + 1; n < text.count(); n++ {
		if strings.TrimSpace(text.line(n)) == mark {
			for ; begin <= n; begin++ {
				dull[begin] = !pageTitle.MatchString(text.line(begin))
			}
			return
		}
	}
}

// pageTitle matches the title among the settings of a page.
var pageTitle = regexp.MustCompile(`^\s*title\s*[:=]`)

// notices marks the paragraphs of a comment that belong to a notice. If the rest of the comment has no words, it marks
// the whole comment.
func notices(text *textLines, from, to int, dull []bool) {
	some, all := false, true
	for n := from; n < to; {
		end := n + 1
		for end < to && token.HasWord(text.line(end)) {
			end++
		}
		if paragraph := text.between(n, end); isNotice(paragraph) {
			some = true
			markAll(dull[n:end])
		} else if token.HasWord(paragraph) {
			all = false
		}
		n = end
	}
	if some && all {
		markAll(dull[from:to])
	}
}

func markAll(dull []bool) {
	for n := range dull {
		dull[n] = true
	}
}

// isNotice reports whether a paragraph has words of a notice. The search for noticeStems excludes most paragraphs and is
// much faster than the pattern.
func isNotice(paragraph string) bool {
	lower := strings.ToLower(paragraph)
	return slices.ContainsFunc(noticeStems, func(stem string) bool { return strings.Contains(lower, stem) }) && noticeWords.MatchString(lower)
}

// isImport reports whether an import begins in the line.
func isImport(line string) bool {
	end := 0
	for end < len(line) && ('a' <= line[end] && line[end] <= 'z' || line[end] == '_' || line[end] == '@') {
		end++
	}
	if strings.HasPrefix(line, "#") {
		end = 1
	}
	rest := importRests[line[:end]]
	return rest != nil && rest.MatchString(line[end:])
}

// commentEnd returns the line after the comment that begins at line n, or n if none does.
func commentEnd(text *textLines, n int) int {
	line := strings.TrimSpace(text.line(n))
	for _, marks := range blockComments {
		rest, ok := strings.CutPrefix(line, marks[0])
		if !ok {
			continue
		}
		for strings.Contains(rest, marks[1]) || n+1 < text.count() {
			n++
			if strings.Contains(rest, marks[1]) {
				return n
			}
			rest = text.line(n)
		}
		return text.count()
	}
	for n < text.count() && isLineComment(strings.TrimSpace(text.line(n))) {
		n++
	}
	return n
}

func isLineComment(line string) bool {
	return slices.ContainsFunc(lineComments, func(mark string) bool { return strings.HasPrefix(line, mark) })
}

// opened returns how many more brackets the line opens than it closes.
func opened(line string) int {
	return strings.Count(line, "(") + strings.Count(line, "{") - strings.Count(line, ")") - strings.Count(line, "}")
}

// isNumbers reports whether a line has only numbers, in any usual notation of tables.
func isNumbers(line string) bool {
	for i := range len(line) {
		if c := line[i]; !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' || strings.IndexByte(" \t\\xX,.+-{}()[]\"'uUlL", c) >= 0) {
			return false
		}
	}
	return true
}

func isLiteral(line string) bool {
	if len(line) >= longNumbers && isNumbers(line) {
		return true
	}
	if len(line) < longRun || strings.Contains(line, "://") {
		return false // short, or a URL
	}
	run := 0
	for i := 0; i < len(line) && run < longRun; i++ {
		run++
		if line[i] == ' ' || line[i] == '\t' || line[i] >= utf8.RuneSelf {
			run = 0
		}
	}
	return run >= longRun
}
