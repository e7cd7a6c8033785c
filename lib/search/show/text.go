// Package show turns chunks into hits and hits into text. It finds the lines of a chunk that answer (highlight.go,
// telling.go) and the lines around a hit (context.go, excerpts.go), and cuts answers to a budget of tokens (budget.go).
// Begin with text.go, which writes text for assistants, which pay for every token: an answer goes in, and text comes
// out that says where each result is and shows the lines that answer.
//
//	lib/retry/backoff.go:40-58
//	func (b *Backoff) Next() time.Duration {
//	…57
//		return min(d, b.Max)
//
//	:12-18  type Backoff struct
//
// Exact search shows a use of the name that was asked for as one line:
//
//	lib/retry/client.go:31  delay := b.Next()  (in Client.Do, also 44)
//
// Each result has its place. The best results have lines, the others their signature. "…57" stands for lines that are
// left out before line 57. Results of one file are together under its path, each line of a file appears once, and
// nothing is escaped.
package show

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/shorten"
	"cortex/lib/terminal"
)

// maxWidth is the number of characters of a line that are shown.
const maxWidth = 200

// A level is one step in spending the budget. It gives their place to the best results of so many files (places) and,
// with further, to other results of these files. It gives up to so many lines each to so many results.
type level struct {
	places         int
	further        bool
	lines, results int
	// byScore picks the first results by score alone, whatever their position.
	byScore bool
	// more shows lines even of a result whose chance alone would give it fewer.
	more bool
	// declared shows lines only of results that declare the name that exact search looks for.
	declared bool
}

// Levels in the order in which they spend the budget. The first results get enough lines to answer, then the best two
// are shown whole, and only then the last results get their place. The rest of the default budget stays unspent: either
// the answer is among the first results, or another question is needed. moreLevels spend a larger budget.
var (
	levels = []level{{places: 5, lines: 7, results: 2}, {places: 5, lines: 4, results: 5}, {places: 5, lines: 40, results: 2, byScore: true},
		{places: all, lines: 3, results: 10}, {places: all, lines: 8, results: 3}}
	exactLevels = []level{{places: all, further: true}, {lines: 7, results: 2, declared: true}, {lines: 40, results: 2, byScore: true, declared: true},
		{lines: 24, results: 1, byScore: true, declared: true}, {lines: 7, results: 5, declared: true}, {lines: 7, results: 2}}
	moreLevels = []level{{places: all, lines: 3, results: 15, more: true}, {places: all, further: true, lines: 5, results: 5}, {places: all, further: true, lines: 12, results: 10, more: true}, {places: all, further: true, lines: 80, results: 1, more: true},
		{places: all, further: true, lines: 30, results: 10, more: true}, {places: all, further: true, lines: 80, results: 3, more: true}}
)

// A policy says how much of the results is shown.
type policy struct {
	levels []level
	// byLine shows a result as one line that matches, unless the result declares the name that was asked for.
	byLine bool
	// linesPerChance is the number of lines for a result with the chance 1. A result with a chance up to freeChance
	// gets none.
	linesPerChance, freeChance float64
	// leastNamed is the chance below which a result is left out.
	leastNamed float64
}

var (
	forQuestion = policy{levels: levels, linesPerChance: 200}
	forMore     = policy{levels: slices.Concat(levels, moreLevels), linesPerChance: 200}
	// forExact is for exact search. All its results answer, so each gets its place before any gets more lines.
	forExact     = policy{levels: exactLevels, byLine: true, linesPerChance: 200}
	forMoreExact = policy{levels: slices.Concat(exactLevels, moreLevels), byLine: true, linesPerChance: 200}
	// forTopic is for one of several topics, whose answers share the budget. It shows enough of the place that probably
	// answers, and where else the answer may be.
	forTopic = policy{levels: []level{{places: 7, lines: 30, results: 1}, {places: 7, lines: 4, results: 2}}, linesPerChance: 45, freeChance: 0.1, leastNamed: 0.03}
)

const (
	// fewLines is the least number of lines of a result that gets lines: fewer tell nothing.
	fewLines = 4
	// leastLines is the number of lines down to which a result is shortened to fit. A result that a level gives
	// wholeLines or more is not shortened: it is shown whole or not at all, since lines that tell little are not worth
	// the rest of the budget.
	leastLines, wholeLines = 3, 30
)

// linesFor returns the number of lines that a hit is worth by its score, the chance that it answers: 0 or at least
// fewLines.
func (p *policy) linesFor(h *answer.Hit) int {
	n := int(p.linesPerChance * (h.Score - p.freeChance))
	if n <= 0 {
		return 0
	}
	return max(n, fewLines)
}

const (
	// DefaultTokens is the budget of an answer if the request names none.
	DefaultTokens = 700
	// TopicTokens is the default budget for each of several topics.
	TopicTokens = 500
	// WideTokens is the default budget for relations, and for results with surrounding lines; WholeTokens for whole
	// definitions.
	WideTokens  = 2000
	WholeTokens = 4000
)

// Budget returns the number of tokens for the text of the responses: named, or a default if named is not positive.
func Budget(responses []*answer.Response, named int) int {
	if named > 0 {
		return named
	}
	for _, r := range responses {
		switch {
		case hasExcerpts(r.Results):
			return max(WholeTokens, 2*TopicTokens*len(responses))
		case slices.ContainsFunc(r.Results, func(h answer.Hit) bool { return h.Context != nil }):
			return max(WideTokens, 2*TopicTokens*len(responses))
		}
	}
	return max(DefaultTokens, TopicTokens*len(responses))
}

// Further reports whether a text may show results that Best leaves out. named is the requested budget in tokens, as for
// Budget.
func Further(around answer.Around, named int) bool {
	return named > DefaultTokens || named <= 0 && around != (answer.Around{})
}

// all is more than the number of results of any answer.
const all = 1 << 20

// Text returns the response as text of at most maxTokens tokens (see Cost), or more if the place of the best result
// needs more.
func Text(r *answer.Response, maxTokens int) string {
	p := &forQuestion
	switch exact := r.Metadata.Source == answer.SourceExact; {
	case exact && maxTokens > DefaultTokens:
		p = &forMoreExact
	case exact:
		p = &forExact
	case maxTokens > DefaultTokens:
		p = &forMore
	}
	return text(r, maxTokens, p, true)
}

// maxTopic is the number of characters of a topic in the heading of its answer.
const maxTopic = 60

// Topics returns the answers to several topics as text of at most maxTokens tokens, each under a heading. Each topic
// gets an equal share of the tokens that are left.
func Topics(responses []*answer.Response, maxTokens int) string {
	if len(responses) == 1 {
		return Text(responses[0], maxTokens)
	}
	p := &forTopic
	if maxTokens > TopicTokens*len(responses) {
		p = &forQuestion
	}
	var b strings.Builder
	for i, r := range responses {
		part := "# " + shorten.End(shorten.Line(terminal.Clean(r.Query)), maxTopic+1) + "\n"
		part += text(r, maxTokens/(len(responses)-i)-Cost(part), p, false) + "\n\n"
		maxTokens -= Cost(part)
		b.WriteString(part)
	}
	return strings.TrimRight(b.String(), "\n")
}

// text writes a response by a policy. With notes, it adds the words of concepts and a last line about results that are
// left out.
func text(r *answer.Response, maxTokens int, p *policy, notes bool) string {
	var before, after strings.Builder
	if r.Doubt != "" {
		before.WriteString(terminal.Clean(r.Doubt) + "\n")
	}
	if r.Metadata.Warning != "" {
		before.WriteString(terminal.Clean(r.Metadata.Warning) + "\n")
	}
	if r.NoMatch != nil {
		before.WriteString(terminal.CleanLines(r.NoMatch.Message) + "\n")
	}
	if notes && len(r.Metadata.Also) > 0 {
		after.WriteString("also as: " + strings.Join(r.Metadata.Also, ", ") + "\n")
	}
	results := together(r.Results)
	budget := maxTokens - Cost(before.String()) - Cost(after.String()) - noteTokens
	blocks, cut := fit(results, budget, p)
	left := cut + max(r.TotalFound-r.Offset-len(r.Results), 0)
	var b strings.Builder
	b.WriteString(before.String())
	for i, block := range blocks {
		if i > 0 && (block.shows() || blocks[i-1].shows()) {
			b.WriteByte('\n')
		}
		if i > 0 && blocks[i-1].path == block.path {
			block.text = strings.TrimPrefix(block.text, block.path)
		}
		b.WriteString(block.text)
	}
	b.WriteString(after.String())
	if !notes {
		return strings.TrimSuffix(b.String(), "\n")
	}
	if left > 0 && len(blocks) > 0 && r.Metadata.Source == answer.SourceExact {
		fmt.Fprintf(&b, "%d more: add words or a path, or raise limit and max_tokens\n", left)
	} else if cut > 0 {
		b.WriteString(terminal.Count(cut, "more result", "more results") + ": raise max_tokens\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Cost returns what a text takes of the budget: its tokens, or a fourth of its bytes if that is more, as a reader may
// estimate it so.
func Cost(text string) int { return max(Tokens(text), (len(text)+3)/4) }

// noteTokens is the part of the budget that is reserved for the last line.
const noteTokens = 24

// A block is the text of one result.
type block struct {
	// text begins with path. The path is omitted if the block before is of the same file.
	text, path string
	tokens     int
	lines      int
}

func (b block) shows() bool { return b.lines > 0 }

// together moves results of one file next to the first of them.
func together(hits []answer.Hit) []answer.Hit {
	first := make(map[string]int, len(hits))
	order := make([]int, len(hits))
	for i := range hits {
		order[i] = i
		if path := hits[i].Chunk.Metadata.FilePath; first[path] == 0 {
			first[path] = i + 1
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(first[hits[a].Chunk.Metadata.FilePath], first[hits[b].Chunk.Metadata.FilePath])
	})
	if slices.IsSorted(order) {
		return hits
	}
	sorted := make([]answer.Hit, len(hits))
	for i, from := range order {
		sorted[i] = hits[from]
	}
	return sorted
}

// A plan is the order in which the budget is spent on hits. first marks the hits that Best reports; position is each
// hit's position in the order.
type plan struct {
	first    []bool
	position []int
	// rank is the index of each hit in the order of scores.
	rank []int
}

// planOf returns the plan for hits that together has ordered. The best places of files come in the order of their
// files, the bestHits by their rank, and further places furtherPlaces later than their rank.
func planOf(hits []answer.Hit) plan {
	p := plan{make([]bool, len(hits)), make([]int, len(hits)), make([]int, len(hits))}
	ranked := make([]int, len(hits)) // hits by score
	for i := range ranked {
		ranked[i] = i
	}
	slices.SortStableFunc(ranked, func(a, b int) int { return cmp.Compare(hits[b].Score, hits[a].Score) })
	files, last := 0, ""
	for i := range hits {
		if path := hits[i].Chunk.Metadata.FilePath; i == 0 || path != last {
			p.first[i], p.position[i], last = true, files, path
			files++
		}
	}
	for r, i := range ranked {
		p.rank[i] = r
		if p.first[i] {
			continue
		}
		p.position[i] = r
		if r >= bestHits {
			p.position[i] += furtherPlaces
		}
		p.first[i] = r < bestHits
	}
	return p
}

// Best reports for each hit whether it is the best of its file or among the bestHits. A text for which Further is false
// shows no others.
func Best(hits []answer.Hit) []bool { return planOf(hits).first }

const (
	// bestHits is the number of hits that are shown early even if they are not the best of their files.
	bestHits = 5
	// furtherPlaces is the number of positions by which further places of a file are moved back.
	furtherPlaces = 4
)

// fit returns as many results, with as many lines, as fit in the budget. left is the number of results that do not fit.
func fit(hits []answer.Hit, budget int, by *policy) (blocks []block, left int) {
	l := &layout{
		hits: hits, policy: by, plan: planOf(hits), budget: budget, shown: map[string]map[int]int{},
		blocks: make([]block, len(hits)), named: make([]block, len(hits)), readings: make([]*reading, len(hits)),
	}
	covered := 0
	if hasExcerpts(hits) {
		covered = l.excerpts()
	} else {
		for _, level := range by.levels {
			l.name(level)
			l.fill(level)
		}
	}
	blocks = slices.DeleteFunc(l.blocks, func(b block) bool { return b.text == "" })
	return blocks, len(hits) - len(blocks) - covered
}

func hasExcerpts(hits []answer.Hit) bool {
	return slices.ContainsFunc(hits, func(h answer.Hit) bool { return h.Excerpts != nil })
}

// A layout is the state of fitting results into a budget.
type layout struct {
	hits          []answer.Hit
	policy        *policy
	plan          plan
	spent, budget int
	// blocks are the texts of the hits so far, empty for hits that are not shown.
	blocks []block
	// shown has the lines in the answer, by file and line number, with the index of the hit that shows each.
	shown map[string]map[int]int
	// named has the places of hits and readings their lines, both filled on first use.
	named    []block
	readings []*reading
}

// name adds the places of hits to which the level gives one, as far as the budget allows.
func (l *layout) name(level level) {
	for i := range l.hits {
		if l.blocks[i].text != "" || l.plan.position[i] >= level.places || !l.plan.first[i] && !level.further || i > 0 && l.hits[i].Score < l.policy.leastNamed {
			continue
		}
		l.nameOne(i)
	}
}

// nameOne adds the place of a hit if the budget allows. The first hit always gets its place.
func (l *layout) nameOne(i int) {
	if l.named[i].text == "" {
		l.named[i] = l.place(i)
	}
	b := l.named[i]
	if b.tokens = l.cost(b, i); i == 0 || l.spent+b.tokens <= l.budget {
		l.spent += b.tokens
		l.blocks[i] = b
	}
}

// excerpts shows the Excerpts of hits in the order of their scores, each whole or, if it does not fit, as a place; those
// of the best hit are shortened to fit. It omits hits of which others show or name all lines, and returns their number.
func (l *layout) excerpts() (covered int) {
	order := make([]int, len(l.hits))
	for i, rank := range l.plan.rank {
		order[rank] = i
	}
	named := map[string]bool{}
	for rank, i := range order {
		h := &l.hits[i]
		place, lines, unseen := where(h), 0, 0
		for n, line := range l.reading(i).own {
			if l.reading(i).says[n] {
				lines++
				if _, ok := l.shown[h.Chunk.Metadata.FilePath][line.Number]; !ok {
					unseen++
				}
			}
		}
		if h.Excerpts != nil && (lines > 0 && unseen == 0 || named[place]) {
			covered++
			continue
		}
		named[place] = true
		l.nameOne(i)
		if h.Excerpts == nil || l.blocks[i].text == "" {
			continue
		}
		least := lines
		if rank == 0 {
			least = leastLines
		}
		l.show(i, lines, least)
	}
	return covered
}

// fill adds lines of hits that have their place, as many as the level gives them and the budget allows.
func (l *layout) fill(level level) {
	for i := range l.blocks {
		at := l.plan.position[i]
		if level.byScore {
			at = l.plan.rank[i]
		}
		lines := level.lines
		if !level.more {
			lines = min(lines, l.policy.linesFor(&l.hits[i]))
		}
		if l.blocks[i].text != "" && at < level.results && l.blocks[i].lines < lines && !(level.declared && l.isUse(i)) {
			least := lines
			if lines < wholeLines {
				least = min(lines, leastLines)
			}
			l.show(i, lines, least)
		}
	}
}

// show shows the given number of lines of a hit. If they do not fit, it shows as many as do, but not fewer than least.
func (l *layout) show(i, lines, least int) {
	h := &l.hits[i]
	shown := l.shown[h.Chunk.Metadata.FilePath]
	if shown == nil {
		shown = map[int]int{}
		l.shown[h.Chunk.Metadata.FilePath] = shown
	}
	for ; lines >= least; lines -= max(1, lines/4) {
		b, numbers := excerpt(h, l.reading(i), lines, i, shown)
		if b.lines <= l.blocks[i].lines {
			return
		}
		b.tokens = l.cost(b, i)
		if more := b.tokens - l.blocks[i].tokens; l.spent+more <= l.budget {
			for _, n := range numbers {
				shown[n] = i
			}
			l.spent += more
			l.blocks[i] = b
			return
		}
	}
}

// place returns the block of a hit without further lines.
func (l *layout) place(i int) block {
	if l.isUse(i) {
		if b, ok := matchedLine(&l.hits[i], l.reading(i).own); ok {
			return b
		}
	}
	h, title := &l.hits[i], ""
	if h.Chunk.ChunkType == record.Documentation && strings.HasPrefix(h.Chunk.Title, path.Base(h.Chunk.Metadata.FilePath)) {
		if r := l.reading(i); len(r.best) > 0 && r.worth[r.best[0]] > 0 { // the title of a plain text repeats the name of the file
			title = strings.TrimSpace(r.own[r.best[0]].Text)
		}
	}
	return place(h, title)
}

// isUse reports whether a hit of exact search matches in its lines without declaring the name that was asked for.
func (l *layout) isUse(i int) bool {
	h := &l.hits[i]
	return l.policy.byLine && h.Symbol == nil && h.Context == nil &&
		!slices.ContainsFunc(l.reading(i).own, func(line answer.TellingLine) bool { return line.Names })
}

func (l *layout) reading(i int) *reading {
	if l.readings[i] == nil {
		l.readings[i] = read(&l.hits[i])
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

// where returns the place of a hit: its path with its lines, or with the line of its symbol. Lines of a hit that are
// far from each other are several ranges.
func where(h *answer.Hit) string {
	m := &h.Chunk.Metadata
	if m.StartLine <= 0 {
		return terminal.Clean(m.FilePath)
	}
	if n := len(h.Excerpts); n > 0 && h.Excerpts[0].StartLine > 0 {
		return linesAt(m.FilePath, h.Excerpts[0].StartLine, h.Excerpts[n-1].EndLine)
	}
	if h.Symbol != nil && h.Symbol.Line > 0 {
		return lineAt(m.FilePath, h.Symbol.Line)
	}
	if len(h.Ranges) == 0 {
		return linesAt(m.FilePath, m.StartLine, m.EndLine)
	}
	var near []record.LineRange
	for _, r := range h.Ranges {
		if last := len(near) - 1; last >= 0 && r[0] <= near[last][1]+nearRange {
			near[last][1] = r[1]
		} else {
			near = append(near, r)
		}
	}
	place := linesAt(m.FilePath, near[0][0], near[0][1])
	for _, r := range near[1:min(len(near), maxRangesNamed)] {
		place += "," + strings.TrimPrefix(linesAt("", r[0], r[1]), ":")
	}
	if more := len(near) - maxRangesNamed; more > 0 {
		place += fmt.Sprintf(" and %d more", more)
	}
	return place
}

const (
	// nearRange is the distance of a range of lines from the end of the one before it up to which they are named as one.
	nearRange = 6
	// maxRangesNamed bounds the ranges of lines that are named for a hit.
	maxRangesNamed = 3
)

// lineAt returns the place of a line. path begins with the name of the tree if that has one.
func lineAt(path string, line int) string { return terminal.Clean(path) + ":" + strconv.Itoa(line) }

func linesAt(path string, first, last int) string {
	return lineAt(path, first) + "-" + strconv.Itoa(last)
}

// maxTwins bounds the twins of a result that are listed.
const maxTwins = 3

// also lists the twins of a hit, "" if it has none.
func also(h *answer.Hit) string {
	if len(h.Twins) == 0 {
		return ""
	}
	var list []string
	for _, twin := range h.Twins[:min(len(h.Twins), maxTwins)] {
		list = append(list, linesAt(twin.FilePath, twin.StartLine, twin.EndLine))
	}
	text := "also in " + strings.Join(list, ", ")
	if more := len(h.Twins) - maxTwins; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// place returns the block of a hit with its place and its signature, or else title, which is "" for that of the chunk.
func place(h *answer.Hit, title string) block {
	head := cmp.Or(h.Chunk.Metadata.SymbolSignature, title)
	if h.Symbol != nil {
		head = string(h.Symbol.Type) + " " + h.Symbol.Name
	}
	section := h.Chunk.ChunkType == record.Documentation
	if head == "" {
		head = h.Chunk.Title
		if _, rest, ok := strings.Cut(head, ": "); ok && !section {
			head = rest
		}
	}
	head = terminal.Clean(shorten.Line(head))
	if section {
		head = shorten.End(head, maxHead+1)
	} else {
		head = signature(head, h.Chunk.Metadata.SymbolName)
	}
	text := where(h) + "  " + head
	if twins := also(h); twins != "" {
		text += "  (" + twins + ")"
	}
	text += "\n"
	return block{text: text, path: terminal.Clean(h.Chunk.Metadata.FilePath)}
}

// maxMatched bounds the line numbers of further matches that are listed.
const maxMatched = 4

// matchedLine returns the block of a hit with its best matching line, the symbol around it and the numbers of other
// lines that match as well. ok is false if no line matches, or if the best line is the declaration, which the signature
// shows already.
func matchedLine(h *answer.Hit, own []answer.TellingLine) (b block, ok bool) {
	best := -1
	var others []string
	for n, line := range own {
		if line.Matches > 0 && !line.Dull && (best < 0 || cmp.Or(cmp.Compare(line.Matches, own[best].Matches), cmp.Compare(line.Worth, own[best].Worth)) > 0) {
			best = n
		}
	}
	if best < 0 || own[best].Declares {
		return block{}, false
	}
	for n, line := range own {
		if n != best && line.Matches == own[best].Matches && !line.Dull {
			others = append(others, strconv.Itoa(line.Number))
		}
	}
	text := lineAt(h.Chunk.Metadata.FilePath, own[best].Number) + "  " + shorten.End(strings.TrimSpace(terminal.Clean(own[best].Text)), maxMatchedLine+1)
	var in []string
	if name := h.Chunk.Metadata.SymbolName; name != "" && h.Chunk.ChunkType == record.Implementations {
		in = append(in, "in "+terminal.Clean(shorten.End(withOwner(name), maxHead+1)))
	}
	if len(others) > 0 {
		more := ""
		if len(others) > maxMatched {
			others, more = others[:maxMatched], fmt.Sprintf(" and %d more", len(others)-maxMatched)
		}
		in = append(in, "also "+strings.Join(others, ", ")+more)
	}
	if len(in) > 0 {
		text += "  (" + strings.Join(in, ", ") + ")"
	}
	return block{text: text + "\n", path: terminal.Clean(h.Chunk.Metadata.FilePath)}, true
}

// withOwner returns the name of a symbol with that of its class, without the packages around it.
func withOwner(symbol string) string {
	_, owner := nameAndOwner(symbol)
	return strings.TrimPrefix(symbol, strings.TrimSuffix(owner, corpus.LastComponent(owner)))
}

// nameAndOwner returns the unqualified name of a symbol and the qualified name of its owner, "" for none.
func nameAndOwner(symbol string) (name, owner string) {
	name = corpus.LastComponent(symbol)
	return name, strings.TrimRight(strings.TrimSuffix(symbol, name), ".:#/")
}

// maxMatchedLine is the number of characters of the line that matchedLine shows.
const maxMatchedLine = 120

// signature returns the head of a declaration, cut after maxHead characters but not before the end of the name. It
// qualifies the name with that of the class unless the head has it already: a reader of "def __init__(self)" needs to
// know the class.
func signature(head, symbol string) string {
	name, owner := nameAndOwner(symbol)
	if owner != "" && !strings.Contains(head, corpus.LastComponent(owner)) {
		head = strings.Replace(head, name, symbol, 1)
		name = symbol
	}
	most := maxHead
	if at := strings.Index(head, name); at >= 0 {
		most = max(most, utf8.RuneCountInString(head[:at+len(name)]))
	}
	return shorten.End(head, most+1)
}

// maxHead is the number of characters of a declaration's head that are shown beside a place.
const maxHead = 60

// excerpt returns the block of the i-th hit with its place and the most telling lines, at most most; … stands for the
// others. It leaves out lines that another hit shows. numbers are the line numbers in the file.
func excerpt(h *answer.Hit, r *reading, most, i int, shown map[int]int) (b block, numbers []int) {
	own := r.own
	var candidates []int
	may := func(n int) bool {
		by, ok := shown[own[n].Number]
		return r.says[n] && (!ok || by == i)
	}
	for _, n := range r.best {
		if len(candidates) == most && most < passagesFrom {
			break
		}
		if may(n) {
			candidates = append(candidates, n)
		}
	}
	if most >= passagesFrom && len(candidates) <= most+most/2 {
		most = len(candidates) // show all if at most a third would be left out
	}
	if len(candidates) > most && most >= passagesFrom {
		candidates = passages(own, r.worth, candidates, most, may)
	} else {
		candidates = candidates[:min(most, len(candidates))]
		slices.Sort(candidates)
	}
	if len(candidates) == 0 {
		return block{}, nil
	}
	indent, size := -1, 0
	for _, n := range candidates {
		text := own[n].Text
		size += len(text) + len("…1000\n")
		if width := len(text) - len(strings.TrimLeft(text, " \t")); indent < 0 || width < indent {
			indent = width
		}
	}
	head := heading(h, own, candidates)
	var out strings.Builder
	out.Grow(len(head) + 1 + size)
	out.WriteString(head)
	out.WriteByte('\n')
	if twins := also(h); twins != "" {
		out.WriteString(twins)
		out.WriteByte('\n')
	}
	for k, n := range candidates {
		if k > 0 && (r.skips(candidates[k-1], n) || isApart(own, candidates[k-1], n)) {
			out.WriteString(shorten.Ellipsis + strconv.Itoa(own[n].Number) + "\n")
		}
		out.WriteString(line(own[n].Text[indent:]))
		out.WriteByte('\n')
		numbers = append(numbers, own[n].Number)
	}
	if r.skips(candidates[len(candidates)-1], len(own)) {
		out.WriteString("…\n")
	}
	for _, l := range h.Uses {
		if by, ok := shown[l.Number]; !ok || by == i {
			fmt.Fprintf(&out, "line %d: %s\n", l.Number, line(l.Text))
			numbers = append(numbers, l.Number)
		}
	}
	text := out.String()
	return block{text: text, path: terminal.Clean(h.Chunk.Metadata.FilePath), lines: len(candidates)}, numbers
}

const (
	// passage is the number of lines that are shown from a telling line on, if a result gets passagesFrom lines or
	// more.
	passage      = 5
	passagesFrom = 8
)

// passages returns at most most of the lines that may be shown: the most telling ones, each with the lines after it,
// since code is understood in context. Lines above the declaration and the declaration itself bring no further lines.
// Lines without worth are added only while there are fewer than passagesFrom.
func passages(own []answer.TellingLine, worth []float32, best []int, most int, may func(n int) bool) []int {
	declares := slices.IndexFunc(own, func(l answer.TellingLine) bool { return l.Declares })
	chosen := map[int]bool{}
	for _, seed := range best {
		if worth[seed] == 0 && len(chosen) >= passagesFrom {
			break
		}
		end := seed + passage
		if seed <= declares {
			end = seed + 1
		}
		for n := seed; n < min(end, len(own)) && len(chosen) < most; n++ {
			if may(n) {
				chosen[n] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(chosen))
}

// maxSignature is the number of characters of a signature in a heading.
const maxSignature = 100

// heading returns the place of a hit of which the given lines are shown, and the definition that they belong to if they
// do not show it. For a hit that gathers lines from several places, such as declarations, it is the range of the shown
// lines.
func heading(h *answer.Hit, own []answer.TellingLine, shown []int) string {
	m := &h.Chunk.Metadata
	if t := h.Chunk.ChunkType; (t == record.Definitions || t == record.Data) && h.Context == nil && h.Parts == nil {
		first, last := own[shown[0]].Number, own[shown[len(shown)-1]].Number
		if first == last {
			return lineAt(m.FilePath, first)
		}
		return linesAt(m.FilePath, first, last)
	}
	text := where(h)
	for _, n := range shown {
		if own[n].Declares {
			return text
		}
	}
	if h.Chunk.ChunkType == record.Implementations && m.SymbolSignature != "" && !slices.ContainsFunc(own, func(l answer.TellingLine) bool { return l.Declares }) {
		text += "  in " + shorten.End(shorten.Line(terminal.Clean(m.SymbolSignature)), maxSignature+1)
	}
	return text
}

// A reading is the lines of a hit with the worth of each.
type reading struct {
	own   []answer.TellingLine
	worth []float32
	// says tells of each line whether it may be shown: whether it is neither blank nor dull.
	says []bool
	// best has the indices of the lines, in descending order of worth.
	best []int
}

func read(h *answer.Hit) *reading {
	own := linesOf(h)
	r := &reading{own, make([]float32, len(own)), make([]bool, len(own)), make([]int, 0, len(own))}
	for n := range own {
		r.says[n] = (!own[n].Dull || h.Excerpts != nil) && strings.TrimSpace(own[n].Text) != ""
		if r.worth[n] = worth(own, n); h.Excerpts != nil {
			r.worth[n] = 1 // shown from the first line on
		}
		if r.worth[n] > 0 {
			r.best = append(r.best, n)
		}
	}
	slices.SortStableFunc(r.best, func(a, b int) int { return cmp.Compare(r.worth[b], r.worth[a]) })
	for n := range own { // most lines
		if r.worth[n] == 0 {
			r.best = append(r.best, n)
		}
	}
	return r
}

// skips reports whether any line between two lines has text, dull or not. The answer marks the gap, or the code would
// read as if it were complete.
func (r *reading) skips(from, to int) bool {
	return slices.ContainsFunc(r.own[from+1:to], func(l answer.TellingLine) bool { return strings.TrimSpace(l.Text) != "" })
}

// linesOf returns the lines of a hit, with the surrounding lines if they were asked for, or the lines of its Excerpts.
func linesOf(h *answer.Hit) []answer.TellingLine {
	var lines []answer.TellingLine
	if h.Lines != nil {
		lines = h.Lines()
	}
	around := h.Excerpts
	if h.Excerpts == nil && h.Context != nil && h.Context.Text != "" {
		around = []answer.Excerpt{*h.Context}
	}
	if len(around) == 0 {
		return lines
	}
	var all []answer.TellingLine
	for _, e := range around {
		number := e.StartLine
		for text := range strings.SplitSeq(e.Text, "\n") {
			l := answer.TellingLine{Number: number, Text: text}
			if i := slices.IndexFunc(lines, func(own answer.TellingLine) bool { return own.Number == number }); i >= 0 && number > 0 {
				l = lines[i]
			}
			all = append(all, l)
			number++
		}
	}
	if h.Excerpts != nil {
		return all
	}
	for _, l := range lines {
		if l.Number < h.Context.StartLine || l.Number > h.Context.EndLine {
			all = append(all, l)
		}
	}
	slices.SortStableFunc(all, func(a, b answer.TellingLine) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

// isApart reports whether lines of the file that the hit lacks are between two of its lines, such as between its parts
// or between declarations that it gathers. A gap of one line is no such gap, since it is blank.
func isApart(own []answer.TellingLine, from, to int) bool {
	for n := from + 1; n <= to; n++ {
		if own[n].Number > own[n-1].Number+2 {
			return true
		}
	}
	return false
}

// nearWorth is the share of a neighbour's worth that a line has at least: lines next to a telling line explain it.
const nearWorth = 0.3

func worth(own []answer.TellingLine, n int) float32 {
	w := own[n].Worth
	if n > 0 {
		w = max(w, nearWorth*own[n-1].Worth)
	}
	if n+1 < len(own) {
		w = max(w, nearWorth*own[n+1].Worth)
	}
	if w == 0 {
		return 0
	}
	// A line of brackets or dashes alone tells nothing.
	if !strings.ContainsFunc(own[n].Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return w / 10
	}
	if strings.HasPrefix(strings.TrimLeft(own[n].Text, " \t*/#-"), "@") {
		return own[n].Worth // a tag of a doc comment says little about the lines next to it
	}
	return w
}

// line returns a text as one line without control characters, cut to maxWidth.
func line(text string) string {
	return shorten.End(terminal.Clean(text), maxWidth+1)
}
