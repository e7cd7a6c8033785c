package search

import (
	"container/list"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"cortex/lib/embed"
	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/index"
	"cortex/lib/search/token"
)

// Bounds of the cache of one index.
const (
	maxCached      = 256
	maxCachedBytes = 16 << 20
	// maxVectors is the number of questions whose embeddings are kept.
	maxVectors = 256
	// sameQuestion is the cosine from which on two questions that say the same words are one.
	sameQuestion = 0.95
)

// A cache holds what Search has answered from one generation, in two levels: by the request as it is, and by the subject of the
// question, for the same words in other forms, another order or with other words of grammar ("how are errors reported",
// "reporting of an error"), if the embeddings agree as well. Questions that differ in a word of substance, a name or its capitals are never
// taken for one another, however near their embeddings are: near is what "create a user" and "delete a user" are.
//
// It has at most maxCached answers and about maxCachedBytes of texts, those that were asked for last. All methods may be called at once.
type cache struct {
	mu        sync.Mutex
	byRequest map[string]*list.Element
	bySubject map[string]*list.Element
	recent    list.List // of *cached, the most recent first
	bytes     int
	vectors   memory
}

// A cached answer. Its response is shared and never changed.
type cached struct {
	request, subject string
	vector           []float32 // of length 1; nil where only the request counts
	response         *Response
	bytes            int
}

func (c *cache) get(found map[string]*list.Element, key string) *cached {
	at := found[key]
	if at == nil {
		return nil
	}
	c.recent.MoveToFront(at)
	return at.Value.(*cached)
}

// exact is the answer to the same request.
func (c *cache) exact(request string) *Response {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found := c.get(c.byRequest, request); found != nil {
		return found.response
	}
	return nil
}

// near is the answer to a question on the same subject with almost the same embedding.
func (c *cache) near(subject string, vector []float32) *Response {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found := c.get(c.bySubject, subject); found != nil && len(found.vector) == len(vector) && dot(found.vector, vector) >= sameQuestion {
		return found.response
	}
	return nil
}

// put keeps an answer; the subject is "" where only the request counts.
func (c *cache) put(request, subject string, vector []float32, r *Response) {
	entry := &cached{request, subject, vector, r, sizeOf(r) + len(request) + len(subject) + 4*len(vector)}
	if entry.bytes > maxCachedBytes/4 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byRequest == nil {
		c.byRequest, c.bySubject = map[string]*list.Element{}, map[string]*list.Element{}
	}
	if old := c.byRequest[request]; old != nil {
		c.drop(old)
	}
	at := c.recent.PushFront(entry)
	c.byRequest[request] = at
	if subject != "" {
		c.bySubject[subject] = at
	}
	for c.bytes += entry.bytes; c.recent.Len() > maxCached || c.bytes > maxCachedBytes; {
		c.drop(c.recent.Back())
	}
}

func (c *cache) drop(at *list.Element) {
	entry := c.recent.Remove(at).(*cached)
	c.bytes -= entry.bytes
	delete(c.byRequest, entry.request)
	if c.bySubject[entry.subject] == at {
		delete(c.bySubject, entry.subject)
	}
}

// sizeOf is about the memory of the texts of an answer.
func sizeOf(r *Response) int {
	const each = 1024 // metadata and the like
	n := len(r.Query)
	for i := range r.Results {
		h := &r.Results[i]
		n += each + len(h.Chunk.Text)
		for _, piece := range h.Highlights {
			n += len(piece.Text) + 40*len(piece.Matches)
		}
		if h.Context != nil {
			n += len(h.Context.Text)
		}
		for _, e := range h.Excerpts {
			n += len(e.Text)
		}
	}
	return n
}

// A memory keeps the embeddings of questions, some of those asked last.
type memory struct {
	mu      sync.Mutex
	vectors map[string][]float32
	order   []string
}

func (m *memory) get(question string) []float32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.vectors[question]
}

func (m *memory) put(question string, vector []float32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.vectors == nil {
		m.vectors = map[string][]float32{}
	}
	if m.vectors[question] == nil {
		m.order = append(m.order, question)
	}
	m.vectors[question] = vector
	if len(m.order) > maxVectors {
		delete(m.vectors, m.order[0])
		m.order = slices.Clone(m.order[1:])
	}
}

// Search answers a question in words, or finds what is like a place. Several topics are asked one by one, and a chunk
// found by more than one keeps its higher score.
//
// Answers are kept in memory and given again for the same question, and for one that says the same in other words of grammar and as
// near a meaning (a cosine of 0.95), under the same filters; a new generation is a new Index.
//
// Where the service that embeds questions does not answer, or the question's vector has no direction, a question in mode Auto is answered by
// its words, with a Warning.
func (x *Index) Search(ctx context.Context, req Request) (*Response, error) {
	response, err := x.remembered(ctx, req)
	if !embed.IsUnreachable(err) && !errors.Is(err, embed.ErrNoDirection) || req.Mode != "" && req.Mode != Auto {
		return response, err
	}
	why := err
	req.Mode = Keyword
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
func (x *Index) remembered(ctx context.Context, req Request) (response *Response, err error) {
	defer x.guard(&err)()
	start := time.Now()
	if req.Limit < 0 || req.Limit > MaxLimit {
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
func again(r *Response, query string, start time.Time) *Response {
	own := *r
	own.Query = query
	own.Results = slices.Clone(r.Results)
	own.finish(start)
	return &own
}

func requestKey(req Request) string {
	data, err := json.Marshal(req)
	if err != nil {
		return fmt.Sprintf("%#v", req) // no Request is like that
	}
	return string(data)
}

// oneQuestion is the question, if there is just one and its answer depends on its embedding.
func (x *Index) oneQuestion(req Request) (string, bool) {
	if req.Like != "" || len(req.Queries) != 1 || req.Mode == Keyword || x.embedder == nil {
		return "", false
	}
	topic := strings.TrimSpace(req.Queries[0])
	return topic, topic != "" && wordsOfSubstance(topic) <= longWords && (req.Mode != "" && req.Mode != Auto || !isIdentifier(topic))
}

// subject names the question by its words of substance, in order and by their stems, with all else that the answer depends on; names are as they are
// written. "" stands for a question of which no other is to be taken for.
func (x *Index) subject(ctx context.Context, topic string, req Request) (string, []float32, error) {
	mode, err := x.mode(ctx, topic, req.Mode)
	if err != nil || mode == Keyword {
		return "", nil, nil // search tells
	}
	var words []string
	for _, w := range token.Words(topic) {
		written := topic[w.Start:w.End]
		switch {
		case isFunctionWord(w.Term):
		case isLetters(written):
			words = append(words, stem(written))
		default:
			words = append(words, "="+written)
		}
	}
	if len(words) == 0 || len(words) > maxQuestionTerms {
		return "", nil, nil
	}
	vector, err := x.embedded(ctx, topic)
	if err != nil {
		return "", nil, err
	}
	unit, ok := index.Unit(vector)
	if !ok {
		return "", nil, nil
	}
	slices.Sort(words)
	req.Queries = words
	return requestKey(req), unit, nil
}

// embedded is the embedding of a question.
func (x *Index) embedded(ctx context.Context, topic string) ([]float32, error) {
	if v := x.cache.vectors.get(topic); v != nil {
		return v, nil
	}
	vectors, err := x.embedder.Embed(ctx, embed.Query, []string{topic})
	if err != nil {
		return nil, fmt.Errorf("embed question: %w", err)
	}
	if len(vectors) != 1 {
		return nil, hint.Wrap(fmt.Errorf("embed question: model %s gives %d embeddings for one text", x.embedder.Model(), len(vectors)), "make the index again with another model")
	}
	if _, ok := record.Embedding(vectors[0]).Length(); !ok {
		return nil, fmt.Errorf("embed question: %w", embed.ErrNoDirection)
	}
	if len(topic) <= maxRemembered {
		x.cache.vectors.put(topic, vectors[0])
	}
	return vectors[0], nil
}

// maxRemembered is the length of the longest question whose embedding is kept, in bytes.
const maxRemembered = 1000
