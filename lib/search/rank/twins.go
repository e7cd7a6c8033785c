package rank

import (
	"cmp"
	"hash/maphash"
	"path"
	"slices"
	"strings"
	"unicode"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/token"
)

// Twins are places in different files that declare the same and say nearly the same: generated siblings, versions of
// one package, the same function for two platforms. A reader needs one of them, and the locations of the others.

const (
	// twinShare is the least Dice coefficient of the word trigrams of twins.
	twinShare = 0.8
	// maxTwinReads bounds the results whose text is read for one request.
	maxTwinReads = 200
	// maxTwinWords bounds the words of one chunk that are compared.
	maxTwinWords = 2000
	// twinsAhead is the number of results whose chunks a remote index reads in one round trip.
	twinsAhead = 64
)

// JoinTwins removes twins of better results, as far as the request needs results, and adds their locations to Twins.
func (x *Ranker) JoinTwins(results []Result, req answer.Request) ([]Result, error) {
	need := req.Bound()
	if req.Counts {
		need = max(need, answer.MaxLimit)
	}
	seed := maphash.MakeSeed()
	texts := map[int]map[uint64]int{} // trigram counts by the result's chunk
	read := func(r *Result) (map[uint64]int, error) {
		if texts[r.Chunk] == nil {
			counts := map[uint64]int{}
			for _, chunk := range r.chunks() {
				c, err := x.Generation.Chunk(chunk)
				if err != nil {
					return nil, err
				}
				addShingles(counts, c, seed)
			}
			texts[r.Chunk] = counts
		}
		return texts[r.Chunk], nil
	}
	elder := map[string][]int{} // indices in kept, by twinKey
	kept := results[:0]
	prepared := 0
	for i, r := range results {
		if len(kept) >= need || len(texts) >= maxTwinReads {
			kept = append(kept, results[i:]...)
			break
		}
		if i == prepared && x.Generation.IsRemote() {
			prepared = min(i+twinsAhead, len(results))
			if err := x.prepareTwins(results[i:prepared], kept, elder); err != nil {
				return nil, err
			}
		}
		key := x.twinKey(&r)
		joined := false
		for _, k := range elder[key] {
			if x.Generation.File(kept[k].Chunk) == x.Generation.File(r.Chunk) {
				continue
			}
			a, err := read(&kept[k])
			if err != nil {
				return nil, err
			}
			b, err := read(&r)
			if err != nil {
				return nil, err
			}
			if diceCoefficient(a, b) >= twinShare {
				kept[k].Twins = append(kept[k].Twins, x.twinOf(&r))
				joined = true
				break
			}
		}
		if joined {
			continue
		}
		elder[key] = append(elder[key], len(kept))
		kept = append(kept, r)
	}
	for i := range kept {
		slices.SortFunc(kept[i].Twins, func(a, b answer.Twin) int {
			return cmp.Or(strings.Compare(a.FilePath, b.FilePath), cmp.Compare(a.StartLine, b.StartLine))
		})
	}
	return kept, nil
}

func (x *Ranker) twinOf(r *Result) answer.Twin {
	gen := x.Generation
	t := answer.Twin{ID: gen.ID(r.Chunk), FilePath: gen.FilePath(r.Chunk), Tree: gen.Tree(r.Chunk)}
	for i, chunk := range r.chunks() {
		from, to := gen.Lines(chunk)
		if i == 0 {
			t.StartLine = from
		}
		t.StartLine, t.EndLine = min(t.StartLine, from), max(t.EndLine, to)
	}
	return t
}

// prepareTwins prefetches the chunks of the next results that may be twins, and of the kept results that may be theirs.
func (x *Ranker) prepareTwins(next, kept []Result, elder map[string][]int) error {
	with := map[string][]int{} // indices in next, by twinKey
	for i := range next {
		key := x.twinKey(&next[i])
		with[key] = append(with[key], i)
	}
	var chunks []int
	for key, own := range with {
		if len(own) == 1 && len(elder[key]) == 0 {
			continue
		}
		for _, i := range own {
			chunks = append(chunks, next[i].chunks()...)
		}
		for _, k := range elder[key] {
			chunks = append(chunks, kept[k].chunks()...)
		}
	}
	slices.Sort(chunks)
	return x.Generation.Prepare(chunks)
}

// twinKey returns a key that twins share: the names of the declared symbols, without digits (versions, sizes), or else
// the base name of the file. It reads no text.
func (x *Ranker) twinKey(r *Result) string {
	var b strings.Builder
	b.WriteString(string(x.Generation.ChunkType(r.Chunk)))
	names := false
	for s := range x.Generation.Symbols(r.Chunk) {
		b.WriteString("\x00" + withoutDigits(s.Name))
		names = true
	}
	if !names {
		b.WriteString("\x00" + path.Base(x.Generation.FilePath(r.Chunk)))
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

// addShingles counts the hashes of the word trigrams in the chunk's own text. Fewer than three words count as one.
func addShingles(counts map[uint64]int, c *record.Chunk, seed maphash.Seed) {
	var words []string
	for _, part := range corpus.OwnText(c) {
		token.Scan(c.Text[part.From:part.To], func(t token.Token) {
			if t.Kind == token.Whole && len(words) < maxTwinWords {
				if w := withoutDigits(t.Term); w != "" {
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

// diceCoefficient returns the Dice coefficient of two multisets of trigrams.
func diceCoefficient(a, b map[uint64]int) float64 {
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
