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

// made returns repositories whose pairs use the synonyms.
func made() []*data {
	r := rand.New(rand.NewPCG(5, 6))
	var all []*data
	for repo := range 4 {
		d := &data{}
		for i := range 120 {
			a, b := synonyms[r.IntN(len(synonyms))], synonyms[r.IntN(len(synonyms))]
			d.Pairs = append(d.Pairs, pair{kindDoc, a[0] + " the " + b[0], fmt.Sprintf("lib/file.c: %s (function)\n%s noise%d", a[1], b[1], i%3), uint32(repo*1000 + i)})
		}
		all = append(all, d)
	}
	return all
}

func smallRecipe() recipe {
	r := standard()
	r.Dimensions, r.Words, r.Batch, r.Group, r.Epochs = 64, 100, 64, 32, 30
	return r
}

func trained(t *testing.T, r recipe) (*trainer, []byte) {
	t.Helper()
	all := made()
	tr := newTrainer(r, chooseWords(all, r.Words))
	var log bytes.Buffer
	tr.train(tr.examples(all), &log)
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

// Shared parameters are trained by the gradients of the rows, and are part of the rows when training ends.
func TestSharedGradients(t *testing.T) {
	r := smallRecipe()
	r.Batch, r.Group, r.Dropout, r.Jobs = 32, 32, 0, 1
	all := made()
	tr := newTrainer(r, chooseWords(all, r.Words))
	g := &general{at: map[string]int{}}
	for i, w := range tr.vocabulary.Words() {
		if i%3 > 0 {
			g.at[w] = len(g.vectors)
			vector := make([]float32, 32)
			vector[i%32], vector[(i+5)%32] = 0.8, 0.6
			g.vectors = append(g.vectors, vector)
		}
	}
	tr.share(func(word string) string { return word[:1] }, g)
	var batch []*example
	groups := tr.examples(all)
	for i := range groups[0][:r.Batch] {
		batch = append(batch, &groups[0][i])
	}
	tr.Rate, tr.WeightRate, tr.steps = 0, 0, 10
	tr.StemRate, tr.MapRate = 1e-30, 1e-30 // leave the parameters where they are
	newBatchState(tr).run(batch)
	check := func(what string, p *parameters, moments []float32) {
		t.Helper()
		checked := 0
		for i, moment := range moments {
			if math.Abs(float64(moment)) >= 1e-4 && checked < 6 {
				checked++
				checkGradient(t, tr, batch, what, p.values, moments, i)
			}
		}
		if checked == 0 {
			t.Errorf("%s has no gradient", what)
		}
	}
	// Further steps add to the moments.
	ofStems, ofMap := slices.Clone(tr.shared.stems.first), slices.Clone(tr.shared.project.first)
	check("stem", &tr.shared.stems, ofStems)
	check("map", &tr.shared.project, ofMap)

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
	r.Batch, r.Group, r.Dropout, r.Jobs = 32, 32, 0, 1
	all := made()
	tr := newTrainer(r, chooseWords(all, r.Words))
	var batch []*example
	groups := tr.examples(all)
	for i := range groups[0][:r.Batch] {
		batch = append(batch, &groups[0][i])
	}
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

func TestChooseWords(t *testing.T) {
	words := chooseWords(made(), 1000)
	for _, s := range synonyms {
		for _, w := range s {
			if !slices.Contains(words, w) {
				t.Errorf("%q is missing", w)
			}
		}
	}
	// Words of a single repository are not chosen.
	alone := made()
	for i := range alone[0].Pairs {
		alone[0].Pairs[i].Passage += " proprietary"
	}
	if slices.Contains(chooseWords(alone, 1000), "proprietary") {
		t.Error("a word of one repository is in the vocabulary")
	}
	if got := chooseWords(made(), 5); len(got) != 5 {
		t.Errorf("%d words instead of 5", len(got))
	}
}

func TestChooseBigrams(t *testing.T) {
	var asked []*data
	for i := range 6 {
		d := &data{Pairs: []pair{{Kind: kindAsked, Query: "throw away the file, throw away all"}, {Kind: kindDoc, Query: "read a line"}}}
		if i < 4 {
			d.Pairs = append(d.Pairs, pair{Kind: kindAsked, Query: "sign in"})
		}
		asked = append(asked, d)
	}
	// "sign in" is in questions of too few repositories, and "read a" is in no written question.
	if got, want := chooseBigrams(asked, 3), []string{"away all", "away the", "file throw"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	if got := chooseBigrams(asked, 100); len(got) != 5 {
		t.Errorf("%q", got)
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
