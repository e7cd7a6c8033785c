package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cortex/lib/hint"
	"cortex/lib/search/answer"
	"cortex/lib/search/cosine"
	"cortex/lib/search/index"
	"cortex/lib/search/token"
	"cortex/lib/search/wording"
)

// Search answers a question in words, or finds places similar to one. Several topics are searched one by one; a chunk
// that several topics find keeps its highest score.
//
// Answers are kept in memory. Search returns a kept answer for the same request, and for a question with the same words
// of substance and nearly the same embedding (a cosine of 0.95) under the same filters. A new generation has a new
// Index.
//
// If a question cannot be embedded, whether the service is unreachable, refuses it or answers something else, it is
// answered by its words in the mode Auto, with a Warning.
func (x *Index) Search(ctx context.Context, req answer.Request) (*answer.Response, error) {
	response, err := x.remembered(ctx, req)
	if failed := (*embeddingError)(nil); !errors.As(err, &failed) || ctx.Err() != nil || req.Mode != "" && req.Mode != answer.Auto {
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

// ByWordsOnly returns the Warning of an answer that was made without embeddings because of err.
func ByWordsOnly(err error) string {
	text := "searching by words only: " + err.Error()
	if advice := hint.Of(err); advice != "" {
		text += "; " + advice
	}
	return text
}

// remembered is Search without the fallback to words.
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

// again returns a copy of a kept answer, whose hits the caller may replace.
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
		return fmt.Sprintf("%#v", req) // every Request can be encoded, so this is not reached
	}
	return string(data)
}

// oneQuestion returns the question; ok is false unless the request has a single question whose answer depends on its
// embedding.
func (x *Index) oneQuestion(req answer.Request) (string, bool) {
	if req.Like != "" || len(req.Queries) != 1 || req.Mode == answer.Keyword || x.embedder == nil {
		return "", false
	}
	topic := strings.TrimSpace(req.Queries[0])
	return topic, topic != "" && wording.Headline(topic) == "" && (req.Mode != "" && req.Mode != answer.Auto || !wording.IsIdentifier(topic))
}

// subject returns a key for the question, and its embedding as a unit vector. The key has the sorted stems of its words
// of substance, names as they are written, and everything else on which the answer depends. The key is "" for a
// question that shares no answer with others.
func (x *Index) subject(ctx context.Context, topic string, req answer.Request) (string, []float32, error) {
	mode, err := x.mode(topic, req.Mode)
	if err != nil || mode == answer.Keyword {
		return "", nil, nil // search reports the error
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
