// Command train-model makes the embedding model that is built into the commands (lib/embed/model).
//
//	scripts/train-model/run DIR
//
// runs all steps. The questions that were written for definitions and sections of public repositories (asked.go) are
// paired with the chunks that search would show for them (chunks.go); phrases of the lexicon of lib/search/concept are
// paired with their code words (concepts.go). A table of word vectors and weights, which starts from the previous model
// (blend.go), is then trained so that of all passages of a batch, the right one is nearest to its question (train.go).
// Words of one stem learn together (shared.go). The trained model is blended with the previous one, whose vocabulary it
// keeps. Finally, questions about repositories that were not used for training, made from their documentation and
// history (tasks.go, commits.go), compare the model with other methods (eval.go). records.go runs the pipeline on a
// repository.
//
// The same list, questions and seed give the same model on the same kind of processor.
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
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"cortex/lib/embed/bag"
	"cortex/lib/embed/huggingface"
	"cortex/lib/embed/lexicon"
	"cortex/lib/embed/model"
	"cortex/lib/parallel"
)

// options are the flags.
type options struct {
	recipe
	list, repos, bin, cache string
	out, name, load         string
	card, notes, date       string
	vectors, export         string
	uses                    []string
	labelled                string
	from, asked             string
	holdOut                 uint64
}

func main() {
	o := options{recipe: standard()}
	fs := pflag.NewFlagSet("train-model", pflag.ContinueOnError)
	fs.StringVar(&o.list, "list", "scripts/train-model/repos.txt", "`FILE` with repository, commit, licence and use a line, tabs between")
	fs.StringVar(&o.repos, "repos", "repos", "`DIR` of the clones, OWNER+NAME each")
	fs.StringVar(&o.bin, "bin", "bin", "`DIR` of cortex-parse and cortex-chunk")
	fs.StringVar(&o.cache, "cache", "cache", "`DIR` that keeps what was taken from each repository")
	fs.StringVar(&o.out, "out", "", "write the model to `FILE`")
	fs.StringVar(&o.name, "name", model.Name, "`NAME` of the model")
	fs.StringVar(&o.load, "load", "", "train nothing, evaluate the model in `FILE`")
	fs.StringVar(&o.card, "card", "", "write the card to `FILE`")
	fs.StringVar(&o.notes, "notes", "scripts/train-model/notes.md", "`FILE` with the end of the card")
	fs.StringVar(&o.date, "date", time.Now().UTC().Format(time.DateOnly), "`DATE` on the card")
	fs.StringVar(&o.vectors, "vectors", "", "write vectors of texts of this repository to `FILE`, for the test of lib/embed")
	fs.StringVar(&o.export, "model2vec", "", "write the model to `DIR` in the format of model2vec too")
	fs.StringVar(&o.from, "start", "start.bin", "start from the model in `FILE`, and keep its vocabulary")
	fs.Float64Var(&o.Share, "share", o.Share, "what training counts in the mean of what there was before and after it")
	fs.StringVar(&o.labelled, "labelled", "", "ask the questions in `DIR` too: repos.jsonl, queries.jsonl as scripts/relevance reads them, checkouts/REPO")
	fs.StringSliceVar(&o.uses, "evaluate", []string{"dev"}, "ask about the repositories of these uses: dev, test, lang")
	fs.IntVar(&o.Epochs, "epochs", o.Epochs, "passes over the pairs")
	fs.IntVar(&o.Runs, "runs", o.Runs, "trainings of which the model is the mean")
	fs.Float64Var(&o.AskedWeight, "asked-weight", o.AskedWeight, "what a written question counts beside a pair of the lexicon")
	fs.StringVar(&o.asked, "asked", "scripts/train-model/questions.txt", "`FILE` of the written questions")
	fs.Uint64Var(&o.holdOut, "hold-out", 0, "leave one of `N` repositories out of training, and ask the questions written for it")
	fs.IntVar(&o.Batch, "batch", o.Batch, "pairs in a step, a multiple of 32")
	fs.IntVar(&o.Others, "others", o.Others, "further passages in a step, a multiple of 32")
	fs.Float64Var(&o.Rate, "rate", o.Rate, "step of vectors")
	fs.Float64Var(&o.WeightRate, "weight-rate", o.WeightRate, "step of the logarithms of weights")
	fs.Float64Var(&o.StemRate, "stem-rate", o.StemRate, "step of what words of one stem share; 0: nothing")
	fs.Float64Var(&o.Temperature, "temperature", o.Temperature, "of the softmax")
	fs.Float64Var(&o.Dropout, "dropout", o.Dropout, "share of words left out in training")
	fs.Uint64Var(&o.Seed, "seed", o.Seed, "of all that is random")
	fs.IntVarP(&o.Jobs, "jobs", "j", runtime.NumCPU(), "number of workers")
	err := fs.Parse(os.Args[1:])
	if errors.Is(err, pflag.ErrHelp) {
		return
	}
	if err == nil {
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
	if err := os.MkdirAll(o.cache, 0o755); err != nil {
		return err
	}
	file, held, err := o.model(repositories)
	if err != nil {
		return err
	}
	m, err := bag.Read(file)
	if err != nil {
		return err
	}
	if len(held) > 0 {
		askHeldOut(m, held)
	}
	byUse, err := o.tasks(repositories)
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

func (o *options) check() (err error) {
	if o.bin, err = filepath.Abs(o.bin); err != nil {
		return err
	}
	switch {
	case o.Batch < lanes || o.Batch%lanes != 0 || o.Others < 0 || o.Others%lanes != 0:
		return fmt.Errorf("--batch %d, --others %d: expected multiples of %d", o.Batch, o.Others, lanes)
	case o.Epochs < 1 || o.Runs < 1 || o.Jobs < 1:
		return errors.New("--epochs, --runs, --jobs: expected at least 1")
	case !(o.Temperature > 0) || !(o.Dropout >= 0 && o.Dropout < 1):
		return errors.New("--temperature, --dropout: expected more than 0, and 0 to 1")
	}
	return nil
}

// tasks returns the tasks about repositories that are to be evaluated, by use, in the order of the list.
func (o *options) tasks(repositories []repository) (map[use][]*data, error) {
	byUse := map[use][]*data{}
	repositories = slices.DeleteFunc(slices.Clone(repositories), func(r repository) bool { return !slices.Contains(o.uses, string(r.Use)) })
	err := inParallel(o.Jobs, repositories, func(r repository) (*data, error) { return collect(r, o.repos, o.bin, o.cache) },
		func(d *data) { byUse[d.Repository.Use] = append(byUse[d.Repository.Use], d) })
	return byUse, err
}

// inParallel calls do for the repositories in jobs goroutines, and take with the results in their order.
func inParallel[T any](jobs int, repositories []repository, do func(repository) (T, error), take func(T)) error {
	next := 0
	return parallel.Map(context.Background(), jobs, func() (repository, error) {
		if next == len(repositories) {
			return repository{}, io.EOF
		}
		next++
		return repositories[next-1], nil
	}, func(_ context.Context, r repository) (T, error) { return do(r) }, func(result T) error {
		take(result)
		return nil
	})
}

// sources returns the sources of the training, and those of repositories that are held out.
func (o *options) sources(repositories []repository) (train, held []*source, err error) {
	asked, err := readAsked(o.asked)
	if err != nil {
		return nil, nil, err
	}
	train = append(train, lexiconPairs())
	repositories = slices.DeleteFunc(slices.Clone(repositories), func(r repository) bool { return r.Use != useTrain && r.Use != useAsked })
	pairs := 0
	err = inParallel(o.Jobs, repositories, func(r repository) (*source, error) {
		if r.Use == useAsked {
			return byQuestions(asked[r.Name]), nil
		}
		list, err := places(r, o.repos, o.bin, o.cache, asked[r.Name])
		if err != nil {
			return nil, err
		}
		s := sourceOf(list, asked[r.Name])
		s.heldOut = o.holdOut > 0 && lexicon.Hash(r.Name)%o.holdOut == 0
		return s, nil
	}, func(s *source) {
		if s.heldOut {
			held = append(held, s)
			return
		}
		train = append(train, s)
		pairs += len(s.pairs)
	})
	fmt.Fprintf(os.Stderr, "%d repositories, %d of them held out; %d written questions\n", len(repositories), len(held), pairs)
	return train, held, err
}

// model trains or reads a model, and returns its file and the sources that are held out.
func (o *options) model(repositories []repository) (file []byte, held []*source, err error) {
	var train []*source
	if o.load == "" || o.holdOut > 0 {
		if train, held, err = o.sources(repositories); err != nil {
			return nil, nil, err
		}
	}
	start := o.from
	if o.load != "" {
		start = o.load
	}
	if file, err = os.ReadFile(start); err != nil {
		return nil, nil, err
	}
	parts, err := bag.Decode(file)
	if err != nil {
		return nil, nil, err
	}
	if o.load == "" {
		if parts, err = o.trained(parts, train); err != nil {
			return nil, nil, err
		}
	}
	if o.vectors != "" {
		t := newTrainer(o.recipe, parts.Words)
		if err := t.start(parts); err != nil {
			return nil, nil, err
		}
		if err := t.writeVectors(o.vectors, o.bin, bag.NewModel(parts)); err != nil {
			return nil, nil, err
		}
	}
	if file, err = parts.Encode(); err != nil || o.out == "" {
		return file, held, err
	}
	return file, held, os.WriteFile(o.out, file, 0o644)
}

// trained trains a model that starts from another one.
func (o *options) trained(from *bag.Parts, sources []*source) (*bag.Parts, error) {
	t := newTrainer(o.recipe, from.Words)
	if err := t.start(from); err != nil {
		return nil, err
	}
	t.share(stem)
	all := t.examples(sources)
	before := t.quantise(o.name)
	var mean *bag.Parts
	for run := range o.Runs {
		r := t.again(run)
		r.train(all, os.Stderr)
		after := r.quantise(o.name)
		if mean == nil {
			mean = after
		} else {
			mean = blend(mean, after, 1/float64(run+1))
		}
	}
	return blend(before, mean, o.Share), nil
}
