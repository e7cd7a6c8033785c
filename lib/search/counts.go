package search

import (
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/rank"
)

// hitCounter counts hits by the properties that filters use.
type hitCounter struct {
	x      *Index
	folder string
	counts *answer.Counts
}

func (x *Index) newHitCounter(folder string) *hitCounter {
	if folder != "" {
		folder += "/"
	}
	return &hitCounter{x, folder, &answer.Counts{Languages: map[string]int{}, Kinds: map[string]int{}, Folders: map[string]int{}}}
}

func (t *hitCounter) add(chunk int) {
	c, cat := t.counts, t.x.corpus.Generation
	c.Total++
	if language := cat.Language(chunk); language != "" {
		c.Languages[language]++
	}
	for tag := range cat.Tags(chunk) {
		switch tag {
		case record.TagTest:
			c.Tests++
		case record.SourceDoc:
			c.Documents++
		}
	}
	if below, ok := strings.CutPrefix(cat.FilePath(chunk), t.folder); ok {
		folder, _, inFolder := strings.Cut(below, "/")
		if !inFolder {
			folder = ""
		}
		c.Folders[folder]++
	}
	kinds := make([]record.Kind, 0, 8)
next:
	for s := range cat.Symbols(chunk) {
		for _, known := range kinds {
			if known == s.Type {
				continue next
			}
		}
		kinds = append(kinds, s.Type)
		c.Kinds[string(s.Type)]++
	}
}

// countResults counts the best results of a question.
func (x *Index) countResults(results []rank.Result, req answer.Request) *answer.Counts {
	if !req.Counts {
		return nil
	}
	t := x.newHitCounter(req.CountsIn)
	for _, r := range results[:min(len(results), answer.MaxLimit)] {
		t.add(r.Chunk)
	}
	return t.counts
}
