package render

import (
	"fmt"
	"strings"

	"cortex/lib/graph/table"
)

// bytesPerToken is the number of bytes that count as one token of a model, as in package search.
const bytesPerToken = 4

// Fit shortens and removes hits so that the answer takes at most maxTokens; it always keeps one result. size returns the
// bytes that a hit takes in the answer; frame is the size of all else but the note.
//
// Fit first fills two thirds of the room with short forms of the hits, then uses the rest to replace the first of them with
// their full forms. Tests get a third of the room, or more if the results leave it. The note says what is missing.
func Fit(a *table.Answer, maxTokens, frame int, size func(*table.Hit) int) {
	room := maxTokens*bytesPerToken - frame
	results, tests := sizes(a.Results, size), sizes(a.Tests, size)
	if results+tests <= room {
		return
	}
	const maxNote = 200
	room = max(room-maxNote, 0)
	forTests := min(tests, max(room/3, room-results))
	before := len(a.Results) + len(a.Tests)
	a.Results = fitting(a.Results, room-forTests, 1, size)
	a.Tests = fitting(a.Tests, forTests, 0, size)
	short := 0
	for _, list := range [][]table.Hit{a.Results, a.Tests} {
		for i := range list {
			if list[i].Detail == table.DetailShort {
				short++
			}
		}
	}
	a.TotalReturned, a.Truncated = len(a.Results), true
	var parts []string
	if short > 0 {
		parts = append(parts, fmt.Sprintf("%d shortened", short))
	}
	if left := before - len(a.Results) - len(a.Tests); left > 0 {
		parts = append(parts, fmt.Sprintf("%d left out", left))
	}
	note := strings.Join(parts, " and ") + " to stay within max_tokens; raise it, lower limit or narrow with path"
	if a.Note != "" {
		note = a.Note + "; " + note
	}
	a.Note = note
}

func sizes(hits []table.Hit, size func(*table.Hit) int) int {
	n := 0
	for i := range hits {
		n += size(&hits[i])
	}
	return n
}

// fitting returns as many of the hits, in short or full form, as fit into room bytes, but at least least of them.
func fitting(hits []table.Hit, room, least int, size func(*table.Hit) int) []table.Hit {
	whole := make([]int, len(hits))
	total := 0
	for i := range hits {
		whole[i] = size(&hits[i])
		total += whole[i]
	}
	if total <= room {
		return hits
	}
	// Keep a third of the room for full forms: that of the first hit is worth more than the name of the last.
	most := room * 2 / 3
	spent := 0
	kept := make([]table.Hit, 0, len(hits))
	for i := range hits {
		short := shortened(&hits[i])
		cost := size(&short)
		if len(kept) >= least && spent+cost > most {
			break
		}
		spent += cost
		kept = append(kept, short)
	}
	for i := range kept {
		if spent += whole[i] - size(&kept[i]); spent > room {
			break
		}
		kept[i] = hits[i]
	}
	return kept
}

// shortened returns the short form of a hit: with one line, without context and quote.
func shortened(h *table.Hit) table.Hit {
	s := *h
	if len(s.Lines) > 1 {
		s.More += len(s.Lines) - 1
		s.Lines = s.Lines[:1]
	}
	s.Context, s.Quote = nil, ""
	if s.More != h.More || h.Context != nil {
		s.Detail = table.DetailShort
	}
	return s
}
