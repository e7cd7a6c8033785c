package corpus

import (
	"hash/maphash"
	"strings"
	"unicode"

	"cortex/lib/record"
	"cortex/lib/search/token"
)

// maxShingleWords bounds the words of one chunk that are compared with others.
const maxShingleWords = 2000

// WithoutDigits returns the text without digits, which tell versions and sizes apart.
func WithoutDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, s)
}

// Shingles counts the word trigrams of texts, those of each text once. It is for one request, and may not be used
// concurrently.
type Shingles struct {
	read  func(chunk int) (*record.Chunk, error)
	seed  maphash.Seed
	texts map[int]map[uint64]int
}

// NewShingles returns the Shingles of texts whose chunks read returns.
func NewShingles(read func(chunk int) (*record.Chunk, error)) *Shingles {
	return &Shingles{read, maphash.MakeSeed(), map[int]map[uint64]int{}}
}

// Of returns the number of each trigram, by its hash, in the text that consists of the chunks. id is a number of the
// text.
func (s *Shingles) Of(id int, chunks ...int) (map[uint64]int, error) {
	if s.texts[id] == nil {
		counts := map[uint64]int{}
		for _, chunk := range chunks {
			c, err := s.read(chunk)
			if err != nil {
				return nil, err
			}
			s.add(counts, c)
		}
		s.texts[id] = counts
	}
	return s.texts[id], nil
}

// Len returns the number of texts that Of has read.
func (s *Shingles) Len() int { return len(s.texts) }

// add counts the hashes of the word trigrams in the chunk's own text. Fewer than three words count as one.
func (s *Shingles) add(counts map[uint64]int, c *record.Chunk) {
	var words []string
	for _, part := range OwnText(c) {
		token.Scan(c.Text[part.From:part.To], func(t token.Token) {
			if t.Kind == token.Whole && len(words) < maxShingleWords {
				if w := WithoutDigits(t.Term); w != "" {
					words = append(words, w)
				}
			}
		})
	}
	const row = 3
	for i := 0; i == 0 || i+row <= len(words); i++ {
		counts[maphash.String(s.seed, strings.Join(words[i:min(i+row, len(words))], " "))]++
	}
}

// TwinShare is the least Dice coefficient of texts that say nearly the same.
const TwinShare = 0.8

// Dice returns the Dice coefficient of two multisets of trigrams.
func Dice(a, b map[uint64]int) float64 {
	both, all := 0, 0
	for s, n := range a {
		both += min(n, b[s])
		all += n
	}
	for _, n := range b {
		all += n
	}
	return 2 * float64(both) / float64(max(all, 1))
}
