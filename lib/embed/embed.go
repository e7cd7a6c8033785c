// Package embed turns texts into vectors: texts with similar meaning get vectors that are near to each other. It is the
// third stage of the pipeline: chunk records go in, and the same records with embeddings come out (run.go).
//
// embed.go has the table of providers; each provider has a file. Services share protocol.go, batch.go and remote.go;
// cached.go keeps their vectors. A store records the model that made its vectors, and a question must be embedded by
// the same model; OpenModel opens it.
package embed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cortex/lib/embed/builtin"
	"cortex/lib/embed/huggingface"
	"cortex/lib/embed/provider"
	"cortex/lib/hint"
)

// A row is a row of the table of providers.
type row struct {
	name string
	// summary describes the provider in one line.
	summary string
	// model is the model for an empty Config.Model; "" if the user must name one.
	model string
	// remote says that texts are sent to a service over a network.
	remote bool
	// open opens the embedder. It must not apply prefixes.
	open func(context.Context, provider.Config) (provider.Embedder, error)
	// made reports whether the provider can have made vectors with a model of this name, as a store records it, and
	// returns cfg with the values that the name contains.
	made func(model string, cfg provider.Config) (provider.Config, bool)
}

// providers is the table of providers; the first is the default.
func providers() []row {
	return []row{
		{name: builtin.Name, summary: "the model in this program: no network, no files", model: builtin.Model, open: builtin.Open, made: builtin.Made},
		{name: huggingface.Model2Vec, summary: "the folder of a static model, as potion has it", open: huggingface.OpenModel2Vec, made: huggingface.Made(huggingface.Model2Vec)},
		{name: huggingface.BERT, summary: "the folder of a BERT in ONNX, as BAAI/bge-small-en-v1.5 has it (built with -tags bert)", open: huggingface.OpenBERT, made: huggingface.Made(huggingface.BERT)},
		{name: "ollama", summary: "a model in Ollama", model: ollamaModel, remote: true, open: openOllama, made: madeBy("ollama")},
		{name: "openai", summary: "OpenAI, or any service with its protocol", model: openaiModel, remote: true, open: openOpenAI, made: madeBy("openai")},
		{name: "http", summary: "cortex-embed serve on another machine or in another process", remote: true, open: openHTTP, made: httpMade},
	}
}

// IsEarlier reports whether the model was built into an earlier version of Cortex. No question can be compared with its
// embeddings.
func IsEarlier(model string) bool { return builtin.IsEarlier(model) }

// IsRemote reports whether the provider with the name is a service.
func IsRemote(name string) bool {
	return slices.ContainsFunc(providers(), func(p row) bool { return p.name == name && p.remote })
}

// Open opens the embedder that cfg describes.
func Open(ctx context.Context, cfg provider.Config) (provider.Embedder, error) {
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

// OpenModel opens the embedder for questions to a store that was made with model. Values that the model's name contains
// override those of cfg.
//
// A provider that is a service is used only if cfg names it: a model's name, which may come from an untrusted
// repository, is not enough to open a connection.
func OpenModel(ctx context.Context, model string, cfg provider.Config) (provider.Embedder, error) {
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
		// Another provider, such as a server, may have a model that this machine lacks.
		if fault == nil {
			fault = err
		}
	}
	if fault != nil {
		return nil, fault
	}
	return nil, hint.Wrap(
		fmt.Errorf("the store was made with the embedding model %q, which this version does not know", model), provider.Remake)
}

// openModel opens the embedder of a store's model with the configuration own, which row.made returned.
func (p *row) openModel(ctx context.Context, model string, own, cfg provider.Config) (provider.Embedder, error) {
	if p.remote && cfg.Provider != p.name {
		return nil, hint.Wrap(fmt.Errorf("the store was made with the embedding model %q, and the provider %s is asked only where you choose it", model, p.name),
			fmt.Sprintf("add --provider %s, or put embedding: {provider: %s} into your own configuration", p.name, p.name))
	}
	own.OnError = provider.OnErrorAnswer
	e, err := p.open(ctx, own)
	if err != nil {
		return nil, err
	}
	if name, _ := cutPrefixMark(model); e.Model() != name && e.Model() != model {
		other := e.Model()
		return nil, errors.Join(hint.Wrap(
			fmt.Errorf("the store was made with the embedding model %q, but provider %s has %q", model, p.name, other),
			provider.Remake), e.Close())
	}
	return asModel(withPrefixes(e, cfg), model), nil
}

// CheckGiven returns an error if a field of given, the options of one request, has no effect on embedding questions for
// a store that was made with model ("" if it has no embeddings). cfg is the whole configuration, given included; fields
// that come from other places may have no effect, since they are for other stores.
func CheckGiven(model string, cfg, given provider.Config) error {
	asked := provider.Config{Provider: given.Provider, Model: given.Model, Endpoint: given.Endpoint, Dimensions: given.Dimensions}
	if asked == (provider.Config{}) {
		return nil
	}
	first := ""
	if model == "" {
		none := &row{}
		first = none.ineffective(model, provider.Config{}, asked)
	}
	for _, p := range providers() {
		name, _ := cutPrefixMark(model)
		own, ok := p.made(name, cfg)
		if !ok {
			continue
		}
		flag := p.ineffective(name, own, asked)
		if flag == "" {
			return nil
		}
		if first == "" || p.name == asked.Provider {
			first = flag
		}
	}
	switch {
	case first == "":
		return nil // no provider knows the model, which OpenModel reports
	case model == "":
		return hint.Wrap(fmt.Errorf("%s has no effect: the index has no embeddings", first), "leave it out; "+provider.Remake)
	}
	return hint.Wrap(fmt.Errorf("%s has no effect: the index was made with the embedding model %q, and questions are embedded by that alone", first, model),
		"leave it out, or index again with it: cortex-parse . | cortex-chunk | cortex-embed "+first+" | cortex-store")
}

// ineffective returns the first flag of given that has no effect on embedding questions by this provider for a model, "" if
// all have an effect. own is the configuration that row.made returned for the model.
func (p *row) ineffective(model string, own, given provider.Config) string {
	named, dims, _ := cutDimensions(own.Model)
	if dims = cmp.Or(own.Dimensions, dims); dims == 0 {
		// The name belongs to another provider, and contains the dimensions.
		for _, other := range providers() {
			if made, ok := other.made(model, provider.Config{}); ok && dims == 0 {
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
