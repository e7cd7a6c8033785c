package embed

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"cortex/lib/record"
)

// The provider ollama asks an Ollama server by POST /api/embed (Ollama's API documentation,
// "Generate Embeddings"). The environment variable OLLAMA_HOST is what it is for Ollama's
// own client.
const (
	ollamaModel     = "nomic-embed-text"
	ollamaEndpoint  = "http://127.0.0.1:11434"
	ollamaKeepAlive = "10m" // between the batches of one run the model stays in memory
)

func openOllama(ctx context.Context, cfg Config) (Embedder, error) {
	return asEmbedder(openRemote(ctx, ollamaService(), cfg))
}

func ollamaService() service {
	return service{
		name: "ollama", protocol: ollama{}, endpoint: ollamaEndpoint, variable: "OLLAMA_HOST", model: ollamaModel,
		// A model on a processor needs seconds for a batch, and minutes to be loaded.
		batchSize: 32, concurrency: 2, timeout: 5 * time.Minute, cuts: true,
		start: "start it with ollama serve, or set embedding.endpoint to where it runs",
		pull:  "fetch the model with ollama pull MODEL",
	}
}

// asEmbedder keeps a nil *remote from becoming an Embedder.
func asEmbedder(r *remote, err error) (Embedder, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
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

// checkCount makes sure that there is a vector for each of count texts.
func checkCount(vectors []record.Embedding, count int) error {
	if len(vectors) != count {
		return fmt.Errorf("%d vectors for %d texts", len(vectors), count)
	}
	for i, v := range vectors {
		if len(v) == 0 {
			return fmt.Errorf("vector %d is empty", i)
		}
		if len(v) > maxDimensions {
			return fmt.Errorf("vector %d has %d dimensions", i, len(v))
		}
	}
	return nil
}

// errorMessage finds the message in the body of an error, and its code if it has one: OpenAI writes
// {"error":{"message","code"}}, Ollama and others {"error":"..."}, {"message"} or {"detail"}.
func errorMessage(body []byte) (message, code string) {
	var answer struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return string(body), ""
	}
	for _, raw := range []json.RawMessage{answer.Error, answer.Detail} {
		var inner struct {
			Message string          `json:"message"`
			Code    json.RawMessage `json:"code"`
		}
		if json.Unmarshal(raw, &message) == nil && message != "" {
			return message, ""
		}
		if err := json.Unmarshal(raw, &inner); err == nil && inner.Message != "" {
			if json.Unmarshal(inner.Code, &code) != nil {
				code = "" // a number says no more than the status
			}
			return inner.Message, code
		}
	}
	if answer.Message == "" {
		return string(body), ""
	}
	return answer.Message, ""
}
