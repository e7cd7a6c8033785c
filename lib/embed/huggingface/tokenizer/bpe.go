package tokenizer

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// bpe tokenizes a word by byte-pair encoding (Sennrich et al., 2016): it joins the characters pair by pair, the pair of
// the lowest rank first.
type bpe struct {
	vocabulary
	merges       map[[2]int32]rule
	unk          unknownToken
	fuse         bool   // successive unknown characters are one token
	prefix       string // before all characters except the first
	suffix       string // after the last character
	bytes        *[256]int32
	ignoreMerges bool // a word that is a token is not split
}

// A rule is the token that a pair becomes, and the rank of the pair.
type rule struct{ rank, id int32 }

func (f *modelFile) bpe() (model, error) {
	v := f.Vocab.numbered
	if err := v.check(); err != nil {
		return nil, err
	}
	if f.Dropout != nil && *f.Dropout != 0 {
		return nil, errors.New("dropout gives the same text other tokens each time")
	}
	prefix := ""
	if f.Prefix != nil {
		prefix = *f.Prefix
	}
	if len(prefix) > maxTokenBytes || len(f.Suffix) > maxTokenBytes {
		return nil, errors.New("prefix or suffix are too long")
	}
	m := &bpe{vocabulary: v, merges: make(map[[2]int32]rule, len(f.Merges)), fuse: f.Fuse,
		prefix: prefix, suffix: f.Suffix, ignoreMerges: f.IgnoreMerges}
	if f.UnknownToken != nil {
		m.unk = v.find(*f.UnknownToken)
	}
	if f.ByteFallback {
		m.bytes = byteTokens(v)
	}
	for rank, p := range f.Merges {
		left, ok1 := v[p.left]
		right, ok2 := v[p.right]
		id, ok3 := v[p.left+strings.TrimPrefix(p.right, prefix)]
		if !ok1 || !ok2 || !ok3 {
			return nil, fmt.Errorf("merge %d of %q and %q: not in the vocabulary", rank, p.left, p.right)
		}
		m.merges[[2]int32{left, right}] = rule{int32(rank), id}
	}
	return m, nil
}

func (m *bpe) unknown() (int32, bool) { return m.unk.unknown() }

func (m *bpe) append(ids []int32, word string, b *buffer) []int32 {
	if m.ignoreMerges {
		if id, ok := m.vocabulary[word]; ok {
			return append(ids, id)
		}
	}
	start := len(ids)
	ids = m.characters(ids, word)
	if len(ids)-start < 2 {
		return ids
	}
	symbols := b.symbols[:0]
	for i, id := range ids[start:] {
		symbols = append(symbols, symbol{id, int32(i) - 1, int32(i) + 1})
	}
	symbols[len(symbols)-1].next = -1
	heap := b.heap[:0]
	push := func(at int32) {
		next := symbols[at].next
		if next < 0 {
			return
		}
		if r, ok := m.merges[[2]int32{symbols[at].id, symbols[next].id}]; ok {
			heap = pushMerge(heap, merge{r.rank, at, r.id})
		}
	}
	for i := range symbols {
		push(int32(i))
	}
	for len(heap) > 0 {
		var top merge
		top, heap = popMerge(heap)
		s := &symbols[top.at]
		if s.id < 0 || s.next < 0 {
			continue
		}
		joined := &symbols[s.next]
		if r, ok := m.merges[[2]int32{s.id, joined.id}]; !ok || r.id != top.id {
			continue // one of the two was joined in the meantime
		}
		s.id, joined.id = top.id, -1
		s.next = joined.next
		if s.next >= 0 {
			symbols[s.next].previous = top.at
		}
		push(top.at)
		if s.previous >= 0 {
			push(s.previous)
		}
	}
	ids = ids[:start]
	for at := int32(0); at >= 0; at = symbols[at].next {
		ids = append(ids, symbols[at].id)
	}
	b.symbols, b.heap = symbols, heap
	return ids
}

// characters appends the tokens of the single characters of a word.
func (m *bpe) characters(ids []int32, word string) []int32 {
	known := true
	for at := 0; at < len(word); {
		_, size := utf8.DecodeRuneInString(word[at:])
		s := word[at : at+size]
		if m.prefix != "" && at > 0 {
			s = m.prefix + s
		}
		at += size
		if m.suffix != "" && at == len(word) {
			s += m.suffix
		}
		if id, ok := m.vocabulary[s]; ok {
			ids, known = append(ids, id), true
			continue
		}
		if longer, ok := appendBytes(ids, m.bytes, s); ok {
			ids, known = longer, true
			continue
		}
		if known || !m.fuse {
			ids = m.unk.append(ids)
		}
		known = false
	}
	return ids
}

// pushMerge and popMerge maintain a binary heap with the first merge on top.
func pushMerge(heap []merge, m merge) []merge {
	heap = append(heap, m)
	for i := len(heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if !heap[i].before(heap[parent]) {
			break
		}
		heap[i], heap[parent] = heap[parent], heap[i]
		i = parent
	}
	return heap
}

func popMerge(heap []merge) (merge, []merge) {
	top := heap[0]
	last := len(heap) - 1
	heap[0] = heap[last]
	heap = heap[:last]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if heap[child].before(heap[least]) {
				least = child
			}
		}
		if least == i {
			return top, heap
		}
		heap[i], heap[least] = heap[least], heap[i]
		i = least
	}
}
