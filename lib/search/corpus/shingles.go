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

// AddShingles counts the hashes of the word trigrams in the chunk's own text. Fewer than three words count as one.
func AddShingles(counts map[uint64]int, c *record.Chunk, seed maphash.Seed) {
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
		counts[maphash.String(seed, strings.Join(words[i:min(i+row, len(words))], " "))]++
	}
}

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
