package tokenizer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// An addedToken is a token that is found in the text before the text is split into words.
type addedToken struct {
	ID         int32  `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LStrip     bool   `json:"lstrip"`
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
}

// addedTokens is the list of added tokens in the file.
type addedTokens []addedToken

func (a *addedTokens) UnmarshalJSON(data []byte) (err error) {
	*a, err = list[addedToken](data, maxAddedTokens)
	return err
}

// added finds added tokens in texts: the leftmost one, and of several at one place the longest.
type added struct {
	tokens []addedToken
	trie   *trie // values are indexes into tokens
	first  [256]bool
}

func newAdded(tokens []addedToken) *added {
	a := &added{}
	texts := map[string]int32{}
	for _, t := range tokens {
		if _, twice := texts[t.Content]; twice {
			continue
		}
		texts[t.Content] = int32(len(a.tokens))
		a.tokens = append(a.tokens, t)
		a.first[t.Content[0]] = true
	}
	a.trie = newTrie(texts)
	return a
}

// each calls f with the parts of a text in order: an added token with its number, the text between tokens with -1.
func (a *added) each(text string, f func(part string, id int32)) {
	start := 0
	for at := 0; at < len(text) && len(a.tokens) > 0; {
		if !a.first[text[at]] {
			at++
			continue
		}
		found, end := int32(-1), 0
		a.trie.prefixes(text[at:], func(value int32, length int) {
			found, end = value, at+length
		})
		if found < 0 {
			at++
			continue
		}
		t := &a.tokens[found]
		begin := at
		at = end
		if t.SingleWord {
			before, _ := utf8.DecodeLastRuneInString(text[:begin])
			after, _ := utf8.DecodeRuneInString(text[end:])
			if begin > 0 && isWord(before) || end < len(text) && isWord(after) {
				continue
			}
		}
		if t.LStrip {
			begin = max(start, len(strings.TrimRightFunc(text[:begin], unicode.IsSpace)))
		}
		if t.RStrip {
			end = len(text) - len(strings.TrimLeftFunc(text[end:], unicode.IsSpace))
		}
		if start < begin {
			f(text[start:begin], -1)
		}
		f(text[begin:end], t.ID)
		start, at = end, end
	}
	if start < len(text) {
		f(text[start:], -1)
	}
}

// isWord reports whether \w of a pattern matches the character.
func isWord(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control)
}
