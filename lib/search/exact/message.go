package exact

import (
	"context"
	"regexp"
	"slices"
	"strings"
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
	// worth has the number of letters and digits of each word, 0 for one that looks like a part of a value, unless few
	// do not. letters is the number of all letters and digits, own of those in words that do not look so.
	worth        []int
	letters, own int
}

// label matches the labels at the beginning of a message, value what is a value in most messages: a path, an address, a
// name of a file or host, a number, a quotation. reason matches the end of a message that repeats an error of the system.
var (
	label  = regexp.MustCompile(`^(?:[\pL\pN_.-]+: )+`)
	value  = regexp.MustCompile(`\S*[/\\@]\S*|\b[\pL\pN_-]+(?:\.[\pL\pN_-]+)+|\b[0-9]+\b|\B'[^'\n]+'\B|\B"[^"\n]+"\B|\B` + "`[^`\n]+`" + `\B`)
	reason = regexp.MustCompile(`(?i): (?:no such (?:file or directory|process|host)|(?:permission|access) denied|` +
		`operation (?:not permitted|timed out)|file exists|(?:not|is) a directory|directory not empty|broken pipe|` +
		`invalid argument|no space left on device|bad file descriptor|too many open files|address already in use|` +
		`connection (?:refused|reset by peer|timed out)|network is unreachable|no route to host|` +
		`resource temporarily unavailable|(?:cannot allocate|out of) memory|end of file|EOF)[.)]*$`)
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
	if at := reason.FindStringIndex(m.text); at != nil && at[0] > before {
		values = append(values, at) // of more than labels
	}
	m.worth = make([]int, len(m.words))
	for i, w := range m.words {
		m.at[w.Term] = append(m.at[w.Term], i)
		n := utf8.RuneCountInString(w.Term)
		m.letters += n
		if !slices.ContainsFunc(values, func(v []int) bool { return v[0] <= w.Start && w.End <= v[1] }) {
			m.worth[i] = n
			m.own += n
		}
		if w.End <= before {
			m.labels = i + 1
		}
	}
	if m.own < leastLetters { // such as an address
		for i, w := range m.words {
			m.worth[i] = utf8.RuneCountInString(w.Term)
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
