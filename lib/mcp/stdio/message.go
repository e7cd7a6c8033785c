package stdio

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"regexp"

	protocol "github.com/mark3labs/mcp-go/mcp"
)

// A Message is a line of the input.
type Message struct {
	Line []byte
	// tooLong says that the message exceeds MaxMessage: Line is only its beginning, and tail its end.
	tooLong bool
	tail    []byte
	// ID is the identifier as written, nil if there is none. Method is the requested method.
	ID     json.RawMessage
	Method string
	// weight is the part of Stream.room that the message takes, in bytes.
	weight int64
}

// An Envelope is the part of a message that is needed to pass it on.
type Envelope struct {
	// ID is the identifier as written.
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

var (
	errBatch = errors.New("batches are not supported; send each message by itself")
	errID    = errors.New("id: expected a string or a number")
)

// Open returns the envelope of a message. The error says why the message is no request, although it is JSON. Everything
// else that is wrong is reported by the library, which gets the message next; the envelope is then empty.
func Open(message []byte) (Envelope, error) {
	var e Envelope
	if json.Unmarshal(message, &e) != nil {
		if bytes.HasPrefix(bytes.TrimSpace(message), []byte("[")) && json.Valid(message) {
			return Envelope{}, errBatch
		}
		return Envelope{}, nil
	}
	if len(e.ID) > 0 && bytes.IndexByte([]byte("{[tf"), e.ID[0]) >= 0 {
		return Envelope{}, errID
	}
	return e, nil
}

// isRequest reports whether the message has an identifier, and so is to be answered.
func (e *Envelope) isRequest() bool { return len(e.ID) > 0 && string(e.ID) != "null" }

// tokenKey is the context key of a request's progress token.
type tokenKey struct{}

// WithToken adds the progress token of the request to ctx, if there is one.
func (e *Envelope) WithToken(ctx context.Context) context.Context {
	var p struct {
		Meta struct {
			ProgressToken json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	}
	if json.Unmarshal(e.Params, &p) != nil || len(p.Meta.ProgressToken) == 0 || bytes.IndexByte([]byte("{[tfn"), p.Meta.ProgressToken[0]) >= 0 {
		return ctx
	}
	return context.WithValue(ctx, tokenKey{}, p.Meta.ProgressToken)
}

// Token returns the progress token of the request as the client wrote it, nil if there is none. The library would read
// a number as float64. The token tells the client which request progress belongs to.
func Token(ctx context.Context) json.RawMessage {
	token, _ := ctx.Value(tokenKey{}).(json.RawMessage)
	return token
}

// Changes reports whether the library writes the identifier in another way than the client. It reads numbers as
// float64, which changes those beyond 2^53.
func (e *Envelope) Changes() bool {
	var id any
	if !e.isRequest() || json.Unmarshal(e.ID, &id) != nil {
		return false
	}
	written, err := json.Marshal(id)
	return err != nil || !bytes.Equal(written, e.ID)
}

// A responseTo and an errorTo are responses of the library with the identifier as the client wrote it.
type (
	responseTo struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result"`
	}
	errorTo struct {
		JSONRPC string                       `json:"jsonrpc"`
		ID      json.RawMessage              `json:"id"`
		Error   protocol.JSONRPCErrorDetails `json:"error"`
	}
)

// Encode returns the response to the request id as JSON, with the identifier byte for byte: a process that forwards
// calls finds the call of an answer by it.
func Encode(id json.RawMessage, response protocol.JSONRPCMessage) ([]byte, error) {
	if id != nil {
		switch r := response.(type) {
		case protocol.JSONRPCResponse:
			response = responseTo{r.JSONRPC, id, r.Result}
		case protocol.JSONRPCError:
			response = errorTo{r.JSONRPC, id, r.Error}
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(response)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// idWithin is the number of bytes at each end of an overlong message that are searched for its identifier. Clients
// write the identifier either before or after the parameters.
const idWithin = 512

// These patterns find the identifier of an overlong message if it is the first or last member, apart from members with
// short strings. Members just before the closing brace at the end of the message belong to the outermost object.
const (
	idMember    = `"id"\s*:\s*("[^"\\]{1,100}"|-?[0-9]{1,18})\s*`
	shortMember = `"[a-z]{1,20}"\s*:\s*"[^"\\]{0,100}"\s*`
)

var (
	idAtStart = regexp.MustCompile(`^\{\s*(?:` + shortMember + `,\s*)*` + idMember + `,`)
	idAtEnd   = regexp.MustCompile(`[,{]\s*` + idMember + `(?:,\s*` + shortMember + `)*\}$`)
)

// findID returns the identifier of an overlong message, so that the client gets an answer; nil if it is not found. Of
// two identifiers the last counts, as in other messages.
func (m *Message) findID() json.RawMessage {
	for _, end := range []struct {
		text []byte
		id   *regexp.Regexp
	}{{m.tail, idAtEnd}, {m.Line, idAtStart}} {
		if found := end.id.FindSubmatch(end.text); found != nil {
			return json.RawMessage(found[1])
		}
	}
	return nil
}
