package index

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"cortex/lib/search/postings"
)

// remoteText reads postings and terms from a Source.
type remoteText struct {
	source  Source
	fetched *fetched
	mu      sync.Mutex // held while postings are fetched
}

// A fetched caches the postings that were read from Sources, for all requests to one Remote.
type fetched struct {
	mu sync.Mutex
	// terms has an entry for each term that was asked for.
	terms map[string]*fetchedTerm
	data  []byte
}

// A fetchedTerm has the places of a term's postings, by segment; asked is the bit mask of dictionaries asked for.
type fetchedTerm struct {
	asked uint64
	list  []postingsPlace
}

func newFetched() *fetched { return &fetched{terms: map[string]*fetchedTerm{}} }

// maxFetched is the number of bytes of postings above which the cache of fetched postings is emptied.
const maxFetched = 256 << 20

// withPlaces returns the key in fetched.terms for a term whose postings have places.
func withPlaces(term string) string { return term + "\xff" }

// unshared returns the dictionaries of the bit mask that are not Shared.
func (t *Text) unshared(dicts uint64) uint64 {
	for i, d := range t.dicts {
		if d.Shared {
			dicts &^= 1 << i
		}
	}
	return dicts & (1<<len(t.dicts) - 1)
}

// fetch adds to the lookup the postings of the terms in those dictionaries that are not Shared.
func (r *remoteText) fetch(ctx context.Context, l *Lookup, terms []string, dicts uint64, places bool) error {
	if dicts = l.text.unshared(dicts); dicts == 0 {
		return nil
	}
	// The goroutines of one request ask for the same terms at the same time; only the first one reads them.
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
			continue // put has emptied the cache meanwhile
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
			f, last := foundTerm{postingsPlace: postingsPlace{segment: uint32(p.Tree), dict: uint32(p.Dict)}, sorted: true}, -1
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

// A foundTerm has the postings of a term in one dictionary of one tree, or some of them.
type foundTerm struct {
	postingsPlace
	postings []placedPosting
	// sorted says that the postings are in the order of their rows: no file has changed since the tree was written.
	sorted bool
}

// A placedPosting is a posting with its places, if they were asked for.
type placedPosting struct {
	posting
	spans []Span
}

// missing returns the terms that were not read in all dictionaries, and the dictionaries that any of them lacks.
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

// put stores the postings that were found for the terms in the dictionaries, in place of older ones.
func (f *fetched) put(terms []string, dicts uint64, found [][]foundTerm) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.data) > maxFetched {
		// Lookups that refer to the old data keep it alive.
		f.data, f.terms = nil, map[string]*fetchedTerm{}
	}
	for i, list := range found {
		term := f.terms[terms[i]]
		if term == nil {
			term = &fetchedTerm{}
			f.terms[strings.Clone(terms[i])] = term
		}
		// Lookups share the list, so it must not be modified.
		term.list = slices.DeleteFunc(slices.Clone(term.list), func(w postingsPlace) bool { return dicts&(1<<w.dict) != 0 })
		slices.SortStableFunc(list, func(a, b foundTerm) int { return a.compare(b.postingsPlace) })
		for len(list) > 0 {
			all := list[0]
			for list = list[1:]; len(list) > 0 && all.compare(list[0].postingsPlace) == 0; list = list[1:] {
				next := list[0]
				all.sorted = all.sorted && next.sorted && all.postings[len(all.postings)-1].document < next.postings[0].document
				all.postings = append(all.postings, next.postings...)
			}
			if !all.sorted {
				slices.SortFunc(all.postings, func(a, b placedPosting) int { return cmp.Compare(a.document, b.document) })
			}
			all.start, all.documents = uint32(len(f.data)), uint32(len(all.postings))
			f.data = appendPostings(f.data, all.postings)
			term.list = append(term.list, all.postingsPlace)
		}
		slices.SortFunc(term.list, postingsPlace.compare)
		term.asked |= dicts
	}
}

// appendPostings encodes postings as inverter.encode does, with their places, if any.
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

// take adds the stored postings of the terms to the lookup; ok is false if any are missing.
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
		own = slices.DeleteFunc(own, func(w postingsPlace) bool { return !l.text.dicts[w.dict].Shared })
		own = append(own, term.list...)
		slices.SortFunc(own, postingsPlace.compare)
		l.terms[i] = own
	}
	if l.fetched = f.data; l.fetched == nil {
		l.fetched = []byte{}
	}
	return true
}

// addTerms adds to found the terms of the Source that Text.Terms asks for.
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
