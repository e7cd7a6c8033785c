package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// wordPiece splits a word into the longest tokens from left to right (Wu et al., 2016, as BERT uses it).
type wordPiece struct {
	vocabulary
	// rest has the tokens that continue a word, without their prefix.
	rest     map[string]int32
	unk      unknownToken
	maxChars int
	longest  int // length of the longest token in bytes
}

func (f *modelFile) wordPiece() (model, error) {
	unknown, prefix, maxChars := "[UNK]", "##", 100
	for _, p := range []struct{ to, from *string }{{&unknown, f.UnknownToken}, {&prefix, f.Prefix}} {
		if p.from != nil {
			*p.to = *p.from
		}
	}
	if f.MaxWordChars != nil {
		maxChars = *f.MaxWordChars
	}
	v := f.Vocab.numbered
	if err := v.check(); err != nil {
		return nil, err
	}
	m := &wordPiece{vocabulary: v, rest: v, unk: v.find(unknown), maxChars: maxChars}
	if prefix != "" {
		m.rest = make(map[string]int32, len(v)/4)
	}
	for token, id := range v {
		m.longest = max(m.longest, len(token))
		if rest, ok := strings.CutPrefix(token, prefix); ok && prefix != "" && rest != "" {
			m.rest[rest] = id
		}
	}
	return m, nil
}

func (m *wordPiece) unknown() (int32, bool) { return m.unk.unknown() }

func (m *wordPiece) append(ids []int32, word string, _ *buffer) []int32 {
	if len(word) > m.maxChars && utf8.RuneCountInString(word) > m.maxChars {
		return m.unk.append(ids)
	}
	start := len(ids)
	tokens := map[string]int32(m.vocabulary)
	for word != "" {
		end := min(len(word), m.longest)
		for end > 0 {
			// A token never ends within a character.
			if end == len(word) || utf8.RuneStart(word[end]) {
				if id, ok := tokens[word[:end]]; ok {
					ids = append(ids, id)
					break
				}
			}
			end--
		}
		if end == 0 {
			return m.unk.append(ids[:start])
		}
		word = word[end:]
		tokens = m.rest
	}
	return ids
}
