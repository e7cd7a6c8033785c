package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// A pair is a question with a passage that answers it.
type pair struct {
	Query, Passage string
	// About is equal for pairs about the same thing. Their passages are not wrong answers to each other's questions.
	About uint32
}

// A source has the pairs of a repository or of the lexicon.
type source struct {
	pairs []pair
	// others are further passages of the repository, which answer none of the questions.
	others []string
	// lexicon says that the pairs are of the lexicon, heldOut that the repository is not for training.
	lexicon, heldOut bool
}

// A written has the questions that were written for a definition or section, in words other than its own. For a repository
// of useAsked the last question has the trade's words instead.
type written struct {
	Path      string
	Line      int
	Name      string
	Questions []string
}

// readAsked reads the written questions, by repository. A line of the file is the name of a repository, or the path of a
// file of it, after a tab, or a definition or section of this file, after two tabs: its line, its name and the questions,
// with tabs between.
func readAsked(file string) (map[string][]written, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all := map[string][]written{}
	repo, path := "", ""
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text := lines.Text()
		inside := strings.TrimLeft(text, "\t")
		switch len(text) - len(inside) {
		case 0:
			repo, path = inside, ""
		case 1:
			path = inside
		default:
			fields := strings.Split(inside, "\t")
			line, err := strconv.Atoi(fields[0])
			if err != nil || len(fields) < 3 || path == "" || repo == "" {
				return nil, fmt.Errorf("read %s:%d: expected the line, the name and questions about a file of a repository, with tabs between", file, n)
			}
			all[repo] = append(all[repo], written{path, line, fields[1], fields[2:]})
		}
	}
	return all, lines.Err()
}

// byQuestions pairs all questions but the last, which has the trade's words, with a passage of path, name and the last
// question.
func byQuestions(questions []written) *source {
	s := &source{}
	for _, q := range questions {
		last := len(q.Questions) - 1
		for _, question := range q.Questions[:last] {
			s.pairs = append(s.pairs, pair{question, passage(q.Path+": "+q.Name, q.Questions[last]), draw(q.Path, q.Name)})
		}
	}
	return s
}
