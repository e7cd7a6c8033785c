package search

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/token/porter"

	"cortex/lib/record"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// Weights of a question's words. The fields are joined before they saturate, as in
// BM25F (Robertson, Zaragoza and Taylor 2004).
const (
	titleBoost, symbolBoost, pathBoost, textBoost = 3.0, 2.5, 2.0, 1.0
	// questionPart is what a part of an identifier counts beside a whole word.
	questionPart = 0.8
	// sameStem and agent are what other forms of a word count: reads and reading, and
	// reader, for read.
	sameStem, agent = 0.8, 0.5
	// pieceWeight is what each part of an identifier in the question counts.
	pieceWeight = 0.4
	// nameCover is what a chunk gains, of its best possible score, when the question's words account for
	// the name of its file, and folderCover the same of the name and its two folders.
	nameCover, folderCover = 0.5, 0.3
)

// maxQuestionTerms bounds the words of a question: those that come first are kept.
const maxQuestionTerms = 64

// A term is one word of a question with the forms by which it may be met.
type term struct {
	word   string
	weight float32
	forms  []form
}

type form struct {
	text   string
	weight float32
}

// terms takes the words of a question that say something, each once.
func (x *Index) terms(text textIndex, question string) ([]term, error) {
	var list []term
	seen := map[string]bool{}
	all := question
	add := func(word string, weight float32) error {
		if seen[word] || len(list) == maxQuestionTerms {
			return nil
		}
		seen[word] = true
		forms, err := forms(text, word)
		if err != nil {
			return err
		}
		list = append(list, term{word, weight, forms})
		return nil
	}
	functionWords := isProse(all)
	var failed error
	token.Scan(all, func(t token.Token) {
		var err error
		switch {
		case failed != nil:
		case t.Kind == token.Part:
			if !functionWords || !isFunctionWord(t.Term) {
				err = add(t.Term, pieceWeight)
			}
		case t.Kind == token.Whole && !(functionWords && isFunctionWord(t.Term)):
			err = add(t.Term, 1)
		}
		if err != nil {
			failed = err
		}
	})
	return list, failed
}

// isProse reports whether the question has words besides function words, which may
// then be left out.
func isProse(question string) bool {
	words := token.Words(question)
	return slices.ContainsFunc(words, func(t token.Token) bool { return !isFunctionWord(t.Term) })
}

// isFunctionWord reports English words that carry grammar and no subject.
func isFunctionWord(word string) bool {
	switch word {
	case "a", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do", "does",
		"for", "from", "had", "has", "have", "how", "i", "in", "into", "is", "it", "its", "me", "my", "of", "on",
		"or", "our", "s", "should", "so", "such", "t", "than", "that", "the", "their", "them", "then", "there", "these",
		"they", "this", "those", "to", "us", "was", "we", "were", "what", "when", "where", "which", "who", "whose",
		"why", "will", "with", "would", "you", "your":
		return true
	}
	return false
}

// maxForms bounds how many words of the dictionary are looked at for the forms of one word.
const maxForms = 2000

// forms finds the forms of the word in the dictionary: itself, and if it is a plain
// word, those with the same stem.
func forms(text textIndex, word string) ([]form, error) {
	list := []form{{word, 1}}
	prefix, ok := formPrefix(word)
	if !ok {
		return list, nil
	}
	root := stem(word)
	related := func(other string) bool {
		return other != word && len(other) <= len(word)+5 && isLetters(other) && relation(root, other) > 0
	}
	seen := map[string]bool{word: true}
	for _, d := range []dict{{query.Text, wholeTerms}, {query.Text, partTerms}} {
		found, err := text.terms(d, prefix, related, maxForms)
		var many *tooManyTerms
		if err != nil && !errors.As(err, &many) {
			return nil, err
		}
		for _, other := range found {
			if !seen[other] {
				seen[other] = true
				list = append(list, form{other, relation(root, other)})
			}
		}
	}
	return list, nil
}

// formPrefix is what all forms of the word begin with; not ok if it has none besides itself.
func formPrefix(word string) (prefix string, ok bool) {
	root := stem(word)
	if len(root) < 3 || !isLetters(word) {
		return "", false
	}
	return root[:len(root)-1], true
}

// relation is the weight of a word as a form of those with the given stem, 0 if it is none.
func relation(root, word string) float32 {
	s := stem(word)
	switch {
	case s == root:
		return sameStem
	case trimE(agentRoot(s)) == trimE(root), trimE(agentRoot(root)) == trimE(s):
		return agent
	}
	return 0
}

// agentRoot takes the ending off the stem of reader, writer and parser.
func agentRoot(stem string) string {
	for _, ending := range []string{"er", "or"} {
		if root, ok := strings.CutSuffix(stem, ending); ok && len(root) >= 4 {
			return root
		}
	}
	return stem
}

func trimE(s string) string { return strings.TrimSuffix(s, "e") }

// stem is the stem of an English word (Porter 1980).
func stem(word string) string {
	if len(word) < 3 {
		return word
	}
	stream := porter.NewPorterStemmer().Filter(analysis.TokenStream{{Term: []byte(word)}})
	return string(stream[0].Term)
}

func isLetters(word string) bool {
	for i := range len(word) {
		if c := word[i]; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// A sum adds up one word's occurrences in all fields of a chunk.
type sum struct {
	set    bitset
	weight []float32
}

// keyword ranks chunks by the words that they share with the question, any of them (BM25),
// and by their files' names. It returns the best k and the number of all.
func (x *Index) keyword(ctx context.Context, text textIndex, terms []term, allowed bitset, k int) ([]scored, int, error) {
	total := x.noMatches()
	word := sum{newBitset(x.cat.Len()), make([]float32, x.cat.Len())}
	for _, t := range terms {
		clear(word.set)
		clear(word.weight)
		if err := x.addWord(ctx, text, t, &word); err != nil {
			return nil, 0, err
		}
		rarity := t.weight * float32(idf(x.cat.Len(), word.set.count()))
		total.set.union(word.set)
		word.set.each(func(i int) {
			total.score[i] += rarity * word.weight[i] / (word.weight[i] + bm25K1)
		})
	}
	if allowed != nil {
		total.set.intersect(allowed)
	}
	best := float32(0)
	total.set.each(func(i int) { best = max(best, total.score[i]) })
	if best == 0 {
		return nil, 0, nil
	}
	cover := x.newCover(terms)
	kept := newTop(k)
	count := 0
	total.set.each(func(i int) {
		count++
		score := float64(total.score[i] / best)
		name, folders := cover.of(i)
		score = (score + nameCover*name + folderCover*folders) / (1 + nameCover + folderCover)
		kept.offer(scored{i, score * x.kindWeight(i)})
	})
	return kept.sorted(), count, nil
}

// A questionField is a field in which the words of a question are looked for, and its weight.
type questionField struct {
	field query.Field
	boost float32
}

func questionFields() []questionField {
	return []questionField{{query.Title, titleBoost}, {query.Symbol, symbolBoost}, {query.FilePath, pathBoost}, {query.Text, textBoost}}
}

// addWord adds up the word's occurrences in all fields.
func (x *Index) addWord(ctx context.Context, text textIndex, t term, s *sum) error {
	for _, f := range questionFields() {
		for _, kind := range []dictKind{wholeTerms, partTerms} {
			weight := f.boost
			if kind == partTerms {
				weight *= questionPart
			}
			for _, form := range t.forms {
				err := text.each(ctx, dict{f.field, kind}, form.text, func(chunk, freq int, length float64) {
					s.set.add(chunk)
					s.weight[chunk] += weight * form.weight * float32(freq) / float32(1-bm25B+bm25B*length)
				})
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// kindWeight pushes down what repeats other chunks or seldom answers: outlines, data and
// tests.
func (x *Index) kindWeight(chunk int) float64 {
	weight := 1.0
	if t := x.cat.ChunkType(chunk); t == record.Symbols || t == record.Data {
		weight *= 0.75
	}
	for tag := range x.cat.Tags(chunk) {
		if tag == "test" {
			return weight * 0.75
		}
	}
	return weight
}

// A cover tells how far the words of a question account for the names of files: the share of the
// name's words, weighed by their rarity among files, that a word of the question
// equals, or is a beginning of, or begins with.
type cover struct {
	names *nameTable
	files *fileTable
	words []string
	known map[uint32][2]float64
}

func (x *Index) newCover(terms []term) *cover {
	c := &cover{names: x.names(), files: x.facets.files(), known: map[uint32][2]float64{}}
	for _, t := range terms {
		c.words = append(c.words, t.word)
	}
	return c
}

func (c *cover) of(chunk int) (name, folders float64) {
	file := c.files.of[chunk]
	if known, ok := c.known[file]; ok {
		return known[0], known[1]
	}
	n := c.names.files[file]
	result := [2]float64{c.share(n.stem), c.share(n.folders)}
	c.known[file] = result
	return result[0], result[1]
}

func (c *cover) share(words []string) float64 {
	var explained, all float64
	for _, w := range words {
		weight := idf(len(c.names.files), c.names.count[w])
		all += weight
		if slices.ContainsFunc(c.words, func(q string) bool { return explains(q, w) }) {
			explained += weight
		}
	}
	if all == 0 {
		return 0
	}
	return explained / all
}

func explains(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	return utf8.RuneCountInString(a) >= 3 && strings.HasPrefix(b, a)
}

// A nameTable holds the words of the files' names and how many files have each.
type nameTable struct {
	files []fileName
	count map[string]int
}

// fileName is the words of a file's stem, and of that with its last two folders.
type fileName struct{ stem, folders []string }

func newNameTable(files *fileTable) *nameTable {
	t := &nameTable{count: map[string]int{}}
	for _, p := range files.paths {
		name := nameOf(p)
		t.files = append(t.files, name)
		for _, w := range name.folders {
			t.count[w]++
		}
	}
	return t
}

func nameOf(file string) fileName {
	stem, _, _ := strings.Cut(path.Base(file), ".")
	dir := path.Dir(file)
	parent := path.Base(dir)
	if isGenericName(strings.ToLower(stem)) && parent != "." && parent != "/" {
		stem = parent
	}
	folders := path.Base(path.Dir(dir)) + "/" + parent + "/" + stem
	return fileName{nameWords(stem), nameWords(folders)}
}

// isGenericName reports names that say nothing: the folder's name stands in.
func isGenericName(stem string) bool {
	switch stem {
	case "index", "main", "mod", "lib", "__init__", "init", "doc", "readme":
		return true
	}
	return false
}

// nameWords are the parts of the words of a name, each once.
func nameWords(name string) []string {
	var words []string
	token.Scan(name, func(t token.Token) {
		switch {
		case t.Kind == token.Sigil:
		case t.Kind == token.Whole && t.To-t.From > 1:
		case !slices.Contains(words, t.Term):
			words = append(words, t.Term)
		}
	})
	return words
}
