package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"cortex/lib/notation"
	"cortex/lib/record"
	"cortex/lib/search/answer"
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

// A family is a heading or a document, with those of its sections that were found.
type family struct {
	parent      int
	id          string
	first, last int // lines
	// children are indices in the results, sections their names: a section may be found in several parts.
	children []int
	sections map[string]bool
}

// A familySearch finds families among the first results.
type familySearch struct {
	*Ranker
	window []Result
	place  map[int]int // index in window by chunk
	// named has the documents that the question names, by file.
	named map[uint32]int
}

// mergeSections replaces sections among the first results by their parents; ok reports whether there were any. The
// parent is one level up, or the document if the question names it. best has the worth of each parent's best section.
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

// families returns the families whose parent answers better than its sections, the deepest first, as they may nest.
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
			f = &family{parent: parent, id: id, sections: map[string]bool{}, first: math.MaxInt}
			families[parent] = f
		}
		f.children = append(f.children, i)
		f.sections[section] = true
		for _, chunk := range r.chunks() {
			start, end := s.Generation.Lines(chunk)
			f.first, f.last = min(f.first, start), max(f.last, end)
		}
	}
	var list []*family
	for _, f := range families {
		if _, ok := s.text(f); len(f.sections) == 1 && !ok || f.last-f.first > maxSpread {
			continue // one section alone stands for itself, as do those that are far from each other
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

// parentOf returns the parent of a section: the document if the question names it, else the heading one level up.
func (s *familySearch) parentOf(chunk int) (parent int, id, section string, ok bool) {
	parent, id, section, ok = s.Ranker.parentOf(chunk)
	if document, is := s.named[s.Generation.File(chunk)]; is && ok && levels(section) <= s.merging.MaxDepth {
		return document, s.Generation.ID(document), section, true
	}
	return parent, id, section, ok
}

// worth is the value by which sections of one parent are compared. Sections of a document that the question names share
// the evidence of the document, so they are compared by the signals of places alone.
func (s *familySearch) worth(r *Result, parent int) float64 {
	if document, is := s.named[s.Generation.File(r.Chunk)]; is && document == parent && r.weights != nil && r.Parts == nil {
		return r.weights.ofPlace(r.evidence)
	}
	return r.Base
}

// text returns the parent's index in window; ok reports whether it is there and has a text of its own.
func (s *familySearch) text(f *family) (at int, ok bool) {
	at, ok = s.place[f.parent]
	return at, ok && (s.window[at].Parts != nil || !s.IsDerived(f.parent))
}

// merge returns the parent as a result with the sections as its parts, and adds the sections to gone.
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

// unite returns the chunks of a, and those of b that a lacks. It does not change a.
func unite(a, b []int) []int {
	for _, chunk := range b {
		if !slices.Contains(a, chunk) {
			a = append(slices.Clip(a), chunk)
		}
	}
	return a
}

// raised returns the score of a parent, multiplied by bonus. The bonus is meant for comparing documents: code gets
// none, so code that ranked above the parent stays above it.
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

// parentOf returns the chunk of the heading right above a section, or of the document. It reads identifiers: doc-PATH,
// doc-PATH#a, doc-PATH#a/b, with ~2 and so on for further parts of a section.
func (x *Ranker) parentOf(chunk int) (parent int, id, section string, ok bool) {
	if x.Generation.ChunkType(chunk) != record.Documentation {
		return 0, "", "", false
	}
	document := "doc-" + record.IDPath(x.Generation.FilePath(chunk))
	rest, ok := strings.CutPrefix(x.Generation.ID(chunk), document)
	if !ok || !strings.HasPrefix(rest, "#") {
		return 0, "", "", false
	}
	section = notation.WithoutPart(rest)
	id = document + section[:max(strings.LastIndexByte(section, '/'), 0)]
	parent, ok = x.Generation.Find(id)
	return parent, id, document + section, ok
}

func levels(section string) int {
	_, slug, _ := strings.Cut(section, "#")
	return 1 + strings.Count(slug, "/")
}

// namedDocuments returns, by file, the documents among the first results whose name or title the question explains. The
// question is about all of such a document, so the sections found in it become one hit.
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
		if wording.Cover(words, corpus.NameOf(path)) < 1 {
			// If the document cannot be read, the request fails later, when the hit is shown.
			c, err := x.Generation.Chunk(document)
			if err != nil || coverOfName(words, c.Title) < 1 {
				continue
			}
		}
		named[file] = document
	}
	return named
}

// explainsHeading reports whether the question explains all words of the last heading in id, or of a document's name.
func explainsHeading(words []string, id string) bool {
	heading := id[strings.LastIndexAny(id, "#/")+1:]
	if !strings.Contains(id, "#") {
		heading, _, _ = strings.Cut(heading, ".")
	}
	return coverOfName(words, heading) == 1
}

const (
	// mergeWindow is the number of first results whose sections are merged.
	mergeWindow = answer.DefaultLimit
	// alikeShare is the share of the best section's worth that another section must have to be merged with it. Sections
	// of much lower worth do not show that the question is about all of them.
	alikeShare = 0.9
	// maxSpread is the greatest number of lines from the first to the last section of a family that becomes one hit.
	maxSpread = 200
)
