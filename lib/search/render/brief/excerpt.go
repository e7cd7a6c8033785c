package brief

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/token"
	"cortex/lib/shorten"
	"cortex/lib/terminal"
)

// An excerpt is the place of a result with the lines of it that tell most.

// excerpt returns the block of the i-th hit with its place and the most telling lines, at most most; … stands for the
// others. It leaves out lines that another hit shows, but a value is shown in its own place even if a hit has named it
// among its uses.
func (l *layout) excerpt(i, most int, shown map[int]showing) block {
	h, r := &l.hits[i], l.reading(i)
	elsewhere := func(number int) bool { // whether another hit shows the line
		by, ok := shown[number]
		return ok && by.hit != i && !(by.use && h.Chunk.ChunkType == record.Data)
	}
	chosen := choose(r, most, elsewhere)
	if len(chosen) == 0 {
		return block{}
	}
	b := block{path: terminal.Clean(h.Chunk.Metadata.FilePath), lines: len(chosen), most: most}
	chosen = r.withoutLoneBrace(r.closeGaps(chosen, elsewhere))
	b.numbers = make([]int, len(chosen))
	for k, n := range chosen {
		b.numbers[k] = r.own[n].Number
	}
	head := headingOf(h, l.where(i), r.own, chosen)
	if isSingle(h, r, head, b.numbers) {
		b.text, b.lines, b.single = head.text+"  "+single(h, &r.own[chosen[0]])+"\n", 1, true
		return b
	}
	var out strings.Builder
	out.WriteString(head.text + "\n")
	if twins := also(h.Twins, h.Chunk.Metadata.FilePath); twins != "" {
		out.WriteString(twins + "\n")
	}
	writeLines(&out, r, chosen, head.first)
	if last := chosen[len(chosen)-1]; r.skips(last, len(r.own)) || head.end > r.own[last].Number {
		out.WriteString(shorten.Ellipsis + "\n")
	}
	if others := r.others(func(number int) bool { return elsewhere(number) || slices.Contains(b.numbers, number) }); others != "" {
		out.WriteString(others + "\n")
	}
	for _, use := range h.Uses {
		if by, ok := shown[use.Number]; !ok || by == (showing{hit: i, use: true}) {
			fmt.Fprintf(&out, "line %d: %s\n", use.Number, line(&use, 0, answer.LineWidth))
			b.uses = append(b.uses, use.Number)
		}
	}
	b.text = out.String()
	return b
}

// withoutLoneBrace removes the last of the chosen lines if it is a brace by itself, below a gap.
func (r *reading) withoutLoneBrace(chosen []int) []int {
	if last := len(chosen) - 1; last > 0 && !token.HasWord(r.own[chosen[last]].Text) && r.skips(chosen[last-1], chosen[last]) {
		return chosen[:last]
	}
	return chosen
}

// isSingle reports whether an excerpt with these lines of the file is one line, beside its place. A heading that says
// more than the place, and what stands below the lines, need lines of their own.
func isSingle(h *answer.Hit, r *reading, head heading, numbers []int) bool {
	return len(numbers) == 1 && numbers[0] > 0 && head.text == lineAt(h.Chunk.Metadata.FilePath, numbers[0]) &&
		len(h.Twins) == 0 && len(h.Uses) == 0 && len(r.declares) <= 1
}

// single returns the only line of a hit as it stands beside its place, with what it is declared in.
func single(h *answer.Hit, l *answer.TellingLine) string {
	text := line(l, indentation(l.Text), answer.LineWidth)
	owner := classOfValue(h)
	if h.Symbol != nil && h.Symbol.Line == l.Number {
		_, of := nameAndOwner(h.Symbol.Name)
		owner = corpus.LastComponent(of)
	}
	if owner == "" || token.NameAt(text, owner) >= 0 {
		return text
	}
	return text + "  (in " + terminal.Clean(owner) + ")"
}

// choose returns the indices of the most telling lines, at most most and in order, without lines that are shown
// elsewhere.
func choose(r *reading, most int, elsewhere func(number int) bool) []int {
	may := func(n int) bool { return r.says[n] && (r.own[n].Number <= 0 || !elsewhere(r.own[n].Number)) }
	candidates := make([]int, 0, min(most, len(r.own)))
	for k := 0; len(candidates) < most || most >= passagesFrom; k++ {
		if k == len(r.best) && !r.complete {
			r.complement()
		}
		if k == len(r.best) {
			break
		}
		if n := r.best[k]; may(n) {
			candidates = append(candidates, n)
		}
	}
	if most >= passagesFrom && len(candidates) <= most+most/2 {
		most = len(candidates) // show all if at most a third would be left out
	}
	if len(candidates) > most && most >= passagesFrom {
		return passages(r.own, r.worth, candidates, most, may)
	}
	candidates = candidates[:min(most, len(candidates))]
	slices.Sort(candidates)
	return candidates
}

const (
	// maxGap is the number of bytes of lines that are shown although they are not chosen: the mark of a gap and the
	// number of the next line cost nearly as much.
	maxGap = 32
	// maxEnd is the number of bytes of the last lines of a hit that are shown rather than marked as left out.
	maxEnd = 5
)

// closeGaps adds the lines between the chosen ones that are too short to be worth a mark, such as the brace or the
// quotes below a signature, and the brace at the end.
func (r *reading) closeGaps(chosen []int, elsewhere func(number int) bool) []int {
	all := make([]int, 0, len(chosen)+4)
	for k, next := 0, 0; k <= len(chosen); k++ {
		to, most := len(r.own), maxEnd
		if k < len(chosen) {
			to, most = chosen[k], maxGap
		}
		before := len(all)
		for n := next; n < to && most >= 0; n++ {
			l, text := &r.own[n], strings.TrimSpace(r.own[n].Text)
			isFar := n > 0 && l.Number > r.own[n-1].Number+2
			switch {
			case l.Number <= 0 || isFar || elsewhere(l.Number) || l.Dull && token.HasWord(text):
				most = -1
			case text != "":
				all = append(all, n)
				most -= len(text) + 1
			}
		}
		if most < 0 {
			all = all[:before]
		}
		if k < len(chosen) {
			all, next = append(all, to), to+1
		}
	}
	return all
}

// writeLines writes the chosen lines without their common indentation. first is the first line of the place above them:
// a reader counts lines from there on, so what is left out is marked, and blank lines are kept.
func writeLines(out *strings.Builder, r *reading, chosen []int, first int) {
	indent, size := -1, 0
	for _, n := range chosen {
		text := r.own[n].Text
		size += len(text) + len("…1000\n")
		if width := indentation(text); indent < 0 || width < indent {
			indent = width
		}
	}
	out.Grow(size)
	next := first
	for k, n := range chosen {
		skipped := k > 0 && (r.skips(chosen[k-1], n) || isApart(r.own, chosen[k-1], n))
		switch number := r.own[n].Number; {
		case number <= 0:
			if skipped {
				out.WriteString(shorten.Ellipsis + "\n")
			}
		case k > 0 && !skipped && next <= number && number <= next+maxBlank:
			out.WriteString(strings.Repeat("\n", number-next))
		case number != next:
			out.WriteString(shorten.Ellipsis + strconv.Itoa(number) + "\n")
		}
		next = r.own[n].Number + 1
		out.WriteString(line(&r.own[n], indent, answer.LineWidth))
		out.WriteByte('\n')
	}
}

const (
	// passage is the number of lines that are shown from a telling line on, if a result gets passagesFrom lines or
	// more.
	passage      = 5
	passagesFrom = 8
)

// passages returns at most most of the lines that may be shown, in their order: the most telling ones, each with the
// lines after it, since code is understood in context. Lines above the declaration and the declaration itself bring no
// further lines. Lines without worth are added only while there are fewer than passagesFrom.
func passages(own []answer.TellingLine, worth []float32, best []int, most int, may func(n int) bool) []int {
	declares := slices.IndexFunc(own, func(l answer.TellingLine) bool { return l.Declares })
	isChosen := make([]bool, len(own))
	count := 0
	for _, seed := range best {
		if worth[seed] == 0 && count >= passagesFrom {
			break
		}
		end := min(seed+passage, len(own))
		if seed <= declares {
			end = seed + 1
		}
		for n := seed; n < end && count < most; n++ {
			if !isChosen[n] && may(n) {
				isChosen[n] = true
				count++
			}
		}
	}
	chosen := make([]int, 0, count)
	for n, is := range isChosen {
		if is {
			chosen = append(chosen, n)
		}
	}
	return chosen
}

// maxSignature is the number of characters of a signature in a heading.
const maxSignature = 100

// A heading is the first line of an excerpt: the place of a hit, and the definition that the shown lines belong to if
// they do not show it.
type heading struct {
	text string
	// first is the first line of the place. end is the last line of a type or value, which may have lines that the hit
	// lacks, such as methods; 0 for other hits.
	first, end int
}

// headingOf returns the heading of a hit of which the given lines are shown.
func headingOf(h *answer.Hit, at location, own []answer.TellingLine, shown []int) heading {
	if t := h.Chunk.ChunkType; (t == record.Definitions || t == record.Data) && h.Context == nil && h.Excerpts == nil && h.Parts == nil {
		return headingOfDeclarations(h, own, shown)
	}
	return heading{text: at.text + inDefinition(h, own, shown), first: at.first}
}

// headingOfDeclarations returns the heading of a hit that gathers declarations. The place is the range of the shown
// lines, unless they are of the type or value after which the hit is named.
func headingOfDeclarations(h *answer.Hit, own []answer.TellingLine, shown []int) heading {
	m := &h.Chunk.Metadata
	first, last := own[shown[0]].Number, own[shown[len(shown)-1]].Number
	if len(shown) == 1 && h.Chunk.ChunkType == record.Data {
		return heading{text: lineAt(m.FilePath, first), first: first}
	}
	in := inType(h, own, shown)
	isNamed := (h.Symbol == nil || h.Symbol.Name == m.SymbolName) && m.SymbolSignature != ""
	if isNamed && 0 < m.StartLine && m.StartLine <= first && last <= m.EndLine {
		return heading{linesAt(m.FilePath, m.StartLine, m.EndLine) + in, m.StartLine, m.EndLine}
	}
	return heading{text: linesAt(m.FilePath, first, last) + in, first: first}
}

// inType names the class of values, or the type whose name is not in the shown lines; "" for neither.
func inType(h *answer.Hit, own []answer.TellingLine, shown []int) string {
	if class := classOfValue(h); class != "" {
		return "  in " + terminal.Clean(class)
	}
	m := &h.Chunk.Metadata
	name, _ := nameAndOwner(m.SymbolName)
	if m.SymbolType.IsType() && !slices.ContainsFunc(shown, func(n int) bool { return token.NameAt(own[n].Text, name) >= 0 }) {
		return "  in " + terminal.Clean(name) // a typedef of C has its name in the last line
	}
	return ""
}

// inDefinition names the class of a method whose declaration is among the shown lines, unless the declaration does, or
// the definition if the hit has lines of it without its declaration; "" for neither. A hit of several parts may have
// several declarations.
func inDefinition(h *answer.Hit, own []answer.TellingLine, shown []int) string {
	m := &h.Chunk.Metadata
	if k := slices.IndexFunc(shown, func(n int) bool { return own[n].Declares }); k >= 0 {
		if class := classOf(m); class != "" && token.NameAt(own[shown[k]].Text, class) < 0 {
			return "  in " + terminal.Clean(class)
		}
		return ""
	}
	declares := func(l answer.TellingLine) bool { return l.Declares }
	if h.Chunk.ChunkType == record.Implementations && m.SymbolSignature != "" && !slices.ContainsFunc(own, declares) {
		return "  in " + signature(terminal.Clean(shorten.Line(m.SymbolSignature)), m.SymbolName, maxSignature)
	}
	return ""
}

// classOfValue returns the name of the class that the values of a hit belong to, "" if they belong to none or if the
// file has the name of the class.
func classOfValue(h *answer.Hit) string {
	m := &h.Chunk.Metadata
	if h.Chunk.ChunkType != record.Data || !m.SymbolType.IsData() {
		return ""
	}
	_, owner := nameAndOwner(m.SymbolName)
	if owner = corpus.LastComponent(owner); strings.HasPrefix(path.Base(m.FilePath), owner+".") {
		return ""
	}
	return owner
}

// classOf returns the name of the class that a method belongs to, "" for what is no method.
func classOf(m *record.Metadata) string {
	if m.SymbolType != record.Method {
		return ""
	}
	_, owner := nameAndOwner(m.SymbolName)
	return corpus.LastComponent(owner)
}

// maxBlank is the number of blank lines up to which they are shown rather than marked as left out.
const maxBlank = 3

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

// indentation returns the number of blanks at the beginning of a line.
func indentation(text string) int { return len(text) - len(strings.TrimLeft(text, " \t")) }

// line returns a line of a file without its indentation and without control characters, cut to width characters.
func line(l *answer.TellingLine, indent, width int) string {
	text := terminal.Clean(l.Text[indent:])
	if len(text) <= width || utf8.RuneCountInString(text) <= width {
		return text
	}
	if l.From > indent {
		text = shorten.Ellipsis + terminal.Clean(l.Text[l.From:])
	}
	return shorten.End(wideGaps.ReplaceAllString(text, "$1$2"), width+1)
}

// wideGaps are the blanks and dashes with which the cells of tables are filled.
var wideGaps = regexp.MustCompile(`(\S ) +|(---)-+`)
