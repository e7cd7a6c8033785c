package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A written has the questions that were written for a function or section, in words other than its own. For a repository
// of useAsked the last question has the trade's words instead.
type written struct {
	Repo      string   `json:"repo"`
	Path      string   `json:"path"`
	Line      int      `json:"line"`
	Name      string   `json:"name"`
	Questions []string `json:"questions"`
}

// readAsked reads the written questions, by repository.
func readAsked(files []string) (map[string][]written, error) {
	all := map[string][]written{}
	for _, file := range files {
		lines, err := readLines[written](file)
		if err != nil {
			return nil, err
		}
		for _, w := range lines {
			all[w.Repo] = append(all[w.Repo], w)
		}
	}
	return all, nil
}

// askedLines is the number of lines taken as a function's text if no other pair has its text.
const askedLines = 50

// answered pairs the questions with passages of the repository. The passage is that of another pair about the named
// function, or otherwise the lines of the file at the commit, beginning with the line that the question names. Of a
// repository that takes part by its questions alone, nothing but these is read.
func answered(d *data, questions []written, repos string) []pair {
	if d.Repository.Use == useAsked {
		return answeredByQuestions(questions)
	}
	passages := map[uint32][]string{}
	for _, p := range d.Pairs {
		switch p.Kind {
		case kindDoc, kindCommit, kindMention:
			passages[p.About] = append(passages[p.About], p.Passage)
		}
	}
	var rest []string
	for _, q := range questions {
		if len(passages[draw(q.Path, q.Name)]) == 0 && !slices.Contains(rest, q.Path) {
			rest = append(rest, q.Path)
		}
	}
	files := filesAt(filepath.Join(repos, d.Repository.folder()), d.Repository.Commit, rest)
	var pairs []pair
	for _, q := range questions {
		about := draw(q.Path, q.Name)
		var text string
		if found := passages[about]; len(found) > 0 {
			text = found[0]
		} else if lines := files[q.Path]; q.Line >= 1 && q.Line < len(lines) {
			text = passage(q.Path+": "+q.Name, shorten(strings.Join(lines[q.Line-1:min(len(lines), q.Line-1+askedLines)], "")))
		} else {
			continue
		}
		for _, question := range q.Questions {
			pairs = append(pairs, pair{kindAsked, question, text, about})
		}
	}
	return pairs
}

// answeredByQuestions pairs all questions but the last, which has the trade's words, with a passage of path, name and the
// last question.
func answeredByQuestions(questions []written) []pair {
	var pairs []pair
	for _, q := range questions {
		last := len(q.Questions) - 1
		for _, question := range q.Questions[:max(0, last)] {
			pairs = append(pairs, pair{kindAsked, question, passage(q.Path+": "+q.Name, q.Questions[last]), draw(q.Path, q.Name)})
		}
	}
	return pairs
}

// filesAt returns the lines of files of a repository at a commit. Missing files are left out.
func filesAt(repo, commit string, paths []string) map[string][]string {
	files := map[string][]string{}
	git := exec.Command("git", "-C", repo, "cat-file", "--batch")
	var names strings.Builder
	for _, path := range paths {
		fmt.Fprintf(&names, "%s:%s\n", commit, path)
	}
	git.Stdin = strings.NewReader(names.String())
	out, _ := git.Output()
	for _, path := range paths {
		head, after, _ := bytes.Cut(out, []byte("\n"))
		out = after
		fields := bytes.Fields(head)
		if len(fields) != 3 || string(fields[1]) != "blob" {
			continue // COMMIT:PATH missing
		}
		size, err := strconv.Atoi(string(fields[2]))
		if err != nil || size >= len(out) {
			break
		}
		files[path] = strings.SplitAfter(string(out[:size]), "\n")
		out = out[size+1:]
	}
	return files
}
