package rank

import (
	"cmp"
	"hash/maphash"
	"path"
	"slices"
	"strings"

	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
)

// Twins are places in different files that declare the same and say nearly the same: generated siblings, versions of
// one package, the same function for two platforms. A reader needs one of them, and the locations of the others.

const (
	// twinShare is the least Dice coefficient of the word trigrams of twins, translatedShare that of a text and its
	// translation, which have their keys in common.
	twinShare, translatedShare = 0.8, 0.1
	// maxTwinReads bounds the results whose text is read for one request.
	maxTwinReads = 200
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
				corpus.AddShingles(counts, c, seed)
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
			least := twinShare
			if x.isTranslationOf(kept[k].Chunk, r.Chunk) {
				least = translatedShare
			}
			if corpus.Dice(a, b) >= least {
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

// twinKey returns a key that twins share: the names of the declared symbols, without digits (versions, sizes). For a
// translation, and for a chunk without symbols, it is the base name of the file without its language. It reads no text.
func (x *Ranker) twinKey(r *Result) string {
	file := x.Generation.FilePath(r.Chunk)
	own := corpus.Untranslated(file)
	var names strings.Builder
	if own == file {
		for s := range x.Generation.Symbols(r.Chunk) {
			names.WriteString("\x00" + corpus.WithoutDigits(s.Name))
		}
	}
	return string(x.Generation.ChunkType(r.Chunk)) + cmp.Or(names.String(), "\x00"+path.Base(own))
}

// isTranslationOf reports whether the files of two chunks are translations of one.
func (x *Ranker) isTranslationOf(a, b int) bool {
	one, other := x.Generation.FilePath(a), x.Generation.FilePath(b)
	return (corpus.IsTranslation(one) || corpus.IsTranslation(other)) && corpus.Untranslated(one) == corpus.Untranslated(other)
}
