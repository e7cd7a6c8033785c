package rank

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"cortex/lib/search/answer"
	"cortex/lib/search/concept"
	"cortex/lib/search/corpus"
	"cortex/lib/search/wording"
)

// Topic returns a Topic for the question. mode must not be Auto; a nil allowed allows all chunks.
func (x *Ranker) Topic(topic string, mode answer.Mode, allowed corpus.Set) *Topic {
	headline := wording.Headline(topic)
	return &Topic{
		x: x, topic: topic, mode: mode, substance: wording.WordsOfSubstance(topic), Asks: wording.IntentOf(topic), Headline: headline, allowed: allowed,
		concepts: sync.OnceValue(func() []concept.Word { return x.conceptsOf(cmp.Or(headline, topic)) }),
	}
}

// ReadWords finds the chunks that share words with the question, and scores them.
func (a *Topic) ReadWords(ctx context.Context) (err error) {
	if a.mode != answer.Fusion && wording.Brevity(wording.WordsOfSubstance(cmp.Or(a.Headline, a.topic))) > 0 {
		go a.concepts() // while words are looked for
	}
	if a.Terms, err = wording.Terms(a.x.Text, a.topic); err != nil {
		return err
	}
	if a.Headline == "" {
		err = a.mendTypos()
	} else if a.mode != answer.Fusion {
		err = a.readReport(ctx)
	}
	if err != nil {
		return err
	}
	words, err := a.x.wordScores(ctx, a.Terms, a.allowed)
	if err != nil {
		return err
	}
	return a.takeWords(ctx, words)
}

// takeWords keeps the matches of the question's words and adds those of the question's concepts.
func (a *Topic) takeWords(ctx context.Context, words *corpus.Matches) error {
	a.words, a.coverage = words, float64(words.BestCoverage)
	if a.headlineWords != nil {
		return nil // readReport has added the concepts of the headline
	}
	return a.addConcepts(ctx, a.topic, words)
}

// ReadMeaning finds the pool chunks nearest to vector, the question's embedding; poolMeaning chunks in mode Hybrid. It
// compares them in the context of their files (near.Index.InContext); inFile is the Context of the model's card.
func (a *Topic) ReadMeaning(ctx context.Context, vector []float32, inFile float64, pool int) error {
	if a.mode == answer.Hybrid {
		pool = poolMeaning
	}
	list, err := a.x.vectors.Nearest(ctx, vector, pool, a.allowed)
	if err != nil {
		return err
	}
	if len(list) > 0 {
		a.nearest = list[0].Score
	}
	if inFile > 0 {
		if err = a.x.vectors.InContext(vector, inFile, list); err != nil {
			return err
		}
	}
	a.meaning = slices.DeleteFunc(list, func(s corpus.Scored) bool { return s.Score <= 0 })
	return nil
}

// Rank returns the candidates before Decay, and the number of chunks that match by a word or by meaning.
func (a *Topic) Rank(ctx context.Context, pool int) (list []Candidate, found int, err error) {
	switch a.mode {
	case answer.Semantic:
		for _, s := range a.meaning {
			list = append(list, Candidate{Scored: s, Match: answer.MatchSemantic})
		}
		return list, len(list), nil
	case answer.Fusion:
		words, err := a.words.Best(a.x.Generation, pool)
		if err != nil {
			return nil, 0, err
		}
		list = fuse(words, a.meaning)
		return list, max(a.words.Set.Count(), len(list)), nil
	}
	return a.weigh(ctx, pool)
}

// Pool returns how many candidates the request needs: all chunks if it has no limit, else at least least.
func (x *Ranker) Pool(req answer.Request, least int) int {
	if req.Limit < 0 {
		return max(x.Generation.Len(), 1)
	}
	return max(least, req.Offset+req.Limit)
}
