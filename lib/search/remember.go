package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cortex/lib/embed/provider"
	"cortex/lib/hint"
	"cortex/lib/search/answer"
	"cortex/lib/search/cosine"
	"cortex/lib/search/index"
	"cortex/lib/search/token"
	"cortex/lib/search/wording"
)

// Search answers a question in words, or finds what is like a place. Several topics are asked one by one, and a chunk
// found by more than one keeps its higher score.
//
// Answers are kept in memory and given again for the same question, and for one that says the same in other words of grammar and as
// near a meaning (a cosine of 0.95), under the same filters; a new generation is a new Index.
//
// Where the service that embeds questions does not answer, or the question's vector has no direction, a question in mode Auto is answered by
// its words, with a Warning.
func (x *Index) Search(ctx context.Context, req answer.Request) (*answer.Response, error) {
	response, err := x.remembered(ctx, req)
	if !provider.IsUnreachable(err) && !errors.Is(err, provider.ErrNoDirection) || req.Mode != "" && req.Mode != answer.Auto {
		return response, err
	}
	why := err
	req.Mode = answer.Keyword
	if response, err = x.remembered(ctx, req); err != nil {
		return nil, err
	}
	response.Metadata.Warning = ByWordsOnly(why)
	return response, nil
}

// ByWordsOnly is the Warning of an answer that does without embeddings because of err.
func ByWordsOnly(err error) string {
	text := "searching by words only: " + err.Error()
	if advice := hint.Of(err); advice != "" {
		text += "; " + advice
	}
	return text
}

// remembered is Search without the way out.
func (x *Index) remembered(ctx context.Context, req answer.Request) (response *answer.Response, err error) {
	defer index.Guard(&err)()
	start := time.Now()
	if req.Limit < 0 || req.Limit > answer.MaxLimit {
		return x.search(ctx, req)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	key := requestKey(req)
	if r := x.cache.exact(key); r != nil {
		return again(r, r.Query, start), nil
	}
	subject, vector := "", []float32(nil)
	if topic, ok := x.oneQuestion(req); ok {
		if subject, vector, err = x.subject(ctx, topic, req); err != nil {
			return nil, err
		}
		if r := x.cache.near(subject, vector); subject != "" && r != nil {
			return again(r, topic, start), nil
		}
	}
	r, err := x.search(ctx, req)
	if err != nil {
		return nil, err
	}
	x.cache.put(key, subject, vector, r)
	return again(r, r.Query, start), nil
}

// again is a kept answer for its next reader, who may replace hits.
func again(r *answer.Response, query string, start time.Time) *answer.Response {
	own := *r
	own.Query = query
	own.Results = slices.Clone(r.Results)
	own.Finish(start)
	return &own
}

func requestKey(req answer.Request) string {
	data, err := json.Marshal(req)
	if err != nil {
		return fmt.Sprintf("%#v", req) // no Request is like that
	}
	return string(data)
}

// oneQuestion is the question, if there is just one and its answer depends on its embedding.
func (x *Index) oneQuestion(req answer.Request) (string, bool) {
	if req.Like != "" || len(req.Queries) != 1 || req.Mode == answer.Keyword || x.embedder == nil {
		return "", false
	}
	topic := strings.TrimSpace(req.Queries[0])
	return topic, topic != "" && wording.Headline(topic) == "" && (req.Mode != "" && req.Mode != answer.Auto || !wording.IsIdentifier(topic))
}

// subject names the question by its words of substance, in order and by their stems, with all else that the answer depends on; names are as they are
// written. "" stands for a question of which no other is to be taken for.
func (x *Index) subject(ctx context.Context, topic string, req answer.Request) (string, []float32, error) {
	mode, err := x.mode(topic, req.Mode)
	if err != nil || mode == answer.Keyword {
		return "", nil, nil // search tells
	}
	var words []string
	for _, w := range token.Words(topic) {
		written := topic[w.Start:w.End]
		switch {
		case wording.IsFunctionWord(w.Term):
		case wording.IsLetters(written):
			words = append(words, wording.Stem(written))
		default:
			words = append(words, "="+written)
		}
	}
	if len(words) == 0 || len(words) > wording.MaxQuestionTerms {
		return "", nil, nil
	}
	vector, err := x.embedded(ctx, topic)
	if err != nil {
		return "", nil, err
	}
	unit, ok := cosine.Unit(vector)
	if !ok {
		return "", nil, nil
	}
	slices.Sort(words)
	req.Queries = words
	return requestKey(req), unit, nil
}
