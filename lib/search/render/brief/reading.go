package brief

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/token"
	"cortex/lib/terminal"
)

// A reading says which lines of a result may be shown, and which of them tell most.

// A reading is the lines of a hit with the worth of each.
type reading struct {
	own   []answer.TellingLine
	worth []float32
	// says is true for each line that may be shown: one that is neither blank nor dull.
	says []bool
	// best has the indices of the lines with worth, in descending order of it. If complete is set, the others follow.
	best     []int
	complete bool
	// declares has the symbols that exact search looks for, if the hit gathers declarations.
	declares []record.SymbolRef
}

// maxOthers bounds the symbols that others names.
const maxOthers = 4

// others names the symbols of declares, with their lines, that the answer does not show; "" if it shows all.
func (r *reading) others(shown func(line int) bool) string {
	var hidden []record.SymbolRef
	for _, s := range r.declares {
		if !shown(s.Line) {
			hidden = append(hidden, s)
		}
	}
	if len(hidden) == 0 {
		return ""
	}
	return "also " + listed(hidden, maxOthers, func(s record.SymbolRef) string {
		return terminal.Clean(corpus.LastComponent(s.Name)) + " :" + strconv.Itoa(s.Line)
	})
}

func read(h *answer.Hit) *reading {
	own := linesOf(h)
	r := &reading{own: own, worth: make([]float32, len(own)), says: make([]bool, len(own)), best: make([]int, 0, len(own))}
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
	return r
}

// complement adds to best the lines without worth, which are most: those near to lines with worth first, as they explain
// them, and of two with the same distance the one below.
func (r *reading) complement() {
	r.complete = true
	telling := len(r.best)
	away, last := make([]int, len(r.own)), -1
	for n := range r.own {
		if r.worth[n] > 0 {
			last = n
		} else if away[n] = 2 * len(r.own); last >= 0 {
			away[n] = 2*(n-last) - 1
		}
	}
	last = -1
	for n := len(r.own) - 1; n >= 0; n-- {
		if r.worth[n] > 0 {
			last = n
			continue
		}
		if last >= 0 {
			away[n] = min(away[n], 2*(last-n))
		}
	}
	for n := range r.own {
		if r.worth[n] == 0 {
			r.best = append(r.best, n)
		}
	}
	slices.SortStableFunc(r.best[telling:], func(a, b int) int { return away[a] - away[b] })
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
				l.From = 0 // surrounding lines are read from their beginnings
			}
			all = append(all, l)
			if number > 0 { // an outline is in no line of its file
				number++
			}
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
	if !token.HasWord(own[n].Text) {
		return w / 10
	}
	if strings.HasPrefix(strings.TrimLeft(own[n].Text, " \t*/#-"), "@") {
		return own[n].Worth // a tag of a doc comment says little about the lines next to it
	}
	return w
}
