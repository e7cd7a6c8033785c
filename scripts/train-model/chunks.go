package main

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"cortex/lib/embed"
	"cortex/lib/record"
)

// A place is a chunk of a repository, with its text as search embeds it.
type place struct {
	Path       string
	Start, End int // the first and last line
	Type       record.ChunkType
	Text       string
}

func (p *place) has(path string, line int) bool {
	return p.Path == path && p.Start <= line && line <= p.End
}

// maxOthers is the number of chunks of a repository that are kept besides those that written questions are about.
const maxOthers = 1500

// places returns chunks of a repository: those that the questions are about, and then others, drawn at random. Generated
// code is left out. They are kept in a file in cache.
func places(r repository, repos, bin, cache string, questions []written) ([]place, error) {
	file := filepath.Join(cache, r.folder()+".chunks")
	var list []place
	if data, err := os.ReadFile(file); err == nil {
		if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&list); err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		return list, nil
	}
	lines := map[string][]int{}
	for _, q := range questions {
		lines[q.Path] = append(lines[q.Path], q.Line)
	}
	chunks, err := chunksOf(bin, filepath.Join(repos, r.folder()))
	if err != nil {
		return nil, fmt.Errorf("chunks of %s: %w", r.Name, err)
	}
	var others []place
	for _, c := range chunks {
		if slices.Contains(c.Tags, "generated") {
			continue
		}
		m := &c.Metadata
		p := place{m.FilePath, m.StartLine, m.EndLine, c.ChunkType, shorten(embed.Text(c))}
		if slices.ContainsFunc(lines[p.Path], func(line int) bool { return p.has(p.Path, line) }) {
			list = append(list, p)
		} else {
			others = append(others, p)
		}
	}
	slices.SortStableFunc(others, func(a, b place) int { return cmp.Compare(draw(a.Path, a.Text), draw(b.Path, b.Text)) })
	list = append(list, others[:min(len(others), maxOthers)]...)
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(list); err != nil {
		return nil, err
	}
	return list, os.WriteFile(file, b.Bytes(), 0o644)
}

// answers orders the types of chunks by how well they answer a question about a line that several chunks have.
var answers = []record.ChunkType{record.Implementations, record.Documentation, record.Definitions, record.Data}

// answerAt returns the text of the chunk that answers a question about a line, "" if there is none.
func answerAt(list []place, path string, line int) string {
	best, rank := place{}, len(answers)
	for _, p := range list {
		at := slices.Index(answers, p.Type)
		if at >= 0 && p.has(path, line) && (at < rank || at == rank && p.End-p.Start < best.End-best.Start) {
			best, rank = p, at
		}
	}
	return best.Text
}

// sourceOf returns the pairs of the questions with the chunks that they are about, and the texts of the other chunks.
func sourceOf(list []place, questions []written) *source {
	s := &source{}
	byPath := map[string][]place{}
	for _, p := range list {
		byPath[p.Path] = append(byPath[p.Path], p)
	}
	asked := map[string][]int{}
	for _, q := range questions {
		asked[q.Path] = append(asked[q.Path], q.Line)
		text := answerAt(byPath[q.Path], q.Path, q.Line)
		if text == "" {
			continue
		}
		for _, question := range q.Questions {
			s.pairs = append(s.pairs, pair{question, text, draw(q.Path, text)})
		}
	}
	for _, p := range list {
		if !slices.ContainsFunc(asked[p.Path], func(line int) bool { return p.has(p.Path, line) }) {
			s.others = append(s.others, p.Text)
		}
	}
	return s
}
