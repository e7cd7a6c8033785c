// Package search finds chunks: exactly, in the language of package query, and by
// meaning and words together.
//
// It opens an index and takes each kind of request through its steps: Index.Search (remember.go, search.go, topic.go) asks package rank, Index.Find and Index.Exact
// (found.go) ask package exact, and package show makes hits of the chunks that they find. cortex-query and cortex-serve both call it. Segments on disk hold the words
// and the vectors (package index), which package corpus reads. Filters become sets of chunks and apply before the best chunks are chosen.
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
	"cortex/lib/search/rank"
	"cortex/lib/search/show"
	"cortex/lib/search/wording"
)

// search is Search without the cache.
func (x *Index) search(ctx context.Context, req answer.Request) (response *answer.Response, err error) {
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
	if req.Mode != "" && !slices.Contains(answer.Modes, req.Mode) {
		return nil, hint.Wrap(fmt.Errorf("unknown mode %q", req.Mode), "modes are "+strings.ReplaceAll(strings.Trim(fmt.Sprint(answer.Modes), "[]"), " ", ", "))
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
	var needles []show.Needle
	found := 0
	source := answer.Mode("")
	var finding rank.Finding // of the topic that the index bears out best
	var also []string
	answers := make([]*topicHits, len(topics))
	doubts := doubts{filtered: allowed != nil}
	for i, topic := range topics {
		if answers[i], err = x.answer(ctx, topic, req, allowed); err != nil {
			return nil, err
		}
		doubts.add(topic, answers[i])
	}
	var list []rank.Candidate
	for _, a := range answers {
		if a.doubt == rank.Guesses && !doubts.all() {
			continue // beside what was found for another topic, guesses are in the way
		}
		list = rank.Union(list, a.list)
		for _, word := range a.topic.Also {
			if !slices.Contains(also, word) {
				also = append(also, word)
			}
		}
		needles = append(needles, a.needles...)
		found = max(found, a.found)
		if a.finding.Coverage >= finding.Coverage {
			finding = a.finding
		}
		if source == "" || a.mode == answer.Hybrid {
			source = a.mode
		}
	}
	candidates := len(list)
	x.ranker.FavourLocal(list)
	list = x.ranker.WithoutRepeats(list, req.Filter)
	list = x.ranker.Decay(list)
	results := x.ranker.Results(list, topics, allowed)
	found -= candidates - len(results)
	response = &answer.Response{Query: strings.Join(topics, "; "), TotalFound: max(found, len(results)), Metadata: answer.ResponseMetadata{Source: string(source)}}
	if source == answer.Hybrid || source == answer.Keyword {
		rank.Chances(results, finding)
		if doubts.all() {
			for i := range results {
				results[i].Chance *= guessed
			}
		}
	}
	if messages := messagesOf(req, topics); len(messages) > 0 {
		literals, err := x.messagesFirst(results, messages)
		if err != nil {
			return nil, err
		}
		needles = append(needles, literals...)
	}
	results = x.goodEnough(response, results, req)
	distinct, err := x.ranker.JoinTwins(results, req)
	if err != nil {
		return nil, err
	}
	response.TotalFound -= len(results) - len(distinct)
	results = distinct
	response.Counts = x.countResults(results, req)
	var namings []wording.Naming
	for _, topic := range topics {
		namings = append(namings, wording.QuestionNamings(topic)...)
	}
	finder := show.FinderFor(req, show.DullFor(topics), namings)
	shown := answer.Page(results, req)
	if req.ByFile {
		shown = x.ranker.PageOfFiles(results, req)
	}
	if err := x.fill(response, shown, req, needles, finder); err != nil {
		return nil, err
	}
	response.Metadata.Also = saidBy(response.Results, also)
	doubts.tell(response)
	if len(shown) == 0 {
		x.tellBeyond(response, results, req)
	}
	response.Finish(start)
	return response, nil
}

// guessed is the share of their chance that hits keep where all are guesses: of 450 answers that begin with doubt, nine are to questions.
const guessed = 0.1

const (
	// maxSaid is how many words of concepts an answer names at most. A word has at least leastSaid letters: shorter ones are parts of other words by chance.
	maxSaid   = 6
	leastSaid = 4
	// saidHits is the number of hits whose texts are looked through for them.
	saidHits = 5
)

// saidBy returns those of the words that stand in the texts of the first hits, the first maxSaid of them.
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
	var said []string
	for _, word := range words {
		if len(said) < maxSaid && len(word) >= leastSaid && strings.Contains(text, word) {
			said = append(said, word)
		}
	}
	return said
}
