package show

import (
	"cmp"
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/wording"
)

// A Finder finds, in a chunk that declares several symbols, those that were asked for.
type Finder struct {
	Namings []wording.Naming
	Test    corpus.SymbolTest // nil if there is no filter
	// Lines asks for the telling lines of a hit. They replace highlights unless Around asks for surrounding lines.
	Lines, Around bool
	// Pointed has the lines to which the question points, by path.
	Pointed map[string][]int
	// Dull has the kinds of lines to leave out.
	Dull Dullness
	// Exact is set for exact search, which names what it looks for: a line that matches is not dull, and of a list of
	// declarations only those that were asked for are shown.
	Exact bool
	// Values says that a question asks for a value.
	Values bool
}

// FinderFor returns a finder for a request. namings recognise the names that the request looks for.
func FinderFor(req answer.Request, dull Dullness, namings []wording.Naming) *Finder {
	return &Finder{Namings: namings, Test: corpus.SymbolTestOf(req.Filter), Lines: req.Lines, Around: req.Context != answer.Around{}, Dull: dull}
}

// find returns the symbols that were asked for, the best first, at most maxSymbols. If the chunk has none of them,
// found is false and list has the first symbols of the chunk.
func (f *Finder) find(c *record.Chunk) (list []record.SymbolRef, found bool) {
	type ranked struct {
		record.SymbolRef
		rank float32
	}
	var matched []ranked
	for _, s := range c.Metadata.Symbols {
		if f.Test != nil && !f.Test(s) {
			continue
		}
		rank := float32(0)
		for _, n := range f.Namings {
			rank = max(rank, n.Rank(s))
		}
		if rank > 0 || f.Test != nil {
			matched = append(matched, ranked{s, rank})
		}
	}
	if len(matched) == 0 {
		// A copy, since a hit is kept longer than the other symbols of the chunk.
		return slices.Clone(c.Metadata.Symbols[:min(len(c.Metadata.Symbols), maxSymbols)]), false
	}
	slices.SortStableFunc(matched, func(a, b ranked) int { return cmp.Compare(b.rank, a.rank) })
	for _, s := range matched[:min(len(matched), maxSymbols)] {
		list = append(list, s.SymbolRef)
	}
	return list, true
}

const (
	// The conditions for one symbol of a list to be what the question asks for. Its lines match at least singledWords
	// words of the question, singledShare of the weight that all lines match, and singledLead times the weight of any
	// other symbol.
	singledShare, singledLead = 0.6, 1.3
	singledWords              = 2
)

// singled returns the symbol of a list of declarations whose lines, with the comments above them, match the question
// clearly better than the others; nil if there is no such symbol.
func (t *textLines) singled(matched []occurrence, needles []Needle) *record.SymbolRef {
	symbols := t.chunk.Metadata.Symbols
	if len(symbols) < 2 {
		return nil
	}
	type word struct{ symbol, needle int }
	owners, counted := t.owners(), map[word]bool{}
	words, values := make([]int, len(symbols)), make([]float32, len(symbols))
	const all = -2 // stands for the whole list, to count each word of the question once
	total := float32(0)
	for _, o := range matched {
		if o.needle == noNeedle {
			continue
		}
		if w := (word{all, o.needle}); !counted[w] {
			counted[w] = true
			total += needles[o.needle].weight
		}
		if w := (word{owners[t.at(o.start)], o.needle}); w.symbol >= 0 && !counted[w] {
			counted[w] = true
			words[w.symbol]++
			values[w.symbol] += needles[o.needle].weight
		}
	}
	best, second := 0, float32(0)
	for i := 1; i < len(values); i++ {
		if values[i] > values[best] {
			best, second = i, values[best]
		} else {
			second = max(second, values[i])
		}
	}
	if words[best] < singledWords || values[best] < singledShare*total || values[best] < singledLead*second {
		return nil
	}
	symbol := symbols[best] // a copy, as in find
	return &symbol
}

// owners returns for each line the index of the symbol that it belongs to, or -1. A symbol owns the lines from its
// declaration to the next one, and the comments above it.
func (t *textLines) owners() []int {
	declared := map[int]int{} // by line of the file
	for i, s := range t.chunk.Metadata.Symbols {
		declared[s.Line] = i
	}
	owners := make([]int, t.count())
	owner := -1
	for n, number := range t.number {
		if i, ok := declared[number]; ok && number > 0 {
			owner = i
		}
		owners[n] = owner
	}
	for n := t.count() - 2; n >= 0; n-- {
		if _, declares := declared[t.number[n]]; !declares && isRemark(t.line(n)) && t.follows(n+1) {
			owners[n] = owners[n+1]
		}
	}
	return owners
}

// isRemark reports whether the line looks like a comment on, or an annotation of, the code below it.
func isRemark(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return line != "" && strings.IndexByte("/#*-;@[", line[0]) >= 0
}

// mainLine returns an empty occurrence at the line that stands for a chunk without a match: the declaration that was
// asked for, else the first line that is not blank, if possible one that no other chunk has.
func (f *Finder) mainLine(t *textLines) []occurrence {
	if len(t.chunk.Metadata.Symbols) > 0 {
		if list, found := f.find(t.chunk); found {
			if n, _ := t.declaration(&list[0], nil); n >= 0 {
				return []occurrence{{t.start[n], t.start[n], noNeedle}}
			}
		}
	}
	first := -1
	for n := range t.count() {
		if strings.TrimSpace(t.line(n)) == "" || t.real && t.number[n] == 0 {
			continue
		}
		if !t.repeated(n) {
			first = n
			break
		}
		if first < 0 {
			first = n
		}
	}
	if first < 0 {
		return nil
	}
	return []occurrence{{t.start[first], t.start[first], noNeedle}}
}

// maxSymbols is the greatest number of symbols in the metadata of a hit.
const maxSymbols = 10
