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
// Each signal gives a candidate a value, mostly from 0 to 1, and the score is the weighted sum of the values. The sum
// keeps the margins between candidates; reciprocal ranks (mode Fusion) do not.

// How many chunks the words and the embeddings of a question bring, and how many files its names and outlines bring.
const (
	PoolWords   = 1000
	poolMeaning = 200
	poolFiles   = 20
)

// weigh gathers the candidates and scores them by all signals.
func (a *Topic) weigh(ctx context.Context, pool int) ([]Candidate, int, error) {
	if err := a.findMentioned(ctx); err != nil {
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

// fileEvidence holds the evidence that the chunks of a file share, for all files.
type fileEvidence struct {
	*wordsByFile
	cover *cover
	// pointed has the files and lines to which the text points.
	pointed corpus.Pointer
	// nearest has the similarity of the nearest chunks, meaning that of files (see meanings); nil without embeddings.
	nearest map[int]float32
	meaning []float32
	// bestFile is the greatest mean of a file's three best scores, bestMeaning the greatest value in meaning.
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

// choose returns the chunks that may answer: the best ones by words, the nearest in meaning, those that declare or
// contain a name of the question or that a report points to, and the best chunk of each of the best files.
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
	for i := range a.mentioned {
		chosen.Add(i)
	}
	for file := range byFile.pointed.Files {
		a.addBestOf(chosen, file)
	}
	return chosen, a.addBestOfFiles(chosen, func(file uint32) float32 {
		return byFile.cover.of(file) + share(byFile.outlines[file], byFile.bestOutline)
	})
}

// gather returns a candidate with its evidence for each of the chosen chunks.
func (a *Topic) gather(chosen corpus.Set, byFile *fileEvidence) []Candidate {
	var words []string
	for _, t := range a.Terms {
		words = append(words, t.Word)
	}
	bestHeadline := float32(0)
	if a.headlineWords != nil {
		bestHeadline = most(a.headlineWords.Score)
	}
	list := make([]Candidate, 0, chosen.Count())
	all := make([]evidence, cap(list))
	var shared evidence // of the current file: the chunks of a file are next to each other
	next, aside := 0, false
	chosen.Each(func(i int) {
		if i >= next {
			var file uint32
			file, next = a.x.Generation.FileAt(i)
			shared, aside = byFile.of(file), isAside(a.x.Generation.FilePath(i), a.Asks)
		}
		tier := a.x.Generation.ChunkType(i)
		e := &all[len(list)]
		c := Candidate{Scored: corpus.Scored{Chunk: i}, evidence: e, outline: tier == record.Symbols}
		*e = shared
		if d := a.mentioned[i]; d != nil {
			e[NamedType], e[Declares], e[Mentioned], e[Line] = d[NamedType], d[Declares], d[Mentioned], d[Line]
		}
		e[Words] = min(share(a.words.Score[i], byFile.bestWords), 1)
		if tier == record.Documentation {
			id := a.x.Generation.ID(i)
			e[Name] = max(e[Name], coverOfSection(words, id))
			if isHeading(words, id) {
				e[Declares] = max(e[Declares], headingValue)
			}
		}
		e[Coverage] = a.words.Coverage[i]
		if a.headlineWords != nil {
			e[Headline] = share(a.headlineWords.Score[i], bestHeadline)
		}
		value, near := byFile.nearest[i]
		e[Meaning] = value
		a.judge(e, words, i, aside)
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

// favourDocumentation sets Prose to -1, which raises the score, for sections of documentation that match at least as
// well as any code, by Words and by Coverage. It does nothing if code declares the name that is the question.
func (a *Topic) favourDocumentation(list []Candidate) {
	prose := func(c *Candidate) bool { return a.x.Generation.ChunkType(c.Chunk) == record.Documentation }
	code := false
	var words, coverage float32
	for i := range list {
		c := &list[i]
		if c.evidence[Declares] > 0 && !prose(c) {
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

// wordsByFile holds the word scores of files.
type wordsByFile struct {
	// best has the three best scores of each file outside its outline; outlines has the score of its outline.
	best     []best3
	outlines []float32
	// bestOutline is the best score of an outline of code, or else of any outline; bestWords that of all other chunks.
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

// meanings returns the similarities of the nearest chunks, scaled to the range from 0 to 1, and the similarity of each
// file. The latter is the logarithm of the sum of exp(sharpness·cosine) over the file's nearest chunks, less what a
// file with as many chunks gets by chance. It is at least 0, and 0 for a file without any of the nearest chunks.
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
	// sharpness says how much more a file's nearest chunk counts than its other chunks. With a great value, a file is
	// as near as its nearest chunk; with a small one, as near as the mean.
	sharpness = 24
	// byChance is the discount for files with many chunks, some of which are near by chance. With 0 there is no
	// discount; with 1, chunks that are not near count as much against a file as near ones count for it.
	byChance = 0.7
)

// addBestOfFiles adds the best chunk of each of the poolFiles files with the greatest values.
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

// addBestOf adds the file's chunk with the greatest word score.
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
