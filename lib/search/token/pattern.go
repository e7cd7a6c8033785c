package token

import (
	"strings"
	"unicode/utf8"
)

// A Pattern is a word with wildcards.
type Pattern struct {
	runes []rune
}

// The wildcards within a Pattern.
const (
	anyRunes rune = -1
	anyRune  rune = -2
)

// Patterns splits text into words as Scan does, and folds them. wild has the byte offsets in text, ascending, of
// wildcards (* or ?), which are part of words. A sigil stays with its word.
func Patterns(text string, wild []int) []Pattern {
	var list []Pattern
	var word []rune
	begin := func(i int) {
		if len(word) == 0 {
			word = []rune(text[i-sigilBefore(text[:i]) : i])
		}
	}
	flush := func() {
		if len(word) > 0 {
			list = append(list, newPattern(word))
		}
		word = nil
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case len(wild) > 0 && wild[0] == i:
			wild = wild[1:]
			if r == '*' {
				r = anyRunes
			} else {
				r = anyRune
			}
			begin(i)
			word = append(word, r)
		case classOf(r) == single:
			flush()
			word = []rune{r}
			// Only a wildcard can continue this word.
			if len(wild) == 0 || wild[0] != i+size {
				flush()
			}
		case classOf(r) == wordChar:
			begin(i)
			word = append(word, r)
		default:
			flush()
		}
		i += size
	}
	flush()
	return list
}

func newPattern(word []rune) Pattern {
	out := make([]rune, 0, len(word))
	for _, r := range word {
		if r == anyRunes && len(out) > 0 && out[len(out)-1] == anyRunes {
			continue
		}
		if r >= 0 {
			r = foldRune(r)
			if r < 0 {
				continue
			}
		}
		out = append(out, r)
	}
	return Pattern{runes: out}
}

// Literal returns the word if it has no wildcard.
func (p Pattern) Literal() (string, bool) {
	for _, r := range p.runes {
		if r < 0 {
			return "", false
		}
	}
	return Fold(string(p.runes)), true
}

// Anything reports whether the pattern has only wildcards.
func (p Pattern) Anything() bool {
	for _, r := range p.runes {
		if r >= 0 {
			return false
		}
	}
	return true
}

// Prefix returns the beginning of every match: the characters before the first wildcard.
func (p Pattern) Prefix() string {
	for i, r := range p.runes {
		if r < 0 {
			return Fold(string(p.runes[:i]))
		}
	}
	return Fold(string(p.runes))
}

// Letters returns the number of characters that are not wildcards.
func (p Pattern) Letters() int {
	n := 0
	for _, r := range p.runes {
		if r >= 0 {
			n++
		}
	}
	return n
}

// Match reports whether a folded term matches. The time is at worst proportional to the product of the lengths.
func (p Pattern) Match(term string) bool { return p.match(term, false) }

// MatchEnd reports whether a folded path, or an end of it after a slash, matches. It takes as long as Match.
func (p Pattern) MatchEnd(path string) bool { return p.match(path, true) }

func (p Pattern) match(term string, ends bool) bool {
	at, star, retry := 0, -1, 0
	start := 0 // of the end of term that is tried; once it has matched up to a star, no later one is needed
	for i := 0; i < len(term); {
		r, size := utf8.DecodeRuneInString(term[i:])
		switch {
		case at < len(p.runes) && p.runes[at] == anyRunes:
			star, retry = at, i
			at++
			continue
		case at < len(p.runes) && (p.runes[at] == r || p.runes[at] == anyRune):
			at++
			i += size
		case star >= 0:
			_, size := utf8.DecodeRuneInString(term[retry:])
			retry += size
			i, at = retry, star+1
		default:
			slash := strings.IndexByte(term[start:], '/')
			if !ends || slash < 0 {
				return false
			}
			start += slash + 1
			i, at = start, 0
		}
	}
	for at < len(p.runes) && p.runes[at] == anyRunes {
		at++
	}
	return at == len(p.runes)
}

// PatternOf returns one pattern for the whole text, punctuation included, for texts that are not split into words.
func PatternOf(text string, wild []int) Pattern {
	var word []rune
	for i, r := range text {
		if len(wild) > 0 && wild[0] == i {
			wild = wild[1:]
			if r == '*' {
				r = anyRunes
			} else {
				r = anyRune
			}
		}
		word = append(word, r)
	}
	return newPattern(word)
}
