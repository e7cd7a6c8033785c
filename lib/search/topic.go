package search

import (
	"context"

	"golang.org/x/sync/errgroup"

	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
	"cortex/lib/search/rank"
	"cortex/lib/search/show"
	"cortex/lib/search/wording"
)

// topicHits are what one topic found.
type topicHits struct {
	list    []rank.Candidate
	found   int
	mode    answer.Mode
	finding rank.Finding
	doubt   rank.Doubt
	known   []string // the words that occur, where the doubt is guesses
	needles []show.Needle
	topic   *rank.Topic
}

func (x *Index) answer(ctx context.Context, question string, req answer.Request, allowed corpus.Set) (*topicHits, error) {
	pool := x.ranker.Pool(req, rank.PoolWords)
	mode, err := x.mode(question, req.Mode)
	if err != nil {
		return nil, err
	}
	question = wording.WithoutBoilerplate(question)
	topic := x.ranker.Topic(question, mode, allowed)
	a := &topicHits{mode: mode, topic: topic}
	group, gctx := errgroup.WithContext(ctx)
	if mode != answer.Semantic {
		group.Go(func() (err error) {
			defer index.Guard(&err)()
			return topic.ReadWords(gctx)
		})
	}
	near := 0.0
	if mode != answer.Keyword {
		near = x.embedder.Card().Near
		group.Go(func() (err error) {
			defer index.Guard(&err)()
			vector, err := x.embeddedTopic(gctx, question, topic.Headline)
			if err != nil {
				return err
			}
			return topic.ReadMeaning(gctx, vector, pool)
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if a.needles = show.PlainNeedles(question); mode != answer.Semantic {
		a.needles = show.QuestionNeedles(topic.Terms)
	}
	if a.list, a.found, err = topic.Rank(ctx, pool); err != nil {
		return nil, err
	}
	a.finding = topic.Finding(near)
	a.doubt, a.known, err = topic.Judge(ctx, near)
	return a, err
}

// Candidates gathers the chunks that may answer a question.
func (x *Index) Candidates(ctx context.Context, question string, mode answer.Mode) (*rank.Candidates, error) {
	a, err := x.answer(ctx, question, answer.Request{Mode: mode}, nil)
	if err != nil {
		return nil, err
	}
	return a.topic.Candidates(a.list, a.finding), nil
}
