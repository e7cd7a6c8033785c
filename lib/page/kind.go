package page

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"cortex/lib/graph/table"
	"cortex/lib/search/query"
)

// operators are what only a query in the language of exact search has.
var operators = regexp.MustCompile(`"|(^|\s)(AND|OR|NOT)(\s|$)|(^|[\s(])[-+][\w("]|^/.+/$|\w[*~]|[*]\w|(^|[\s(])[()]`)

// kindOf tells what a query is: the name of a symbol, a query of exact search, or a question.
func kindOf(text string) string {
	switch {
	case looksExact(text):
		return exact
	case looksLikeName(text):
		return symbol
	}
	return question
}

// looksExact reports whether a query has something of the language of exact search.
func looksExact(text string) bool {
	if looksLikeName(strings.TrimRight(text, "*")) && strings.HasSuffix(text, "*") {
		return false // a beginning of a name
	}
	return operators.MatchString(text) || hasField(text)
}

// mayBeMessage reports whether a query that looks exact may be what a program has said, with values that no file has.
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

// looksLikeName reports whether a query is one name as code has it: with a capital inside, an underscore, a dot, a digit or ::.
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

// asking lists the forms of questions about a relation. The first group of a form is the name of the thing that is asked about.
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

// kindWord is what people put before a name to say what it names.
var kindWord = regexp.MustCompile(`(?i)\b(?:the )?(?:function|method|class|type|interface|struct|trait|constant|variable|field) `)

// relationAsked is the thing whose relation a query asks for, the relation, and what to call it; "" for none.
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

// symbolQuery is the query of exact search for definitions of a name.
func symbolQuery(name string) string {
	name = strings.ReplaceAll(name, `"`, "")
	if strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`()^~/\+-`, r) }) {
		return `symbol:"` + strings.ReplaceAll(name, `\`, "") + `"`
	}
	if of, own, ok := strings.Cut(name, "."); ok && of != "" && own != "" && !strings.ContainsAny(name, `"*?:`) {
		// A package is no part of the names that it declares.
		return fmt.Sprintf("symbol:%s OR (symbol:%s package:%s)", name, own, of)
	}
	return "symbol:" + name
}
