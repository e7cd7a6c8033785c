package tokenizer

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// unigram splits a text into the tokens with the greatest sum of scores (Kudo, 2018).
type unigram struct {
	ids    map[string]int32
	scores []float64
	trie   *trie
	// unk is the token for unknown text, -1 if there is none; its score is below all others.
	unk      int32
	unkScore float64
	bytes    *[256]int32 // tokens of single bytes; nil if unknown characters are not written as bytes, -1 for a missing token
}

// unknownPenalty is the difference between the score of the worst token and that of an unknown character.
const unknownPenalty = 10

func (f *modelFile) unigram() (model, error) {
	all := f.Vocab.scored
	if len(all) == 0 {
		return nil, errors.New("the vocabulary is empty")
	}
	m := &unigram{ids: make(map[string]int32, len(all)), scores: make([]float64, len(all)), unk: -1, unkScore: math.Inf(1)}
	for i, v := range all {
		m.ids[v.token] = int32(i)
		m.scores[i] = v.score
		m.unkScore = min(m.unkScore, v.score)
	}
	m.unkScore -= unknownPenalty
	if err := vocabulary(m.ids).check(); err != nil {
		return nil, err
	}
	if id := f.UnknownID; id != nil {
		if *id < 0 || *id >= len(all) {
			return nil, fmt.Errorf("unk_id %d is outside of a vocabulary of %d", *id, len(all))
		}
		m.unk = int32(*id)
	}
	if f.ByteFallback {
		m.bytes = byteTokens(m.ids)
	}
	m.trie = newTrie(m.ids)
	return m, nil
}

func (m *unigram) tokens() map[string]int32 { return m.ids }

func (m *unigram) unknown() (int32, bool) { return m.unk, false }

func (m *unigram) append(ids []int32, word string, b *buffer) []int32 {
	best := append(b.best[:0], make([]step, len(word)+1)...)
	b.best = best
	for i := range best {
		best[i].from = -1
	}
	best[0].from = 0
	for at := 0; at < len(word); {
		_, size := utf8.DecodeRuneInString(word[at:])
		here, single := best[at].score, false
		reach := func(end int, score float64, id int32) {
			if to := &best[end]; to.from < 0 || score > to.score {
				*to = step{score, int32(at), id}
			}
		}
		m.trie.prefixes(word[at:], func(id int32, length int) {
			reach(at+length, here+m.scores[id], id)
			single = single || length == size
		})
		if !single {
			reach(at+size, here+m.unkScore, -1)
		}
		at += size
	}
	start := len(ids)
	for end := len(word); end > 0; {
		from := int(best[end].from)
		id := best[end].id
		if id >= 0 && id != m.unk {
			ids = append(ids, id)
			end = from
			continue
		}
		// Successive unknown characters are one token.
		for from > 0 && (best[from].id < 0 || best[from].id == m.unk) {
			from = int(best[from].from)
		}
		ids = m.appendUnknown(ids, word[from:end])
		end = from
	}
	slices.Reverse(ids[start:])
	return ids
}

// appendUnknown appends the tokens of unknown text in reverse order.
func (m *unigram) appendUnknown(ids []int32, s string) []int32 {
	if id, ok := m.ids[s]; ok {
		return append(ids, id)
	}
	start := len(ids)
	if ids, ok := appendBytes(ids, m.bytes, s); ok {
		slices.Reverse(ids[start:])
		return ids
	}
	if m.unk >= 0 {
		ids = append(ids, m.unk)
	}
	return ids
}
