package query

import (
	"regexp"
	"strings"

	"cortex/lib/search/token"
)

// AsWritten returns a term that matches the text verbatim except for case and white space, as if it stood in quotes;
// nil if it has no letter or digit, or is too long. An option at its beginning, such as -z, does not match within a-z.
func AsWritten(text string) Node {
	text = strings.TrimSpace(text)
	words := len(token.Words(text))
	if words == 0 || words > maxWords || len(text) > maxLength {
		return nil
	}
	return &Term{Field: Text, Text: text, Phrase: true, Literal: verbatim(text, option.MatchString(text)), Boost: 1, Query: text, End: len(text)}
}

// option matches a command-line option at the beginning of a text.
var option = regexp.MustCompile(`^-\w`)

// literal returns a pattern for a text with a sign that tells it from others with the same words, verbatim except for
// white space; nil if the text has no such sign. A name with empty parentheses is a name.
func literal(text string) *regexp.Regexp {
	if !telling.MatchString(strings.TrimSuffix(text, "()")) {
		return nil
	}
	return Verbatim(text)
}

// telling matches the signs that tell texts apart: operators and brackets, and others where prose does not have them,
// as in -1, a / b and a ? b.
var telling = regexp.MustCompile(`[=<>!+*&|^~@#$%;"\\(){}\[\]]|->|--|\.\.\.|\?[.?]|(^|[^\w\s])-\w|\s[-/?](\w|\s)`)

// Verbatim returns a pattern that matches the text in any case, with any white space where the text has some; nil if
// the text is not valid UTF-8.
func Verbatim(text string) *regexp.Regexp { return verbatim(text, false) }

// verbatim is Verbatim. With apart, the text does not match right behind a word.
func verbatim(text string, apart bool) *regexp.Regexp {
	fields := strings.Fields(text)
	for i := range fields {
		fields[i] = directive.ReplaceAllString(regexp.QuoteMeta(fields[i]), `#[ \t]*$1`)
	}
	pattern := strings.Join(fields, `\s+`)
	switch {
	case isWordAt(text, 0):
		pattern = `\b` + pattern
	case apart:
		pattern = `\B` + pattern
	}
	if isWordAt(text, len(text)-1) {
		pattern += `\b`
	}
	expression, err := regexp.Compile("(?i)" + pattern)
	if err != nil {
		return nil // not valid UTF-8, so no indexed text has it
	}
	return expression
}

// directive matches a directive of the C preprocessor, which may have white space behind its sign.
var directive = regexp.MustCompile(`^#(define|undef|include|if|ifn?def|el(?:se|if)|endif|pragma|error|warning)\b`)

// Unsigned returns a word that matches the text verbatim without the sign of a directive, which may be apart from it:
// define for #define. Other words stay as they are.
func (t *Term) Unsigned(word string) string {
	if t.Literal != nil && directive.MatchString(word) {
		return word[1:]
	}
	return word
}

// isWordAt reports whether the byte at i is a word character in the sense of \b.
func isWordAt(text string, i int) bool {
	c := text[i]
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
