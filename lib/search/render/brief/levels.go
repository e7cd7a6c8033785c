package brief

import (
	"slices"

	"cortex/lib/search/answer"
)

// The budget is spent in rounds, the levels of a policy. A policy is chosen by the kind of answer and the size of the
// budget.

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

// all is more than the number of results of any answer.
const all = 1 << 20
