package jsonl

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"

	"cortex/lib/record"
)

// Append appends the record and a newline to dst. Equal records give equal bytes. The error is ErrTooLong if the line
// would exceed MaxLine.
func Append(dst []byte, rec record.Record) ([]byte, error) {
	encode := AppendJSON
	switch r := rec.(type) {
	case *record.Begin:
		r.Type, encode = record.TypeBegin, appendFrame
	case *record.End:
		r.Type, encode = record.TypeEnd, appendFrame
	case *record.File:
		r.Type = record.TypeFile
	case *record.Chunk:
		r.Type = record.TypeChunk
	}
	line, err := encode(dst, rec)
	if err == nil && len(line)-len(dst) >= MaxLine {
		err = ErrTooLong
	}
	if err != nil {
		return dst, fmt.Errorf("encode %s record: %w", rec.RecordType(), err)
	}
	return append(line, '\n'), nil
}

// AppendFloats is Append with the embedding as an array of numbers, for readers such as jq.
func AppendFloats(dst []byte, chunk *record.Chunk) ([]byte, error) {
	start := len(dst)
	dst, err := Append(dst, chunk)
	if err != nil || chunk.Embedding == nil {
		return dst, err
	}
	// A quote inside a string is escaped, so this can only be the key itself.
	encoded := []byte(`,"embedding":"` + chunk.Embedding.Base64() + `"`)
	before, after, found := bytes.Cut(dst[start:], encoded)
	if !found {
		return dst, fmt.Errorf("encode chunk %q: no embedding in the record", chunk.ID)
	}
	out := append(bytes.Clone(before), `,"embedding":[`...)
	for i, x := range chunk.Embedding {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendFloat(out, float64(x), 'g', -1, 32)
	}
	out = append(append(out, ']'), after...)
	return append(dst[:start], out...), nil
}

// A Writer writes records through a buffer. Call Flush after the last record and check its error.
type Writer struct {
	w   *bufio.Writer
	buf []byte
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer {
	return &Writer{w: bufio.NewWriterSize(w, 256<<10)}
}

// Write writes one record.
func (w *Writer) Write(rec record.Record) error {
	buf, err := Append(w.buf[:0], rec)
	w.buf = buf
	if err != nil {
		return err
	}
	return w.WriteLines(buf)
}

// WriteLines writes lines that are already encoded, each with its newline.
func (w *Writer) WriteLines(lines []byte) error {
	_, err := w.w.Write(lines)
	return err
}

// Flush writes the buffer. A stage flushes before it returns and after every End, since the next run may start much
// later.
func (w *Writer) Flush() error { return w.w.Flush() }
