// Package search finds chunks: exactly, by the language of package query, and by
// meaning and words together.
//
// It is the only place that ranks; cortex-query and cortex-serve are its two faces. Segments hold the words and the vectors
// (package index), chromem-go the vectors of small stores (vectors.go). What is
// compared as a whole, such as tags and languages, is found in columns of the segments (facets.go). Filters
// become sets of chunks, which are heeded before the best are chosen.
package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"cortex/lib/embed"
	"cortex/lib/hint"
	"cortex/lib/search/concept"
	"cortex/lib/search/index"
	"cortex/lib/search/token"
	"cortex/lib/store"
)

// An Index answers questions about one generation of a store. Its methods may be called
// at once, except Close.
type Index struct {
	cat      catalogue
	settings Settings
	stemmer  *stemmer
	embedder embed.Embedder

	names func() *nameTable
	// withLines is the set of chunks that have lines of their own.
	withLines func() bitset
	text      textIndex
	vectors   *vectorIndex
	sizes     func() sizeTable
	places    func() *placeTable
	// lexicon has the words that code has for what people say.
	lexicon func() *concept.Lexicon
	ranking Ranking
	merging Merging
	cache   cache
	tallies sync.Pool
}

// New makes an index in memory over the snapshot, which it shares and does not change. e embeds
// questions; with nil there is no semantic search, and the index does not close it.
func New(ctx context.Context, snap *store.Snapshot, e embed.Embedder, s Settings) (*Index, error) {
	if snap == nil {
		return nil, errors.New("search: no snapshot")
	}
	return newSharded(ctx, snap, e, s, 1+len(snap.Chunks)/shardSize)
}

// shardSize is about the number of chunks in a segment of an index in memory.
const shardSize = 1000

// newSharded is New with so many segments.
func newSharded(ctx context.Context, snap *store.Snapshot, e embed.Embedder, s Settings, shards int) (*Index, error) {
	stemmer, err := newStemmer(s.Stemmer)
	if err != nil {
		return nil, err
	}
	g, err := index.New(ctx, snap.Chunks, snap.Manifest.Model, commonLength(snap.Chunks), shards, indexed(stemmer))
	if err != nil {
		return nil, err
	}
	return newIndexOf(g, e, s, stemmer), nil
}

func newIndexOf(g *index.Generation, e embed.Embedder, s Settings, stemmer *stemmer) *Index {
	x := &Index{cat: g, text: textIndex{g.Text()}, vectors: newVectorIndex(g), embedder: e, settings: s, stemmer: stemmer,
		ranking: DefaultRanking(), merging: DefaultMerging()}
	if s.Merging != nil {
		x.merging = *s.Merging
	}
	x.withLines = sync.OnceValue(x.chunksWithLines)
	x.names = sync.OnceValue(func() *nameTable { return newNameTable(g) })
	x.lexicon = sync.OnceValue(openLexicon)
	x.places = sync.OnceValue(func() *placeTable { return newPlaceTable(g) })
	x.sizes = sync.OnceValue(func() sizeTable { return newSizeTable(g) })
	return x
}

// Warm builds what requests will need.
func (x *Index) Warm(ctx context.Context) (err error) {
	defer x.guard(&err)()
	for _, table := range []func(){func() { x.names() }, func() { x.withLines() }, func() { x.sizes() }} {
		if err := ctx.Err(); err != nil {
			return err
		}
		table()
	}
	return nil
}

// Close frees the index; no request may be running.
func (x *Index) Close() error { return x.cat.Close() }

func (r *Response) finish(start time.Time) {
	if r.Results == nil {
		r.Results = []Hit{}
	}
	r.TotalReturned = len(r.Results)
	r.Metadata.TookMS = math.Round(float64(time.Since(start).Microseconds())/10) / 100
}

func (x *Index) hit(s scored, match Match, needles []needle, finder *finder) (Hit, error) {
	c, err := x.cat.Chunk(s.chunk)
	if err != nil {
		return Hit{}, err
	}
	tags := c.Tags
	if tags == nil {
		tags = []string{}
	}
	h := Hit{
		Chunk: Chunk{c.ID, c.ChunkType, c.Title, c.Text, tags, c.Metadata},
		Score: rounded(s.score),
		Match: match,
	}
	h.Chunk.Metadata.Repeats = nil
	if len(c.Metadata.Symbols) > 0 {
		list, found := finder.find(c)
		h.Chunk.Metadata.Symbols = list
		if found {
			h.Symbol = &list[0]
		}
	}
	text := newTextLines(c)
	matched, needles := text.matches(needles)
	if finder.lines {
		h.Lines = tellingLines(c, text, matched, needles, finder.dull)
	}
	h.Highlights = highlightsOf(text, matched, needles, h.Symbol)
	return h, nil
}

// search is Search without the cache.
func (x *Index) search(ctx context.Context, req Request) (response *Response, err error) {
	start := time.Now()
	var topics []string
	for _, q := range req.Queries {
		if q = strings.TrimSpace(q); q != "" {
			topics = append(topics, q)
		}
	}
	if req.Like != "" && len(topics) > 0 {
		return nil, errLike
	}
	if len(topics) == 0 && req.Like == "" {
		return nil, hint.Wrap(errors.New("empty question"), "ask in words, such as: how are errors reported")
	}
	if least := x.leastScore(req); !(least >= 0 && least <= 1) {
		return nil, fmt.Errorf("minimal score %g: expected a number from 0 to 1", least)
	}
	if req.Mode != "" && !slices.Contains(Modes, req.Mode) {
		return nil, hint.Wrap(fmt.Errorf("unknown mode %q", req.Mode), "modes are "+strings.ReplaceAll(strings.Trim(fmt.Sprint(Modes), "[]"), " ", ", "))
	}
	allowed, err := x.allowed(ctx, req.Filter)
	if err != nil {
		return nil, err
	}
	switch why, err := x.nothingToFind(ctx, req.Filter, allowed); {
	case err != nil:
		return nil, err
	case why != "":
		return req.nothing(start, strings.Join(topics, "; "), why), nil
	case req.Like != "":
		return x.similar(ctx, req, allowed)
	}
	merged := map[int]candidate{}
	var needles []needle
	found := 0
	source := Mode("")
	var also []string
	answers := make([]*answer, len(topics))
	doubts := doubts{filtered: allowed != nil}
	for i, topic := range topics {
		if answers[i], err = x.answer(ctx, topic, req, allowed); err != nil {
			return nil, err
		}
		doubts.add(topic, answers[i])
	}
	for _, a := range answers {
		if a.doubt == guesses && !doubts.all() {
			continue // beside what was found for another topic, guesses are in the way
		}
		for _, c := range a.list {
			if old, ok := merged[c.chunk]; !ok {
				merged[c.chunk] = c
			} else {
				if old.match != c.match {
					old.match = MatchBoth
				}
				old.score = max(old.score, c.score)
				merged[c.chunk] = old
			}
		}
		for _, word := range a.also {
			if !slices.Contains(also, word) {
				also = append(also, word)
			}
		}
		needles = append(needles, a.needles...)
		found = max(found, a.found)
		if source == "" || a.mode == Hybrid {
			source = a.mode
		}
	}
	list := make([]candidate, 0, len(merged))
	for _, c := range merged {
		list = append(list, c)
	}
	x.favourLocal(list)
	list = x.withoutRepeats(list, req.Filter)
	list = x.decay(list)
	results := x.results(list, merged, topics, allowed)
	found -= len(merged) - len(results)
	response = &Response{Query: strings.Join(topics, "; "), TotalFound: max(found, len(results)), Metadata: ResponseMetadata{Source: string(source), Also: also}}
	results = x.goodEnough(response, results, req)
	distinct, err := x.joinTwins(results, req)
	if err != nil {
		return nil, err
	}
	response.TotalFound -= len(results) - len(distinct)
	results = distinct
	finder := &finder{test: req.Filter.symbolTest(), lines: req.Lines, dull: dullFor(topics)}
	for _, topic := range topics {
		finder.namings = append(finder.namings, questionNamings(topic)...)
	}
	shown := page(results, req)
	if req.ByFile {
		shown = x.pageOfFiles(results, req)
	}
	if err := x.fill(response, shown, req, needles, finder); err != nil {
		return nil, err
	}
	doubts.tell(response)
	response.finish(start)
	return response, nil
}

// leastScore is the least score of a hit of the request.
func (x *Index) leastScore(req Request) float64 {
	if req.MinScore == nil {
		return x.settings.MinScore
	}
	return *req.MinScore
}

// goodEnough leaves out results whose score is too low, and counts the others. The best come first.
func (x *Index) goodEnough(response *Response, results []result, req Request) []result {
	least := x.leastScore(req)
	n := slices.IndexFunc(results, func(r result) bool { return r.score < least })
	if n < 0 {
		return results
	}
	response.TotalFound = n
	if n == 0 {
		response.NoMatch = &NoMatch{}
		response.NoMatch.say("no hit has a score of %g or more; the best has %.2f", least, results[0].score)
	}
	return results[:n]
}

// fill makes hits of the results.
func (x *Index) fill(response *Response, results []result, req Request, needles []needle, finder *finder) error {
	for i, r := range results {
		h, err := x.show(r, needles, finder)
		if err != nil {
			return err
		}
		if finder.lines && i < usingHits {
			if h.Uses, err = x.usesOf(&r, &h, needles); err != nil {
				return err
			}
		}
		h.Twins = x.twinsOf(r.twins)
		if err := x.addContext(&h, r.chunk, req.Context); err != nil {
			return err
		}
		if req.Explain {
			h.Reasons = r.reasons(r.base)
		}
		response.Results = append(response.Results, h)
	}
	return nil
}

// pool is how many candidates the request needs of a list that brings at least so many.
func (x *Index) pool(req Request, least int) int {
	if req.Limit < 0 {
		return max(x.cat.Len(), 1)
	}
	return max(least, req.Offset+req.Limit)
}

// An answer is what one topic found.
type answer struct {
	list    []candidate
	found   int
	mode    Mode
	doubt   doubt
	known   []string // the words that occur, where the doubt is guesses
	needles []needle
	// also are words of code that were looked for besides the question's own, those that count most.
	also []string
}

func (x *Index) answer(ctx context.Context, topic string, req Request, allowed bitset) (*answer, error) {
	pool := x.pool(req, poolWords)
	mode, err := x.mode(ctx, topic, req.Mode)
	if err != nil {
		return nil, err
	}
	a := &answer{mode: mode}
	words := wordsOfSubstance(topic)
	var concepts []concept.Word
	if mode != Fusion {
		concepts = x.conceptsOf(topic)
	}
	asker := &asker{x: x, topic: topic, concepts: concepts, allowed: allowed, weights: x.ranking.of(mode).forText(words)}
	group, gctx := errgroup.WithContext(ctx)
	if mode != Semantic {
		group.Go(func() (err error) {
			defer x.guard(&err)()
			asker.text = x.text
			if asker.terms, err = x.terms(asker.text, topic); err != nil {
				return err
			}
			if words <= longWords {
				err = asker.mendTypos()
			} else if mode != Fusion {
				err = asker.readLong(gctx)
			}
			if err != nil {
				return err
			}
			a.needles = questionNeedles(asker.terms)
			if asker.words, err = x.wordScores(gctx, asker.text, asker.terms, allowed); err != nil {
				return err
			}
			return asker.addConcepts(gctx)
		})
	} else {
		a.needles = plainNeedles(topic)
	}
	if mode != Keyword {
		group.Go(func() (err error) {
			defer x.guard(&err)()
			near := poolMeaning
			if mode != Hybrid {
				near = pool
			}
			asker.meaning, err = x.semantic(gctx, topic, allowed, near)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	a.also = asker.also
	switch mode {
	case Semantic:
		for _, s := range asker.meaning {
			a.list = append(a.list, candidate{scored: s, match: MatchSemantic})
		}
		a.found = len(a.list)
	case Fusion:
		a.list = fuse(asker.words.best(x.cat, pool), asker.meaning)
		a.found = max(asker.words.set.count(), len(a.list))
	default:
		a.list, a.found, err = asker.rank(ctx, pool)
	}
	if err != nil {
		return nil, err
	}
	a.doubt, a.known, err = asker.judge(ctx, mode)
	return a, err
}

// best are the k matches with the highest scores.
func (m *matches) best(cat catalogue, k int) []scored {
	top := newTop(cat, k)
	m.set.each(func(i int) { top.offer(scored{i, float64(m.score[i])}) })
	return top.sorted()
}

// withoutMeaning is the cure where there are no embeddings.
const withoutMeaning = "use the mode keyword, or make the index with cortex-embed in the pipeline"

// mode settles what Auto means for the question.
func (x *Index) mode(ctx context.Context, topic string, mode Mode) (Mode, error) {
	if mode == Keyword {
		return mode, nil
	}
	wanted := mode == Semantic || mode == Hybrid || mode == Fusion
	if x.embedder == nil {
		if wanted {
			return "", hint.Wrap(fmt.Errorf("%s search: no embedding model", mode), withoutMeaning)
		}
		return Keyword, nil
	}
	if !wanted && isIdentifier(topic) {
		return Keyword, nil
	}
	if x.cat.Embeddings() == 0 {
		if wanted {
			return "", hint.Wrap(fmt.Errorf("%s search: no chunk of the store has an embedding", mode), withoutMeaning)
		}
		return Keyword, nil
	}
	if !wanted {
		return Hybrid, nil
	}
	return mode, nil
}

// isIdentifier reports whether the question is one name of more than one part.
func isIdentifier(question string) bool {
	if strings.ContainsAny(question, " \t\n") {
		return false
	}
	words := token.Words(question)
	return len(words) > 1 || len(words) == 1 && words[0].To-words[0].From > 1
}

// semantic ranks chunks by the cosine of their embedding and the question's.
func (x *Index) semantic(ctx context.Context, topic string, allowed bitset, k int) ([]scored, error) {
	vector, err := x.embedded(ctx, topic)
	if err != nil {
		return nil, err
	}
	if len(vector) != x.cat.Dimensions() {
		return nil, hint.Wrap(fmt.Errorf("embed question: model %s gives %d dimensions, the store has %d",
			x.embedder.Model(), x.embedder.Dimensions(), x.cat.Dimensions()), "make the index again with this model")
	}
	list, err := x.vectors.nearest(ctx, vector, k, allowed)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(s scored) bool { return s.score <= 0 }), nil
}

// rrfK is the constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009).
const rrfK = 60

// fuse joins two rankings by reciprocal ranks, as shares of the greatest possible sum. One
// ranking alone keeps its scores.
func fuse(byWords, byMeaning []scored) []candidate {
	list := make([]candidate, 0, len(byWords)+len(byMeaning))
	if len(byWords) == 0 || len(byMeaning) == 0 {
		for _, s := range byWords {
			list = append(list, candidate{scored: s, match: MatchKeyword})
		}
		for _, s := range byMeaning {
			list = append(list, candidate{scored: s, match: MatchSemantic})
		}
		return list
	}
	at := map[int]int{}
	const most = 2.0 / (rrfK + 1)
	for rank, s := range byWords {
		at[s.chunk] = len(list)
		list = append(list, candidate{scored: scored{s.chunk, 1 / float64(rrfK+rank+1) / most}, match: MatchKeyword})
	}
	for rank, s := range byMeaning {
		share := 1 / float64(rrfK+rank+1) / most
		if i, ok := at[s.chunk]; ok {
			list[i].score += share
			list[i].match = MatchBoth
			continue
		}
		list = append(list, candidate{scored: scored{s.chunk, share}, match: MatchSemantic})
	}
	return list
}
