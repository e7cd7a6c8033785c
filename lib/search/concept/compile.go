package concept

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// An Analysis says how the words of phrases are compared with those of questions.
type Analysis struct {
	// Stem takes the ending off a word.
	Stem func(word string) string
	// Ignore reports words that say nothing by themselves.
	Ignore func(word string) bool
}

// Compile makes the table of a lexicon. An error names the line at fault.
func Compile(text string, a Analysis) ([]byte, error) {
	var groups [][]string           // words of code
	var phrases [][]string          // stems
	var groupOf []uint32            // of each phrase
	having := map[string][]uint32{} // phrases by stem
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		said, words, ok := strings.Cut(line, " = ")
		if !ok || len(strings.Fields(words)) == 0 {
			return nil, fmt.Errorf("line %d: expected PHRASE, PHRASE = WORD WORD, got %q", number, line)
		}
		for phrase := range strings.SplitSeq(said, ", ") {
			stems := stemsOf(phrase, a)
			if len(stems) == 0 {
				return nil, fmt.Errorf("line %d: phrase %q has no word that says something", number, phrase)
			}
			for _, s := range stems {
				having[s] = append(having[s], uint32(len(phrases)))
			}
			phrases = append(phrases, stems)
			groupOf = append(groupOf, uint32(len(groups)))
		}
		groups = append(groups, strings.Fields(words))
	}
	stems := slices.Sorted(maps.Keys(having))
	rarity := map[string]float32{}
	var posted [][]uint32
	var rarities []uint32
	for _, s := range stems {
		r := float32(math.Log(1 + float64(len(phrases))/float64(1+len(having[s]))))
		rarity[s] = r
		rarities = append(rarities, math.Float32bits(r))
		posted = append(posted, having[s])
	}
	var ofPhrases []uint32
	for i, stems := range phrases {
		total := float32(0)
		for _, s := range stems {
			total += rarity[s]
		}
		ofPhrases = append(ofPhrases, groupOf[i], math.Float32bits(total))
	}
	counts := map[string]uint32{}
	for _, words := range groups {
		for _, w := range words {
			counts[w]++
		}
	}
	words := slices.Sorted(maps.Keys(counts))
	var members [][]uint32
	for _, group := range groups {
		var list []uint32
		for _, w := range group {
			n, _ := slices.BinarySearch(words, w)
			list = append(list, uint32(n))
		}
		members = append(members, list)
	}
	var wordCounts []uint32
	for _, w := range words {
		wordCounts = append(wordCounts, counts[w])
	}
	var out writer
	out.texts(stems)
	out.lists(posted)
	out.numbers(rarities)
	out.numbers(ofPhrases)
	out.lists(members)
	out.texts(words)
	out.numbers(wordCounts)
	return out.out, nil
}

// stemsOf are the stems of the words in a phrase that say something, each once.
func stemsOf(phrase string, a Analysis) []string {
	var stems []string
	for word := range strings.FieldsSeq(strings.ToLower(phrase)) {
		word = strings.Trim(word, `'"()?!.`)
		if word == "" || a.Ignore(word) {
			continue
		}
		if s := a.Stem(word); !slices.Contains(stems, s) {
			stems = append(stems, s)
		}
	}
	return stems
}
