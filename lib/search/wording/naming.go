package wording

import (
	"strings"
	"unicode/utf8"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// A Naming returns how closely a qualified name matches a term, from 0 (not at all) to 1.
type Naming func(name string) float32

// Namings returns a Naming for each term of a query that may name a symbol.
func Namings(n query.Node) []Naming {
	var list []Naming
	for _, t := range namingTerms(n) {
		list = append(list, NamingOf(t))
	}
	return list
}

// Cases returns for each term of Namings a function that reports whether a name has the case of the term.
func Cases(n query.Node) []func(name string) bool {
	var list []func(string) bool
	for _, t := range namingTerms(n) {
		list = append(list, CaseOf(t))
	}
	return list
}

func namingTerms(n query.Node) (list []*query.Term) {
	query.Walk(n, func(t *query.Term) {
		if (t.Field == query.Text || t.Field == query.Symbol) && !t.IsAnything() {
			list = append(list, t)
		}
	})
	return list
}

// CaseOf returns a function that reports whether a name ends in the last word of the term, in the same case.
func CaseOf(t *query.Term) func(name string) bool {
	words := token.Words(t.Text)
	if len(words) == 0 || t.IsPattern() || t.Fuzzy > 0 {
		return func(string) bool { return true }
	}
	last := words[len(words)-1]
	written := t.Text[last.Start:last.End]
	return func(name string) bool { return strings.HasSuffix(name, written) }
}

// QuestionNamings returns a Naming for each word of a question, without function words.
func QuestionNamings(question string) []Naming {
	var list []Naming
	for _, w := range token.Words(question) {
		if !IsFunctionWord(w.Term) && len(list) < MaxQuestionTerms {
			list = append(list, NamingOf(&query.Term{Field: query.Symbol, Text: w.Term}))
		}
	}
	return list
}

// NamingOf returns the Naming of a term. It compares whole components of names, beginning with the last one.
func NamingOf(t *query.Term) Naming {
	if t.Regexp != nil {
		return func(name string) float32 {
			name = token.FoldAll(name)
			last := corpus.LastComponent(name)
			if !t.Regexp.Match(last) {
				return 0
			}
			if last == name {
				return t.Regexp.Share(last)
			}
			return memberRank * t.Regexp.Share(last)
		}
	}
	if len(t.Wild) > 0 {
		pattern := token.PatternOf(t.Text, t.Wild)
		letters := float32(pattern.Letters())
		return func(name string) float32 {
			name = token.FoldAll(name)
			if pattern.Match(name) {
				return letters / float32(max(len(name), 1))
			}
			if last := corpus.LastComponent(name); pattern.Match(last) {
				return memberRank * letters / float32(max(len(last), 1))
			}
			return 0
		}
	}
	want := WholeWords(t.Text)
	if len(want) == 0 {
		return func(string) float32 { return 0 }
	}
	return func(name string) float32 {
		// Most names have another end, which is quick to check.
		if t.Fuzzy == 0 && !hasFoldedSuffix(name, want[len(want)-1]) {
			return 0
		}
		words := WholeWords(name)
		if len(words) < len(want) {
			return 0
		}
		edits := 0
		for i, w := range words[len(words)-len(want):] {
			if w == want[i] {
				continue
			}
			distance := hint.Distance(want[i], w, t.Fuzzy)
			if distance > t.Fuzzy {
				return 0
			}
			edits += distance
		}
		closeness := 1 / float32(1+edits)
		if len(words) > len(want) {
			closeness *= memberRank
		}
		return closeness
	}
}

// hasFoldedSuffix reports whether the folded name ends with suffix, which is folded.
func hasFoldedSuffix(name, suffix string) bool {
	for i, j := len(name)-1, len(suffix)-1; j >= 0; i, j = i-1, j-1 {
		if i < 0 {
			return false
		}
		c := name[i]
		if c >= utf8.RuneSelf || suffix[j] >= utf8.RuneSelf {
			return strings.HasSuffix(token.FoldAll(name), suffix)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != suffix[j] {
			return false
		}
	}
	return true
}

// WholeWords returns the words of the text without their parts.
func WholeWords(text string) []string {
	var words []string
	token.Scan(text, func(t token.Token) {
		if t.Kind == token.Whole {
			words = append(words, t.Term)
		}
	})
	return words
}

// Rank returns how well the declaration answers a question for its name, from 0 to 1. Headings of documents declare
// nothing and get 0.
func (n Naming) Rank(s record.SymbolRef) float32 {
	if s.Type == record.Heading {
		return 0
	}
	closeness := n(s.Name)
	if !s.Type.IsType() {
		closeness *= valueRank
	}
	return closeness
}

// memberRank is the factor for a match with the last component of a name, relative to the whole name.
const memberRank = 0.95

// valueRank is the factor for functions and values, relative to types.
const valueRank = 0.9

// ContinuedRank is the factor for further parts of a declaration.
const ContinuedRank = 0.95
