package rank

import (
	"math"
	"strings"

	"cortex/lib/notation"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
	"cortex/lib/search/wording"
)

// A nameTable holds the words of all file names: a question that accounts for a name is probably about that file.
type nameTable struct {
	// words are the distinct words of all names; rarity has their inverse document frequencies among files.
	words  []string
	rarity []float32
	// list holds the indices in words of each file's name without endings, file after file. ends has the end of each
	// file's part of list. totals has the sum of the rarities of each file's words.
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

func (t *nameTable) of(file int) []uint32 {
	if file == 0 {
		return t.list[:t.ends[0]]
	}
	return t.list[t.ends[file-1]:t.ends[file]]
}

// A cover tells how far the words of a question explain the names of files, from 0 to 1: the share of the name's words,
// by rarity, that a word of the question explains. A name that accounts for little of the question counts for less.
type cover struct {
	names *nameTable
	// shares has for each word of the table the share of the question, by rarity, that explains it; 0 for none.
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
			if terms[j].Rarity > 0 && wording.Explains(terms[j].Word, w) {
				c.shares[i] = max(c.shares[i], terms[j].Rarity/all)
			}
		}
	}
	return c
}

// fullShare is the share of the question that a name must account for to count in full. If "client" is one common word
// of many in a question, the question is hardly about a file client.go.
const fullShare = 1.0 / 8

// commonName bounds the divisor in cover.of, as a share of the greatest rarity: names of common words count less.
const commonName = 0.5

// of returns the cover of the file's name, from 0 to 1.
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

// coverOfSection returns the share of the words in a section's slug that the question's words explain.
func coverOfSection(words []string, id string) float32 {
	_, slug, ok := strings.Cut(id, "#")
	if !ok {
		return 0
	}
	return coverOfName(words, notation.WithoutPart(slug))
}

// isHeading reports whether the question's words are those of the section's own heading, apart from function words.
func isHeading(words []string, id string) bool {
	_, slug, ok := strings.Cut(id, "#")
	if !ok || len(words) == 0 {
		return false
	}
	slug = notation.WithoutPart(slug)
	heading := corpus.WordsOfName(slug[strings.LastIndexByte(slug, '/')+1:])
	return wording.Cover(words, heading) == 1 && wording.Cover(heading, words) == 1
}

// coverOfName returns the share of the words of substance in a name that the question's words explain.
func coverOfName(words []string, name string) float32 {
	return wording.Cover(words, corpus.WordsOfName(name))
}
