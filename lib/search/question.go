package search

import (
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/token/porter"

	"cortex/lib/language"
	"cortex/lib/parallel"
	"cortex/lib/record"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// Weights of a question's words. The fields are joined before they saturate, as in
// BM25F (Robertson, Zaragoza and Taylor 2004).
const (
	titleBoost, symbolBoost, pathBoost, textBoost = 2.0, 2.0, 1.0, 1.0
	// tagBoost is what a tag that equals the word counts.
	tagBoost = 2.5
	// questionPart is what a part of an identifier counts beside a whole word.
	questionPart = 0.8
	// sameStem and agent are what other forms of a word count: reads and reading, and
	// reader, for read.
	sameStem, agent = 0.8, 0.5
	// pieceWeight is what each part of an identifier in the question counts.
	pieceWeight = 0.4
)

// maxQuestionTerms bounds the words of a question: those that come first are kept.
const maxQuestionTerms = 64

// A term is one word of a question with the forms by which it may be met.
type term struct {
	word   string
	weight float32
	forms  []form
	// misspelt is set for a word that is nowhere, and is met by words that are near to it.
	misspelt bool
	// rarity is its weight in the index, and occurs tells whether what may be a hit has it. addWords finds both.
	rarity float32
	occurs bool
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
		list = append(list, term{word: word, weight: weight, forms: forms})
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
	for _, d := range dictsOf(query.Text) {
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

// wordScores scores chunks by the words that they share with the question, any of them (BM25).
func (x *Index) wordScores(ctx context.Context, text textIndex, terms []term, allowed bitset) (*matches, error) {
	total := x.noMatches()
	total.coverage = make([]float32, x.cat.Len())
	all := float32(0)
	err := x.addWords(ctx, text, terms, total, allowed, func(t term, chunks bitset) {
		all += t.rarity
		chunks.each(func(i int) { total.coverage[i] += t.rarity })
	})
	if err != nil {
		return nil, err
	}
	total.set.each(func(i int) { total.coverage[i] /= all })
	return total, nil
}

// addWords adds the scores of the words to those of the chunks. found is told of each word that any chunk has, with the allowed ones of these.
func (x *Index) addWords(ctx context.Context, text textIndex, terms []term, total *matches, allowed bitset, found func(t term, chunks bitset)) error {
	rest := terms
	next := func() (*term, error) {
		if len(rest) == 0 {
			return nil, io.EOF
		}
		t := &rest[0]
		rest = rest[1:]
		return t, nil
	}
	type summed struct {
		*term
		sum *sum
	}
	idle := sync.Pool{New: func() any { return &sum{newBitset(x.cat.Len()), make([]float32, x.cat.Len())} }}
	add := func(ctx context.Context, t *term) (w summed, err error) {
		w = summed{t, idle.Get().(*sum)}
		return w, x.addWord(ctx, text, *t, w.sum)
	}
	take := func(w summed) error {
		t, word := w.term, w.sum
		count := word.set.count()
		t.rarity = t.weight * float32(idf(x.cat.Len(), count))
		if count == 0 {
			idle.Put(word)
			return nil
		}
		if allowed != nil {
			word.set.intersect(allowed)
		}
		t.occurs = word.set.count() > 0
		found(*t, word.set)
		total.set.union(word.set)
		word.set.each(func(i int) {
			total.score[i] += t.rarity * word.weight[i] / (word.weight[i] + bm25K1)
		})
		clear(word.set)
		clear(word.weight)
		idle.Put(word)
		return nil
	}
	workers := min(runtime.GOMAXPROCS(0), 1+x.cat.Len()/wordsShare)
	return parallel.Map(ctx, workers, next, add, take)
}

// wordsShare is the least number of chunks for which another goroutine pays that adds up words.
const wordsShare = 20_000

// plainWords are the words of a question that say something.
func plainWords(question string) []string {
	var words []string
	prose := isProse(question)
	for _, w := range token.Words(question) {
		if !prose || !isFunctionWord(w.Term) {
			words = append(words, w.Term)
		}
	}
	return words
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
		for _, d := range dictsOf(f.field) {
			weight := f.boost
			if d.isPart() {
				weight *= questionPart
			}
			for _, form := range t.forms {
				err := text.each(ctx, d, form.text, func(chunk, freq int, length float64) {
					s.set.add(chunk)
					s.weight[chunk] += weight * form.weight * float32(freq) / float32(1-bm25B+bm25B*length)
				})
				if err != nil {
					return err
				}
			}
		}
	}
	return text.each(ctx, dict{query.Tags, wholeTerms}, t.word, func(chunk, freq int, _ float64) {
		s.set.add(chunk)
		s.weight[chunk] += tagBoost * float32(freq)
	})
}

// eachSubject calls emit for the tags of a document that say what it is about.
func eachSubject(c *record.Chunk, emit func(tag string)) {
	if c.ChunkType != record.Documentation {
		return
	}
	for _, tag := range c.Tags {
		if tag = token.Fold(tag); isSubjectTag(tag) {
			emit(tag)
		}
	}
}

// isSubjectTag reports whether a tag may say what a document is about. Those that Cortex itself gives say what a chunk is.
func isSubjectTag(tag string) bool {
	switch tag {
	case record.SourceCode, record.SourceDoc, "test", "generated":
		return false
	}
	if slices.Contains(record.ChunkTypes, record.ChunkType(tag)) {
		return false
	}
	l, ok := language.ByName(tag)
	return !ok || l.Name != tag
}
