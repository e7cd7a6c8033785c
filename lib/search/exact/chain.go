package exact

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"cortex/lib/search/query"
)

// A chain is the part of a message that a text has: words in the order of the message. The words of the message between
// them are taken for values.
type chain struct {
	words []int // indices of words of the message, ascending
	// score is the number of letters in the chain, less penalties for placeholders and for text that continues in other
	// words.
	score float64
	// fits is set if the text has nothing but the chain and placeholders for values.
	fits bool
}

// in returns the chain with the greatest score in the text.
func (m *message) in(text string) (best chain) {
	type link struct {
		word, at int // indices in the words of the message and of the text
		letters  int // score of the chain up to here
		before   int // in links, -1 for none
	}
	var links []link
	words := wordsOf(text)
	first := 0 // the first link that is near enough to precede the word
	for at, w := range words {
		for first < len(links) && links[first].at < at-1-maxPlaceholder {
			first++
		}
		now := len(links)
		for _, word := range m.at[w.Term] {
			one := link{word, at, 0, -1}
			for i := first; i < now; i++ {
				l := &links[i]
				follows := l.at == at-1 && l.word == word-1
				letters := l.letters
				if !follows {
					letters -= placeholderCost + max(at-2-l.at, 0)
				}
				if letters > one.letters && (follows || l.word < word-1 && isPlaceholder(text[words[l.at].End:w.Start])) {
					one.letters, one.before = letters, i
				}
			}
			one.letters += m.worth[word]
			links = append(links, one)
		}
	}
	for _, l := range links {
		if float64(l.letters) < best.score {
			continue
		}
		var c chain
		start := l
		for c.words = append(c.words, start.word); start.before >= 0; c.words = append(c.words, start.word) {
			start = links[start.before]
		}
		slices.Reverse(c.words)
		c.score, c.fits = float64(l.letters), true
		goesOn := func(at int) bool {
			return 0 <= at && at < len(words)-1 && isBlank(text[words[at].End:words[at+1].Start])
		}
		for _, end := range []struct{ goesOn, ends bool }{{goesOn(start.at - 1), start.word <= m.labels}, {goesOn(l.at), l.word == len(m.words)-1}} {
			switch {
			case end.goesOn && end.ends:
				c.score *= longer
			case end.goesOn:
				c.score *= unlike
				c.fits = false
			}
		}
		if c.score > best.score || c.score == best.score && len(c.words) > len(best.words) {
			best = c
		}
	}
	return best
}

// isPlaceholder reports whether the source between two words may produce a value: it contains characters that plain
// text does not have. An apostrophe does not count.
func isPlaceholder(between string) bool {
	return strings.ContainsFunc(apostrophe.ReplaceAllString(between, ""), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsSpace(r) && !strings.ContainsRune("_,.;:-!?", r)
	})
}

// apostrophe matches an apostrophe within a word, at the edge of the text between two words.
var apostrophe = regexp.MustCompile(`^['’]$|^['’](\pL)|(\pL)['’](\pL|$)`)

// isBlank reports whether the text between two words is only spaces and commas.
func isBlank(between string) bool { return strings.Trim(between, " ,") == "" }

// terms returns query terms that find the pieces of the message in a text that has them all in the order of the chain.
// A piece is a sequence of successive words. source is the pattern of the chain, equal for equal chains.
func (m *message) terms(words []int) (terms []query.Node, source string) {
	var pattern strings.Builder
	pattern.WriteString("(?is)")
	var pieces []string
	for i := 0; i < len(words); {
		n := i + 1
		for n < len(words) && words[n] == words[n-1]+1 {
			n++
		}
		if i > 0 {
			pattern.WriteString(".{0,200}?")
		}
		for j, word := range words[i:n] {
			if j > 0 {
				pattern.WriteString(`[^\pL\pN_]+`)
			}
			w := m.words[word]
			pattern.WriteString(regexp.QuoteMeta(m.text[w.Start:w.End]))
		}
		pieces = append(pieces, m.text[m.words[words[i]].Start:m.words[words[n-1]].End])
		i = n
	}
	source = pattern.String()
	literal, err := regexp.Compile(source)
	if err != nil {
		return nil, source // the message is not valid UTF-8, so no indexed text has it
	}
	for _, piece := range pieces {
		terms = append(terms, &query.Term{Field: query.Text, Text: piece, Phrase: true, Literal: literal, Boost: 1})
	}
	return terms, source
}

// without returns the pieces of the message between the words.
func (m *message) without(words []int) (values []string) {
	for i := 0; i < len(m.words); i++ {
		start := i
		for ; i < len(m.words); i++ {
			if _, found := slices.BinarySearch(words, i); found {
				break
			}
		}
		if i > start {
			values = append(values, m.text[m.words[start].Start:m.words[i-1].End])
		}
	}
	return values
}
