package exact

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// A message is the output of a program: "open a.txt: permission denied" for "open %s: %w". A copied message occurs
// nowhere verbatim, because no file has its values. But the words between the values are in the same order in the
// source. In place of a value, the source has something that is no plain text: %s, {}, ${x}, " + x + ".

// Makers are the places that probably produce a message.
type Makers struct {
	*corpus.Matches
	// Said is a query that finds, in the text of a place, the pieces of the message that it has.
	Said query.Node
	// Values are the pieces of the message that the best place lacks.
	Values []string
	// Phrase is set if the query is one phrase, not several words.
	Phrase bool
}

const (
	// maxMakers bounds the chunks whose texts are compared with a message, maxMessage the words of the message that are
	// used.
	maxMakers, maxMessage = 300, 64
	// leastList is the least number of terms that may be a message without quotes.
	leastList = 4
	// maxPlaceholder is the greatest number of words in the source in place of one value. A place for a value costs
	// placeholderCost letters of the score, plus one for each further word in it: words that follow each other say
	// more.
	maxPlaceholder, placeholderCost = 12, 2
	// A place needs at least as many words, letters and letters as a share of the message's to be shown. A list of
	// words without quotes may be no message, so it needs more.
	leastQuotedWords, leastListedWords = 2, 3
	leastLetters                       = 9
	leastQuoted, leastListed           = 0.2, 0.4 // shares of the letters of the message that do not look like values
	// leastBesideBest is the share of the best place's score below which another place is not shown.
	leastBesideBest = 0.75
	// unlike is the factor for a place whose text continues with other words where the message continues too, longer
	// for one whose text continues where the message ends.
	unlike, longer = 0.6, 0.95
	// quoting is the factor for documentation, which quotes the messages that code produces.
	quoting = 0.8
)

// Makers returns the places that have the most of the message that the query quotes or lists, among the chunks in
// allowed; nil allows all. allowed holds the chunks that the filter f allows. Makers returns nil if the query is no
// message, or if no place has enough of it. With strict, the text of a place must fit the message from end to end.
func (x *Searcher) Makers(ctx context.Context, node query.Node, f answer.Filter, allowed corpus.Set, strict bool) (*Makers, error) {
	said, conditions := messageOf(node)
	if said == nil {
		return nil, nil
	}
	e := &evaluator{x: x, ctx: ctx, asked: askedTiers(node, f)}
	visible := e.visible()
	if allowed != nil {
		visible.Intersect(allowed)
	}
	for _, n := range conditions {
		set, err := e.set(n)
		if err != nil {
			return nil, err
		}
		visible.Intersect(set)
	}
	chunks, err := e.likelyMakers(said, visible)
	if err != nil {
		return nil, err
	}
	return e.compare(said, chunks, strict)
}

// A message is the text of a query that may be a message.
type message struct {
	text   string
	words  []token.Token
	at     map[string][]int // indices in words, by word
	quoted bool
	// labels is the number of words in the labels at the beginning, such as "error:", which the function that reports a
	// message often puts before it.
	labels int
	// letters is the number of letters and digits in the words of the message, own the number of those that do not look
	// like values.
	letters, own int
}

// label matches the labels at the beginning of a message, value what is a value in most messages: a path, an address, a
// number, a quotation.
var (
	label = regexp.MustCompile(`^(?:[\pL\pN_.-]+: )+`)
	value = regexp.MustCompile(`\S*[/\\@]\S*|\b[0-9]+\b|\B'[^'\n]+'\B|\B"[^"\n]+"\B|\B` + "`[^`\n]+`" + `\B`)
)

// messageOf returns the message in the query and the other conditions of the query; said is nil if the query is no
// message.
func messageOf(n query.Node) (said *message, conditions []query.Node) {
	var texts []string
	listed, quoted := 0, false
	var add func(n query.Node) bool
	add = func(n query.Node) bool {
		switch n := n.(type) {
		case *query.And:
			return !slices.ContainsFunc(n.Nodes, func(child query.Node) bool { return !add(child) })
		case *query.Not:
			conditions = append(conditions, n)
			return true
		case *query.Term:
			if n.Field != query.Text {
				conditions = append(conditions, n)
				return true
			}
			if n.Regexp == nil && token.Words(n.Text) == nil {
				return true // such as ***
			}
			texts = append(texts, n.Text)
			listed++
			quoted = quoted || n.Phrase
			// Messages contain "?" ("Continue? [y/n]"), so "?" does not make a term a pattern here; "*" does.
			return n.Regexp == nil && n.Fuzzy == 0 && n.Advice() == "" && (len(n.Wild) == 0 || !strings.Contains(n.Text, "*"))
		}
		return false
	}
	if !add(n) || !(listed == 1 && quoted) && listed < leastList {
		return nil, nil
	}
	m := &message{text: strings.Join(texts, " "), at: map[string][]int{}, quoted: listed == 1}
	m.words = wordsOf(m.text)
	m.words = m.words[:min(len(m.words), maxMessage)]
	before, values := len(label.FindString(m.text)), value.FindAllStringIndex(m.text, -1)
	for i, w := range m.words {
		m.at[w.Term] = append(m.at[w.Term], i)
		n := utf8.RuneCountInString(w.Term)
		m.letters += n
		if !slices.ContainsFunc(values, func(v []int) bool { return v[0] <= w.Start && w.End <= v[1] }) {
			m.own += n
		}
		if w.End <= before {
			m.labels = i + 1
		}
	}
	return m, conditions
}

// wordsOf returns the words of the text: whole identifiers, without punctuation.
func wordsOf(text string) (words []token.Token) {
	token.Scan(text, func(t token.Token) {
		if t.Kind == token.Whole {
			words = append(words, t)
		}
	})
	return words
}

func (m *message) leastWords() int {
	if m.quoted {
		return leastQuotedWords
	}
	return leastListedWords
}

func (m *message) leastShare() float64 {
	if m.quoted {
		return leastQuoted
	}
	return leastListed
}

// likelyMakers returns the maxMakers chunks that have the most of the message's words, and of its pairs of successive
// words, weighted by rarity.
func (e *evaluator) likelyMakers(m *message, among corpus.Set) ([]int, error) {
	matches := e.x.newMatches()
	defer e.x.forget(matches)
	whole := corpus.Dict{Field: query.Text, Kind: corpus.WholeTerms}
	var list [][]word
	for i, w := range m.words {
		one := word{variants: []variant{{whole, w.Term, 1}}}
		if m.at[w.Term][0] == i {
			list = append(list, []word{one})
		}
		if i+1 < len(m.words) {
			list = append(list, []word{one, {variants: []variant{{whole, m.words[i+1].Term, 1}}}})
		}
	}
	for _, words := range list {
		set, err := e.having(words)
		if err != nil {
			return nil, err
		}
		set.Intersect(among)
		weight := float32(corpus.IDF(e.x.Generation.Len(), set.Count()))
		set.Each(func(i int) { matches.Score[i] += weight })
		matches.Set.Union(set)
	}
	best, err := matches.Choose(e.x.Generation, maxMakers)
	chunks := make([]int, len(best))
	for i := range best {
		chunks[i] = best[i].Chunk
	}
	slices.Sort(chunks)
	return chunks, err
}

// having returns the chunks that have the words in succession.
func (e *evaluator) having(words []word) (corpus.Set, error) {
	if len(words) == 1 {
		return e.candidates(words)
	}
	return e.union(func(s *share) (corpus.Set, error) {
		ends, err := s.phrase(words)
		set := corpus.NewSet(e.x.Generation.Len())
		for _, end := range ends {
			set.Add(end.chunk)
		}
		return set, err
	})
}

// compare reads the chunks and keeps those that have the most of the message; nil if none has enough.
func (e *evaluator) compare(m *message, chunks []int, strict bool) (*Makers, error) {
	gen := e.x.Generation
	type maker struct {
		chunk int
		chain
	}
	var list []maker
	best := chain{}
	for some := range slices.Chunk(chunks, readTogether) {
		if err := gen.Prepare(some); err != nil {
			return nil, err
		}
		for _, i := range some {
			if err := e.ctx.Err(); err != nil {
				return nil, err
			}
			c, err := gen.Chunk(i)
			if err != nil {
				return nil, err
			}
			found := m.in(c.Text)
			if len(found.words) < m.leastWords() || found.score < max(leastLetters, m.leastShare()*float64(m.own)) || strict && !found.fits {
				continue
			}
			if c.ChunkType == record.Documentation {
				found.score *= quoting
			}
			list = append(list, maker{i, found})
			if found.score > best.score {
				best = found
			}
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	makers := &Makers{Matches: e.x.newMatches(), Values: m.without(best.words), Phrase: m.quoted}
	said := &query.Or{}
	known := map[string]bool{}
	for _, one := range list {
		if one.score < leastBesideBest*best.score {
			continue
		}
		makers.Set.Add(one.chunk)
		makers.Score[one.chunk] = float32(one.score / float64(m.letters))
		if terms, source := m.terms(one.words); !known[source] && len(said.Nodes)+len(terms) <= maxSaid {
			known[source] = true
			said.Nodes = append(said.Nodes, terms...)
		}
	}
	makers.Said = said
	return makers, nil
}

// maxSaid bounds the pieces that are looked for in the texts of hits.
const maxSaid = 48

// A chain is the part of a message that a text has: words in the order of the message. The words of the message between
// them are taken for values.
type chain struct {
	words []int // indices of words of the message, ascending
	// score is the number of letters in the chain, less penalties for placeholders and for text that continues in other
	// words.
	score float64
	// fits is set if the text has nothing but the chain and placeholders for values.
	fits bool
}

// in returns the chain with the greatest score in the text.
func (m *message) in(text string) (best chain) {
	type link struct {
		word, at int // indices in the words of the message and of the text
		letters  int // score of the chain up to here
		before   int // in links, -1 for none
	}
	var links []link
	words := wordsOf(text)
	first := 0 // the first link that is near enough to precede the word
	for at, w := range words {
		for first < len(links) && links[first].at < at-1-maxPlaceholder {
			first++
		}
		now := len(links)
		for _, word := range m.at[w.Term] {
			one := link{word, at, 0, -1}
			for i := first; i < now; i++ {
				l := &links[i]
				follows := l.at == at-1 && l.word == word-1
				letters := l.letters
				if !follows {
					letters -= placeholderCost + max(at-2-l.at, 0)
				}
				if letters > one.letters && (follows || l.word < word-1 && isPlaceholder(text[words[l.at].End:w.Start])) {
					one.letters, one.before = letters, i
				}
			}
			one.letters += utf8.RuneCountInString(w.Term)
			links = append(links, one)
		}
	}
	for _, l := range links {
		if float64(l.letters) <= best.score {
			continue
		}
		var c chain
		start := l
		for c.words = append(c.words, start.word); start.before >= 0; c.words = append(c.words, start.word) {
			start = links[start.before]
		}
		slices.Reverse(c.words)
		c.score, c.fits = float64(l.letters), true
		goesOn := func(at int) bool {
			return 0 <= at && at < len(words)-1 && isBlank(text[words[at].End:words[at+1].Start])
		}
		for _, end := range []struct{ goesOn, ends bool }{{goesOn(start.at - 1), start.word <= m.labels}, {goesOn(l.at), l.word == len(m.words)-1}} {
			switch {
			case end.goesOn && end.ends:
				c.score *= longer
			case end.goesOn:
				c.score *= unlike
				c.fits = false
			}
		}
		if c.score > best.score {
			best = c
		}
	}
	return best
}

// isPlaceholder reports whether the source between two words may produce a value: it contains characters that plain
// text does not have. An apostrophe does not count.
func isPlaceholder(between string) bool {
	return strings.ContainsFunc(apostrophe.ReplaceAllString(between, ""), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsSpace(r) && !strings.ContainsRune("_,.;:-!?", r)
	})
}

// apostrophe matches an apostrophe within a word, at the edge of the text between two words.
var apostrophe = regexp.MustCompile(`^['’]$|^['’](\pL)|(\pL)['’](\pL|$)`)

// isBlank reports whether the text between two words is only spaces and commas.
func isBlank(between string) bool { return strings.Trim(between, " ,") == "" }

// terms returns query terms that find the pieces of the message in a text that has them all in the order of the chain.
// A piece is a sequence of successive words. source is the pattern of the chain, equal for equal chains.
func (m *message) terms(words []int) (terms []query.Node, source string) {
	var pattern strings.Builder
	pattern.WriteString("(?is)")
	var pieces []string
	for i := 0; i < len(words); {
		n := i + 1
		for n < len(words) && words[n] == words[n-1]+1 {
			n++
		}
		if i > 0 {
			pattern.WriteString(".{0,200}?")
		}
		for j, word := range words[i:n] {
			if j > 0 {
				pattern.WriteString(`[^\pL\pN_]+`)
			}
			w := m.words[word]
			pattern.WriteString(regexp.QuoteMeta(m.text[w.Start:w.End]))
		}
		pieces = append(pieces, m.text[m.words[words[i]].Start:m.words[words[n-1]].End])
		i = n
	}
	source = pattern.String()
	literal, err := regexp.Compile(source)
	if err != nil {
		return nil, source // the message is not valid UTF-8, so no indexed text has it
	}
	for _, piece := range pieces {
		terms = append(terms, &query.Term{Field: query.Text, Text: piece, Phrase: true, Literal: literal, Boost: 1})
	}
	return terms, source
}

// without returns the pieces of the message between the words.
func (m *message) without(words []int) (values []string) {
	for i := 0; i < len(m.words); i++ {
		start := i
		for ; i < len(m.words); i++ {
			if _, found := slices.BinarySearch(words, i); found {
				break
			}
		}
		if i > start {
			values = append(values, m.text[m.words[start].Start:m.words[i-1].End])
		}
	}
	return values
}
