package search

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"cortex/lib/embed"
	"cortex/lib/embed/provider"
	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/cosine"
	"cortex/lib/search/rank"
	"cortex/lib/search/wording"
)

// embedded returns the embedding of a question, from the cache if it is there.
func (x *Index) embedded(ctx context.Context, topic string) ([]float32, error) {
	if v := x.cache.vectors.get(topic); v != nil {
		return v, nil
	}
	vectors, err := x.embedder.Embed(ctx, embed.Query, []string{topic})
	if err != nil {
		return nil, &embeddingError{err}
	}
	if len(vectors) != 1 {
		return nil, &embeddingError{hint.Wrap(fmt.Errorf("model %s gives %d embeddings for one text", x.embedder.Model(), len(vectors)), "make the index again with another model")}
	}
	if _, ok := record.Embedding(vectors[0]).Length(); !ok {
		return nil, &embeddingError{provider.ErrNoDirection}
	}
	if len(topic) <= maxRemembered {
		x.cache.vectors.put(topic, vectors[0])
	}
	return vectors[0], nil
}

// An embeddingError says why a question has no embedding that can be compared with the chunks.
type embeddingError struct{ err error }

func (e *embeddingError) Error() string { return "embed question: " + e.err.Error() }

func (e *embeddingError) Unwrap() error { return e.err }

// maxRemembered is the greatest length in bytes of a question whose embedding is kept.
const maxRemembered = 1000

// mode resolves Auto for the question. It returns an error if the mode needs embeddings that are not available.
func (x *Index) mode(topic string, mode answer.Mode) (answer.Mode, error) {
	if mode == answer.Keyword {
		return mode, nil
	}
	wanted := mode == answer.Semantic || mode == answer.Hybrid || mode == answer.Fusion
	if x.embedder == nil {
		if wanted {
			return "", hint.Wrap(fmt.Errorf("%s search: no embedding model", mode), rank.WithoutMeaning)
		}
		return answer.Keyword, nil
	}
	if !wanted && wording.IsIdentifier(topic) {
		return answer.Keyword, nil
	}
	if x.corpus.Generation.Embeddings() == 0 {
		if wanted {
			return "", hint.Wrap(fmt.Errorf("%s search: no chunk of the store has an embedding", mode), rank.WithoutMeaning)
		}
		return answer.Keyword, nil
	}
	if !wanted {
		return answer.Hybrid, nil
	}
	return mode, nil
}

// embeddedTopic returns the vector with which chunks are compared: the embedding of the question, or for a report the
// mean direction of the embeddings of the whole report and of its headline.
func (x *Index) embeddedTopic(ctx context.Context, question, headline string) ([]float32, error) {
	vector, err := x.embeddedToCompare(ctx, question)
	if err != nil || headline == "" || headline == question {
		return vector, err
	}
	ofHeadline, err := x.embeddedToCompare(ctx, headline)
	if errors.Is(err, provider.ErrNoDirection) {
		return vector, nil
	}
	if err != nil {
		return nil, err
	}
	sum := make([]float32, len(vector))
	for _, v := range [][]float32{vector, ofHeadline} {
		unit, _ := cosine.Unit(v) // embedded has checked that v has a direction
		for i, part := range unit {
			sum[i] += part
		}
	}
	if unit, ok := cosine.Unit(sum); ok {
		return unit, nil
	}
	return vector, nil
}

// embeddedToCompare returns the embedding of a text, or an error if it has another number of dimensions than the
// chunks' embeddings.
func (x *Index) embeddedToCompare(ctx context.Context, question string) ([]float32, error) {
	vector, err := x.embedded(ctx, question)
	if err != nil {
		return nil, err
	}
	if len(vector) != x.corpus.Generation.Dimensions() {
		return nil, &embeddingError{hint.Wrap(fmt.Errorf("model %s gives %d dimensions, the store has %d",
			x.embedder.Model(), x.embedder.Dimensions(), x.corpus.Generation.Dimensions()), "make the index again with this model")}
	}
	return vector, nil
}

// forLexicon opens the model in the binary. The lexicon was compiled with this model, so it is used whatever model the
// index has.
var forLexicon = sync.OnceValues(func() (embed.Embedder, error) { return embed.Open(context.Background(), embed.Config{}) })

// meaningForLexicon returns the embedding of a question by the model in the binary, or nil if it fails.
func meaningForLexicon(topic string) []float32 {
	model, err := forLexicon()
	if err != nil {
		return nil
	}
	vectors, err := model.Embed(context.Background(), embed.Query, []string{topic})
	if err != nil {
		return nil
	}
	return vectors[0]
}
