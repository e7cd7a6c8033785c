// Package embed turns texts into vectors that are near each other when the texts are
// about the same, and is the third stage of the pipeline: chunk records in, the same with
// embeddings out.
//
// Providers are rows of one table. A store remembers the model that made its
// vectors, and a query must be embedded by the same; OpenModel finds it.
package embed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cortex/lib/hint"
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

	// onErrorAnswer is OpenModel's: a question is answered soon or not at all.
	onErrorAnswer = "answer"
)

// A provider is one row of the table of providers.
type provider struct {
	name string
	// summary says in one line what it is.
	summary string
	// model is what it takes where Config.Model is empty; "" if it must be named.
	model string
	// remote says that texts leave the process, over a network.
	remote bool
	// open opens the embedder. It must not apply prefixes.
	open func(context.Context, Config) (Embedder, error)
	// made reports whether the model of a store is one of the provider's, and
	// returns cfg with what the model's name says.
	made func(model string, cfg Config) (Config, bool)
}

// providers is the table of providers; the first is the default.
func providers() []provider {
	return []provider{
		{name: builtinName, summary: "the model in this program: no network, no files", model: builtinModel, open: openBuiltin, made: builtinMade},
		{name: "hash", summary: "hashed words and pieces of words, for tests", model: hashName, open: openHash, made: hashMade},
		{name: model2vecName, summary: "the folder of a static model, as potion has it", open: openModel2Vec, made: folderMade(model2vecName)},
		{name: bertName, summary: "the folder of a BERT in ONNX, as BAAI/bge-small-en-v1.5 has it (built with -tags bert)", open: openBERT, made: folderMade(bertName)},
		{name: "ollama", summary: "a model in Ollama", model: ollamaModel, remote: true, open: openOllama, made: madeBy("ollama")},
		{name: "openai", summary: "OpenAI, or any service with its protocol", model: openaiModel, remote: true, open: openOpenAI, made: madeBy("openai")},
		{name: "http", summary: "cortex-embed serve on another machine or in another process", remote: true, open: openHTTP, made: httpMade},
	}
}

// IsRemote reports whether the provider with the name is a service.
func IsRemote(name string) bool {
	return slices.ContainsFunc(providers(), func(p provider) bool { return p.name == name && p.remote })
}

// Open opens the embedder that cfg describes.
func Open(ctx context.Context, cfg Config) (Embedder, error) {
	var names []string
	for _, p := range providers() {
		if cfg.Provider == "" || cfg.Provider == p.name {
			if cfg.Endpoint != "" && !p.remote {
				// The endpoint is not quoted: it may hold credentials.
				return nil, hint.Wrap(fmt.Errorf("embedding provider %s has no endpoint, but embedding.endpoint is set", p.name),
					"choose the embedding.provider that the endpoint belongs to")
			}
			e, err := p.open(ctx, cfg)
			if err != nil {
				return nil, err
			}
			return withPrefixes(e, cfg), nil
		}
		names = append(names, p.name)
	}
	return nil, hint.Wrap(
		fmt.Errorf("unknown embedding provider %q", cfg.Provider),
		"known providers: "+strings.Join(names, ", "))
}

// OpenModel opens the embedder that makes vectors of queries which can be compared with those of
// a store made with model. What the model's name says wins over cfg, which gives the rest.
//
// A provider that is a service is asked only if cfg names it: the name of a model, which may
// have come with a repository, is not enough to open a connection.
func OpenModel(ctx context.Context, model string, cfg Config) (Embedder, error) {
	var fault error
	for _, p := range providers() {
		name, _ := cutPrefixMark(model)
		own, ok := p.made(name, cfg)
		if !ok {
			continue
		}
		e, err := p.openModel(ctx, model, own, cfg)
		if err == nil {
			return e, nil
		}
		// A server may have a model that this machine lacks.
		if fault == nil {
			fault = err
		}
	}
	if fault != nil {
		return nil, fault
	}
	return nil, hint.Wrap(
		fmt.Errorf("the store was made with the embedding model %q, which this version does not know", model), remake)
}

// openModel opens the embedder of a store's model, which own describes.
func (p *provider) openModel(ctx context.Context, model string, own, cfg Config) (Embedder, error) {
	if p.remote && cfg.Provider != p.name {
		return nil, hint.Wrap(fmt.Errorf("the store was made with the embedding model %q, and the provider %s is asked only where you choose it", model, p.name),
			fmt.Sprintf("add --provider %s, or put embedding: {provider: %s} into your own configuration", p.name, p.name))
	}
	own.OnError = onErrorAnswer
	e, err := p.open(ctx, own)
	if err != nil {
		return nil, err
	}
	if name, _ := cutPrefixMark(model); e.Model() != name && e.Model() != model {
		other := e.Model()
		return nil, errors.Join(hint.Wrap(
			fmt.Errorf("the store was made with the embedding model %q, but provider %s has %q", model, p.name, other),
			remake), e.Close())
	}
	return asModel(withPrefixes(e, cfg), model), nil
}

// CheckGiven makes sure that whatever a user asks for with one request, the fields of given that are not zero, has a part in embedding questions
// for a store that was made with model, "" if it has no embeddings. cfg is all that is configured, given included; the rest of it is for
// stores to come.
func CheckGiven(model string, cfg, given Config) error {
	asked := Config{Provider: given.Provider, Model: given.Model, Endpoint: given.Endpoint, Dimensions: given.Dimensions}
	if asked == (Config{}) {
		return nil
	}
	first := ""
	if model == "" {
		none := &provider{}
		first = none.void(model, Config{}, asked)
	}
	for _, p := range providers() {
		name, _ := cutPrefixMark(model)
		own, ok := p.made(name, cfg)
		if !ok {
			continue
		}
		flag := p.void(name, own, asked)
		if flag == "" {
			return nil
		}
		if first == "" || p.name == asked.Provider {
			first = flag
		}
	}
	switch {
	case first == "":
		return nil // nobody knows the model, which OpenModel tells
	case model == "":
		return hint.Wrap(fmt.Errorf("%s has no effect: the index has no embeddings", first), "leave it out; "+remake)
	}
	return hint.Wrap(fmt.Errorf("%s has no effect: the index was made with the embedding model %q, and questions are embedded by that alone", first, model),
		"leave it out, or index again with it: cortex-parse . | cortex-chunk | cortex-embed "+first+" | cortex-store")
}

// void is the first flag of those that were given which has no part in embedding questions by the provider for a model, of which own says
// what its name tells; "" if all have.
func (p *provider) void(model string, own, given Config) string {
	named, dims, _ := cutDimensions(own.Model)
	if dims = cmp.Or(own.Dimensions, dims); dims == 0 {
		// The model is one of another provider's, which tells by its name.
		for _, other := range providers() {
			if made, ok := other.made(model, Config{}); ok && dims == 0 {
				_, dims, _ = cutDimensions(made.Model)
				dims = cmp.Or(made.Dimensions, dims)
			}
		}
	}
	switch {
	case given.Provider != "" && given.Provider != p.name:
		return "--provider " + given.Provider
	case given.Endpoint != "" && !p.remote:
		return "--endpoint"
	case given.Model != "" && given.Model != model && given.Model != own.Model && given.Model != named:
		return "--model " + given.Model
	case given.Dimensions != 0 && given.Dimensions != dims:
		return fmt.Sprintf("--dimensions %d", given.Dimensions)
	}
	return ""
}

const remake = "make the index again with cortex-parse . | cortex-chunk | cortex-embed | cortex-store"
