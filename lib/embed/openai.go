package embed

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"cortex/lib/embed/provider"
	"cortex/lib/record"
)

// The provider openai asks OpenAI or a compatible service by POST embeddings (OpenAI's API reference, "Create
// embeddings"). The environment variables OPENAI_BASE_URL and OPENAI_API_KEY have the same meaning as for OpenAI's own
// clients; that key is sent to no other service.
const (
	openaiModel    = "text-embedding-3-small"
	openaiEndpoint = "https://api.openai.com/v1"

	// Limits from the API reference: texts and tokens of a request, tokens of a text. Since the number of tokens is
	// only estimated, openaiRequestTokens is below the documented limit.
	openaiTexts         = 2048
	openaiRequestTokens = 200_000
	openaiTextTokens    = 8192
)

func openOpenAI(ctx context.Context, cfg provider.Config) (provider.Embedder, error) {
	return asEmbedder(openRemote(ctx, openaiService(), cfg))
}

func openaiService() service {
	return service{
		name: "openai", protocol: openai{}, endpoint: openaiEndpoint, variable: "OPENAI_BASE_URL", keyVariable: "OPENAI_API_KEY", model: openaiModel,
		batchSize: 128, mostTexts: openaiTexts, batchTokens: openaiRequestTokens, maxTokens: openaiTextTokens, concurrency: 4, timeout: time.Minute,
		start: "check the network and embedding.endpoint",
		pull:  "set embedding.model to a model that the service has, and embedding.endpoint to its address up to /v1",
	}
}

type openai struct{}

func (openai) path() string { return "embeddings" }

func (openai) encode(q *question) ([]byte, error) {
	encoding := Base64
	if q.plain {
		encoding = Float
	}
	return json.Marshal(struct {
		Model          string   `json:"model"`
		Input          []string `json:"input"`
		EncodingFormat Encoding `json:"encoding_format"`
		Dimensions     int      `json:"dimensions,omitempty"`
	}{q.model, q.texts, encoding, q.dimensions})
}

// decode also accepts vectors as numbers, which some services always send.
func (openai) decode(body []byte, count int) (reply, error) {
	type item struct {
		Index     *int             `json:"index"`
		Embedding record.Embedding `json:"embedding"`
	}
	var answer struct {
		Data  list[item] `json:"data"`
		Usage struct {
			PromptTokens int `json:"prompt_tokens"`
			TotalTokens  int `json:"total_tokens"`
		} `json:"usage"`
	}
	answer.Data.most = count
	if err := json.Unmarshal(body, &answer); err != nil {
		return reply{}, err
	}
	if n := len(answer.Data.items); n != count {
		return reply{}, fmt.Errorf("%d vectors for %d texts", n, count)
	}
	vectors := make([]record.Embedding, count)
	for i, item := range answer.Data.items {
		at := i
		if item.Index != nil {
			at = *item.Index
		}
		if at < 0 || at >= count || vectors[at] != nil {
			return reply{}, fmt.Errorf("vector %d has the index %d", i, at)
		}
		vectors[at] = item.Embedding
	}
	if err := checkCount(vectors, count); err != nil {
		return reply{}, err
	}
	return reply{vectors: vectors, tokens: max(answer.Usage.PromptTokens, answer.Usage.TotalTokens)}, nil
}
