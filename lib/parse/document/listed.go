package document

import (
	"regexp"
	"strings"

	"cortex/lib/language"
	"cortex/lib/language/fence"
	"cortex/lib/parse/lexical"
)

// isTableDelimiter reports whether a line stands between the head and the rows of a table in Markdown.
func isTableDelimiter(line string) bool {
	return strings.Contains(line, "|") && strings.Contains(line, "-") && strings.Trim(line, "|:-> \t") == ""
}

// rowNames returns the names that a row of a table describes: those in its first cell. A name without the
// marks of code counts if it is a flag or has several parts. What a link leads to is described there, not in the row.
func rowNames(line string) []string {
	cell := strings.TrimPrefix(strings.TrimLeft(line, "> \t"), "|")
	inCode := false
	for i := range len(cell) {
		if cell[i] == '`' {
			inCode = !inCode
		} else if cell[i] == '|' && !inCode && (i == 0 || cell[i-1] != '\\') {
			cell = cell[:i]
			break
		}
	}
	cell = strings.Trim(plainTerm(cell), " \t")
	if bare := strings.Trim(strings.ReplaceAll(cell, "\\", ""), "*"); !strings.HasPrefix(strings.TrimLeft(cell, "*_"), "`") {
		if strings.Contains(bare, " ") || !strings.HasPrefix(bare, "--") && !hasParts.MatchString(bare) {
			return nil
		}
		cell = bare
	}
	return describedNames(cell)
}

// literalRow returns the names in the first cell of a row of reStructuredText, in a grid or as "* - “name“".
func literalRow(line string) []string {
	line = strings.TrimLeft(line, " \t")
	if cell, found := strings.CutPrefix(line, "* - ``"); found {
		return describedNames("`" + oneTick(cell))
	}
	if strings.HasPrefix(line, "|") && strings.Contains(line, "``") {
		return rowNames(oneTick(line))
	}
	return nil
}

// oneTick returns a text with the marks of code of reStructuredText as those of Markdown.
func oneTick(text string) string { return strings.ReplaceAll(text, "``", "`") }

// hasParts matches a name of several parts, such as max_size, maxSize and image.tag.
var hasParts = regexp.MustCompile(`^(?:[A-Za-z]+(?:_[A-Za-z\d]+)+|[a-z]{2,}\d*(?:[A-Z][a-z\d]+)+|[a-z][\w-]*(?:\.[a-z][\w-]*)+)$`)

// A simpleTable is the state of a table of reStructuredText whose columns only spaces separate. The rows follow the
// second border.
type simpleTable struct{ borders, indent int }

// names returns the names that a line describes if it is a row of the table.
func (t *simpleTable) names(text, above string) []string {
	switch {
	case simpleBorder.MatchString(text):
		t.indent = fence.Indentation(text)
		t.borders = (t.borders + 1) % 3
	case text == "" && simpleBorder.MatchString(above):
		t.borders = 0 // the table has no head
	case t.borders == 2 && text != "" && fence.Indentation(text) == t.indent:
		cell, _, _ := strings.Cut(text[t.indent:], "  ")
		return rowNames(oneTick(strings.ReplaceAll(cell, "**", "`")))
	}
	return nil
}

// simpleBorder matches a line of a simple table that is no row.
var simpleBorder = regexp.MustCompile(`^\s*==+(?: +==+)+$`)

// itemNames returns the names that an item of a list describes: names in code that a separator follows, and names in
// bold. A flag needs no separator, and may begin a paragraph, too.
func itemNames(line, above string) []string {
	line = strings.TrimLeft(line, " \t")
	if line == "" || line[0] == '>' {
		return nil
	}
	n := fence.MarkerLength(line)
	item := strings.TrimLeft(line[n:], " \t")
	if item == "" || strings.IndexByte("`*_<", item[0]) < 0 || n == 0 && (above != "" && strings.IndexByte("#=", above[0]) < 0 || !beginsWithFlag.MatchString(item)) {
		return nil
	}
	item = boldFlag.ReplaceAllString(plainTerm(item[:min(len(item), maxInline)]), "`$1`")
	if found := itemTerm.FindStringSubmatch(item); found != nil && (strings.HasPrefix(found[1], "`-") && !withValue.MatchString(found[1]) || separator.MatchString(item[len(found[0]):])) {
		return describedNames(found[1])
	}
	if found := boldName.FindStringSubmatch(item); found != nil {
		return describedNames(found[1] + found[2])
	}
	return nil
}

var (
	// itemTerm matches code at the beginning of an item, with more of it behind a comma and the like.
	itemTerm = regexp.MustCompile("^(?:\\*\\*?|__?)?(`[^`]+`(?:(?:, ?| ?/ ?| or |\\|)`[^`]+`)*)(?:\\*\\*?|__?)?")
	// withValue matches a flag with its value, as in an example.
	withValue = regexp.MustCompile(`=[^<\[{A-Z]`)
	// beginsWithFlag matches a flag in code or bold, boldFlag one in bold.
	beginsWithFlag = regexp.MustCompile("^(?:`|\\*\\*`?)-{1,2}\\w")
	boldFlag       = regexp.MustCompile("\\*\\*(-{1,2}\\w[^*`]*)\\*\\*")
	// boldName matches a name of several words in bold at the beginning of an item. One with hyphens, which may be
	// any words, has a colon.
	boldName = regexp.MustCompile(`^(?:\*\*\*?|__)(?:([A-Za-z.]+(?:_|[a-z][A-Z]|[a-z]\.[a-z])\w[\w.]*):?(?:\*\*|__)|([a-z\d]+(?:-[a-z\d]+)+)(?::\*\*|\*\*:))`)
	// separator matches what stands between a term and its description: a sign, perhaps behind a type in brackets,
	// emphasis or plain, or only a type in brackets.
	separator = regexp.MustCompile(`^(?:\*\*|__)?\s*(?:` +
		`(?:(?:[\[({<][^\])}>]{1,40}[\])}>]|\*[^*]{1,40}\*|_[^_]{1,40}_)\s*)?(?::|[-–—=]+>?\s)|` +
		`[\w.<>\[\]|]+\s(?:\([^()]*\)\s)?[-–—]\s|` +
		`(?:\{[^{}]{1,60}\}|\([A-Za-z][\w.|<>\[\]]*(?:, ?(?:optional|required|default)\b[^()]*)?\))(?:\s|$))`)
)

// listedOptions returns the options that a line of a program's help describes, as in "  -o, --output FILE   Write to FILE".
func listedOptions(line string) []string {
	line = strings.TrimLeft(line, " \t")
	if !strings.HasPrefix(line, "-") || !strings.Contains(line, "  ") {
		return nil
	}
	if found := optionLine.FindStringSubmatch(line); found != nil {
		return termNames(found[1])
	}
	return nil
}

// optionLine matches options with their arguments and what follows two spaces behind them.
var optionLine = regexp.MustCompile(`^((?:-{1,2}[A-Za-z\d?][\w-]*(?:[= ]?(?:<[^<>]*>|\[[^\[\]]*\]|[A-Z][A-Z_\d-]*|[a-z]+))?(?:, ?| ?[/|] ?)?)+)\s{2,}[A-Za-z(\[]`)

// elementNames returns the names that a line of HTML or JSX describes: those of a term, or in the first cell of a row, or
// the name of a field in a reference of an interface.
func elementNames(line, above string) []string {
	if found := fieldElement.FindStringSubmatch(line); found != nil {
		return appendName(nil, found[1])
	}
	found := elementTerm.FindStringSubmatch(line)
	if found == nil || found[1] == "" && strings.EqualFold(found[2], "td") && !rowElement.MatchString(above) {
		return nil
	}
	return rowNames("|" + found[3])
}

var (
	fieldElement = regexp.MustCompile(`^\s*<(?:ParamField|ResponseField)\s(?:[^<>]*?\s)?(?:path|query|body|header|name)=["']([\w.-]+)["']`)
	elementTerm  = regexp.MustCompile(`(?i)^\s*(<tr[^<>]*>\s*)?<(dt|td)(?:\s[^<>]*)?>(.*?)</(?:dt|td)>`)
	rowElement   = regexp.MustCompile(`(?i)<tr(?:\s[^<>]*)?>$`)
)

// plainTerm returns a term without tags. A line break separates names, unless the one before it ends with a dot.
func plainTerm(term string) string {
	if strings.Contains(term, "<") {
		term = lineBreak.ReplaceAllString(term, ", ")
		term = oneTick(codeTag.ReplaceAllString(term, "`"))
		term = inlineTag.ReplaceAllString(term, "")
		term = strings.ReplaceAll(term, ".`, `", ".")
	}
	return term
}

var (
	codeTag   = regexp.MustCompile(`(?i)</?(?:code|tt|kbd)(?:\s[^<>]*)?>`)
	lineBreak = regexp.MustCompile(`(?i)\s*<br\s*/?>\s*`)
	inlineTag = regexp.MustCompile(`(?i)</?(?:a|span|b|strong|sub|sup|code-?\w*)(?:\s[^<>]*)?/?>`)
)

// describedNames returns the names in a term of a table or list that can be those of an option, a function or the like,
// and are no values or files.
func describedNames(term string) []string {
	if strings.Contains(term, "==") || strings.Contains(term, " = ") {
		return nil // an expression
	}
	term = within.ReplaceAllString(term, ".$1.")
	term = withType.ReplaceAllString(term, "$1`")
	if i := strings.IndexByte(term, '('); i > 0 && term[i-1] != ' ' {
		term = strings.Replace(term[:i], "`.", "`", 1)
	}
	if strings.Contains(term, "&") {
		return nil // an entity of HTML
	}
	var names []string
	for _, name := range termNames(term) {
		name = strings.TrimRight(name, "?")
		switch strings.ToLower(name) {
		case "", "true", "false", "null", "nil", "none", "undefined", "yes", "no", "on", "off":
			continue
		}
		flag := name[0] == '-'
		if lexical.IsDigit(name[0]) || strings.IndexByte("./<\\", name[0]) >= 0 || strings.IndexFunc(name, isASCIILetter) < 0 ||
			len(name) == 1 && strings.ContainsAny(term, "'\"") || !flag && (strings.Contains(name, "/") || language.Detect(name, nil).Name != language.Other) {
			continue
		}
		names = append(names, name)
	}
	return names
}

// withType matches a name in code with its type, as in "`limit: number`".
var withType = regexp.MustCompile("(`[\\w.$-]+\\??): [^`]*`")

// within matches a placeholder between the parts of a name.
var within = regexp.MustCompile(`\.[<{\[]([\w-]+)[>}\]]\.`)

func isASCIILetter(r rune) bool { return r < 0x80 && isLetter(byte(r)) }
