package rank

import (
	"slices"

	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
)

// WithoutRepeats removes chunks without lines of their own, such as outlines, if their file has another candidate: a
// place appears in one tier only. A filter that names the type of such chunks keeps them.
func (x *Ranker) WithoutRepeats(list []Candidate, f answer.Filter) []Candidate {
	asked := corpus.AskedTypes(f)
	derived := func(chunk int) bool { return x.IsDerived(chunk) && !asked[x.Generation.ChunkType(chunk)] }
	has := corpus.NewSet(x.Generation.Files())
	for i := range list {
		if chunk := list[i].Chunk; !derived(chunk) {
			has.Add(int(x.Generation.File(chunk)))
		}
	}
	return slices.DeleteFunc(list, func(c Candidate) bool { return derived(c.Chunk) && has.Has(int(x.Generation.File(c.Chunk))) })
}

// Results turns the sorted candidates into hits. Sections of one document are replaced by their parent, parts of one
// definition become one hit, and if there are several topics, hits that touch each other become one.
func (x *Ranker) Results(list []Candidate, topics []string, allowed corpus.Set) []Result {
	results := make([]Result, len(list))
	for i, c := range list {
		results[i] = Result{Candidate: c, Base: c.base}
	}
	words := wordsOfTopics(topics)
	named := x.namedDocuments(results, words)
	best := map[int]float64{} // kept between rounds: sections that remain are compared with those that were merged
	for range x.merging.MaxDepth {
		merged, ok := x.mergeSections(results, words, named, best, allowed)
		if !ok {
			break
		}
		results = merged
	}
	results = x.joinParts(results)
	if len(topics) > 1 {
		results = x.joinNeighbours(results)
	}
	for i := range results {
		results[i].Chance = results[i].Score
	}
	return results
}

const (
	// nearlyAsGood is the share of a file's best score that its further places must have to be shown.
	nearlyAsGood = 0.5
	// maxOfFile bounds the places of one file that are shown together.
	maxOfFile = 5
)

// PageOfFiles returns the results of the requested files, each file's together, at most two per file on average.
func (x *Ranker) PageOfFiles(results []Result, req answer.Request) []Result {
	var order []uint32
	places := map[uint32][]int{} // indices in results, by file
	for i := range results {
		file := x.Generation.File(results[i].Chunk)
		list := places[file]
		switch {
		case list == nil:
			order = append(order, file)
		case len(list) == maxOfFile || results[i].Score < nearlyAsGood*results[list[0]].Score:
			continue
		}
		places[file] = append(list, i)
	}
	order = answer.Page(order, req)
	var list []Result
	room := len(order) // for further places
	for _, file := range order {
		n := min(len(places[file]), 1+room)
		room -= n - 1
		for _, i := range places[file][:n] {
			list = append(list, results[i])
		}
	}
	return list
}
