package document

import (
	"regexp"
	"strings"

	"cortex/lib/language/fence"
	"cortex/lib/parse/lexical"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

// definitions makes a symbol for each name that a document declares: the arguments of directives such as
// ".. option::" and ".. function::" of reStructuredText, the terms of lists and items, the first cells of tables.
// Terms that may be any words count only if they look like the name of an option, a setting or the like. In code, only
// options as a program lists them count.
func definitions(text, lang string) []record.Symbol {
	var symbols []record.Symbol
	var block fence.Fence
	inBlock := false
	var scope []directive // the directives of reStructuredText around the line, outermost first
	above, term := line{}, line{}
	inTable := false
	var simple simpleTable
	number := 0
	for pos := 0; pos < len(text) && len(symbols) < maxHeadings; {
		end, next := lexical.NextLine(text, pos)
		number++
		l := line{text: strings.TrimRight(text[pos:end], " \t"), start: pos, end: end, number: number}
		pos = next
		markup := lang
		if inBlock {
			if block.Closes(l.text) {
				inBlock = false
				continue
			}
			markup = "" // only options as a program lists them count
		} else if block, inBlock = fence.Open(l.text, above.text, lang); inBlock {
			continue
		}
		var names []string
		at := l
		switch markup {
		case "rst":
			names, scope = restDefinitions(l.text, scope)
			if names == nil {
				names = append(simple.names(l.text, above.text), literalRow(l.text)...)
				names = append(names, itemNames(oneTick(l.text), above.text)...)
			}
			if names == nil && fence.Indentation(l.text) > fence.Indentation(above.text) {
				if t := strings.TrimSpace(above.text); strings.HasPrefix(t, "``") {
					names, at = describedNames(oneTick(t)), above
				} else if plainTermOfReST.MatchString(above.text) {
					t, _, _ = strings.Cut(t, " ")
					names, at = appendName(nil, t), above
				}
			}
		case "asciidoc":
			beginsRow := above.text == "" || strings.HasPrefix(l.text, "|`") && strings.Count(l.text, "|") > 1
			if strings.HasPrefix(l.text, "|") && beginsRow {
				names = rowNames(l.text)
			} else {
				names = itemNames(nestedItem.ReplaceAllString(l.text, "* "), above.text)
			}
			if names != nil || !strings.Contains(l.text, "::") && !strings.Contains(l.text, ";;") {
				break
			}
			if found := asciiDocTerm.FindString(l.text); found != "" {
				names = termNames(strings.TrimRight(found, ":; \t"))
			}
		case "org":
			if strings.HasPrefix(l.text, "|") {
				names = rowNames(orgCode.ReplaceAllString(l.text, "$1`$2`$3"))
			} else if t, _, ok := strings.Cut(l.text, " ::"); ok {
				if t = strings.TrimLeft(t, " \t"); t != "" && strings.IndexByte("-+", t[0]) >= 0 {
					names = termNames(strings.TrimSpace(t[1:]))
				}
			}
		case "markdown", "mdx":
			if strings.HasPrefix(l.text, ": ") || strings.HasPrefix(l.text, ":\t") {
				names, at = termNames(term.text), term
			}
			if l.text != "" {
				term = l
			}
			if inTable = isTableDelimiter(l.text) || inTable && strings.Contains(l.text, "|"); inTable {
				names = rowNames(l.text)
			} else if strings.HasPrefix(strings.TrimLeft(l.text, " \t"), "<") {
				names = elementNames(l.text, above.text)
			}
			if names == nil && !inTable {
				names = append(names, itemNames(l.text, above.text)...)
			}
		case "roff":
			names = roffDefinitions(l.text, above.text)
		case vimHelp:
			names = vimTags(l.text)
		}
		if names == nil {
			names = listedOptions(l.text)
		}
		if !inBlock {
			above = l
		}
		if n := len(symbols); n > 0 && symbols[n-1].StartLine == at.number {
			continue // the beginning of a paragraph is the term of a list, too
		}
		for _, name := range names {
			symbols = append(symbols, record.Symbol{
				Kind: record.Key, Name: name, QualifiedName: name, Signature: shorten.End(shorten.Line(at.text), maxHeadingName), Exported: true,
				StartLine: at.number, EndLine: at.number, StartByte: at.start, EndByte: at.end,
			})
		}
	}
	return symbols
}

// A line is a line of a document without spaces at its end.
type line struct {
	text               string
	start, end, number int
}

// plainTermOfReST matches a name that begins a definition list, perhaps with a type.
var plainTermOfReST = regexp.MustCompile(`^[a-z][a-z\d]*(?:[._-]?[A-Za-z\d]+)*(?: : .+)?$`)

// nestedItem matches the marker of an item of AsciiDoc within another.
var nestedItem = regexp.MustCompile(`^\s*\*{2,5}\s+`)

// asciiDocTerm matches the term of a labelled list.
var asciiDocTerm = regexp.MustCompile(`^[^\s.:\[/|].{0,200}?(?::{2,4}|;;)(?:\s|$)`)

// restDirective matches a directive that describes an object, as Sphinx and its domains have them.
var restDirective = regexp.MustCompile(`^(\s*)\.\. (?:\w+:)?(option|cmdoption|confval|setting|envvar|data|var|function|method|classmethod|staticmethod|` +
	`decorator|decoratormethod|class|exception|attribute|property|macro|member|type|struct|union|enum|enumerator|concept|alias|` +
	`directive|role|opcode|pdbcommand|django-admin|templatetag|templatefilter|fieldlookup)::\s+(.+)$`)

// A directive of reStructuredText has the text that is indented more, which it may declare the scope of.
type directive struct {
	indent int
	name   string
}

// restDefinitions returns the names that a line of reStructuredText declares, and the scope of the next line.
func restDefinitions(text string, scope []directive) ([]string, []directive) {
	if !strings.Contains(text, "::") {
		return nil, scope
	}
	found := restDirective.FindStringSubmatch(text)
	if found == nil {
		return nil, scope
	}
	for len(scope) > 0 && scope[len(scope)-1].indent >= len(found[1]) {
		scope = scope[:len(scope)-1]
	}
	switch found[2] {
	case "option", "cmdoption":
		return termNames(found[3]), scope
	}
	declared, _, _ := strings.Cut(found[3], "(")
	declared, _, _ = strings.Cut(declared, " = ")
	declared, _, _ = strings.Cut(declared, ": ")
	words := strings.Fields(declared)
	if len(words) == 0 {
		return nil, scope
	}
	name := bareName(words[len(words)-1])
	if name == "" {
		return nil, scope
	}
	if len(scope) > 0 && !strings.Contains(name, ".") {
		name = scope[len(scope)-1].name + "." + name
	}
	switch found[2] {
	case "class", "exception", "struct", "union", "enum", "type":
		if len(scope) < maxLevel && len(name) < maxHeadingName {
			scope = append(scope, directive{len(found[1]), name})
		}
	}
	return []string{name}, scope
}

// roffDefinitions returns the names that an item of a manual page describes: one of mdoc, or one of man, whose tag is an
// argument of .IP or the line below .TP.
func roffDefinitions(text, above string) []string {
	macro, rest, _ := strings.Cut(text, " ")
	switch {
	case macro == ".It":
		words := strings.Fields(rest)
		var names []string
		for i, w := range words[:max(len(words)-1, 0)] {
			switch w {
			case "Fl":
				names = appendName(names, "-"+roffText(words[i+1]))
			case "Cm", "Ic", "Dv", "Ev", "Va", "Li", "Sy", "Nm", "Fn":
				if i == 0 {
					names = appendName(names, roffText(words[i+1]))
				}
			}
		}
		return longNames(names)
	case macro == ".IP":
		if strings.HasPrefix(rest, `"`) {
			rest, _, _ = strings.Cut(rest[1:], `"`)
		}
		return termNames(roffText(rest))
	case above == ".TP" || strings.HasPrefix(above, ".TP ") || above == ".TQ":
		bold := strings.HasPrefix(text, ".B") || strings.HasPrefix(text, `\fB`)
		if strings.HasPrefix(text, ".") {
			text = rest
		}
		text = roffText(text)
		if names := termNames(text); names != nil || !bold {
			return names
		}
		name, _, _ := strings.Cut(text, " ")
		return appendName(nil, bareName(name))
	}
	return nil
}

// termNames returns the names that a term such as "-a, --author=<name>" consists of; none if it is a text.
func termNames(term string) []string {
	if len(term) > maxInline {
		return nil
	}
	term = anchorMarks.ReplaceAllString(term, "")
	var names []string
	for part := range strings.FieldsFuncSeq(term, func(r rune) bool { return r == ',' || r == '|' }) {
		part = strings.TrimSpace(part)
		if part == "or" || part == "" {
			continue
		}
		code := strings.IndexByte("`=~'", part[0]) >= 0
		part = strings.ReplaceAll(part, "[no-]", "")
		words := strings.Fields(part)
		name := bareName(words[0])
		if name == "" {
			continue
		}
		flag := name[0] == '-' || name[0] == '/' && len(words) == 1
		if !flag && (len(words) > 1 && !isPlaceholder(words[1]) || !code && !looksLikeName(name)) {
			return nil
		}
		names = appendName(names, name)
	}
	return longNames(names)
}

// anchorMarks matches an anchor of AsciiDoc in a term.
var anchorMarks = regexp.MustCompile(`\[\[[^\]]*\]\]`)

// isPlaceholder reports whether a word stands for an argument, such as "<name>" and "NAME".
func isPlaceholder(word string) bool {
	word = strings.Trim(word, "`*_'")
	return word != "" && (strings.IndexByte("<[{(", word[0]) >= 0 || strings.ToUpper(word) == word || strings.HasPrefix(word, "..."))
}

// bareName returns a word without the marks of code and emphasis around it and the argument behind it.
func bareName(word string) string {
	word = strings.TrimLeft(word, "`*_'\"=~+!$&([")
	if len(word) > 1 && word[0] == ':' && isLetter(word[1]) { // a symbol of Ruby or an attribute of AsciiDoc
		word = word[1:]
	}
	if i := strings.IndexAny(word, "=<[({`*'\"+~"); i >= 0 {
		word = word[:i]
	}
	return strings.TrimRight(word, "`*_'\":;,.)]}")
}

// looksLikeName reports whether a word is no word of a language: it has a sign or a digit within, a capital behind a
// small letter, or consists of capitals.
func looksLikeName(word string) bool {
	for i := 1; i < len(word); i++ {
		c := word[i]
		upper := c >= 'A' && c <= 'Z'
		if strings.IndexByte("._-/:$@%", c) >= 0 && i+1 < len(word) || lexical.IsDigit(c) || upper && word[i-1] >= 'a' && word[i-1] <= 'z' {
			return true
		}
	}
	return len(word) > 2 && strings.ToUpper(word) == word && isLetter(word[0])
}

func appendName(names []string, name string) []string {
	if strings.Trim(name, "-./") == "" || len(name) > maxHeadingName {
		return names
	}
	return append(names, name)
}

// longNames returns the names without the flags of one letter, if there are others.
func longNames(names []string) []string {
	var long []string
	for _, name := range names {
		if len(strings.TrimLeft(name, "-")) > 1 {
			long = append(long, name)
		}
	}
	if long == nil {
		return names
	}
	return long
}
