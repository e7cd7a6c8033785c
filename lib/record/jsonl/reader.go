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

// A Reader reads the lines of a stream. Lines may have any length.
type Reader struct {
	name   string
	r      *bufio.Reader
	number int
	// warm is what is to be done before the first file comes; nil if nothing is.
	warm func()
}

// NewReader reads from r, which errors call name.
func NewReader(r io.Reader, name string) *Reader {
	return &Reader{name: name, r: bufio.NewReaderSize(r, 256<<10)}
}

// Next returns the next line that is not blank, and io.EOF after the last. A last
// line without an end counts. A line above MaxLine is a *LineError with ErrTooLong, after which the next call goes on with the next line.
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
			line := Line{Name: r.name, Number: r.number, Data: data}
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

// readLine is bufio.Reader.ReadBytes with one allocation for lines within the buffer. Of a line that is too long it passes over the rest.
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

// Read returns the next record, io.EOF after the last, or a *LineError, after which
// the next call goes on with the next line.
func (r *Reader) Read() (record.Record, error) {
	line, err := r.Next()
	if err != nil {
		return nil, err
	}
	return line.Decode()
}

// WarmUp calls Warm once the stream begins a run with files. Most runs of a watch, and those over a tree that has not changed, have none.
func (r *Reader) WarmUp(decoded, encoded []record.Record) {
	r.warm = func() { Warm(decoded, encoded) }
}

// looked looks at a line for WarmUp.
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
