package embed

import (
	"bytes"
	"encoding/json"
	"fmt"

	"cortex/lib/embed/provider"
	"cortex/lib/record"
)

// A protocol encodes the requests to one kind of service and decodes its answers.
type protocol interface {
	// path returns the path of requests, relative to the endpoint.
	path() string
	encode(q *question) ([]byte, error)
	// decode returns the vectors of count texts, in order.
	decode(body []byte, count int) (reply, error)
}

// A question is one request to a service.
type question struct {
	model string
	// dimensions is the length of vectors that the user asked for, 0 if none.
	dimensions int
	mode       provider.Mode
	texts      []string
	// cut allows the service to cut texts that are too long for it.
	cut bool
	// plain says that the vectors are requested as numbers, not as base64.
	plain bool
	// attempts is the greatest number of attempts.
	attempts int
	// probe says that the text is one that any service can embed.
	probe bool
}

// A reply is what a service answered.
type reply struct {
	vectors []record.Embedding
	tokens  int    // as the service counted them; 0 if it does not say
	model   string // that the service used; "" if it does not say
}

// A list decodes a JSON list of at most most items. Package encoding/json would allocate as much as a service sends.
type list[T any] struct {
	items []T
	most  int
}

// UnmarshalJSON implements json.Unmarshaler.
func (l *list[T]) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return fmt.Errorf("expected a list of vectors, not %.20q", data)
	}
	l.items = make([]T, 0, l.most)
	for d.More() {
		if len(l.items) == l.most {
			return fmt.Errorf("more than %d vectors for %d texts", l.most, l.most)
		}
		var item T
		if err := d.Decode(&item); err != nil {
			return err
		}
		l.items = append(l.items, item)
	}
	return nil
}

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
