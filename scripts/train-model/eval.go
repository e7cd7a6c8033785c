package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"cortex/lib/embed/bag"
)

// A scorer returns the scores of all candidates of a task for a question.
type scorer func(query string) []float32

// figures are means over questions, in per cent.
type figures struct {
	MRR, NDCG, Recall float64 // each of the first ten
	questions         int
}

func (f *figures) add(ranking []int32, answers []int) {
	f.questions++
	for rank, i := range ranking[:min(10, len(ranking))] {
		if slices.Contains(answers, int(i)) {
			f.MRR += 100 / float64(rank+1)
			f.NDCG += 100 / math.Log2(float64(rank+2))
			f.Recall += 100
			return
		}
	}
}

func (f figures) mean() figures {
	n := float64(max(1, f.questions))
	return figures{f.MRR / n, f.NDCG / n, f.Recall / n, f.questions}
}

// methods are the compared methods, in the order of the report.
var methods = []string{"BM25", "model", "fused"}

// A report has figures by task and method, and figures by language for the task of documentation sentences.
type report struct {
	tasks     map[string][]figures
	languages map[string][]figures
}

// A setting says how the questions of a task are asked. The settings, except for identifiers, were chosen on the
// repositories with the use dev.
type setting struct {
	name string
	// lengthShare is the parameter b of BM25.
	lengthShare float64
	// weight is the model's weight in the fusion. pool is the number of best hits of each list that are fused.
	weight float32
	pool   int
}

// The tasks of a repository, in order.
const (
	functionTask = iota
	sectionTask
	commitTask
	nameTask
)

var settings = []setting{
	functionTask: {"doc sentence to function", 1, 0.6, 100},
	sectionTask:  {"heading to section", 0.5, 0.4, 1000},
	commitTask:   {"commit subject to file", 0, 0.4, 100},
	// The text of a function includes its identifier.
	nameTask: {"identifier to definition", 1, 0.15, 100},
}

func newReport() report {
	return report{tasks: map[string][]figures{}, languages: map[string][]figures{}}
}

// repository asks all questions about a repository.
func (r report) repository(m *bag.Model, d *data) error {
	d.Names.Candidates = d.Functions.Candidates
	for i, t := range []*task{&d.Functions, &d.Sections, &d.Commits, &d.Names} {
		if len(t.Questions) == 0 {
			continue
		}
		if err := r.task(i, m, t); err != nil {
			return err
		}
	}
	return nil
}

// task asks the questions of one task.
func (r report) task(kind int, m *bag.Model, t *task) error {
	how := settings[kind]
	name, identifiers := how.name, kind == nameTask
	passages := make([]string, len(t.Candidates))
	var names []string
	for i, c := range t.Candidates {
		passages[i] = c.Passage
		if kind == functionTask || identifiers {
			names = append(names, c.Name)
		}
	}
	scorers := newScorers(m, passages, names, how, identifiers)
	var files []int
	if kind == commitTask {
		files = fileOf(t.Candidates)
	}
	if r.tasks[name] == nil {
		r.tasks[name] = make([]figures, len(methods))
	}
	for _, q := range t.Questions {
		for i, scores := range allScores(scorers, q.Query, files, how) {
			ranking := top(scores, 10)
			r.tasks[name][i].add(ranking, q.Answers)
			if kind == functionTask {
				if r.languages[q.Language] == nil {
					r.languages[q.Language] = make([]figures, len(methods))
				}
				r.languages[q.Language][i].add(ranking, q.Answers)
			}
		}
	}
	return nil
}

// newScorers returns the scorers of all methods except the fusion.
func newScorers(m *bag.Model, passages, names []string, how setting, whole bool) []scorer {
	return []scorer{newBM25(passages, names, how.lengthShare, whole).score, modelScorer(m, passages)}
}

// allScores returns the scores of all methods. With files, they are scores of files.
func allScores(scorers []scorer, query string, files []int, how setting) [][]float32 {
	var lists [][]float32
	for _, s := range scorers {
		scores := s(query)
		if files != nil {
			scores = fileScores(scores, files)
		}
		lists = append(lists, scores)
	}
	return append(lists, fuse(lists[0], lists[1], how))
}

// fileOf returns for each candidate the index of the first candidate of its file.
func fileOf(candidates []candidate) []int {
	first := map[string]int{}
	files := make([]int, len(candidates))
	for i, c := range candidates {
		if _, ok := first[c.Name]; !ok {
			first[c.Name] = i
		}
		files[i] = first[c.Name]
	}
	return files
}

// fileScores sets the score of a file's first candidate to the average of the file's best score and the mean of its
// best three. It sets the scores of the file's other candidates to -1.
func fileScores(scores []float32, files []int) []float32 {
	best := make([][3]float32, len(scores))
	for i, s := range scores {
		b := &best[files[i]]
		for k := range b {
			if s > b[k] {
				s, b[k] = b[k], s
			}
		}
	}
	out := make([]float32, len(scores))
	for i := range out {
		out[i] = -1
		if files[i] == i {
			out[i] = (best[i][0] + (best[i][0]+best[i][1]+best[i][2])/3) / 2
		}
	}
	return out
}

func modelScorer(m *bag.Model, passages []string) scorer {
	e, d := m.NewEncoder(), m.Dimensions()
	vectors := make([]float32, d*len(passages))
	for i, p := range passages {
		e.Encode(vectors[i*d:(i+1)*d], bag.Passage, p)
	}
	query := make([]float32, d)
	return func(text string) []float32 {
		e.Encode(query, bag.Query, text)
		scores := make([]float32, len(passages))
		for i := range scores {
			scores[i] = dot(query, vectors[i*d:(i+1)*d])
		}
		return scores
	}
}

// top returns the n candidates with the highest scores, best first.
func top(scores []float32, n int) []int32 {
	var best []int32
	for i, s := range scores {
		if len(best) == n && s <= scores[best[n-1]] {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, s, func(j int32, s float32) int { return -cmp.Compare(scores[j], s) })
		for at < len(best) && scores[best[at]] == s {
			at++
		}
		best = slices.Insert(best, at, int32(i))
		best = best[:min(n, len(best))]
	}
	return best
}

// fuse returns the weighted sum of two lists of scores. Each list is scaled so that the best scores, up to pool, are
// from 0 to 1.
func fuse(text, semantic []float32, how setting) []float32 {
	out := make([]float32, len(text))
	for l, scores := range [][]float32{text, semantic} {
		w := how.weight
		if l == 0 {
			w = 1 - w
		}
		best := top(scores, how.pool)
		high, low := scores[best[0]], scores[best[len(best)-1]]
		if high <= low {
			continue
		}
		for _, i := range best {
			out[i] += w * (scores[i] - low) / (high - low)
		}
	}
	return out
}

// write writes the tables in Markdown.
func (r report) write(w io.Writer) {
	fmt.Fprintln(w, "| task | questions | method | MRR@10 | NDCG@10 | recall@10 |\n|---|---|---|---|---|---|")
	for _, how := range settings {
		for i, f := range r.tasks[how.name] {
			m := f.mean()
			fmt.Fprintf(w, "| %s | %d | %s | %.1f | %.1f | %.1f |\n", how.name, m.questions, methods[i], m.MRR, m.NDCG, m.Recall)
		}
	}
	fmt.Fprintln(w, "\n| language | questions | BM25 | model | fused |\n|---|---|---|---|---|")
	for _, l := range slices.Sorted(maps.Keys(r.languages)) {
		f := r.languages[l]
		fmt.Fprintf(w, "| %s | %d |", l, f[0].questions)
		for i := range methods {
			fmt.Fprintf(w, " %.1f |", f[i].mean().MRR)
		}
		fmt.Fprintln(w)
	}
}
