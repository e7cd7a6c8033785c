package search

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"cortex/lib/embed"
	"cortex/lib/record"
	"cortex/lib/search/concept"
	"cortex/lib/search/cosine"
	"cortex/lib/search/token"
	"cortex/lib/search/wording"
)

// TestLexiconIsCompiled compares the table in the binary with the text that it comes from.
func TestLexiconIsCompiled(t *testing.T) {
	const file = "concept/lexicon.bin"
	want, err := compileLexicon(concept.Text())
	if err != nil {
		t.Fatalf("concept/lexicon.txt: %v", err)
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, want, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not made of lexicon.txt; UPDATE_GOLDEN=1 go test ./lib/search -run TestLexicon writes it", file)
	}
	l, err := concept.Open(string(want))
	if err != nil {
		t.Fatal(err)
	}
	if groups := strings.Count(concept.Text(), " = "); groups < 8000 {
		t.Errorf("%d groups", groups)
	}
	for _, said := range []string{"visitor elsewhere send", "Seite umleiten", "重定向页面到另一个地址", "リクエストを別の場所へ移す"} {
		words := l.Words(stemsOfPhrase(said), nil)
		if !slices.ContainsFunc(words, func(w concept.Word) bool { return w.Text == "redirect" }) {
			t.Errorf("%s: %v", said, words)
		}
	}
}

// TestLexiconKnowsMeaning looks up subjects that no phrase has in these words, and words without meaning.
func TestLexiconKnowsMeaning(t *testing.T) {
	l, err := concept.Default()
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{
		"shrink big photos on upload":                         "downsample_images",
		"someone guesses logins all night":                    "bruteforce",
		"keeps a picture's sides in a steady proportion":      "letterbox",
		"forbid strangers to embed our pages in theirs":       "origin",
		"wait longer and longer between one try and the next": "max_interval",
	} {
		has := func(vector []float32) bool {
			return slices.ContainsFunc(l.Words(stemsOfPhrase(question), vector), func(w concept.Word) bool { return w.Text == want })
		}
		if has(nil) || !has(meaningForLexicon(question)) {
			t.Errorf("%s: %s by words %t, by meaning %t", question, want, has(nil), has(meaningForLexicon(question)))
		}
	}
	const unknown = "blorptastic zindle framgrak"
	if words := l.Words(stemsOfPhrase(unknown), meaningForLexicon(unknown)); len(words) > 0 {
		t.Errorf("%s: %v", unknown, words)
	}
}

// TestLexiconIsSpecific checks that no word belongs to too many groups and that no group has a phrase twice.
func TestLexiconIsSpecific(t *testing.T) {
	const most = 120
	groups := map[string]int{}
	for line := range strings.Lines(concept.Text()) {
		said, words, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if !ok {
			continue
		}
		seen := map[string]bool{}
		for phrase := range strings.SplitSeq(said, ", ") {
			if seen[phrase] {
				t.Errorf("%q stands twice: %s", phrase, line)
			}
			seen[phrase] = true
		}
		for w := range strings.FieldsSeq(words) {
			if groups[w]++; groups[w] == most {
				t.Errorf("%d groups have %q", most, w)
			}
		}
	}
}

// compileLexicon makes the table of a lexicon, in which words are compared as those of questions are. An error names
// the line at fault.
func compileLexicon(text string) ([]byte, error) {
	var groups [][]string  // words of code
	var phrases [][]string // stems
	var groupOf []uint32   // of each phrase
	var scales []uint32    // of the vectors of groups
	var vectors []int8
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
		direction, err := meaningOf(strings.Split(said, ", "))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		small := record.QuantizeSmall(nil, direction)
		packed, ok := cosine.Pack(small.Values)
		if !ok {
			return nil, fmt.Errorf("line %d: the vector does not take 4 bits", number)
		}
		scales, vectors = append(scales, math.Float32bits(small.Scale)), append(vectors, packed...)
		for phrase := range strings.SplitSeq(said, ", ") {
			stems := stemsOfPhrase(phrase)
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
	var out lexiconWriter
	out.texts(stems)
	out.lists(posted)
	out.numbers(rarities)
	out.numbers(ofPhrases)
	out.lists(members)
	out.texts(words)
	out.numbers(wordCounts)
	out.numbers(scales)
	for _, x := range vectors {
		out.out = append(out.out, byte(x))
	}
	return out.out, nil
}

// meaningOf is the direction of the mean of the phrases' embeddings by the built-in model.
func meaningOf(phrases []string) (record.Embedding, error) {
	model, err := forLexicon()
	if err != nil {
		return nil, err
	}
	vectors, err := model.Embed(context.Background(), embed.Query, phrases)
	if err != nil {
		return nil, err
	}
	mean := make([]float32, model.Dimensions())
	for _, v := range vectors {
		for i, x := range v {
			mean[i] += x
		}
	}
	unit, ok := cosine.Unit(mean)
	if !ok {
		return nil, fmt.Errorf("phrases %q have no direction", phrases)
	}
	return unit, nil
}

// stemsOfPhrase are the stems of the words in a phrase that say something, each once. A character of Chinese or
// Japanese is a word, as it is in a question.
func stemsOfPhrase(phrase string) []string {
	var apart strings.Builder
	for _, r := range strings.ToLower(phrase) {
		apart.WriteRune(r)
		if token.IsWord(r) {
			apart.WriteByte(' ')
		}
	}
	var stems []string
	for word := range strings.FieldsSeq(apart.String()) {
		word = strings.Trim(word, `'"()?!.`)
		if word == "" || wording.IsFunctionWord(word) {
			continue
		}
		if s := wording.Stem(word); !slices.Contains(stems, s) {
			stems = append(stems, s)
		}
	}
	return stems
}

// A lexiconWriter makes the table that concept.Lexicon describes.
type lexiconWriter struct{ out []byte }

func (w *lexiconWriter) numbers(list []uint32) {
	w.out = binary.LittleEndian.AppendUint32(w.out, uint32(len(list)))
	for _, n := range list {
		w.out = binary.LittleEndian.AppendUint32(w.out, n)
	}
}

func (w *lexiconWriter) lists(all [][]uint32) {
	var ends, members []uint32
	for _, list := range all {
		members = append(members, list...)
		ends = append(ends, uint32(len(members)))
	}
	w.numbers(ends)
	w.numbers(members)
}

func (w *lexiconWriter) texts(all []string) {
	var ends []uint32
	end := 0
	for _, text := range all {
		end += len(text)
		ends = append(ends, uint32(end))
	}
	w.numbers(ends)
	for _, text := range all {
		w.out = append(w.out, text...)
	}
}
