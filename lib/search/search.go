// Package search finds chunks: exactly, in the language of package query, or by meaning and words together. A store and
// a request go in, a response with hits comes out.
//
// It opens an index (open.go) and takes each kind of request through its steps: Index.Search (remember.go, search.go,
// topic.go) calls package rank, Index.Find and Index.Exact (found.go) and Index.FindOrMakers (makers.go) call package
// exact, and package show turns the chunks that they find into hits, which package render and its package brief write.
// Both cortex-query and cortex-serve call it. Segments on disk hold the words and the vectors (package index); package
// corpus reads them. Filters become sets of chunks and apply before the best chunks are chosen.
package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cortex/lib/hint"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/rank"
	"cortex/lib/search/show"
	"cortex/lib/search/token"
	"cortex/lib/search/wording"
)

// search is Search without the cache.
func (x *Index) search(ctx context.Context, req answer.Request) (*answer.Response, error) {
	start := time.Now()
	topics := topicsOf(req)
	if err := x.check(req, topics); err != nil {
		return nil, err
	}
	allowed, err := x.corpus.Allowed(ctx, req.Filter)
	if err != nil {
		return nil, err
	}
	switch why, err := x.nothingToFind(ctx, req.Filter, allowed); {
	case err != nil:
		return nil, err
	case why != "":
		return nothing(req, start, strings.Join(topics, "; "), why), nil
	case req.Like != "":
		return x.similar(ctx, req, allowed)
	}
	m, err := x.answerAll(ctx, topics, req, allowed)
	if err != nil {
		return nil, err
	}
	results := x.results(m, topics, req, allowed)
	response := &answer.Response{Query: strings.Join(topics, "; "), TotalFound: max(m.found-(len(m.list)-len(results)), len(results)), Metadata: answer.ResponseMetadata{Source: string(m.mode)}}
	needles := m.needles
	if messages := messagesOf(req, topics); len(messages) > 0 {
		all := len(results)
		var literals []show.Needle
		if results, literals, err = x.messagesFirst(ctx, results, messages, topics[0], len(m.pointed) > 0, req); err != nil {
			return nil, err
		}
		if len(results) < all {
			response.TotalFound = len(results)
		}
		needles = append(needles, literals...)
	}
	good := x.goodEnough(response, results, req)
	distinct, err := x.ranker.JoinTwins(good, req)
	if err != nil {
		return nil, err
	}
	response.TotalFound -= len(good) - len(distinct)
	response.Counts = x.countResults(distinct, req)
	shown := answer.Page(distinct, req)
	if req.ByFile {
		shown = x.ranker.PageOfFiles(distinct, req)
	}
	var namings []wording.Naming
	for _, topic := range topics {
		namings = append(namings, wording.QuestionNamings(topic)...)
	}
	finder := show.FinderFor(req, show.DullFor(topics), namings)
	finder.Pointed, finder.Values = m.pointed, m.values
	if err := x.fill(response, shown, req, needles, finder); err != nil {
		return nil, err
	}
	response.Metadata.Also = saidBy(response.Results, m.also)
	m.doubts.tell(response)
	if len(shown) == 0 {
		x.tellBeyond(response, distinct, req)
	}
	response.Finish(start)
	return response, nil
}

// topicsOf returns the questions of the request that have a word.
func topicsOf(req answer.Request) []string {
	var topics []string
	for _, q := range req.Queries {
		if q = strings.TrimSpace(q); token.Words(q) != nil {
			topics = append(topics, q)
		}
	}
	return topics
}

// check returns an error for an invalid request.
func (x *Index) check(req answer.Request, topics []string) error {
	switch least := x.leastScore(req); {
	case req.Like != "" && len(topics) > 0:
		return errLike
	case len(topics) == 0 && req.Like == "":
		return hint.Wrap(errors.New("no word in the question"), "ask in words, such as: how are errors reported")
	case !(least >= 0 && least <= 1):
		return fmt.Errorf("minimal score %g: expected a number from 0 to 1", least)
	case req.Mode != "" && !slices.Contains(answer.Modes, req.Mode):
		return hint.Wrap(fmt.Errorf("unknown mode %q", req.Mode), "modes are "+strings.ReplaceAll(strings.Trim(fmt.Sprint(answer.Modes), "[]"), " ", ", "))
	}
	return nil
}

// results returns the places that answer the topics, best first, each with its chance. It overwrites m.list.
func (x *Index) results(m *merged, topics []string, req answer.Request, allowed corpus.Set) []rank.Result {
	x.ranker.FavourLocal(m.list)
	list := x.ranker.Decay(x.ranker.WithoutRepeats(m.list, req.Filter))
	results := x.ranker.Results(list, topics, allowed)
	if m.mode == answer.Hybrid || m.mode == answer.Keyword {
		rank.Chances(results, m.finding)
		if m.doubts.all(rank.Guesses) {
			for i := range results {
				results[i].Chance *= guessed
			}
		}
	}
	return results
}

// guessed is the share of their chance that hits keep if all are guesses: of 450 answers that begin with a doubt, nine
// are to real questions.
const guessed = 0.1

const (
	// maxSaid is the greatest number of words of concepts that an answer lists. A word has at least leastSaid letters:
	// shorter ones occur in other words by chance.
	maxSaid   = 6
	leastSaid = 4
	// saidHits is the number of hits whose texts are searched for these words.
	saidHits = 5
)

// saidBy returns those of the words that occur in the texts of the first hits, at most maxSaid.
func saidBy(hits []answer.Hit, words []string) []string {
	if len(words) == 0 {
		return nil
	}
	var all strings.Builder
	for i := range hits[:min(len(hits), saidHits)] {
		all.WriteString(strings.ToLower(hits[i].Chunk.Text))
		all.WriteByte('\n')
	}
	text := all.String()
	// Most words do not occur, and have a trigram that does not occur either. One pass over the texts collects the
	// trigrams for all words.
	var known [1 << 15]bool
	eachThree(text, func(three int) bool {
		known[three] = true
		return true
	})
	var said []string
	for _, word := range words {
		if len(said) < maxSaid && len(word) >= leastSaid && eachThree(word, func(three int) bool { return known[three] }) && strings.Contains(text, word) {
			said = append(said, word)
		}
	}
	return said
}

// eachThree calls visit for each trigram of bytes, made of the lowest five bits of each, until visit returns false. It
// reports whether it visited all.
func eachThree(text string, visit func(three int) bool) bool {
	three := 0
	for i := range len(text) {
		if three = three<<5&(1<<15-1) | int(text[i]&31); i >= 2 && !visit(three) {
			return false
		}
	}
	return true
}
