package search

import (
	"context"
	"slices"

	"cortex/lib/parallel"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
	"cortex/lib/search/rank"
	"cortex/lib/search/show"
	"cortex/lib/search/wording"
)

// topicHits holds what was found for one topic.
type topicHits struct {
	list    []rank.Candidate
	found   int
	mode    answer.Mode
	finding rank.Finding
	doubt   rank.Doubt
	known   []string // the words that occur, if doubt is Guesses
	needles []show.Needle
	topic   *rank.Topic
}

// merged holds what was found for all topics of a request, each chunk once.
type merged struct {
	list    []rank.Candidate
	found   int
	mode    answer.Mode
	finding rank.Finding // of the topic with the greatest Coverage
	needles []show.Needle
	also    []string
	pointed map[string][]int // lines by path
	values  bool             // a topic asks for a value
	doubts  doubts
}

// answerAll answers each topic and merges the results. It leaves out guesses for a topic unless all topics have only
// guesses.
func (x *Index) answerAll(ctx context.Context, topics []string, req answer.Request, allowed corpus.Set) (*merged, error) {
	m := &merged{doubts: doubts{filtered: allowed != nil}, pointed: map[string][]int{}}
	answers := make([]*topicHits, len(topics))
	for i, topic := range topics {
		var err error
		if answers[i], err = x.answer(ctx, topic, req, allowed); err != nil {
			return nil, err
		}
		m.doubts.add(topic, answers[i])
	}
	for _, a := range answers {
		if a.doubt == rank.Guesses && !m.doubts.all(rank.Guesses) {
			continue
		}
		m.list = rank.Union(m.list, a.list)
		for _, word := range a.topic.Also {
			if !slices.Contains(m.also, word) {
				m.also = append(m.also, word)
			}
		}
		m.needles = append(m.needles, a.needles...)
		m.values = m.values || a.topic.Asks.Value
		for _, l := range a.topic.Pointed {
			path := x.corpus.Generation.Path(l.File)
			m.pointed[path] = append(m.pointed[path], l.Line)
		}
		m.found = max(m.found, a.found)
		if a.finding.Coverage >= m.finding.Coverage {
			m.finding = a.finding
		}
		if m.mode == "" || a.mode == answer.Hybrid {
			m.mode = a.mode
		}
	}
	return m, nil
}

// answer finds the candidates for one topic.
func (x *Index) answer(ctx context.Context, question string, req answer.Request, allowed corpus.Set) (*topicHits, error) {
	pool := x.ranker.Pool(req, rank.PoolWords)
	question = wording.WithoutFraming(wording.WithoutBoilerplate(question))
	mode, err := x.mode(question, req.Mode)
	if err != nil {
		return nil, err
	}
	topic := x.ranker.Topic(question, mode, allowed)
	a := &topicHits{mode: mode, topic: topic}
	group, gctx := parallel.NewGroup(ctx)
	if mode != answer.Semantic {
		group.Go(func() (err error) {
			defer index.Guard(&err)()
			return topic.ReadWords(gctx)
		})
	}
	near := 0.0
	if mode != answer.Keyword {
		card := x.embedder.Card()
		near = card.Near
		group.Go(func() (err error) {
			defer index.Guard(&err)()
			vector, err := x.embeddedTopic(gctx, question, topic.Headline)
			if err != nil {
				return err
			}
			return topic.ReadMeaning(gctx, vector, card.Context, pool)
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

// Candidates returns the chunks that may answer a question.
func (x *Index) Candidates(ctx context.Context, question string, mode answer.Mode) (*rank.Candidates, error) {
	a, err := x.answer(ctx, question, answer.Request{Mode: mode}, nil)
	if err != nil {
		return nil, err
	}
	return a.topic.Candidates(a.list, a.finding), nil
}
