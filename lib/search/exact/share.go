package exact

import (
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
)

// A share is the evaluation of a term over one part of the chunks.
type share struct {
	*evaluator
	number int
	text   corpus.Text // restricted to these chunks
}

// inShares calls work for each share, concurrently.
func (e *evaluator) inShares(work func(s *share) error) error {
	return corpus.InShares(e.x.Generation, func(in index.Share, _, _ int) error {
		return work(&share{e, in.Number, e.x.Text.In(in)})
	})
}

// union returns all chunks that work finds in any share. It works on the shares concurrently.
func (e *evaluator) union(work func(s *share) (corpus.Set, error)) (corpus.Set, error) {
	sets := make([]corpus.Set, e.x.Generation.Shares())
	err := e.inShares(func(s *share) (err error) {
		sets[s.number], err = work(s)
		return err
	})
	if err != nil {
		return nil, err
	}
	all := corpus.NewSet(e.x.Generation.Len())
	for _, set := range sets {
		all.Union(set)
	}
	return all, nil
}

// each visits the chunks whose own text has the term. If the request asks for chunk types, it also visits chunks of
// these types that have the term in text that the chunker added or repeated.
func (s *share) each(d corpus.Dict, term string, visit func(chunk, freq int, length float64)) error {
	if err := s.text.Each(s.ctx, d, term, visit); err != nil {
		return err
	}
	made, ok := d.Made()
	if !ok || len(s.asked) == 0 {
		return nil
	}
	return s.text.Each(s.ctx, made, term, func(chunk, freq int, length float64) {
		if s.takesMade(chunk) {
			visit(chunk, freq, length)
		}
	})
}

// spans visits the chunks of among as each does, with the positions of the term.
func (s *share) spans(d corpus.Dict, term string, among corpus.Set, visit func(chunk int, spans []index.Span)) error {
	if err := s.text.Spans(s.ctx, d, term, among, visit); err != nil {
		return err
	}
	made, ok := d.Made()
	if !ok || len(s.asked) == 0 {
		return nil
	}
	return s.text.Spans(s.ctx, made, term, among, func(chunk int, spans []index.Span) {
		if s.takesMade(chunk) {
			visit(chunk, spans)
		}
	})
}
