package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"cortex/lib/embed/bag"
	"cortex/lib/embed/lexicon"
)

// A recipe has all parameters that determine a model besides the data.
type recipe struct {
	Dimensions  int     // a multiple of 64
	Batch       int     // pairs in a batch, of as few repositories as possible; the passages of the other pairs are wrong answers to a question
	Others      int     // further passages of these repositories in a batch, which are wrong answers too
	Epochs      int     //
	Runs        int     // trainings from the same start with different random numbers; the model is their mean
	Share       float64 // weight of the trained model in the mean with the previous one
	AskedWeight float64 // weight of a written question relative to a pair of the lexicon
	Rate        float64 // Adam's learning rate for vectors, which falls linearly to 0
	WeightRate  float64 // Adam's learning rate for the logarithms of weights
	StemRate    float64 // Adam's learning rate for vectors shared by words of a stem; 0: none are shared
	Temperature float64
	Dropout     float64 // share of the words of a text that are dropped at random
	Jobs        int
	Seed        uint64
}

func standard() recipe {
	return recipe{
		Dimensions: 256, Batch: 512, Others: 512, Epochs: 2, Runs: 8, AskedWeight: 12, Share: 0.9,
		Rate: 3e-3, WeightRate: 3e-2, StemRate: 5e-3, Temperature: 0.06, Dropout: 0.1, Jobs: 2, Seed: 1,
	}
}

// An example is a pair as features of the table's rows. A passage without a question has weight 0.
type example struct {
	query, passage []bag.Feature
	source         int    // index of the source of the pair
	about          uint64 // equal for pairs whose passages are not wrong answers to each other's queries
	asked          uint64 // hash of the query
	weight         float32
}

// examples are those of one source.
type examples struct{ asked, others []example }

// A trainer holds the parameters of a model during training.
type trainer struct {
	recipe
	vocabulary *bag.Vocabulary
	table      []float32                // words by Dimensions: each word's own vector
	rows       []float32                // the same with the shared parts; the table itself if nothing is shared
	shared     *shared                  // nil if nothing is shared
	logs       [bag.PartCount][]float32 // logarithms of the weights of words, then of classes
	// First and second moments and gradients of the table and of the logs.
	table1, table2, tableG []float32
	logs1, logs2, logsG    [bag.PartCount][]float32
	touched                []int32 // rows of the table with a gradient
	isTouched              []bool
	step, steps            int
	rng                    *rand.Rand
}

// again returns a trainer with the initial parameters of t, which has not trained yet, and with other random numbers
// for each run.
func (t *trainer) again(run int) *trainer {
	r := t.recipe
	r.Seed += uint64(run)
	n := newTrainer(r, t.vocabulary.Words())
	copy(n.table, t.table)
	for s := range n.logs {
		copy(n.logs[s], t.logs[s])
	}
	if t.shared != nil {
		n.shared = t.shared.again()
		n.rows = slices.Clone(n.table)
	}
	return n
}

func newTrainer(r recipe, words []string) *trainer {
	t := &trainer{recipe: r, vocabulary: bag.NewVocabulary(words), rng: rand.New(rand.NewPCG(r.Seed, 0))}
	n := len(words) * r.Dimensions
	t.table, t.table1, t.table2, t.tableG = make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range t.table {
		t.table[i] = float32(t.rng.NormFloat64() / math.Sqrt(float64(r.Dimensions)))
	}
	rows := len(words) + bag.Classes
	t.rows = t.table
	for s := range t.logs {
		t.logs[s], t.logs1[s], t.logs2[s], t.logsG[s] = make([]float32, rows), make([]float32, rows), make([]float32, rows), make([]float32, rows)
	}
	t.isTouched = make([]bool, len(words))
	return t
}

// examples converts the pairs and passages of sources.
func (t *trainer) examples(sources []*source) []examples {
	counter := lexicon.NewCounter()
	features := func(side bag.Side, text string) []bag.Feature {
		return slices.Clip(t.vocabulary.Features(nil, counter, side, text))
	}
	all := make([]examples, len(sources))
	for i, s := range sources {
		for _, p := range s.pairs {
			x := example{source: i, about: lexicon.Mix(uint64(i)<<32 | uint64(p.About)), asked: lexicon.Hash(strings.ToLower(p.Query)), weight: 1}
			if !s.lexicon {
				x.weight = float32(t.AskedWeight)
			}
			x.query, x.passage = features(bag.Query, p.Query), features(bag.Passage, p.Passage)
			if len(x.query) > 0 && len(x.passage) > 0 {
				all[i].asked = append(all[i].asked, x)
			}
		}
		for _, text := range s.others {
			if f := features(bag.Passage, text); len(f) > 0 {
				all[i].others = append(all[i].others, example{source: i, passage: f})
			}
		}
	}
	return all
}

// batches divides the pairs into batches, in which those of one source are together, and adds further passages of the
// sources. What does not fill a batch is left out of this epoch.
func (t *trainer) batches(all []examples) [][]*example {
	var list []*example
	for _, i := range t.rng.Perm(len(all)) {
		from := len(list)
		for k := range all[i].asked {
			list = append(list, &all[i].asked[k])
		}
		own := list[from:]
		t.rng.Shuffle(len(own), func(a, b int) { own[a], own[b] = own[b], own[a] })
	}
	var batches [][]*example
	for ; len(list) >= t.Batch; list = list[t.Batch:] {
		batches = append(batches, t.withOthers(list[:t.Batch], all))
	}
	t.rng.Shuffle(len(batches), func(i, j int) { batches[i], batches[j] = batches[j], batches[i] })
	return batches
}

// withOthers adds passages of the sources of a batch, of each in proportion to its pairs.
func (t *trainer) withOthers(batch []*example, all []examples) []*example {
	var from []int
	for _, x := range batch {
		if len(all[x.source].others) > 0 {
			from = append(from, x.source)
		}
	}
	more := t.Others * len(from) / len(batch)
	batch = slices.Clone(batch)
	for range more - more%lanes {
		others := all[from[t.rng.IntN(len(from))]].others
		batch = append(batch, &others[t.rng.IntN(len(others))])
	}
	return batch
}

// train trains on the examples and writes a line for each epoch to w.
func (t *trainer) train(all []examples, w io.Writer) {
	b := newBatchState(t)
	for epoch := range t.Epochs {
		start := time.Now()
		batches := t.batches(all)
		if epoch == 0 {
			t.steps = len(batches) * t.Epochs
		}
		loss := 0.0
		for _, batch := range batches {
			loss += b.run(batch)
		}
		fmt.Fprintf(w, "epoch %d: %d batches, loss %.4f, %.1fs\n", epoch+1, len(batches), loss/float64(len(batches)), time.Since(start).Seconds())
	}
	t.fold()
}

// A batchState has the buffers of one step, which are reused by the next.
type batchState struct {
	*trainer
	features [bag.Sides][][]bag.Feature
	vectors  [bag.Sides][]float32 // Batch by Dimensions, of length 1
	flipped  [bag.Sides][]float32 // Dimensions by Batch
	lengths  [bag.Sides][]float32
	// For each part of a text: the sum of its features, scaled to length 1; the length of the sum; its gradient.
	parts       [bag.Sides][]float32
	partLengths [bag.Sides][]float32
	partGrads   [bag.Sides][]float32
	grads       [bag.Sides][]float32
	scores      []float32 // Batch by Batch: scores, later their gradients
	across      []float32 // the transpose of scores
	losses      []float64
}

func newBatchState(t *trainer) *batchState {
	b := &batchState{trainer: t}
	n := t.Batch + t.Others
	for s := range b.vectors {
		b.features[s] = make([][]bag.Feature, n)
		b.vectors[s], b.grads[s], b.flipped[s] = make([]float32, n*t.Dimensions), make([]float32, n*t.Dimensions), make([]float32, n*t.Dimensions)
		b.lengths[s] = make([]float32, n)
		parts := partsOf[s] * n
		b.parts[s], b.partGrads[s], b.partLengths[s] = make([]float32, parts*t.Dimensions), make([]float32, parts*t.Dimensions), make([]float32, parts)
	}
	b.scores, b.across, b.losses = make([]float32, n*n), make([]float32, n*n), make([]float64, n)
	return b
}

// each calls f for 0 to n-1 on Jobs goroutines.
func (t *trainer) each(n int, f func(int)) {
	var wg sync.WaitGroup
	for job := range t.Jobs {
		wg.Go(func() {
			for i := job * n / t.Jobs; i < (job+1)*n/t.Jobs; i++ {
				f(i)
			}
		})
	}
	wg.Wait()
}

// run makes one training step and returns the loss: the mean of the cross-entropies of queries among passages and of
// passages among queries (the symmetric InfoNCE of Radford et al., CLIP, 2021). A passage without a question counts as 0
// in this mean.
func (b *batchState) run(batch []*example) float64 {
	n, d := len(batch), b.Dimensions
	for i, x := range batch {
		b.features[bag.Query][i] = b.drop(b.features[bag.Query][i][:0], x.query)
		b.features[bag.Passage][i] = b.drop(b.features[bag.Passage][i][:0], x.passage)
	}
	b.touch(n)
	if b.shared != nil {
		b.each(len(b.touched), func(i int) { b.assemble(int(b.touched[i])) })
	}
	for s := range bag.Sides {
		b.each(n, func(i int) { b.forward(bag.Side(s), i) })
		b.each(d, func(k int) {
			for i := range n {
				b.flipped[s][k*n+i] = b.vectors[s][i*d+k]
			}
		})
	}
	heat := float32(1 / b.Temperature)
	b.each(n, func(i int) {
		query := b.vectors[bag.Query][i*d : (i+1)*d]
		for j := range n {
			if i != j && !batch[i].isWrong(batch[j]) {
				b.scores[i*n+j] = float32(math.Inf(-1))
			} else {
				b.scores[i*n+j] = heat * dot(query, b.vectors[bag.Passage][j*d:(j+1)*d])
			}
		}
	})
	b.each(n, func(j int) {
		for i := range n {
			b.across[j*n+i] = b.scores[i*n+j]
		}
	})
	b.each(n, func(i int) {
		rows, columns := b.scores[i*n:(i+1)*n], b.across[i*n:(i+1)*n]
		b.losses[i] = softmax(rows, i) + softmax(columns, i)
		w := batch[i].weight
		if w == 0 {
			b.losses[i] = 0
		}
		for k := range rows {
			rows[k] *= w
			columns[k] *= w
		}
	})
	// The gradient of a score is the sum of those of both directions.
	scale := heat / float32(2*n)
	b.each(n, func(i int) {
		for j := range n {
			b.scores[i*n+j] = scale * (b.scores[i*n+j] + b.across[j*n+i])
		}
	})
	b.each(n, func(j int) {
		for i := range n {
			b.across[j*n+i] = b.scores[i*n+j]
		}
	})
	b.each(n, func(i int) {
		for k := range d {
			b.grads[bag.Query][i*d+k] = dot(b.scores[i*n:(i+1)*n], b.flipped[bag.Passage][k*n:(k+1)*n])
			b.grads[bag.Passage][i*d+k] = dot(b.across[i*n:(i+1)*n], b.flipped[bag.Query][k*n:(k+1)*n])
		}
	})
	for s := range bag.Sides {
		b.each(n, func(i int) {
			grad, vector := b.grads[s][i*d:(i+1)*d], b.vectors[s][i*d:(i+1)*d]
			axpy(-dot(grad, vector), vector, grad)
			for k := range grad {
				grad[k] /= b.lengths[s][i] + 1e-8
			}
			for p := i * partsOf[s]; p < (i+1)*partsOf[s]; p++ {
				unit, out, length := b.parts[s][p*d:(p+1)*d], b.partGrads[s][p*d:(p+1)*d], b.partLengths[s][p]
				clear(out)
				if length > 0 {
					// A component along the sum changes the sum's scale, which halves its effect.
					scale := float32(bag.PartScale(float64(length)))
					axpy(scale, grad, out)
					axpy(-scale/2*dot(unit, grad), unit, out)
				}
			}
		})
	}
	b.backward(n)
	b.update()
	loss := 0.0
	for _, l := range b.losses[:n] {
		loss += l
	}
	return loss / float64(2*n)
}

// isWrong reports whether the passage of another example is a wrong answer to the question of x. Where one has no
// question, this is so for the question of x alone.
func (x *example) isWrong(other *example) bool {
	return x.weight > 0 && (other.weight == 0 || x.about != other.about && x.asked != other.asked)
}

// drop copies features, leaving out some at random.
func (b *batchState) drop(dst, features []bag.Feature) []bag.Feature {
	for _, f := range features {
		if b.rng.Float64() >= b.Dropout {
			dst = append(dst, f)
		}
	}
	if len(dst) == 0 {
		dst = append(dst, features...)
	}
	return dst
}

// strength returns the factor of a feature's vector.
func (t *trainer) strength(f bag.Feature) float32 {
	return float32(math.Sqrt(float64(f.Count)) * math.Exp(float64(t.logs[f.Part][f.Row])))
}

// partsOf is the number of parts of a text on each side.
var partsOf = [bag.Sides]int{bag.Query: 1, bag.Passage: bag.PartCount - 1}

// partOf returns the index of a feature's part among the parts of its text.
func partOf(f bag.Feature) int { return max(0, int(f.Part)-int(bag.Path)) }

// forward computes the vector of text i.
func (b *batchState) forward(side bag.Side, i int) {
	d, k := b.Dimensions, partsOf[side]
	vector := b.vectors[side][i*d : (i+1)*d]
	b.lengths[side][i] = b.encode(vector, b.features[side][i], b.strength, b.parts[side][i*k*d:(i+1)*k*d], b.partLengths[side][i*k:(i+1)*k])
}

// encode writes the vector of a text and the vectors of its parts, all of length 1. It returns the length of the text's
// sum before scaling; those of the parts go to lengths. strength returns the factor of a feature's vector.
func (t *trainer) encode(vector []float32, features []bag.Feature, strength func(bag.Feature) float32, parts, lengths []float32) float32 {
	d := t.Dimensions
	clear(vector)
	clear(parts)
	var signs [maxDimensions]float32
	for _, f := range features {
		a := strength(f)
		part := parts[partOf(f)*d : (partOf(f)+1)*d]
		if int(f.Row) < t.vocabulary.Len() {
			axpy(a, t.rows[int(f.Row)*d:(int(f.Row)+1)*d], part)
		} else {
			bag.Signs(signs[:d], f.Hash)
			axpy(a*t.signScale(), signs[:d], part)
		}
	}
	for p := range lengths {
		part := parts[p*d : (p+1)*d]
		lengths[p] = normalise(part)
		if lengths[p] > 0 {
			axpy(lengths[p]*float32(bag.PartScale(float64(lengths[p]))), part, vector)
		}
	}
	return normalise(vector)
}

// normalise scales a vector to length 1 and returns its previous length.
func normalise(vector []float32) float32 {
	length := float32(math.Sqrt(float64(dot(vector, vector))))
	if length > 0 {
		for k := range vector {
			vector[k] /= length
		}
	}
	return length
}

const (
	maxDimensions = 1024
	// lanes is the number of components of which the lengths of vectors of the kernels are multiples.
	lanes = 32
)

// signScale returns the factor that scales a vector of signs to length 1.
func (t *trainer) signScale() float32 { return float32(1 / math.Sqrt(float64(t.Dimensions))) }

// softmax returns the cross-entropy of item right, and replaces the scores by its gradient.
func softmax(scores []float32, right int) float64 {
	top := slices.Max(scores)
	sum := 0.0
	first := scores[right]
	for i, s := range scores {
		e := math.Exp(float64(s - top))
		sum += e
		scores[i] = float32(e)
	}
	scale := float32(1 / sum)
	for i := range scores {
		scores[i] *= scale
	}
	scores[right]--
	return math.Log(sum) - float64(first-top)
}

// touch lists the rows that the batch uses.
func (b *batchState) touch(n int) {
	for s := range bag.Sides {
		for i := range n {
			for _, f := range b.features[s][i] {
				if int(f.Row) < b.vocabulary.Len() && !b.isTouched[f.Row] {
					b.isTouched[f.Row] = true
					b.touched = append(b.touched, f.Row)
				}
			}
		}
	}
}

// backward computes the gradients of vectors and weights.
func (b *batchState) backward(n int) {
	d := b.Dimensions
	// Each goroutine handles its own components, so that sums have a fixed order.
	const part = 64
	b.each(d/part, func(share int) {
		from := share * part
		for s := range bag.Sides {
			for i := range n {
				for _, f := range b.features[s][i] {
					if int(f.Row) < b.vocabulary.Len() {
						at, g := int(f.Row)*d+from, (i*partsOf[s]+partOf(f))*d+from
						axpy(b.strength(f), b.partGrads[s][g:g+part], b.tableG[at:at+part])
					}
				}
			}
		}
	})
	// Gradients of the logarithms of the weights of words. Those of classes stay: a batch seldom has the same unknown
	// word twice, from which training would learn that such words count nothing.
	b.each(bag.Sides, func(s int) {
		for i := range n {
			for _, f := range b.features[s][i] {
				if int(f.Row) < b.vocabulary.Len() {
					g := (i*partsOf[s] + partOf(f)) * d
					b.logsG[f.Part][f.Row] += b.strength(f) * dot(b.partGrads[s][g:g+d], b.rows[int(f.Row)*d:(int(f.Row)+1)*d])
				}
			}
		}
	})
}

// update makes a step of Adam for the rows with a gradient, and clears the gradients.
func (b *batchState) update() {
	b.step++
	decay := max(0.02, 1-float64(b.step)/float64(b.steps+1))
	constants := func(rate float64) *adamConstants {
		const beta1, beta2 = 0.9, 0.999
		correction := math.Sqrt(1-math.Pow(beta2, float64(b.step))) / (1 - math.Pow(beta1, float64(b.step)))
		return &adamConstants{beta1, 1 - beta1, beta2, 1 - beta2, float32(rate * decay * correction), 1e-8}
	}
	d := b.Dimensions
	if b.shared != nil {
		b.updateShared(constants(b.StemRate))
	}
	c := constants(b.Rate)
	b.each(len(b.touched), func(i int) {
		from, to := int(b.touched[i])*d, int(b.touched[i]+1)*d
		adam(b.table[from:to], b.table1[from:to], b.table2[from:to], b.tableG[from:to], c)
		clear(b.tableG[from:to])
	})
	c = constants(b.WeightRate)
	for s := range b.logs {
		for i, g := range b.logsG[s] {
			if g != 0 {
				adamGeneric(b.logs[s][i:i+1], b.logs1[s][i:i+1], b.logs2[s][i:i+1], b.logsG[s][i:i+1], c)
				b.logsG[s][i] = 0
			}
		}
	}
	for _, row := range b.touched {
		b.isTouched[row] = false
	}
	b.touched = b.touched[:0]
}

// quantise returns the model with 8-bit components.
func (t *trainer) quantise(name string) *bag.Parts {
	d := t.Dimensions
	p := &bag.Parts{Name: name, Dimensions: d, Words: t.vocabulary.Words(), Rows: make([]byte, len(t.table))}
	for s := range p.Weights {
		p.Weights[s] = make([]float32, len(p.Words)+bag.Classes)
	}
	for row := range p.Words {
		vector := t.table[row*d : (row+1)*d]
		top := float32(1e-9)
		for _, x := range vector {
			top = max(top, float32(math.Abs(float64(x))))
		}
		for k, x := range vector {
			p.Rows[row*d+k] = byte(int8(math.Round(float64(x / top * 127))))
		}
		for s := range p.Weights {
			p.Weights[s][row] = float32(math.Exp(float64(t.logs[s][row]))) * top / 127
		}
	}
	for s := range p.Weights {
		for c := range bag.Classes {
			row := len(p.Words) + c
			p.Weights[s][row] = float32(math.Exp(float64(t.logs[s][row]))) * t.signScale()
		}
	}
	return p
}
