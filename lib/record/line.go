package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/bytedance/sonic"
	"github.com/bytedance/sonic/ast"
)

// MaxLine bounds a line, in bytes: a stage holds a line or two for each processor, several times over while it decodes them. The record of a
// source file has two to six times its size.
const MaxLine = 64 << 20

// ErrTooLong says that a record has more than MaxLine bytes.
var ErrTooLong = fmt.Errorf("the record is longer than %d MiB", MaxLine>>20)

// A Line is one line of a stream, not yet decoded.
type Line struct {
	// Name and Number say where the line comes from; numbers count from 1.
	Name   string
	Number int
	// Data is the line without its end; the Line owns it.
	Data []byte
}

// A LineError is a fault in one line. The stream goes on after it.
type LineError struct {
	Name   string
	Number int
	Err    error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.Name, e.Number, e.Err) }

// Unwrap returns the fault without its place.
func (e *LineError) Unwrap() error { return e.Err }

// Errorf makes a LineError for the line.
func (l Line) Errorf(format string, args ...any) error {
	return &LineError{Name: l.Name, Number: l.Number, Err: fmt.Errorf(format, args...)}
}

// Type returns the line's record type without decoding the rest. The error is a
// *LineError.
func (l Line) Type() (Type, error) {
	rest, ok := bytes.CutPrefix(l.Data, []byte(`{"type":"`))
	if ok {
		if i := bytes.IndexByte(rest, '"'); i >= 0 {
			switch t := Type(rest[:i]); t {
			case TypeBegin, TypeFile, TypeChunk, TypeEnd:
				return t, nil
			}
		}
	}
	node, err := sonic.Get(l.Data, "type")
	if err != nil {
		if errors.Is(err, ast.ErrNotExist) {
			return "", l.Errorf(`not a record: no key "type"`)
		}
		return "", l.Errorf("not a record: %s", briefly(err))
	}
	name, err := node.StrictString()
	if err != nil {
		return "", l.Errorf(`not a record: "type" is not a string`)
	}
	switch t := Type(name); t {
	case TypeBegin, TypeFile, TypeChunk, TypeEnd:
		return t, nil
	}
	return "", l.Errorf("unexpected record type %q", name)
}

// Check finds out whether the line is a record at all, for who passes it on as it is. The error is a *LineError.
func (l Line) Check() error {
	t, err := l.Type()
	switch {
	case err != nil:
		return err
	case !utf8.Valid(l.Data):
		return l.Errorf("decode %s record: not UTF-8", t)
	case !l.isPlain():
		return l.Errorf("decode %s record: a control character that is not escaped", t)
	case !sonic.Valid(l.Data):
		_, err := l.Decode()
		return cmp.Or(err, l.Errorf("decode %s record: not JSON", t))
	}
	return nil
}

// isPlain reports whether the line has no control characters but those between tokens (RFC 8259, section 7), on which the codec does not insist.
func (l Line) isPlain() bool {
	for _, c := range l.Data {
		if c < ' ' {
			return json.Valid(l.Data)
		}
	}
	return true
}

// Decode decodes and checks the line. The error is a *LineError.
func (l Line) Decode() (Record, error) {
	t, err := l.Type()
	if err != nil {
		return nil, err
	}
	var rec interface {
		Record
		check() error
	}
	decode := UnmarshalJSON
	switch t {
	case TypeBegin:
		rec, decode = &Begin{}, json.Unmarshal
	case TypeFile:
		rec = &File{}
	case TypeChunk:
		rec = &Chunk{}
	case TypeEnd:
		rec, decode = &End{}, json.Unmarshal
	}
	// The decoder would replace invalid bytes, and spans would no longer fit the text.
	if !utf8.Valid(l.Data) {
		return nil, l.Errorf("decode %s record: not UTF-8", t)
	}
	if !l.isPlain() {
		return nil, l.Errorf("decode %s record: a control character that is not escaped", t)
	}
	if err := decode(l.Data, rec); err != nil {
		return nil, l.Errorf("decode %s record: %s", t, briefly(err))
	}
	if err := rec.check(); err != nil {
		return nil, l.Errorf("%s record: %w", t, err)
	}
	return rec, nil
}

// briefly is the first line of err, without the picture of the input that sonic adds,
// quoted or not.
func briefly(err error) string {
	line, _, _ := bytes.Cut([]byte(err.Error()), []byte("\n"))
	line, _, _ = bytes.Cut(line, []byte(`\n`))
	return string(bytes.Trim(line, `" :`))
}

func (b *Begin) check() error {
	if b.Schema != Schema {
		return fmt.Errorf("schema %d, this version reads %d", b.Schema, Schema)
	}
	if b.Mode != Full && b.Mode != Incremental {
		return fmt.Errorf("mode %q is neither %q nor %q", b.Mode, Full, Incremental)
	}
	return CheckTree(b.Tree)
}

func (e *End) check() error { return nil }

func (f *File) check() error {
	if f.FilePath == "" {
		return errors.New("no file_path")
	}
	if err := CheckTreePath("", f.FilePath); err != nil {
		return err
	}
	if !slices.Contains(Statuses, f.Status) {
		return fmt.Errorf("unknown status %q", f.Status)
	}
	for _, m := range f.Mappings {
		if err := CheckFolder(m.Path); err != nil {
			return fmt.Errorf("mapping of %q to %q: %w", m.Module, m.Path, err)
		}
	}
	return f.checkSpans()
}

// checkSpans makes it safe to slice Text by the spans of the symbols.
func (f *File) checkSpans() error {
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if s.StartByte < 0 || s.EndByte < s.StartByte || s.EndByte > len(f.Text) ||
			s.BodyByte < 0 || s.BodyByte > len(f.Text) ||
			s.StartLine < 1 || s.EndLine < s.StartLine || s.DocLine < 0 || s.DocLine > s.StartLine {
			return fmt.Errorf("symbol %q: span outside the text", s.QualifiedName)
		}
	}
	return nil
}

func (c *Chunk) check() error {
	switch {
	case c.ID == "":
		return errors.New("no id")
	case c.Metadata.FilePath == "":
		return fmt.Errorf("chunk %q: no metadata.file_path", c.ID)
	case !slices.Contains(ChunkTypes, c.ChunkType):
		return fmt.Errorf("chunk %q: unknown chunk_type %q", c.ID, c.ChunkType)
	}
	if err := CheckTreePath(c.Metadata.Tree, c.Metadata.FilePath); err != nil {
		return fmt.Errorf("chunk %q: %w", c.ID, err)
	}
	if _, ok := c.Embedding.Length(); !ok {
		c.Embedding = nil
	}
	return nil
}
