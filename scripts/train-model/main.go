// Command train-model makes the embedding model that is built into the commands (lib/embed/model).
//
//	scripts/train-model/run DIR
//
// runs all steps. First, pairs of a question and a passage that answers it are made from the history of each listed
// repository and from the records of cortex-parse and cortex-chunk (pairs.go, commits.go). Words that many repositories
// share become the vocabulary. A table of word vectors and weights is then trained so that of all passages of a batch,
// the right one is nearest to its question (train.go). The table is quantised to 8 bits. Finally, questions about
// repositories that were not used for training compare the model with other methods (eval.go).
//
// The model starts from the previous one (--start), whose words all stay. The vectors of new words start near those of
// words that general knowledge of English has near them (general.go). Besides the pairs of the repositories, there are
// pairs in words other than the code's: phrases of the lexicon of lib/search/concept with their code words, questions
// in which such phrases replace words (concepts.go), and questions that were written for functions (asked.go). The
// trained model is blended with the previous one.
//
// The same list, pairs and seed give the same model on the same kind of processor.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"cortex/lib/embed/bag"
	"cortex/lib/embed/huggingface"
	"cortex/lib/embed/model"
	"cortex/lib/parallel"
)

// options are the flags.
type options struct {
	recipe
	list, repos, bin, pairs string
	out, name, load         string
	card, notes, date       string
	vectors, export         string
	uses                    []string
	labelled                string
	gather                  bool
	from, general           string
	holdOut                 uint64
	heldOut                 []*data
	generalWords            int
	asked                   []string
}

func main() {
	o := options{recipe: standard()}
	fs := pflag.NewFlagSet("train-model", pflag.ContinueOnError)
	fs.StringVar(&o.list, "list", "scripts/train-model/repos.txt", "`FILE` with repository, commit, licence and use a line, tabs between")
	fs.StringVar(&o.repos, "repos", "repos", "`DIR` of the clones, OWNER+NAME each")
	fs.StringVar(&o.bin, "bin", "bin", "`DIR` of cortex-parse and cortex-chunk")
	fs.StringVar(&o.pairs, "pairs", "pairs", "`DIR` that keeps what was taken from each repository")
	fs.StringVar(&o.out, "out", "", "write the model to `FILE`")
	fs.StringVar(&o.name, "name", model.Name, "`NAME` of the model")
	fs.StringVar(&o.load, "load", "", "train nothing, evaluate the model in `FILE`")
	fs.StringVar(&o.card, "card", "", "write the card to `FILE`")
	fs.StringVar(&o.notes, "notes", "scripts/train-model/notes.md", "`FILE` with the end of the card")
	fs.StringVar(&o.date, "date", time.Now().UTC().Format(time.DateOnly), "`DATE` on the card")
	fs.StringVar(&o.vectors, "vectors", "", "write vectors of texts of this repository to `FILE`, for the test of lib/embed")
	fs.StringVar(&o.export, "model2vec", "", "write the model to `DIR` in the format of model2vec too")
	fs.StringVar(&o.from, "start", "", "start from the model in `FILE`, whose words all stay")
	fs.StringVar(&o.general, "general", "", "`FILE` of vectors of English words, as GloVe writes them, by which words start near each other")
	fs.IntVar(&o.generalWords, "general-words", 30_000, "how many of its words, the most frequent, the vocabulary may take up")
	fs.Float64Var(&o.Share, "share", o.Share, "with --start: what training counts in the mean of what there was before and after it")
	fs.BoolVar(&o.gather, "gather", false, "make the pairs, and no model")
	fs.StringVar(&o.labelled, "labelled", "", "ask the questions in `DIR` too: repos.jsonl, queries.jsonl as scripts/relevance reads them, checkouts/REPO")
	fs.StringSliceVar(&o.uses, "evaluate", []string{"dev"}, "ask about the repositories of these uses: dev, test, lang")
	fs.IntVar(&o.Dimensions, "dimensions", o.Dimensions, "length of vectors, a multiple of 64")
	fs.IntVar(&o.Words, "words", o.Words, "size of the vocabulary")
	fs.IntVar(&o.Bigrams, "bigrams", o.Bigrams, "of which so many are bigrams of written questions, at most")
	fs.IntVar(&o.Epochs, "epochs", o.Epochs, "passes over the pairs")
	fs.IntVar(&o.Runs, "runs", o.Runs, "trainings of which the model is the mean")
	fs.IntVar(&o.PerEpoch, "per-epoch", o.PerEpoch, "pairs of one repository in a pass, at most")
	fs.IntVar(&o.SaidEpoch, "said-per-epoch", o.SaidEpoch, "the same of the pairs in other words")
	fs.Float64Var(&o.AskedWeight, "asked-weight", o.AskedWeight, "what a question that was written for a passage counts beside others")
	fs.StringSliceVar(&o.asked, "asked", nil, "`FILE`s of questions that were written for functions: repo, path, name, question")
	fs.Uint64Var(&o.holdOut, "hold-out", 0, "leave one of `N` repositories out of training, and ask the questions written for it")
	fs.IntVar(&o.Batch, "batch", o.Batch, "pairs in a step, a multiple of the group and of 32")
	fs.IntVar(&o.Group, "group", o.Group, "pairs of one repository and kind that stand together in a batch")
	fs.Float64Var(&o.Rate, "rate", o.Rate, "step of vectors")
	fs.Float64Var(&o.WeightRate, "weight-rate", o.WeightRate, "step of the logarithms of weights")
	fs.Float64Var(&o.StemRate, "stem-rate", o.StemRate, "step of what words of one stem share; 0: nothing")
	fs.Float64Var(&o.MapRate, "map-rate", o.MapRate, "with --general: step of the map of general knowledge into the table; 0: no map")
	fs.Float64Var(&o.Temperature, "temperature", o.Temperature, "of the softmax")
	fs.Float64Var(&o.Dropout, "dropout", o.Dropout, "share of words left out in training")
	fs.Uint64Var(&o.Seed, "seed", o.Seed, "of all that is random")
	fs.IntVarP(&o.Jobs, "jobs", "j", runtime.NumCPU(), "number of workers")
	shares := fs.Float64Slice("kinds", o.Kinds[:], "shares of the kinds of pairs: "+fmt.Sprint(kindNames))
	err := fs.Parse(os.Args[1:])
	if errors.Is(err, pflag.ErrHelp) {
		return
	}
	if err == nil && len(*shares) != kinds {
		err = fmt.Errorf("--kinds: expected %d numbers", kinds)
	}
	if err == nil {
		copy(o.Kinds[:], *shares)
		err = o.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "train-model:", err)
		os.Exit(2)
	}
}

func (o *options) run() error {
	// Most of the memory is pairs, which stay, so a small heap growth suffices.
	debug.SetGCPercent(30)
	if err := o.check(); err != nil {
		return err
	}
	repositories, err := readList(o.list)
	if err != nil {
		return err
	}
	byUse, err := o.collect(repositories)
	if err != nil {
		return err
	}
	if o.gather {
		return nil
	}
	if o.holdOut > 0 {
		byUse[useTrain] = o.leaveOut(byUse[useTrain])
	}
	file, err := o.model(slices.Concat(byUse[useTrain], byUse[useAsked]))
	if err != nil {
		return err
	}
	m, err := bag.Read(file)
	if err != nil {
		return err
	}
	if o.holdOut > 0 {
		if err := o.askHeldOut(m); err != nil {
			return err
		}
	}
	var figures strings.Builder
	for _, u := range o.uses {
		report := newReport()
		for _, d := range byUse[use(u)] {
			if err := report.repository(m, d); err != nil {
				return err
			}
		}
		fmt.Fprintf(&figures, "### %s\n\n", u)
		report.write(&figures)
		figures.WriteByte('\n')
	}
	if o.labelled != "" {
		err := labelledFigures(&figures, m, o.bin, filepath.Join(o.labelled, "checkouts"), filepath.Join(o.labelled, "repos.jsonl"), filepath.Join(o.labelled, "queries.jsonl"))
		if err != nil {
			return err
		}
	}
	fmt.Print(figures.String())
	if o.card != "" {
		if err := o.writeCard(repositories, figures.String(), m); err != nil {
			return err
		}
	}
	if o.export == "" {
		return nil
	}
	parts, err := bag.Decode(file)
	if err != nil {
		return err
	}
	files, err := huggingface.ExportModel2Vec(parts)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.export, 0o755); err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(o.export, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (o *options) check() error {
	switch {
	case o.Dimensions < 64 || o.Dimensions%64 != 0 || o.Dimensions > maxDimensions:
		return fmt.Errorf("--dimensions %d: expected a multiple of 64 up to %d", o.Dimensions, maxDimensions)
	case o.Group < 1 || o.Batch < o.Group || o.Batch%o.Group != 0 || o.Batch%32 != 0:
		return fmt.Errorf("--batch %d with --group %d: expected a multiple of the group and of 32", o.Batch, o.Group)
	case o.Words < 1 || o.Epochs < 1 || o.Runs < 1 || o.PerEpoch < 1 || o.Jobs < 1:
		return errors.New("--words, --epochs, --runs, --per-epoch, --jobs: expected at least 1")
	case !(o.Temperature > 0) || !(o.Dropout >= 0 && o.Dropout < 1):
		return errors.New("--temperature, --dropout: expected more than 0, and 0 to 1")
	}
	return nil
}

// collect returns the data of the repositories, by use, in the order of the list.
func (o *options) collect(repositories []repository) (map[use][]*data, error) {
	if err := os.MkdirAll(o.pairs, 0o755); err != nil {
		return nil, err
	}
	byUse := map[use][]*data{}
	next := 0
	err := parallel.Map(context.Background(), o.Jobs, func() (repository, error) {
		for next < len(repositories) {
			r := repositories[next]
			next++
			if (r.Use == useTrain || r.Use == useAsked) && o.load == "" || slices.Contains(o.uses, string(r.Use)) {
				return r, nil
			}
		}
		return repository{}, io.EOF
	}, func(_ context.Context, r repository) (*data, error) {
		if r.Use == useAsked {
			return &data{Repository: r}, nil
		}
		return collect(r, o.repos, o.bin, o.pairs)
	}, func(d *data) error {
		byUse[d.Repository.Use] = append(byUse[d.Repository.Use], d)
		return nil
	})
	return byUse, err
}

// model trains or reads a model, and returns its file.
func (o *options) model(train []*data) ([]byte, error) {
	var parts *bag.Parts
	if o.load != "" {
		file, err := os.ReadFile(o.load)
		if err != nil {
			return nil, err
		}
		if parts, err = bag.Decode(file); err != nil {
			return nil, err
		}
	} else {
		var err error
		if parts, err = o.trained(train); err != nil {
			return nil, err
		}
	}
	if o.vectors != "" {
		t := newTrainer(o.recipe, parts.Words)
		if _, err := t.start(parts); err != nil {
			return nil, err
		}
		if err := t.writeVectors(o.vectors, o.bin, bag.NewModel(parts)); err != nil {
			return nil, err
		}
	}
	file, err := parts.Encode()
	if err != nil || o.out == "" {
		return file, err
	}
	return file, os.WriteFile(o.out, file, 0o644)
}

// trained trains a model.
func (o *options) trained(train []*data) (*bag.Parts, error) {
	total := 0
	for _, d := range train {
		total += len(d.Pairs)
	}
	t, examples, err := o.trainer(train)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "%d repositories, %d pairs, %d words\n", len(train), total, t.vocabulary.Len())
	for _, d := range train {
		d.Pairs = nil
	}
	before := t.quantise(o.name)
	var mean *bag.Parts
	for run := range o.Runs {
		r := t.again(run)
		r.train(examples, os.Stderr)
		after := r.quantise(o.name)
		if mean == nil {
			mean = after
		} else {
			mean = blend(mean, after, 1/float64(run+1))
		}
	}
	if o.from == "" {
		return mean, nil
	}
	return blend(before, mean, o.Share), nil
}

// trainer returns an initialized trainer, and the training examples by repository.
func (o *options) trainer(train []*data) (*trainer, [][]example, error) {
	var from *bag.Parts
	if o.from != "" {
		file, err := os.ReadFile(o.from)
		if err != nil {
			return nil, nil, err
		}
		if from, err = bag.Decode(file); err != nil {
			return nil, nil, err
		}
	}
	var g *general
	if o.general != "" {
		var err error
		if g, err = readGeneral(o.general, 100_000); err != nil {
			return nil, nil, err
		}
	}
	lexicon := readConcepts()
	said := []*data{lexicon.pairs()}
	if o.Kinds[kindConcept] == 0 {
		said = nil
	}
	written, err := readAsked(o.asked)
	if err != nil {
		return nil, nil, err
	}
	found := 0
	if o.Kinds[kindSaid] > 0 {
		for i, d := range train {
			x := lexicon.said(d, rand.New(rand.NewPCG(o.Seed, uint64(i))))
			asked := answered(d, written[d.Repository.Name], o.repos)
			x.Pairs = append(x.Pairs, asked...)
			found += len(asked)
			said = append(said, x)
		}
	}
	if len(o.asked) > 0 {
		fmt.Fprintf(os.Stderr, "%d written questions\n", found)
	}
	var words []string
	if from != nil {
		words = slices.Clone(from.Words)
	} else {
		words = chooseWords(train, o.Words)
	}
	// The model to start from may have bigrams already.
	bigrams := chooseBigrams(said, o.Bigrams)
	bigrams = slices.DeleteFunc(bigrams, func(b string) bool { return slices.Contains(words, b) })
	bigrams = bigrams[:min(len(bigrams), max(0, o.Words-len(words)))]
	words = append(addWords(words, lexicon, chooseAsked(said), g, o.generalWords, o.Words-len(bigrams)), bigrams...)
	t := newTrainer(o.recipe, words)
	examples := t.examples(slices.Concat(train, said))
	had := make([]bool, len(words))
	if from != nil {
		var err error
		if had, err = t.start(from); err != nil {
			return nil, nil, err
		}
		if g != nil {
			fmt.Fprintf(os.Stderr, "%d words guessed\n", t.fill(g, func(row int32) bool { return had[row] }))
		}
	} else if g != nil {
		t.spread(g)
	}
	t.share(lexicon.stem, g)
	return t, examples, nil
}

// addWords extends a vocabulary up to size: by words of the lexicon, words of written questions, and the most frequent
// words of general.
func addWords(words []string, c *concepts, asked []string, g *general, frequent, size int) []string {
	has := map[string]bool{}
	for _, w := range words {
		has[w] = true
	}
	add := func(w string) {
		if len(words) < size && !has[w] && isPlainWord(w) {
			has[w] = true
			words = append(words, w)
		}
	}
	for _, group := range c.groups {
		for _, phrase := range group.phrases {
			for w := range englishWords(phrase) {
				if g == nil || g.at[w] > 0 {
					add(w)
				}
			}
		}
	}
	for _, w := range asked {
		add(w)
	}
	if g != nil {
		for _, w := range g.words[:min(len(g.words), frequent)] {
			add(w)
		}
	}
	return words
}
