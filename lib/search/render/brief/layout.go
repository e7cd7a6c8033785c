package brief

import (
	"path"
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/token"
)

// A layout spends the budget: each level names results and adds lines to them, as long as they fit.

// A block is the text of one result.
type block struct {
	// text begins with path. The path is omitted if the block before is of the same file.
	text, path string
	tokens     int
	lines      int
	// single is set for a block whose only line is beside its place.
	single bool
	// most is the number of lines that excerpt was asked for. numbers are the lines of the file that the block shows, and
	// uses those of the declarations that it uses.
	most          int
	numbers, uses []int
}

// shows reports whether the block has lines below its place.
func (b block) shows() bool { return b.lines > 0 && !b.single }

// fit returns as many results, with as many lines, as fit in the budget. left is the number of results that do not fit.
// complete is set if others show all lines of the weakest result, such as a method of a class that is shown whole:
// weaker results would tell nothing either.
func fit(hits []answer.Hit, budget int, by *policy) (blocks []block, left int, complete bool) {
	l := &layout{
		hits: hits, policy: by, plan: planOf(hits), budget: budget, shown: map[string]map[int]showing{},
		matched: map[string]map[int]bool{}, repeated: map[int]bool{},
		blocks: make([]block, len(hits)), named: make([]block, len(hits)), locations: make([]location, len(hits)), readings: make([]*reading, len(hits)),
	}
	covered := 0
	if hasExcerpts(hits) {
		covered, complete = l.showWhole()
	} else {
		for _, level := range by.levels {
			l.name(level)
			l.fill(level)
		}
		covered = l.dropNamed()
	}
	covered += len(l.repeated)
	blocks = slices.DeleteFunc(l.blocks, func(b block) bool { return b.text == "" })
	return blocks, len(hits) - len(blocks) - covered, complete
}

// A layout is the state of fitting results into a budget.
type layout struct {
	hits          []answer.Hit
	policy        *policy
	plan          plan
	spent, budget int
	// blocks are the texts of the hits so far, empty for hits that are not shown.
	blocks []block
	// shown has the lines in the answer, by file and line number.
	shown map[string]map[int]showing
	// matched has the lines that uses are named by, by file, and repeated the uses without any other: parts of a long
	// text overlap.
	matched  map[string]map[int]bool
	repeated map[int]bool
	// named has the places of hits, which begin with locations, and readings their lines; all are filled on first use.
	named     []block
	locations []location
	readings  []*reading
}

// A showing says which hit shows a line of the answer, and whether among its uses.
type showing struct {
	hit int
	use bool
}

// name adds the places of hits to which the level gives one, as far as the budget allows.
func (l *layout) name(level level) {
	for i := range l.hits {
		isDue := l.plan.position[i] < level.places && (l.plan.first[i] || level.further)
		isWeak := i > 0 && l.hits[i].Score < l.policy.leastNamed
		if l.blocks[i].text == "" && isDue && !isWeak {
			l.nameOne(i)
		}
	}
}

// nameOne adds the place of a hit if the budget allows. The first hit always gets its place.
func (l *layout) nameOne(i int) {
	if l.named[i].text == "" {
		l.named[i] = l.place(i)
	}
	b := l.named[i]
	if b.text == "" {
		l.repeated[i] = true
		return
	}
	if b.tokens = l.cost(b, i); i == 0 || l.spent+b.tokens <= l.budget {
		l.spent += b.tokens
		l.blocks[i] = b
		file := l.hits[i].Chunk.Metadata.FilePath
		for _, n := range b.numbers {
			if l.matched[file] == nil {
				l.matched[file] = map[int]bool{}
			}
			l.matched[file][n] = true
		}
	}
}

// leastWhole is the share of the best score that a hit of exact search needs to be shown whole: beside declarations of
// the name that was asked for, what only has words of it is a place.
const leastWhole = 0.15

// showWhole shows the Excerpts of hits in the order of their scores, each whole or, if it does not fit, as a place;
// those of the best hit are shortened to fit. It omits hits of which others show or name all lines, and returns their
// number and whether the weakest hit is one of them.
func (l *layout) showWhole() (covered int, weakest bool) {
	order := make([]int, len(l.hits))
	for i, rank := range l.plan.rank {
		order[rank] = i
	}
	named := map[string]bool{}
	for rank, i := range order {
		h := &l.hits[i]
		place := l.where(i).text
		lines, unseen := 0, 0
		for n, line := range l.reading(i).own {
			if l.reading(i).says[n] {
				lines++
				if _, ok := l.shown[h.Chunk.Metadata.FilePath][line.Number]; !ok || line.Number <= 0 {
					unseen++
				}
			}
		}
		if weakest = h.Excerpts != nil && (lines > 0 && unseen == 0 || named[place] && h.Chunk.ChunkType != record.Symbols); weakest {
			covered++
			continue
		}
		named[place] = true
		l.nameOne(i)
		if h.Excerpts == nil || l.blocks[i].text == "" || l.policy.byLine && h.Score < leastWhole*l.hits[order[0]].Score {
			continue
		}
		least := lines
		if rank == 0 {
			least = min(lines, leastLines)
		}
		l.show(i, lines, least)
	}
	return covered, weakest
}

// fill adds lines of hits that have their place, as many as the level gives them and the budget allows.
func (l *layout) fill(level level) {
	for i, b := range l.blocks {
		at := l.plan.position[i]
		if level.byScore {
			at = l.plan.rank[i]
		}
		if b.text == "" || at >= level.results {
			continue
		}
		lines := level.lines
		if !level.more {
			lines = min(lines, l.policy.linesFor(&l.hits[i]))
		}
		if lines <= b.lines || level.declared && l.isUse(i) {
			continue
		}
		least := lines
		if lines < wholeLines {
			least = min(lines, leastLines)
		}
		l.show(i, lines, least)
	}
}

// show shows the given number of lines of a hit. If they do not fit, it shows as many as do, but not fewer than least.
func (l *layout) show(i, lines, least int) {
	file := l.hits[i].Chunk.Metadata.FilePath
	shown := l.shown[file]
	if shown == nil {
		shown = map[int]showing{}
		l.shown[file] = shown
	}
	for ; lines >= least; lines -= max(1, lines/4) {
		b := l.excerpt(i, lines, shown)
		if b.lines <= l.blocks[i].lines {
			return
		}
		b.tokens = l.cost(b, i)
		if more := b.tokens - l.blocks[i].tokens; l.spent+more <= l.budget {
			l.spent += more
			l.blocks[i] = b
			for _, n := range b.uses {
				shown[n] = showing{hit: i, use: true}
			}
			for _, n := range b.numbers {
				by := shown[n]
				if shown[n] = (showing{hit: i}); by.use {
					l.dropUse(by.hit, shown)
				}
			}
			return
		}
	}
}

// dropUse shows a hit again without a line among its uses that another hit shows.
func (l *layout) dropUse(i int, shown map[int]showing) {
	b := l.excerpt(i, l.blocks[i].most, shown)
	b.tokens = l.cost(b, i)
	l.spent += b.tokens - l.blocks[i].tokens
	l.blocks[i] = b
}

// dropNamed drops values of which only the place would be named although other hits show them, and returns their number.
func (l *layout) dropNamed() (dropped int) {
	for i, b := range l.blocks {
		h := &l.hits[i]
		if i == 0 || b.text == "" || b.lines > 0 || h.Chunk.ChunkType != record.Data {
			continue
		}
		shown, own := l.shown[h.Chunk.Metadata.FilePath], l.reading(i).own
		unseen := func(t answer.TellingLine) bool { _, ok := shown[t.Number]; return !ok && token.HasWord(t.Text) }
		if len(own) > 0 && !slices.ContainsFunc(own, unseen) {
			l.blocks[i] = block{}
			dropped++
		}
	}
	return dropped
}

// place returns the block of a hit without further lines.
func (l *layout) place(i int) block {
	if l.isUse(i) {
		if b, ok := matchedLine(&l.hits[i], l.reading(i).own, l.matched[l.hits[i].Chunk.Metadata.FilePath]); ok {
			return b
		}
	}
	h, title := &l.hits[i], ""
	if h.Chunk.ChunkType == record.Documentation && strings.HasPrefix(h.Chunk.Title, path.Base(h.Chunk.Metadata.FilePath)) {
		if r := l.reading(i); len(r.best) > 0 && r.worth[r.best[0]] > 0 { // the title of a plain text repeats the name of the file
			title = strings.TrimSpace(r.own[r.best[0]].Text)
		}
	}
	b := place(h, l.where(i), title)
	if h.Symbol == nil {
		return b
	}
	if others := l.reading(i).others(func(line int) bool { return line == h.Symbol.Line }); others != "" {
		b.text = strings.TrimSuffix(b.text, "\n") + "  (" + others + ")\n"
	}
	return b
}

// isUse reports whether a hit of exact search matches in its lines without declaring the name that was asked for.
func (l *layout) isUse(i int) bool {
	h := &l.hits[i]
	return l.policy.byLine && h.Symbol == nil && h.Context == nil &&
		!slices.ContainsFunc(l.reading(i).own, func(line answer.TellingLine) bool { return line.Names })
}

func (l *layout) where(i int) location {
	if l.locations[i].text == "" {
		l.locations[i] = locationOf(&l.hits[i])
	}
	return l.locations[i]
}

func (l *layout) reading(i int) *reading {
	if l.readings[i] == nil {
		l.readings[i] = read(&l.hits[i])
		if h := &l.hits[i]; l.policy.byLine && h.Symbol != nil && !corpus.IsVerbatim(h.Chunk.ChunkType) {
			l.readings[i].declares = h.Chunk.Metadata.Symbols
		}
	}
	return l.readings[i]
}

// cost returns the cost of a hit's block, without its path if a block of the same file precedes it.
func (l *layout) cost(b block, i int) int {
	for j := i - 1; j >= 0 && l.hits[j].Chunk.Metadata.FilePath == l.hits[i].Chunk.Metadata.FilePath; j-- {
		if l.blocks[j].text != "" {
			return Cost(strings.TrimPrefix(b.text, b.path))
		}
	}
	return Cost(b.text)
}
