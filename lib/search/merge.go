package search

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/index"
	"cortex/lib/search/token"
)

// Merging says how hits of one document become one, and what hits of this tree count beside those of others.
type Merging struct {
	// Threshold is the number of sections below one heading that must be hits for their parent to take their place.
	Threshold int
	// Bonus is the share of the best section's score that each of them adds to the parent's.
	Bonus float64
	// MaxDepth is how many levels up hits may be merged; 0 for none.
	MaxDepth int
	// LocalBoost is the weight of hits in the store's own tree, the one without a name, beside those of others.
	LocalBoost float64
}

// DefaultMerging are the values of Settings without any.
func DefaultMerging() Merging { return Merging{Threshold: 2, Bonus: 0.1, MaxDepth: 2, LocalBoost: 1.5} }

// Bounds on merging. What stands behind so many hits is left as it is, so that a page does not depend on the others.
const (
	mergeWindow = DefaultLimit
	joinWindow  = MaxLimit
	// leastStep is the smallest difference between two scores.
	leastStep = 1e-4
	// alikeShare is the share of the best section's score that another must have: what is found by far less is no sign that the question is
	// about all of them.
	alikeShare = 0.8
	// maxJoinedLines is the greatest length of a hit that was joined from several.
	maxJoinedLines = 200
	// maxJoinGap is the number of lines that may be between two hits that are joined.
	maxJoinGap = 2
)

// A Part is one of the chunks that a hit consists of.
type Part struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
}

// A result is a candidate that will be a hit.
type result struct {
	candidate
	// parts are the chunks that it shows, in the order of their lines; nil for a result that is just its chunk.
	parts []int
	// base is the score before it was compared with others; of a merged one that of its best section.
	base float64
	// twins are chunks of other files that say nearly the same.
	twins []int
}

func (r *result) chunks() []int {
	if r.parts == nil {
		return []int{r.chunk}
	}
	return r.parts
}

// favourLocal weighs candidates in the store's own tree against those of other trees.
func (x *Index) favourLocal(list []candidate) {
	if !slices.ContainsFunc(x.cat.Values(index.Tree), func(tree string) bool { return tree != "" }) {
		return
	}
	for i := range list {
		list[i].score *= x.treeWeight(list[i].chunk)
	}
}

// treeWeight is what a hit in the chunk's tree counts.
func (x *Index) treeWeight(chunk int) float64 {
	if x.cat.Tree(chunk) == "" {
		return min(x.merging.LocalBoost, 1)
	}
	return 1 / max(x.merging.LocalBoost, 1)
}

// testWeight is what a hit of exact search in test code or a fixture counts. How often a word is used changes the score of a chunk of
// ordinary length by a factor of 0.83 at most, so the same use comes first in code; a declaration, or the whole word beside a
// part of another, makes a greater difference and stays in front wherever it is.
const testWeight = 0.8

// weighPlaces weighs matches of exact search by where they are: in the store's own tree or another, in code or in its tests.
func (x *Index) weighPlaces(m *matches) {
	ranks := false
	m.set.each(func(i int) { ranks = ranks || m.score[i] > 0 })
	file, fixture := "", false
	m.set.each(func(i int) {
		if !ranks {
			m.score[i] = 1 // all are as good as can be
		}
		// Chunks of one file come one after the other.
		if path := x.cat.FilePath(i); path != file {
			file, fixture = path, isFixture(path)
		}
		if fixture || isTest(x.cat, i) {
			m.score[i] *= testWeight
		}
		m.score[i] *= float32(x.treeWeight(i))
	})
}

// withoutRepeats leaves out chunks that have no line of their own, such as outlines, where another candidate is of their file: each
// place is found in one tier. A filter that names their type keeps them.
func (x *Index) withoutRepeats(list []candidate, f Filter) []candidate {
	asked := askedTypes(nil, f)
	derived := func(c candidate) bool {
		return x.isDerived(c.chunk) && !asked[x.cat.ChunkType(c.chunk)]
	}
	has := map[uint32]bool{}
	for _, c := range list {
		if !derived(c) {
			has[x.cat.File(c.chunk)] = true
		}
	}
	return slices.DeleteFunc(list, func(c candidate) bool { return derived(c) && has[x.cat.File(c.chunk)] })
}

// isDerived reports whether the chunk has no line of its own.
func (x *Index) isDerived(chunk int) bool {
	return x.cat.Traits(chunk)&traitDerived != 0
}

// results turns the candidates, which are sorted, into hits: sections of one document give way to their parent, and where there are
// several topics, hits that touch become one.
func (x *Index) results(list []candidate, base map[int]candidate, topics []string, allowed bitset) []result {
	results := make([]result, len(list))
	for i, c := range list {
		results[i] = result{candidate: c, base: base[c.chunk].score}
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
	return results
}

const (
	// nearlyAsGood is the share of the best score of its file that a further place must have to be shown with it.
	nearlyAsGood = 0.5
	// maxOfFile bounds the places of a file that are shown together.
	maxOfFile = 5
)

// pageOfFiles are the results of as many files as the request asks for, those of one file together. It has at most twice as many results as files.
func (x *Index) pageOfFiles(results []result, req Request) []result {
	var order []uint32
	places := map[uint32][]result{}
	for _, r := range results {
		file := x.cat.File(r.chunk)
		list := places[file]
		switch {
		case list == nil:
			order = append(order, file)
		case len(list) == maxOfFile || r.score < nearlyAsGood*list[0].score:
			continue
		}
		places[file] = append(list, r)
	}
	order = page(order, req)
	var list []result
	room := len(order) // for further places
	for _, file := range order {
		n := min(len(places[file]), 1+room)
		room -= n - 1
		list = append(list, places[file][:n]...)
	}
	return list
}

// joinParts makes one result of those among the first that are parts of one definition. The best of them stands for all.
func (x *Index) joinParts(results []result) []result {
	first := map[string]int{} // places in kept, by the identifier of the definition
	kept := make([]result, 0, len(results))
	for i, r := range results {
		id := x.cat.ID(r.chunk)
		if i >= joinWindow || r.parts != nil || x.cat.ChunkType(r.chunk) != record.Implementations || !x.declares(r.chunk) {
			kept = append(kept, r)
			continue
		}
		at, ok := first[withoutPart(id)]
		if !ok {
			first[withoutPart(id)] = len(kept)
			kept = append(kept, r)
			continue
		}
		kept[at].parts = unite(kept[at].chunks(), []int{r.chunk})
		x.sortByLines(kept[at].parts)
		if kept[at].match != r.match {
			kept[at].match = MatchBoth
		}
	}
	return kept
}

// declares reports whether the chunk declares anything.
func (x *Index) declares(chunk int) bool {
	for range x.cat.Symbols(chunk) {
		return true
	}
	return false
}

func wordsOfTopics(topics []string) []string {
	var words []string
	for _, topic := range topics {
		for _, w := range token.Words(topic) {
			if !isFunctionWord(w.Term) && len(words) < maxQuestionTerms {
				words = append(words, w.Term)
			}
		}
	}
	return words
}

func (x *Index) bestFirst(a, b result) int { return byScore(x.cat, a.scored, b.scored) }

// mergeSections puts parents in the place of sections among the first results; ok tells whether there was any. A parent is one level up, but
// for sections of documents that are named the document. best has the worth of the best section, by parent.
func (x *Index) mergeSections(results []result, words []string, named map[uint32]int, best map[int]float64, allowed bitset) (merged []result, ok bool) {
	window := results[:min(len(results), mergeWindow)]
	parentOf := func(chunk int) (parent int, id, section string, ok bool) {
		parent, id, section, ok = x.parentOf(chunk)
		if document, is := named[x.cat.File(chunk)]; is && ok && levels(section) <= x.merging.MaxDepth {
			return document, x.cat.ID(document), section, true
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
	worth := func(r *result, parent int) float64 {
		if document, is := named[x.cat.File(r.chunk)]; is && document == parent && r.weights != nil && r.parts == nil {
			return r.weights.ofPlace(&r.evidence)
		}
		return r.base
	}
	for i := range window {
		if parent, _, _, found := parentOf(window[i].chunk); found {
			best[parent] = max(best[parent], worth(&window[i], parent))
		}
	}
	for i, r := range window {
		place[r.chunk] = i
		parent, id, section, found := parentOf(r.chunk)
		if !found || allowed != nil && !allowed.has(parent) || worth(&r, parent) < alikeShare*best[parent] {
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
		return at, ok && (window[at].parts != nil || !x.isDerived(f.parent))
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
		return cmp.Or(cmp.Compare(strings.Count(b.id, "/"), strings.Count(a.id, "/")), x.cat.Compare(a.parent, b.parent))
	})
	gone := map[int]bool{}
	for _, f := range list {
		if slices.ContainsFunc(f.children, func(i int) bool { return gone[i] }) {
			continue
		}
		best := window[f.children[0]]
		best.parts = nil
		bonus := 1 + x.merging.Bonus*float64(len(f.sections))
		for _, i := range f.children {
			best.parts = unite(best.parts, window[i].chunks())
			gone[i] = true
		}
		if i, found := place[f.parent]; found && !gone[i] {
			gone[i] = true
			best.score = max(best.score, window[i].score)
			if _, ok := text(f); ok {
				best.parts = unite(best.parts, window[i].chunks())
			}
		}
		// The bonus compares documents. Code, which has none, stays above what it was above of.
		raised := best.score * bonus
		for _, r := range results {
			if r.score <= best.score {
				break
			}
			if x.cat.ChunkType(r.chunk) != record.Documentation {
				raised = min(raised, r.score-leastStep)
			}
		}
		best.chunk, best.score = f.parent, rounded(max(best.score, raised))
		x.sortByLines(best.parts)
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
func (x *Index) parentOf(chunk int) (parent int, id, section string, ok bool) {
	if x.cat.ChunkType(chunk) != record.Documentation {
		return 0, "", "", false
	}
	document := "doc-" + record.IDPath(x.cat.FilePath(chunk))
	rest, ok := strings.CutPrefix(x.cat.ID(chunk), document)
	if !ok || !strings.HasPrefix(rest, "#") {
		return 0, "", "", false
	}
	section = withoutPart(rest)
	id = document + section[:max(strings.LastIndexByte(section, '/'), 0)]
	parent, ok = x.cat.Find(id)
	return parent, id, document + section, ok
}

// levels is how far a section is below its document.
func levels(section string) int {
	_, slug, _ := strings.Cut(section, "#")
	return 1 + strings.Count(slug, "/")
}

// namedDocuments are those of the first results whose name or title the question's words account for, by their file. A question that names a document
// is about all of it, so that what is found in it is one hit, however far apart its sections are.
func (x *Index) namedDocuments(results []result, words []string) map[uint32]int {
	named, seen := map[uint32]int{}, map[uint32]bool{}
	for _, r := range results[:min(len(results), mergeWindow)] {
		file := x.cat.File(r.chunk)
		if seen[file] || x.cat.ChunkType(r.chunk) != record.Documentation {
			continue
		}
		seen[file] = true
		path := x.cat.FilePath(r.chunk)
		document, ok := x.cat.Find("doc-" + path)
		if !ok {
			continue
		}
		if coverOfWords(words, nameOf(path)) < 1 {
			// A document that can't be read fails the request where it is shown.
			c, err := x.cat.Chunk(document)
			if err != nil || coverOfName(words, c.Title) < 1 {
				continue
			}
		}
		named[file] = document
	}
	return named
}

// withoutPart takes off the number of a further part.
func withoutPart(id string) string {
	if i := strings.LastIndexByte(id, '~'); i >= 0 {
		if _, err := strconv.Atoi(id[i+1:]); err == nil {
			return id[:i]
		}
	}
	return id
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

func unite(a, b []int) []int {
	for _, chunk := range b {
		if !slices.Contains(a, chunk) {
			a = append(slices.Clip(a), chunk)
		}
	}
	return a
}

func (x *Index) sortByLines(chunks []int) {
	slices.SortFunc(chunks, func(a, b int) int {
		from, _ := x.cat.Lines(a)
		other, _ := x.cat.Lines(b)
		return cmp.Or(cmp.Compare(from, other), x.cat.Compare(a, b))
	})
}

// joinNeighbours joins those of the first results that are pieces of one file next to each other, or over each other. The best of
// them stands for all.
func (x *Index) joinNeighbours(results []result) []result {
	window := results[:min(len(results), joinWindow)]
	type piece struct {
		at         int // in window
		file       uint32
		start, end int
	}
	var pieces []piece
	for i, r := range window {
		if t := x.cat.ChunkType(r.chunk); t != record.Implementations && t != record.Documentation || r.parts != nil {
			continue
		}
		if start, end := x.cat.Lines(r.chunk); start > 0 && !x.isDerived(r.chunk) {
			pieces = append(pieces, piece{i, x.cat.File(r.chunk), start, end})
		}
	}
	slices.SortFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end), cmp.Compare(a.at, b.at))
	})
	gone := map[int]bool{}
	for i := 0; i < len(pieces); {
		first, end, j := pieces[i], pieces[i].end, i+1
		for ; j < len(pieces) && pieces[j].file == first.file && pieces[j].start <= end+maxJoinGap+1 &&
			max(end, pieces[j].end)-first.start < maxJoinedLines; j++ {
			end = max(end, pieces[j].end)
		}
		if j-i > 1 {
			best := first.at
			var parts []int
			for _, p := range pieces[i:j] {
				best = min(best, p.at)
				parts = append(parts, window[p.at].chunk)
			}
			for _, p := range pieces[i:j] {
				if p.at != best {
					gone[p.at] = true
					if window[p.at].match != window[best].match {
						window[best].match = MatchBoth
					}
				}
			}
			window[best].parts = parts
		}
		i = j
	}
	kept := results[:0]
	for i, r := range results {
		if !gone[i] {
			kept = append(kept, r)
		}
	}
	return kept
}

// show makes a hit of all parts of the result: their texts one after the other, and of their highlights the first of each.
func (x *Index) show(r result, needles []needle, finder *finder) (Hit, error) {
	h, err := x.hit(r.scored, r.match, needles, finder)
	if err != nil || r.parts == nil {
		return h, err
	}
	m := &h.Chunk.Metadata
	var texts []string
	var pieces [][]Highlight
	for i, chunk := range r.parts {
		part, err := x.hit(scored{chunk: chunk}, r.match, needles, finder)
		if err != nil {
			return Hit{}, err
		}
		own := &part.Chunk.Metadata
		if i == 0 {
			m.StartLine, m.EndLine, m.ByteStart, m.ByteEnd = own.StartLine, own.EndLine, own.ByteStart, own.ByteEnd
		}
		m.StartLine, m.EndLine = min(m.StartLine, own.StartLine), max(m.EndLine, own.EndLine)
		m.ByteStart, m.ByteEnd = min(m.ByteStart, own.ByteStart), max(m.ByteEnd, own.ByteEnd)
		h.Parts = append(h.Parts, Part{part.Chunk.ID, part.Chunk.Title, own.StartLine, own.EndLine})
		if last := len(h.Ranges) - 1; last >= 0 && own.StartLine <= h.Ranges[last][1]+1 {
			h.Ranges[last][1] = max(h.Ranges[last][1], own.EndLine)
		} else {
			h.Ranges = append(h.Ranges, record.LineRange{own.StartLine, own.EndLine})
		}
		if i == 0 {
			h.Lines = nil
		}
		h.Lines = append(h.Lines, part.Lines...)
		texts = append(texts, strings.TrimRight(part.Chunk.Text, "\n"))
		pieces = append(pieces, part.Highlights)
	}
	h.Chunk.Text = strings.Join(texts, "\n\n")
	h.Highlights = []Highlight{}
	for round := 0; round < maxHighlights && len(h.Highlights) < maxHighlights; round++ {
		for _, list := range pieces {
			if round < len(list) && len(h.Highlights) < maxHighlights {
				h.Highlights = append(h.Highlights, list[round])
			}
		}
	}
	slices.SortStableFunc(h.Highlights, func(a, b Highlight) int { return a.Line - b.Line })
	return h, nil
}
