package rank

import (
	"slices"

	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
)

// WithoutRepeats leaves out chunks that have no line of their own, such as outlines, where another candidate is of their file: each
// place is found in one tier. A filter that names their type keeps them.
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

// Results turns the candidates, which are sorted, into hits: sections of one document give way to their parent, and where there are
// several topics, hits that touch become one.
func (x *Ranker) Results(list []Candidate, topics []string, allowed corpus.Set) []Result {
	results := make([]Result, len(list))
	for i, c := range list {
		results[i] = Result{Candidate: c, Base: c.base}
	}
	words := wordsOfTopics(topics)
	named := x.namedDocuments(results, words)
	best := map[int]float64{} // what is left in the next round is compared with what was merged in this one
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
	// nearlyAsGood is the share of the best score of its file that a further place must have to be shown with it.
	nearlyAsGood = 0.5
	// maxOfFile bounds the places of a file that are shown together.
	maxOfFile = 5
)

// PageOfFiles are the results of as many files as the request asks for, those of one file together. It has at most twice as many results as files.
func (x *Ranker) PageOfFiles(results []Result, req answer.Request) []Result {
	var order []uint32
	places := map[uint32][]int{} // in results
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
