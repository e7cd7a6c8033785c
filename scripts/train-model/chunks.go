package main

import (
	"cmp"
	"fmt"
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

func (p *place) has(line int) bool { return p.Start <= line && line <= p.End }

// askedLines are the lines, by file, that written questions are about.
type askedLines map[string][]int

func linesOf(questions []written) askedLines {
	lines := askedLines{}
	for _, q := range questions {
		lines[q.Path] = append(lines[q.Path], q.Line)
	}
	return lines
}

// in reports whether a question is about a line of the place.
func (l askedLines) in(p place) bool { return slices.ContainsFunc(l[p.Path], p.has) }

// maxOthers is the number of chunks of a repository that are kept besides those that written questions are about.
const maxOthers = 1500

// places returns chunks of a repository: those that the questions are about, and then others, drawn at random. Generated
// code is left out. They are kept in a file in cache.
func places(r repository, repos, bin, cache string, questions []written) ([]place, error) {
	return cached(filepath.Join(cache, r.folder()+".chunks"), func() ([]place, error) {
		chunks, err := chunksOf(bin, filepath.Join(repos, r.folder()))
		if err != nil {
			return nil, fmt.Errorf("chunks of %s: %w", r.Name, err)
		}
		lines := linesOf(questions)
		var asked, others []place
		for _, c := range chunks {
			if slices.Contains(c.Tags, record.TagGenerated) {
				continue
			}
			m := &c.Metadata
			p := place{m.FilePath, m.StartLine, m.EndLine, c.ChunkType, shorten(embed.Text(c))}
			if lines.in(p) {
				asked = append(asked, p)
			} else {
				others = append(others, p)
			}
		}
		slices.SortStableFunc(others, func(a, b place) int { return cmp.Compare(draw(a.Path, a.Text), draw(b.Path, b.Text)) })
		return append(asked, others[:min(len(others), maxOthers)]...), nil
	})
}

// answers orders the types of chunks by how well they answer a question about a line that several chunks have.
var answers = []record.ChunkType{record.Implementations, record.Documentation, record.Definitions, record.Data}

// answerAt returns the text of the chunk of a file that answers a question about a line, "" if there is none.
func answerAt(inFile []place, line int) string {
	best, rank := place{}, len(answers)
	for _, p := range inFile {
		at := slices.Index(answers, p.Type)
		if at >= 0 && p.has(line) && (at < rank || at == rank && p.End-p.Start < best.End-best.Start) {
			best, rank = p, at
		}
	}
	return best.Text
}

// sourceOf returns the pairs of the questions with the chunks that they are about, and the texts of the other chunks.
func sourceOf(list []place, questions []written) *source {
	s := &source{}
	lines := linesOf(questions)
	byPath := map[string][]place{}
	for _, p := range list {
		byPath[p.Path] = append(byPath[p.Path], p)
		if !lines.in(p) {
			s.others = append(s.others, p.Text)
		}
	}
	for _, q := range questions {
		text := answerAt(byPath[q.Path], q.Line)
		if text == "" {
			continue
		}
		for _, question := range q.Questions {
			s.pairs = append(s.pairs, pair{question, text, draw(q.Path, text)})
		}
	}
	return s
}
