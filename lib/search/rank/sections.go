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

// A family is a heading, or a document, with those of its sections that were found.
type family struct {
	parent int
	id     string
	// children are the places of the sections in the results, sections their names: one section may be found in several parts.
	children []int
	sections map[string]bool
}

// A familySearch finds families among the first results.
type familySearch struct {
	*Ranker
	window []Result
	place  map[int]int // of each chunk in window
	// named are the documents that the question names, by their file.
	named map[uint32]int
}

// mergeSections puts parents in the place of sections among the first results; ok tells whether there was any. A parent is one level up, but
// for sections of documents that are named the document. best has the worth of the best section, by parent.
func (x *Ranker) mergeSections(results []Result, words []string, named map[uint32]int, best map[int]float64, allowed corpus.Set) (merged []Result, ok bool) {
	s := &familySearch{x, results[:min(len(results), mergeWindow)], map[int]int{}, named}
	for i := range s.window {
		s.place[s.window[i].Chunk] = i
	}
	gone := map[int]bool{}
	for _, f := range s.families(words, best, allowed) {
		if slices.ContainsFunc(f.children, func(i int) bool { return gone[i] }) {
			continue
		}
		parent := s.merge(f, gone)
		parent.Score = x.raised(parent.Score, 1+x.merging.Bonus*float64(len(f.sections)), results)
		merged = append(merged, parent)
	}
	if len(merged) == 0 {
		return results, false
	}
	merged = append(merged, without(results, gone)...)
	slices.SortFunc(merged, x.bestFirst)
	return merged, true
}

// families are those whose parent is a better answer than its sections, the deepest first, since a parent may be a child of another.
func (s *familySearch) families(words []string, best map[int]float64, allowed corpus.Set) []*family {
	for i := range s.window {
		if parent, _, _, ok := s.parentOf(s.window[i].Chunk); ok {
			best[parent] = max(best[parent], s.worth(&s.window[i], parent))
		}
	}
	families := map[int]*family{}
	for i := range s.window {
		r := &s.window[i]
		parent, id, section, ok := s.parentOf(r.Chunk)
		if !ok || allowed != nil && !allowed.Has(parent) || s.worth(r, parent) < alikeShare*best[parent] {
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
	var list []*family
	for _, f := range families {
		if _, ok := s.text(f); len(f.sections) == 1 && !ok {
			continue // one section alone stands for itself
		}
		if len(f.sections) >= max(s.merging.Threshold, 1) || explainsHeading(words, f.id) {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b *family) int {
		return cmp.Or(cmp.Compare(strings.Count(b.id, "/"), strings.Count(a.id, "/")), s.Generation.Compare(a.parent, b.parent))
	})
	return list
}

// parentOf is the parent of a section: the document if the question names it, else one level up.
func (s *familySearch) parentOf(chunk int) (parent int, id, section string, ok bool) {
	parent, id, section, ok = s.Ranker.parentOf(chunk)
	if document, is := s.named[s.Generation.File(chunk)]; is && ok && levels(section) <= s.merging.MaxDepth {
		return document, s.Generation.ID(document), section, true
	}
	return parent, id, section, ok
}

// worth is what sections of the same parent are compared by. Those of a document that is named share what it says for all of them, so they are compared by
// their own evidence.
func (s *familySearch) worth(r *Result, parent int) float64 {
	if document, is := s.named[s.Generation.File(r.Chunk)]; is && document == parent && r.weights != nil && r.Parts == nil {
		return r.weights.ofPlace(r.evidence)
	}
	return r.Base
}

// text is where the parent is a hit with a text of its own.
func (s *familySearch) text(f *family) (at int, ok bool) {
	at, ok = s.place[f.parent]
	return at, ok && (s.window[at].Parts != nil || !s.IsDerived(f.parent))
}

// merge is the parent as a result, with the sections as its parts; these are gone.
func (s *familySearch) merge(f *family, gone map[int]bool) Result {
	parent := s.window[f.children[0]] // the best
	parent.Chunk, parent.Parts = f.parent, nil
	for _, i := range f.children {
		parent.Parts = unite(parent.Parts, s.window[i].chunks())
		gone[i] = true
	}
	if i, found := s.place[f.parent]; found && !gone[i] {
		gone[i] = true
		parent.Score = max(parent.Score, s.window[i].Score)
		if _, ok := s.text(f); ok {
			parent.Parts = unite(parent.Parts, s.window[i].chunks())
		}
	}
	s.sortByLines(parent.Parts)
	return parent
}

// raised is the score of a parent with the bonus for its sections. The bonus compares documents. Code, which has none, stays above what it was above of.
func (x *Ranker) raised(score, bonus float64, results []Result) float64 {
	raised := score * bonus
	for _, r := range results {
		if r.Score <= score {
			break
		}
		if x.Generation.ChunkType(r.Chunk) != record.Documentation {
			raised = min(raised, r.Score-leastStep)
		}
	}
	return corpus.Rounded(max(score, raised))
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
