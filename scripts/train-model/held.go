package main

import (
	"cmp"
	"fmt"
	"slices"

	"cortex/lib/embed/bag"
	"cortex/lib/embed/lexicon"
)

// leaveOut moves one of o.holdOut repositories, chosen by a hash of the name, to o.heldOut, and returns the others.
func (o *options) leaveOut(all []*data) (rest []*data) {
	for _, d := range all {
		if lexicon.Hash(d.Repository.Name)%o.holdOut == 0 {
			o.heldOut = append(o.heldOut, d)
		} else {
			rest = append(rest, d)
		}
	}
	return rest
}

// askHeldOut asks the questions written for the held-out repositories, and prints how well the model alone finds the
// answers. The candidates are all passages with written questions and all documented functions of the repository. The
// first question for a function uses words other than the function's.
func (o *options) askHeldOut(m *bag.Model) error {
	written, err := readAsked(o.asked)
	if err != nil {
		return err
	}
	encoder := m.NewEncoder()
	encoded := func(side bag.Side, text string) []float32 {
		vector := make([]float32, m.Dimensions())
		encoder.Encode(vector, side, text)
		return vector
	}
	var first, all figures
	for _, d := range o.heldOut {
		asked := answered(d, written[d.Repository.Name], o.repos)
		var about []uint32
		var vectors [][]float32
		for _, p := range slices.Concat(asked, d.Pairs) {
			if (p.Kind == kindAsked || p.Kind == kindDoc) && !slices.Contains(about, p.About) {
				about = append(about, p.About)
				vectors = append(vectors, encoded(bag.Passage, p.Passage))
			}
		}
		isAsked := map[uint32]bool{}
		for _, p := range asked {
			query := encoded(bag.Query, p.Query)
			order := make([]int32, len(about))
			scores := make([]float32, len(about))
			for i := range about {
				order[i], scores[i] = int32(i), dot(query, vectors[i])
			}
			slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(scores[b], scores[a]) })
			answers := []int{slices.Index(about, p.About)}
			all.add(order, answers)
			if !isAsked[p.About] {
				first.add(order, answers)
			}
			isAsked[p.About] = true
		}
	}
	fmt.Printf("%d repositories left out: MRR@10 of %d questions %.2f, of the %d in other words %.2f\n",
		len(o.heldOut), all.questions, all.mean().MRR, first.questions, first.mean().MRR)
	return nil
}
