package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Bounds on the commits that become queries.
const (
	minMessage   = 250 // bytes, without trailers
	maxFiles     = 3
	minSentences = 2
)

// commits makes queries from the messages of fixes: the message is the question, and the changed files are the answer,
// in a tree from before all fixes. Messages that name one of their files are left out. It writes DIR/repos.jsonl and
// DIR/queries.jsonl.
func commits(dir string, gits []string, back, most int) error {
	if len(gits) == 0 {
		return errors.New("commits: name at least one git folder")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var repos, queries bytes.Buffer
	for _, git := range gits {
		name := strings.TrimSuffix(filepath.Base(git), ".git")
		if name == "repo" {
			name = filepath.Base(filepath.Dir(git))
		}
		base, list, err := fixes(git, back, most)
		if err != nil {
			return fmt.Errorf("%s: %w", git, err)
		}
		writeLine(&repos, repository{Repo: name, Revision: base})
		for _, q := range list {
			q.Repo = name
			writeLine(&queries, q)
		}
		fmt.Fprintf(os.Stderr, "%s: %d queries, tree %s\n", name, len(list), base)
	}
	if err := os.WriteFile(filepath.Join(dir, "repos.jsonl"), repos.Bytes(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "queries.jsonl"), queries.Bytes(), 0o644)
}

func writeLine(b *bytes.Buffer, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // strings and numbers can always be encoded
	}
	b.Write(append(data, '\n'))
}

// fixes returns the commit that is back commits before the last one, and queries from the commits after it.
func fixes(git string, back, most int) (base string, list []labelled, err error) {
	run := func(args ...string) (string, error) {
		out, err := exec.Command("git", append([]string{"--git-dir", git}, args...)...).Output()
		return string(out), err
	}
	if base, err = run("rev-list", "--first-parent", "--skip", fmt.Sprint(back), "-1", "HEAD"); err != nil {
		return "", nil, err
	}
	if base = strings.TrimSpace(base); base == "" {
		return "", nil, fmt.Errorf("fewer than %d commits", back)
	}
	tree, err := run("ls-tree", "-r", "--name-only", base)
	if err != nil {
		return "", nil, err
	}
	there := map[string]bool{}
	for file := range strings.Lines(tree) {
		there[strings.TrimSpace(file)] = true
	}
	log, err := run("log", "--no-merges", "--reverse", "--name-only", "--format=%x01%B%x02", base+"..HEAD")
	if err != nil {
		return "", nil, err
	}
	for entry := range strings.SplitSeq(log, "\x01") {
		message, files, ok := strings.Cut(entry, "\x02")
		if !ok || len(list) == most {
			continue
		}
		if q, ok := fix(message, strings.Fields(files), there); ok {
			list = append(list, q)
		}
	}
	return base, list, nil
}

var (
	isFix   = regexp.MustCompile(`(?i)\b(fix(es|ed)?|bug|crash(es)?|regression|incorrect(ly)?|wrong(ly)?|leak|broken)\b`)
	trailer = regexp.MustCompile(`(?m)^([A-Z][A-Za-z-]+(-by|-Id)|Closes|Fixes|Refs|References|PR|Change-Id|Bug|See)\b.*$|\(?#\d+\)?|https?://\S+`)
	isTest  = regexp.MustCompile(`(?i)(^|/)(tests?|testdata|spec|specs|__tests__|t)/|_test\.|\.test\.|test_|Tests?\.|\.spec\.`)
	isCode  = regexp.MustCompile(`\.(c|h|cc|cpp|hpp|go|py|rb|rs|java|js|mjs|ts|tsx|php|ex|exs|cs|kt|scala|swift|hs|lua|sh)$`)
)

func fix(message string, files []string, there map[string]bool) (labelled, bool) {
	message = strings.TrimSpace(trailer.ReplaceAllString(message, ""))
	if len(message) < minMessage || !isFix.MatchString(message) || strings.Count(message, ".") < minSentences {
		return labelled{}, false
	}
	q := labelled{Query: message, Category: "fix"}
	for _, file := range files {
		switch {
		case isTest.MatchString(file) || !isCode.MatchString(file):
			continue
		case !there[file]:
			return labelled{}, false
		}
		name, _, _ := strings.Cut(path.Base(file), ".")
		if strings.Contains(strings.ToLower(message), strings.ToLower(path.Base(file))) || len(name) > 5 && strings.Contains(message, name) {
			return labelled{}, false
		}
		q.Relevant = append(q.Relevant, target{Path: file})
	}
	slices.SortFunc(q.Relevant, func(a, b target) int { return strings.Compare(a.Path, b.Path) })
	return q, 0 < len(q.Relevant) && len(q.Relevant) <= maxFiles
}
