package page

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"cortex/lib/graph/table"
	"cortex/lib/search/query"
)

// operators match syntax that only queries of exact search have.
var operators = regexp.MustCompile(`"|(^|\s)(AND|OR|NOT)(\s|$)|(^|[\s(])[-+][\w("]|^/.+/$|\w[*~]|[*]\w|(^|[\s(])[()]`)

// kindOf returns the kind of a query: the name of a symbol, a query of exact search, or a question.
func kindOf(text string) string {
	switch {
	case looksExact(text):
		return exact
	case looksLikeName(text):
		return symbol
	}
	return question
}

// looksExact reports whether a query has syntax of exact search.
func looksExact(text string) bool {
	if looksLikeName(strings.TrimRight(text, "*")) && strings.HasSuffix(text, "*") {
		return false // the prefix of a name
	}
	return operators.MatchString(text) || hasField(text)
}

// mayBeMessage reports whether a query that looks exact may be a message of a program, with values that are in no file.
func mayBeMessage(text string) bool {
	return looksExact(text) && !hasField(text) && strings.Count(text, " ") > 1
}

// hasField reports whether a word of the query names a field of exact search.
func hasField(text string) bool {
	for word := range strings.FieldsSeq(text) {
		if name, rest, ok := strings.Cut(word, ":"); ok && rest != "" && !strings.HasPrefix(rest, ":") {
			if _, known := query.FieldByName(name); known {
				return true
			}
		}
	}
	return false
}

// looksLikeName reports whether a query is a single name as in code: with a capital letter, or inside it an underscore,
// a dot, a digit or a colon.
func looksLikeName(text string) bool {
	if text == "" || strings.ContainsFunc(text, unicode.IsSpace) || strings.HasSuffix(text, "?") {
		return false
	}
	letters, marked := false, false
	for i, r := range text {
		switch {
		case unicode.IsUpper(r):
			letters, marked = true, true
		case unicode.IsLetter(r):
			letters = true
		case r == '_', r == '$', unicode.IsDigit(r):
			marked = marked || i > 0
		case r == '.', r == ':', r == '#':
			marked = marked || i > 0 && i < len(text)-1
		case r == '*':
		default:
			return false
		}
	}
	return letters && marked
}

// asking has patterns of questions about a relation. The first group of a pattern is the name of the symbol in
// question.
var asking = []struct {
	form      *regexp.Regexp
	operation table.Operation
	label     string
}{
	{regexp.MustCompile(`(?i)^(?:callers of|(?:who|what) calls) (\S+)$`), table.Callers, "callers of %s"},
	{regexp.MustCompile(`(?i)^where is (\S+) called$`), table.Callers, "callers of %s"},
	{regexp.MustCompile(`(?i)^(?:callees of|calls of|what does) (\S+?)(?: call)?$`), table.Callees, "what %s calls"},
	{regexp.MustCompile(`(?i)^(?:implementations of|implementers of|subclasses of|(?:who|what) (?:implements|extends)) (\S+)$`), table.Implementations, "implementations of %s"},
	{regexp.MustCompile(`(?i)^(?:references (?:of|to)|uses of|usages of|(?:who|what) (?:uses|references)) (\S+)$`), table.References, "references to %s"},
	{regexp.MustCompile(`(?i)^where is (\S+) (?:used|referenced|mentioned)$`), table.References, "references to %s"},
	{regexp.MustCompile(`(?i)^(?:tests (?:of|for)|(?:who|what) tests|which tests reach) (\S+)$`), table.Impact, "tests that reach %s"},
	{regexp.MustCompile(`(?i)^(?:what|which tests) (?:does|would|is reached by) a change (?:of|to|in) (\S+?)(?: reach)?$`), table.Impact, "what a change of %s reaches"},
	{regexp.MustCompile(`(?i)^(?:impact of|what (?:does )?a change (?:of|to|in)) (\S+?)(?: reach(?:es)?)?$`), table.Impact, "what a change of %s reaches"},
}

// kindWord matches words such as "the function" before a name.
var kindWord = regexp.MustCompile(`(?i)\b(?:the )?(?:function|method|class|type|interface|struct|trait|constant|variable|field) `)

// relationAsked returns the name, the operation and the label if a query asks for a relation; otherwise the name is "".
func relationAsked(text string) (name string, operation table.Operation, label string) {
	text = kindWord.ReplaceAllString(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "?")), "")
	for _, a := range asking {
		if m := a.form.FindStringSubmatch(text); m != nil {
			name = strings.TrimSuffix(strings.Trim(m[1], "`'\""), "()")
			return name, a.operation, fmt.Sprintf(a.label, name)
		}
	}
	return "", "", ""
}

// symbolQuery returns the query of exact search for definitions of a name.
func symbolQuery(name string) string {
	name = strings.ReplaceAll(name, `"`, "")
	if strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`()^~/\+-`, r) }) {
		return `symbol:"` + strings.ReplaceAll(name, `\`, "") + `"`
	}
	if of, own, ok := strings.Cut(name, "."); ok && of != "" && own != "" && !strings.ContainsAny(name, `"*?:`) {
		// The qualified names of symbols do not include the package, so search for both readings.
		return fmt.Sprintf("symbol:%s OR (symbol:%s package:%s)", name, own, of)
	}
	return "symbol:" + name
}
