// Command train-model makes the embedding model that is built into the commands (lib/embed/model).
//
//	scripts/train-model/run DIR
//
// does all of it. The steps: records of cortex-parse and cortex-chunk and the history of each repository of
// the list become pairs of a question and a passage that answers it (pairs.go, commits.go); the words that
// many repositories share become the vocabulary; a table of word vectors and weights is trained so that of the
// passages of a batch the right one is nearest to its question (train.go); the table is cut to 8 bits; questions about
// repositories that were not trained on compare the model with others (eval.go).
//
// The same list, pairs and seed give the same model on the same kind of processor.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"cortex/lib/embed"
	"cortex/lib/embed/bag"
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
	fs.StringVar(&o.labelled, "labelled", "", "ask the questions in `DIR` too: repos.jsonl, queries.jsonl as scripts/relevance reads them, checkouts/REPO")
	fs.StringSliceVar(&o.uses, "evaluate", []string{"dev"}, "ask about the repositories of these uses: dev, test, lang")
	fs.IntVar(&o.Dimensions, "dimensions", o.Dimensions, "length of vectors, a multiple of 64")
	fs.IntVar(&o.Words, "words", o.Words, "size of the vocabulary")
	fs.IntVar(&o.Epochs, "epochs", o.Epochs, "passes over the pairs")
	fs.IntVar(&o.PerEpoch, "per-epoch", o.PerEpoch, "pairs of one repository in a pass, at most")
	fs.IntVar(&o.Batch, "batch", o.Batch, "pairs in a step, a multiple of the group and of 32")
	fs.IntVar(&o.Group, "group", o.Group, "pairs of one repository and kind that stand together in a batch")
	fs.Float64Var(&o.Rate, "rate", o.Rate, "step of vectors")
	fs.Float64Var(&o.WeightRate, "weight-rate", o.WeightRate, "step of the logarithms of weights")
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
	// The pairs stay in memory, and are most of it.
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
	file, err := o.model(byUse[useTrain])
	if err != nil {
		return err
	}
	m, err := bag.Read(file)
	if err != nil {
		return err
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
	files, err := embed.ExportModel2Vec(parts)
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
	case o.Words < 1 || o.Epochs < 1 || o.PerEpoch < 1 || o.Jobs < 1:
		return errors.New("--words, --epochs, --per-epoch, --jobs: expected at least 1")
	case !(o.Temperature > 0) || !(o.Dropout >= 0 && o.Dropout < 1):
		return errors.New("--temperature, --dropout: expected more than 0, and 0 to 1")
	}
	return nil
}

// collect returns what is taken from the repositories, by use, in the order of the list.
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
			if r.Use != useTrain || o.load == "" {
				return r, nil
			}
		}
		return repository{}, io.EOF
	}, func(_ context.Context, r repository) (*data, error) {
		return collect(r, o.repos, o.bin, o.pairs)
	}, func(d *data) error {
		byUse[d.Repository.Use] = append(byUse[d.Repository.Use], d)
		return nil
	})
	return byUse, err
}

// model trains a model or reads one, and returns its file.
func (o *options) model(train []*data) ([]byte, error) {
	if o.load != "" {
		return os.ReadFile(o.load)
	}
	total := 0
	for _, d := range train {
		total += len(d.Pairs)
	}
	t := newTrainer(o.recipe, chooseWords(train, o.Words))
	fmt.Fprintf(os.Stderr, "%d repositories, %d pairs, %d words\n", len(train), total, t.vocabulary.Len())
	examples := t.examples(train)
	for _, d := range train {
		d.Pairs = nil
	}
	t.train(examples, os.Stderr)
	parts := t.quantise(o.name)
	file, err := parts.Encode()
	if err != nil {
		return nil, err
	}
	if o.vectors != "" {
		if err := t.writeVectors(o.vectors, o.bin, bag.NewModel(parts)); err != nil {
			return nil, err
		}
	}
	if o.out == "" {
		return file, nil
	}
	return file, os.WriteFile(o.out, file, 0o644)
}
