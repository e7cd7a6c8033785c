package parse

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"cortex/lib/language"
	"cortex/lib/parse/document"
	"cortex/lib/parse/extract"
	"cortex/lib/parse/lexical"
	"cortex/lib/record"
)

// notebookLanguage is the language name of notebooks, which are read as Markdown documents.
const notebookLanguage = "jupyter"

// A cell is one cell of a notebook (nbformat 3 and 4).
type cell struct {
	kind string // "code", "markdown", "raw" or, in version 3, "heading"
	// source has the lines of the cell; at has the line number in the file of each. open and shut are the line numbers
	// of the brackets around them. Line numbers count from 0.
	source     []string
	at         []int
	open, shut int
}

// A notebook has the cells of a notebook without their outputs. language is "" if the metadata name none.
type notebook struct {
	language string
	cells    []cell
}

// notebookFile replaces the text of a notebook with Markdown: the text of the cells, with code in fences. If the file
// has each line of source on a line of its own, as is usual, the lines keep their numbers and all other lines become
// empty. A file that is no notebook keeps its text and gets StatusError.
func (w *worker) notebookFile(f *record.File) {
	n, err := readNotebook(f.Text)
	if err != nil {
		f.Status, f.Reason = record.StatusError, "not a notebook: "+err.Error()
		return
	}
	lines, code := n.inPlace()
	if lines == nil {
		lines, code = n.packed()
	}
	f.Text = ""
	if len(lines) > 0 {
		f.Text = strings.Join(lines, "\n") + "\n"
	}
	markdown, _ := language.ByName("markdown")
	document.Read(f, markdown)
	name := cmp.Or(n.language, "python")
	starts := lexical.LineStarts(f.Text)
	var segments []extract.Segment
	for _, c := range code {
		s := extract.Segment{Span: lexical.Span{Start: starts[c[0]], End: starts[c[1]]}, Language: name}
		var ok bool
		if s.Readable, ok = withoutMagics(f.Text[s.Start:s.End]); ok {
			segments = append(segments, s)
		}
	}
	w.embedded(f, segments)
}

// withoutMagics turns IPython commands into comments, in a text of the same length. It returns false for a cell with
// code in another language.
func withoutMagics(code string) (string, bool) {
	if strings.HasPrefix(code, "%%") {
		word, _, _ := strings.Cut(code[2:], "\n")
		word, _, _ = strings.Cut(word, " ")
		switch word {
		case "time", "timeit", "capture", "prun":
		default:
			return "", false
		}
	}
	var out []byte
	for pos := 0; pos < len(code); {
		end, next := lexical.NextLine(code, pos)
		line := strings.TrimLeft(code[pos:end], " \t")
		if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") || strings.HasSuffix(line, "?") {
			if out == nil {
				out = []byte(code)
			}
			out[end-len(line)] = '#'
		}
		pos = next
	}
	if out == nil {
		return code, true
	}
	return string(out), true
}

// inPlace returns the document with the line numbers of the file, and the half-open line ranges of its code. It returns
// nil if lines of source share lines of the file.
func (n *notebook) inPlace() (lines []string, code [][2]int) {
	last := -1
	put := func(at int, text string) bool {
		if at <= last || strings.ContainsAny(text, "\n\r") {
			return false
		}
		for len(lines) < at {
			lines = append(lines, "")
		}
		lines, last = append(lines, text), at
		return true
	}
	for _, c := range n.cells {
		if len(c.source) == 0 {
			continue
		}
		fence := c.fence()
		if c.kind == "code" && !put(c.open, fence+cmp.Or(n.language, "python")) {
			return nil, nil
		}
		for i, text := range c.source {
			if !put(c.at[i], text) {
				return nil, nil
			}
		}
		if c.kind == "code" {
			code = append(code, [2]int{c.at[0], c.shut})
			if !put(c.shut, fence) {
				return nil, nil
			}
		}
	}
	return lines, code
}

// packed returns the document with line numbers of its own, and the half-open line ranges of its code.
func (n *notebook) packed() (lines []string, code [][2]int) {
	for _, c := range n.cells {
		source := strings.Split(strings.Join(c.source, "\n"), "\n")
		if len(c.source) == 0 {
			continue
		}
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		if c.kind != "code" {
			lines = append(lines, source...)
			continue
		}
		fence := c.fence()
		lines = append(lines, fence+cmp.Or(n.language, "python"))
		code = append(code, [2]int{len(lines), len(lines) + len(source)})
		lines = append(append(lines, source...), fence)
	}
	return lines, code
}

// fence returns a Markdown fence that is longer than any fence in the cell.
func (c *cell) fence() string {
	fence := "```"
	for _, line := range c.source {
		for strings.Contains(line, fence) && len(fence) < 20 {
			fence += "`"
		}
	}
	return fence
}

var errShape = errors.New("unexpected value")

// A notebookReader reads the JSON tokens of a notebook and counts lines.
type notebookReader struct {
	*json.Decoder
	text      string
	line, pos int
}

// readNotebook reads the cells and the language.
func readNotebook(text string) (*notebook, error) {
	r := &notebookReader{Decoder: json.NewDecoder(strings.NewReader(text)), text: text}
	n := &notebook{}
	found := false
	err := r.object(func(key string) error {
		switch key {
		case "cells":
			found = true
			return r.cells(n)
		case "worksheets": // version 3
			found = true
			return r.array(func() error {
				return r.object(func(key string) error {
					if key == "cells" {
						return r.cells(n)
					}
					return r.skip()
				})
			})
		case "metadata":
			return r.language(n)
		}
		return r.skip()
	})
	if err == nil && !found {
		err = errors.New("it has no cells")
	}
	return n, err
}

// lineNow returns the line, from 0, of the last token.
func (r *notebookReader) lineNow() int {
	offset := int(r.InputOffset())
	r.line += strings.Count(r.text[r.pos:offset], "\n")
	r.pos = offset
	return r.line
}

// object reads an object and calls value for each key. value must read exactly one JSON value.
func (r *notebookReader) object(value func(key string) error) error {
	if err := r.delim('{'); err != nil {
		return err
	}
	for r.More() {
		t, err := r.Token()
		if err != nil {
			return err
		}
		key, ok := t.(string)
		if !ok {
			return errShape
		}
		if err := value(key); err != nil {
			return err
		}
	}
	return r.delim('}')
}

// array reads an array and calls element for each element. element must read exactly one JSON value.
func (r *notebookReader) array(element func() error) error {
	if err := r.delim('['); err != nil {
		return err
	}
	for r.More() {
		if err := element(); err != nil {
			return err
		}
	}
	return r.delim(']')
}

func (r *notebookReader) delim(want json.Delim) error {
	t, err := r.Token()
	if err == nil && t != want {
		err = fmt.Errorf("line %d: %w", r.lineNow()+1, errShape)
	}
	return err
}

// skip reads one value of any depth.
func (r *notebookReader) skip() error {
	for depth := 0; ; {
		t, err := r.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

func (r *notebookReader) cells(n *notebook) error {
	return r.array(func() error {
		var c cell
		err := r.object(func(key string) error {
			switch key {
			case "cell_type":
				t, err := r.Token()
				c.kind, _ = t.(string)
				return err
			case "source", "input":
				return r.source(&c)
			}
			return r.skip()
		})
		if c.kind == "heading" && len(c.source) > 0 {
			c.source[0] = "# " + c.source[0]
		}
		n.cells = append(n.cells, c)
		return err
	})
}

// source reads the source of a cell: an array of lines, or one string.
func (r *notebookReader) source(c *cell) error {
	t, err := r.Token()
	if err != nil {
		return err
	}
	c.open = r.lineNow()
	switch t := t.(type) {
	case string:
		c.add(t, c.open)
		c.shut = c.open
		return nil
	case json.Delim:
		if t != '[' {
			return errShape
		}
	default:
		return errShape
	}
	for r.More() {
		t, err := r.Token()
		if err != nil {
			return err
		}
		text, ok := t.(string)
		if !ok {
			return errShape
		}
		c.add(text, r.lineNow())
	}
	if err := r.delim(']'); err != nil {
		return err
	}
	c.shut = r.lineNow()
	return nil
}

// add adds a string of the source. line is the line of the file on which it is.
func (c *cell) add(text string, line int) {
	if text == "" {
		return
	}
	c.source = append(c.source, strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r"))
	c.at = append(c.at, line)
}

// language reads the metadata and sets n.language.
func (r *notebookReader) language(n *notebook) error {
	var data json.RawMessage
	if err := r.Decode(&data); err != nil {
		return err
	}
	var meta struct {
		Kernel struct {
			Language string `json:"language"`
		} `json:"kernelspec"`
		Info struct {
			Name string `json:"name"`
		} `json:"language_info"`
	}
	// Metadata of another shape leave the language unknown.
	_ = json.Unmarshal(bytes.TrimSpace(data), &meta)
	name := strings.ToLower(cmp.Or(meta.Info.Name, meta.Kernel.Language))
	if lang, ok := language.ByName(name); ok {
		n.language = lang.Name
	}
	return nil
}
