package main

import (
	"fmt"
	"os"
	"slices"
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
	fmt.Fprintf(&b, "- **What it is**: a neural bag of words. The vector of a question, path, name or body is the sum over its words of the root of their count, "+
		"a learned weight and a learned vector, divided by the root of its length; a text's, of %d components, is the sum of those of its parts, brought to length 1. A word has a weight for each part. %d words, 8 bits a component. "+
		"Words that it does not know count as their pieces and as random signs of their own.\n", m.Dimensions(), m.Vocabulary().Len())
	b.WriteString("- **For**: finding functions, files and sections by questions in English words, beside an index of words; offline, in microseconds on one core.\n" +
		"- **Not for**: identifiers as questions, which belong to the index of words; order of words, negation, reasoning; prose far from software; questions in languages other than English. " +
		"A cosine orders passages for one question, and is no probability.\n")
	fmt.Fprintf(&b, "- **Made from**: the model before it, made from %d public repositories under permissive licences, pairs of %d of them, and questions written for these and for %d others (below), by `scripts/train-model`. No text of theirs is in the model, only words that at least three repositories use, "+
		"and common words of English. %d other repositories were for choosing the recipe, %d for the figures.\n", counts[useTrain]+counts[useBefore], counts[useTrain], counts[useAsked], counts[useDev], counts[useTest]+counts[useLanguage])
	b.WriteString("- **Other words than the code's**: the lexicon of Cortex (`lib/search/concept`), whose phrases are paired with its words of code, and put into questions in place of such words; questions that were written for functions of the repositories " +
		"(`scripts/train-model/questions.jsonl`, for this model, in other words than the code's); and GloVe 6B of 100 components (Pennington et al., 2014; Public Domain Dedication and License 1.0), by which words that the model before lacked start beside words like them, and words learn with those that are near them there.\n")
	fmt.Fprintf(&b, "- **Recipe**: pairs of a question and what answers it (%s), of which an epoch takes the shares %v; symmetric InfoNCE, batches of %d in groups of %d "+
		"of one repository and kind, temperature %g, sparse Adam %g (weights %g, what words of a stem share %g, the map of GloVe into the table %g) falling to 0, %d epochs of at most %d pairs a repository and %d in other words, written questions counted %g times, word dropout %g, seed %d; "+
		"of the trained rows and weights %g and of those before %g.\n",
		strings.Join(kindNames[:], ", "), o.Kinds, o.Batch, o.Group, o.Temperature, o.Rate, o.WeightRate, o.StemRate, o.MapRate, o.Epochs, o.PerEpoch, o.SaidEpoch, o.AskedWeight, o.Dropout, o.Seed, o.Share, 1-o.Share)
	b.WriteString("- **Licence**: that of Cortex.\n\n## Figures\n\n")
	b.WriteString("On repositories that were not trained on, in per cent. Questions and where their answers are sought:\n\n" +
		"- *doc sentence to function*: the first sentence of its documentation, without its name; all functions of the repository, up to 4,000, without comments; by language in the second table (MRR@10).\n" +
		"- *heading to section*: a heading of two words or more that stands once, not of a history of changes; all sections with such headings, without their own heading and with those above it, " +
		"up to 2,000 bytes.\n" +
		"- *commit subject to file*: the subject of a change of at most three files, without what keeps books; all files but documents and tests as they are now, in chunks, the score of a file being the mean " +
		"of its best chunk's and of the mean of the best three.\n" +
		"- *identifier to definition*: the name of a function alone.\n\n" +
		"BM25 has stems, parts of identifiers, stop words, k1 2, names of functions three times (identifiers as questions: whole words). " +
		"Fused is the weighted sum of BM25 and the model, each list's best brought to 0 to 1. The settings of the first three tasks were chosen on the repositories for that:\n\n" +
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
