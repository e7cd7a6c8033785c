// Package provider defines what an embedder is: the interface Embedder, its configuration and its errors. Each provider
// implements it; package embed has the table of providers.
package provider

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Mode says whether a text is a passage or a question; models may embed the two differently.
type Mode int

const (
	// Passage is a text to be found. Its first line is its title, as embed.Text writes it.
	Passage Mode = iota
	// Query is a question.
	Query
)

func (m Mode) String() string {
	if m == Query {
		return "query"
	}
	return "passage"
}

// An Embedder computes vectors of texts. It is safe for concurrent use.
type Embedder interface {
	// Model identifies everything that determines the vectors: vectors of equal models can be compared.
	Model() string
	// Dimensions is the length of every vector.
	Dimensions() int
	// Card describes the model.
	Card() Card
	// Embed returns one vector for each text, in order. Each vector has length 1, even for an empty text, so that the
	// dot product of two is their cosine.
	//
	// If only some of the texts are at fault, the error is a *PartialError, and the vectors of the other texts are
	// returned with it.
	Embed(ctx context.Context, mode Mode, texts []string) ([][]float32, error)
	// Close releases the resources of the embedder.
	Close() error
}

// A Card describes a model to people and to embed.Run. Zero values stand for unknown.
type Card struct {
	// Licence is an SPDX identifier or a sentence; "" if it is not known.
	Licence string
	// Text is the model's card, or says where to read it, in any number of lines.
	Text string
	// Endpoint is where texts are sent, without credentials; "" for a model in this process.
	Endpoint string
	// QueryPrefix and PassagePrefix are the prefixes that the model requires for texts of either mode, unless the user
	// sets others. embed.Open applies them; Embed must not.
	QueryPrefix, PassagePrefix string
	// MaxTokens is the number of tokens of a text that the model reads; 0 stands for all.
	MaxTokens int
	// BatchSize is the best number of texts for one call of Embed; 0 stands for DefaultBatchSize.
	BatchSize int
	// Concurrency is the number of calls of Embed that should run at once; 0 stands for one for each worker.
	Concurrency int
	// Near is the least cosine of a passage that is near to a question; 0 if it was not measured.
	Near float64
	// Context is how much the mean vector of a file counts beside a chunk's own vector when search compares the chunk
	// with a question; 0 if the best value was not measured.
	Context float64
	// Costly says that vectors are worth keeping from one run to the next.
	Costly bool
}

// A PartialError has the errors of the texts of a batch that have no vector, by the index of the text.
type PartialError struct{ Failed map[int]error }

func (e *PartialError) Error() string {
	first := -1
	for i := range e.Failed {
		if first < 0 || i < first {
			first = i
		}
	}
	if len(e.Failed) == 1 {
		return e.Failed[first].Error()
	}
	return fmt.Sprintf("%d texts: %v", len(e.Failed), e.Failed[first])
}

// Unwrap returns the errors in any order.
func (e *PartialError) Unwrap() []error {
	var all []error
	for _, err := range e.Failed {
		all = append(all, err)
	}
	return all
}

// ErrNoDirection is the error of a text whose vector has no direction (record.Embedding.Length), so that nothing can be
// similar to it. The fault is the text's, not the service's.
var ErrNoDirection = errors.New("the vector has no direction: it is all zeros, or not finite")

// An Unreachable is the cause of errors of a provider whose service does not answer. A search can do without the
// service, and another attempt may succeed.
type Unreachable struct {
	Provider string
	// Endpoint contains no credentials.
	Endpoint string
	Err      error
}

func (e *Unreachable) Error() string {
	return fmt.Sprintf("reach the embedding provider %s at %s: %v", e.Provider, e.Endpoint, e.Err)
}

func (e *Unreachable) Unwrap() error { return e.Err }

// IsUnreachable reports whether the cause of err is that a provider's service does not answer.
func IsUnreachable(err error) bool {
	var u *Unreachable
	return errors.As(err, &u)
}

// Config selects and configures an embedder. Zero values stand for the defaults of package embed and the provider.
type Config struct {
	// Provider names a row of the table of providers.
	Provider string
	// Model is the provider's name of a model, or the folder of one.
	Model string
	// Endpoint is the address of the provider's service.
	Endpoint string
	// Dimensions is the length of the vectors.
	Dimensions int
	// QueryPrefix and PassagePrefix precede the texts of either mode; nil stands for the model's own prefixes.
	QueryPrefix, PassagePrefix *string
	// BatchSize is the number of texts in one request.
	BatchSize int
	// Concurrency is the number of requests at once.
	Concurrency int
	// MaxTokens is the approximate number of tokens after which texts are cut.
	MaxTokens int
	// Timeout bounds one request.
	Timeout time.Duration
	// Price is the price of a million tokens, in any currency.
	Price float64
	// OnError says what happens to chunks that cannot be embedded: OnErrorStop or OnErrorSkip.
	OnError string
}

// The values of Config.OnError.
const (
	OnErrorStop = "stop" // the run ends; the default
	OnErrorSkip = "skip" // the chunks stay without embedding

	// OnErrorAnswer is set by OpenModel: a question is answered soon or not at all.
	OnErrorAnswer = "answer"
)

const Remake = "make the index again with cortex-parse . | cortex-chunk | cortex-embed | cortex-store"
