package schema

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"strings"

	"cortex/lib/record"
	"cortex/lib/store/shard"
)

// factsKey joins the columns head and facts of a file to its line in a store.
const factsKey = `,"facts":`

// File is the file of a row: its record without facts, as a store has it.
func File(head string) (*shard.File, error) {
	f, _, err := shard.DecodeHead([]byte(head))
	return f, err
}

// FileWithFacts is File with the facts, which take longest to decode.
func FileWithFacts(head, facts string) (*shard.File, error) {
	if facts != "" {
		head = head[:max(strings.LastIndexByte(head, '}'), 0)] + factsKey + facts + "}"
	}
	return shard.DecodeFile([]byte(head))
}

// A Vector is a row of embeddings.
type Vector struct {
	// Values are whole numbers from -127 to 127, Scale what they are to be multiplied with.
	Values []int8
	Scale  float32
	// Exact has the components as little-endian float32 where the numbers are but near them; else it is empty.
	Exact []byte
}

// VectorOf is the row of an embedding, nil for none.
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

// Embedding undoes VectorOf.
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

// Text is the column embedding as text: "[1,-2,3]".
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

// Values reads the column embedding as text.
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

// A Chunk is what columns of chunks say of a record.
type Chunk struct {
	Text, Record string
	// Created and Updated are times as records have them.
	Created, Updated string
}

// ChunkOf is the row of a chunk of the file. Text in PostgreSQL holds no zero byte: a text with one stands in the record, and in the column with U+FFFD instead.
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

// Chunk undoes ChunkOf. The embedding is of the model.
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
