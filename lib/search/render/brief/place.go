package brief

import (
	"cmp"
	"fmt"
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

// The place of a result is one line: where it is, and what is there.

// A location says where a hit is: its path with its lines, or with the line of its symbol. Lines of a hit that are far
// from each other are several ranges.
type location struct {
	text  string
	first int // the first line
}

func locationOf(h *answer.Hit) location {
	m := &h.Chunk.Metadata
	if m.StartLine <= 0 {
		return location{terminal.Clean(m.FilePath), 0}
	}
	if n := len(h.Excerpts); n > 0 && h.Excerpts[0].StartLine > 0 {
		return location{linesAt(m.FilePath, h.Excerpts[0].StartLine, h.Excerpts[n-1].EndLine), h.Excerpts[0].StartLine}
	}
	if h.Symbol != nil && h.Symbol.Line > 0 {
		return location{lineAt(m.FilePath, h.Symbol.Line), h.Symbol.Line}
	}
	if len(h.Ranges) == 0 {
		from, to := m.StartLine, m.EndLine
		if c := h.Context; c != nil && c.StartLine > 0 {
			from, to = min(from, c.StartLine), max(to, c.EndLine)
		}
		return location{linesAt(m.FilePath, from, to), from}
	}
	var near []record.LineRange
	for _, r := range h.Ranges {
		if last := len(near) - 1; last >= 0 && r[0] <= near[last][1]+nearRange {
			near[last][1] = r[1]
		} else {
			near = append(near, r)
		}
	}
	text := linesAt(m.FilePath, near[0][0], near[0][1])
	for _, r := range near[1:min(len(near), maxRangesNamed)] {
		text += "," + strings.TrimPrefix(linesAt("", r[0], r[1]), ":")
	}
	if more := len(near) - maxRangesNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return location{text, near[0][0]}
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
	if last <= first {
		return lineAt(path, first)
	}
	return lineAt(path, first) + "-" + strconv.Itoa(last)
}

// maxTwins bounds the twins of a result that are listed.
const maxTwins = 3

// also lists the twins of a hit in the given file, "" for none. It names no file twice in a row.
func also(twins []answer.Twin, file string) string {
	if len(twins) == 0 {
		return ""
	}
	in := "also "
	if twins[0].FilePath != file {
		in = "also in "
	}
	return in + listed(twins, maxTwins, func(t answer.Twin) string {
		path := t.FilePath
		if path == file {
			path = ""
		}
		file = t.FilePath
		return linesAt(path, t.StartLine, t.EndLine)
	})
}

// listed lists the names of the first most things, and says how many more there are.
func listed[T any](things []T, most int, name func(T) string) string {
	names := make([]string, 0, most)
	for _, thing := range things[:min(len(things), most)] {
		names = append(names, name(thing))
	}
	text := strings.Join(names, ", ")
	if more := len(things) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// place returns the block of a hit with its location and its signature, or else title, which is "" for that of the
// chunk.
func place(h *answer.Hit, at location, title string) block {
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
		head = signature(withName(head, &h.Chunk.Metadata), h.Chunk.Metadata.SymbolName, maxHead)
	}
	text := at.text + "  " + head
	if twins := also(h.Twins, h.Chunk.Metadata.FilePath); twins != "" {
		text += "  (" + twins + ")"
	}
	text += "\n"
	return block{text: text, path: terminal.Clean(h.Chunk.Metadata.FilePath)}
}

// withName adds the name of a type to a head that lacks it: "typedef struct" of C has it in the last line.
func withName(head string, m *record.Metadata) string {
	name, _ := nameAndOwner(m.SymbolName)
	if !m.SymbolType.IsType() || head != terminal.Clean(shorten.Line(m.SymbolSignature)) || token.NameAt(head, name) >= 0 {
		return head
	}
	return head + " " + terminal.Clean(name)
}

// maxMatched bounds the line numbers of further matches that are listed.
const maxMatched = 4

// matchedLine returns the block of a hit with its best matching line, the symbol around it and the numbers of other
// lines that match as well, without the lines that are named. It returns an empty block if all of them are. ok is false if
// no line matches, or if the best line is the declaration, which the signature shows already.
func matchedLine(h *answer.Hit, own []answer.TellingLine, named map[int]bool) (b block, ok bool) {
	matching := mostMatching(own)
	if len(matching) == 0 {
		return block{}, false
	}
	matching = slices.DeleteFunc(matching, func(l *answer.TellingLine) bool { return named[l.Number] })
	if len(matching) == 0 {
		return block{}, true
	}
	best := slices.MaxFunc(matching, func(a, b *answer.TellingLine) int { return cmp.Compare(a.Worth, b.Worth) })
	if best.Declares {
		return block{}, false
	}
	numbers := []int{best.Number}
	for _, l := range matching {
		if l != best {
			numbers = append(numbers, l.Number)
		}
	}
	m := &h.Chunk.Metadata
	var elsewhere []answer.Twin
	for _, twin := range h.Twins {
		if twin.FilePath == m.FilePath {
			numbers = append(numbers, twin.StartLine)
		} else {
			elsewhere = append(elsewhere, twin)
		}
	}
	slices.Sort(numbers[1:])
	var remarks []string
	if m.SymbolName != "" && h.Chunk.ChunkType == record.Implementations {
		remarks = append(remarks, "in "+terminal.Clean(shorten.End(withOwner(m.SymbolName), maxHead+1)))
	}
	if others := numbers[1:]; len(others) > 0 {
		remarks = append(remarks, "also "+listed(others, maxMatched, strconv.Itoa))
	}
	if twins := also(elsewhere, m.FilePath); twins != "" {
		remarks = append(remarks, twins)
	}
	text := lineAt(m.FilePath, best.Number) + "  " + line(best, indentation(best.Text), maxMatchedLine)
	if len(remarks) > 0 {
		text += "  (" + strings.Join(remarks, ", ") + ")"
	}
	return block{text: text + "\n", path: terminal.Clean(m.FilePath), numbers: numbers}, true
}

// mostMatching returns the lines with the most matches, without dull ones.
func mostMatching(own []answer.TellingLine) (list []*answer.TellingLine) {
	most := 1
	for n := range own {
		switch l := &own[n]; {
		case l.Dull || l.Matches < most:
		case l.Matches == most:
			list = append(list, l)
		default:
			most, list = l.Matches, []*answer.TellingLine{l}
		}
	}
	return list
}

// withOwner returns the name of a symbol with that of its class, without the packages around it.
func withOwner(symbol string) string {
	_, owner := nameAndOwner(symbol)
	return strings.TrimPrefix(symbol, strings.TrimSuffix(owner, corpus.LastComponent(owner)))
}

// nameAndOwner returns the unqualified name of a symbol and the qualified name of its owner, "" for none.
func nameAndOwner(symbol string) (name, owner string) {
	return corpus.LastComponent(symbol), corpus.Qualifier(symbol)
}

// maxMatchedLine is the number of characters of the line that matchedLine shows.
const maxMatchedLine = 120

// signature returns the head of a declaration, cut after most characters but not before the end of the name. It
// qualifies the name with that of the class unless the head has it already: a reader of "def __init__(self)" needs to
// know the class.
func signature(head, symbol string, most int) string {
	name, owner := nameAndOwner(symbol)
	at := token.NameAt(head, name)
	if owner != "" && at >= 0 && token.NameAt(head, corpus.LastComponent(owner)) < 0 {
		if !strings.HasSuffix(symbol, name) {
			symbol = owner + "." + name // of a selector, the head has the other labels
		}
		symbol = terminal.Clean(symbol)
		head = head[:at] + symbol + head[at+len(name):]
		name = symbol
	}
	if at >= 0 {
		most = max(most, utf8.RuneCountInString(head[:at+len(name)]))
	}
	return shorten.End(head, most+1)
}

// maxHead is the number of characters of a declaration's head that are shown beside a place.
const maxHead = 60
