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

// Patterns cuts text into words as Scan does, wholly folded; the bytes of text named in wild, in ascending
// order, are wildcards (* or ?) and belong to words. A sigil stays with its word.
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
			// A wildcard may follow the character, another character may not.
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

// Anything reports whether the pattern is nothing but wildcards.
func (p Pattern) Anything() bool {
	for _, r := range p.runes {
		if r >= 0 {
			return false
		}
	}
	return true
}

// Prefix is what every match begins with.
func (p Pattern) Prefix() string {
	for i, r := range p.runes {
		if r < 0 {
			return Fold(string(p.runes[:i]))
		}
	}
	return Fold(string(p.runes))
}

// Letters is the number of characters that are not wildcards.
func (p Pattern) Letters() int {
	n := 0
	for _, r := range p.runes {
		if r >= 0 {
			n++
		}
	}
	return n
}

// Match reports whether a folded term matches, in time proportional to the product of the
// lengths at worst.
func (p Pattern) Match(term string) bool { return p.match(term, false) }

// MatchEnd reports whether a folded path or an end of it after a slash matches, in as much time.
func (p Pattern) MatchEnd(path string) bool { return p.match(path, true) }

func (p Pattern) match(term string, ends bool) bool {
	at, star, retry := 0, -1, 0
	start := 0 // of what is tried; after the first star no other one is better
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

// PatternOf makes one pattern of the whole text, punctuation and all, for what is not
// cut into words.
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
