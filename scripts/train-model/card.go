package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"cortex/lib/embed/bag"
)

// writeCard writes the model card (Mitchell et al., Model Cards for Model Reporting, 2019).
func (o *options) writeCard(list []repository, figures string, m *bag.Model) error {
	notes, err := os.ReadFile(o.notes)
	if err != nil {
		return err
	}
	counts := map[use]int{}
	for _, r := range list {
		counts[r.Use]++
	}
	measured := 0
	for _, u := range o.uses {
		measured += counts[use(u)]
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", m.Name())
	fmt.Fprintf(&b, "Text embeddings for search in code and its documentation. %s.\n\n", o.date)
	fmt.Fprintf(&b, "- **What it is**: a neural bag of words. It has a learned vector of %d components for each of %d words, 8 bits a component, "+
		"and a learned weight of each word in questions, paths, names and bodies. The vector of such a part of a text is the sum over its words of the square root of their count, times the weight, times the vector, "+
		"divided by the square root of the sum's length. The vector of a text is the sum over its parts, scaled to length 1. An unknown word counts as its parts and as a random vector of its own. In a question, words that say what the rest says count less: the weight of each word is lowered by three quarters of its cosine to the sum.\n", m.Dimensions(), m.Vocabulary().Len())
	b.WriteString("- **For**: finding functions, files and sections by questions in English, together with an index of words; offline, in microseconds on one core.\n" +
		"- **Not for**: identifiers as questions, which the index of words answers; word order, negation, reasoning; prose about other subjects than software; questions in languages other than English. " +
		"A cosine ranks passages for one question; it is not a probability.\n")
	fmt.Fprintf(&b, "- **Made from**: `scripts/train-model` continued the training of an earlier model with questions that were written, in other words than the code's, for definitions and sections of %d public repositories under permissive licences, "+
		"with their code, and of %d others, each with a question in the trade's words in place of the code (`scripts/train-model/questions.txt`; all repositories are listed below). Earlier models were trained on these others and on %d more. "+
		"The model contains no text of theirs, only words that at least three repositories use, and common words of English. %d other repositories served to choose the recipe of earlier models, %d to measure the figures.\n",
		counts[useTrain], counts[useAsked], counts[useBefore], counts[useDev], measured)
	b.WriteString("- **Other sources**: the lexicon of Cortex (`lib/search/concept`), whose phrases are paired with their words of code. Earlier models also learned which English words are similar from GloVe 6B with 100 components (Pennington et al., 2014; Public Domain Dedication and License 1.0).\n")
	fmt.Fprintf(&b, "- **Recipe**: the passage of a question is the chunk that search would show for it. Symmetric InfoNCE, batches of %d pairs of as few repositories as possible and of %d further chunks of these, "+
		"temperature %g, sparse Adam %g (weights %g, what words of a stem share %g) falling to 0, passes over the pairs: %d, written questions counted %g times, word dropout %g; the mean of %d trainings, from seed %d on; "+
		"of the trained rows and weights %.2g and of those before %.2g.\n",
		o.Batch, o.Others, o.Temperature, o.Rate, o.WeightRate, o.StemRate, o.Epochs, o.AskedWeight, o.Dropout, o.Runs, o.Seed, o.Share, 1-o.Share)
	b.WriteString("- **Licence**: that of Cortex.\n\n## Figures\n\n")
	b.WriteString("In per cent, on repositories that were not used for training. The tasks, with the passages among which the answer is searched:\n\n" +
		"- *doc sentence to function*: the first sentence of its documentation, without its name; all functions of the repository, up to 4,000, without comments; by language in the second table (MRR@10).\n" +
		"- *heading to section*: a heading of two words or more that occurs once, not in a list of changes; all sections with such headings, without their own heading and with those above it, " +
		"up to 2,000 bytes.\n" +
		"- *commit subject to file*: the subject of a commit that changes at most three files, change logs and the like not counted; all files but documents and tests as they are now, in chunks, the score of a file being the mean " +
		"of its best chunk's and of the mean of the best three.\n" +
		"- *identifier to definition*: the name of a function alone.\n\n" +
		"BM25 has stems, parts of identifiers, stop words, k1 2, names of functions three times (identifiers as questions: whole words). " +
		"Fused is the weighted sum of BM25 and the model, the best scores of each list scaled to 0..1. The settings of the first three tasks were chosen on the repositories for choosing:\n\n" +
		"| task | b of BM25 | weight of the model | best that are fused |\n|---|---|---|---|\n")
	for _, how := range append(slices.Clone(settings), labelledSetting) {
		fmt.Fprintf(&b, "| %s | %g | %g | %d |\n", how.name, how.lengthShare, how.weight, how.pool)
	}
	b.WriteString("\n")
	b.WriteString(figures)
	b.WriteString("\n")
	b.Write(notes)
	b.WriteString("\n## Repositories\n\n| repository | commit | licence | use |\n|---|---|---|---|\n")
	for _, r := range list {
		fmt.Fprintf(&b, "| %s | %.12s | %s | %s |\n", r.Name, r.Commit, r.Licence, r.Use)
	}
	return os.WriteFile(o.card, []byte(b.String()), 0o644)
}
