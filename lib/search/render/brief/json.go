package brief

import (
	"fmt"
	"sort"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/shorten"
)

// An answer in JSON has whole hits, so it is kept to a budget by shortening hits rather than by choosing lines.

// maxEcho is the number of characters of the question that an answer within a budget repeats.
const maxEcho = 200

// Fit shortens the response to at most maxTokens; the place of the best hit stays even if it needs more. size returns
// the number of bytes of a hit in the answer. frame is the number of bytes of everything else but the query and the
// note.
//
// The best hit gets up to half of the budget. Two thirds of the rest go to the places of as many hits as possible. Then
// the first of these hits are shown whole and the next ones in short, and what is left goes to the first of the latter.
// The response's Note says what is missing, and names the bounds.
func Fit(r *answer.Response, maxTokens, frame int, bounds Bounds, size func(*answer.Hit) int) {
	budget := maxTokens*BytesPerToken - frame
	r.Query = shorten.End(r.Query, maxEcho)
	budget -= 2 * len(r.Query) // escaped, the query may be twice as long
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
	r.Note = missing(places, len(hits)-len(places)) + " to stay within " + bounds.Tokens + "; raise it, lower " + bounds.Limit + " or narrow the search"
}

// maxNote is the greatest length of the note in bytes.
const maxNote = 250

// missing returns the beginning of the note, which says what is left out.
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
	return strings.Join(parts, ", ")
}

func sizes(hits []answer.Hit, size func(*answer.Hit) int) int {
	n := 0
	for i := range hits {
		n += size(&hits[i])
	}
	return n
}

// shortOf returns the hit with its signature, or else its first line, in place of its text.
func shortOf(h *answer.Hit) answer.Hit {
	s := *h
	s.Detail, s.Context, s.Excerpts, s.Reasons, s.Parts, s.Twins = answer.DetailShort, nil, nil, nil, nil, nil
	s.Chunk.Text = h.Chunk.Metadata.SymbolSignature
	if s.Chunk.Text == "" {
		first, _, _ := strings.Cut(strings.TrimSpace(h.Chunk.Text), "\n")
		s.Chunk.Text, _ = beginning(first, answer.HighlightWidth)
	}
	s.Chunk.Tags, s.Chunk.Metadata = []string{}, placeOf(h)
	s.Highlights = make([]answer.Highlight, 0, len(h.Highlights))
	for _, piece := range h.Highlights {
		piece.Matches = nil
		s.Highlights = append(s.Highlights, piece)
	}
	return s
}

// placeOnly returns the hit without text.
func placeOnly(h *answer.Hit) answer.Hit {
	p := shortOf(h)
	p.Detail, p.Chunk.Title, p.Chunk.Text, p.Highlights, p.Symbol = answer.DetailPlace, "", "", []answer.Highlight{}, nil
	return p
}

// placeOf returns the metadata that locate the hit.
func placeOf(h *answer.Hit) record.Metadata {
	m := &h.Chunk.Metadata
	return record.Metadata{Source: m.Source, FilePath: m.FilePath, Tree: m.Tree, StartLine: m.StartLine, EndLine: m.EndLine,
		ByteStart: m.ByteStart, ByteEnd: m.ByteEnd}
}

// within returns the hit with as much of its text as fits in allowed bytes. It returns shortOf the hit if no more than
// that fits, and placeOnly if not even that fits.
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
	if cut.Chunk.Text, missing = beginning(h.Chunk.Text, n); !missing && h.Context == nil && h.Excerpts == nil && h.Reasons == nil {
		cut.Detail = ""
	}
	return cut
}

// beginning returns the beginning of text, at most size bytes without a partial character, and reports whether anything
// is missing. It ends at a line break if this loses less than half.
func beginning(text string, size int) (string, bool) {
	if len(text) <= size {
		return text, false
	}
	cut := shorten.Bytes(text, size)
	if line := strings.LastIndexByte(cut, '\n') + 1; line > len(cut)/2 {
		cut = cut[:line]
	}
	return cut, true
}
