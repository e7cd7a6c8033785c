package schema

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"

	"cortex/lib/record"
	"cortex/lib/store/shard"
)

// factsKey precedes the facts when the columns head and facts of a file are joined to a line of a store.
const factsKey = `,"facts":`

// File decodes the column head of a file: its record without facts.
func File(head string) (*shard.File, error) {
	f, _, err := shard.DecodeHead([]byte(head))
	return f, err
}

// FileWithFacts is File with the facts, which take most of the time to decode.
func FileWithFacts(head, facts string) (*shard.File, error) {
	if facts != "" {
		head = head[:max(strings.LastIndexByte(head, '}'), 0)] + factsKey + facts + "}"
	}
	return shard.DecodeFile([]byte(head))
}

// A Vector is a row of embeddings.
type Vector struct {
	// Values are integers from -127 to 127; times Scale they are the components.
	Values []int8
	Scale  float32
	// Exact has the components as little-endian float32 if Values and Scale only approximate them; otherwise it is
	// empty.
	Exact []byte
}

// VectorOf returns the row of an embedding, nil if there is none.
func VectorOf(e record.Embedding) *Vector {
	if len(e) == 0 {
		return nil
	}
	q := record.Quantize(nil, e)
	v := &Vector{Values: q.Values, Scale: q.Scale}
	if !q.Exactly(e) {
		for _, x := range e {
			v.Exact = binary.LittleEndian.AppendUint32(v.Exact, math.Float32bits(x))
		}
	}
	return v
}

// Embedding returns the embedding of the row, nil if there is none.
func (v *Vector) Embedding() record.Embedding {
	switch {
	case v == nil:
		return nil
	case len(v.Exact) == 0:
		return record.Quantized{Scale: v.Scale, Values: v.Values}.Embedding()
	}
	e := make(record.Embedding, len(v.Exact)/4)
	for i := range e {
		e[i] = math.Float32frombits(binary.LittleEndian.Uint32(v.Exact[4*i:]))
	}
	return e
}

// Text returns the column embedding as text: "[1,-2,3]".
func (v *Vector) Text() string {
	b := []byte{'['}
	for i, x := range v.Values {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(x), 10)
	}
	return string(append(b, ']'))
}

// Values decodes the column embedding from text.
func Values(text string) ([]int8, error) {
	inner, ok := strings.CutPrefix(text, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !ok || !closed || inner == "" {
		return nil, errors.New("read embedding: it is no vector")
	}
	values := make([]int8, 0, strings.Count(inner, ",")+1)
	for part := range strings.SplitSeq(inner, ",") {
		n, negative := 0, false
		if part, negative = strings.CutPrefix(part, "-"); part == "" || len(part) > 3 {
			return nil, errors.New("read embedding: it has other components than the writer gave it")
		}
		for _, c := range []byte(part) {
			if c < '0' || c > '9' {
				return nil, errors.New("read embedding: it has other components than the writer gave it")
			}
			n = 10*n + int(c-'0')
		}
		if negative {
			n = -n
		}
		if n < -127 || n > 127 {
			return nil, errors.New("read embedding: it has other components than the writer gave it")
		}
		values = append(values, int8(n))
	}
	return values, nil
}

// SymbolsText returns the column symbols: a JSON array of [name, type, line].
func SymbolsText(symbols []record.SymbolRef) (string, error) {
	list := make([][3]any, len(symbols))
	for i, s := range symbols {
		list[i] = [3]any{s.Name, s.Type, s.Line}
	}
	text, err := json.Marshal(list)
	return string(text), err
}

// Symbols decodes the column symbols.
func Symbols(text []byte) ([]record.SymbolRef, error) {
	if bytes.Equal(text, []byte("[]")) {
		return nil, nil
	}
	var list [][3]json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, err
	}
	symbols := make([]record.SymbolRef, len(list))
	for i, s := range list {
		for k, to := range []any{&symbols[i].Name, &symbols[i].Type, &symbols[i].Line} {
			if err := json.Unmarshal(s[k], to); err != nil {
				return nil, err
			}
		}
	}
	return symbols, nil
}

// A Chunk has the columns of a row of chunks from which a record is decoded.
type Chunk struct {
	Text, Record string
	// Created and Updated are times in the format of records.
	Created, Updated string
}

// ChunkOf returns the row of a chunk of the file. PostgreSQL text cannot contain zero bytes: if the chunk's text has
// one, Record has the text, and Text has U+FFFD in its place.
func ChunkOf(f *shard.File, c *record.Chunk) (Chunk, error) {
	row := Chunk{Text: Clean(c.Text), Created: c.CreatedAt, Updated: c.UpdatedAt}
	head, bare := *f, *c
	head.Created, head.Updated = "", ""
	bare.CreatedAt, bare.UpdatedAt, bare.Embedding = "", "", nil
	if row.Text == c.Text {
		bare.Text = ""
	}
	line, err := shard.AppendChunk(nil, &head, &bare)
	row.Record = strings.TrimSuffix(string(line), "\n")
	return row, err
}

// Chunk returns the record of the row, with the embedding e by the model.
func (row *Chunk) Chunk(f *shard.File, e record.Embedding, model string) (*record.Chunk, error) {
	c, err := shard.DecodeChunk([]byte(row.Record), f, "")
	if err != nil {
		return nil, err
	}
	if c.Text == "" {
		c.Text = row.Text
	}
	c.CreatedAt, c.UpdatedAt = row.Created, row.Updated
	if c.Embedding = e; e != nil {
		c.EmbeddingModel = model
	}
	return c, nil
}

// Clean replaces zero bytes, which text in PostgreSQL cannot hold.
func Clean(text string) string { return strings.ReplaceAll(text, "\x00", "\uFFFD") }
