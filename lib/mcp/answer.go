package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"cortex/lib/search"
	"cortex/lib/search/show"
)

// A form says how a response is to be written.
type form struct {
	// tokens bounds it as search.Response.Fit does.
	tokens int
	// stats asks for the state of the index.
	stats bool
	// text asks for text to be read, instead of JSON for programs.
	text bool
}

// The values of the argument format.
const (
	formatText = "text"
	formatJSON = "json"
)

func formOf(a *arguments) form {
	text := a.oneOf("format", []string{formatText, formatJSON}) != formatJSON
	return form{tokens: maxTokens(a, text), stats: a.flag("include_stats"), text: text}
}

// A reply is a response and, if it was asked for, the state of the index that gave it.
type reply struct {
	*search.Response
	Stats *stats `json:"stats,omitempty"`
}

// answer writes the response of that edition.
func (f form) answer(ctx context.Context, e *edition, response *search.Response) (string, error) {
	if f.text {
		text := show.Text(response, f.tokens)
		if !f.stats {
			return text, nil
		}
		stats, err := encode(e.stats(ctx))
		return text + "\nstats: " + stats, err
	}
	if f.stats {
		return answer(response, f.tokens, e.stats(ctx))
	}
	return answer(response, f.tokens, nil)
}

// answer is the JSON of the response within maxTokens; see search.Response.Fit.
func answer(response *search.Response, maxTokens int, s *stats) (string, error) {
	a := *response
	r := reply{&a, s}
	a.Results = make([]search.Hit, len(response.Results))
	for i, h := range response.Results {
		a.Results[i] = compact(h)
	}
	results := a.Results
	a.Query, a.Results = "", []search.Hit{}
	frame, err := encode(&r)
	if err != nil {
		return "", err
	}
	a.Query, a.Results = response.Query, results
	a.Fit(maxTokens, len(frame), func(h *search.Hit) int {
		one, encodeErr := encode(h)
		if encodeErr != nil {
			err = encodeErr
		}
		return len(one) + len(",")
	})
	if err != nil {
		return "", err
	}
	return encode(&r)
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
