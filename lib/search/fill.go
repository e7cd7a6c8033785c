package search

import (
	"cmp"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
	"cortex/lib/search/rank"
	"cortex/lib/search/show"
)

// leastScore is the least score of a hit of the request.
func (x *Index) leastScore(req answer.Request) float64 {
	if req.MinScore == nil {
		return x.settings.MinScore
	}
	return *req.MinScore
}

// goodEnough leaves out results whose score is too low, and counts the others. The best come first.
func (x *Index) goodEnough(response *answer.Response, results []rank.Result, req answer.Request) []rank.Result {
	least := x.leastScore(req)
	n := slices.IndexFunc(results, func(r rank.Result) bool { return r.Chance < least })
	if n < 0 {
		return results
	}
	response.TotalFound = n
	if n == 0 {
		response.NoMatch = &answer.NoMatch{}
		response.NoMatch.Say("no hit has a score of %g or more; the best has %.2f", least, results[0].Chance)
	}
	return results[:n]
}

// tellBeyond warns if nothing of the results is shown since the request leaves all out, of which there may be fewer than TotalFound.
func (x *Index) tellBeyond(response *answer.Response, results []rank.Result, req answer.Request) {
	if !req.ByFile {
		response.Metadata.Warning = answer.Beyond(req, len(results), "result", "results")
		return
	}
	files := map[uint32]bool{}
	for i := range results {
		files[x.corpus.Generation.File(results[i].Chunk)] = true
	}
	response.Metadata.Warning = answer.Beyond(req, len(files), "file", "files")
}

// fill makes hits of the results, several at once.
func (x *Index) fill(response *answer.Response, results []rank.Result, req answer.Request, needles []show.Needle, finder *show.Finder) error {
	chunks := make([]int, 0, len(results))
	for i := range results {
		chunks = append(append(chunks, results[i].Chunk), results[i].Parts...)
	}
	if err := x.corpus.Generation.Prepare(chunks); err != nil {
		return err
	}
	shown := x.corpus.Over(x.corpus.Generation.ForRequest())
	first := len(response.Results)
	response.Results = append(response.Results, make([]answer.Hit, len(results))...)
	var next atomic.Int64
	some := func() (err error) {
		defer index.Guard(&err)()
		for i := int(next.Add(1)) - 1; i < len(results) && err == nil; i = int(next.Add(1)) - 1 {
			response.Results[first+i], err = x.hit(shown, i, &results[i], req, needles, finder)
		}
		return err
	}
	var group errgroup.Group
	for range min(runtime.GOMAXPROCS(0), len(results)) - 1 {
		group.Go(some)
	}
	// Decoding needs a large stack, which this goroutine has by now.
	err := some()
	return cmp.Or(group.Wait(), err)
}

// hit makes a hit of a result, which is the one of that number, with what it shows read from the corpus for this request.
func (x *Index) hit(shown *corpus.Corpus, number int, r *rank.Result, req answer.Request, needles []show.Needle, finder *show.Finder) (answer.Hit, error) {
	h, err := show.Merged(shown, corpus.Scored{Chunk: r.Chunk, Score: r.Chance}, r.Match, r.Parts, needles, finder)
	if err != nil {
		return h, err
	}
	if finder.Lines && number < show.UsingHits {
		if h.Uses, err = show.UsesOf(shown, r.Chunk, &h, needles); err != nil {
			return h, err
		}
	}
	h.Twins = r.Twins
	if req.Explain {
		h.Reasons = r.Reasons(r.Base)
	}
	return h, show.AddContext(shown, &h, r.Chunk, req.Context)
}
