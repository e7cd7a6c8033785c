package rank

import (
	"cmp"
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/corpus"
	"cortex/lib/search/token"
	"cortex/lib/search/wording"
)

func wordsOfTopics(topics []string) []string {
	var words []string
	for _, topic := range topics {
		for _, w := range token.Words(topic) {
			if !wording.IsFunctionWord(w.Term) && len(words) < wording.MaxQuestionTerms {
				words = append(words, w.Term)
			}
		}
	}
	return words
}

// mergeSections puts parents in the place of sections among the first results; ok tells whether there was any. A parent is one level up, but
// for sections of documents that are named the document. best has the worth of the best section, by parent.
func (x *Ranker) mergeSections(results []Result, words []string, named map[uint32]int, best map[int]float64, allowed corpus.Set) (merged []Result, ok bool) {
	window := results[:min(len(results), mergeWindow)]
	parentOf := func(chunk int) (parent int, id, section string, ok bool) {
		parent, id, section, ok = x.parentOf(chunk)
		if document, is := named[x.Generation.File(chunk)]; is && ok && levels(section) <= x.merging.MaxDepth {
			return document, x.Generation.ID(document), section, true
		}
		return parent, id, section, ok
	}
	type family struct {
		parent   int
		id       string
		children []int // places in window
		sections map[string]bool
	}
	families := map[int]*family{}
	place := map[int]int{}
	// Sections of a document that is named share what it says for all of them, so that they are compared by their own evidence.
	worth := func(r *Result, parent int) float64 {
		if document, is := named[x.Generation.File(r.Chunk)]; is && document == parent && r.weights != nil && r.Parts == nil {
			return r.weights.ofPlace(r.evidence)
		}
		return r.Base
	}
	for i := range window {
		if parent, _, _, found := parentOf(window[i].Chunk); found {
			best[parent] = max(best[parent], worth(&window[i], parent))
		}
	}
	for i, r := range window {
		place[r.Chunk] = i
		parent, id, section, found := parentOf(r.Chunk)
		if !found || allowed != nil && !allowed.Has(parent) || worth(&r, parent) < alikeShare*best[parent] {
			continue
		}
		f := families[parent]
		if f == nil {
			f = &family{parent: parent, id: id, sections: map[string]bool{}}
			families[parent] = f
		}
		f.children = append(f.children, i)
		f.sections[section] = true
	}
	// text reports whether the parent is a hit with a text of its own.
	text := func(f *family) (at int, ok bool) {
		at, ok = place[f.parent]
		return at, ok && (window[at].Parts != nil || !x.IsDerived(f.parent))
	}
	var list []*family
	for _, f := range families {
		// One section alone stands for itself.
		if _, ok := text(f); len(f.sections) == 1 && !ok {
			continue
		}
		if len(f.sections) >= max(x.merging.Threshold, 1) || explainsHeading(words, f.id) {
			list = append(list, f)
		}
	}
	// The deepest first, since a parent may be a child of another.
	slices.SortFunc(list, func(a, b *family) int {
		return cmp.Or(cmp.Compare(strings.Count(b.id, "/"), strings.Count(a.id, "/")), x.Generation.Compare(a.parent, b.parent))
	})
	gone := map[int]bool{}
	for _, f := range list {
		if slices.ContainsFunc(f.children, func(i int) bool { return gone[i] }) {
			continue
		}
		best := window[f.children[0]]
		best.Parts = nil
		bonus := 1 + x.merging.Bonus*float64(len(f.sections))
		for _, i := range f.children {
			best.Parts = unite(best.Parts, window[i].chunks())
			gone[i] = true
		}
		if i, found := place[f.parent]; found && !gone[i] {
			gone[i] = true
			best.Score = max(best.Score, window[i].Score)
			if _, ok := text(f); ok {
				best.Parts = unite(best.Parts, window[i].chunks())
			}
		}
		// The bonus compares documents. Code, which has none, stays above what it was above of.
		raised := best.Score * bonus
		for _, r := range results {
			if r.Score <= best.Score {
				break
			}
			if x.Generation.ChunkType(r.Chunk) != record.Documentation {
				raised = min(raised, r.Score-leastStep)
			}
		}
		best.Chunk, best.Score = f.parent, corpus.Rounded(max(best.Score, raised))
		x.sortByLines(best.Parts)
		merged = append(merged, best)
	}
	if len(merged) == 0 {
		return results, false
	}
	for i, r := range results {
		if !gone[i] {
			merged = append(merged, r)
		}
	}
	slices.SortFunc(merged, x.bestFirst)
	return merged, true
}

// parentOf finds the chunk of the heading, or the document, right above that of the section. Identifiers tell: doc-PATH, doc-PATH#a,
// doc-PATH#a/b, and ~2 and so on for further parts of a section.
func (x *Ranker) parentOf(chunk int) (parent int, id, section string, ok bool) {
	if x.Generation.ChunkType(chunk) != record.Documentation {
		return 0, "", "", false
	}
	document := "doc-" + record.IDPath(x.Generation.FilePath(chunk))
	rest, ok := strings.CutPrefix(x.Generation.ID(chunk), document)
	if !ok || !strings.HasPrefix(rest, "#") {
		return 0, "", "", false
	}
	section = corpus.WithoutPart(rest)
	id = document + section[:max(strings.LastIndexByte(section, '/'), 0)]
	parent, ok = x.Generation.Find(id)
	return parent, id, document + section, ok
}

// levels is how far a section is below its document.
func levels(section string) int {
	_, slug, _ := strings.Cut(section, "#")
	return 1 + strings.Count(slug, "/")
}

// namedDocuments are those of the first results whose name or title the question's words account for, by their file. A question that names a document
// is about all of it, so that what is found in it is one hit, however far apart its sections are.
func (x *Ranker) namedDocuments(results []Result, words []string) map[uint32]int {
	named, seen := map[uint32]int{}, map[uint32]bool{}
	for _, r := range results[:min(len(results), mergeWindow)] {
		file := x.Generation.File(r.Chunk)
		if seen[file] || x.Generation.ChunkType(r.Chunk) != record.Documentation {
			continue
		}
		seen[file] = true
		path := x.Generation.FilePath(r.Chunk)
		document, ok := x.Generation.Find("doc-" + record.IDPath(path))
		if !ok {
			continue
		}
		if coverOfWords(words, corpus.NameOf(path)) < 1 {
			// A document that can't be read fails the request where it is shown.
			c, err := x.Generation.Chunk(document)
			if err != nil || coverOfName(words, c.Title) < 1 {
				continue
			}
		}
		named[file] = document
	}
	return named
}

// explainsHeading reports whether the words of the question account for all of the heading that the identifier of a section names, or
// for all of the document's name.
func explainsHeading(words []string, id string) bool {
	heading := id[strings.LastIndexAny(id, "#/")+1:]
	if !strings.Contains(id, "#") {
		heading, _, _ = strings.Cut(heading, ".")
	}
	return coverOfName(words, heading) == 1
}

// alikeShare is the share of the best section's score that another must have: what is found by far less is no sign that the question is
// about all of them.
const alikeShare = 0.9
