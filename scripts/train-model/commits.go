package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
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
	heads   map[string][]string // by file: git's description of the place of each hunk
}

// maxCommits is the number of commits read from a history.
const maxCommits = 400

var hunk = regexp.MustCompile(`^@@ -\S+ \+\S+ @@ ?(.*)`)

// commits reads the history, newest commit first. A tree without a history gives no pairs.
func (c *collector) commits() error {
	if exec.Command("git", "-C", c.root, "rev-parse", "-q", "--verify", "HEAD").Run() != nil {
		return nil
	}
	log := exec.Command("git", "-C", c.root, "log", "--no-merges", "-n", strconv.Itoa(maxCommits), "-U0", "-p", "--no-color", "--no-ext-diff", "--no-textconv",
		"--diff-filter=M", "--no-renames", "--format=%x00%s", "HEAD")
	out, err := log.StdoutPipe()
	if err != nil {
		return err
	}
	if err := log.Start(); err != nil {
		return err
	}
	lines := bufio.NewReaderSize(out, 1<<20)
	var now *change
	for {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			// The rest of a long line arrives as further lines, which are ignored.
			err = nil
		}
		if err == io.EOF && len(line) == 0 {
			break
		}
		if err != nil && err != io.EOF {
			return err
		}
		text := strings.TrimRight(string(line[:min(len(line), 400)]), "\n")
		switch {
		case strings.HasPrefix(text, "\x00"):
			c.change(now)
			now = &change{subject: text[1:], heads: map[string][]string{}}
		case now == nil:
		case bytes.HasPrefix(line, []byte("+++ b/")):
			now.files = append(now.files, text[6:])
		case len(now.files) > 0:
			if m := hunk.FindStringSubmatch(text); m != nil {
				file := now.files[len(now.files)-1]
				now.heads[file] = append(now.heads[file], m[1])
			}
		}
	}
	c.change(now)
	// Blobs may be missing from a partial clone. What was read before is valid.
	var exit *exec.ExitError
	if err := log.Wait(); err != nil && !errors.As(err, &exit) {
		return err
	}
	c.Commits.Questions = c.Commits.Questions[:min(len(c.Commits.Questions), maxQuestions)]
	return nil
}

var (
	issueNumber = regexp.MustCompile(`\(?#\d+\)?|\b[A-Z]+-\d+\b:?|^\[[^\]]*\]|^\w+(\([^)]*\))?!?:`)
	bookkeeping = regexp.MustCompile(`(?i)^(bump|merge|release|version|update (dependenc|changelog|version)|revert|prepare|changelog|typo|fix typo|fix lint|lint|format|cleanup|wip|ci\b)`)
)

// change makes pairs and questions from one commit.
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
		if c.outlines[f] != "" && !testPath(f) && !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	if len(files) == 0 || len(files) > 3 {
		return
	}
	if c.Repository.Use != useTrain && len(c.Commits.Questions) < maxQuestions {
		if answers := c.fileIndexes(files); len(answers) > 0 {
			c.Commits.Questions = append(c.Commits.Questions, question{subject, "", answers})
		}
	}
	if draw(subject, files[0])%4 == 0 {
		c.Pairs = append(c.Pairs, pair{kindCommit, subject, c.outlines[files[0]], draw(files[0], "")})
		return
	}
	for _, file := range files {
		for _, head := range ch.heads[file] {
			for _, fn := range c.byPath[file] {
				if len(fn.name) > 2 && strings.Contains(head, fn.name) {
					c.Pairs = append(c.Pairs, pair{kindCommit, subject, passage(fn.title, fn.text), fn.about()})
					return
				}
			}
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
