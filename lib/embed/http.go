package embed

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode"

	"cortex/lib/embed/provider"
	"cortex/lib/record"
)

// The provider http asks cortex-embed serve, or another service with the same protocol:
//
//	POST /embed  {"texts": ["..."], "mode": "query" or "passage", "encoding": "base64"}
//	200          {"model": "NAME", "dimensions": N, "embeddings": ["base64 of little-endian float32" or [number...]], "tokens": N}
//
// The provider has no models of its own: a store records the name of the service's model, so any provider with the same
// model can search it.

func openHTTP(ctx context.Context, cfg provider.Config) (provider.Embedder, error) {
	return asEmbedder(openRemote(ctx, httpService(), cfg))
}

func httpService() service {
	return service{
		name: "http", protocol: embedProtocol{}, owns: true,
		batchSize: DefaultBatchSize, mostTexts: 2048, concurrency: 4, timeout: 2 * time.Minute,
		start: "start it with cortex-embed serve, and set embedding.endpoint to its address, such as http://127.0.0.1:8121",
		pull:  "set embedding.endpoint to the address of cortex-embed serve, without a path",
	}
}

// httpMade accepts any model if the user has chosen the provider, since the service may have it. Its row is the last
// one.
func httpMade(_ string, cfg provider.Config) (provider.Config, bool) {
	cfg.Model, cfg.Dimensions = "", 0
	return cfg, cfg.Provider == "http"
}

type embedProtocol struct{}

func (embedProtocol) path() string { return "embed" }

func (embedProtocol) encode(q *question) ([]byte, error) {
	return json.Marshal(struct {
		Texts      []string `json:"texts"`
		Mode       string   `json:"mode"`
		Model      string   `json:"model,omitempty"`
		Dimensions int      `json:"dimensions,omitempty"`
		Encoding   Encoding `json:"encoding"`
	}{q.texts, q.mode.String(), q.model, q.dimensions, Base64})
}

func (embedProtocol) decode(body []byte, count int) (reply, error) {
	var answer struct {
		Model      string                 `json:"model"`
		Embeddings list[record.Embedding] `json:"embeddings"`
		Tokens     int                    `json:"tokens"`
	}
	answer.Embeddings.most = count
	if err := json.Unmarshal(body, &answer); err != nil {
		return reply{}, err
	}
	// Every record of an index has the name.
	if answer.Model == "" || len(answer.Model) > 300 || strings.ContainsFunc(answer.Model, func(r rune) bool { return r == ' ' || !unicode.IsPrint(r) }) {
		return reply{}, errors.New("no name of a model")
	}
	if err := checkCount(answer.Embeddings.items, count); err != nil {
		return reply{}, err
	}
	return reply{vectors: answer.Embeddings.items, tokens: answer.Tokens, model: answer.Model}, nil
}
