package index

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"cortex/lib/record"
	"cortex/lib/search/postings"
)

// A Source reads what a Catalogue does not hold from where the chunks are kept: postings and terms of the dictionaries that are not Shared, vectors and records. It is for one
// request, whose context ends what it reads. Its methods may be called at once. Trees go by their place in the list from which the generation was made, chunks by the number
// that their entry had.
type Source interface {
	// Postings visits where terms are in the dictionaries, which are given as bits, with the places if they are wanted. Numbers that are in no catalogue are left out.
	Postings(terms []string, dicts uint64, places bool, visit func(p Postings) error) error
	// Counts visits the numbers of chunks that have terms in the dictionaries, of all of them, 0 where there is none.
	Counts(terms []string, dicts uint64, visit func(term, dict, count int)) error
	// Terms visits the terms of some dictionaries that begin with the prefix, with one of the dictionaries that has it as a bit at a time, until visit returns false.
	Terms(dicts uint64, prefix string, visit func(term string, in uint64) bool) error
	// Near is Text.Near.
	Near(dict int, term string, edits int, visit func(term string) bool) error
	// Nearest visits the chunks nearest to the vector with their own as record.Quantize gives it, valid during the call, the nearest first, until visit returns false.
	// About so many are wanted, which is no bound. With only, it visits these alone.
	Nearest(vector []float32, wanted int, only []Ref, visit func(r Ref, values []int8) bool) error
	// Vector is the embedding of a chunk as record.Quantize gives it, of any length; nil if it has none.
	Vector(r Ref) ([]float32, error)
	// Records reads chunks, in their order.
	Records(refs []Ref) ([]*record.Chunk, error)
}

// A Ref is a chunk as a Source knows it.
type Ref struct {
	Tree   int
	Number uint32
}

// Postings are the chunks of one tree that have a term, an index of the terms that were looked for, in a dictionary.
type Postings struct {
	Term, Dict, Tree int
	// Each visits the chunks with how often each has the term and, if that was asked for, where. spans is valid during the call.
	Each func(visit func(number uint32, times int, spans []Span)) error
}

// remoteText is what a Text reads from a Source.
type remoteText struct {
	source  Source
	fetched *fetched
	mu      sync.Mutex // held while anything is fetched
}

// A fetched keeps postings that were read, for all requests to one generation.
type fetched struct {
	mu sync.Mutex
	// terms has what was asked for.
	terms map[string]*fetchedTerm
	data  []byte
}

// A fetchedTerm is where the postings of a term are, by segment, of the dictionaries that were asked for.
type fetchedTerm struct {
	asked uint64
	list  []whereabouts
}

// maxFetched bounds what is kept, in bytes.
const maxFetched = 256 << 20

func newFetched() *fetched { return &fetched{terms: map[string]*fetchedTerm{}} }

// withPlaces is the name of a term in fetched whose postings have places.
func withPlaces(term string) string { return term + "\xff" }

// fetch adds to the lookup where the terms are in dictionaries that are not Shared.
func (r *remoteText) fetch(ctx context.Context, l *Lookup, terms []string, dicts uint64, places bool) error {
	for i, d := range l.text.dicts {
		if d.Shared {
			dicts &^= 1 << i
		}
	}
	dicts &= 1<<len(l.text.dicts) - 1
	if dicts == 0 {
		return nil
	}
	// Shares of one request ask for the same at once.
	r.mu.Lock()
	defer r.mu.Unlock()
	names := terms
	if places {
		names = make([]string, len(terms))
		for i, term := range terms {
			names[i] = withPlaces(term)
		}
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		missing, wanted := r.fetched.missing(names, dicts)
		if len(missing) == 0 && r.fetched.take(l, names, dicts) {
			return nil
		}
		if len(missing) == 0 {
			continue // something was forgotten meanwhile
		}
		found := make([][]foundTerm, len(missing))
		asked := missing
		if places {
			asked = make([]string, len(missing))
			for i, name := range missing {
				asked[i] = strings.TrimSuffix(name, withPlaces(""))
			}
		}
		err := r.source.Postings(asked, wanted, places, func(p Postings) error {
			s := l.text.segments[p.Tree]
			f, last := foundTerm{whereabouts: whereabouts{segment: uint32(p.Tree), dict: uint32(p.Dict)}, sorted: true}, -1
			err := p.Each(func(number uint32, times int, spans []Span) {
				if row, ok := s.rowOf(number); ok {
					f.sorted, last = f.sorted && row > last, row
					p := placedPosting{posting: posting{row, times}}
					if places {
						p.spans = slices.Clone(spans)
					}
					f.postings = append(f.postings, p)
				}
			})
			if len(f.postings) > 0 {
				found[p.Term] = append(found[p.Term], f)
			}
			return err
		})
		if err != nil {
			return err
		}
		r.fetched.put(missing, wanted, found)
	}
}

// A foundTerm is a term in one dictionary of one tree, or of a part of it.
type foundTerm struct {
	whereabouts
	postings []placedPosting
	// sorted tells that the postings are in the order of their rows, as they are where no file has changed since the tree was written as a whole.
	sorted bool
}

// A placedPosting has places where they were asked for.
type placedPosting struct {
	posting
	spans []Span
}

// missing lists the terms that were not asked for in all of the dictionaries, and the dictionaries that are missing for any.
func (f *fetched) missing(terms []string, dicts uint64) (missing []string, wanted uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	seen := map[string]bool{}
	for _, term := range terms {
		rest := dicts
		if known := f.terms[term]; known != nil {
			rest &^= known.asked
		}
		if rest != 0 && !seen[term] {
			seen[term] = true
			missing, wanted = append(missing, term), wanted|rest
		}
	}
	return missing, wanted
}

// put keeps what was found for terms in some dictionaries, which replaces what was known of them there.
func (f *fetched) put(terms []string, dicts uint64, found [][]foundTerm) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.data) > maxFetched {
		// Who has looked up something keeps the memory in which it is.
		f.data, f.terms = nil, map[string]*fetchedTerm{}
	}
	for i, list := range found {
		term := f.terms[terms[i]]
		if term == nil {
			term = &fetchedTerm{}
			f.terms[strings.Clone(terms[i])] = term
		}
		// Lists are shared with lookups.
		term.list = slices.DeleteFunc(slices.Clone(term.list), func(w whereabouts) bool { return dicts&(1<<w.dict) != 0 })
		byPlace := func(a, b foundTerm) int {
			return cmp.Or(cmp.Compare(a.segment, b.segment), cmp.Compare(a.dict, b.dict))
		}
		slices.SortStableFunc(list, byPlace)
		for len(list) > 0 {
			all := list[0]
			for list = list[1:]; len(list) > 0 && byPlace(all, list[0]) == 0; list = list[1:] {
				all.postings, all.sorted = append(all.postings, list[0].postings...), false
			}
			if !all.sorted {
				slices.SortFunc(all.postings, func(a, b placedPosting) int { return cmp.Compare(a.document, b.document) })
			}
			all.start, all.documents = uint32(len(f.data)), uint32(len(all.postings))
			f.data = appendPostings(f.data, all.postings)
			term.list = append(term.list, all.whereabouts)
		}
		slices.SortFunc(term.list, func(a, b whereabouts) int {
			return cmp.Or(cmp.Compare(a.segment, b.segment), cmp.Compare(a.dict, b.dict))
		})
		term.asked |= dicts
	}
}

// appendPostings writes postings as inverter.encode does, with the places that they have.
func appendPostings(to []byte, list []placedPosting) []byte {
	last := 0
	for _, p := range list {
		to = postings.AppendTimes(to, uint64(p.document-last), p.times)
		last = p.document
	}
	for _, p := range list {
		from := 0
		for _, at := range p.spans {
			to = postings.AppendPlace(to, uint64(at.From-from), uint64(at.To-at.From))
			from = at.From
		}
	}
	return to
}

// take gives the lookup what is known of the terms; it is not ok where something is not.
func (f *fetched) take(l *Lookup, terms []string, dicts uint64) (ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, text := range terms {
		term := f.terms[text]
		if term == nil || dicts&^term.asked != 0 {
			return false
		}
		if len(l.terms[i]) == 0 {
			l.terms[i] = term.list
			continue
		}
		own := slices.Clone(l.terms[i])
		own = slices.DeleteFunc(own, func(w whereabouts) bool { return !l.text.dicts[w.dict].Shared })
		own = append(own, term.list...)
		slices.SortFunc(own, func(a, b whereabouts) int {
			return cmp.Or(cmp.Compare(a.segment, b.segment), cmp.Compare(a.dict, b.dict))
		})
		l.terms[i] = own
	}
	if l.fetched = f.data; l.fetched == nil {
		l.fetched = []byte{}
	}
	return true
}

// addTerms adds the terms that Text.Terms asks for to those that the segments have.
func (r *remoteText) addTerms(found map[string]uint64, dicts uint64, prefix string, match func(term string) bool, most int) (tooMany bool, err error) {
	matching := 0
	for _, in := range found {
		if in != 0 {
			matching++
		}
	}
	err = r.source.Terms(dicts, prefix, func(term string, in uint64) bool {
		before, known := found[term]
		if known {
			if before != 0 {
				found[term] = before | in
			}
			return true
		}
		if !match(term) {
			found[term] = 0
			return true
		}
		found[term] = in
		matching++
		tooMany = most > 0 && matching > most
		return !tooMany
	})
	return tooMany, err
}

// A Near is a chunk with the cosine of its vector and another.
type Near struct {
	Chunk  int
	Cosine float32
}

// IsRemote reports whether the vectors of the generation are read from a Source.
func (g *Generation) IsRemote() bool { return g.source != nil }

// maxListed is the number of chunks up to which those that are allowed are named to a Source.
const maxListed = 4096

// NearestOf lists at least the k chunks nearest to the vector of those that are allowed, of which there are count; allowed is nil for all. It is for generations that are
// remote. A source may round otherwise, so a few more are listed, in any order.
func (g *Generation) NearestOf(ctx context.Context, vector []float32, k int, allowed func(chunk int) bool, count int) (list []Near, err error) {
	p, ok := NewProbe(vector)
	if !ok {
		return nil, nil
	}
	k += k/8 + 16
	padded := make([]int8, len(p.values))
	var only []Ref
	if allowed != nil && count <= maxListed {
		only = make([]Ref, 0, count)
		for chunk := range g.Len() {
			if allowed(chunk) {
				only = append(only, g.ref(chunk))
			}
		}
		if len(only) == 0 {
			return nil, nil
		}
		allowed = nil
	}
	err = g.source.Nearest(vector, k, only, func(r Ref, values []int8) bool {
		if row, ok := g.segments[r.Tree].rowOf(r.Number); ok && stride(len(values)) == len(padded) {
			if chunk := g.firsts[r.Tree] + row; allowed == nil || allowed(chunk) {
				clear(padded[copy(padded, values):])
				var sum [1]int32
				products(sum[:], p.values, padded)
				list = append(list, Near{chunk, float32(sum[0]) * p.scale * inverseLength(values)})
			}
		}
		return len(list) < k && ctx.Err() == nil
	})
	return list, cmp.Or(err, ctx.Err())
}

// Prepare reads chunks that Chunk will be asked for, where each reading costs a way to a Source.
func (g *Generation) Prepare(chunks []int) error {
	if g.source == nil {
		return nil
	}
	_, err := g.records.read(g, chunks)
	return err
}

// records keeps the chunks that one request has read.
type records struct {
	mu    sync.Mutex
	known map[int]*record.Chunk
}

// maxRecords bounds the chunks that are kept.
const maxRecords = 2000

// read reads chunks, in their order.
func (r *records) read(g *Generation, chunks []int) ([]*record.Chunk, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var refs []Ref
	var missing []int
	for _, chunk := range chunks {
		if r.known[chunk] == nil && !slices.Contains(missing, chunk) {
			refs, missing = append(refs, g.ref(chunk)), append(missing, chunk)
		}
	}
	if len(missing) > 0 {
		read, err := g.source.Records(refs)
		if err != nil {
			return nil, err
		}
		if len(r.known)+len(read) > maxRecords {
			kept := make(map[int]*record.Chunk, len(chunks))
			for _, chunk := range chunks {
				if c := r.known[chunk]; c != nil {
					kept[chunk] = c
				}
			}
			r.known = kept
		}
		for i, chunk := range missing {
			r.known[chunk] = read[i]
		}
	}
	list := make([]*record.Chunk, len(chunks))
	for i, chunk := range chunks {
		list[i] = r.known[chunk]
	}
	return list, nil
}

// ref is a chunk as the source knows it.
func (g *Generation) ref(chunk int) Ref {
	i, row := g.at(chunk)
	return Ref{i, g.segments[i].numbers[row]}
}

// over is the generation as a request asks it that has the source.
func (g *Generation) over(source Source) *Generation {
	own := *g
	own.source, own.records = source, &records{known: map[int]*record.Chunk{}}
	t := g.text
	own.text = &Text{segments: t.segments, firsts: t.firsts, dicts: t.dicts, mean: t.mean, automaton: t.automaton, known: map[string][]whereabouts{}, remote: &remoteText{source: source, fetched: g.fetched}}
	return &own
}
