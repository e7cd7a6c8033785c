// Package jsonl reads and writes records as lines of JSON, and has the JSON codec that the pipeline and the store use.
// Begin with reader.go and writer.go; line.go decodes and checks one line, codec.go is the codec.
package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"cortex/lib/record"
)

// A Reader reads the lines of a stream, of up to MaxLine bytes each.
type Reader struct {
	name   string
	r      *bufio.Reader
	number int
	// warm is called before the first file record; nil if there is nothing to do.
	warm func()
}

// NewReader returns a Reader of r. Errors call the stream name.
func NewReader(r io.Reader, name string) *Reader {
	return &Reader{name: name, r: bufio.NewReaderSize(r, 256<<10)}
}

// Next returns the next line that is not blank, and io.EOF after the last. The last line needs no newline. For a line
// longer than MaxLine, Next returns a *LineError with ErrTooLong; the next call continues with the following line.
func (r *Reader) Next() (Line, error) {
	for {
		data, err := r.readLine()
		if err == ErrTooLong {
			r.number++
			return Line{}, &LineError{Name: r.name, Number: r.number, Err: err}
		}
		if err != nil && err != io.EOF {
			return Line{}, fmt.Errorf("read %s: %w", r.name, err)
		}
		if len(data) > 0 {
			r.number++
		}
		if data = bytes.TrimSpace(data); len(data) > 0 {
			line := Line{Name: r.name, Number: r.number, Data: data, Unended: err == io.EOF}
			if r.warm != nil {
				r.looked(line)
			}
			return line, nil
		}
		if err == io.EOF {
			return Line{}, io.EOF
		}
	}
}

// readLine returns the next line with its newline, as bufio.Reader.ReadBytes does. A line that fits the buffer takes
// one allocation. A line longer than MaxLine is read to its end and dropped.
func (r *Reader) readLine() ([]byte, error) {
	part, err := r.r.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return bytes.Clone(part), err
	}
	whole, size := bytes.Clone(part), len(part)
	for err == bufio.ErrBufferFull {
		part, err = r.r.ReadSlice('\n')
		if size += len(part); size <= MaxLine {
			whole = append(whole, part...)
		} else {
			whole = nil
		}
	}
	if size > MaxLine && (err == nil || err == io.EOF) {
		return nil, ErrTooLong
	}
	return whole, err
}

// Read returns the next record, io.EOF after the last, or a *LineError, after which the next call continues with the
// following line.
func (r *Reader) Read() (record.Record, error) {
	line, err := r.Next()
	if err != nil {
		return nil, err
	}
	return line.Decode()
}

// WarmUp makes the reader call Warm when the stream begins a run that has files. Most runs of a watch, and runs over an
// unchanged tree, have none.
func (r *Reader) WarmUp(decoded, encoded []record.Record) {
	r.warm = func() { Warm(decoded, encoded) }
}

// looked calls and clears r.warm if the line begins a run with files.
func (r *Reader) looked(line Line) {
	kind, err := line.Type()
	switch {
	case err != nil || kind == record.TypeEnd:
		return
	case kind == record.TypeBegin:
		var begin struct{ Files int }
		if json.Unmarshal(line.Data, &begin) != nil || begin.Files == 0 {
			return
		}
		r.warm()
	}
	r.warm = nil
}
