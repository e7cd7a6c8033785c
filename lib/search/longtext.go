package search

import (
	"cmp"
	"context"
	"math"
	"path"
	"slices"
	"strings"

	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// Long texts, such as a report of a fault with a traceback, ask differently from questions: most words are
// beside the point, the first line sums up, and names and paths point to the place.

const (
	// longWords is the number of different words of substance above which a text is long, and briefWords that up to
	// which a question is as brief as most.
	longWords, briefWords = 30, 10
	// longTerms is how many of them are searched for, those that say most.
	longTerms = 40
	// maxPlaces bounds the paths and modules that are looked up.
	maxPlaces = 200
)

// wordsOfSubstance counts the different words of a question that say something, up to one more than longWords.
func wordsOfSubstance(question string) int {
	seen := map[string]bool{}
	for _, w := range token.Words(question) {
		if !isFunctionWord(w.Term) {
			seen[w.Term] = true
		}
		if len(seen) > longWords {
			break
		}
	}
	return len(seen)
}

// readLong replaces the terms by those of a long text that say most, and scores its headline.
func (a *asker) readLong(ctx context.Context) error {
	headline := firstLine(a.topic)
	terms, err := a.x.terms(a.text, headline)
	if err != nil {
		return err
	}
	if a.headline, err = a.x.wordScores(ctx, a.text, terms, a.allowed); err != nil {
		return err
	}
	a.terms, err = a.x.longTerms(a.text, a.topic)
	return err
}

func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// longTerms takes those words of a long text that are rare and repeated.
func (x *Index) longTerms(text textIndex, topic string) ([]term, error) {
	counts := map[string]int{}
	weights := map[string]float32{}
	var words []string
	token.Scan(topic, func(t token.Token) {
		if isFunctionWord(t.Term) || t.Kind == token.Sigil {
			return
		}
		weight := float32(1)
		if t.Kind == token.Part {
			weight = pieceWeight
		}
		if counts[t.Term] == 0 {
			words = append(words, t.Term)
		}
		counts[t.Term]++
		weights[t.Term] = max(weights[t.Term], weight)
	})
	type valued struct {
		term
		value float64
	}
	var list []valued
	for _, word := range words {
		frequency := 0
		for _, d := range dictsOf(query.Text) {
			n, err := text.count(d, word)
			if err != nil {
				return nil, err
			}
			frequency = max(frequency, n)
		}
		if frequency == 0 {
			continue
		}
		weight := weights[word] * float32(1+math.Log(float64(counts[word])))
		list = append(list, valued{term{word: word, weight: weight, forms: []form{{word, 1}}}, float64(weight) * idf(x.cat.Len(), frequency)})
	}
	slices.SortStableFunc(list, func(a, b valued) int { return cmp.Compare(b.value, a.value) })
	var terms []term
	for _, v := range list[:min(len(list), longTerms)] {
		terms = append(terms, v.term)
	}
	return terms, nil
}

// longText returns the scores of the headline, and the files that a long text gives.
func (a *asker) longText() (*matches, map[uint32]float32) {
	if a.headline == nil {
		return nil, nil
	}
	return a.headline, a.x.places().find(a.topic)
}

// A placeTable finds files by the ends of their paths.
type placeTable struct {
	cat catalogue
	// named are the files by their name without its ending.
	named map[string][]uint32
}

func newPlaceTable(cat catalogue) *placeTable {
	t := &placeTable{cat, map[string][]uint32{}}
	cat.EachFile(func(file uint32, path string, _ int) {
		name := stemOf(path)
		t.named[name] = append(t.named[name], file)
	})
	return t
}

func stemOf(p string) string {
	base := path.Base(p)
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	return strings.ToLower(base)
}

// find gives the files whose paths or modules the text has, with how surely it is them: the
// share of files of the name that it leaves.
func (t *placeTable) find(text string) map[uint32]float32 {
	found := map[uint32]float32{}
	looked := map[string]bool{}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return r <= ' ' || strings.ContainsRune("\"'`()[]{}<>,;=|", r)
	}) {
		// A line and a column may follow: core.c:12:3.
		word = strings.ToLower(strings.Trim(strings.TrimRight(word, ":0123456789"), "./"))
		if len(looked) == maxPlaces || looked[word] || len(word) < 3 {
			continue
		}
		looked[word] = true
		for _, way := range waysTo(word) {
			if t.add(found, way) {
				break
			}
		}
	}
	return found
}

// waysTo are the paths, without an ending, that a word may stand for, the longest first.
func waysTo(word string) [][]string {
	var ways [][]string
	if strings.Contains(word, "/") || isFileName(word) {
		parts := strings.Split(path.Clean(word), "/")
		parts[len(parts)-1] = stemOf(word)
		ways = append(ways, parts)
	} else if parts := strings.Split(word, "."); len(parts) > 1 {
		// A module, or a name within one.
		for n := len(parts); n > 1; n-- {
			ways = append(ways, parts[:n])
		}
	}
	return ways
}

// isFileName reports names with an ending, such as core.c.
func isFileName(word string) bool {
	i := strings.LastIndexByte(word, '.')
	return i > 0 && len(word)-i <= 5 && strings.Count(word, ".") == 1
}

// add adds the files that end with most of the way.
func (t *placeTable) add(found map[uint32]float32, way []string) bool {
	candidates := t.named[way[len(way)-1]]
	most := 0
	var best []uint32
	for _, file := range candidates {
		dirs := strings.Split(strings.ToLower(path.Dir(t.cat.Path(file))), "/")
		n := 1
		for n < len(way) && n <= len(dirs) && way[len(way)-1-n] == dirs[len(dirs)-n] {
			n++
		}
		switch {
		case n > most:
			most, best = n, []uint32{file}
		case n == most:
			best = append(best, file)
		}
	}
	if len(best) == 0 || len(way) > 1 && most < 2 {
		return false
	}
	for _, file := range best {
		found[file] = max(found[file], 1/float32(len(best)))
	}
	return true
}
