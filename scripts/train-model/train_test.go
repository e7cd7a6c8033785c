package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cortex/lib/embed/bag"
)

// synonyms are pairs of words with the same meaning.
var synonyms = [][2]string{{"remove", "erase"}, {"begin", "launch"}, {"picture", "bitmap"}, {"forest", "trees"}, {"quick", "rapid"},
	{"error", "fault"}, {"speak", "utter"}, {"folder", "directory"}, {"price", "cost"}, {"ocean", "sea"}, {"doctor", "physician"}, {"street", "road"}}

// made returns sources whose pairs use the synonyms.
func made() []*source {
	r := rand.New(rand.NewPCG(5, 6))
	var all []*source
	for repo := range 4 {
		s := &source{lexicon: true}
		for i := range 120 {
			a, b := synonyms[r.IntN(len(synonyms))], synonyms[r.IntN(len(synonyms))]
			s.pairs = append(s.pairs, pair{a[0] + " the " + b[0], fmt.Sprintf("lib/file.c: %s (function)\n%s noise%d", a[1], b[1], i%3), uint32(repo*1000 + i)})
			s.others = append(s.others, fmt.Sprintf("lib/other.c: %s (function)\nnoise%d", synonyms[i%len(synonyms)][1], i%3))
		}
		all = append(all, s)
	}
	return all
}

// vocabulary are the words of made.
func vocabulary() []string {
	words := []string{"the", "lib", "file", "function", "noise", "other"}
	for _, s := range synonyms {
		words = append(words, s[:]...)
	}
	return words
}

func smallRecipe() recipe {
	r := standard()
	r.Dimensions, r.Batch, r.Others, r.Epochs = 64, 64, 32, 30
	return r
}

func trained(t *testing.T, r recipe) (*trainer, []byte) {
	t.Helper()
	tr := newTrainer(r, vocabulary())
	var log bytes.Buffer
	tr.train(tr.examples(made()), &log)
	file, err := tr.quantise("made-1").Encode()
	if err != nil {
		t.Fatal(err)
	}
	return tr, file
}

func TestTrainingFindsWhatBelongsTogether(t *testing.T) {
	_, file := trained(t, smallRecipe())
	m, err := bag.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	var passages []string
	for _, s := range synonyms {
		passages = append(passages, "lib/file.c: x (function)\n"+s[1])
	}
	score := modelScorer(m, passages)
	for i, s := range synonyms {
		if best := top(score("the "+s[0]), 1)[0]; int(best) != i {
			t.Errorf("%q finds %q", s[0], synonyms[best][1])
		}
	}
}

func TestTrainingIsTheSameForAllWorkers(t *testing.T) {
	r := smallRecipe()
	r.Epochs = 2
	r.Jobs = 1
	_, one := trained(t, r)
	r.Jobs = 3
	_, three := trained(t, r)
	if !bytes.Equal(one, three) {
		t.Error("the models differ")
	}
	r.Seed++
	if _, other := trained(t, r); bytes.Equal(one, other) {
		t.Error("another seed gives the same model")
	}
}

// checkGradient compares the gradient of parameter i, read from the moments of a first step, with the finite difference
// of the loss.
func checkGradient(t *testing.T, tr *trainer, batch []*example, what string, parameters, moments []float32, i int) {
	t.Helper()
	const rest1, h = 0.1, 0.01
	want := float64(moments[i]) / rest1
	old := parameters[i]
	parameters[i] = old + h
	more := newBatchState(tr).run(batch)
	parameters[i] = old - h
	less := newBatchState(tr).run(batch)
	parameters[i] = old
	if got := (more - less) / (2 * h); math.Abs(got-want) > 0.02*math.Abs(want)+2e-4 {
		t.Errorf("%s %d: gradient %v, by differences %v", what, i, want, got)
	}
}

// oneBatch returns a batch of pairs and of passages without questions.
func oneBatch(tr *trainer) []*example {
	all := tr.examples(made())
	var batch []*example
	for i := range all[0].asked[:tr.Batch] {
		batch = append(batch, &all[0].asked[i])
	}
	for i := range all[0].others[:tr.Others] {
		batch = append(batch, &all[0].others[i])
	}
	return batch
}

// The vectors of stems are trained by the gradients of the rows, and are part of the rows when training ends.
func TestSharedGradients(t *testing.T) {
	r := smallRecipe()
	r.Batch, r.Dropout, r.Jobs = 32, 0, 1
	tr := newTrainer(r, vocabulary())
	tr.share(func(word string) string { return word[:1] })
	batch := oneBatch(tr)
	tr.Rate, tr.WeightRate, tr.steps = 0, 0, 10
	tr.StemRate = 1e-30 // leave the parameters where they are
	newBatchState(tr).run(batch)
	moments := slices.Clone(tr.shared.stems.first) // further steps add to the moments
	checked := 0
	for i, moment := range moments {
		if math.Abs(float64(moment)) >= 1e-4 && checked < 6 {
			checked++
			checkGradient(t, tr, batch, "stem", tr.shared.stems.values, moments, i)
		}
	}
	if checked == 0 {
		t.Error("no stem has a gradient")
	}

	tr.shared.stems.values[0] = 0.5
	loss := newBatchState(tr).run(batch)
	tr.fold()
	if tr.shared != nil {
		t.Fatal("words still share")
	}
	if got := newBatchState(tr).run(batch); math.Abs(got-loss) > 1e-6 {
		t.Errorf("loss %v once folded, %v before", got, loss)
	}
}

// The gradients of a step agree with finite differences of the loss.
func TestGradients(t *testing.T) {
	r := smallRecipe()
	r.Batch, r.Dropout, r.Jobs = 32, 0, 1
	tr := newTrainer(r, vocabulary())
	batch := oneBatch(tr)
	// With a rate of 0 the parameters do not change. The gradients are read from the first moments.
	tr.Rate, tr.WeightRate, tr.steps = 0, 0, 10
	b := newBatchState(tr)
	b.run(batch)
	vectors := slices.Clone(tr.table1)
	var weights [bag.PartCount][]float32
	for part := range weights {
		weights[part] = slices.Clone(tr.logs1[part])
	}
	for _, row := range []int{0, 3, 7} {
		checkGradient(t, tr, batch, "vector", tr.table, vectors, row*r.Dimensions+row)
	}
	for _, part := range []bag.Part{bag.Question, bag.Name, bag.Body} {
		checked := 0
		for row, g := range weights[part] {
			if g != 0 && checked < 4 {
				checkGradient(t, tr, batch, fmt.Sprintf("weight of part %d,", part), tr.logs[part], weights[part], row)
				checked++
			}
		}
		if checked == 0 {
			t.Errorf("no weight of part %d has a gradient", part)
		}
	}
}

// A batch has passages of its sources alone, and each pair is in at most one batch.
func TestBatches(t *testing.T) {
	r := smallRecipe()
	tr := newTrainer(r, vocabulary())
	sources := made()
	sources[1].others = nil
	all := tr.examples(sources)
	seen := map[*example]bool{}
	batches := tr.batches(all)
	if len(batches) != 4*120/r.Batch {
		t.Errorf("%d batches", len(batches))
	}
	for _, batch := range batches {
		asks := map[int]bool{}
		for i, x := range batch {
			switch {
			case i < r.Batch:
				if seen[x] || len(x.query) == 0 {
					t.Fatalf("pair %d is there twice, or has no question", i)
				}
				seen[x], asks[x.source] = true, true
			case len(x.query) > 0 || !asks[x.source]:
				t.Fatalf("passage %d has a question, or is of another source", i)
			}
		}
		if len(batch)%lanes != 0 || len(batch) > r.Batch+r.Others {
			t.Errorf("a batch of %d", len(batch))
		}
	}
}

// Training leaves the weights of unknown words as they are.
func TestTrainingKeepsClasses(t *testing.T) {
	r := smallRecipe()
	r.Epochs = 3
	tr, _ := trained(t, r)
	for part, logs := range tr.logs {
		for c := range bag.Classes {
			if got := logs[tr.vocabulary.Len()+c]; got != 0 {
				t.Errorf("part %d: class %d has the logarithm %v", part, c, got)
			}
		}
	}
}

// Training starts from a model as it is.
func TestStart(t *testing.T) {
	r := smallRecipe()
	before := newTrainer(r, []string{"dog", "puppy", "money"})
	for part := range before.logs {
		for row := range before.logs[part] {
			before.logs[part][row] = float32(row) / 10
		}
	}
	model := before.quantise("before")
	tr := newTrainer(r, model.Words)
	if err := tr.start(model); err != nil {
		t.Fatal(err)
	}
	again := tr.quantise("before")
	for i, x := range again.Rows {
		if diff := int(int8(x)) - int(int8(model.Rows[i])); diff < -1 || diff > 1 {
			t.Fatalf("component %d is %d, expected %d", i, int8(x), int8(model.Rows[i]))
		}
	}
	for part := range again.Weights {
		for row, w := range again.Weights[part] {
			if math.Abs(float64(w/model.Weights[part][row])-1) > 0.01 {
				t.Fatalf("part %d, row %d: weight %v, expected %v", part, row, w, model.Weights[part][row])
			}
		}
	}
	// A blend of a model with itself is the model.
	for i, x := range blend(model, model, 0.5).Rows {
		if diff := int(int8(x)) - int(int8(model.Rows[i])); diff < -1 || diff > 1 {
			t.Fatalf("blended component %d is %d, expected %d", i, int8(x), int8(model.Rows[i]))
		}
	}
	if err := tr.start(&bag.Parts{Dimensions: 128}); err == nil {
		t.Error("a model of other dimensions: no error")
	}
}

// TestBlendOfNothing: a row that was 0 before is taken from the trained model.
func TestBlendOfNothing(t *testing.T) {
	parts := func(row ...byte) *bag.Parts {
		p := &bag.Parts{Dimensions: 2, Words: []string{"a b"}, Rows: row}
		for i := range p.Weights {
			p.Weights[i] = []float32{0.5}
		}
		return p
	}
	after := parts(127, 0)
	for name, out := range map[string]*bag.Parts{"nothing before": blend(parts(0, 0), after, 0.9), "nothing at all": blend(parts(0, 0), parts(0, 0), 0.9)} {
		want := after
		if name == "nothing at all" {
			want = parts(0, 0)
		}
		if !slices.Equal(out.Rows, want.Rows) {
			t.Errorf("%s: rows %v, not %v", name, out.Rows, want.Rows)
		}
		if w := float64(out.Weights[0][0]); name == "nothing before" && math.Abs(w-0.5) > 1e-3 || math.IsNaN(w) {
			t.Errorf("%s: weight %v", name, w)
		}
	}
}
