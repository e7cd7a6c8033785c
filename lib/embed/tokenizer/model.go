package tokenizer

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// modelFile is the part of the file that holds the model, with the settings of every kind.
type modelFile struct {
	Type         string    `json:"type"`
	Vocab        vocabFile `json:"vocab"`
	Merges       merges    `json:"merges"`
	Dropout      *float64  `json:"dropout"`
	UnknownToken *string   `json:"unk_token"`
	UnknownID    *int      `json:"unk_id"`
	Prefix       *string   `json:"continuing_subword_prefix"`
	Suffix       string    `json:"end_of_word_suffix"`
	MaxWordChars *int      `json:"max_input_chars_per_word"`
	Fuse         bool      `json:"fuse_unk"`
	ByteFallback bool      `json:"byte_fallback"`
	IgnoreMerges bool      `json:"ignore_merges"`
}

func (f *modelFile) model() (model, error) {
	if f == nil {
		return nil, errors.New("there is none")
	}
	// Old files leave the type out.
	switch {
	case f.Type == "Unigram":
		return f.unigram()
	case f.Vocab.scored != nil:
		return nil, fmt.Errorf("type %q has a vocabulary with scores", f.Type)
	case f.Type == "WordPiece" || f.Type == "" && f.MaxWordChars != nil:
		return f.wordPiece()
	case f.Type == "BPE" || f.Type == "" && f.Merges != nil:
		return f.bpe()
	case f.Type == "WordLevel":
		return f.wordLevel()
	}
	return nil, fmt.Errorf("type %q is not supported", f.Type)
}

// A vocabulary is the tokens of a model with their numbers.
type vocabulary map[string]int32

func (v vocabulary) tokens() map[string]int32 { return v }

func (v vocabulary) check() error {
	// Of several faults it is always the same that is told.
	worst, bad := "", false
	for token, id := range v {
		if (id < 0 || id >= maxTokens || len(token) > maxTokenBytes) && (!bad || token < worst) {
			worst, bad = token, true
		}
	}
	if bad && len(worst) > maxTokenBytes {
		return fmt.Errorf("a token of %d bytes, expected at most %d", len(worst), maxTokenBytes)
	}
	if bad {
		return fmt.Errorf("token %q has the number %d", worst, v[worst])
	}
	return nil
}

// unknownToken is the token for what is not in the vocabulary.
type unknownToken struct {
	id int32
	ok bool
}

func (u unknownToken) unknown() (int32, bool) { return u.id, u.ok }

func (u unknownToken) append(ids []int32) []int32 {
	if u.ok {
		ids = append(ids, u.id)
	}
	return ids
}

func (v vocabulary) find(unknown string) unknownToken {
	id, ok := v[unknown]
	return unknownToken{id, ok}
}

// wordLevel has a token for each word.
type wordLevel struct {
	vocabulary
	unk unknownToken
}

func (f *modelFile) wordLevel() (model, error) {
	v := f.Vocab.numbered
	unk := unknownToken{}
	if f.UnknownToken != nil {
		unk = v.find(*f.UnknownToken)
	}
	return &wordLevel{v, unk}, v.check()
}

func (m *wordLevel) unknown() (int32, bool) { return m.unk.unknown() }

func (m *wordLevel) append(ids []int32, word string, _ *buffer) []int32 {
	if id, ok := m.vocabulary[word]; ok {
		return append(ids, id)
	}
	return m.unk.append(ids)
}

// wordPiece cuts a word into the longest tokens from the left (Wu et al., 2016, as BERT uses it).
type wordPiece struct {
	vocabulary
	// rest is the tokens that go on with a word, without the prefix that marks them.
	rest     map[string]int32
	unk      unknownToken
	maxChars int
	longest  int // bytes of a token
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
