// Package shard encodes and decodes the records in the shards of a store: a line for each file, directly followed by
// the lines of its chunks.
//
// A line omits what follows from other data: the line of a chunk omits values, such as path, language and times, that
// equal those of its file's line or follow from its own identifier. Equal records give equal lines.
//
// File.Append and AppendChunk encode lines, DecodeFile and DecodeChunk decode them in full. Glance has the fields of a
// chunk's line that a writer needs to merge old lines with new ones. Begin with shard.go.
package shard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"cortex/lib/record"
	"cortex/lib/record/jsonl"
)

// A head is the line of a file without its facts.
type head struct {
	Type       record.Type   `json:"type"`
	FilePath   string        `json:"file_path"`
	Tree       string        `json:"tree,omitempty"`
	Language   string        `json:"language,omitempty"`
	SHA256     string        `json:"sha256,omitempty"`
	Size       int64         `json:"size,omitempty"`
	Status     record.Status `json:"status,omitempty"`
	ErrorCount int           `json:"error_count,omitempty"`
	Reason     string        `json:"reason,omitempty"`
	Package    string        `json:"package,omitempty"`
	Title      string        `json:"title,omitempty"`
	Tags       []string      `json:"tags,omitempty"`
	Chunks     []int         `json:"chunks,omitempty"`
	Unembedded int           `json:"unembedded,omitempty"`
	CreatedAt  string        `json:"created_at,omitempty"`
	UpdatedAt  string        `json:"updated_at,omitempty"`
}

// factsKey begins the facts in a file's line. It cannot occur inside a string, where quotes are escaped.
var factsKey = []byte(`,"facts":{`)

// Append appends the line of the file. facts is the result of Facts.
func (f *File) Append(dst []byte, facts []byte) ([]byte, error) {
	r := &f.Record
	h := head{record.TypeFile, r.FilePath, f.Tree, r.Language, r.SHA256, r.Size, r.Status, r.ErrorCount, r.Reason, r.Package, r.Title, r.Tags,
		nil, f.Unembedded, f.Created, f.Updated}
	if f.Chunks != [5]int{} {
		h.Chunks = f.Chunks[:]
	}
	dst, err := jsonl.AppendJSON(dst, &h)
	if err != nil {
		return dst, fmt.Errorf("encode file %q: %w", f.Path(), err)
	}
	if len(facts) > 0 {
		dst = append(dst[:len(dst)-1], factsKey[:len(factsKey)-1]...)
		dst = append(append(dst, facts...), '}')
	}
	return append(dst, '\n'), nil
}

// IsFile reports whether the line is that of a file.
func IsFile(line []byte) bool { return bytes.HasPrefix(line, []byte(`{"type":"file"`)) }

// DecodeHead decodes the line of a file without its facts, which it returns undecoded.
func DecodeHead(line []byte) (f *File, facts []byte, err error) {
	line = bytes.TrimSuffix(line, []byte("\n"))
	short := line
	if at := bytes.Index(line, factsKey); at >= 0 && line[len(line)-1] == '}' {
		facts = line[at+len(factsKey)-1 : len(line)-1]
		short = append(line[:at:at], '}')
	}
	if !utf8.Valid(facts) {
		return nil, nil, errors.New("it is not a record of a file")
	}
	f, err = decodeHead(short, jsonl.Unmarshal)
	return f, facts, err
}

func decodeHead(short []byte, unmarshal func([]byte, any) error) (*File, error) {
	var h head
	if !utf8.Valid(short) || unmarshal(short, &h) != nil {
		return nil, errors.New("it is not a record of a file")
	}
	f := &File{Tree: h.Tree, Created: h.CreatedAt, Updated: h.UpdatedAt, Unembedded: h.Unembedded, Record: record.File{
		Type: record.TypeFile, FilePath: h.FilePath, Language: h.Language, SHA256: h.SHA256, Size: h.Size, Status: h.Status, ErrorCount: h.ErrorCount,
		Reason: h.Reason, Package: h.Package, Title: h.Title, Tags: h.Tags}}
	copy(f.Chunks[:], h.Chunks)
	switch {
	case h.Type != record.TypeFile || len(h.Chunks) != 0 && len(h.Chunks) != len(f.Chunks):
		return nil, errors.New("it is not a record of a file")
	case h.Status != "" && !slices.Contains(record.Statuses, h.Status):
		return nil, fmt.Errorf("file %q has the unknown status %q", f.Path(), h.Status)
	}
	if err := record.CheckTree(f.Tree); err != nil {
		return nil, err
	}
	if err := record.CheckTreePath("", h.FilePath); err != nil {
		return nil, err
	}
	return f, nil
}

// HasHead reports whether the beginning of a file's line extends to its facts.
func HasHead(begin []byte) bool { return bytes.Contains(begin, factsKey) }

// Warm compiles the fast decoders of lines, once in a process.
func Warm() {
	_ = jsonl.Unmarshal([]byte("{}"), &head{})
	_ = jsonl.Unmarshal([]byte("{}"), &content{})
}

// ReadHead decodes the line of a file without its facts; the beginning of the line is enough. If warm is set, it uses
// the fast decoder that Warm compiles.
func ReadHead(begin []byte, warm bool) (*File, error) {
	at := bytes.Index(begin, factsKey)
	if at < 0 {
		at = max(bytes.LastIndexByte(begin, '}'), 0)
	}
	return decodeHead(append(begin[:at:at], '}'), decoder(warm))
}

// ReadChunk decodes the line of a chunk of the file without its embedding and its times. warm is as in ReadHead.
func ReadChunk(data []byte, f *File, warm bool) (*record.Chunk, error) {
	var l content
	if !utf8.Valid(data) || decoder(warm)(data, &l) != nil {
		return nil, errNoChunk
	}
	return l.chunk(f)
}

var errNoChunk = errors.New("it is not a record of a chunk")

func decoder(warm bool) func([]byte, any) error {
	if warm {
		return jsonl.Unmarshal
	}
	return json.Unmarshal
}

// DecodeFile decodes the line of a file in full.
func DecodeFile(line []byte) (*File, error) {
	f, facts, err := DecodeHead(line)
	if err == nil {
		err = f.addFacts(facts)
	}
	return f, err
}

// A line is the line of a chunk.
type line struct {
	content
	Small     []byte           `json:"int4,omitempty"`
	Vector    []byte           `json:"int8,omitempty"`
	Embedding record.Embedding `json:"embedding,omitempty"`
	CreatedAt string           `json:"created_at,omitempty"`
	UpdatedAt string           `json:"updated_at,omitempty"`
}

// A content is the first part of a chunk's line. A nil field has its usual value.
type content struct {
	Type      record.Type      `json:"type"`
	ID        string           `json:"id"`
	ChunkType record.ChunkType `json:"chunk_type,omitempty"`
	Title     *string          `json:"title,omitempty"`
	Text      string           `json:"text"`
	Tags      *[]string        `json:"tags,omitempty"`
	// Place is start_line, end_line, byte_start and byte_end. If the text contains the chunk's signature, the
	// signature's offset and length in bytes follow.
	Place     []int              `json:"place"`
	Source    *string            `json:"source,omitempty"`
	Language  *string            `json:"language,omitempty"`
	Package   *string            `json:"package,omitempty"`
	Name      *string            `json:"symbol_name,omitempty"`
	Kind      *string            `json:"symbol_type,omitempty"`
	Signature string             `json:"symbol_signature,omitempty"`
	Symbols   string             `json:"symbols,omitempty"`
	Refs      []record.SymbolRef `json:"symbol_list,omitempty"`
	Repeats   []record.LineRange `json:"repeats,omitempty"`
	Hierarchy *string            `json:"hierarchy,omitempty"`
	BlockType string             `json:"block_type,omitempty"`
	// Counts is imports_count, types_count, functions_count; Section is depth, position, section_index, chunk_index.
	// Trailing zeros are omitted.
	Counts     []int   `json:"counts,omitempty"`
	DocID      *string `json:"doc_id,omitempty"`
	ParentID   *string `json:"parent_id,omitempty"`
	Section    []int   `json:"section,omitempty"`
	Slug       *string `json:"slug,omitempty"`
	Breadcrumb *string `json:"breadcrumb,omitempty"`
	Large      bool    `json:"is_large_paragraph,omitempty"`
	Split      bool    `json:"is_split_paragraph,omitempty"`
}

// prefixes has the beginning of identifiers by chunk type; the path follows. words has the abbreviations of prefix and
// path.
var (
	prefixes = [5]string{"code-symbols-", "code-definitions-", "code-data-", "code-impl-", "doc-"}
	words    = [5]string{"symbols", "definitions", "data", "impl", "doc"}
)

// TypeNumber returns the index of a chunk type in record.ChunkTypes, -1 if it is unknown.
func TypeNumber(t record.ChunkType) int { return slices.Index(record.ChunkTypes, t) }

// shortID abbreviates an identifier: it replaces the prefix and the path by a word. ok is false if the identifier does
// not have the usual form.
func (f *File) shortID(id string, number int) (short string, ok bool) {
	rest, ok := strings.CutPrefix(id, prefixes[number])
	if !ok {
		return "", false
	}
	if rest, ok = strings.CutPrefix(rest, record.IDPath(f.Path())); !ok || rest != "" && rest[0] != '#' && rest[0] != '~' {
		return "", false
	}
	return words[number] + rest, true
}

// longID returns the identifier that shortID abbreviated, and the index of its chunk type.
func (f *File) longID(short string) (id string, number int, ok bool) {
	word, rest := short, ""
	if at := strings.IndexAny(short, "#~"); at >= 0 {
		word, rest = short[:at], short[at:]
	}
	if number = slices.Index(words[:], word); number < 0 {
		return "", 0, false
	}
	return prefixes[number] + record.IDPath(f.Path()) + rest, number, true
}

// usual has the values that a chunk's line omits, as far as they follow from the file and the identifier.
type usual struct {
	source, name, slug, docID string
	tags                      []string
}

func (f *File) usual(short string, number int) usual {
	u := usual{source: record.SourceCode}
	if number == len(words)-1 {
		u.source = record.SourceDoc
		u.docID = prefixes[number] + record.IDPath(f.Path())
	}
	u.tags = append([]string{u.source, f.Record.Language, string(record.ChunkTypes[number])}, f.Record.Tags...)
	if _, name, ok := strings.Cut(short, "#"); ok {
		if at := strings.LastIndexByte(name, '~'); at >= 0 {
			name = name[:at]
		}
		if u.source == record.SourceCode {
			u.name = name
		} else {
			u.slug = name[strings.LastIndexByte(name, '/')+1:]
		}
	}
	return u
}

// title returns the usual title of a chunk with this name and kind.
func (f *File) title(u usual, name, kind string) string {
	switch {
	case u.source == record.SourceDoc:
		return name
	case name == "":
		return f.Path()
	}
	return f.Path() + ": " + name + " (" + kind + ")"
}

// kind returns the usual kind of a symbol with this name.
func (u usual) kind(name string) string {
	switch {
	case name == "":
		return ""
	case u.source == record.SourceDoc:
		return string(record.Heading)
	case strings.Contains(name, "."):
		return string(record.Method)
	}
	return string(record.Function)
}

// hierarchy returns the usual hierarchy of a chunk with this name.
func (u usual) hierarchy(name string, number int) string {
	if record.ChunkTypes[number] != record.Implementations || !strings.Contains(name, ".") {
		return ""
	}
	return strings.ReplaceAll(name, ".", record.Separator)
}

// breadcrumb returns the usual breadcrumb of a chunk with this name.
func (u usual) breadcrumb(name string) string {
	if u.source == record.SourceDoc {
		return name
	}
	return ""
}

// unless returns the value, or nil if it is the usual one.
func unless(value, usual string) *string {
	if value == usual {
		return nil
	}
	return &value
}

func valueOr(value *string, usual string) string {
	if value == nil {
		return usual
	}
	return *value
}

// star replaces the path of the file at the beginning of a title by "*". A title that itself begins with a star or a
// backslash gets a backslash before it.
func star(title, path string) string {
	if rest, ok := strings.CutPrefix(title, path); ok {
		return "*" + rest
	}
	if strings.HasPrefix(title, "*") || strings.HasPrefix(title, `\`) {
		return `\` + title
	}
	return title
}

func unstar(title, path string) string {
	switch {
	case strings.HasPrefix(title, "*"):
		return path + title[1:]
	case strings.HasPrefix(title, `\`):
		return title[1:]
	}
	return title
}

// pieceOf returns the given part of the text; ok is false if it is not within the text or not valid UTF-8.
func pieceOf(text string, at, length int) (piece string, ok bool) {
	if at < 0 || length < 1 || at > len(text) || length > len(text)-at {
		return "", false
	}
	piece = text[at : at+length]
	return piece, utf8.ValidString(piece)
}

// trim removes trailing zeros.
func trim(numbers ...int) []int {
	for len(numbers) > 0 && numbers[len(numbers)-1] == 0 {
		numbers = numbers[:len(numbers)-1]
	}
	return numbers
}

// AppendChunk appends the line of a chunk of the file. The line has the chunk's times if they differ from the file's.
// It does not have the name of the embedding model.
func AppendChunk(dst []byte, f *File, c *record.Chunk) ([]byte, error) {
	number, m := TypeNumber(c.ChunkType), &c.Metadata
	if number < 0 {
		return dst, fmt.Errorf("encode chunk %q: unknown chunk_type %q", c.ID, c.ChunkType)
	}
	l := line{content: content{Type: record.TypeChunk, ID: c.ID, ChunkType: c.ChunkType, Text: c.Text,
		Place: []int{m.StartLine, m.EndLine, m.ByteStart, m.ByteEnd}, Repeats: m.Repeats, BlockType: m.BlockType,
		Large: m.IsLargeParagraph, Split: m.IsSplitParagraph,
		Counts: trim(m.ImportsCount, m.TypesCount, m.FunctionsCount), Section: trim(m.Depth, m.Position, m.SectionIndex, m.ChunkIndex)}}
	short, ok := f.shortID(c.ID, number)
	if ok {
		l.ID, l.ChunkType = short, ""
	}
	u := f.usual(short, number)
	if !slices.Equal(c.Tags, u.tags) {
		tags := c.Tags
		if tags == nil {
			tags = []string{}
		}
		l.Tags = &tags
	}
	kind := string(m.SymbolType)
	if title := f.title(u, m.SymbolName, kind); c.Title != title {
		shorter := star(c.Title, f.Path())
		l.Title = &shorter
	}
	l.Source, l.Language, l.Package = unless(m.Source, u.source), unless(m.Language, f.Record.Language), unless(m.Package, f.Record.Package)
	l.Name, l.Kind = unless(m.SymbolName, u.name), unless(kind, u.kind(m.SymbolName))
	l.Hierarchy, l.Breadcrumb = unless(m.Hierarchy, u.hierarchy(m.SymbolName, number)), unless(m.Breadcrumb, u.breadcrumb(m.SymbolName))
	l.DocID, l.Slug = unless(m.DocID, u.docID), unless(m.Slug, u.slug)
	if m.ParentID != "" {
		parent := star(m.ParentID, prefixes[len(prefixes)-1]+record.IDPath(f.Path()))
		l.ParentID = &parent
	}
	if at := strings.Index(c.Text, m.SymbolSignature); m.SymbolSignature != "" && at >= 0 {
		l.Place = append(l.Place, at, len(m.SymbolSignature))
	} else {
		l.Signature = m.SymbolSignature
	}
	if l.Symbols, ok = packRefs(m.Symbols); !ok {
		l.Refs = m.Symbols
	}
	if len(c.Embedding) > 0 {
		switch q := record.Quantize(nil, c.Embedding); {
		case !q.Exactly(c.Embedding):
			l.Embedding = c.Embedding
		case q.IsSmall():
			l.Small = q.AppendSmall(nil)
		default:
			l.Vector = q.Append(nil)
		}
	}
	if c.CreatedAt != f.Created || c.UpdatedAt != f.Updated {
		l.CreatedAt, l.UpdatedAt = c.CreatedAt, c.UpdatedAt
	}
	dst, err := jsonl.AppendJSON(dst, &l)
	if err != nil {
		return dst, fmt.Errorf("encode chunk %q: %w", c.ID, err)
	}
	return append(dst, '\n'), nil
}

// DecodeChunk decodes the line of a chunk of the file. model is the name of the store's embedding model.
func DecodeChunk(data []byte, f *File, model string) (*record.Chunk, error) {
	var l line
	if !utf8.Valid(data) || jsonl.Unmarshal(data, &l) != nil {
		return nil, errNoChunk
	}
	c, err := l.chunk(f)
	if err != nil {
		return nil, err
	}
	if c.CreatedAt, c.UpdatedAt = f.Created, f.Updated; l.CreatedAt != "" {
		c.CreatedAt, c.UpdatedAt = l.CreatedAt, l.UpdatedAt
	}
	// An embedding without direction is treated as missing.
	if q, ok := record.ReadSmall(nil, l.Small); ok {
		c.Embedding = q.Embedding()
	} else if q, ok := record.ReadQuantized(nil, l.Vector); ok {
		c.Embedding = q.Embedding()
	} else if _, ok := l.Embedding.Length(); ok {
		c.Embedding = l.Embedding
	}
	if c.Embedding != nil {
		c.EmbeddingModel = model
	}
	return c, nil
}

// chunk returns the chunk of the file, without its embedding and its times.
func (l *content) chunk(f *File) (*record.Chunk, error) {
	if l.Type != record.TypeChunk || len(l.Counts) > 3 || len(l.Section) > 4 || len(l.Place) != 4 && len(l.Place) != 6 {
		return nil, errNoChunk
	}
	c := &record.Chunk{Type: record.TypeChunk, ID: l.ID, ChunkType: l.ChunkType, Text: l.Text}
	number, short := TypeNumber(l.ChunkType), ""
	if l.ChunkType == "" {
		var ok bool
		if c.ID, number, ok = f.longID(l.ID); !ok {
			return nil, fmt.Errorf("its identifier %q is not valid", l.ID)
		}
		short, c.ChunkType = l.ID, record.ChunkTypes[number]
	}
	if number < 0 || c.ID == "" {
		return nil, fmt.Errorf("chunk %q: unknown chunk_type %q", l.ID, l.ChunkType)
	}
	u := f.usual(short, number)
	counts, section := [3]int{}, [4]int{}
	copy(counts[:], l.Counts)
	copy(section[:], l.Section)
	name := valueOr(l.Name, u.name)
	kind := valueOr(l.Kind, u.kind(name))
	c.Metadata = record.Metadata{
		Source: valueOr(l.Source, u.source), FilePath: f.Path(), Tree: f.Tree, Language: valueOr(l.Language, f.Record.Language), Package: valueOr(l.Package, f.Record.Package),
		StartLine: l.Place[0], EndLine: l.Place[1], ByteStart: l.Place[2], ByteEnd: l.Place[3],
		SymbolName: name, SymbolType: record.Kind(kind), SymbolSignature: l.Signature, Symbols: l.Refs, Repeats: l.Repeats,
		Hierarchy: valueOr(l.Hierarchy, u.hierarchy(name, number)), BlockType: l.BlockType,
		ImportsCount: counts[0], TypesCount: counts[1], FunctionsCount: counts[2],
		DocID: valueOr(l.DocID, u.docID), Depth: section[0], Position: section[1], Slug: valueOr(l.Slug, u.slug), Breadcrumb: valueOr(l.Breadcrumb, u.breadcrumb(name)),
		SectionIndex: section[2], ChunkIndex: section[3], IsLargeParagraph: l.Large, IsSplitParagraph: l.Split,
	}
	if len(l.Place) > 4 {
		var ok bool
		if c.Metadata.SymbolSignature, ok = pieceOf(l.Text, l.Place[4], l.Place[5]); !ok {
			return nil, fmt.Errorf("chunk %q: its signature is not in its text", c.ID)
		}
	}
	if l.ParentID != nil {
		c.Metadata.ParentID = unstar(*l.ParentID, prefixes[len(prefixes)-1]+record.IDPath(f.Path()))
	}
	if l.Symbols != "" {
		var ok bool
		if c.Metadata.Symbols, ok = unpackRefs(l.Symbols); !ok {
			return nil, fmt.Errorf("chunk %q: its list of symbols is not valid", c.ID)
		}
	}
	if l.Title == nil {
		c.Title = f.title(u, name, kind)
	} else {
		c.Title = unstar(*l.Title, f.Path())
	}
	if c.Tags = u.tags; l.Tags != nil {
		c.Tags = *l.Tags
	}
	return c, nil
}
