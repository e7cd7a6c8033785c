package main

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"cortex/lib/record"
	"cortex/lib/record/jsonl"
)

// parseTree returns the output of cortex-parse for the tree below root, "" for the working folder.
func parseTree(bin, root string, flags ...string) ([]byte, error) {
	parse := exec.Command(filepath.Join(bin, "cortex-parse"), append([]string{"--quiet", "--jobs", "1", "."}, flags...)...)
	parse.Dir = root
	return output(parse)
}

// cut returns the chunks that cortex-chunk makes of the output of cortex-parse.
func cut(bin string, files []byte) ([]*record.Chunk, error) {
	chunk := exec.Command(filepath.Join(bin, "cortex-chunk"), "--quiet", "--jobs", "1")
	chunk.Stdin = bytes.NewReader(files)
	out, err := output(chunk)
	if err != nil {
		return nil, err
	}
	var chunks []*record.Chunk
	err = read(out, func(rec record.Record) {
		if c, ok := rec.(*record.Chunk); ok {
			chunks = append(chunks, c)
		}
	})
	return chunks, err
}

// chunksOf returns the chunks of the tree below root. flags are for cortex-parse.
func chunksOf(bin, root string, flags ...string) ([]*record.Chunk, error) {
	files, err := parseTree(bin, root, flags...)
	if err != nil {
		return nil, err
	}
	return cut(bin, files)
}

// output returns what a stage of the pipeline writes. A file that the stage cannot read is reported and makes its exit
// status 2, which is no failure here.
func output(stage *exec.Cmd) ([]byte, error) {
	stage.Stderr = os.Stderr
	out, err := stage.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 2 && len(out) > 0 {
		err = nil
	}
	return out, err
}

// read calls each for all records.
func read(data []byte, each func(record.Record)) error {
	records := jsonl.NewReader(bytes.NewReader(data), "records")
	for {
		rec, err := records.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		each(rec)
	}
}

// cached returns the value in the file or, if there is none, the value that produce returns, which it writes to the file.
func cached[T any](file string, produce func() (T, error)) (value T, err error) {
	data, err := os.ReadFile(file)
	switch {
	case err == nil:
		if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&value); err != nil {
			return value, fmt.Errorf("read %s: %w", file, err)
		}
		return value, nil
	case !errors.Is(err, fs.ErrNotExist):
		return value, err
	}
	if value, err = produce(); err != nil {
		return value, err
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(value); err != nil {
		return value, err
	}
	return value, os.WriteFile(file, b.Bytes(), 0o644)
}
