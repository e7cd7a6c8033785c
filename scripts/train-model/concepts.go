package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/token/porter"

	"cortex/lib/search/concept"
)

// A conceptGroup is a line of the lexicon: phrases that people use, and the words that code uses for them.
type conceptGroup struct {
	phrases []string
	words   []string
	stems   []string // of the words
}

// concepts are the groups of the lexicon.
type concepts struct {
	groups []conceptGroup
	having map[string][]int // indexes of groups by the stems of their words
	stems  map[string]string
}

func readConcepts() *concepts {
	c := &concepts{having: map[string][]int{}, stems: map[string]string{}}
	for line := range strings.Lines(concept.Text()) {
		said, words, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		g := conceptGroup{phrases: strings.Split(said, ", "), words: strings.Fields(words)}
		for _, w := range g.words {
			s := c.stem(strings.ReplaceAll(w, "_", ""))
			if !slices.Contains(g.stems, s) {
				g.stems = append(g.stems, s)
				c.having[s] = append(c.having[s], len(c.groups))
			}
		}
		c.groups = append(c.groups, g)
	}
	return c
}

// stem returns the stem of an English word (Porter 1980).
func (c *concepts) stem(word string) string {
	if len(word) < 3 {
		return word
	}
	s, ok := c.stems[word]
	if !ok {
		s = string(porter.NewPorterStemmer().Filter(analysis.TokenStream{{Term: []byte(word)}})[0].Term)
		c.stems[word] = s
	}
	return s
}

// stemsIn returns the stems of a text's identifiers and of their parts.
func (c *concepts) stemsIn(text string) map[string]bool {
	found := map[string]bool{}
	for id := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' }) {
		if len(id) > 60 {
			continue
		}
		found[c.stem(strings.ToLower(strings.ReplaceAll(id, "_", "")))] = true
		for _, part := range nameWords(id) {
			found[c.stem(strings.ToLower(part))] = true
		}
	}
	return found
}

// pairs returns pairs of a phrase and the code words of its group. The words are alternately a text, and a name with a
// text.
func (c *concepts) pairs() *data {
	d := &data{}
	for i, g := range c.groups {
		for k, phrase := range g.phrases {
			text := "\n" + strings.Join(g.words, " ")
			if (i+k)%2 == 0 {
				text = " " + strings.Join(g.words, " ") + "\n" + strings.Join(g.words, " ")
			}
			d.Pairs = append(d.Pairs, pair{kindConcept, phrase, text, uint32(i)})
		}
	}
	return d
}

const (
	// leastShared is the least number of a group's words that a passage must have so that a question uses the group's
	// phrases.
	leastShared = 2
	// sayings is the number of best fitting groups from which one is picked at random.
	sayings = 4
)

// said returns pairs of a repository with rephrased questions. Code words in a question are replaced by phrases of
// groups that have further words in common with the passage. For half of the functions there is also a question that
// consists of such phrases only.
func (c *concepts) said(d *data, rng *rand.Rand) *data {
	out := &data{Repository: d.Repository}
	for _, p := range d.Pairs {
		if p.Kind == kindMention {
			continue
		}
		title, body, _ := strings.Cut(p.Passage, "\n")
		inTitle := c.stemsIn(title)
		in := c.stemsIn(body)
		for s := range inTitle {
			in[s] = true
		}
		// fit returns how well a group fits the passage: the words that they share, words in the title counted twice.
		fit := func(g *conceptGroup) float64 {
			n := 0.0
			for _, s := range g.stems {
				if in[s] {
					n += 1 / (1 + 0.02*float64(len(c.having[s])))
				}
				if inTitle[s] {
					n += 1 / (1 + 0.02*float64(len(c.having[s])))
				}
			}
			return n
		}
		pick := func(groups []int) (conceptGroup, bool) {
			type fitting struct {
				group int
				fit   float64
			}
			var best []fitting
			for _, i := range groups {
				g := &c.groups[i]
				shared := 0
				for _, s := range g.stems {
					if in[s] {
						shared++
					}
				}
				if shared >= min(leastShared, len(g.stems)) {
					best = append(best, fitting{i, fit(g)})
				}
			}
			if len(best) == 0 {
				return conceptGroup{}, false
			}
			slices.SortStableFunc(best, func(a, b fitting) int {
				if a.fit != b.fit {
					if a.fit > b.fit {
						return -1
					}
					return 1
				}
				return a.group - b.group
			})
			best = best[:min(len(best), sayings)]
			return c.groups[best[rng.IntN(len(best))].group], true
		}
		var words []string
		changed := 0
		for _, w := range strings.Fields(p.Query) {
			bare := strings.ToLower(strings.Trim(w, ".,:;()'\"`"))
			groups := c.having[c.stem(strings.ReplaceAll(bare, "_", ""))]
			if len(bare) < 3 || len(groups) == 0 || len(groups) > 400 || rng.Float64() < 0.3 {
				words = append(words, w)
				continue
			}
			if g, ok := pick(groups); ok {
				words = append(words, g.phrases[rng.IntN(len(g.phrases))])
				changed++
				continue
			}
			words = append(words, w)
		}
		if changed > 0 && len(words) <= 40 {
			out.Pairs = append(out.Pairs, pair{kindSaid, strings.Join(words, " "), p.Passage, p.About})
		}
		if p.Kind != kindDoc && p.Kind != kindName || rng.Float64() < 0.5 {
			continue
		}
		// Candidate groups are those with a word in the title.
		var groups []int
		for s := range inTitle {
			if h := c.having[s]; len(s) >= 3 && len(h) <= 150 {
				groups = append(groups, h...)
			}
		}
		slices.Sort(groups)
		groups = slices.Compact(groups)
		if g, ok := pick(groups); ok {
			query := g.phrases[rng.IntN(len(g.phrases))]
			if h, ok := pick(groups); ok && rng.Float64() < 0.5 {
				query += " " + h.phrases[rng.IntN(len(h.phrases))]
			}
			out.Pairs = append(out.Pairs, pair{kindSaid, query, p.Passage, p.About})
		}
	}
	return out
}
