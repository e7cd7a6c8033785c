package query

import (
	"regexp"
	"strings"
	"unicode"

	"cortex/lib/search/token"
)

// Advice says how to write a term that looks like a regular expression but is none; "" for other terms.
func (t *Term) Advice() string {
	if t.Regexp != nil || t.Field != Text && t.Field != Symbol {
		return ""
	}
	if parts := alternatives(t.Text); parts != nil {
		for i, part := range parts {
			if strings.ContainsFunc(part, unicode.IsSpace) {
				parts[i] = `"` + part + `"`
			}
		}
		return "OR joins alternatives: " + strings.Join(parts, " OR ")
	}
	if plain := blankClass.ReplaceAllString(t.Text, " "); plain != t.Text && !hasExpression.MatchString(plain) {
		return `words that follow each other are a phrase: "` + plain + `"`
	}
	if hasExpression.MatchString(t.Text) {
		return "a regular expression stands between slashes, /like.*this/, and matches single words"
	}
	return ""
}

var (
	// blankClass matches a class for white space.
	blankClass = regexp.MustCompile(`\\s[+*]?`)
	// hasExpression matches classes and repetitions, which neither code nor prose contains.
	hasExpression = regexp.MustCompile(`\\[wdsbWDSB]|\[\^|\[\w-\w|\.[*+]|[\])][+*?]`)
)

// alternatives returns the parts between the signs | if all parts are words, and nil for other texts, such as a || b.
func alternatives(text string) []string {
	inner := text
	if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		inner = text[1 : len(text)-1]
	}
	parts := strings.Split(strings.ReplaceAll(inner, `\|`, "|"), "|")
	if len(parts) < 2 {
		return nil
	}
	for i, part := range parts {
		parts[i] = strings.TrimSpace(part)
		if parts[i] == "" || strings.ContainsFunc(parts[i], func(r rune) bool {
			return r != ' ' && r != '.' && !token.IsInName(r)
		}) {
			return nil
		}
	}
	return parts
}
