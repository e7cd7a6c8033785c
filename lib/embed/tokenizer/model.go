package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

func parseModel(raw json.RawMessage) (model, error) {
	if isNull(raw) {
		return nil, errors.New("there is none")
	}
	var p struct {
		part
		Merges       json.RawMessage `json:"merges"`
		MaxWordChars *int            `json:"max_input_chars_per_word"`
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, err
	}
	// Old files leave the type out.
	switch {
	case p.Type == "WordPiece" || p.Type == "" && p.MaxWordChars != nil:
		return parseWordPiece(raw)
	case p.Type == "BPE" || p.Type == "" && p.Merges != nil:
		return parseBPE(raw)
	case p.Type == "WordLevel":
		return parseWordLevel(raw)
	case p.Type == "Unigram":
		return parseUnigram(raw)
	}
	return nil, fmt.Errorf("type %q is not supported", p.Type)
}

// A vocabulary is the tokens of a model with their numbers.
type vocabulary map[string]int32

func (v vocabulary) tokens() map[string]int32 { return v }

func (v vocabulary) check() error {
	if len(v) > maxTokens {
		return fmt.Errorf("a vocabulary of %d tokens, expected at most %d", len(v), maxTokens)
	}
	for token, id := range v {
		if id < 0 || id >= maxTokens {
			return fmt.Errorf("token %q has the number %d", token, id)
		}
		if len(token) > maxTokenBytes {
			return fmt.Errorf("a token of %d bytes, expected at most %d", len(token), maxTokenBytes)
		}
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

func parseWordLevel(raw json.RawMessage) (model, error) {
	var s struct {
		Vocab   vocabulary `json:"vocab"`
		Unknown string     `json:"unk_token"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	return &wordLevel{s.Vocab, s.Vocab.find(s.Unknown)}, s.Vocab.check()
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

func parseWordPiece(raw json.RawMessage) (model, error) {
	s := struct {
		Vocab    vocabulary `json:"vocab"`
		Unknown  string     `json:"unk_token"`
		Prefix   string     `json:"continuing_subword_prefix"`
		MaxChars int        `json:"max_input_chars_per_word"`
	}{Unknown: "[UNK]", Prefix: "##", MaxChars: 100}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	if err := s.Vocab.check(); err != nil {
		return nil, err
	}
	m := &wordPiece{vocabulary: s.Vocab, rest: s.Vocab, unk: s.Vocab.find(s.Unknown), maxChars: s.MaxChars}
	if s.Prefix != "" {
		m.rest = make(map[string]int32, len(s.Vocab)/4)
	}
	for token, id := range s.Vocab {
		m.longest = max(m.longest, len(token))
		if n := len(s.Prefix); n > 0 && len(token) > n && token[:n] == s.Prefix {
			m.rest[token[n:]] = id
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
