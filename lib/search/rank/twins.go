package rank

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
)

// Twins are places in different files that declare the same and say nearly the same: generated siblings, versions of
// one package, the same function for two platforms. A reader needs one of them, and the locations of the others.

const (
	// translatedShare is the least Dice coefficient of the word trigrams of a text and its translation, which have their
	// keys in common.
	translatedShare = 0.1
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
	shingles := corpus.NewShingles(x.Generation.Chunk)
	elder := map[string][]int{} // indices in kept, by twinKeys
	kept := results[:0]
	// elderOf returns the index in kept of a result that r is a twin of, or -1.
	elderOf := func(r *Result, keys [2]string) (int, error) {
		for n, least := range [...]float64{corpus.TwinShare, translatedShare} {
			for _, k := range elder[keys[n]] {
				if x.Generation.File(kept[k].Chunk) == x.Generation.File(r.Chunk) {
					continue
				}
				a, err := shingles.Of(kept[k].Chunk, kept[k].chunks()...)
				if err != nil {
					return 0, err
				}
				b, err := shingles.Of(r.Chunk, r.chunks()...)
				if err != nil {
					return 0, err
				}
				if corpus.Dice(a, b) >= least {
					return k, nil
				}
			}
		}
		return -1, nil
	}
	prepared := 0
	for i, r := range results {
		if len(kept) >= need || shingles.Len() >= maxTwinReads {
			kept = append(kept, results[i:]...)
			break
		}
		if i == prepared && x.Generation.IsRemote() {
			prepared = min(i+twinsAhead, len(results))
			if err := x.prepareTwins(results[i:prepared], kept, elder); err != nil {
				return nil, err
			}
		}
		keys := x.twinKeys(&r)
		k, err := elderOf(&r, keys)
		if err != nil {
			return nil, err
		}
		if k >= 0 {
			kept[k].Twins = append(kept[k].Twins, x.twinOf(&r))
			continue
		}
		for _, key := range keys {
			elder[key] = append(elder[key], len(kept))
		}
		kept = append(kept, r)
	}
	for i := range kept {
		answer.SortTwins(kept[i].Twins)
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
	with := map[string][]int{} // indices in next, by twinKeys
	for i := range next {
		for _, key := range x.twinKeys(&next[i]) {
			with[key] = append(with[key], i)
		}
	}
	var chunks []int
	for key, own := range with {
		var alike []*Result
		for _, i := range own {
			alike = append(alike, &next[i])
		}
		for _, k := range elder[key] {
			alike = append(alike, &kept[k])
		}
		file := x.Generation.File(alike[0].Chunk)
		if !slices.ContainsFunc(alike, func(r *Result) bool { return x.Generation.File(r.Chunk) != file }) {
			continue
		}
		for _, r := range alike {
			chunks = append(chunks, r.chunks()...)
		}
	}
	slices.Sort(chunks)
	return x.Generation.Prepare(slices.Compact(chunks))
}

// twinKeys returns two keys, of which twins share one. The first has the names of the declared symbols, without digits
// (versions, sizes), or else the base name of the file. The second has the path of the file without its language, which
// translations of one file share; others share it only within a file. twinKeys reads no text.
func (x *Ranker) twinKeys(r *Result) [2]string {
	tier, file := string(x.Generation.ChunkType(r.Chunk)), x.Generation.FilePath(r.Chunk)
	var names strings.Builder
	for s := range x.Generation.Symbols(r.Chunk) {
		names.WriteString("\x00" + corpus.WithoutDigits(s.Name))
	}
	return [2]string{tier + cmp.Or(names.String(), "\x00"+path.Base(file)), tier + "\x00\x00" + corpus.Untranslated(file)}
}
