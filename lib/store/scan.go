package store

import (
	"bytes"
	"encoding/base64"
	"reflect"
	"strings"
	"sync"
	"unicode/utf8"

	"cortex/lib/record"
)

// A chunk is one chunk record as the store handles it: its canonical bytes, and of its
// content only what the store decides by. The embedding stays encoded.
type chunk struct {
	// body is the canonical line (see record.Append) up to where the times or
	// the closing brace would stand.
	body []byte
	id   string
	kind int
	// text is the JSON string of the text, a part of body.
	text []byte
	// path is the tree path of the file.
	path     string
	tree     string
	language string
	// model and dimensions are "" and 0 without an embedding.
	model      string
	dimensions int
	// created and updated are "" where the line has none.
	created, updated string
	// number is the line's number in its stream; size is the length of a stored line, with its end.
	number, size int
	// superseded tells that a later line of the stream has the same identifier.
	superseded bool
}

// appendLine appends the chunk's line, with its times, as record.Append would.
func (c *chunk) appendLine(dst []byte) []byte {
	dst = append(dst, c.body...)
	if c.created != "" {
		dst = append(dst, createdKey...)
		dst = append(dst, c.created...)
		dst = append(dst, '"')
	}
	if c.updated != "" {
		dst = append(dst, updatedKey...)
		dst = append(dst, c.updated...)
		dst = append(dst, '"')
	}
	return append(dst, "}\n"...)
}

const (
	createdKey = `,"created_at":"`
	updatedKey = `,"updated_at":"`
)

// A shape is a Go type as the scanner sees it.
type shape int

const (
	stringShape shape = iota
	stringsShape
	intShape
	boolShape
	structShape
	structsShape
	pairsShape
	embeddingShape
)

// A field is one key of a struct in the order in which it is encoded.
type field struct {
	key       []byte // ,"name":
	shape     shape
	omitempty bool
	fields    []field // of a structShape or structsShape
	slot      slot
}

// A slot is a value that the scanner keeps.
type slot int

const (
	slotNone slot = iota
	slotID
	slotChunkType
	slotText
	slotType
	slotPath
	slotTree
	slotLanguage
	slotEmbedding
	slotModel
	slotCreated
	slotUpdated
	slots
)

// layout derives the fields of a chunk record from its Go type, so that the scanner
// cannot disagree with the encoder about them.
var layout = sync.OnceValue(func() []field {
	return fieldsOf(reflect.TypeFor[record.Chunk](), "", map[string]slot{
		"type": slotType, "id": slotID, "chunk_type": slotChunkType, "text": slotText,
		"metadata.file_path": slotPath, "metadata.tree": slotTree, "metadata.language": slotLanguage,
		"embedding": slotEmbedding, "embedding_model": slotModel,
		"created_at": slotCreated, "updated_at": slotUpdated,
	})
})

func fieldsOf(t reflect.Type, prefix string, kept map[string]slot) []field {
	var fields []field
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		f := field{
			key:       []byte(`,"` + name + `":`),
			omitempty: options == "omitempty",
			slot:      kept[prefix+name],
		}
		switch ft := t.Field(i).Type; {
		case ft == reflect.TypeFor[record.Embedding]():
			f.shape = embeddingShape
		case ft.Kind() == reflect.String:
			f.shape = stringShape
		case ft.Kind() == reflect.Int:
			f.shape = intShape
		case ft.Kind() == reflect.Bool:
			f.shape = boolShape
		case ft.Kind() == reflect.Slice && ft.Elem().Kind() == reflect.String:
			f.shape = stringsShape
		case ft.Kind() == reflect.Struct:
			f.shape = structShape
			f.fields = fieldsOf(ft, prefix+name+".", kept)
		case ft.Kind() == reflect.Slice && ft.Elem().Kind() == reflect.Struct:
			f.shape = structsShape
			f.fields = fieldsOf(ft.Elem(), prefix+name+".", kept)
		case ft.Kind() == reflect.Slice && ft.Elem() == reflect.TypeFor[record.LineRange]():
			f.shape = pairsShape
		}
		fields = append(fields, f)
	}
	return fields
}

// A scanner reads canonical chunk lines. It remembers the last of each value that
// repeats from line to line, and shares it.
type scanner struct {
	data   []byte
	at     int
	values [slots]span
	// trusted lines were checked when they were written; their embeddings are not looked at.
	trusted bool
	scratch []byte

	lastPath, lastTree, lastLanguage, lastModel, lastCreated, lastUpdated string
}

// A span is a value's place in the line; of a string, without the quotes.
type span struct {
	start, end int
	escaped    bool // the string holds an escape
}

// scan returns the chunk in a line if the line is exactly as record.Append writes it.
// The chunk refers to data.
func (s *scanner) scan(data []byte) (*chunk, bool) {
	s.data, s.at, s.values = data, 0, [slots]span{}
	if !utf8.Valid(data) || !s.object(layout()) || s.at != len(data) {
		return nil, false
	}
	if string(s.bytes(slotType)) != string(record.TypeChunk) {
		return nil, false
	}
	c := &chunk{kind: kindOf(s.bytes(slotChunkType)), body: data[:len(data)-1], text: s.bytes(slotText)}
	if c.kind < 0 {
		return nil, false
	}
	c.id = s.text(slotID, "")
	s.lastPath = s.text(slotPath, s.lastPath)
	s.lastTree = s.text(slotTree, s.lastTree)
	s.lastLanguage = s.text(slotLanguage, s.lastLanguage)
	c.path, c.tree, c.language = s.lastPath, s.lastTree, s.lastLanguage
	if c.id == "" || c.path == "" {
		return nil, false
	}
	if !s.times(c) {
		return nil, false
	}
	if e := s.values[slotEmbedding]; e.end > e.start {
		s.lastModel = s.text(slotModel, s.lastModel)
		c.model = s.lastModel
		n, ok := s.dimensions(data[e.start:e.end])
		if !ok {
			return nil, false
		}
		c.dimensions = n
	}
	return c, true
}

// times takes the times off the body.
func (s *scanner) times(c *chunk) bool {
	created, updated := s.values[slotCreated], s.values[slotUpdated]
	if created.escaped || updated.escaped {
		return false
	}
	if updated.end > 0 {
		s.lastUpdated = s.text(slotUpdated, s.lastUpdated)
		c.updated = s.lastUpdated
		c.body = c.body[:updated.start-len(updatedKey)]
	}
	if created.end > 0 {
		s.lastCreated = s.text(slotCreated, s.lastCreated)
		c.created = s.lastCreated
		c.body = c.body[:created.start-len(createdKey)]
	}
	if !s.trusted && !(validTime(c.created) && validTime(c.updated)) {
		// The store sets them anew.
		c.created, c.updated = "", ""
	}
	return true
}

func (s *scanner) bytes(v slot) []byte { return s.data[s.values[v].start:s.values[v].end] }

// text returns the value as a string, last itself if it is equal.
func (s *scanner) text(v slot, last string) string {
	raw := s.bytes(v)
	if s.values[v].escaped {
		raw = unescape(raw)
	}
	if string(raw) == last {
		return last
	}
	return string(raw)
}

// object reads an object that has the fields in their order, without those that are
// empty and may be left out.
func (s *scanner) object(fields []field) bool {
	if !s.literal("{") {
		return false
	}
	first := true
	for i := range fields {
		f := &fields[i]
		key := f.key
		if first {
			key = key[1:]
		}
		if !bytes.HasPrefix(s.data[s.at:], key) {
			if f.omitempty {
				continue
			}
			return false
		}
		first = false
		s.at += len(key)
		if !s.value(f) {
			return false
		}
	}
	return s.literal("}")
}

func (s *scanner) literal(text string) bool {
	if len(s.data)-s.at < len(text) || string(s.data[s.at:s.at+len(text)]) != text {
		return false
	}
	s.at += len(text)
	return true
}

func (s *scanner) value(f *field) bool {
	switch f.shape {
	case stringShape, embeddingShape:
		v, ok := s.string()
		if !ok || f.omitempty && v.start == v.end {
			return false
		}
		s.values[f.slot] = v
		return true
	case stringsShape:
		return s.list(f.omitempty, func() bool { _, ok := s.string(); return ok })
	case structsShape:
		return s.list(f.omitempty, func() bool { return s.object(f.fields) })
	case pairsShape:
		return s.list(f.omitempty, func() bool {
			return s.literal("[") && s.int(false) && s.literal(",") && s.int(false) && s.literal("]")
		})
	case intShape:
		return s.int(f.omitempty)
	case boolShape:
		return s.literal("true") || !f.omitempty && s.literal("false")
	case structShape:
		return s.object(f.fields)
	}
	return false
}

// Classes of bytes inside a string.
const (
	plain = iota
	quote
	backslash
	control
)

var classes = func() (table [256]byte) {
	for c := range 0x20 {
		table[c] = control
	}
	table['"'], table['\\'] = quote, backslash
	return table
}()

// string reads a string with the escapes that the encoder writes, and no others.
func (s *scanner) string() (span, bool) {
	if !s.literal(`"`) {
		return span{}, false
	}
	v := span{start: s.at}
	data := s.data
	for i := s.at; i < len(data); i++ {
		switch classes[data[i]] {
		case quote:
			v.end = i
			s.at = i + 1
			return v, true
		case backslash:
			n := escapeLen(data[i:])
			if n == 0 {
				return span{}, false
			}
			v.escaped = true
			i += n - 1
		case control:
			return span{}, false
		}
	}
	return span{}, false
}

// escapeLen is the length of the canonical escape at the start of data, 0 if it is none.
func escapeLen(data []byte) int {
	if len(data) < 2 {
		return 0
	}
	switch data[1] {
	case '"', '\\', 'n', 'r', 't':
		return 2
	case 'u':
		if len(data) < 6 || data[2] != '0' || data[3] != '0' || data[4] != '0' && data[4] != '1' {
			return 0
		}
		low := hexValue(data[5])
		if low < 0 {
			return 0
		}
		switch int(data[4]-'0')<<4 | low {
		case '\t', '\n', '\r':
			return 0
		}
		return 6
	}
	return 0
}

func hexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

// unescape decodes a string whose escapes escapeLen accepts.
func unescape(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			continue
		}
		i++
		switch raw[i] {
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			out = append(out, byte(raw[i+3]-'0')<<4|byte(hexValue(raw[i+4])))
			i += 4
		default:
			out = append(out, raw[i])
		}
	}
	return out
}

// list reads a list of what element reads.
func (s *scanner) list(omitempty bool, element func() bool) bool {
	if !omitempty && (s.literal("null") || s.literal("[]")) {
		return true
	}
	if !s.literal("[") {
		return false
	}
	for {
		if !element() {
			return false
		}
		if s.literal("]") {
			return true
		}
		if !s.literal(",") {
			return false
		}
	}
}

// int reads a whole number of at most 18 digits.
func (s *scanner) int(omitempty bool) bool {
	start := s.at
	negative := s.literal("-")
	digits := s.at
	for s.at < len(s.data) && s.data[s.at] >= '0' && s.data[s.at] <= '9' {
		s.at++
	}
	n := s.at - digits
	if n == 0 || n > 18 {
		return false
	}
	if s.data[digits] == '0' {
		return n == 1 && !negative && !omitempty
	}
	return start < s.at
}

// dimensions is the number of components in an embedding's base64, which it checks
// unless the line is trusted.
func (s *scanner) dimensions(encoded []byte) (int, bool) {
	size := base64.StdEncoding.DecodedLen(len(encoded))
	if s.trusted {
		size -= len(encoded) - len(bytes.TrimRight(encoded, "="))
		return size / 4, true
	}
	if cap(s.scratch) < size {
		s.scratch = make([]byte, size)
	}
	raw := s.scratch[:size]
	// Strict, since the unused bits must be as the encoder leaves them.
	n, err := strictBase64.Decode(raw, encoded)
	if err != nil || n == 0 || n%4 != 0 {
		return 0, false
	}
	for i := 2; i < n; i += 4 {
		// All bits of the exponent set: infinite or not a number.
		if raw[i+1]&0x7f == 0x7f && raw[i]&0x80 != 0 {
			return 0, false
		}
	}
	return n / 4, true
}

var strictBase64 = base64.StdEncoding.Strict()

// chunkOf returns the chunk in a line of any form that the record reader accepts.
func (s *scanner) chunkOf(line record.Line) (*chunk, error) {
	c, ok := s.scan(line.Data)
	if !ok {
		var err error
		if c, err = s.reencode(line); err != nil {
			return nil, err
		}
	}
	c.number = line.Number
	if c.dimensions > 0 && c.model == "" {
		return nil, line.Errorf("chunk %q: an embedding without embedding_model", c.id)
	}
	if c.tree != "" && !strings.HasPrefix(c.path, c.tree+":") {
		return nil, line.Errorf("chunk %q: file_path %q does not start with its tree %q", c.id, c.path, c.tree)
	}
	return c, nil
}

// reencode brings a line into canonical form.
func (s *scanner) reencode(line record.Line) (*chunk, error) {
	rec, err := line.Decode()
	if err != nil {
		return nil, err
	}
	decoded, ok := rec.(*record.Chunk)
	if !ok {
		return nil, line.Errorf("unexpected record type %q", rec.RecordType())
	}
	// What is no time could hold escapes, which the scanner does not take there.
	if !validTime(decoded.CreatedAt) || !validTime(decoded.UpdatedAt) {
		decoded.CreatedAt, decoded.UpdatedAt = "", ""
	}
	data, err := record.Append(nil, decoded)
	if err != nil {
		return nil, line.Errorf("chunk %q: %w", decoded.ID, err)
	}
	c, ok := s.scan(data[:len(data)-1])
	if !ok {
		return nil, line.Errorf("chunk %q has no canonical form", decoded.ID)
	}
	return c, nil
}
