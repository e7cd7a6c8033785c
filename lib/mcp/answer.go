package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"cortex/lib/search"
)

// answer is the JSON of the response within maxTokens; see search.Response.Fit.
func answer(response *search.Response, maxTokens int) (string, error) {
	a := *response
	a.Results = make([]search.Hit, len(response.Results))
	for i, h := range response.Results {
		a.Results[i] = compact(h)
	}
	frame := a
	frame.Query, frame.Results = "", []search.Hit{}
	text, err := encode(&frame)
	if err != nil {
		return "", err
	}
	a.Fit(maxTokens, len(text), func(h *search.Hit) int {
		one, encodeErr := encode(h)
		if encodeErr != nil {
			err = encodeErr
		}
		return len(one) + len(",")
	})
	if err != nil {
		return "", err
	}
	return encode(&a)
}

// compact leaves out of a hit what the answer would say twice: where the lines around it have all of its own, they take the place of its
// text, and context tells which they are.
func compact(h search.Hit) search.Hit {
	if h.Chunk.Tags == nil {
		h.Chunk.Tags = []string{}
	}
	if h.Highlights == nil {
		h.Highlights = []search.Highlight{}
	}
	m := &h.Chunk.Metadata
	if c := h.Context; c != nil && h.Parts == nil && c.StartLine <= m.StartLine && m.EndLine <= c.EndLine {
		h.Chunk.Text = c.Text
		h.Context = &search.Excerpt{StartLine: c.StartLine, EndLine: c.EndLine}
	}
	return h
}

// encode leaves <, > and & as they are: the answer is read by a model, not by a browser.
func encode(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", fmt.Errorf("encode answer: %w", err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}
