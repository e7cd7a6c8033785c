package main

import (
	"fmt"
	"os"
	"strings"

	"cortex/lib/embed/bag"
)

// writeCard writes what there is to know of the model (Mitchell et al., Model Cards for Model Reporting, 2019).
func (o *options) writeCard(list []repository, figures string, m *bag.Model) error {
	notes, err := os.ReadFile(o.notes)
	if err != nil {
		return err
	}
	counts := map[use]int{}
	for _, r := range list {
		counts[r.Use]++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", m.Name())
	fmt.Fprintf(&b, "Text embeddings for search in code and its documentation. %s.\n\n", o.date)
	fmt.Fprintf(&b, "- **What it is**: a neural bag of words. A text's vector of %d components is the sum over its words of the root of their count, "+
		"a learned weight and a learned vector, brought to length 1. A word has a weight in questions, in paths, in names and in bodies. %d words, 8 bits a component. "+
		"Words that it does not know count as their pieces and as random signs of their own.\n", m.Dimensions(), m.Vocabulary().Len())
	b.WriteString("- **For**: finding functions, files and sections by questions in English words, beside an index of words; offline, in microseconds on one core.\n" +
		"- **Not for**: identifiers as questions, which belong to the index of words; order of words, negation, reasoning; prose far from software; questions in languages other than English. " +
		"A cosine orders passages for one question, and is no probability.\n")
	fmt.Fprintf(&b, "- **Made from**: %d public repositories under permissive licences (below), by `scripts/train-model`. No text of theirs is in the model, only words that at least three repositories use. "+
		"%d other repositories were for choosing the recipe, %d for the figures.\n", counts[useTrain], counts[useDev], counts[useTest]+counts[useLanguage])
	fmt.Fprintf(&b, "- **Recipe**: pairs of a sentence of documentation, words of a name, heading, commit subject or sentence that mentions a symbol, with the code or section; symmetric InfoNCE, batches of %d in groups of %d "+
		"of one repository and kind, temperature %g, sparse Adam %g (weights %g) falling to 0, %d epochs of at most %d pairs a repository, word dropout %g, seed %d.\n",
		o.Batch, o.Group, o.Temperature, o.Rate, o.WeightRate, o.Epochs, o.PerEpoch, o.Dropout, o.Seed)
	b.WriteString("- **Licence**: that of Cortex.\n\n## Figures\n\n")
	fmt.Fprintf(&b, "On repositories that were not trained on, in per cent; by language are sentences of documentation, MRR@10. BM25 has stems, parts of identifiers, stop words, names three times (identifiers as questions: whole words); "+
		"`hash` is the embedder without training; fused is the sum of BM25 and the model, each list's best hundred brought to 0 to 1, weights equal (identifiers: %g for the model). "+
		"Functions are without comments and sections without headings; the name is taken out of the sentence.\n\n", identifierWeight)
	b.WriteString(figures)
	b.WriteString("\n")
	b.Write(notes)
	b.WriteString("\n## Repositories\n\n| repository | commit | licence | use |\n|---|---|---|---|\n")
	for _, r := range list {
		fmt.Fprintf(&b, "| %s | %.12s | %s | %s |\n", r.Name, r.Commit, r.Licence, r.Use)
	}
	return os.WriteFile(o.card, []byte(b.String()), 0o644)
}
