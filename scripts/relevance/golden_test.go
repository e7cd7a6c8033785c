package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/derived"
	"cortex/lib/embed"
	"cortex/lib/record/jsonl"
	"cortex/lib/search"
	"cortex/lib/search/rank"
	"cortex/lib/store/update"
)

const data = "../../testdata/relevance"

// TestRankingIsAsBefore asks questions in words other than the code's about an old state of this repository, and
// nonsense. It compares the hits, and which answers begin with doubt, with a golden file, so that every change of the
// ranking or the model shows.
func TestRankingIsAsBefore(t *testing.T) {
	queries, err := readLines[labelled](filepath.Join(data, "queries.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if len(queries) < 30 {
		t.Fatalf("%d questions", len(queries))
	}
	s := &set{repository: repository{Repo: "cortex", Language: "go"}, queries: queries}
	s.embedder, err = embed.Open(t.Context(), embed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), ".cortex")
	storeChunks(t, dir, s.embedder)
	t.Setenv(derived.Variable, t.TempDir())
	open := func(string) (embed.Embedder, error) { return s.embedder, nil }
	if s.index, err = search.Open(t.Context(), dir, open, search.Settings{}, search.Making{Jobs: 2}, nil); err != nil {
		t.Fatal(err)
	}
	defer closeSets([]*set{s})
	outcomes, err := ask(t.Context(), []*set{s}, search.Auto)
	if err != nil {
		t.Fatal(err)
	}
	var doubted bytes.Buffer
	if err := doubts(t.Context(), &doubted, []*set{s}, outcomes, search.Auto, filepath.Join(data, "nonsense.txt")); err != nil {
		t.Fatal(err)
	}
	got := slices.Concat(golden(outcomes), doubted.Bytes())
	file := filepath.Join(data, "golden.txt")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("ranking has changed; if it is better, UPDATE_GOLDEN=1 go test ./scripts/relevance (-want +got):\n%s", diff)
	}
}

// storeChunks makes a store of the chunks in testdata.
func storeChunks(t *testing.T, dir string, e embed.Embedder) {
	t.Helper()
	packed, err := os.Open(filepath.Join(data, "chunks.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	chunks, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	var embedded bytes.Buffer
	fail := func(err error) { t.Error(err) }
	err = embed.Run(t.Context(), jsonl.NewReader(chunks, "chunks.jsonl"), jsonl.NewWriter(&embedded), e, embed.Options{Jobs: 2, Report: fail})
	if err != nil {
		t.Fatal(err)
	}
	if err := update.Run(t.Context(), jsonl.NewReader(&embedded, "embedded"), update.Options{Dir: dir, Jobs: 2, Report: fail}); err != nil {
		t.Fatal(err)
	}
}

func TestScore(t *testing.T) {
	s := &set{repository: repository{Root: "src"}}
	q := &labelled{Relevant: []target{{Path: "src/a.go"}, {Path: "src/b.go", Start: 10, End: 20}}}
	hits := []rank.Location{
		{ID: "1", Path: "c.go", StartLine: 1, EndLine: 5}, {ID: "2", Path: "a.go", StartLine: 1, EndLine: 5}, {ID: "3", Path: "a.go", StartLine: 6, EndLine: 9}, {ID: "4", Path: "b.go", StartLine: 1, EndLine: 9}, {ID: "5", Path: "b.go", StartLine: 15, EndLine: 16},
	}
	got := s.score(q, hits)
	ideal := discount(0) + discount(1)
	want := score{
		chunk: (discount(1) + discount(4)) / ideal,
		// The hits without repeated files, with all of b.go as a target.
		file: (discount(1) + discount(2)) / ideal,
		mrr:  0.5, file5: 1, file10: 1,
		// The right place is the fifth hit.
		place5: 1, place50: 1, placeMRR: 0.2,
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(score{})); diff != "" {
		t.Error(diff)
	}
	if empty := s.score(q, nil); empty != (score{}) {
		t.Errorf("no hits: %+v", empty)
	}
}
