package search

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// A scanIndex is a textIndex that holds only what one request asks for. It is made by reading all chunks once,
// which takes a tenth of the time that an index of everything does, and it gives the same answers.
type scanIndex struct {
	dicts map[dict]*scanDict
}

// A scanDict is what was found in one dictionary.
type scanDict struct {
	postings map[string]*posting
	terms    []string // sorted
	lengths  []int32  // the number of terms in each chunk
	mean     float64
}

// A posting lists where one term is. The spans of chunks[i] are spans[from[i]:from[i+1]].
type posting struct {
	chunks []uint32
	from   []uint32
	spans  []span
}

func (p *posting) add(chunk int, s span) {
	if n := len(p.chunks); n == 0 || p.chunks[n-1] != uint32(chunk) {
		p.chunks = append(p.chunks, uint32(chunk))
		p.from = append(p.from, uint32(len(p.spans)))
	}
	p.spans = append(p.spans, s)
}

func (p *posting) at(i int) []span {
	end := len(p.spans)
	if i+1 < len(p.from) {
		end = int(p.from[i+1])
	}
	return p.spans[p.from[i]:end]
}

// appendAll adds the places of other, which is about later chunks.
func (p *posting) appendAll(other *posting) {
	offset := uint32(len(p.spans))
	p.chunks = append(p.chunks, other.chunks...)
	for _, from := range other.from {
		p.from = append(p.from, from+offset)
	}
	p.spans = append(p.spans, other.spans...)
}

// wants are the terms that a request may ask for, by field. Fields without an entry are
// not read.
type wants map[query.Field]*wanted

type wanted struct {
	literals map[string]bool
	tests    []func(term string) bool
}

func (w wants) of(field query.Field) *wanted {
	if w[field] == nil {
		w[field] = &wanted{literals: map[string]bool{}}
	}
	return w[field]
}

// exactWants are the terms that an evaluator will ask for.
func exactWants(n query.Node, stemmer *stemmer) wants {
	w := wants{}
	w.collect(n, stemmer)
	return w
}

func (w wants) collect(n query.Node, stemmer *stemmer) {
	switch n := n.(type) {
	case *query.And:
		for _, child := range n.Nodes {
			w.collect(child, stemmer)
		}
	case *query.Or:
		for _, child := range n.Nodes {
			w.collect(child, stemmer)
		}
	case *query.Not:
		w.collect(n.Node, stemmer)
	case *query.Term:
		if !n.Field.HasWords() || isAnything(n) {
			return
		}
		fields := []query.Field{n.Field}
		if n.Field == query.Text {
			fields = append(fields, query.Symbol, query.Title)
		}
		for _, field := range fields {
			w.of(field).addTerm(n, stemmer)
		}
	}
}

func (w *wanted) addTerm(t *query.Term, stemmer *stemmer) {
	if t.Regexp != nil {
		w.tests = append(w.tests, t.Regexp.Match)
		return
	}
	if len(t.Wild) > 0 {
		for _, p := range token.Patterns(t.Text, t.Wild) {
			if literal, ok := p.Literal(); ok {
				w.literals[literal] = true
			} else if !p.Anything() {
				prefix := p.Prefix()
				w.tests = append(w.tests, func(term string) bool { return strings.HasPrefix(term, prefix) && p.Match(term) })
			}
		}
		return
	}
	for _, word := range token.Words(t.Text) {
		w.literals[word.Term] = true
		if stem, ok := stemmer.stemOf(word.Term); ok {
			w.literals[stem] = true
		}
		cased := casedTerm(word.Term, "")
		w.tests = append(w.tests, func(term string) bool { return strings.HasPrefix(term, cased) })
		if t.Fuzzy > 0 {
			w.tests = append(w.tests, func(term string) bool { return hint.Distance(word.Term, term, t.Fuzzy) <= t.Fuzzy })
		}
	}
}

// nearWants are the terms that nearest may ask for.
func nearWants(field query.Field, word string, edits int) wants {
	w := wants{}
	w.of(field).tests = []func(string) bool{func(term string) bool {
		for cut := 0; cut <= maxLonger && cut < len(term); cut++ {
			if hint.Distance(word, term[:len(term)-cut], edits) <= edits {
				return true
			}
		}
		return false
	}}
	return w
}

// questionWants are the words of a question in all their forms.
func questionWants(question string) wants {
	w := wants{}
	var words []string
	token.Scan(question, func(t token.Token) { words = append(words, t.Term) })
	for _, f := range questionFields() {
		of := w.of(f.field)
		for _, word := range words {
			of.literals[word] = true
			if prefix, ok := formPrefix(word); ok {
				of.tests = append(of.tests, func(term string) bool { return strings.HasPrefix(term, prefix) })
			}
		}
	}
	return w
}

// scanSize is the number of chunks that are read at a time.
const scanSize = 256

// newScanIndex reads the fields of the chunks with the given number of workers.
func newScanIndex(ctx context.Context, chunks []*record.Chunk, of []wordField, wants wants, workers int) (*scanIndex, error) {
	s := &scanIndex{dicts: map[dict]*scanDict{}}
	var fields []scanField
	for _, f := range of {
		if w := wants[f.field]; w != nil {
			field := scanField{wordField: f, wanted: w}
			for kind := range field.dicts {
				field.dicts[kind] = newScanDict(chunks)
				s.dicts[dict{f.field, dictKind(kind)}] = field.dicts[kind]
			}
			fields = append(fields, field)
		}
	}
	// Each batch has postings of its own, in the order of fields, joined in the order of chunks.
	batches := make([][]foundTerms, (len(chunks)+scanSize-1)/scanSize)
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range max(workers, 1) {
		group.Go(func() error {
			reader := newScanReader(fields)
			for {
				i := int(next.Add(1)) - 1
				if i >= len(batches) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				batches[i] = reader.read(chunks, i*scanSize, min((i+1)*scanSize, len(chunks)))
			}
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for i, f := range fields {
		for kind, d := range f.dicts {
			for _, batch := range batches {
				d.join(batch[i][kind])
			}
			d.finish()
		}
	}
	return s, nil
}

// A scanField is one field that is read.
type scanField struct {
	wordField
	wanted *wanted
	dicts  [dictKinds]*scanDict
}

// foundTerms are the postings of one field, by the kind of dictionary.
type foundTerms [dictKinds]map[string]*posting

// A scanReader is one worker. It remembers which terms are wanted where that is slow to tell.
type scanReader struct {
	fields []scanField
	known  []map[string]bool
}

func newScanReader(fields []scanField) *scanReader {
	r := &scanReader{fields: fields}
	for range fields {
		r.known = append(r.known, map[string]bool{})
	}
	return r
}

func (r *scanReader) wants(field int, term string) bool {
	w := r.fields[field].wanted
	if w.literals[term] {
		return true
	}
	if len(w.tests) == 0 {
		return false
	}
	wanted, ok := r.known[field][term]
	if !ok {
		wanted = slices.ContainsFunc(w.tests, func(test func(string) bool) bool { return test(term) })
		r.known[field][term] = wanted
	}
	return wanted
}

// read reads the chunks from start to end.
func (r *scanReader) read(chunks []*record.Chunk, start, end int) []foundTerms {
	all := make([]foundTerms, len(r.fields))
	for i, f := range r.fields {
		var found foundTerms
		for kind := range found {
			found[kind] = map[string]*posting{}
		}
		for chunk := start; chunk < end; chunk++ {
			f.analyse(chunks[chunk], func(kind dictKind, term string, at span) {
				f.dicts[kind].lengths[chunk]++
				if !r.wants(i, term) {
					return
				}
				p := found[kind][term]
				if p == nil {
					p = &posting{}
					found[kind][term] = p
				}
				p.add(chunk, at)
			})
		}
		all[i] = found
	}
	return all
}

func newScanDict(chunks []*record.Chunk) *scanDict {
	return &scanDict{postings: map[string]*posting{}, lengths: make([]int32, len(chunks))}
}

func (d *scanDict) join(found map[string]*posting) {
	for term, p := range found {
		if known := d.postings[term]; known != nil {
			known.appendAll(p)
		} else {
			d.postings[term] = p
		}
	}
}

func (d *scanDict) finish() {
	for term := range d.postings {
		d.terms = append(d.terms, term)
	}
	slices.Sort(d.terms)
	sum := 0
	for _, n := range d.lengths {
		sum += int(n)
	}
	d.mean = float64(sum) / float64(max(len(d.lengths), 1))
}

// posting is empty for a term that is nowhere.
func (s *scanIndex) posting(d dict, term string) (*scanDict, *posting) {
	if found := s.dicts[d]; found != nil {
		if p := found.postings[term]; p != nil {
			return found, p
		}
	}
	return nil, &posting{}
}

func (s *scanIndex) each(_ context.Context, d dict, term string, visit func(chunk, freq int, length float64)) error {
	in, p := s.posting(d, term)
	for i, chunk := range p.chunks {
		visit(int(chunk), len(p.at(i)), float64(in.lengths[chunk])/in.mean)
	}
	return nil
}

func (s *scanIndex) spans(_ context.Context, d dict, term string, among []uint64, visit func(chunk int, spans []span)) error {
	_, p := s.posting(d, term)
	n := 0
	for i, chunk := range p.chunks {
		for n < len(among) && among[n] < uint64(chunk) {
			n++
		}
		if n == len(among) {
			return nil
		}
		if among[n] == uint64(chunk) {
			visit(int(chunk), p.at(i))
		}
	}
	return nil
}

func (s *scanIndex) order(set bitset) []uint64 {
	numbers := make([]uint64, 0, set.count())
	set.each(func(chunk int) { numbers = append(numbers, uint64(chunk)) })
	return numbers
}

func (s *scanIndex) chunk(number uint64) int { return int(number) }

func (s *scanIndex) count(d dict, term string) (int, error) {
	_, p := s.posting(d, term)
	return len(p.chunks), nil
}

func (s *scanIndex) terms(d dict, prefix string, match func(string) bool, limit int) ([]string, error) {
	var list []string
	if s.dicts[d] == nil {
		return nil, nil
	}
	terms := s.dicts[d].terms
	from, _ := slices.BinarySearch(terms, prefix)
	for _, term := range terms[from:] {
		if !strings.HasPrefix(term, prefix) {
			break
		}
		if !match(term) {
			continue
		}
		if len(list) == limit {
			return list, &tooManyTerms{limit}
		}
		list = append(list, term)
	}
	return list, nil
}

func (s *scanIndex) near(d dict, term string, edits, limit int) ([]nearTerm, error) {
	var list []nearTerm
	if s.dicts[d] == nil {
		return nil, nil
	}
	for _, other := range s.dicts[d].terms {
		distance := hint.Distance(term, other, edits)
		if distance > edits {
			continue
		}
		if len(list) == limit {
			return nil, &tooManyTerms{limit}
		}
		list = append(list, nearTerm{other, distance})
	}
	return list, nil
}
