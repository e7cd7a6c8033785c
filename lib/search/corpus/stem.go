package corpus

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"

	"cortex/lib/hint"
	"cortex/lib/search/greek"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// NoStemmer is the value of Settings.Stemmer that turns stemming off.
const NoStemmer = "none"

// DefaultStemmer is the language that an empty Settings.Stemmer stands for.
const DefaultStemmer = "english"

// An algorithm removes the endings of words in one language.
type algorithm struct {
	language string
	// make returns a function that finds stems.
	make func() func(word string) string
}

// snowball adapts an algorithm of snowballstem.org.
func snowball(stem func(*snowballstem.Env) bool) func() func(string) string {
	return func() func(string) string {
		return func(word string) string {
			env := snowballstem.NewEnv(word)
			stem(env)
			return env.Current()
		}
	}
}

func greekStems() func(string) string { return greek.New().Stem }

func algorithms() []algorithm {
	return []algorithm{
		{"arabic", snowball(arabic.Stem)}, {"danish", snowball(danish.Stem)}, {"dutch", snowball(dutch.Stem)}, {"english", snowball(english.Stem)}, {"finnish", snowball(finnish.Stem)},
		{"french", snowball(french.Stem)}, {"german", snowball(german.Stem)}, {"greek", greekStems}, {"hungarian", snowball(hungarian.Stem)}, {"irish", snowball(irish.Stem)}, {"italian", snowball(italian.Stem)},
		{"norwegian", snowball(norwegian.Stem)}, {"portuguese", snowball(portuguese.Stem)}, {"romanian", snowball(romanian.Stem)}, {"russian", snowball(russian.Stem)},
		{"spanish", snowball(spanish.Stem)}, {"swedish", snowball(swedish.Stem)}, {"tamil", snowball(tamil.Stem)}, {"turkish", snowball(turkish.Stem)},
	}
}

// Stemmers lists the valid values of Settings.Stemmer.
func Stemmers() []string {
	names := []string{NoStemmer}
	for _, a := range algorithms() {
		names = append(names, a.language)
	}
	return names
}

// A Stemmer finds the stems of the words of prose in one language. It is safe for concurrent use.
type Stemmer struct {
	language string
	// stem returns the stem of a word; it is nil for NoStemmer.
	stem func(word string) string
	// known caches stems by word: texts have far fewer different words than words.
	known sync.Map
	count atomic.Int64
}

// maxKnownStems bounds the number of words in Stemmer.known.
const maxKnownStems = 100_000

// NewStemmer returns the stemmer of a language; "" stands for DefaultStemmer.
func NewStemmer(language string) (*Stemmer, error) {
	language = strings.ToLower(strings.TrimSpace(language))
	if language == "" {
		language = DefaultStemmer
	}
	if language == NoStemmer {
		return &Stemmer{language: NoStemmer}, nil
	}
	list := algorithms()
	i := slices.IndexFunc(list, func(a algorithm) bool { return a.language == language })
	if i < 0 {
		advice := hint.OrNearest(language, Stemmers(), "languages are "+strings.Join(Stemmers(), ", "))
		return nil, hint.Wrap(fmt.Errorf("search.stemmer: unknown language %q", language), advice)
	}
	return &Stemmer{language: language, stem: list[i].make()}, nil
}

// StemOf returns the stem of a folded word; ok is false for a word without one, such as a number or a name with
// underscores.
func (s *Stemmer) StemOf(word string) (stem string, ok bool) {
	if s == nil || s.stem == nil || !isPlainWord(word) {
		return "", false
	}
	if known, ok := s.known.Load(word); ok {
		return known.(string), true
	}
	stem = s.stem(word)
	if s.count.Add(1) <= maxKnownStems {
		s.known.Store(strings.Clone(word), stem)
	}
	return stem, true
}

// SameStem returns a test for tokens with the same stem as the word; nil if the word has no stem.
func (s *Stemmer) SameStem(word string) func(token.Token) bool {
	stem, ok := s.StemOf(word)
	if !ok {
		return nil
	}
	return func(t token.Token) bool {
		if t.Kind != token.Whole {
			return false
		}
		other, ok := s.StemOf(t.Term)
		return ok && other == stem
	}
}

// Stemmed reports whether the term, of which w is the only word, also matches other forms of the word. A quoted word
// matches only as it is written.
func Stemmed(t *query.Term, w token.Token) bool {
	return t.Field == query.Text && !t.Phrase && t.Fuzzy == 0 && w.Kind == token.Whole
}

// maxStemmed is the length in bytes above which a word is not stemmed: the time of some algorithms grows with the
// square of the length.
const maxStemmed = 64

// isPlainWord reports whether the word has at least three letters and no other characters.
func isPlainWord(word string) bool {
	if len(word) > maxStemmed {
		return false
	}
	letters := 0
	for _, r := range word {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			return false
		}
		letters++
	}
	return letters >= 3
}
