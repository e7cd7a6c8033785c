package search

import (
	"cmp"
	"hash/maphash"
	"path"
	"slices"
	"strings"
	"unicode"

	"cortex/lib/record"
	"cortex/lib/search/token"
)

// Twins are places in different files that declare the same and say nearly the same: generated siblings, versions of one package side by side, the same function
// for two platforms. A reader needs one of them and where the others are.

const (
	// twinShare is the share of three words in a row that twins have in common.
	twinShare = 0.8
	// maxTwinReads bounds the chunks that are read to be compared for one request.
	maxTwinReads = 200
	// maxTwinWords bounds the words that are compared of one chunk.
	maxTwinWords = 2000
)

// A Twin is a place that says nearly the same as the hit.
type Twin struct {
	ID        string `json:"id"`
	FilePath  string `json:"file_path"`
	Tree      string `json:"tree,omitempty"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
}

// joinTwins takes results away that are twins of better ones, among the first ones that the request needs.
func (x *Index) joinTwins(results []result, req Request) ([]result, error) {
	need := len(results)
	if req.Limit >= 0 {
		need = max(req.Offset, 0) + cmp.Or(req.Limit, DefaultLimit)
	}
	seed := maphash.MakeSeed()
	texts := map[int]map[uint64]int{} // by chunk
	read := func(chunk int) (map[uint64]int, error) {
		if texts[chunk] == nil {
			c, err := x.cat.Chunk(chunk)
			if err != nil {
				return nil, err
			}
			texts[chunk] = shingles(c, seed)
		}
		return texts[chunk], nil
	}
	elder := map[string][]int{} // places in kept, by what they declare
	kept := make([]result, 0, len(results))
	for i, r := range results {
		if len(kept) >= need || len(texts) >= maxTwinReads {
			kept = append(kept, results[i:]...)
			break
		}
		key := x.twinKey(&r)
		joined := false
		for _, k := range elder[key] {
			if x.cat.File(kept[k].chunk) == x.cat.File(r.chunk) {
				continue
			}
			a, err := read(kept[k].chunk)
			if err != nil {
				return nil, err
			}
			b, err := read(r.chunk)
			if err != nil {
				return nil, err
			}
			if alike(a, b) >= twinShare {
				kept[k].twins = append(kept[k].twins, r.chunk)
				joined = true
				break
			}
		}
		if joined {
			continue
		}
		if key != "" {
			elder[key] = append(elder[key], len(kept))
		}
		kept = append(kept, r)
	}
	return kept, nil
}

// twinKey is what twins have in common that can be told without reading them: what they declare, without digits, which tell
// versions and sizes apart, or else the name of their file. "" is for what has no twin.
func (x *Index) twinKey(r *result) string {
	if r.parts != nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(string(x.cat.ChunkType(r.chunk)))
	names := false
	for s := range x.cat.Symbols(r.chunk) {
		b.WriteString("\x00" + withoutDigits(s.Name))
		names = true
	}
	if !names {
		b.WriteString("\x00" + path.Base(x.cat.FilePath(r.chunk)))
	}
	return b.String()
}

func withoutDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, s)
}

// shingles counts each three words in a row of the chunk's own text; of fewer words all of them.
func shingles(c *record.Chunk, seed maphash.Seed) map[uint64]int {
	var words []string
	for _, part := range ownText(c) {
		token.Scan(c.Text[part.from:part.to], func(t token.Token) {
			if t.Kind == token.Whole && len(words) < maxTwinWords {
				if w := withoutDigits(t.Term); w != "" {
					words = append(words, w)
				}
			}
		})
	}
	const row = 3
	counts := map[uint64]int{}
	for i := 0; i == 0 || i+row <= len(words); i++ {
		counts[maphash.String(seed, strings.Join(words[i:min(i+row, len(words))], " "))]++
	}
	return counts
}

// alike is the share of what two texts have that both have (Dice).
func alike(a, b map[uint64]int) float64 {
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

// twinsOf are the places of the chunks, in the order of their files.
func (x *Index) twinsOf(chunks []int) []Twin {
	var list []Twin
	for _, chunk := range chunks {
		from, to := x.cat.Lines(chunk)
		list = append(list, Twin{x.cat.ID(chunk), x.cat.FilePath(chunk), x.cat.Tree(chunk), from, to})
	}
	slices.SortFunc(list, func(a, b Twin) int {
		return cmp.Or(strings.Compare(a.FilePath, b.FilePath), cmp.Compare(a.StartLine, b.StartLine))
	})
	return list
}
