package embed

import (
	"context"
	"encoding/json"
	"time"

	"cortex/lib/embed/provider"
	"cortex/lib/record"
)

// The provider ollama asks an Ollama server by POST /api/embed (Ollama's API documentation, "Generate Embeddings"). The
// environment variable OLLAMA_HOST has the same meaning as for Ollama's own client.
const (
	ollamaModel     = "nomic-embed-text"
	ollamaEndpoint  = "http://127.0.0.1:11434"
	ollamaKeepAlive = "10m" // keeps the model in memory between the batches of a run
)

func openOllama(ctx context.Context, cfg provider.Config) (provider.Embedder, error) {
	return asEmbedder(openRemote(ctx, ollamaService(), cfg))
}

func ollamaService() service {
	return service{
		name: "ollama", protocol: ollama{}, endpoint: ollamaEndpoint, variable: "OLLAMA_HOST", model: ollamaModel,
		// Without a GPU, a model needs seconds for a batch, and minutes to load.
		batchSize: 32, concurrency: 2, timeout: 5 * time.Minute, cuts: true,
		start: "start it with ollama serve, or set embedding.endpoint to where it runs",
		pull:  "fetch the model with ollama pull MODEL",
	}
}

type ollama struct{}

func (ollama) path() string { return "api/embed" }

func (ollama) encode(q *question) ([]byte, error) {
	return json.Marshal(struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Truncate   bool     `json:"truncate"`
		Dimensions int      `json:"dimensions,omitempty"`
		KeepAlive  string   `json:"keep_alive"`
	}{q.model, q.texts, q.cut, q.dimensions, ollamaKeepAlive})
}

func (ollama) decode(body []byte, count int) (reply, error) {
	var answer struct {
		Embeddings      list[record.Embedding] `json:"embeddings"`
		PromptEvalCount int                    `json:"prompt_eval_count"`
	}
	answer.Embeddings.most = count
	if err := json.Unmarshal(body, &answer); err != nil {
		return reply{}, err
	}
	if err := checkCount(answer.Embeddings.items, count); err != nil {
		return reply{}, err
	}
	return reply{vectors: answer.Embeddings.items, tokens: answer.PromptEvalCount}, nil
}
