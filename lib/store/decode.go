package store

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"math"

	"cortex/lib/record"
)

// A decoder decodes canonical chunk lines. The embedding, the larger half of a line, it takes out
// itself, which saves a third of the time; strings that repeat from line to line it
// shares.
type decoder struct {
	raw  []byte // of an embedding
	line []byte // the line without it
	last record.Chunk
	tags map[string]string
}

func (d *decoder) decode(data []byte) (record.Record, error) {
	embedding, rest := d.cut(data)
	rec, err := record.Line{Data: rest}.Decode()
	if err != nil {
		// The error is to be about the whole line.
		return record.Line{Data: data}.Decode()
	}
	if c, ok := rec.(*record.Chunk); ok {
		if embedding != nil {
			c.Embedding = embedding
		}
		d.share(c)
	}
	return rec, nil
}

// cut returns the embedding and the line without it; nil and the line as it is if there
// is none in base64.
func (d *decoder) cut(data []byte) (record.Embedding, []byte) {
	// In a string the quotes would be escaped, so this can only be the key.
	const key = `,"embedding":"`
	start := bytes.Index(data, []byte(key))
	if start < 0 {
		return nil, data
	}
	value := data[start+len(key):]
	end := bytes.IndexByte(value, '"')
	if end < 0 {
		return nil, data
	}
	if need := base64.StdEncoding.DecodedLen(end); cap(d.raw) < need {
		d.raw = make([]byte, need)
	}
	n, err := base64.StdEncoding.Decode(d.raw[:cap(d.raw)], value[:end])
	if err != nil || n == 0 || n%4 != 0 {
		return nil, data
	}
	embedding := make(record.Embedding, n/4)
	for i := range embedding {
		x := math.Float32frombits(binary.LittleEndian.Uint32(d.raw[4*i:]))
		if x-x != 0 {
			// The record reader says what is wrong.
			return nil, data
		}
		embedding[i] = x
	}
	d.line = append(append(d.line[:0], data[:start]...), value[end+1:]...)
	return embedding, d.line
}

func (d *decoder) share(c *record.Chunk) {
	last := &d.last
	same := func(now, before *string) {
		if *now == *before {
			*now = *before
		}
	}
	same((*string)(&c.Type), (*string)(&last.Type))
	same((*string)(&c.ChunkType), (*string)(&last.ChunkType))
	same(&c.EmbeddingModel, &last.EmbeddingModel)
	same(&c.CreatedAt, &last.CreatedAt)
	same(&c.UpdatedAt, &last.UpdatedAt)
	same(&c.Metadata.Source, &last.Metadata.Source)
	same(&c.Metadata.FilePath, &last.Metadata.FilePath)
	same(&c.Metadata.Tree, &last.Metadata.Tree)
	same(&c.Metadata.Language, &last.Metadata.Language)
	same(&c.Metadata.Package, &last.Metadata.Package)
	same((*string)(&c.Metadata.SymbolType), (*string)(&last.Metadata.SymbolType))
	for i, tag := range c.Tags {
		if shared, ok := d.tags[tag]; ok {
			c.Tags[i] = shared
		} else if len(d.tags) < 1000 {
			d.tags[tag] = tag
		}
	}
	d.last = *c
}
