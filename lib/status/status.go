// Package status reports the state of an index: what the store holds, and whether its source files have changed since.
//
// It reads from lib/store and lib/source; cortex-query and cortex-serve show the result. Begin with status.go;
// sources.go looks for changed files.
package status

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"cortex/lib/graph/stored"
	"cortex/lib/record"
	"cortex/lib/store"
	"cortex/lib/terminal"
)

// A Status is the state of an index.
type Status struct {
	// Store is the folder of the store.
	Store      string `json:"store"`
	Generation int64  `json:"generation"`
	// GeneratedAt is the time of the last commit, RFC 3339 in UTC.
	GeneratedAt string `json:"generated_at"`
	// Model and Dimensions describe the embeddings; "" and 0 if there are none.
	Model        string                   `json:"model"`
	Dimensions   int                      `json:"dimensions"`
	Chunks       int                      `json:"chunks"`
	ChunksByType map[record.ChunkType]int `json:"chunks_by_type"`
	// GraphOmitted is the least number of edges that the graph leaves out because there would be too many.
	GraphOmitted int `json:"graph_omitted,omitempty"`
	// Sources are the indexed trees, ordered by name.
	Sources []Sources `json:"sources"`
}

// Read returns the status of the store in dir. root is the folder of its unnamed tree.
func Read(ctx context.Context, dir, root string, list Lister) (*Status, error) {
	m, indexed, err := store.ReadFiles(ctx, dir)
	if err != nil {
		return nil, err
	}
	s := &Status{
		Store: filepath.Clean(dir), Generation: m.Generation, GeneratedAt: m.GeneratedAt, Model: m.Model, Dimensions: m.Dimensions,
		Chunks: m.Stats.Chunks, ChunksByType: m.Stats.ChunksByType, GraphOmitted: stored.Omitted(dir, m),
	}
	s.Sources, err = compareAll(ctx, dir, root, m, indexed, list, bounds{files: mostFiles, time: mostTime})
	return s, err
}

// maxValue bounds a value in the output, in bytes. A foreign store may have long values.
const maxValue = 1000

// Write writes the status for people.
func (s *Status) Write(w io.Writer) error {
	model := "none: search by words only"
	if s.Dimensions > 0 {
		model = fmt.Sprintf("%s, %d dimensions", s.Model, s.Dimensions)
	}
	var types []string
	for _, t := range record.ChunkTypes {
		if n := s.ChunksByType[t]; n > 0 {
			types = append(types, fmt.Sprintf("%d %s", n, t))
		}
	}
	chunks := fmt.Sprint(s.Chunks)
	if len(types) > 0 {
		chunks += ": " + strings.Join(types, ", ")
	}
	var b strings.Builder
	item := func(name, value string) {
		fmt.Fprintf(&b, "%-12s%s\n", name, terminal.Clean(terminal.Short(value, maxValue)))
	}
	item("index", s.Store)
	item("generation", fmt.Sprintf("%d of %s", s.Generation, s.GeneratedAt))
	item("model", model)
	item("chunks", chunks)
	if s.GraphOmitted > 0 {
		item("graph", fmt.Sprintf("not all implementations are held: %d or more are left out", s.GraphOmitted))
	}
	for i := range s.Sources {
		item("sources", s.Sources[i].String())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// String returns the state of the sources on one line.
func (s *Sources) String() string {
	var b strings.Builder
	if s.Tree != "" {
		fmt.Fprintf(&b, "tree %s: ", s.Tree)
	}
	switch {
	case s.Generation > 0:
		fmt.Fprintf(&b, "generation %d of %s, %s, %s", s.Generation, s.GeneratedAt, terminal.Count(s.Files, "file", "files"), terminal.Count(s.Chunks, "chunk", "chunks"))
	case s.State == UpToDate:
		fmt.Fprintf(&b, "up to date: %s in %s", terminal.Count(s.Files, "file", "files"), s.Root)
	case s.State == Changed:
		if s.AtLeast {
			b.WriteString("at least ")
		}
		fmt.Fprintf(&b, "%d changed, %d new, %d deleted since, of %s in %s", s.Changed, s.New, s.Deleted, terminal.Count(s.Files, "file", "files"), s.Root)
	default:
		b.WriteString("unknown: " + s.Unknown)
	}
	return b.String()
}

// Bounds of a check of sources: enough for most repositories, and too short for a person to notice.
const (
	mostTime = 400 * time.Millisecond
)
