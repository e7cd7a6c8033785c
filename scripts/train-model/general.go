package main

import (
	"bufio"
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"cortex/lib/embed/bag"
)

// A general is general word knowledge: vectors of English words made from text other than code (GloVe). Words that are
// near each other there are placed near each other in the table. So words that are rare in code are near the words that
// code uses for the same thing.
type general struct {
	at      map[string]int
	words   []string    // the most frequent first
	vectors [][]float32 // of length 1
}

// readGeneral reads the first most words of a file in GloVe's text format: each line has a word and its numbers, the
// most frequent word first.
func readGeneral(file string, most int) (*general, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	g := &general{at: map[string]int{}}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	numbers := 0
	for len(g.words) < most && lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 2 || !isPlainWord(fields[0]) || g.at[fields[0]] > 0 {
			continue
		}
		// The kernels of kernel.go process 32 numbers at a time.
		vector := make([]float32, (len(fields)-1+31)/32*32)
		for i, s := range fields[1:] {
			x, err := strconv.ParseFloat(s, 32)
			if err != nil {
				return nil, fmt.Errorf("read %s: word %q: %w", file, fields[0], err)
			}
			vector[i] = float32(x)
		}
		if numbers == 0 {
			numbers = len(fields) - 1
		}
		if len(fields)-1 != numbers {
			return nil, fmt.Errorf("read %s: word %q has %d numbers, not %d", file, fields[0], len(fields)-1, numbers)
		}
		g.at[fields[0]] = len(g.words)
		g.words = append(g.words, fields[0])
		g.vectors = append(g.vectors, vector)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(g.words) == 0 {
		return nil, fmt.Errorf("read %s: no words", file)
	}
	mean := make([]float32, len(g.vectors[0]))
	for _, v := range g.vectors {
		axpy(1/float32(len(g.vectors)), v, mean)
	}
	for _, v := range g.vectors {
		axpy(-1, mean, v)
		normalise(v)
	}
	return g, nil
}

// isPlainWord reports whether s has 2 to 24 characters, all of them lower-case English letters.
func isPlainWord(s string) bool {
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return len(s) >= 2 && len(s) <= 24
}

const (
	// nearWords is the number of nearest words from which a word is guessed. nearness is how strongly nearer words are
	// preferred.
	nearWords, nearness = 12, 15
	// ridge is the regularization of the linear map from general vectors to rows.
	ridge = 20
)

// A guesser guesses the row of a word from its general vector: by a linear map between the two spaces, corrected by the
// map's errors for the nearest known words.
type guesser struct {
	*general
	t     *trainer
	known []int     // indexes in general of the known words
	rows  []int32   // their rows
	units []float32 // their rows, scaled to length 1
	off   []float32 // the errors of the map for them
	m     []float32 // the map, with a row for each component of general
}

func (t *trainer) guesser(g *general, isKnown func(row int32) bool) *guesser {
	s := &guesser{general: g, t: t}
	d, n := t.Dimensions, len(g.vectors[0])
	for row, w := range t.vocabulary.Words() {
		if at, ok := g.at[w]; ok && isKnown(int32(row)) {
			s.known = append(s.known, at)
			s.rows = append(s.rows, int32(row))
			unit := slices.Clone(t.table[row*d : (row+1)*d])
			normalise(unit)
			s.units = append(s.units, unit...)
		}
	}
	// Solve the least squares problem with a ridge: (X'X + ridge) M = X'Y.
	xx, xy := make([]float64, n*n), make([]float64, n*d)
	for k, at := range s.known {
		x, y := g.vectors[at], s.units[k*d:(k+1)*d]
		for i := range n {
			for j := range n {
				xx[i*n+j] += float64(x[i]) * float64(x[j])
			}
			for j := range d {
				xy[i*d+j] += float64(x[i]) * float64(y[j])
			}
		}
	}
	for i := range n {
		xx[i*n+i] += ridge
	}
	solve(xx, xy, n, d)
	s.m = make([]float32, n*d)
	for i, x := range xy {
		s.m[i] = float32(x)
	}
	s.off = slices.Clone(s.units)
	t.each(len(s.known), func(k int) {
		for i, x := range g.vectors[s.known[k]] {
			axpy(-x, s.m[i*d:(i+1)*d], s.off[k*d:(k+1)*d])
		}
	})
	return s
}

// solve replaces b by the solution x of a x = b, by elimination. a is positive definite with n rows; b has d columns.
func solve(a, b []float64, n, d int) {
	for i := range n {
		p := 1 / a[i*n+i]
		for r := range n {
			if f := a[r*n+i] * p; r != i && f != 0 {
				for j := i; j < n; j++ {
					a[r*n+j] -= f * a[i*n+j]
				}
				for j := range d {
					b[r*d+j] -= f * b[i*d+j]
				}
			}
		}
	}
	for i := range n {
		for j := range d {
			b[i*d+j] /= a[i*n+i]
		}
	}
}

// guess writes the guessed row of a word to vector, with length 1, and the logarithms of its weights to logs.
func (s *guesser) guess(at int, vector []float32, logs *[bag.PartCount]float32) {
	type near struct {
		k   int
		cos float32
	}
	d := s.t.Dimensions
	x := s.vectors[at]
	var best []near
	for k, other := range s.known {
		if other == at {
			continue
		}
		c := dot(x, s.vectors[other])
		if len(best) == nearWords && c <= best[nearWords-1].cos {
			continue
		}
		i, _ := slices.BinarySearchFunc(best, c, func(b near, c float32) int { return -cmp.Compare(b.cos, c) })
		best = slices.Insert(best, i, near{k, c})
		best = best[:min(len(best), nearWords)]
	}
	clear(vector)
	for i, f := range x {
		axpy(f, s.m[i*d:(i+1)*d], vector)
	}
	sum := 0.0
	for _, b := range best {
		sum += math.Exp(nearness * float64(b.cos-best[0].cos))
	}
	*logs = [bag.PartCount]float32{}
	for _, b := range best {
		share := float32(math.Exp(nearness*float64(b.cos-best[0].cos)) / sum)
		axpy(share, s.off[b.k*d:(b.k+1)*d], vector)
		for p := range logs {
			logs[p] += share * (s.t.logs[p][s.rows[b.k]] + float32(math.Log(float64(s.t.length(s.rows[b.k])))))
		}
	}
	normalise(vector)
}

// length returns the length of a row.
func (t *trainer) length(row int32) float32 {
	v := t.table[int(row)*t.Dimensions : int(row+1)*t.Dimensions]
	return float32(math.Sqrt(float64(dot(v, v))))
}

// fill sets the unknown rows of words that general has to guesses, and returns their number.
func (t *trainer) fill(g *general, isKnown func(row int32) bool) int {
	s := t.guesser(g, isKnown)
	d := t.Dimensions
	var rows []int32
	for row, w := range t.vocabulary.Words() {
		if _, ok := g.at[w]; ok && !isKnown(int32(row)) {
			rows = append(rows, int32(row))
		}
	}
	logs := make([][bag.PartCount]float32, len(rows))
	t.each(len(rows), func(i int) {
		row := int(rows[i])
		s.guess(g.at[t.vocabulary.Words()[row]], t.table[row*d:(row+1)*d], &logs[i])
	})
	for i, row := range rows {
		for p := range t.logs {
			t.logs[p][row] = logs[i][p]
		}
	}
	return len(rows)
}

// start copies the rows and weights of a model, and returns which rows the model had.
func (t *trainer) start(p *bag.Parts) ([]bool, error) {
	if p.Dimensions != t.Dimensions {
		return nil, fmt.Errorf("the model to start from has %d dimensions, not %d", p.Dimensions, t.Dimensions)
	}
	d := t.Dimensions
	rows := map[string]int{}
	for row, w := range p.Words {
		rows[w] = row
	}
	had := make([]bool, t.vocabulary.Len())
	for row, w := range t.vocabulary.Words() {
		from, ok := rows[w]
		if !ok {
			continue
		}
		had[row] = true
		vector := t.table[row*d : (row+1)*d]
		for k, x := range p.Rows[from*d : (from+1)*d] {
			vector[k] = float32(int8(x))
		}
		length := normalise(vector)
		for s := range t.logs {
			t.logs[s][row] = float32(math.Log(max(1e-6, float64(p.Weights[s][from]*length))))
		}
	}
	for c := range bag.Classes {
		for s := range t.logs {
			t.logs[s][t.vocabulary.Len()+c] = float32(math.Log(max(1e-6, float64(p.Weights[s][len(p.Words)+c]/t.signScale()))))
		}
	}
	return had, nil
}

// spread initializes rows from general vectors, projected at random to the table's dimensions, plus a random share.
func (t *trainer) spread(g *general) {
	d, n := t.Dimensions, len(g.vectors[0])
	turn := make([]float32, n*d)
	for i := range turn {
		turn[i] = float32(t.rng.NormFloat64() / math.Sqrt(float64(d)))
	}
	for row, w := range t.vocabulary.Words() {
		if at, ok := g.at[w]; ok {
			vector := t.table[row*d : (row+1)*d]
			for k := range vector {
				vector[k] *= 0.5
			}
			for i, x := range g.vectors[at] {
				axpy(x, turn[i*d:(i+1)*d], vector)
			}
			normalise(vector)
		}
	}
}

// blend averages a model and the model that was trained from it, so that what the model could do before is kept along
// with most of what it has learned (Wortsman et al., Robust fine-tuning of zero-shot models, 2022). Rows are scaled to
// length 1 and averaged, the trained one with weight share. Weights are averaged geometrically. Both models have the
// same words. A row that was 0 before, that of a new bigram, is taken from the trained model.
func blend(before, after *bag.Parts, share float64) *bag.Parts {
	d, n := after.Dimensions, len(after.Words)
	unit := func(p *bag.Parts, row int) ([]float64, float64) {
		vector, squares := make([]float64, d), 0.0
		for k := range vector {
			vector[k] = float64(int8(p.Rows[row*d+k]))
			squares += vector[k] * vector[k]
		}
		length := math.Sqrt(squares)
		for k := range vector {
			vector[k] /= max(length, 1e-9)
		}
		return vector, length
	}
	mean := func(share, a, b float64) float64 {
		return math.Exp((1-share)*math.Log(max(1e-9, a)) + share*math.Log(max(1e-9, b)))
	}
	out := &bag.Parts{Name: after.Name, Dimensions: d, Words: after.Words, Rows: make([]byte, n*d)}
	for p := range out.Weights {
		out.Weights[p] = make([]float32, len(after.Weights[p]))
	}
	for row := range n {
		from, long := unit(before, row)
		to, longer := unit(after, row)
		share := share
		if long == 0 {
			share = 1
		}
		squares := 0.0
		for k := range to {
			to[k] = (1-share)*from[k] + share*to[k]
			squares += to[k] * to[k]
		}
		length, top := max(math.Sqrt(squares), 1e-9), 1e-9
		for k := range to {
			to[k] /= length
			top = max(top, math.Abs(to[k]))
		}
		for k, x := range to {
			out.Rows[row*d+k] = byte(int8(math.Round(x / top * 127)))
		}
		for p := range out.Weights {
			out.Weights[p][row] = float32(mean(share, float64(before.Weights[p][row])*long, float64(after.Weights[p][row])*longer) * top / 127)
		}
	}
	for p := range out.Weights {
		for row := n; row < len(out.Weights[p]); row++ {
			out.Weights[p][row] = float32(mean(share, float64(before.Weights[p][row]), float64(after.Weights[p][row])))
		}
	}
	return out
}
