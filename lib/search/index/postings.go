package index

import (
	"fmt"
	"slices"
	"sync"

	scorch "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// Postings tell of some documents, numbered from 0, which terms are in them, how often and where. Dictionaries go by their place in
// Analysis.Dicts. All methods may be called at once.
type postings interface {
	// documents is their number.
	documents() int
	// each visits the documents that have the term, in order, with the number of terms of that dictionary there, until
	// visit returns false.
	each(l *lists, dict int, term string, visit func(document uint64, freq, length int) bool) error
	// spans visits those of the ascending documents that have the term, with the places where, until visit returns false. What it gives is valid
	// during the call.
	spans(l *lists, dict int, term string, among []uint64, visit func(document uint64, spans []Span) bool) error
	// holders is each for who needs no more than the documents.
	holders(l *lists, dict int, term string, visit func(document uint64) bool) error
	// count is the number of documents that have the term.
	count(l *lists, dict int, term string) (int, error)
	// terms lists terms of the dictionary in order: those that the automaton accepts, or all if it is nil, not less than
	// from and, unless to is nil, less than that.
	terms(dict int, automaton scorch.Automaton, from, to []byte) (termList, error)
	// vocabulary is the whole dictionary.
	vocabulary(dict int) (*vocabulary, error)
	close() error
}

// A termList gives one term after the other; ok is false at the end.
type termList interface {
	next() (term string, ok bool, err error)
}

// lists are what reading postings needs, to be used again.
type lists struct {
	list     scorch.PostingsList
	iterator scorch.PostingsIterator
	spans    []Span
}

// zapPostings are postings as bleve's zap writes them: compact and quick to read, and slow to make.
type zapPostings struct {
	scorch.Segment
	dicts  []string
	vocabs []func() (*vocabulary, error)
}

func newZapPostings(s scorch.Segment, dicts []string) *zapPostings {
	z := &zapPostings{Segment: s, dicts: dicts}
	for dict := range dicts {
		z.vocabs = append(z.vocabs, sync.OnceValues(func() (*vocabulary, error) {
			all, err := z.terms(dict, nil, nil, nil)
			if err != nil {
				return nil, err
			}
			return readVocabulary(all)
		}))
	}
	return z
}

func (z *zapPostings) documents() int { return int(z.Count()) }

func (z *zapPostings) close() error { return z.Segment.Close() }

func (z *zapPostings) vocabulary(dict int) (*vocabulary, error) { return z.vocabs[dict]() }

// lookup is nil if the term isn't there.
func (z *zapPostings) lookup(l *lists, dict int, term string, freqs, locations bool) (scorch.PostingsIterator, error) {
	dictionary, err := z.Dictionary(z.dicts[dict])
	if err != nil {
		return nil, fmt.Errorf("read postings: %w", err)
	}
	list, err := dictionary.PostingsList([]byte(term), nil, l.list)
	if err != nil {
		return nil, fmt.Errorf("read postings: %w", err)
	}
	if list.Count() == 0 {
		return nil, nil
	}
	l.list = list
	l.iterator = list.Iterator(freqs, freqs, locations, l.iterator)
	return l.iterator, nil
}

func (z *zapPostings) each(l *lists, dict int, term string, visit func(document uint64, freq, length int) bool) error {
	return z.visit(l, dict, term, true, func(p scorch.Posting) bool {
		return visit(p.Number(), int(p.Frequency()), int(p.(*zap.Posting).NormUint64()))
	})
}

// visit visits the documents that have the term until visit returns false.
func (z *zapPostings) visit(l *lists, dict int, term string, freqs bool, visit func(scorch.Posting) bool) error {
	iterator, err := z.lookup(l, dict, term, freqs, false)
	if err != nil || iterator == nil {
		return err
	}
	for {
		next, err := iterator.Next()
		if err != nil {
			return fmt.Errorf("read postings: %w", err)
		}
		if next == nil || !visit(next) {
			return nil
		}
	}
}

func (z *zapPostings) spans(l *lists, dict int, term string, among []uint64, visit func(document uint64, spans []Span) bool) error {
	iterator, err := z.lookup(l, dict, term, true, true)
	if err != nil || iterator == nil {
		return err
	}
	for n := 0; n < len(among); {
		next, err := iterator.Advance(among[n])
		if err != nil {
			return fmt.Errorf("read postings: %w", err)
		}
		if next == nil {
			break
		}
		// The term's next document may lie further on: go to the candidate there.
		skip, found := slices.BinarySearch(among[n:], next.Number())
		n += skip
		if !found {
			continue
		}
		n++
		l.spans = l.spans[:0]
		for _, loc := range next.Locations() {
			l.spans = append(l.spans, Span{int(loc.Start()), int(loc.Start() + loc.End())})
		}
		if !visit(next.Number(), l.spans) {
			break
		}
	}
	return nil
}

func (z *zapPostings) holders(l *lists, dict int, term string, visit func(document uint64) bool) error {
	return z.visit(l, dict, term, false, func(p scorch.Posting) bool { return visit(p.Number()) })
}

func (z *zapPostings) count(l *lists, dict int, term string) (int, error) {
	iterator, err := z.lookup(l, dict, term, false, false)
	if err != nil || iterator == nil {
		return 0, err
	}
	return int(l.list.Count()), nil
}

func (z *zapPostings) terms(dict int, automaton scorch.Automaton, from, to []byte) (termList, error) {
	dictionary, err := z.Dictionary(z.dicts[dict])
	if err != nil {
		return nil, fmt.Errorf("read dictionary: %w", err)
	}
	d, ok := dictionary.(*zap.Dictionary)
	if !ok {
		return nil, fmt.Errorf("read dictionary: unexpected %T", dictionary)
	}
	return zapTerms{d.AutomatonIteratorOmitCount(automaton, from, to)}, nil
}

type zapTerms struct{ scorch.DictionaryIterator }

func (z zapTerms) next() (string, bool, error) {
	entry, err := z.Next()
	if err != nil {
		return "", false, fmt.Errorf("read dictionary: %w", err)
	}
	if entry == nil {
		return "", false, nil
	}
	return entry.Term, true, nil
}
