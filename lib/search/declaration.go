package search

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// Weights of declarations. A chunk that declares what a term names comes before all that use it: its score
// is that of the best use, raised by the rank of the declaration.
const (
	// memberRank is the rank of what is named by its last component beside that of the
	// whole name.
	memberRank = 0.95
	// valueRank is the rank of functions and values beside that of types.
	valueRank = 0.9
	// continuedRank is the rank of the further parts of a declaration.
	continuedRank = 0.95
	// caseRank is the rank of a name in other capitals than it was asked for, beside the same name as it was.
	caseRank = 0.85
	// useShare is what remains of the order that uses would have.
	useShare = 0.1
)

// declared visits what the chunk declares.
func declared(c *record.Chunk) iter.Seq[record.SymbolRef] {
	return func(yield func(record.SymbolRef) bool) {
		m := &c.Metadata
		own := m.SymbolName != ""
		for _, s := range m.Symbols {
			own = own && s.Name != m.SymbolName
			if !yield(s) {
				return
			}
		}
		if own {
			yield(record.SymbolRef{Name: m.SymbolName, Type: m.SymbolType, Line: m.StartLine})
		}
	}
}

// symbolNames lists the names of what the chunk declares.
func symbolNames(c *record.Chunk) []string {
	if len(c.Metadata.Symbols) == 0 {
		return oneValue(c.Metadata.SymbolName)
	}
	var names []string
	for s := range declared(c) {
		names = append(names, s.Name)
	}
	return names
}

// A naming tells how closely a qualified name is what a term asks for, from 0, not at all, to 1.
type naming func(name string) float32

// namings are those of the terms of a query that may name a symbol.
func namings(n query.Node) []naming {
	var list []naming
	query.Walk(n, func(t *query.Term) {
		if (t.Field == query.Text || t.Field == query.Symbol) && !isAnything(t) {
			list = append(list, namingOf(t))
		}
	})
	return list
}

// questionNamings are those of the words of a question.
func questionNamings(question string) []naming {
	var list []naming
	for _, w := range token.Words(question) {
		if !isFunctionWord(w.Term) && len(list) < maxQuestionTerms {
			list = append(list, namingOf(&query.Term{Field: query.Symbol, Text: w.Term}))
		}
	}
	return list
}

// namingOf compares whole components of names, from the last one on.
func namingOf(t *query.Term) naming {
	if t.Regexp != nil {
		return func(name string) float32 {
			name = token.FoldAll(name)
			last := lastComponent(name)
			if !t.Regexp.Match(last) {
				return 0
			}
			if last == name {
				return t.Regexp.Share(last)
			}
			return memberRank * t.Regexp.Share(last)
		}
	}
	if len(t.Wild) > 0 {
		pattern := token.PatternOf(t.Text, t.Wild)
		letters := float32(pattern.Letters())
		return func(name string) float32 {
			name = token.FoldAll(name)
			if pattern.Match(name) {
				return letters / float32(max(len(name), 1))
			}
			if last := lastComponent(name); pattern.Match(last) {
				return memberRank * letters / float32(max(len(last), 1))
			}
			return 0
		}
	}
	want := wholeWords(t.Text)
	if len(want) == 0 {
		return func(string) float32 { return 0 }
	}
	return func(name string) float32 {
		// Most names differ in their ends, which is quick to see.
		if t.Fuzzy == 0 && !hasFoldedSuffix(name, want[len(want)-1]) {
			return 0
		}
		words := wholeWords(name)
		if len(words) < len(want) {
			return 0
		}
		edits := 0
		for i, w := range words[len(words)-len(want):] {
			if w == want[i] {
				continue
			}
			distance := hint.Distance(want[i], w, t.Fuzzy)
			if distance > t.Fuzzy {
				return 0
			}
			edits += distance
		}
		closeness := 1 / float32(1+edits)
		if len(words) > len(want) {
			closeness *= memberRank
		}
		return closeness
	}
}

// hasFoldedSuffix reports whether the folded name ends with what is folded already.
func hasFoldedSuffix(name, suffix string) bool {
	for i, j := len(name)-1, len(suffix)-1; j >= 0; i, j = i-1, j-1 {
		if i < 0 {
			return false
		}
		c := name[i]
		if c >= utf8.RuneSelf || suffix[j] >= utf8.RuneSelf {
			return strings.HasSuffix(token.FoldAll(name), suffix)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != suffix[j] {
			return false
		}
	}
	return true
}

func wholeWords(text string) []string {
	var words []string
	token.Scan(text, func(t token.Token) {
		if t.Kind == token.Whole {
			words = append(words, t.Term)
		}
	})
	return words
}

// rank is how good an answer the declaration is to a question for its name, 0 if it
// is none. Sections of documents declare nothing.
func (n naming) rank(s record.SymbolRef) float32 {
	if s.Type == record.Heading {
		return 0
	}
	closeness := n(s.Name)
	if !s.Type.IsType() {
		closeness *= valueRank
	}
	return closeness
}

// raiseDeclarations puts the matches among candidates that declare what the term names before all others.
func (x *Index) raiseDeclarations(m *matches, candidates bitset, t *query.Term) {
	best := float32(0)
	m.set.each(func(i int) { best = max(best, m.score[i]) })
	naming, cased := namingOf(t), casedLike(t)
	candidates.each(func(i int) {
		if !m.set.has(i) {
			return
		}
		rank := float32(0)
		for s := range x.cat.Symbols(i) {
			found := naming.rank(s)
			if found > 0 && !cased(s.Name) {
				found *= caseRank
			}
			rank = max(rank, found)
		}
		if rank == 0 {
			return
		}
		if x.cat.Traits(i)&traitContinued != 0 {
			rank *= continuedRank
		}
		m.score[i] = best*(1+rank) + useShare*m.score[i]
	})
}

// casedLike tells names that end in the capitals in which the term is written.
func casedLike(t *query.Term) func(name string) bool {
	words := token.Words(t.Text)
	if len(words) == 0 || len(t.Wild) > 0 || t.Fuzzy > 0 || t.Regexp != nil {
		return func(string) bool { return true }
	}
	last := words[len(words)-1]
	written := t.Text[last.Start:last.End]
	return func(name string) bool { return strings.HasSuffix(name, written) }
}

// isContinued reports whether the chunk says at its head that it goes on with what another began.
func isContinued(c *record.Chunk) bool {
	head, _, _ := strings.Cut(c.Text, "\n")
	return strings.Contains(head, ", continued")
}

// A symbolTest is the part of a Filter that is about symbols. One symbol must satisfy all of it.
type symbolTest func(record.SymbolRef) bool

// symbolTest is nil if the filter asks for nothing.
func (f *Filter) symbolTest() symbolTest {
	if f.SymbolName == "" && f.SymbolType == "" {
		return nil
	}
	named := func(string) bool { return true }
	if f.SymbolName != "" {
		named = symbolMatcher(f.SymbolName)
	}
	kind := strings.TrimSpace(f.SymbolType)
	return func(s record.SymbolRef) bool {
		return (kind == "" || strings.EqualFold(string(s.Type), kind)) && named(s.Name)
	}
}

// A finder finds in a chunk that declares several symbols those that were asked for.
type finder struct {
	namings []naming
	test    symbolTest // nil if there is no filter
	// lines asks for the telling lines of a hit.
	lines bool
	// dull are the sorts of lines that are not told of.
	dull dullness
}

// find returns the symbols that were asked for, the best first, at most maxSymbols; without any, found is false and
// they are the first ones.
func (f *finder) find(c *record.Chunk) (list []record.SymbolRef, found bool) {
	type ranked struct {
		record.SymbolRef
		rank float32
	}
	var matched []ranked
	for _, s := range c.Metadata.Symbols {
		if f.test != nil && !f.test(s) {
			continue
		}
		rank := float32(0)
		for _, n := range f.namings {
			rank = max(rank, n.rank(s))
		}
		if rank > 0 || f.test != nil {
			matched = append(matched, ranked{s, rank})
		}
	}
	if len(matched) == 0 {
		return c.Metadata.Symbols[:min(len(c.Metadata.Symbols), maxSymbols)], false
	}
	slices.SortStableFunc(matched, func(a, b ranked) int { return cmp.Compare(b.rank, a.rank) })
	for _, s := range matched[:min(len(matched), maxSymbols)] {
		list = append(list, s.SymbolRef)
	}
	return list, true
}
