package store

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"reflect"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"

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
	// undirected tells that the line had an embedding, which counts as none.
	undirected bool
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
	unknownShape shape = iota
	stringShape
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
	// of is the type of the field. It lies offset bytes from the beginning of the chunk, or of the element if it is in a list.
	of     reflect.Type
	offset uintptr
	inList bool
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
	return fieldsOf(reflect.TypeFor[record.Chunk](), field{}, "", map[string]slot{
		"type": slotType, "id": slotID, "chunk_type": slotChunkType, "text": slotText,
		"metadata.file_path": slotPath, "metadata.tree": slotTree, "metadata.language": slotLanguage,
		"embedding": slotEmbedding, "embedding_model": slotModel,
		"created_at": slotCreated, "updated_at": slotUpdated,
	})
})

func fieldsOf(t reflect.Type, parent field, prefix string, kept map[string]slot) []field {
	var fields []field
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		f := field{
			key:       []byte(`,"` + name + `":`),
			omitempty: options == "omitempty",
			slot:      kept[prefix+name],
			of:        t.Field(i).Type,
			offset:    parent.offset + t.Field(i).Offset,
			inList:    parent.inList,
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
			f.fields = fieldsOf(ft, f, prefix+name+".", kept)
		case ft.Kind() == reflect.Slice && ft.Elem().Kind() == reflect.Struct:
			f.shape = structsShape
			f.fields = fieldsOf(ft.Elem(), field{inList: true}, prefix+name+".", kept)
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
	// keep takes up what is scanned, if there is somebody to. Then decoded, which is longer than the line by a word, begins
	// with the string that was read last.
	keep    *decoder
	decoded []byte
	// trusted lines are not looked at as closely as those of a stream: their embeddings are not.
	trusted    bool
	components []float32
	spans      []span

	lastPath, lastTree, lastLanguage, lastModel, lastCreated, lastUpdated string
	// soundPath and soundTree are the path and the tree that were checked last, as they were written.
	soundPath, soundTree []byte
}

// A span is a value's place in the line; of a string, without the quotes.
type span struct {
	start, end int
	// escapes is by how many bytes the string is shorter when its escapes are decoded.
	escapes int
}

// scan returns the chunk in a line if the line is exactly as record.Append writes it.
// The chunk refers to data.
func (s *scanner) scan(data []byte) (*chunk, bool) {
	s.data, s.at, s.values = data, 0, [slots]span{}
	if !s.record(nil) {
		return nil, false
	}
	c := &chunk{kind: kindOf(s.bytes(slotChunkType)), body: data[:len(data)-1], text: s.bytes(slotText)}
	c.id = s.text(slotID, "")
	s.lastPath = s.text(slotPath, s.lastPath)
	s.lastTree = s.text(slotTree, s.lastTree)
	s.lastLanguage = s.text(slotLanguage, s.lastLanguage)
	c.path, c.tree, c.language = s.lastPath, s.lastTree, s.lastLanguage
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

// record reads the line. What is scanned goes to the chunk, unless that is nil.
func (s *scanner) record(to *record.Chunk) bool {
	return s.object(layout(), unsafe.Pointer(to)) && s.at == len(s.data) &&
		string(s.bytes(slotType)) == string(record.TypeChunk) && kindOf(s.bytes(slotChunkType)) >= 0 &&
		len(s.bytes(slotID)) > 0 && s.isSound()
}

// isSound reports whether the path is that of a file in the chunk's tree.
func (s *scanner) isSound() bool {
	path, tree := s.bytes(slotPath), s.bytes(slotTree)
	if bytes.Equal(path, s.soundPath) && bytes.Equal(tree, s.soundTree) {
		return len(path) > 0
	}
	if record.CheckTreePath(s.text(slotTree, ""), s.text(slotPath, "")) != nil {
		return false
	}
	s.soundPath, s.soundTree = append(s.soundPath[:0], path...), append(s.soundTree[:0], tree...)
	return true
}

// times takes the times off the body.
func (s *scanner) times(c *chunk) bool {
	created, updated := s.values[slotCreated], s.values[slotUpdated]
	if created.escapes+updated.escapes > 0 {
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
	if n := s.values[v].escapes; n > 0 {
		text := make([]byte, len(raw)-n)
		unescape(text, raw)
		raw = text
	}
	if string(raw) == last {
		return last
	}
	return string(raw)
}

// object reads an object that has the fields in their order, without those that are
// empty and may be left out. Their places are counted from to.
func (s *scanner) object(fields []field, to unsafe.Pointer) bool {
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
		if !s.value(f, to) {
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

func (s *scanner) value(f *field, to unsafe.Pointer) bool {
	switch f.shape {
	case stringShape:
		v, ok := s.string()
		if !ok || f.omitempty && v.start == v.end {
			return false
		}
		s.values[f.slot] = v
		if to != nil {
			s.keep.string(s.decoded[:v.end-v.start-v.escapes], f, to)
		}
		return true
	case embeddingShape:
		if to != nil {
			return s.embedding((*record.Embedding)(unsafe.Add(to, f.offset)))
		}
		v, ok := s.string()
		s.values[f.slot] = v
		return ok && v.start < v.end
	case stringsShape:
		return s.strings(f, to)
	case structsShape, pairsShape:
		return s.elements(f, to)
	case intShape:
		n, ok := s.int(f.omitempty)
		if to != nil {
			*(*int)(unsafe.Add(to, f.offset)) = n
		}
		return ok
	case boolShape:
		yes := s.literal("true")
		if to != nil {
			*(*bool)(unsafe.Add(to, f.offset)) = yes
		}
		return yes || !f.omitempty && s.literal("false")
	case structShape:
		return s.object(f.fields, to)
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
	data, decoded := s.data, s.decoded
	var seen uint64 // has a bit of 0x80 if there was a byte beyond ASCII
	for i := s.at; i < len(data); i++ {
		for i+8 <= len(data) {
			word := binary.LittleEndian.Uint64(data[i:])
			seen |= word
			if decoded != nil {
				binary.LittleEndian.PutUint64(decoded[i-v.start-v.escapes:], word)
			}
			if special := specials(word); special != 0 {
				i += bits.TrailingZeros64(special) / 8
				break
			}
			i += 8
		}
		if i == len(data) {
			break
		}
		seen |= uint64(data[i])
		switch classes[data[i]] {
		case quote:
			v.end = i
			s.at = i + 1
			return v, seen&eachTop == 0 || utf8.Valid(data[v.start:i])
		case backslash:
			n := escapeLen(data[i:])
			if n == 0 {
				return span{}, false
			}
			if decoded != nil {
				unescapeOne(decoded[i-v.start-v.escapes:], data[i:])
			}
			v.escapes += n - 1
			i += n - 1
		case plain:
			if decoded != nil {
				decoded[i-v.start-v.escapes] = data[i]
			}
		case control:
			return span{}, false
		}
	}
	return span{}, false
}

// Eight bytes in a word.
const (
	each    = 0x0101010101010101
	eachTop = 0x80 * each
)

// specials has the lowest set bit in the first byte of the word that is a quote, a backslash or a control character,
// and is 0 if there is none: see "Determine if a word has a byte less than n" in Anderson's Bit Twiddling Hacks.
func specials(word uint64) uint64 {
	quotes, backslashes := word^'"'*each, word^'\\'*each
	return ((quotes-each)&^quotes | (backslashes-each)&^backslashes | (word-0x20*each)&^word) & eachTop
}

// escapeLen is the length of the canonical escape at the start of data, 0 if it is none.
func escapeLen(data []byte) int {
	if len(data) < 2 {
		return 0
	}
	if escapes[data[1]] != 0 {
		return 2
	}
	if len(data) < 6 || string(data[:4]) != `\u00` || data[4] != '0' && data[4] != '1' {
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

func hexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

// unescape decodes a string whose escapes escapeLen accepts, and which fills dst then.
func unescape(dst, raw []byte) {
	for len(raw) >= 8 && len(dst) >= 8 {
		word := binary.LittleEndian.Uint64(raw)
		binary.LittleEndian.PutUint64(dst, word)
		special := specials(word)
		if special == 0 {
			dst, raw = dst[8:], raw[8:]
			continue
		}
		n := bits.TrailingZeros64(special) / 8
		dst = dst[n:]
		raw = raw[n+unescapeOne(dst, raw[n:]):]
		dst = dst[1:]
	}
	for len(raw) > 0 {
		n := 1
		if dst[0] = raw[0]; raw[0] == '\\' {
			n = unescapeOne(dst, raw)
		}
		dst, raw = dst[1:], raw[n:]
	}
}

// unescapeOne decodes the escape at the start of raw and returns its length.
func unescapeOne(dst, raw []byte) int {
	if c := escapes[raw[1]]; c != 0 {
		dst[0] = c
		return 2
	}
	dst[0] = (raw[4]-'0')<<4 | byte(hexValue(raw[5]))
	return 6
}

// escapes are the characters that have an escape of their own, by its second character.
var escapes = [256]byte{'"': '"', '\\': '\\', 'n': '\n', 'r': '\r', 't': '\t'}

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

// strings reads a list of strings.
func (s *scanner) strings(f *field, to unsafe.Pointer) bool {
	start := s.at
	s.spans = s.spans[:0]
	ok := s.list(f.omitempty, func() bool {
		v, ok := s.string()
		s.spans = append(s.spans, v)
		return ok
	})
	if ok && to != nil && s.data[start] == '[' {
		s.keep.strings(s.data, s.spans, f, to)
	}
	return ok
}

// elements reads a list of objects or pairs.
func (s *scanner) elements(f *field, to unsafe.Pointer) bool {
	start, n := s.at, 0
	ok := s.list(f.omitempty, func() bool {
		n++
		return s.element(f, nil)
	})
	if !ok || to == nil || s.data[start] != '[' {
		return ok
	}
	list := reflect.MakeSlice(f.of, n, n)
	reflect.NewAt(f.of, unsafe.Add(to, f.offset)).Elem().Set(list)
	first, size := list.UnsafePointer(), f.of.Elem().Size()
	n, s.at = 0, start
	return s.list(f.omitempty, func() bool {
		n++
		return s.element(f, unsafe.Add(first, uintptr(n-1)*size))
	})
}

func (s *scanner) element(f *field, to unsafe.Pointer) bool {
	if f.shape == structsShape {
		return s.object(f.fields, to)
	}
	var pair record.LineRange
	for i, before := range []string{"[", ","} {
		var ok bool
		if !s.literal(before) {
			return false
		}
		if pair[i], ok = s.int(false); !ok {
			return false
		}
	}
	if to != nil {
		*(*record.LineRange)(to) = pair
	}
	return s.literal("]")
}

// int reads a whole number of at most 18 digits.
func (s *scanner) int(omitempty bool) (int, bool) {
	negative := s.literal("-")
	start := s.at
	var n int64
	for ; s.at < len(s.data) && s.at-start <= 18 && s.data[s.at] >= '0' && s.data[s.at] <= '9'; s.at++ {
		n = 10*n + int64(s.data[s.at]-'0')
	}
	digits := s.at - start
	if digits == 0 || digits > 18 || int64(int(n)) != n {
		return 0, false
	}
	if s.data[start] == '0' {
		return 0, digits == 1 && !negative && !omitempty
	}
	if negative {
		n = -n
	}
	return int(n), true
}

// dimensions is the number of components in an embedding's base64, which it checks
// unless the line is trusted.
func (s *scanner) dimensions(encoded []byte) (int, bool) {
	n := components(encoded)
	if s.trusted || n == 0 {
		return n, n > 0
	}
	if cap(s.components) < n {
		s.components = make([]float32, n)
	}
	return n, decodeComponents(s.components[:n], encoded)
}

// embedding reads an embedding.
func (s *scanner) embedding(to *record.Embedding) bool {
	if !s.literal(`"`) {
		return false
	}
	encoded := s.data[s.at:]
	end := bytes.IndexByte(encoded, '"')
	if end < 0 {
		return false
	}
	encoded = encoded[:end]
	s.at += end + 1
	n := components(encoded)
	if n == 0 {
		return false
	}
	*to = s.keep.components.take(n)
	return decodeComponents(*to, encoded)
}

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
	// The times come to it.
	if most := maxLine - 1<<10; len(c.body) > most {
		return nil, line.Errorf("chunk %.200q: it has %d bytes, at most %d are stored", c.id, len(c.body), most)
	}
	if c.dimensions > 0 && c.model == "" {
		return nil, line.Errorf("chunk %q: an embedding without embedding_model", c.id)
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
	undirected := lacksDirection(line.Data, decoded)
	if undirected {
		decoded.EmbeddingModel = ""
	}
	data, err := record.Append(nil, decoded)
	if err != nil {
		return nil, line.Errorf("chunk %q: %w", decoded.ID, err)
	}
	c, ok := s.scan(data[:len(data)-1])
	if !ok {
		return nil, line.Errorf("chunk %q has no canonical form", decoded.ID)
	}
	c.undirected = undirected
	return c, nil
}

// lacksDirection reports whether the line that the chunk was decoded from has an embedding which counts as none.
func lacksDirection(line []byte, decoded *record.Chunk) bool {
	return decoded.Embedding == nil && decoded.EmbeddingModel != "" && bytes.Contains(line, []byte(`"embedding"`))
}
