package search

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/exact"
	"cortex/lib/search/index"
	"cortex/lib/search/query"
	"cortex/lib/search/show"
	"cortex/lib/search/wording"
)

// Total returns the number of hits, whatever the request's offset and limit.
func (f *Found) Total() int { return f.total }

// page returns the hits between the request's offset and limit.
func (f *Found) page() ([]corpus.Scored, error) {
	if f.joined != nil {
		return answer.Page(f.joined, f.req), nil
	}
	list, err := f.matches.Ranked(f.x.corpus.Generation, min(f.total, f.req.Bound()))
	return answer.Page(list, f.req), err
}

// readTogether is the number of hits whose chunks are read in one batch.
const readTogether = 100

// read iterates over the hits of the page and reads their chunks in batches.
func (f *Found) read() iter.Seq2[corpus.Scored, error] {
	return func(yield func(corpus.Scored, error) bool) {
		page, err := f.page()
		if err != nil {
			yield(corpus.Scored{}, err)
			return
		}
		for some := range slices.Chunk(page, readTogether) {
			chunks := make([]int, len(some))
			for i, s := range some {
				chunks[i] = s.Chunk
			}
			if err := f.x.corpus.Generation.Prepare(chunks); err != nil {
				yield(corpus.Scored{}, err)
				return
			}
			for _, s := range some {
				if err := f.ctx.Err(); !yield(s, err) || err != nil {
					return
				}
			}
		}
	}
}

// isOtherCase reports whether the hit declares only names that the query has in another case, such as a field conn
// beside the type Conn. asWritten tells which names earlier hits declare as they are written, and is updated.
func (f *Found) isOtherCase(h *answer.Hit, asWritten []bool) bool {
	if h.Symbol == nil {
		return false
	}
	other, same := false, false
	for i, hasCase := range f.cases {
		switch {
		case f.finder.Namings[i].Rank(*h.Symbol) == 0:
		case hasCase(h.Symbol.Name):
			asWritten[i], same = true, true
		case !asWritten[i]:
			same = true
		default:
			other = true
		}
	}
	return other && !same
}

// Files returns the files that have hits, each once, in the order of their best hits, within the request's offset and
// limit. total counts all files with hits. The paths are as in Metadata.FilePath; trees has the tree of each.
func (f *Found) Files() (paths, trees []string, total int, err error) {
	defer index.Guard(&err)()
	seen := map[string]bool{}
	list, err := f.matches.Ranked(f.x.corpus.Generation, f.total)
	if err != nil {
		return nil, nil, 0, err
	}
	for _, s := range list {
		path := f.x.corpus.Generation.FilePath(s.Chunk)
		if seen[path] {
			continue
		}
		seen[path] = true
		paths, trees = append(paths, path), append(trees, f.x.corpus.Generation.Tree(s.Chunk))
	}
	return answer.Page(paths, f.req), answer.Page(trees, f.req), len(paths), nil
}

// hit returns the hit for a chunk.
func (f *Found) hit(s corpus.Scored) (answer.Hit, error) {
	if c := f.chunks[s.Chunk]; c != nil {
		return show.HitOfChunk(f.x.corpus, c, s, answer.MatchKeyword, f.needles, f.finder), nil
	}
	return show.HitOf(f.x.corpus, s, answer.MatchKeyword, f.needles, f.finder)
}

// Each calls visit for the hits within the request's offset and limit. It stops at the first error and returns it.
func (f *Found) Each(visit func(*answer.Hit) error) (err error) {
	defer index.Guard(&err)()
	definitions := show.NewDefinitions(f.x.corpus)
	asWritten := make([]bool, len(f.cases))
	for s, err := range f.read() {
		if err != nil {
			return err
		}
		h, err := f.hit(s)
		if err != nil {
			return err
		}
		if f.req.Context.Read {
			// A reader of lines around matches wants all matches.
			c, err := f.x.corpus.Generation.Chunk(s.Chunk)
			if err != nil {
				return err
			}
			h.Highlights = show.AllHighlights(c, f.needles, h.Symbol)
			if f.req.Context.Full && f.isOtherCase(&h, asWritten) {
				if err := visit(&h); err != nil {
					return err
				}
				continue
			}
		}
		h.Twins = f.twins[s.Chunk]
		if err := show.AddContext(f.x.corpus, &h, s.Chunk, f.req.Context, definitions); err != nil {
			return err
		}
		if err := visit(&h); err != nil {
			return err
		}
	}
	return nil
}

// Lines calls visit for all matching lines of the hits that Each visits, each line of a file once. For a hit without a
// matching line, such as a match of its path, it visits the line that declares what was asked for, or else the first
// line.
func (f *Found) Lines(visit func(answer.MatchedLine) error) (err error) {
	defer index.Guard(&err)()
	type fileLine struct {
		path   string
		number int
	}
	seen := map[fileLine]bool{}
	for s, err := range f.read() {
		if err != nil {
			return err
		}
		c, err := f.x.corpus.Generation.Chunk(s.Chunk)
		if err != nil {
			return err
		}
		for _, line := range show.MatchedLines(c, f.needles, f.finder) {
			at := fileLine{line.FilePath, line.Number}
			if seen[at] {
				continue
			}
			seen[at] = true
			if err := visit(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// Exact answers a query in the language of package query. Several queries are answered as their union. A syntax error
// in a query is returned as a *QueryError.
func (x *Index) Exact(ctx context.Context, req answer.Request) (*answer.Response, error) {
	start := time.Now()
	found, err := x.FindOrMakers(ctx, req)
	if err == nil && req.Lines && !req.Context.Read {
		err = found.joinAlike()
	}
	if err != nil {
		return nil, err
	}
	response := &answer.Response{
		Doubt: found.Doubt, Query: strings.Join(req.Queries, "; "), TotalFound: found.Total(), Offset: min(max(req.Offset, 0), found.Total()), NoMatch: found.NoMatch,
		Metadata: answer.ResponseMetadata{Source: answer.SourceExact},
	}
	err = found.Each(func(h *answer.Hit) error {
		response.Results = append(response.Results, *h)
		return nil
	})
	if err != nil {
		return nil, err
	}
	response.Metadata.Warning = cmp.Or(answer.Beyond(req, found.Total(), "hit", "hits"), found.Warning, found.Unmatched)
	if req.Counts {
		if response.Counts, err = found.Counts(); err != nil {
			return nil, err
		}
	}
	response.Finish(start)
	return response, nil
}

// Found is the result of exact search, best first. Texts are read only as hits are visited, so any number of hits can
// be visited with little memory.
//
// A hit is a chunk. Each line of a file belongs to one chunk: a line in several tiers belongs to the implementations,
// or else to the definitions. Outlines and other chunks without lines of their own are found only by requests that name
// their chunk type. So no place is found twice.
type Found struct {
	x       *Index
	ctx     context.Context
	req     answer.Request
	node    query.Node
	allowed corpus.Set // chunks that the filter allows; nil means all
	matches *corpus.Matches
	total   int
	// joined are the best hits after joinAlike, best first, and twins the places that it joined to them, by chunk; nil
	// before.
	joined []corpus.Scored
	twins  map[int][]answer.Twin
	// chunks are those that joinAlike has read.
	chunks  map[int]*record.Chunk
	needles []show.Needle
	finder  *show.Finder
	cases   []func(name string) bool // by the index of finder.Namings
	// NoMatch explains why nothing was found; nil if there are hits. Unmatched says which alternatives of the query
	// match nothing although others do; "" if none.
	NoMatch   *answer.NoMatch
	Unmatched string
	// Doubt is set by FindOrMakers; see answer.Response.
	Doubt string
	// Warning says that the query was not read as one, and why; "" if it was.
	Warning string
}

// Find answers a query in the language of package query. Several queries are answered as their union. A single query
// may be a line of code: if it has a syntax error, if its operators may be code, or if a pattern in it matches nothing,
// it is looked for as it is written. If that occurs nowhere, the query is answered, or its error is returned as a
// *QueryError; an error that is only about a sign is told by NoMatch. The methods of Found use ctx, too.
func (x *Index) Find(ctx context.Context, req answer.Request) (f *Found, err error) {
	defer index.Guard(&err)()
	if len(req.Queries) == 0 {
		return nil, errors.New("search: no query")
	}
	node, fault := query.ParseAny(req.Queries, x.settings.fuzziness())
	if len(req.Queries) > 1 {
		if fault != nil {
			return nil, fault
		}
		return x.find(ctx, req, node)
	}
	if problem := (*query.Error)(nil); errors.As(fault, &problem) {
		f, err = x.findAsWritten(ctx, req, "it is no query: "+problem.Problem)
		switch {
		case err != nil || f != nil && f.total > 0:
			return f, err
		case f == nil || !problem.IsSign:
			return nil, fault
		}
		f.NoMatch.Say("as a query: %s", problem)
		return f, nil
	}
	if sign := query.SignOfCode(node); sign != "" {
		why := "this text occurs"
		if sign == "-" {
			why += "; write NOT to exclude a word"
		}
		if f, err = x.findAsWritten(ctx, req, why); err != nil || f != nil && f.total > 0 {
			return f, err
		}
	}
	f, err = x.find(ctx, req, node)
	if err == nil && f.total == 0 && query.HasPattern(node) {
		written, err := x.findAsWritten(ctx, req, "as a query it matches nothing")
		if err != nil || written != nil && written.total > 0 {
			return written, err
		}
	}
	return f, err
}

// findAsWritten looks for the text of the query, and warns why if it occurs. It returns nil if the text has no word.
func (x *Index) findAsWritten(ctx context.Context, req answer.Request, why string) (*Found, error) {
	text := query.AsWritten(req.Queries[0])
	if text == nil {
		return nil, nil
	}
	f, err := x.find(ctx, req, text)
	if err != nil || f.total == 0 {
		return f, err
	}
	f.Warning = "looked for as it is written, since " + why
	return f, nil
}

func (x *Index) find(ctx context.Context, req answer.Request, node query.Node) (f *Found, err error) {
	allowed, err := x.corpus.Allowed(ctx, req.Filter)
	if err != nil {
		return nil, err
	}
	found, why, err := x.exact.Find(ctx, node, req.Filter, allowed)
	if err != nil {
		return nil, err
	}
	if err := x.ranker.WeighPlaces(found); err != nil {
		return nil, err
	}
	f = &Found{
		x: x, ctx: ctx, req: req, node: node, allowed: allowed, matches: found, total: found.Set.Count(),
		needles: show.ExactNeedles(node, x.corpus.Stemmer),
		finder:  show.FinderFor(req, show.Notice|show.Imports|show.Literal, wording.Namings(node)),
		cases:   wording.Cases(node),
	}
	f.finder.Exact = true
	if f.finder.Test == nil {
		f.finder.Test = exact.KindTest(node)
	}
	if req.Context.Read && req.Context.Full {
		if err := f.dropFurtherParts(); err != nil {
			return nil, err
		}
	}
	if f.total > 0 && why != nil {
		f.Unmatched = strings.ReplaceAll(why.Message, "\n", "; ")
	}
	if f.total == 0 {
		f.NoMatch = why
		why, err := x.nothingToFind(ctx, req.Filter, allowed)
		if err != nil {
			return nil, err
		}
		if why == emptyIndex {
			f.NoMatch = &answer.NoMatch{}
		}
		if why != "" {
			f.NoMatch.Say("%s", why)
		}
	}
	return f, nil
}

// maxWhole is the number of hits among which dropFurtherParts looks.
const maxWhole = 500

// dropFurtherParts removes from the first hits those that are further parts of the same definition.
func (f *Found) dropFurtherParts() error {
	gen := f.x.corpus.Generation
	list, err := f.matches.Ranked(gen, min(f.total, maxWhole))
	if err != nil {
		return err
	}
	type definition struct {
		file  uint32
		lines record.LineRange
	}
	seen, gone := map[definition]bool{}, corpus.NewSet(gen.Len())
	definitions := show.NewDefinitions(f.x.corpus)
	for _, s := range list {
		d, further := definition{file: gen.File(s.Chunk)}, false
		switch t := gen.ChunkType(s.Chunk); {
		case corpus.IsVerbatim(t):
			var ok bool
			if d.lines, ok = definitions.Around(s.Chunk); !ok {
				continue
			}
			further = seen[d]
		case t == record.Definitions:
			if d.lines[0], further, err = definitions.Asked(s.Chunk, f.finder); err != nil {
				return err
			}
			if d.lines[0] == 0 || further && !seen[d] {
				continue // what is shown is not the whole type
			}
		default:
			continue
		}
		if further {
			gone.Add(s.Chunk)
		}
		seen[d] = true
	}
	f.matches.Set.Subtract(gone)
	f.total = f.matches.Set.Count()
	return nil
}

// Counts counts all hits, whatever the request's offset and limit.
func (f *Found) Counts() (counts *answer.Counts, err error) {
	defer index.Guard(&err)()
	t := f.x.newHitCounter(f.req.CountsIn)
	f.matches.Set.Each(func(chunk int) {
		if f.ctx.Err() == nil {
			t.add(chunk)
		}
	})
	return t.counts, f.ctx.Err()
}
