package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"strings"
	"time"

	"cortex/lib/embed"
	"cortex/lib/record"
)

// decode decodes the body of a request into v. If strict is set, fields that v does not have are an error.
func decode(r *http.Request, v any, strict bool) error {
	// Web pages can send other types across origins without permission.
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return &fault{http.StatusUnsupportedMediaType, "expected Content-Type: application/json"}
	}
	d := json.NewDecoder(r.Body)
	if strict {
		d.DisallowUnknownFields()
	}
	err := d.Decode(v)
	if err == nil {
		if _, err = d.Token(); err == io.EOF {
			return nil
		}
		err = errors.New("more than one value")
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return err
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return bad("read request: it breaks off")
	}
	return bad("read request: %s", strings.TrimPrefix(err.Error(), "json: "))
}

// An input is one text or a list of texts.
type input []string

func (in *input) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		*in = input{""}
		return json.Unmarshal(data, &(*in)[0])
	}
	var list texts
	if err := json.Unmarshal(data, &list); err != nil {
		if errors.Is(err, errTooManyTexts) {
			return err
		}
		return errors.New("input: expected a text or a list of texts; tokens are not taken")
	}
	*in = input(list)
	return nil
}

// texts is a list of at most maxTexts texts. Package encoding/json would allocate as much as a hostile request
// contains.
type texts []string

var errTooManyTexts = fmt.Errorf("more than %d texts", maxTexts)

func (t *texts) UnmarshalJSON(data []byte) error {
	*t = nil
	if string(data) == "null" {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if first, err := d.Token(); err != nil || first != json.Delim('[') {
		return errors.New("expected a list of texts")
	}
	for d.More() {
		if len(*t) == maxTexts {
			return errTooManyTexts
		}
		var text *string
		if err := d.Decode(&text); err != nil || text == nil {
			return fmt.Errorf("text %d is not a string", len(*t))
		}
		*t = append(*t, *text)
	}
	return nil
}

// A vector is encoded as a list of numbers or as base64.
type vector struct {
	values []float32
	base64 bool
}

func (v vector) MarshalJSON() ([]byte, error) {
	if v.base64 {
		return record.Embedding(v.values).MarshalJSON()
	}
	return json.Marshal(v.values)
}

func isBase64(encoding string) (bool, error) {
	switch encoding {
	case "", "float":
		return false, nil
	case "base64":
		return true, nil
	}
	return false, bad("encoding %.40q: expected float or base64", encoding)
}

// checkModel refuses the name of another model: a client would store the vectors under the wrong name.
func (s *server) checkModel(name string) error {
	own := s.embedder.Model()
	if name == "" || name == own || name == own+":latest" {
		return nil
	}
	return &fault{http.StatusNotFound, fmt.Sprintf("model %.100q not found, this server has %q", name, own)}
}

type embedRequest struct {
	Texts      texts  `json:"texts"`
	Mode       string `json:"mode"`
	Model      string `json:"model"`
	Dimensions int    `json:"dimensions"`
	Encoding   string `json:"encoding"`
}

type embedAnswer struct {
	Model      string   `json:"model"`
	Dimensions int      `json:"dimensions"`
	Embeddings []vector `json:"embeddings"`
	Tokens     int      `json:"tokens"`
}

// embed answers requests in Cortex's own protocol.
func (s *server) embed(r *http.Request) (any, error) {
	var q embedRequest
	if err := decode(r, &q, true); err != nil {
		return nil, err
	}
	mode, err := parseMode(q.Mode)
	if err != nil {
		return nil, err
	}
	base64, err := isBase64(q.Encoding)
	if err != nil {
		return nil, err
	}
	if err := s.checkModel(q.Model); err != nil {
		return nil, err
	}
	if q.Dimensions != 0 && q.Dimensions != s.embedder.Dimensions() {
		return nil, bad("dimensions: the model %s has %d", s.embedder.Model(), s.embedder.Dimensions())
	}
	vectors, tokens, err := s.vectors(r.Context(), mode, q.Texts)
	if err != nil {
		return nil, err
	}
	answer := embedAnswer{Model: s.embedder.Model(), Dimensions: s.embedder.Dimensions(), Tokens: tokens}
	for _, v := range vectors {
		answer.Embeddings = append(answer.Embeddings, vector{v, base64})
	}
	return answer, nil
}

func parseMode(text string) (embed.Mode, error) {
	switch text {
	case "", embed.Passage.String():
		return embed.Passage, nil
	case embed.Query.String():
		return embed.Query, nil
	}
	return 0, bad("mode %.40q: expected query or passage", text)
}

type openaiRequest struct {
	Model          string `json:"model"`
	Input          input  `json:"input"`
	EncodingFormat string `json:"encoding_format"`
	Dimensions     int    `json:"dimensions"`
	// InputType is an extension of several compatible services, which tells questions from passages.
	InputType string `json:"input_type"`
}

type openaiItem struct {
	Object    string `json:"object"`
	Index     int    `json:"index"`
	Embedding vector `json:"embedding"`
}

type openaiUsage struct {
	PromptTokens int `json:"prompt_tokens"`
	TotalTokens  int `json:"total_tokens"`
}

type openaiAnswer struct {
	Object string       `json:"object"`
	Data   []openaiItem `json:"data"`
	Model  string       `json:"model"`
	Usage  openaiUsage  `json:"usage"`
}

func (s *server) openai(r *http.Request) (any, error) {
	var q openaiRequest
	if err := decode(r, &q, false); err != nil {
		return nil, err
	}
	base64, err := isBase64(q.EncodingFormat)
	if err != nil {
		return nil, err
	}
	if err := s.checkModel(q.Model); err != nil {
		return nil, err
	}
	mode := embed.Passage
	if q.InputType == "query" || q.InputType == "search_query" {
		mode = embed.Query
	}
	if err := s.checkShorter(q.Dimensions); err != nil {
		return nil, err
	}
	vectors, tokens, err := s.vectors(r.Context(), mode, q.Input)
	if err != nil {
		return nil, err
	}
	answer := openaiAnswer{Object: "list", Model: s.embedder.Model(), Usage: openaiUsage{tokens, tokens}}
	for i, v := range vectors {
		answer.Data = append(answer.Data, openaiItem{"embedding", i, vector{shorten(v, q.Dimensions), base64}})
	}
	return answer, nil
}

func (s *server) checkShorter(dims int) error {
	if own := s.embedder.Dimensions(); dims < 0 || dims > own {
		return bad("dimensions: expected 1 to %d, not %d", own, dims)
	}
	return nil
}

// shorten truncates a vector to dims components and scales it to length 1, as OpenAI's guide describes; 0 keeps all
// components.
func shorten(v []float32, dims int) []float32 {
	if dims == 0 || dims == len(v) {
		return v
	}
	short := make([]float32, dims)
	squares := 0.0
	for _, x := range v[:dims] {
		squares += float64(float64(x) * float64(x))
	}
	if squares == 0 {
		short[0] = 1
		return short
	}
	length := math.Sqrt(squares)
	for i, x := range v[:dims] {
		short[i] = float32(float64(x) / length)
	}
	return short
}

type ollamaRequest struct {
	Model      string `json:"model"`
	Input      input  `json:"input"`
	Truncate   *bool  `json:"truncate"`
	Dimensions int    `json:"dimensions"`
}

type ollamaAnswer struct {
	Model           string      `json:"model"`
	Embeddings      [][]float32 `json:"embeddings"`
	TotalDuration   int64       `json:"total_duration"` // nanoseconds
	LoadDuration    int64       `json:"load_duration"`
	PromptEvalCount int         `json:"prompt_eval_count"`
}

func (s *server) ollama(r *http.Request) (any, error) {
	begun := time.Now()
	var q ollamaRequest
	if err := decode(r, &q, false); err != nil {
		return nil, err
	}
	if err := s.checkModel(q.Model); err != nil {
		return nil, err
	}
	if err := s.checkShorter(q.Dimensions); err != nil {
		return nil, err
	}
	if most := s.opts.MaxTokens; most > 0 && (q.Truncate == nil || *q.Truncate) {
		for i, text := range q.Input {
			q.Input[i] = embed.CutTokens(text, most)
		}
	}
	vectors, tokens, err := s.vectors(r.Context(), embed.Passage, q.Input)
	if err != nil {
		return nil, err
	}
	answer := ollamaAnswer{Model: s.embedder.Model(), PromptEvalCount: tokens}
	for _, v := range vectors {
		answer.Embeddings = append(answer.Embeddings, shorten(v, q.Dimensions))
	}
	answer.TotalDuration = time.Since(begun).Nanoseconds()
	return answer, nil
}

type model struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
}

func (s *server) models(*http.Request) (any, error) {
	return struct {
		Object string  `json:"object"`
		Data   []model `json:"data"`
	}{"list", []model{{ID: s.embedder.Model(), Object: "model", OwnedBy: "cortex"}}}, nil
}

func (s *server) health(*http.Request) (any, error) {
	return struct {
		Status     string `json:"status"`
		Model      string `json:"model"`
		Dimensions int    `json:"dimensions"`
	}{"ok", s.embedder.Model(), s.embedder.Dimensions()}, nil
}

// plainFault returns the body of errors in Ollama's and Cortex's own protocols.
func plainFault(f *fault) any {
	return struct {
		Error string `json:"error"`
	}{f.message}
}

// openaiFault returns the body of errors in OpenAI's protocol.
func openaiFault(f *fault) any {
	kind := "invalid_request_error"
	if f.status >= 500 {
		kind = "server_error"
	}
	type inner struct {
		Message string  `json:"message"`
		Type    string  `json:"type"`
		Param   *string `json:"param"`
		Code    *string `json:"code"`
	}
	return struct {
		Error inner `json:"error"`
	}{inner{Message: f.message, Type: kind}}
}
