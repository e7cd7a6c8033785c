// Package wording reads the words of questions: which of them carry meaning, in which forms each may occur, and which symbols they may name. Package rank
// looks the terms up in a corpus and weighs what it finds. Begin with terms.go; naming.go finds names of symbols.
package wording

import (
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"

	"github.com/blevesearch/bleve/v2/analysis/token/porter"

	"cortex/lib/search/token"
)

// IsFunctionWord reports English words that carry grammar and no subject.
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

// isProse reports whether the question has words besides function words, which may
// then be left out.
func isProse(question string) bool {
	words := token.Words(question)
	return slices.ContainsFunc(words, func(t token.Token) bool { return !IsFunctionWord(t.Term) })
}

// IsLetters reports whether the word has nothing but the letters a to z.
func IsLetters(word string) bool {
	for i := range len(word) {
		if c := word[i]; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// Stem is the stem of an English word (Porter 1980).
func Stem(word string) string {
	if len(word) < 3 {
		return word
	}
	stream := porter.NewPorterStemmer().Filter(analysis.TokenStream{{Term: []byte(word)}})
	return string(stream[0].Term)
}

// PlainWords are the words of a question that say something.
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

// WordsOfSubstance counts the different words of a question that say something, up to one more than make a text long.
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

// longWords is the number of different words of substance above which a text is long, and briefWords that up to
// which a question is as brief as most.
const longWords, briefWords = 30, 10

// Brevity is 1 for a question of so many different words of substance as most have or fewer, and 0 for a long text.
func Brevity(words int) float64 {
	return min(max(float64(longWords-words)/(longWords-briefWords), 0), 1)
}

// Headline is the first line of a report, such as that of a fault with a traceback, which sums it up: a text of several lines with more words than most
// questions have, or a long one. It is "" for a question.
func Headline(text string) string {
	text = strings.TrimSpace(text)
	first, rest, _ := strings.Cut(text, "\n")
	if words := WordsOfSubstance(text); words > longWords || words > briefWords && strings.TrimSpace(rest) != "" {
		return strings.TrimSpace(first)
	}
	return ""
}

// IsIdentifier reports whether the question is one name of more than one part. What has a character that is a word by itself is taken for a sentence in a script
// without blanks.
func IsIdentifier(question string) bool {
	if strings.ContainsAny(question, " \t\n") || strings.ContainsFunc(question, token.IsWord) {
		return false
	}
	words := token.Words(question)
	return len(words) > 1 || len(words) == 1 && words[0].To-words[0].From > 1
}

// MaxQuestionTerms bounds the words of a question: those that come first are kept.
const MaxQuestionTerms = 64
