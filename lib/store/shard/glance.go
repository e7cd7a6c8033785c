package shard

import (
	"bytes"
	"encoding/json"

	"cortex/lib/record"
)

// A Glance is what a line of a chunk says about the chunk without being decoded. It refers to the line.
type Glance struct {
	ID string
	// Type is the place of the chunk type in record.ChunkTypes.
	Type int
	// Body is the line without the times that the chunk has of its own, and without its end.
	Body []byte
	// Created and Updated are those times, "" if it has none of its own.
	Created, Updated string
	// Embedded tells whether the chunk has an embedding.
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

// Look looks at the line of a chunk of the file, without its end. Quotes in strings are escaped, so keys can only be keys.
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

// Text is the text as it stands in the line.
func (g *Glance) Text() []byte {
	at := bytes.Index(g.Body, textKey)
	if at < 0 {
		return nil
	}
	text := g.Body[at+len(textKey):]
	return text[:stringEnd(text)]
}

// AppendTo appends the line of the chunk in a file whose chunks have the given times mostly.
func (g *Glance) AppendTo(dst []byte, created, updated string) []byte {
	if g.Created == created && g.Updated == updated || g.Created == "" {
		return append(append(dst, g.Body...), '\n')
	}
	dst = append(append(dst, g.Body[:len(g.Body)-1]...), createdKey...)
	dst = append(append(dst, g.Created...), updatedKey...)
	return append(append(dst, g.Updated...), "\"}\n"...)
}

// stringEnd is where the string ends whose inside begins data, at its quote; the length of data if it does not.
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

// stringAt is the string whose inside begins data, decoded, and what follows its quote.
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
