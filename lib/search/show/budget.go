package show

import (
	"fmt"
	"sort"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/shorten"
)

// BytesPerToken is how many bytes of an answer are taken for one token of a model: the usual estimate for English and code, and for other
// scripts nearer to the truth than characters are.
const BytesPerToken = 4

// maxEcho is the number of characters of a question that an answer within a budget repeats.
const maxEcho = 200

// Fit makes the response take no more than maxTokens, as long as the place of the best hit does. size tells how many bytes a
// hit takes in the answer, and frame how many all else does but the query and the note.
//
// The best hit is shown as far as half the answer goes. In two thirds of the rest as many hits as possible are named with their places. Then
// the first of them are shown whole, the next ones in short, and what is left over goes to the first of these. Note says what is missing.
func Fit(r *answer.Response, maxTokens, frame int, size func(*answer.Hit) int) {
	budget := maxTokens*BytesPerToken - frame
	r.Query = shorten.End(r.Query, maxEcho)
	budget -= 2 * len(r.Query) // escapes
	hits := r.Results
	whole := make([]int, len(hits))
	total := 0
	for i := range hits {
		whole[i] = size(&hits[i])
		total += whole[i]
	}
	if total <= budget || len(hits) == 0 {
		return
	}
	budget -= maxNote
	best := shortOf(&hits[0])
	spent := min(whole[0], max(min(size(&best), budget), budget/2))
	most := spent + 2*(budget-spent)/3
	places := make([]answer.Hit, 1, len(hits))
	for _, h := range hits[1:] {
		place := placeOnly(&h)
		cost := size(&place)
		if spent+cost > most {
			break
		}
		spent += cost
		places = append(places, place)
	}
	rest := budget - spent
	if have := spent - sizes(places[1:], size); have < whole[0] {
		allowed := min(whole[0], have+max(rest, 0))
		places[0] = within(&hits[0], allowed, size)
		rest -= size(&places[0]) - have
	} else {
		places[0] = hits[0]
	}
	next := 1
	for places[0].Detail == "" && next < len(places) && whole[next]-size(&places[next]) <= rest {
		rest -= whole[next] - size(&places[next])
		places[next] = hits[next]
		next++
	}
	for i := next; i < len(places); i++ {
		short := shortOf(&hits[i])
		if more := size(&short) - size(&places[i]); more <= rest {
			rest -= more
			places[i] = short
		}
	}
	if next < len(places) && rest > 0 {
		places[next] = within(&hits[next], size(&places[next])+rest, size)
	}
	r.Results, r.TotalReturned, r.Truncated = places, len(places), true
	r.Note = missing(places, len(hits)-len(places))
}

// maxNote is the greatest length of a note.
const maxNote = 250

// missing says in words what is left out.
func missing(hits []answer.Hit, left int) string {
	count := map[answer.Detail]int{}
	for _, h := range hits {
		count[h.Detail]++
	}
	var parts []string
	add := func(n int, one, many string) {
		if n == 1 {
			parts = append(parts, "1 result "+one)
		} else if n > 1 {
			parts = append(parts, fmt.Sprintf("%d results %s", n, many))
		}
	}
	add(count[answer.DetailCut], "ends early", "end early")
	add(count[answer.DetailShort], "is shortened", "are shortened")
	add(count[answer.DetailPlace], "is only a place", "are only places")
	add(left, "is left out", "are left out")
	return strings.Join(parts, ", ") + " to stay within max_tokens; raise it, lower limit or narrow the search"
}

func sizes(hits []answer.Hit, size func(*answer.Hit) int) int {
	n := 0
	for i := range hits {
		n += size(&hits[i])
	}
	return n
}

// shortOf is the hit with its signature, or its first line, for the text.
func shortOf(h *answer.Hit) answer.Hit {
	s := *h
	s.Detail, s.Context, s.Excerpts, s.Reasons, s.Parts, s.Twins = answer.DetailShort, nil, nil, nil, nil, nil
	s.Chunk.Text = h.Chunk.Metadata.SymbolSignature
	if s.Chunk.Text == "" {
		first, _, _ := strings.Cut(strings.TrimSpace(h.Chunk.Text), "\n")
		s.Chunk.Text, _ = Head(first, highlightWidth)
	}
	s.Chunk.Tags, s.Chunk.Metadata = []string{}, placeOf(h)
	s.Highlights = make([]answer.Highlight, 0, len(h.Highlights))
	for _, piece := range h.Highlights {
		piece.Matches = nil
		s.Highlights = append(s.Highlights, piece)
	}
	return s
}

// placeOnly is where the hit is.
func placeOnly(h *answer.Hit) answer.Hit {
	p := shortOf(h)
	p.Detail, p.Chunk.Title, p.Chunk.Text, p.Highlights, p.Symbol = answer.DetailPlace, "", "", []answer.Highlight{}, nil
	return p
}

// placeOf are the metadata that tell where the hit is.
func placeOf(h *answer.Hit) record.Metadata {
	m := &h.Chunk.Metadata
	return record.Metadata{Source: m.Source, FilePath: m.FilePath, Tree: m.Tree, StartLine: m.StartLine, EndLine: m.EndLine,
		ByteStart: m.ByteStart, ByteEnd: m.ByteEnd}
}

// within is the hit with as much of its text as the size allows; in short if that is no more.
func within(h *answer.Hit, allowed int, size func(*answer.Hit) int) answer.Hit {
	cut := *h
	cut.Detail, cut.Context, cut.Excerpts, cut.Reasons = answer.DetailCut, nil, nil, nil
	n := sort.Search(len(h.Chunk.Text)+1, func(n int) bool {
		cut.Chunk.Text = h.Chunk.Text[:n]
		return size(&cut) > allowed
	}) - 1
	short := shortOf(h)
	if size(&short) > allowed {
		return placeOnly(h)
	}
	if n <= len(short.Chunk.Text) {
		return short
	}
	var missing bool
	if cut.Chunk.Text, missing = Head(h.Chunk.Text, n); !missing && h.Context == nil && h.Excerpts == nil && h.Reasons == nil {
		cut.Detail = ""
	}
	return cut
}

// Head is the beginning of text with at most size bytes and no part of a character, in whole lines where that costs less than half, and
// whether anything is missing.
func Head(text string, size int) (string, bool) {
	if len(text) <= size {
		return text, false
	}
	cut := shorten.Bytes(text, size)
	if line := strings.LastIndexByte(cut, '\n') + 1; line > len(cut)/2 {
		cut = cut[:line]
	}
	return cut, true
}
