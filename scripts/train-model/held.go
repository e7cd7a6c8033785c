package main

import (
	"cmp"
	"fmt"
	"slices"

	"cortex/lib/embed/bag"
)

// askHeldOut asks the questions written for repositories that are held out, and prints how well the model alone finds
// their passages among these and the other passages of the repository. The first question for a passage is short.
func askHeldOut(m *bag.Model, held []*source) {
	encoder := m.NewEncoder()
	encoded := func(side bag.Side, text string) []float32 {
		vector := make([]float32, m.Dimensions())
		encoder.Encode(vector, side, text)
		return vector
	}
	var short, all figures
	for _, s := range held {
		at := map[uint32]int{}
		var vectors [][]float32
		for _, p := range s.pairs {
			if _, ok := at[p.About]; !ok {
				at[p.About] = len(vectors)
				vectors = append(vectors, encoded(bag.Passage, p.Passage))
			}
		}
		for _, text := range s.others {
			vectors = append(vectors, encoded(bag.Passage, text))
		}
		asked := map[uint32]bool{}
		for _, p := range s.pairs {
			query := encoded(bag.Query, p.Query)
			order := make([]int32, len(vectors))
			scores := make([]float32, len(vectors))
			for i := range vectors {
				order[i], scores[i] = int32(i), dot(query, vectors[i])
			}
			slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(scores[b], scores[a]) })
			all.add(order, []int{at[p.About]})
			if !asked[p.About] {
				short.add(order, []int{at[p.About]})
			}
			asked[p.About] = true
		}
	}
	fmt.Printf("%d repositories held out: MRR@10 of %d questions %.2f, of the %d short ones %.2f\n",
		len(held), all.questions, all.mean().MRR, short.questions, short.mean().MRR)
}
