// Package show writes answers for readers who pay for every token: assistants. An answer goes in, and text comes out that says where each result is
// and shows the lines that answer.
//
//	lib/retry/backoff.go:40-58
//	func (b *Backoff) Next() time.Duration {
//	…
//		return min(d, b.Max)
//
//	lib/retry/backoff.go:12-18  type Backoff struct
//
// Each result has its place; the best ones have lines, the others their signature. Results of one file stand together, each line of a file stands once,
// and nothing is escaped.
package show

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cortex/lib/search"
	"cortex/lib/terminal"
)

// maxWidth is the number of characters that is shown of a line.
const maxWidth = 200

// levels are how many lines of how many results are shown, in the order in which the budget is spent: first a few telling lines of every result,
// then more of the first ones.
var levels = []struct{ lines, results int }{{3, 10}, {6, 6}, {12, 3}, {30, 1}, {12, 10}, {30, 3}, {80, 1}, {30, 10}, {80, 3}}

// enough is the share of the best score below which a result is shown by its signature alone.
const enough = 0.5

// Text is the response in at most maxTokens tokens (see Tokens) and four times as many bytes, as long as the place of the best result fits.
func Text(r *search.Response, maxTokens int) string {
	var before, after strings.Builder
	if r.Doubt != "" {
		before.WriteString(terminal.Clean(r.Doubt) + "\n")
	}
	if r.Metadata.Warning != "" {
		before.WriteString(terminal.Clean(r.Metadata.Warning) + "\n")
	}
	if r.NoMatch != nil {
		before.WriteString(terminal.Clean(r.NoMatch.Message) + "\n")
	}
	if len(r.Metadata.Also) > 0 {
		after.WriteString("also as: " + strings.Join(r.Metadata.Also, ", ") + "\n")
	}
	results := together(r.Results)
	budget := maxTokens - Cost(before.String()) - Cost(after.String()) - noteTokens
	blocks, left := fit(results, budget)
	left += max(r.TotalFound-len(r.Results), 0)
	var b strings.Builder
	b.WriteString(before.String())
	for i, block := range blocks {
		if i > 0 && (block.shows() || blocks[i-1].shows()) {
			b.WriteByte('\n')
		}
		b.WriteString(block.text)
	}
	b.WriteString(after.String())
	if left > 0 && len(blocks) > 0 && r.Metadata.Source == "exact" {
		fmt.Fprintf(&b, "%d more: narrow with path, languages or symbol_type, or raise limit and max_tokens\n", left)
	} else if len(results) > len(blocks) {
		fmt.Fprintf(&b, "%d more results: raise max_tokens\n", len(results)-len(blocks))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Cost is what a text takes of the budget: by its tokens, or by its bytes where a reader who counts four to a token would count more.
func Cost(text string) int { return max(Tokens(text), (len(text)+3)/4) }

// noteTokens is kept for the last line.
const noteTokens = 24

// together puts results of one file next to each other, where the best of them stands.
func together(hits []search.Hit) []search.Hit {
	first := map[string]int{}
	for i, h := range hits {
		key := h.Chunk.Metadata.FilePath
		if _, ok := first[key]; !ok {
			first[key] = i
		}
	}
	sorted := slices.Clone(hits)
	slices.SortStableFunc(sorted, func(a, b search.Hit) int {
		return cmp.Compare(first[a.Chunk.Metadata.FilePath], first[b.Chunk.Metadata.FilePath])
	})
	return sorted
}

// A block is what is shown of one result.
type block struct {
	text   string
	tokens int
	lines  int
}

func (b block) shows() bool { return b.lines > 0 }

// fit shows as many results as the budget has room for, and as many lines of them. left is how many have no room.
func fit(hits []search.Hit, budget int) (blocks []block, left int) {
	spent := 0
	shown := map[string]map[int]int{} // of each file, the lines that stand in the answer, and for which result
	for i := range hits {
		b := place(&hits[i])
		if i > 0 && spent+b.tokens > budget {
			return blocks, len(hits) - i
		}
		spent += b.tokens
		blocks = append(blocks, b)
	}
	for _, level := range levels {
		for i := range blocks[:min(len(blocks), level.results)] {
			h := &hits[i]
			if h.Score < enough*hits[0].Score || blocks[i].lines >= level.lines {
				continue
			}
			file := h.Chunk.Metadata.FilePath
			if shown[file] == nil {
				shown[file] = map[int]int{}
			}
			b, numbers := excerpt(h, level.lines, i, shown[file])
			if b.lines <= blocks[i].lines || spent+b.tokens-blocks[i].tokens > budget {
				continue
			}
			for _, n := range numbers {
				shown[file][n] = i
			}
			spent += b.tokens - blocks[i].tokens
			blocks[i] = b
		}
	}
	return blocks, 0
}

// where is the place of a hit.
func where(h *search.Hit) string {
	m := &h.Chunk.Metadata
	path := m.FilePath // begins with the tree if that has a name
	if m.StartLine <= 0 {
		return terminal.Clean(path)
	}
	if h.Symbol != nil && h.Symbol.Line > 0 {
		return fmt.Sprintf("%s:%d", terminal.Clean(path), h.Symbol.Line)
	}
	return fmt.Sprintf("%s:%d-%d", terminal.Clean(path), m.StartLine, m.EndLine)
}

// maxTwins bounds the twins of a result that are named.
const maxTwins = 3

// also names the twins of a hit, "" if it has none.
func also(h *search.Hit) string {
	if len(h.Twins) == 0 {
		return ""
	}
	var list []string
	for _, twin := range h.Twins[:min(len(h.Twins), maxTwins)] {
		list = append(list, fmt.Sprintf("%s:%d-%d", terminal.Clean(twin.FilePath), twin.StartLine, twin.EndLine))
	}
	text := "also in " + strings.Join(list, ", ")
	if more := len(h.Twins) - maxTwins; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// place shows a hit by its place and what stands there.
func place(h *search.Hit) block {
	head := h.Chunk.Metadata.SymbolSignature
	if h.Symbol != nil {
		head = string(h.Symbol.Type) + " " + h.Symbol.Name
	}
	if head == "" {
		head = h.Chunk.Title
		if _, rest, ok := strings.Cut(head, ": "); ok {
			head = rest
		}
	}
	text := where(h) + "  " + line(strings.Join(strings.Fields(head), " "))
	if twins := also(h); twins != "" {
		text += "  (" + twins + ")"
	}
	text += "\n"
	return block{text: text, tokens: Cost(text)}
}

// excerpt shows the place of the hit, which is the i-th, and so many of its lines: those that tell most, the others as …. Lines that another hit shows
// are left out. numbers are the lines in the file.
func excerpt(h *search.Hit, most, i int, shown map[int]int) (b block, numbers []int) {
	own := linesOf(h)
	var candidates []int
	for n, l := range own {
		if by, ok := shown[l.Number]; strings.TrimSpace(l.Text) != "" && !l.Dull && (!ok || by == i) {
			candidates = append(candidates, n)
		}
	}
	if len(candidates) > most {
		slices.SortStableFunc(candidates, func(a, b int) int { return cmp.Compare(worth(own, b), worth(own, a)) })
		candidates = candidates[:most]
		slices.Sort(candidates)
	}
	if len(candidates) == 0 {
		return block{}, nil
	}
	indent := -1
	for _, n := range candidates {
		text := own[n].Text
		if width := len(text) - len(strings.TrimLeft(text, " \t")); indent < 0 || width < indent {
			indent = width
		}
	}
	var out strings.Builder
	out.WriteString(where(h) + "\n")
	if twins := also(h); twins != "" {
		out.WriteString(twins + "\n")
	}
	for k, n := range candidates {
		if k > 0 && skips(own, candidates[k-1], n) {
			out.WriteString("…\n")
		}
		out.WriteString(line(own[n].Text[indent:]) + "\n")
		numbers = append(numbers, own[n].Number)
	}
	if skips(own, candidates[len(candidates)-1], len(own)) {
		out.WriteString("…\n")
	}
	for _, l := range h.Uses {
		if by, ok := shown[l.Number]; !ok || by == i {
			fmt.Fprintf(&out, "line %d: %s\n", l.Number, line(l.Text))
			numbers = append(numbers, l.Number)
		}
	}
	text := out.String()
	return block{text, Cost(text), len(candidates)}, numbers
}

// linesOf are the lines of a hit, and those around it where they were asked for.
func linesOf(h *search.Hit) []search.TellingLine {
	if h.Context == nil || h.Context.Text == "" {
		return h.Lines
	}
	var all []search.TellingLine
	number := h.Context.StartLine
	for text := range strings.SplitSeq(h.Context.Text, "\n") {
		l := search.TellingLine{Number: number, Text: text}
		if i := slices.IndexFunc(h.Lines, func(own search.TellingLine) bool { return own.Number == number }); i >= 0 {
			l = h.Lines[i]
		}
		all = append(all, l)
		number++
	}
	for _, l := range h.Lines {
		if l.Number < h.Context.StartLine || l.Number > h.Context.EndLine {
			all = append(all, l)
		}
	}
	slices.SortStableFunc(all, func(a, b search.TellingLine) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

// skips reports whether anything stands between two lines.
func skips(own []search.TellingLine, from, to int) bool {
	return slices.ContainsFunc(own[from+1:to], func(l search.TellingLine) bool { return strings.TrimSpace(l.Text) != "" && !l.Dull })
}

// nearWorth is the share of its neighbours' worth that a line has besides its own: what stands beside a telling line explains it.
const nearWorth = 0.3

func worth(own []search.TellingLine, n int) float32 {
	w := own[n].Worth
	if n > 0 {
		w = max(w, nearWorth*own[n-1].Worth)
	}
	if n+1 < len(own) {
		w = max(w, nearWorth*own[n+1].Worth)
	}
	// A line of brackets or dashes alone tells nothing.
	if !strings.ContainsFunc(own[n].Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return w / 10
	}
	return w
}

// line makes one line of a text that may hold anything.
func line(text string) string {
	text = terminal.Clean(text)
	if utf8.RuneCountInString(text) > maxWidth {
		return string([]rune(text)[:maxWidth]) + "…"
	}
	return text
}
