package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"cortex/lib/embed"
	"cortex/lib/embed/bag"
	"cortex/lib/embed/lexicon"
	"cortex/lib/record"
)

// A stored is a line of the file of vectors: a text, and the results of the trainer in floating point.
type stored struct {
	Text  string `json:"text"`
	Query bool   `json:"query,omitempty"`
	// Next is the cosine with the text of the next line. Vectors of passages are quantised first, as in an index.
	Next float64 `json:"next"`
	// Vector is set for the first storedVectors texts.
	Vector record.Embedding `json:"vector,omitempty"`
}

// The numbers of texts and of vectors in the file, and the greatest size of a text in bytes.
const (
	storedTexts   = 1000
	storedBytes   = 240
	storedVectors = 20
	// leastCosine is the least cosine between the vectors of the model and those of the trainer.
	leastCosine = 0.999
)

// writeVectors writes the vectors of texts of the tree in the working folder, and returns an error if the model's
// vectors differ from the trainer's.
func (t *trainer) writeVectors(file, bin string, m *bag.Model) error {
	texts, err := ownTexts(bin)
	if err != nil {
		return err
	}
	counter, encoder := lexicon.NewCounter(), m.NewEncoder()
	parts, lengths := make([]float32, partsOf[bag.Passage]*t.Dimensions), make([]float32, partsOf[bag.Passage])
	vectors := make([][]float32, len(texts))
	worst := 1.0
	for i, x := range texts {
		side := bag.Passage
		if x.Query {
			side = bag.Query
		}
		vectors[i] = make([]float32, t.Dimensions)
		features := t.vocabulary.Features(nil, counter, side, x.Text)
		t.encode(vectors[i], features, t.strength, parts, lengths)
		if x.Query {
			t.encode(vectors[i], features, t.strengthBeside(slices.Clone(vectors[i])), parts, lengths)
		}
		got := make([]float32, t.Dimensions)
		encoder.Encode(got, side, x.Text)
		worst = min(worst, float64(dot(got, vectors[i])))
	}
	fmt.Fprintf(os.Stderr, "least cosine of the model's and the trainer's vectors of %d texts: %.5f\n", len(texts), worst)
	if worst < leastCosine {
		return fmt.Errorf("the model is off the trainer: cosine %.5f", worst)
	}
	kept := func(i int) []float32 {
		if i %= len(texts); texts[i].Query {
			return vectors[i]
		}
		return record.QuantizeSmall(nil, vectors[i]).Embedding()
	}
	var b bytes.Buffer
	for i, x := range texts {
		x.Next = math.Round(1e6*float64(dot(kept(i), kept(i+1)))) / 1e6
		if i < storedVectors {
			x.Vector = vectors[i]
		}
		line, err := json.Marshal(x)
		if err != nil {
			return err
		}
		b.Write(append(line, '\n'))
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}

// strengthBeside returns the strengths of features in a question with this vector. Training uses plain strengths.
func (t *trainer) strengthBeside(question []float32) func(bag.Feature) float32 {
	return func(f bag.Feature) float32 {
		strength := t.strength(f)
		if int(f.Row) >= t.vocabulary.Len() {
			return strength
		}
		row := slices.Clone(t.rows[int(f.Row)*t.Dimensions : (int(f.Row)+1)*t.Dimensions])
		normalise(row)
		return strength * (1 - bag.LikeWeight*dot(row, question))
	}
}

// ownTexts returns the beginnings of chunks of the tree. Every fourth is a question, without its first line.
func ownTexts(bin string) ([]stored, error) {
	chunks, err := chunksOf(bin, "", "--ignore", "**/testdata/**,**/*.svg")
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, c := range chunks {
		texts = append(texts, embed.Text(c))
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Or(cmp.Compare(draw(a, ""), draw(b, "")), strings.Compare(a, b)) })
	var all []stored
	for i, text := range texts[:min(len(texts), storedTexts)] {
		x := stored{Text: text, Query: i%4 == 3}
		if x.Query {
			_, x.Text, _ = strings.Cut(text, "\n")
		}
		x.Text = strings.ToValidUTF8(x.Text[:min(len(x.Text), storedBytes)], "")
		all = append(all, x)
	}
	return all, nil
}
