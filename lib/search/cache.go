package search

import (
	"cmp"
	"container/list"
	"slices"
	"sync"

	"cortex/lib/search/answer"
	"cortex/lib/search/cosine"
)

// Bounds of the cache of one index.
const (
	maxCached = 256
	// DefaultAnswers is the size in bytes of the answers that an index keeps if Making does not set it.
	DefaultAnswers = 16 << 20
	// maxVectors is the number of questions whose embeddings are kept.
	maxVectors = 256
	// sameQuestion is the cosine from which on two questions with the same subject count as the same question.
	sameQuestion = 0.95
)

// A cache holds the answers of Search for one generation. It finds an answer in two ways: by the whole request, and by
// the subject of the question, that is by the same words in other forms, in another order or with other function words
// ("how are errors reported", "reporting of an error"), if the embeddings are close as well. Questions that differ in a
// word of substance, a name or its capitals never share an answer, however close their embeddings are: "create a user"
// and "delete a user" are close.
//
// It holds at most maxCached answers and about most bytes of texts, and drops the least recently used. All methods may
// be called concurrently.
type cache struct {
	mu        sync.Mutex
	byRequest map[string]*list.Element
	bySubject map[string]*list.Element
	recent    list.List // of *cached, the most recent first
	bytes     int
	most      int // in bytes; 0 means DefaultAnswers
	vectors   memory
}

// A cached is an entry of the cache. Its response is shared and must not be changed.
type cached struct {
	request, subject string
	vector           []float32 // unit vector; nil if the answer is found by its request only
	response         *answer.Response
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

// exact returns the answer to the same request, nil if there is none.
func (c *cache) exact(request string) *answer.Response {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found := c.get(c.byRequest, request); found != nil {
		return found.response
	}
	return nil
}

// near returns the answer to a question with the same subject and almost the same embedding, nil if there is none.
func (c *cache) near(subject string, vector []float32) *answer.Response {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found := c.get(c.bySubject, subject); found != nil && len(found.vector) == len(vector) && cosine.Dot(found.vector, vector) >= sameQuestion {
		return found.response
	}
	return nil
}

// put keeps an answer. With the subject "", the answer is found by its request only. An answer of more than a fourth of
// the cache is not kept.
func (c *cache) put(request, subject string, vector []float32, r *answer.Response) {
	entry := &cached{request, subject, vector, r, sizeOf(r) + len(request) + len(subject) + 4*len(vector)}
	most := cmp.Or(c.most, DefaultAnswers)
	if entry.bytes > most/4 {
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
	for c.bytes += entry.bytes; c.recent.Len() > maxCached || c.bytes > most; {
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

// sizeOf estimates the memory of an answer in bytes.
func sizeOf(r *answer.Response) int {
	const (
		each       = 1024 // metadata and the like
		eachSymbol = 40
		eachPart   = 64
	)
	n := len(r.Query)
	for i := range r.Results {
		h := &r.Results[i]
		n += each + len(h.Chunk.Text) + h.LinesBytes
		for _, s := range h.Chunk.Metadata.Symbols {
			n += eachSymbol + len(s.Name)
		}
		for _, part := range h.Parts {
			n += eachPart + len(part.ID) + len(part.Title)
		}
		for _, use := range h.Uses {
			n += len(use.Text)
		}
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

// A memory keeps the embeddings of the last maxVectors questions.
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
