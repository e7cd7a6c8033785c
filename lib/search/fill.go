package search

import (
	"slices"

	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/rank"
	"cortex/lib/search/render/brief"
	"cortex/lib/search/show"
)

// leastScore returns the least score that a hit of the request must have.
func (x *Index) leastScore(req answer.Request) float64 {
	if req.MinScore == nil {
		return x.settings.MinScore
	}
	return *req.MinScore
}

// goodEnough removes results with too low a score and sets TotalFound to the number of the rest. results are in
// descending order.
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

// tellBeyond sets a warning if the offset of the request skips all results. There may be fewer results than TotalFound.
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

// fill turns the results into hits. Unless the request asks for Further hits, it does not read hits that a text would
// not show.
func (x *Index) fill(response *answer.Response, results []rank.Result, req answer.Request, needles []show.Needle, finder *show.Finder) (err error) {
	hits := make([]answer.Hit, len(results))
	for i, r := range results {
		hits[i].Score, hits[i].Chunk.Metadata.FilePath = corpus.Rounded(r.Chance), x.corpus.Generation.FilePath(r.Chunk)
	}
	whole, chunks := brief.Best(hits), []int{}
	for i, r := range results {
		if whole[i] = whole[i] || !req.Lines || req.Further || i < saidHits; whole[i] {
			chunks = append(append(chunks, r.Chunk), r.Parts...)
		}
	}
	if err := x.corpus.Generation.Prepare(chunks); err != nil {
		return err
	}
	definitions := show.NewDefinitions(x.corpus)
	for i, r := range results {
		if !whole[i] {
			hits[i] = show.PlaceOf(x.corpus, corpus.Scored{Chunk: r.Chunk, Score: r.Chance}, r.Match)
		} else if hits[i], err = x.hit(i, &r, req, needles, finder, definitions); err != nil {
			return err
		}
	}
	response.Results = hits
	return nil
}

// hit turns a result into a hit. number is its position on the page, from 0.
func (x *Index) hit(number int, r *rank.Result, req answer.Request, needles []show.Needle, finder *show.Finder, definitions *show.Definitions) (answer.Hit, error) {
	h, err := show.Merged(x.corpus, corpus.Scored{Chunk: r.Chunk, Score: r.Chance}, r.Match, r.Parts, needles, finder)
	if err != nil {
		return h, err
	}
	if finder.Lines && (number < show.UsingHits || finder.Values) {
		if h.Uses, err = show.UsesOf(x.corpus, r.Chunk, &h, needles, finder.Values); err != nil {
			return h, err
		}
	}
	h.Twins = r.Twins
	if req.Explain {
		h.Reasons = r.Reasons(r.Base)
	}
	return h, show.AddContext(x.corpus, &h, r.Chunk, req.Context, definitions)
}
