package embed

import (
	"encoding/json"
	"fmt"

	"cortex/lib/record"
)

// errorMessage returns the message in the body of an error, and its code if it has one. OpenAI writes
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
				code = "" // a number adds nothing to the status
			}
			return inner.Message, code
		}
	}
	if answer.Message == "" {
		return string(body), ""
	}
	return answer.Message, ""
}

// checkCount checks that there is a vector of a valid length for each of count texts.
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

const maxDimensions = 1 << 16
