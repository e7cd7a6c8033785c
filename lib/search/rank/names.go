package rank

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
	"cortex/lib/search/wording"
)

// A nameTable holds the words of the files' names: how far a question accounts for the name of
// a file says much about whether it is about that file.
type nameTable struct {
	// words are all words of names, each once, and rarity their weights (idf among files).
	words  []string
	rarity []float32
	// ends has for each file where the words of its name without endings end in list, where they stand by their number. totals has the sum of their
	// rarities.
	ends, list []uint32
	totals     []float32
}

func newNameTable(gen *index.Generation) *nameTable {
	t := &nameTable{}
	known := map[string]uint32{}
	var count []int
	number := func(word string) uint32 {
		n, ok := known[word]
		if !ok {
			n = uint32(len(t.words))
			known[word] = n
			t.words = append(t.words, word)
			count = append(count, 0)
		}
		return n
	}
	gen.Names(number, func(_ uint32, words []uint32) {
		for _, n := range words {
			count[n]++
		}
		t.list = append(t.list, words...)
		t.ends = append(t.ends, uint32(len(t.list)))
	})
	for _, n := range count {
		t.rarity = append(t.rarity, float32(corpus.IDF(gen.Files(), n)))
	}
	for file := range t.ends {
		total := float32(0)
		for _, n := range t.of(file) {
			total += t.rarity[n]
		}
		t.totals = append(t.totals, total)
	}
	return t
}

// of are the words of a file's name.
func (t *nameTable) of(file int) []uint32 {
	if file == 0 {
		return t.list[:t.ends[0]]
	}
	return t.list[t.ends[file-1]:t.ends[file]]
}

// A cover tells how far the words of a question explain the names of files, from 0 to 1: the share of
// the name's words, by their rarity, that a word of the question equals, or is a
// beginning of, or begins with. A name that accounts for little of the question counts for less.
type cover struct {
	names *nameTable
	// shares has for each word of the table the share of the question that it accounts for, by rarity; 0 if no word of the question explains it.
	shares []float32
}

func newCover(names *nameTable, terms []wording.Term) *cover {
	c := &cover{names, make([]float32, len(names.words))}
	all := float32(0)
	for i := range terms {
		all += terms[i].Rarity
	}
	for i, w := range names.words {
		for j := range terms {
			if terms[j].Rarity > 0 && explains(terms[j].Word, w) {
				c.shares[i] = max(c.shares[i], terms[j].Rarity/all)
			}
		}
	}
	return c
}

// fullShare is the share of the question from which on a name that it explains counts in full: where "client" is one common word of many, a file client.go is
// hardly what the question is about.
const fullShare = 1.0 / 8

// commonName is the rarity, as a share of the greatest, below which a name explained says less.
const commonName = 0.5

// of is the cover of the file's name.
func (c *cover) of(file uint32) float32 {
	total := c.names.totals[file]
	if total == 0 {
		return 0
	}
	var sum, share float32
	for _, w := range c.names.of(int(file)) {
		if c.shares[w] > 0 {
			sum += c.names.rarity[w]
			share += c.shares[w]
		}
	}
	return min(share/fullShare, 1) * sum / max(total, commonName*float32(math.Log(float64(len(c.names.ends)+1))))
}

// coverOfSection is the share of the words in the slug of a section, which is in its identifier, that
// the question's words explain.
func coverOfSection(words []string, id string) float32 {
	_, slug, ok := strings.Cut(id, "#")
	if !ok {
		return 0
	}
	return coverOfName(words, corpus.WithoutPart(slug))
}

// coverOfName is the share of the words of substance in a name that the question's words explain, 0 if it has none.
func coverOfName(words []string, name string) float32 {
	return coverOfWords(words, corpus.WordsOfName(name))
}

func coverOfWords(words, name []string) float32 {
	explained, all := 0, 0
	for _, w := range name {
		if wording.IsFunctionWord(w) {
			continue
		}
		all++
		if slices.ContainsFunc(words, func(q string) bool { return explains(q, w) }) {
			explained++
		}
	}
	return float32(explained) / float32(max(all, 1))
}

func explains(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 3 && strings.HasPrefix(b, a) && utf8.RuneCountInString(a) >= 3
}
