package main

import (
	"bufio"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A change is one commit.
type change struct {
	subject string
	files   []string
}

// maxCommits is the number of commits read from a history.
const maxCommits = 400

// commits reads the history, newest commit first. A tree without a history gives no questions.
func (c *collector) commits() error {
	if exec.Command("git", "-C", c.root, "rev-parse", "-q", "--verify", "HEAD").Run() != nil {
		return nil
	}
	log := exec.Command("git", "-C", c.root, "log", "--no-merges", "-n", strconv.Itoa(maxCommits), "--name-only", "--diff-filter=M", "--no-renames", "--format=%x00%s", "HEAD")
	out, err := log.StdoutPipe()
	if err != nil {
		return err
	}
	if err := log.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	var now *change
	for lines.Scan() {
		text := lines.Text()
		if subject, ok := strings.CutPrefix(text, "\x00"); ok {
			c.change(now)
			now = &change{subject: subject}
		} else if now != nil && text != "" {
			now.files = append(now.files, text)
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	c.change(now)
	return log.Wait()
}

var (
	issueNumber = regexp.MustCompile(`\(?#\d+\)?|\b[A-Z]+-\d+\b:?|^\[[^\]]*\]|^\w+(\([^)]*\))?!?:`)
	bookkeeping = regexp.MustCompile(`(?i)^(bump|merge|release|version|update (dependenc|changelog|version)|revert|prepare|changelog|typo|fix typo|fix lint|lint|format|cleanup|wip|ci\b)`)
)

// change makes a question from one commit.
func (c *collector) change(ch *change) {
	if ch == nil || len(ch.files) == 0 || len(ch.files) > 8 {
		return
	}
	subject := strings.TrimSpace(issueNumber.ReplaceAllString(ch.subject, " "))
	if !asks(subject) || bookkeeping.MatchString(subject) {
		return
	}
	var files []string
	for _, f := range ch.files {
		if c.outlined[f] && !testPath(f) && !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	if len(files) == 0 || len(files) > 3 {
		return
	}
	if len(c.Commits.Questions) < maxQuestions {
		if answers := c.fileIndexes(files); len(answers) > 0 {
			c.Commits.Questions = append(c.Commits.Questions, question{subject, "", answers})
		}
	}
}

// fileIndexes returns the index of the first candidate of each file.
func (c *collector) fileIndexes(files []string) []int {
	var found []int
	for _, f := range files {
		if i := slices.IndexFunc(c.Commits.Candidates, func(x candidate) bool { return x.Name == f }); i >= 0 {
			found = append(found, i)
		}
	}
	return found
}

func testPath(file string) bool {
	dir := strings.ToLower(path.Dir(file))
	return strings.Contains(dir, "test") || strings.Contains(dir, "spec") || strings.Contains(strings.ToLower(path.Base(file)), "test")
}
