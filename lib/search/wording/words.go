// Package wording reads the words of questions: which of them carry meaning, in which forms each may occur, and which
// symbols they may name. Package rank looks the terms up in a corpus and weighs the matches. Begin with terms.go;
// naming.go finds names of symbols, intent.go tells what a question asks for.
package wording

import (
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"

	"github.com/blevesearch/bleve/v2/analysis/token/porter"

	"cortex/lib/search/token"
)

// IsFunctionWord reports whether the word is an English word of grammar without a subject, such as "the".
func IsFunctionWord(word string) bool {
	switch word {
	case "a", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do", "does",
		"for", "from", "had", "has", "have", "how", "i", "in", "into", "is", "it", "its", "me", "my", "of", "on",
		"or", "our", "s", "should", "so", "such", "t", "than", "that", "the", "their", "them", "then", "there", "these",
		"they", "this", "those", "to", "us", "was", "we", "were", "what", "when", "where", "which", "who", "whose",
		"why", "will", "with", "would", "you", "your":
		return true
	}
	return false
}

// isProse reports whether the question has other words than function words, so that the function words can be left out.
func isProse(question string) bool {
	words := token.Words(question)
	return slices.ContainsFunc(words, func(t token.Token) bool { return !IsFunctionWord(t.Term) })
}

// IsLetters reports whether the word has only the letters a to z.
func IsLetters(word string) bool {
	for i := range len(word) {
		if c := word[i]; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// Stem returns the stem of an English word (Porter 1980).
func Stem(word string) string {
	if len(word) < 3 {
		return word
	}
	stream := porter.NewPorterStemmer().Filter(analysis.TokenStream{{Term: []byte(word)}})
	return string(stream[0].Term)
}

// PlainWords returns the words of a question without function words, or all words if it has no others.
func PlainWords(question string) []string {
	var words []string
	prose := isProse(question)
	for _, w := range token.Words(question) {
		if !prose || !IsFunctionWord(w.Term) {
			words = append(words, w.Term)
		}
	}
	return words
}

// WordsOfSubstance counts the distinct words of a question that are no function words. It stops at longWords+1.
func WordsOfSubstance(question string) int {
	seen := map[string]bool{}
	for _, w := range token.Words(question) {
		if !IsFunctionWord(w.Term) {
			seen[w.Term] = true
		}
		if len(seen) > longWords {
			break
		}
	}
	return len(seen)
}

// Numbers of distinct words of substance: a text with more than longWords is long, and most questions have at most
// briefWords.
const longWords, briefWords = 30, 10

// Brevity returns 1 for a question of at most briefWords words of substance, 0 for a text of longWords or more, and a
// value between for others.
func Brevity(words int) float64 {
	return min(max(float64(longWords-words)/(longWords-briefWords), 0), 1)
}

// Headline returns the first line of a report, which sums it up, or "" for a question. A report is a text of more than
// longWords words, or one of several lines and more than briefWords words, such as the description of a fault with a
// traceback.
func Headline(text string) string {
	text = strings.TrimSpace(text)
	first, rest, _ := strings.Cut(text, "\n")
	if words := WordsOfSubstance(text); words > longWords || words > briefWords && strings.TrimSpace(rest) != "" {
		return strings.TrimSpace(first)
	}
	return ""
}

// IsIdentifier reports whether the question is one name of several parts. A text with characters that are words by
// themselves counts as a sentence in a script without spaces.
func IsIdentifier(question string) bool {
	if strings.ContainsAny(question, " \t\n") || strings.ContainsFunc(question, token.IsWord) {
		return false
	}
	words := token.Words(question)
	return len(words) > 1 || len(words) == 1 && words[0].To-words[0].From > 1
}

// MaxQuestionTerms bounds the words of a question: the first ones are kept.
const MaxQuestionTerms = 64
