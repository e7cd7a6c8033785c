// Package provider defines what an embedder is: the interface Embedder, its configuration and its errors. Each provider implements it; package embed has the table of providers.
package provider

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Mode says what a text is: models may treat what is searched and what is asked
// differently.
type Mode int

const (
	// Passage is a text to be found. Its first line is its title, as in Text.
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

// An Embedder makes vectors. It may be used by several goroutines at once.
type Embedder interface {
	// Model identifies all that shapes the vectors: vectors of equal models can be compared.
	Model() string
	// Dimensions is the length of every vector.
	Dimensions() int
	// Card says what there is to know about the model.
	Card() Card
	// Embed returns one vector for each text, in order. Each has length 1, also where
	// the text is empty, so that the dot product of two is their cosine.
	//
	// If only some of the texts are at fault, the error is a *PartialError and the vectors
	// of the others are returned with it.
	Embed(ctx context.Context, mode Mode, texts []string) ([][]float32, error)
	// Close frees what the embedder holds.
	Close() error
}

// A Card describes a model to people and to Run. The zero value says nothing.
type Card struct {
	// Licence is an SPDX identifier, or a sentence; "" if it is not known here.
	Licence string
	// Text is the model's card or says where to read it, in any number of lines.
	Text string
	// Endpoint is where texts are sent, without credentials; "" for a model in this process.
	Endpoint string
	// QueryPrefix and PassagePrefix are what the model wants before a text of either mode, where
	// the user sets nothing else. Open puts them there; Embed must not.
	QueryPrefix, PassagePrefix string
	// MaxTokens is how much of a text the model reads; 0 is all.
	MaxTokens int
	// BatchSize is the number of texts that Embed likes at once; 0 is DefaultBatchSize.
	BatchSize int
	// Concurrency is the number of calls of Embed that should be under way at once; 0
	// is one for each worker.
	Concurrency int
	// Near is the cosine from which on a passage is near to a question; 0 if that was not measured.
	Near float64
	// Costly says that vectors are worth keeping from one run to the next.
	Costly bool
}

// A PartialError says which texts of a batch have no vector, by their index, and why.
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

// Unwrap gives the errors without order.
func (e *PartialError) Unwrap() []error {
	var all []error
	for _, err := range e.Failed {
		all = append(all, err)
	}
	return all
}

// ErrNoDirection is why a text has no vector if what the model makes of it has no direction (record.Embedding.Length): nothing could be
// like it. That is the text's fault.
var ErrNoDirection = errors.New("the vector has no direction: it is all zeros, or not finite")

// An Unreachable is the cause of errors of a provider whose service does not answer. A search
// can do without it; another attempt may do better.
type Unreachable struct {
	Provider string
	// Endpoint holds no credentials.
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

// Config chooses an embedder. Zero values leave the choice to this package and to the provider.
type Config struct {
	// Provider names a row of the table of providers.
	Provider string
	// Model is the provider's name of a model, or the folder of one.
	Model string
	// Endpoint is the address of a provider that is a service.
	Endpoint string
	// Dimensions is the length of the vectors.
	Dimensions int
	// QueryPrefix and PassagePrefix stand before the texts of either mode; nil is the model's own.
	QueryPrefix, PassagePrefix *string
	// BatchSize is the number of texts in one request.
	BatchSize int
	// Concurrency is the number of requests under way at once.
	Concurrency int
	// MaxTokens is about where longer texts are cut.
	MaxTokens int
	// Timeout bounds one request.
	Timeout time.Duration
	// Price is what a million tokens cost, in any currency.
	Price float64
	// OnError is what becomes of chunks that can't be embedded: OnErrorStop or OnErrorSkip.
	OnError string
}

// The values of Config.OnError.
const (
	OnErrorStop = "stop" // the run ends; also if empty
	OnErrorSkip = "skip" // they stay without embedding

	// OnErrorAnswer is OpenModel's: a question is answered soon or not at all.
	OnErrorAnswer = "answer"
)

const Remake = "make the index again with cortex-parse . | cortex-chunk | cortex-embed | cortex-store"
