package index

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/blevesearch/vellum/levenshtein"
)

// A Text holds the terms of chunks: in which chunks each one is, how often and where. Chunks go by their
// number, dictionaries by their place in Analysis.Dicts. All methods may be called at once.
type Text struct {
	g *Generation
	// mean is the number of terms in a chunk, by dictionary.
	mean      []float64
	lengthOf  []int // Dict.Length
	automaton [3]func() (*levenshtein.LevenshteinAutomatonBuilder, error)
}

// A Span is an interval of positions.
type Span struct{ From, To int }

func newText(g *Generation, a *Analysis) *Text {
	t := &Text{g: g}
	for dict, of := range a.Dicts {
		t.lengthOf = append(t.lengthOf, of.Length)
		sum := uint64(0)
		for _, s := range g.segments {
			sum += s.sums[dict]
		}
		t.mean = append(t.mean, float64(sum)/float64(max(g.Len(), 1)))
	}
	for edits := range t.automaton {
		t.automaton[edits] = sync.OnceValues(func() (*levenshtein.LevenshteinAutomatonBuilder, error) {
			return levenshtein.NewLevenshteinAutomatonBuilder(uint8(edits), true)
		})
	}
	return t
}

// A posting is one document that has a term, and how often.
type posting struct{ document, times int }

// postings reads the documents of a term, and returns where its places begin.
func (s *segment) readPostings(start, documents int, visit func(p posting)) (places int) {
	r, document := reader{s.postings, start}, 0
	for range documents {
		x := r.uvarint()
		document += int(x >> 1)
		times := 1
		if x&1 == 1 {
			times = int(r.uvarint()) + 2
		}
		visit(posting{document, times})
	}
	return r.at
}

// rowsOf are the rows of a document: of a dictionary that chunks share, a run.
func (s *segment) rowsOf(d *dictionary, document int) (first, end int) {
	if d.shared {
		return s.runs[runFirst].at(document), s.runEnd(document)
	}
	return document, document + 1
}

// Each visits the chunks that have the term, in any order. length is the number of terms of that dictionary in
// the chunk over their mean.
func (t *Text) Each(ctx context.Context, dict int, term string, visit func(chunk, freq int, length float64)) (err error) {
	defer guardTables(&err)()
	counted := t.lengthOf[dict]
	mean := t.mean[counted]
	for i, s := range t.g.segments {
		d := &s.dicts[dict]
		start, documents := d.find(term)
		if documents == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		chunkOf, lengths := t.g.chunksOf(i), s.lengths[counted]
		s.readPostings(start, documents, func(p posting) {
			length := float64(lengths.at(p.document)) / mean
			for row, end := s.rowsOf(d, p.document); row < end; row++ {
				visit(int(chunkOf[row]), p.times, length)
			}
		})
	}
	return nil
}

// Spans visits those of the chunks that have the term, with the places where: it asks among which. spans is valid during the call.
func (t *Text) Spans(ctx context.Context, dict int, term string, among func(chunk int) bool, visit func(chunk int, spans []Span)) (err error) {
	defer guardTables(&err)()
	var found []posting
	var spans []Span
	for i, s := range t.g.segments {
		d := &s.dicts[dict]
		start, documents := d.find(term)
		if documents == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		chunkOf := t.g.chunksOf(i)
		found = found[:0]
		places := s.readPostings(start, documents, func(p posting) { found = append(found, p) })
		r := reader{s.postings, places}
		for _, p := range found {
			spans = spans[:0]
			from := 0
			for range p.times {
				x := r.uvarint()
				from += int(x >> 1)
				width := 1
				if x&1 == 1 {
					width = int(r.uvarint())
				}
				spans = append(spans, Span{from, from + width})
			}
			for row, end := s.rowsOf(d, p.document); row < end; row++ {
				if chunk := int(chunkOf[row]); among(chunk) {
					visit(chunk, spans)
				}
			}
		}
	}
	return nil
}

// Count is the number of chunks that have the term.
func (t *Text) Count(dict int, term string) (count int, err error) {
	defer guardTables(&err)()
	for _, s := range t.g.segments {
		d := &s.dicts[dict]
		start, documents := d.find(term)
		if !d.shared {
			count += documents
			continue
		}
		s.readPostings(start, documents, func(p posting) {
			first, end := s.rowsOf(d, p.document)
			count += end - first
		})
	}
	return count, nil
}

// Terms visits the terms that begin with the prefix and satisfy match, each once, in order, until visit
// returns false.
func (t *Text) Terms(dict int, prefix string, match func(term string) bool, visit func(term string) bool) (err error) {
	defer guardTables(&err)()
	list := collection{known: map[string]bool{}, match: match}
	for _, s := range t.g.segments {
		s.dicts[dict].each(prefix, func(term []byte, _ int) bool {
			if len(term) < len(prefix) || string(term[:len(prefix)]) != prefix {
				return false
			}
			list.add(term)
			return true
		})
	}
	list.visit(visit)
	return nil
}

// Near visits the terms that are at most edits (1 or 2) away from term, an exchange of neighbours being one
// edit, and perhaps some that are further, each once, in order, until visit returns false.
func (t *Text) Near(dict int, term string, edits int, visit func(term string) bool) (err error) {
	defer guardTables(&err)()
	if edits < 1 || edits >= len(t.automaton) {
		return fmt.Errorf("index: %d edits", edits)
	}
	builder, err := t.automaton[edits]()
	if err != nil {
		return fmt.Errorf("make automaton: %w", err)
	}
	automaton, err := builder.BuildDfa(term, uint8(edits))
	if err != nil {
		return fmt.Errorf("make automaton: %w", err)
	}
	list := collection{known: map[string]bool{}, match: func(string) bool { return true }}
	for _, s := range t.g.segments {
		s.dicts[dict].near(automaton, list.add)
	}
	list.visit(visit)
	return nil
}

// A collection is a set of terms of several dictionaries, each of which is matched once.
type collection struct {
	known map[string]bool
	match func(string) bool
	terms []string
}

func (c *collection) add(term []byte) {
	if c.known[string(term)] {
		return
	}
	own := string(term)
	c.known[own] = true
	if c.match(own) {
		c.terms = append(c.terms, own)
	}
}

func (c *collection) visit(visit func(string) bool) {
	slices.Sort(c.terms)
	for _, term := range c.terms {
		if !visit(term) {
			return
		}
	}
}
