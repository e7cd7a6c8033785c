package graph

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"cortex/lib/record"
)

// A Line is one line of the file: one of the five is set.
type Line struct {
	Node     *Node
	Typing   *Typing
	Mapping  *record.Mapping
	Edge     *Edge
	Omission *Omission
}

// A raw line refers to the bytes that were read, or to those that were unescaped.
type raw struct {
	// sort is the first key, id its value.
	sort sort
	id   []byte

	kind, name, tree, language, pkg, signature, value, path []byte
	written, from, receiver, module, alias, by, external    []byte
	relation                                                []byte
	start, end, line, held, found                           int
	confidence                                              int // in thousandths
	exported, test, incoming                                bool
	lines                                                   []int
	to                                                      [][]byte
}

type sort byte

const (
	nodeSort sort = iota + 1
	typingSort
	mappingSort
	edgeSort
	omissionSort
)

// A decoder decodes lines; what it returns is valid until the next.
type decoder struct {
	data    []byte
	at      int
	raw     raw
	scratch []byte
}

// Bounds of numbers in a line.
const maxNumber = 1 << 31

var errForm = errors.New("it is not a line of a graph")

// decode takes a line without its end.
func (d *decoder) decode(line []byte) (*raw, error) {
	d.data, d.at, d.scratch = line, 0, d.scratch[:0]
	d.raw = raw{lines: d.raw.lines[:0], to: d.raw.to[:0]}
	if !utf8.Valid(line) {
		return nil, errors.New("it is not UTF-8")
	}
	if !d.literal('{') {
		return nil, errForm
	}
	for first := true; ; first = false {
		key, ok := d.string()
		if !ok || !d.literal(':') {
			return nil, errForm
		}
		if err := d.field(key, first); err != nil {
			return nil, err
		}
		if d.literal('}') {
			break
		}
		if !d.literal(',') {
			return nil, errForm
		}
	}
	if d.at != len(d.data) {
		return nil, errForm
	}
	return &d.raw, d.check()
}

func (d *decoder) field(key []byte, first bool) error {
	r := &d.raw
	var text *[]byte
	if first {
		switch string(key) {
		case "node":
			r.sort = nodeSort
		case "typing":
			r.sort = typingSort
		case "mapping":
			r.sort = mappingSort
		case "edge":
			r.sort = edgeSort
		case "omission":
			r.sort = omissionSort
		default:
			return errForm
		}
		text = &r.id
	} else {
		ok := true
		switch string(key) {
		case "kind":
			text = &r.kind
		case "name":
			text = &r.name
		case "tree":
			text = &r.tree
		case "language":
			text = &r.language
		case "package":
			text = &r.pkg
		case "signature":
			text = &r.signature
		case "value":
			text = &r.value
		case "path":
			text = &r.path
		case "written":
			text = &r.written
		case "from":
			text = &r.from
		case "receiver":
			text = &r.receiver
		case "module":
			text = &r.module
		case "alias":
			text = &r.alias
		case "by":
			text = &r.by
		case "external":
			text = &r.external
		case "relation":
			text = &r.relation
		case "start_line":
			r.start, ok = d.number()
		case "end_line":
			r.end, ok = d.number()
		case "line":
			r.line, ok = d.number()
		case "held":
			r.held, ok = d.number()
		case "found":
			r.found, ok = d.number()
		case "exported":
			r.exported, ok = true, d.word("true")
		case "test":
			r.test, ok = true, d.word("true")
		case "incoming":
			r.incoming, ok = true, d.word("true")
		case "confidence":
			r.confidence, ok = d.thousandths()
		case "lines":
			ok = d.list(func() bool {
				n, ok := d.number()
				r.lines = append(r.lines, n)
				return ok
			})
		case "to":
			ok = d.list(func() bool {
				s, ok := d.string()
				r.to = append(r.to, s)
				return ok
			})
		default:
			return fmt.Errorf("unknown key %q", key)
		}
		if text == nil {
			if !ok {
				return fmt.Errorf("the value of %q is none", key)
			}
			return nil
		}
	}
	value, ok := d.string()
	if !ok {
		return fmt.Errorf("the value of %q is no string", key)
	}
	*text = value
	return nil
}

// check makes sure of what readers rely on.
func (d *decoder) check() error {
	r := &d.raw
	switch {
	case r.sort == nodeSort && (len(r.id) == 0 || len(r.kind) == 0):
		return errors.New("a node without identifier or kind")
	case r.sort == nodeSort && r.end < r.start:
		return errors.New("a node that ends before it begins")
	case r.sort == edgeSort && (len(r.id) == 0 || len(r.from) == 0):
		return errors.New("an edge without relation or source")
	case r.sort == typingSort && len(r.id) == 0:
		return errors.New("a typing of nothing")
	case r.sort == omissionSort && (len(r.id) == 0 || len(r.relation) == 0):
		return errors.New("an omission without node or relation")
	case r.sort == omissionSort && r.found > 0 && r.held > r.found:
		return errors.New("an omission of fewer than none")
	case r.sort == nodeSort && string(r.kind) == string(FileKind):
		return record.CheckTreePath(string(r.tree), string(r.id))
	case r.sort == mappingSort:
		if err := record.CheckFolder(string(r.path)); err != nil {
			return fmt.Errorf("mapping of %q to %q: %w", r.id, r.path, err)
		}
	case len(r.to) > 0 && len(r.by) == 0:
		return errors.New("targets that were not found in any way")
	}
	return nil
}

func (d *decoder) literal(c byte) bool {
	if d.at < len(d.data) && d.data[d.at] == c {
		d.at++
		return true
	}
	return false
}

func (d *decoder) word(w string) bool {
	if len(d.data)-d.at < len(w) || string(d.data[d.at:d.at+len(w)]) != w {
		return false
	}
	d.at += len(w)
	return true
}

// special marks the bytes that end the plain part of a string.
var special = func() (table [256]bool) {
	for c := range ' ' {
		table[c] = true
	}
	table['"'], table['\\'] = true, true
	return table
}()

func (d *decoder) string() ([]byte, bool) {
	if !d.literal('"') {
		return nil, false
	}
	start := d.at
	for i := start; i < len(d.data); i++ {
		if !special[d.data[i]] {
			continue
		}
		switch d.data[i] {
		case '"':
			d.at = i + 1
			return d.data[start:i], true
		case '\\':
			return d.escaped(start, i)
		}
		return nil, false
	}
	return nil, false
}

// escaped reads a string that begins at start and has its first escape at i.
func (d *decoder) escaped(start, i int) ([]byte, bool) {
	// What was unescaped before stays where it is when scratch moves.
	begin := len(d.scratch)
	d.scratch = append(d.scratch, d.data[start:i]...)
	for ; i < len(d.data); i++ {
		c := d.data[i]
		if c == '"' {
			d.at = i + 1
			return d.scratch[begin:len(d.scratch):len(d.scratch)], true
		}
		if c < ' ' {
			return nil, false
		}
		if c == '\\' {
			if i++; i == len(d.data) {
				return nil, false
			}
			switch d.data[i] {
			case '"', '\\':
				c = d.data[i]
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case 'r':
				c = '\r'
			case 'u':
				if len(d.data)-i < 5 || d.data[i+1] != '0' || d.data[i+2] != '0' {
					return nil, false
				}
				high, low := bytes.IndexByte([]byte(hexDigits), d.data[i+3]), bytes.IndexByte([]byte(hexDigits), d.data[i+4])
				if high < 0 || high > 1 || low < 0 {
					return nil, false
				}
				c = byte(high<<4 | low)
				i += 4
			default:
				return nil, false
			}
		}
		d.scratch = append(d.scratch, c)
	}
	return nil, false
}

func (d *decoder) number() (int, bool) {
	n, start := 0, d.at
	for d.at < len(d.data) && d.data[d.at] >= '0' && d.data[d.at] <= '9' {
		if n = 10*n + int(d.data[d.at]-'0'); n >= maxNumber {
			return 0, false
		}
		d.at++
	}
	return n, d.at > start
}

// thousandths reads a confidence.
func (d *decoder) thousandths() (int, bool) {
	if d.literal('1') {
		return 1000, true
	}
	if !d.word("0.") {
		return 0, false
	}
	n, digit := 0, 100
	for ; digit > 0 && d.at < len(d.data) && d.data[d.at] >= '0' && d.data[d.at] <= '9'; digit /= 10 {
		n += digit * int(d.data[d.at]-'0')
		d.at++
	}
	return n, digit < 100
}

func (d *decoder) list(element func() bool) bool {
	if !d.literal('[') {
		return false
	}
	for {
		if !element() {
			return false
		}
		if d.literal(']') {
			return true
		}
		if !d.literal(',') {
			return false
		}
	}
}

// A Decoder decodes lines one by one. Values that repeat it shares. It is for one goroutine.
type Decoder struct {
	decoder decoder
	shared  map[string]string
}

// NewDecoder returns a decoder that is ready.
func NewDecoder() *Decoder { return &Decoder{shared: map[string]string{}} }

// maxShared bounds the strings that a Decoder remembers.
const maxShared = 1 << 16

func (d *Decoder) text(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if s, ok := d.shared[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(d.shared) < maxShared {
		d.shared[s] = s
	}
	return s
}

// Decode decodes a line without its end, which may be overwritten afterwards.
func (d *Decoder) Decode(line []byte) (Line, error) {
	r, err := d.decoder.decode(line)
	if err != nil {
		return Line{}, err
	}
	switch r.sort {
	case nodeSort:
		return Line{Node: &Node{
			ID: string(r.id), Kind: record.Kind(d.text(r.kind)), Name: d.text(r.name),
			Tree: d.text(r.tree), Language: d.text(r.language), Package: d.text(r.pkg),
			StartLine: r.start, EndLine: r.end, Signature: string(r.signature), Exported: r.exported, Test: r.test,
		}}, nil
	case typingSort:
		return Line{Typing: &Typing{Of: d.text(r.id), Name: d.text(r.name), Value: d.text(r.value), Signature: string(r.signature), Line: r.line}}, nil
	case mappingSort:
		return Line{Mapping: &record.Mapping{Module: string(r.id), Path: string(r.path)}}, nil
	}
	if r.sort == omissionSort {
		return Line{Omission: &Omission{Of: d.text(r.id), Relation: record.Relation(d.text(r.relation)), Incoming: r.incoming, Held: r.held, Found: r.found}}, nil
	}
	e := &Edge{
		Relation: record.Relation(d.text(r.id)), Written: record.Relation(d.text(r.written)), From: d.text(r.from),
		Name: d.text(r.name), Receiver: d.text(r.receiver), Module: d.text(r.module), Alias: d.text(r.alias), Lines: slices.Clone(r.lines),
		By: By(d.text(r.by)), Confidence: float64(r.confidence) / 1000, External: d.text(r.external),
	}
	for _, to := range r.to {
		e.To = append(e.To, d.text(to))
	}
	return Line{Edge: e}, nil
}

// Bounds of a graph file, which may come from anywhere. An edge has at most a number for each line of its file, so its line stays far below
// maxLine; names are clipped. What is written of a file is cut off at maxFile, which 100,000 edges of long names do not reach.
const (
	maxLine = 16 << 20
	maxFile = 64 << 20
	maxText = 64 << 10
)

var (
	errLongLine = fmt.Errorf("read graph: the line has more than %d bytes", maxLine)
	errLongFile = fmt.Errorf("read graph: the lines of one file have more than %d bytes", maxFile)
	errCutOff   = errors.New("read graph: the line is cut off")
)

// A Reader reads the lines of a graph file.
type Reader struct {
	name    string
	r       *bufio.Reader
	number  int
	long    []byte
	decoder *Decoder
}

// NewReader reads from r, which errors call name. The first line, of metadata, it leaves out.
func NewReader(r io.Reader, name string) *Reader {
	return &Reader{name: name, r: bufio.NewReaderSize(r, 256<<10), decoder: NewDecoder()}
}

// Next returns the next line, and io.EOF after the last. The error about a line is a *record.LineError; the next call goes on
// after it.
func (r *Reader) Next() (Line, error) {
	for {
		data, err := r.read()
		if err != nil {
			return Line{}, err
		}
		if r.number == 1 && bytes.HasPrefix(data, []byte(`{"_metadata":`)) {
			continue
		}
		line, err := r.decoder.Decode(data)
		if err != nil {
			return Line{}, &record.LineError{Name: r.name, Number: r.number, Err: fmt.Errorf("read graph: %w", err)}
		}
		return line, nil
	}
}

// read returns the next line without its end.
func (r *Reader) read() ([]byte, error) {
	data, err := r.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		r.long = append(r.long[:0], data...)
		for err == bufio.ErrBufferFull {
			if len(r.long) > maxLine {
				return nil, &record.LineError{Name: r.name, Number: r.number + 1, Err: errLongLine}
			}
			data, err = r.r.ReadSlice('\n')
			r.long = append(r.long, data...)
		}
		data = r.long
	}
	r.number++
	switch {
	case err == io.EOF && len(data) == 0:
		return nil, io.EOF
	case err == io.EOF:
		return nil, &record.LineError{Name: r.name, Number: r.number, Err: errCutOff}
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", r.name, err)
	}
	return data[:len(data)-1], nil
}
