package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"cortex/lib/embed"
	"cortex/lib/search"
	"cortex/lib/store"
)

// A repository is one line of REPOS.
type repository struct {
	Repo     string `json:"repo"`
	Revision string `json:"revision"`
	Root     string `json:"root"`
	Language string `json:"language"`
}

// A labelled query is one line of QUERIES.
type labelled struct {
	Repo     string `json:"repo"`
	Query    string `json:"query"`
	Category string `json:"category"`
	// Half is 1 for development and 2 for the final check; 0 if there are no halves.
	Half     int      `json:"half"`
	Relevant []target `json:"relevant"`
}

// A target is a file that answers a query, or only lines of it if Start is not 0.
type target struct {
	Path  string `json:"path"`
	Start int    `json:"start_line"`
	End   int    `json:"end_line"`
}

// A set is an indexed repository with its queries.
type set struct {
	repository
	queries  []labelled
	index    *search.Index
	embedder embed.Embedder
}

func readLines[T any](file string) ([]T, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []T
	scanner := bufio.NewScanner(bytes.NewReader(data))
	scanner.Buffer(nil, len(data)+1)
	for n := 1; scanner.Scan(); n++ {
		if len(bytes.TrimSpace(scanner.Bytes())) == 0 {
			continue
		}
		var value T
		if err := json.Unmarshal(scanner.Bytes(), &value); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		list = append(list, value)
	}
	return list, scanner.Err()
}

// readNonsense reads questions that have no answer, one a line. Without a file there are none.
func readNonsense(file string) (list []string, err error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list, err
}

// openSets opens the repositories of REPOS that have a query in QUERIES.
func openSets(ctx context.Context, reposFile, queriesFile string, o options) ([]*set, error) {
	repos, err := readLines[repository](reposFile)
	if err != nil {
		return nil, err
	}
	queries, err := readLines[labelled](queriesFile)
	if err != nil {
		return nil, err
	}
	var sets []*set
	for _, r := range repos {
		if len(o.only) > 0 && !slices.Contains(o.only, r.Repo) {
			continue
		}
		s := &set{repository: r}
		for _, q := range queries {
			if q.Repo == r.Repo && (o.half == 0 || q.Half == o.half) {
				s.queries = append(s.queries, q)
			}
		}
		if len(s.queries) == 0 {
			continue
		}
		sets = append(sets, s)
		if err := s.open(ctx, o); err != nil {
			closeSets(sets)
			return nil, fmt.Errorf("%s: %w", r.Repo, err)
		}
	}
	if len(sets) == 0 {
		return nil, errors.New("no repository has a query")
	}
	return sets, nil
}

func closeSets(sets []*set) {
	for _, s := range sets {
		if s.index != nil {
			s.index.Close()
		}
		if s.embedder != nil {
			s.embedder.Close()
		}
	}
}

func (s *set) open(ctx context.Context, o options) error {
	if err := os.MkdirAll(o.index, 0o755); err != nil {
		return err
	}
	dir := filepath.Join(o.index, s.Repo)
	if _, err := os.Stat(filepath.Join(dir, store.ManifestName)); errors.Is(err, fs.ErrNotExist) {
		if err := s.make(ctx, o, dir); err != nil {
			return err
		}
	}
	model := func(model string) (e embed.Embedder, err error) {
		if model != "" {
			e, err = embed.OpenModel(ctx, model, embed.Config{})
		}
		s.embedder = e
		return e, err
	}
	var err error
	s.index, err = search.Open(ctx, dir, model, search.Settings{}, search.Making{Jobs: runtime.GOMAXPROCS(0)}, nil)
	return err
}

// make indexes the repository. The index is kept outside of it.
func (s *set) make(ctx context.Context, o options, dir string) error {
	root := filepath.Join(o.checkouts, s.Repo, filepath.FromSlash(s.Root))
	if _, err := os.Stat(root); err != nil {
		return err
	}
	script := `set -o pipefail; "$0/cortex-parse" -q . | "$0/cortex-chunk" -q | "$0/cortex-embed" -q | "$0/cortex-store" -q --store "$1"`
	cmd := exec.CommandContext(ctx, "bash", "-c", script, o.bin, dir)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("index %s: %w\n%s", root, err, out)
	}
	return nil
}

// inRoot returns a path as in the index of the set.
func (s *set) inRoot(p string) string {
	if s.Root == "" {
		return p
	}
	return strings.TrimPrefix(p, path.Clean(s.Root)+"/")
}
