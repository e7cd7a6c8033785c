package rank

import (
	"context"
	"math"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
)

// Ranking of questions.
//
// Each candidate gets a value from 0 to 1 by every signal, and its score is their weighted sum. Sums
// keep the margins by which one chunk is ahead of others; reciprocal ranks (mode Fusion)
// do not.

// How many chunks each list brings.
const (
	PoolWords   = 1000
	poolMeaning = 200
	poolFiles   = 20
)

// weigh ranks by all signals.
func (a *Topic) weigh(ctx context.Context, pool int) ([]Candidate, int, error) {
	if err := a.declarations(ctx); err != nil {
		return nil, 0, err
	}
	byFile, err := a.evidenceOfFiles()
	if err != nil {
		return nil, 0, err
	}
	found := corpus.NewSet(a.x.Generation.Len())
	found.Union(a.words.Set)
	for _, s := range a.meaning {
		found.Add(s.Chunk)
	}
	chosen, err := a.choose(pool, byFile)
	if err != nil {
		return nil, 0, err
	}
	list := a.gather(chosen, byFile)
	if a.Headline == "" {
		a.favourDocumentation(list)
	}
	a.weights(a.x.ranking.of(a.mode)).weigh(list, a.x.Generation.File)
	return list, max(found.Count(), len(list)), nil
}

// A fileEvidence is what a question finds in files, in all chunks of one alike.
type fileEvidence struct {
	*wordsByFile
	cover *cover
	// pointed is where the text points to.
	pointed corpus.Pointer
	// nearest is the likeness of the nearest chunks, and meaning that of files; both are nil without embeddings.
	nearest map[int]float32
	meaning []float32
	// bestFile and bestMeaning are the greatest values of any file.
	bestFile, bestMeaning float32
	sizes                 []float32
}

func (a *Topic) evidenceOfFiles() (*fileEvidence, error) {
	words, err := a.wordsByFile()
	if err != nil {
		return nil, err
	}
	f := &fileEvidence{wordsByFile: words, cover: newCover(a.x.names(), a.Terms), bestFile: greatest(words.best), sizes: a.x.sizes()}
	f.nearest, f.meaning = a.meanings()
	f.bestMeaning = most(f.meaning)
	if a.headlineWords != nil || corpus.HasLine(a.topic) {
		f.pointed = a.x.places().Pointed(a.topic)
		a.pointAt(f.pointed.Lines)
	}
	return f, nil
}

// of is the evidence of a file.
func (f *fileEvidence) of(file uint32) (e evidence) {
	e[FileWords] = share(f.best[file].mean(), f.bestFile)
	e[Name] = f.cover.of(file)
	e[Outline] = min(share(f.outlines[file], f.bestOutline), 1)
	e[Place] = f.pointed.Files[file]
	e[Size] = f.sizes[file]
	if f.meaning != nil {
		e[FileMeaning] = share(f.meaning[file], f.bestMeaning)
	}
	return e
}

// choose gathers the chunks that may answer: the best ones by their words, the nearest in meaning, what declares a name of the question or is in a place that a
// report gives, and the best chunk of each of the best files.
func (a *Topic) choose(pool int, byFile *fileEvidence) (corpus.Set, error) {
	chosen := corpus.NewSet(a.x.Generation.Len())
	best, err := a.words.Choose(a.x.Generation, pool)
	if err != nil {
		return nil, err
	}
	for _, s := range best {
		chosen.Add(s.Chunk)
	}
	for _, s := range a.meaning {
		chosen.Add(s.Chunk)
	}
	for i := range a.declared {
		chosen.Add(i)
	}
	for file := range byFile.pointed.Files {
		a.addBestOf(chosen, file)
	}
	return chosen, a.addBestOfFiles(chosen, func(file uint32) float32 {
		return byFile.cover.of(file) + share(byFile.outlines[file], byFile.bestOutline)
	})
}

// gather makes candidates of the chunks, with the evidence for each.
func (a *Topic) gather(chosen corpus.Set, byFile *fileEvidence) []Candidate {
	var words []string
	for _, t := range a.Terms {
		words = append(words, t.Word)
	}
	bestHeadline := float32(0)
	if a.headlineWords != nil {
		bestHeadline = most(a.headlineWords.Score)
	}
	asks := a.asks()
	list := make([]Candidate, 0, chosen.Count())
	all := make([]evidence, cap(list))
	var shared evidence // of the chunks of a file, which follow each other
	next, example := 0, false
	chosen.Each(func(i int) {
		if i >= next {
			var file uint32
			file, next = a.x.Generation.FileAt(i)
			shared, example = byFile.of(file), isExample(a.x.Generation.FilePath(i))
		}
		tier := a.x.Generation.ChunkType(i)
		e := &all[len(list)]
		c := Candidate{Scored: corpus.Scored{Chunk: i}, evidence: e, outline: tier == record.Symbols}
		*e = shared
		if d := a.declared[i]; d != nil {
			e[NamedType], e[Declares], e[Mentioned] = d[NamedType], d[Declares], d[Mentioned]
			e[Line] = d[Line]
		}
		e[Words] = min(share(a.words.Score[i], byFile.bestWords), 1)
		if tier == record.Documentation {
			e[Name] = max(e[Name], coverOfSection(words, a.x.Generation.ID(i)))
		}
		e[Coverage] = a.words.Coverage[i]
		if a.headlineWords != nil {
			e[Headline] = share(a.headlineWords.Score[i], bestHeadline)
		}
		value, near := byFile.nearest[i]
		e[Meaning] = value
		asks.judge(e, a.x.Generation, i, example)
		switch {
		case near && a.words.Set.Has(i):
			c.Match = answer.MatchBoth
		case near:
			c.Match = answer.MatchSemantic
		default:
			c.Match = answer.MatchKeyword
		}
		list = append(list, c)
	})
	return list
}

// favourDocumentation pulls up the sections of documentation that have as much of the question as any code has, by their BM25 and by the share of
// its words, unless the question is a name that code declares.
func (a *Topic) favourDocumentation(list []Candidate) {
	prose := func(c *Candidate) bool { return a.x.Generation.ChunkType(c.Chunk) == record.Documentation }
	code := false
	var words, coverage float32
	for i := range list {
		c := &list[i]
		if c.evidence[Declares] > 0 {
			return
		}
		if !c.outline && !prose(c) {
			code = true
			words, coverage = max(words, c.evidence[Words]), max(coverage, c.evidence[Coverage])
		}
	}
	if !code {
		return
	}
	for i := range list {
		if e := list[i].evidence; e[Words] > 0 && e[Words] >= words && e[Coverage] >= coverage && prose(&list[i]) {
			e[Prose] = min(e[Prose], -1)
		}
	}
}

// A wordsByFile is what the words of a question find in files.
type wordsByFile struct {
	// best are the best scores of each file but its outline's, outlines those of outlines.
	best     []best3
	outlines []float32
	// bestOutline is the best of the outlines of code, or of all where there is no code; bestWords is the best of all that is no outline of code.
	bestOutline, bestWords float32
}

func (a *Topic) wordsByFile() (*wordsByFile, error) {
	gen, outlines := a.x.Generation, a.x.outlines()
	w := &wordsByFile{best: make([]best3, gen.Files()), outlines: make([]float32, gen.Files())}
	type bests struct{ outline, words float32 }
	shares := make([]bests, gen.Shares())
	err := corpus.InShares(gen, func(share index.Share, first, end int) error {
		var b bests
		file, next := uint32(0), 0
		a.words.Set.EachIn(first, end, func(i int) {
			if i >= next {
				file, next = gen.FileAt(i)
			}
			score := a.words.Score[i]
			if outlines.code.Has(i) {
				w.outlines[file] = max(w.outlines[file], score)
				b.outline = max(b.outline, score)
				return
			}
			if outlines.documents.Has(i) {
				w.outlines[file] = max(w.outlines[file], score)
			}
			w.best[file].add(score)
			b.words = max(b.words, score)
		})
		shares[share.Number] = b
		return nil
	})
	for _, b := range shares {
		w.bestOutline, w.bestWords = max(w.bestOutline, b.outline), max(w.bestWords, b.words)
	}
	if w.bestOutline == 0 {
		w.bestOutline = most(w.outlines)
	}
	return w, err
}

// meanings are the nearest chunks' likeness over the range that they span, and the likeness of each file: the logarithm of the sum of the exponentials of its
// nearest chunks' likeness, less what a file of so many chunks has by chance. It is 0 for a file that is no nearer than the last of the nearest chunks.
func (a *Topic) meanings() (map[int]float32, []float32) {
	if len(a.meaning) == 0 {
		return nil, nil
	}
	most, least := a.meaning[0].Score, a.meaning[len(a.meaning)-1].Score
	if len(a.meaning) < poolMeaning {
		least = min(least, 0)
	}
	gen := a.x.Generation
	values := make(map[int]float32, len(a.meaning))
	sums := map[uint32]float64{}
	for _, s := range a.meaning {
		values[s.Chunk] = float32((s.Score - least) / max(most-least, 1e-9))
		sums[gen.File(s.Chunk)] += math.Exp(sharpness * (s.Score - least))
	}
	perFile := make([]float32, gen.Files())
	for file, sum := range sums {
		_, end := gen.FileAt(gen.First(file))
		perFile[file] = float32(max(math.Log(sum)-byChance*math.Log(float64(end-gen.First(file))), 0))
	}
	return values, perFile
}

const (
	// sharpness is how much more a file's nearest chunk counts than the others: if it is great, a file is as near as that chunk, and if it is small, as the mean.
	sharpness = 16
	// byChance is how far a file's many chunks count against it, of which some are near by chance: not at all with 0; with 1, those that are not near count
	// as much against a file as those that are count for it.
	byChance = 0.45
)

// addBestOfFiles adds the best chunk of each of the files that are valued most.
func (a *Topic) addBestOfFiles(chosen corpus.Set, value func(file uint32) float32) error {
	gen := a.x.Generation
	tops := make([]*corpus.Top, gen.Shares())
	err := corpus.InShares(gen, func(share index.Share, _, _ int) error {
		top := corpus.NewTop(gen, poolFiles)
		tops[share.Number] = top
		for file, end := gen.FileShare(share); file < end; file++ {
			if v := value(file); v > 0 && float64(v) >= top.Least() {
				top.Offer(corpus.Scored{Chunk: gen.First(file), Score: float64(v)})
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, s := range corpus.Join(tops) {
		a.addBestOf(chosen, gen.File(s.Chunk))
	}
	return nil
}

// addBestOf adds the chunk of the file that shares most with the question.
func (a *Topic) addBestOf(chosen corpus.Set, file uint32) {
	best, most := -1, float32(-1)
	for i := range a.x.Generation.Chunks(file) {
		if a.allowed != nil && !a.allowed.Has(i) || a.x.Generation.ChunkType(i) == record.Symbols {
			continue
		}
		if score := a.words.Score[i]; score > most {
			best, most = i, score
		}
	}
	if best >= 0 {
		chosen.Add(best)
	}
}
