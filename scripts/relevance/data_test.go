package main

import (
	"path/filepath"
	"testing"
)

// TestQuestions checks the project's question files: each question has an answer in a listed repository, none is
// repeated, and both halves have the same size. definitions.jsonl and kinds.jsonl have no second half.
func TestQuestions(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "relevance")
	for file, list := range map[string]string{"places.jsonl": "repos.jsonl", "paraphrase.jsonl": "repos.jsonl", "docs.jsonl": "docs-repos.jsonl",
		"definitions.jsonl": "definitions-repos.jsonl", "kinds.jsonl": "kinds-repos.jsonl"} {
		repos, err := readLines[repository](filepath.Join(dir, list))
		if err != nil {
			t.Fatal(err)
		}
		known := map[string]bool{}
		for _, r := range repos {
			known[r.Repo] = true
		}
		queries, err := readLines[labelled](filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		halves := map[int]int{}
		seen := map[string]bool{}
		for _, q := range queries {
			halves[q.Half]++
			switch key := q.Repo + ": " + q.Query; {
			case seen[key]:
				t.Errorf("%s: %s comes twice", file, key)
			case !known[q.Repo]:
				t.Errorf("%s: %s: the repository is not in %s", file, key, list)
			case q.Query == "" || len(q.Relevant) == 0:
				t.Errorf("%s: %s: no question or no answer", file, key)
			default:
				seen[key] = true
			}
			for _, target := range q.Relevant {
				if target.Path == "" || target.Start > target.End || (file != "paraphrase.jsonl") != (target.Start > 0) {
					t.Errorf("%s: %q: answer %+v", file, q.Query, target)
				}
			}
		}
		if file == "definitions.jsonl" || file == "kinds.jsonl" {
			if len(halves) != 1 || halves[1] == 0 {
				t.Errorf("%s: halves are %v", file, halves)
			}
			continue
		}
		if halves[0] > 0 || len(halves) != 2 || max(halves[1], halves[2])-min(halves[1], halves[2]) > 1 {
			t.Errorf("%s: halves are %v", file, halves)
		}
	}
}
