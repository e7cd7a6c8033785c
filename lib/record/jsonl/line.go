package jsonl

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/bytedance/sonic"
	"github.com/bytedance/sonic/ast"

	"cortex/lib/record"
)

// MaxLine bounds a line, in bytes. A stage holds one or two lines for each processor, and several times their size
// while it decodes them. The record of a source file is two to six times as large as the file.
const MaxLine = 64 << 20

// ErrTooLong reports a record of more than MaxLine bytes.
var ErrTooLong = fmt.Errorf("the record is longer than %d MiB", MaxLine>>20)

// A Line is one line of a stream, not yet decoded.
type Line struct {
	// Name and Number say where the line comes from. Number counts from 1.
	Name   string
	Number int
	// Data is the line without its newline. The Line owns Data.
	Data []byte
	// Unended says that the stream ends without a newline: unless the line is whole, its writer was stopped.
	Unended bool
}

// errCutOff reports a last line that is not whole.
var errCutOff = errors.New("the last line is cut off: the command that writes the stream has stopped")

// A LineError reports an invalid line. The reader goes on with the next line.
type LineError struct {
	Name   string
	Number int
	Err    error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.Name, e.Number, e.Err) }

// Unwrap returns the error without name and number.
func (e *LineError) Unwrap() error { return e.Err }

// Errorf makes a LineError for the line.
func (l Line) Errorf(format string, args ...any) error {
	if l.Unended && l.Data[0] == '{' && !json.Valid(l.Data) {
		return &LineError{Name: l.Name, Number: l.Number, Err: errCutOff}
	}
	return &LineError{Name: l.Name, Number: l.Number, Err: fmt.Errorf(format, args...)}
}

// Type returns the line's record type without decoding the rest. The error is a *LineError.
func (l Line) Type() (record.Type, error) {
	rest, ok := bytes.CutPrefix(l.Data, []byte(`{"type":"`))
	if ok {
		if i := bytes.IndexByte(rest, '"'); i >= 0 {
			switch t := record.Type(rest[:i]); t {
			case record.TypeBegin, record.TypeFile, record.TypeChunk, record.TypeEnd:
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
	switch t := record.Type(name); t {
	case record.TypeBegin, record.TypeFile, record.TypeChunk, record.TypeEnd:
		return t, nil
	}
	return "", l.Errorf("unexpected record type %q", name)
}

// Check reports whether the line is a valid record, for stages that pass lines on without decoding them. The error is a
// *LineError.
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

// isPlain reports whether control characters stand only between tokens (RFC 8259, section 7). The codec accepts them
// inside strings too.
func (l Line) isPlain() bool {
	for _, c := range l.Data {
		if c < ' ' {
			return json.Valid(l.Data)
		}
	}
	return true
}

// Decode decodes and checks the line. The error is a *LineError.
func (l Line) Decode() (record.Record, error) {
	t, err := l.Type()
	if err != nil {
		return nil, err
	}
	var rec record.Record
	decode := Unmarshal
	switch t {
	case record.TypeBegin:
		rec, decode = &record.Begin{}, json.Unmarshal
	case record.TypeFile:
		rec = &record.File{}
	case record.TypeChunk:
		rec = &record.Chunk{}
	case record.TypeEnd:
		rec, decode = &record.End{}, json.Unmarshal
	}
	// The decoder would replace invalid bytes, and the spans would no longer match the text.
	if !utf8.Valid(l.Data) {
		return nil, l.Errorf("decode %s record: not UTF-8", t)
	}
	if !l.isPlain() {
		return nil, l.Errorf("decode %s record: a control character that is not escaped", t)
	}
	if err := decode(l.Data, rec); err != nil {
		return nil, l.Errorf("decode %s record: %s", t, briefly(err))
	}
	if err := rec.Check(); err != nil {
		return nil, l.Errorf("%s record: %w", t, err)
	}
	if c, ok := rec.(*record.Chunk); ok {
		if _, ok := c.Embedding.Length(); !ok {
			c.Embedding = nil
		}
	}
	return rec, nil
}

// briefly returns the first line of err, without the excerpt of the input that sonic appends after a newline or an
// escaped newline.
func briefly(err error) string {
	line, _, _ := bytes.Cut([]byte(err.Error()), []byte("\n"))
	line, _, _ = bytes.Cut(line, []byte(`\n`))
	return string(bytes.Trim(line, `" :`))
}
