package shard

import (
	"bytes"
	"encoding/json"

	"cortex/lib/record"
)

// A Glance has the fields of a chunk's line that are found without decoding the line. Its slices refer to the line.
type Glance struct {
	ID string
	// Type is an index into record.ChunkTypes.
	Type int
	// Body is the line without its end and without the chunk's own times.
	Body []byte
	// Created and Updated are the chunk's own times, "" if it has those of its file.
	Created, Updated string
	// Embedded says whether the chunk has an embedding.
	Embedded bool
}

const (
	createdKey = `,"created_at":"`
	updatedKey = `","updated_at":"`
	timeSize   = len("2006-01-02T15:04:05Z")
	timesSize  = len(createdKey) + timeSize + len(updatedKey) + timeSize + len(`"}`)
)

var (
	idKey        = []byte(`{"type":"chunk","id":"`)
	typeKey      = []byte(`,"chunk_type":"`)
	textKey      = []byte(`,"text":"`)
	smallKey     = []byte(`,"int4":"`)
	vectorKey    = []byte(`,"int8":"`)
	embeddingKey = []byte(`,"embedding":"`)
)

// Look returns a Glance at the line of a chunk of the file; the line is given without its end. A key cannot occur
// inside a string, since quotes are escaped there.
func (f *File) Look(line []byte) (g Glance, ok bool) {
	rest, ok := bytes.CutPrefix(line, idKey)
	if !ok || line[len(line)-1] != '}' {
		return g, false
	}
	id, rest, ok := stringAt(rest)
	if !ok {
		return g, false
	}
	if rest, full := bytes.CutPrefix(rest, typeKey); full {
		kind, _, _ := stringAt(rest)
		g.ID, g.Type = id, TypeNumber(record.ChunkType(kind))
		ok = g.Type >= 0
	} else {
		g.ID, g.Type, ok = f.longID(id)
	}
	g.Body = line
	if at := len(line) - timesSize; at > 0 && string(line[at:at+len(createdKey)]) == createdKey {
		from := at + len(createdKey)
		to := from + timeSize + len(updatedKey)
		if string(line[from+timeSize:to]) == updatedKey {
			g.Created, g.Updated = string(line[from:from+timeSize]), string(line[to:to+timeSize])
			g.Body = append(line[:at:at], '}')
		}
	}
	g.Embedded = bytes.Contains(line, smallKey) || bytes.Contains(line, vectorKey) || bytes.Contains(line, embeddingKey)
	return g, ok && g.ID != ""
}

// Text returns the chunk's text as it is escaped in the line.
func (g *Glance) Text() []byte {
	at := bytes.Index(g.Body, textKey)
	if at < 0 {
		return nil
	}
	text := g.Body[at+len(textKey):]
	return text[:stringEnd(text)]
}

// AppendTo appends the line of the chunk to dst, for a file whose chunks share the given times.
func (g *Glance) AppendTo(dst []byte, created, updated string) []byte {
	if g.Created == created && g.Updated == updated || g.Created == "" {
		return append(append(dst, g.Body...), '\n')
	}
	dst = append(append(dst, g.Body[:len(g.Body)-1]...), createdKey...)
	dst = append(append(dst, g.Created...), updatedKey...)
	return append(append(dst, g.Updated...), "\"}\n"...)
}

// stringEnd returns the index of the quote that ends the JSON string whose content begins data; len(data) if there is
// none.
func stringEnd(data []byte) int {
	for at := 0; ; {
		end := bytes.IndexByte(data[at:], '"')
		if end < 0 {
			return len(data)
		}
		end += at
		escapes := 0
		for i := end - 1; i >= at && data[i] == '\\'; i-- {
			escapes++
		}
		if escapes%2 == 0 {
			return end
		}
		at = end + 1
	}
}

// stringAt decodes the JSON string whose content begins data; rest follows its closing quote.
func stringAt(data []byte) (text string, rest []byte, ok bool) {
	end := stringEnd(data)
	if end == len(data) {
		return "", nil, false
	}
	if bytes.IndexByte(data[:end], '\\') < 0 {
		return string(data[:end]), data[end+1:], true
	}
	quoted := append(append([]byte{'"'}, data[:end]...), '"')
	return text, data[end+1:], json.Unmarshal(quoted, &text) == nil
}
