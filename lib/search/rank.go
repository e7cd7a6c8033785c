package search

import (
	"cmp"
	"context"
	"math"
	"path"
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/concept"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// Ranking of questions.
//
// Each candidate gets a value from 0 to 1 by every signal, and its score is their weighted sum. Sums
// keep the margins by which one chunk is ahead of others; reciprocal ranks (mode Fusion)
// do not.

// A Signal is one reason to rank a chunk high or low.
type Signal uint8

// The signals.
const (
	// Words is the BM25 of the chunk over the question's best.
	Words Signal = iota
	// FileWords is the mean of the three best Words of the chunk's file, over the best file's.
	FileWords
	// Name is how far the question accounts for the file's name, or a section's.
	Name
	// Outline is the BM25 of the file's outline, over the best one.
	Outline
	// NamedType is set where a capitalised word of the question is a type that the chunk declares.
	NamedType
	// Declares is how well the chunk declares the identifier that is the question.
	Declares
	// Mentioned is the same for an identifier among other words.
	Mentioned
	// Coverage is the share of the question's words, by their rarity, that the chunk has.
	Coverage
	// Headline is the BM25 of the first line of a long text, over the best one, and Place is set
	// where a long text gives the file's path or its module.
	Headline
	Place
	// Size is that of the file; small ones have less to say.
	Size
	// Tests, Examples and Prose are set for test code, what stands in a folder of examples,
	// and documentation, unless the question asks for such. Prose is -1 for documentation where the question is about use.
	Tests
	Examples
	Prose
	// Listing is set for what is no definition with its body: lists of declarations, blocks of data, and lines between definitions.
	Listing
	// Meaning is the likeness of the embeddings, and FileMeaning the mean of the three best
	// of the file, both with the poolMeaning-th best chunk as 0.
	Meaning
	FileMeaning
	signals
)

var signalNames = [signals]string{"words", "file words", "name", "outline", "type", "declares", "mentioned", "coverage",
	"headline", "place", "size", "tests", "examples", "prose", "listing", "meaning", "file meaning"}

func (s Signal) String() string { return signalNames[s] }

// AllSignals lists the signals.
func AllSignals() []Signal {
	list := make([]Signal, signals)
	for i := range list {
		list[i] = Signal(i)
	}
	return list
}

// Weights says what each signal counts.
type Weights [signals]float64

// A Ranking holds the weights for questions without embeddings and with them.
// scripts/relevance measures what each gives.
type Ranking struct{ Lexical, Hybrid Weights }

// forText are the weights for a question of so many words of substance, of which a long text has more than
// longWords. The more there are, the more often one of them accounts for a file's name by chance. A question
// has no headline.
func (w Weights) forText(words int) *Weights {
	brief := min(max(float64(longWords-words)/(longWords-briefWords), 0), 1)
	w[Name] *= brief
	w[Size] *= brief
	if words <= longWords {
		w[Headline], w[Place] = 0, 0
	}
	return &w
}

// of gives the weights for a mode that is not Auto.
func (r *Ranking) of(mode Mode) *Weights {
	if mode == Keyword {
		return &r.Lexical
	}
	return &r.Hybrid
}

// DefaultRanking are round numbers; docs/search.md has what each gives.
func DefaultRanking() Ranking {
	lexical := Weights{
		Words: .6, Coverage: .3, FileWords: .6, Name: .5, Outline: .3,
		NamedType: .6, Declares: 1, Mentioned: .3, Headline: 1, Place: .6,
		Size: .4, Tests: -.8, Examples: -.3, Prose: -.2, Listing: -.2,
	}
	hybrid := lexical
	hybrid[Meaning], hybrid[FileMeaning] = .3, .5
	return Ranking{lexical, hybrid}
}

// How many chunks each list brings.
const (
	poolWords   = 1000
	poolMeaning = 200
	poolFiles   = 20
	// poolDeclared bounds the chunks that declare what the question names.
	poolDeclared = 500
	// maxMentions bounds the names that are looked up.
	maxMentions = 64
)

// What is ranked is a place, such as a definition or a section; its file is evidence for it. All places of a good file profit from that evidence,
// so the differences between them are made larger, and each is put a little behind the better ones.
const (
	// behindBest is the share of what a place has less than the best one of its file, by the signals of places alone, that it loses besides.
	behindBest = 0.25
	// listingInFile is what a listing has less besides beside other places of its file.
	listingInFile = 0.3
	// repeated is by what the second hit of one file is multiplied; the third twice, and so on.
	repeated = 0.9
	// maxDecays is the hit of a file from which on nothing more is taken away.
	maxDecays = 4
)

// ofPlaces are the signals that tell places of one file apart; the others are evidence for the file.
var ofPlaces = [signals]bool{Words: true, Coverage: true, NamedType: true, Declares: true, Mentioned: true, Headline: true, Listing: true, Meaning: true}

// Values of declarations.
const (
	callableValue = 0.9
	dataValue     = 0.6
	// otherCase is what a name counts that is written in another case.
	otherCase = 0.55
	// commonType is the number of declarations of a type from which on its name is a word like others.
	commonType = 5
)

// evidence are the values of a candidate's signals.
type evidence [signals]float32

// candidate is a chunk on its way to becoming a hit.
type candidate struct {
	scored
	match    Match
	evidence evidence
	// outline is set for the outline of a file, which is evidence for it by the signal Outline alone.
	outline bool
	// behind is what the score is less because of a better place in the file.
	behind float64
	// weights are those by which the evidence was weighed; nil if it was not.
	weights *Weights
}

// An asker gathers the evidence for one question.
type asker struct {
	x     *Index
	text  textIndex
	topic string
	terms []term
	// concepts are the words that code may have for what the question says, and also those of them that the index has.
	concepts []concept.Word
	also     []string
	// byConcepts is the sum of the rarities of the concepts' words that what may be a hit has.
	byConcepts float32
	allowed    bitset
	weights    *Weights

	words *matches
	// headline has the scores of the first line's words in a long text, and is nil for others.
	headline *matches
	// meaning has the chunks nearest to the question.
	meaning []scored
	// declared are the chunks that declare what the question names, by the signal that this is.
	declared map[int]*evidence
}

// rank returns the candidates with their scores, not yet decayed, and how many chunks there
// are that share a word or the meaning.
func (a *asker) rank(ctx context.Context, pool int) ([]candidate, int, error) {
	if err := a.declarations(ctx); err != nil {
		return nil, 0, err
	}
	perFile, outlines := a.fileWords()
	bestFile := greatest(perFile)
	bestOutline := a.bestOutline(outlines)
	meaning, fileMeaning := a.meanings()
	bestMeaning := greatest(fileMeaning)
	var words []string
	for _, t := range a.terms {
		words = append(words, t.word)
	}
	cover := newCover(a.x.names(), words)
	asks := asksFor(a.terms)
	asks.use = asksForUse(a.topic)
	headline, places := a.longText()
	bestHeadline := float32(0)
	if headline != nil {
		bestHeadline = most(headline.score)
	}

	found := newBitset(a.x.cat.Len())
	found.union(a.words.set)
	for i := range meaning {
		found.add(i)
	}
	bestWords := float32(0)
	a.words.set.each(func(i int) {
		if a.x.cat.ChunkType(i) != record.Symbols {
			bestWords = max(bestWords, a.words.score[i])
		}
	})
	chosen := newBitset(a.x.cat.Len())
	for _, s := range a.words.best(a.x.cat, pool) {
		chosen.add(s.chunk)
	}
	for i := range meaning {
		chosen.add(i)
	}
	for i := range a.declared {
		chosen.add(i)
	}
	for file := range places {
		a.addBestOf(chosen, file)
	}
	a.addBestOfFiles(chosen, func(file uint32) float32 {
		return cover.of(file) + share(outlines[file], bestOutline)
	})
	sizes := a.x.sizes()
	var list []candidate
	chosen.each(func(i int) {
		file := a.x.cat.File(i)
		c := candidate{scored: scored{chunk: i}, outline: a.x.cat.ChunkType(i) == record.Symbols}
		e := &c.evidence
		if d := a.declared[i]; d != nil {
			*e = *d
		}
		e[Words] = min(share(a.words.score[i], bestWords), 1)
		e[FileWords] = share(perFile[file].mean(), bestFile)
		e[Name] = cover.of(file)
		if a.x.cat.ChunkType(i) == record.Documentation {
			e[Name] = max(e[Name], coverOfSection(words, a.x.cat.ID(i)))
		}
		e[Outline] = min(share(outlines[file], bestOutline), 1)
		e[Coverage] = a.words.coverage[i]
		if headline != nil {
			e[Headline] = share(headline.score[i], bestHeadline)
			e[Place] = places[file]
		}
		e[Size] = sizes[file]
		e[Meaning] = meaning[i]
		if fileMeaning != nil {
			e[FileMeaning] = share(fileMeaning[file].mean(), bestMeaning)
		}
		asks.judge(e, a.x.cat, i)
		_, near := meaning[i]
		switch {
		case near && a.words.set.has(i):
			c.match = MatchBoth
		case near:
			c.match = MatchSemantic
		default:
			c.match = MatchKeyword
		}
		list = append(list, c)
	})
	a.weights.weigh(list, a.x.cat.File)
	return list, max(found.count(), len(list)), nil
}

// weigh turns evidence into scores: the weighted sum as a share of the range of all that are possible, raised
// so that none is negative, since what is decayed must become less. file is the file of each chunk.
func (w *Weights) weigh(list []candidate, file func(chunk int) uint32) {
	// The sum of a file's best place by the signals of places, and the same where listings have less.
	type bests struct{ any, first float64 }
	best := map[uint32]bests{}
	inFile := func(e *evidence) float64 { return w.ofPlace(e) - listingInFile*float64(e[Listing]) }
	for i := range list {
		if list[i].outline {
			continue
		}
		f, e := file(list[i].chunk), &list[i].evidence
		b, ok := best[f]
		if !ok {
			b = bests{math.Inf(-1), math.Inf(-1)}
		}
		best[f] = bests{max(b.any, w.ofPlace(e)), max(b.first, inFile(e))}
	}
	least, span := 0.0, w.span()
	for i := range list {
		c := &list[i]
		b, ok := best[file(c.chunk)]
		if !ok {
			b = bests{w.ofPlace(&c.evidence), inFile(&c.evidence)}
		}
		// The first place of a file has what the file's best evidence is worth, the others what they are behind it.
		sum, own := w.sum(&c.evidence), w.ofPlace(&c.evidence)
		c.score = sum - own + b.any - (1+behindBest)*(b.first-inFile(&c.evidence))
		c.behind = sum - c.score
		least = min(least, c.score)
	}
	for i := range list {
		list[i].score = (list[i].score - least) / span
		list[i].behind /= span
		list[i].weights = w
	}
}

// ofPlace is sum of the signals of places.
func (w *Weights) ofPlace(e *evidence) float64 {
	sum := 0.0
	for s, value := range e {
		if ofPlaces[s] {
			sum += w[s] * float64(value)
		}
	}
	return sum
}

// sum is the evidence as the weights have it.
func (w *Weights) sum(e *evidence) float64 {
	sum := 0.0
	for s, value := range e {
		sum += w[s] * float64(value)
	}
	return sum
}

// span is the difference between the greatest and the least score that are possible.
func (w *Weights) span() float64 {
	span, ofPlace := math.Abs(w[Size])+math.Abs(w[Prose]), listingInFile // both go down to -1
	for s, weight := range w {
		span += math.Abs(weight)
		if ofPlaces[s] {
			ofPlace += math.Abs(weight)
		}
	}
	return span + listingInFile + behindBest*ofPlace
}

// decay sorts the candidates, the best first, and multiplies the score of a file's further hits.
func (x *Index) decay(list []candidate) []candidate {
	best := func(a, b candidate) int { return byScore(x.cat, a.scored, b.scored) }
	slices.SortFunc(list, best)
	seen := map[uint32]int{}
	for i := range list {
		f := x.cat.File(list[i].chunk)
		list[i].score = rounded(list[i].score * math.Pow(repeated, float64(min(seen[f], maxDecays))))
		seen[f]++
	}
	slices.SortFunc(list, best)
	return list
}

func share(value, most float32) float32 {
	if most == 0 {
		return 0
	}
	return value / most
}

// best3 are the three greatest of some values, of which those that are missing count as 0.
type best3 [3]float32

func (b *best3) add(v float32) {
	switch {
	case v > b[0]:
		b[0], b[1], b[2] = v, b[0], b[1]
	case v > b[1]:
		b[1], b[2] = v, b[1]
	case v > b[2]:
		b[2] = v
	}
}

func (b *best3) mean() float32 { return (b[0] + b[1] + b[2]) / 3 }

func greatest(list []best3) float32 {
	most := float32(0)
	for i := range list {
		most = max(most, list[i].mean())
	}
	return most
}

// most is the greatest of values that are not negative, 0 if there is none.
func most(values []float32) float32 {
	most := float32(0)
	for _, v := range values {
		most = max(most, v)
	}
	return most
}

// fileWords are the best scores of each file, and that of its outline.
func (a *asker) fileWords() (perFile []best3, outlines []float32) {
	perFile = make([]best3, a.x.cat.Files())
	outlines = make([]float32, a.x.cat.Files())
	a.words.set.each(func(i int) {
		file, score := a.x.cat.File(i), a.words.score[i]
		outline := a.x.cat.ChunkType(i) == record.Symbols
		if outline || a.x.isDocument(i) {
			outlines[file] = max(outlines[file], score)
		}
		if !outline {
			perFile[file].add(score)
		}
	})
	return perFile, outlines
}

// bestOutline is the best of the outlines of code, or of all where there is no code.
func (a *asker) bestOutline(outlines []float32) float32 {
	best := float32(0)
	a.words.set.each(func(i int) {
		if a.x.cat.ChunkType(i) == record.Symbols {
			best = max(best, a.words.score[i])
		}
	})
	if best == 0 {
		return most(outlines)
	}
	return best
}

// isDocument reports whether the chunk stands for a whole document. It has the title and the names of the sections, which are an outline.
func (x *Index) isDocument(chunk int) bool {
	return x.cat.ChunkType(chunk) == record.Documentation && !strings.Contains(x.cat.ID(chunk), "#")
}

// meanings are the nearest chunks' likeness over the range that they span, and the best of each file.
func (a *asker) meanings() (map[int]float32, []best3) {
	if len(a.meaning) == 0 {
		return nil, nil
	}
	most, least := a.meaning[0].score, a.meaning[len(a.meaning)-1].score
	if len(a.meaning) < poolMeaning {
		least = min(least, 0)
	}
	values := make(map[int]float32, len(a.meaning))
	perFile := make([]best3, a.x.cat.Files())
	for _, s := range a.meaning {
		value := float32((s.score - least) / max(most-least, 1e-9))
		values[s.chunk] = value
		perFile[a.x.cat.File(s.chunk)].add(value)
	}
	return values, perFile
}

// addBestOfFiles adds the best chunk of each of the files that are valued most.
func (a *asker) addBestOfFiles(chosen bitset, value func(file uint32) float32) {
	top := newTop(a.x.cat, poolFiles)
	for file := range uint32(a.x.cat.Files()) {
		if v := value(file); v > 0 {
			top.offer(scored{a.x.cat.First(file), float64(v)})
		}
	}
	for _, s := range top.heap {
		a.addBestOf(chosen, a.x.cat.File(s.chunk))
	}
}

// addBestOf adds the chunk of the file that shares most with the question.
func (a *asker) addBestOf(chosen bitset, file uint32) {
	best, most := -1, float32(-1)
	for i := range a.x.cat.Chunks(file) {
		if a.allowed != nil && !a.allowed.has(i) || a.x.cat.ChunkType(i) == record.Symbols {
			continue
		}
		if score := a.words.score[i]; score > most {
			best, most = i, score
		}
	}
	if best >= 0 {
		chosen.add(best)
	}
}

// asked is what a question asks for that is otherwise pushed down.
type asked struct{ tests, examples, prose, use bool }

func asksFor(terms []term) asked {
	var a asked
	for _, t := range terms {
		switch stem(t.word) {
		case "test", "spec", "mock", "fixtur", "benchmark":
			a.tests = true
		case "exampl", "sampl", "demo":
			a.examples = true
		case "document", "doc", "readm", "guid", "tutori", "changelog", "manual":
			a.prose, a.examples = true, true
		}
	}
	return a
}

// asksForUse reports whether a question is about how something is used, what it does, how it works or why it is so: documentation answers that
// as well as code does.
func asksForUse(topic string) bool {
	words := strings.Fields(strings.ToLower(topic))
	if len(words) < 3 {
		return false
	}
	last := strings.TrimRight(words[len(words)-1], "?!.")
	switch words[0] {
	case "why":
		return true
	case "what":
		switch words[1] {
		case "is", "are":
			return true
		case "do", "does":
			return last == "do" || last == "mean" || slices.Contains(words, "do") || slices.Contains(words, "mean")
		}
	case "how":
		switch words[1] {
		case "to":
			return true
		case "do", "does", "can", "could", "should", "would":
			return isReader(words[2]) || last == "work" || last == "works"
		}
	case "can", "could", "may", "should", "must":
		return isReader(words[1])
	case "difference", "differences":
		return words[1] == "between"
	case "which":
		switch words[1] {
		case "option", "options", "setting", "settings", "flag", "flags", "parameter", "parameters", "variable":
			return true
		}
	}
	return false
}

// isReader reports words for who asks.
func isReader(word string) bool {
	switch word {
	case "i", "we", "you", "one", "my", "users", "people":
		return true
	}
	return false
}

func (a asked) judge(e *evidence, cat catalogue, chunk int) {
	set := func(s Signal, holds bool) {
		if holds {
			e[s] = 1
		}
	}
	set(Tests, !a.tests && isTest(cat, chunk))
	prose := cat.ChunkType(chunk) == record.Documentation
	set(Examples, !a.examples && !prose && isExample(cat.FilePath(chunk)))
	set(Prose, !a.prose && !a.use && prose)
	if a.use && prose {
		e[Prose] = -1
	}
	set(Listing, isListing(cat, chunk))
}

// isListing reports chunks of code that are no definition with its body.
func isListing(cat catalogue, chunk int) bool {
	switch cat.ChunkType(chunk) {
	case record.Documentation:
		return false
	case record.Implementations:
		for range cat.Symbols(chunk) {
			return false
		}
	}
	return true
}

// testTag is the tag of test code.
const testTag = "test"

func isTest(cat catalogue, chunk int) bool {
	for tag := range cat.Tags(chunk) {
		if tag == testTag {
			return true
		}
	}
	return false
}

// isFixture reports files in a folder of what tests compare with or feed on. Other folders of tests are known by their tag.
func isFixture(file string) bool {
	for part := range strings.SplitSeq(path.Dir(file), "/") {
		switch part {
		case "fixture", "fixtures", "__fixtures__", "__snapshots__", "golden", "goldens", "cassettes":
			return true
		}
	}
	return false
}

// isExample reports files in a folder of examples or of documentation.
func isExample(file string) bool {
	dir := path.Dir(file)
	for part := range strings.SplitSeq(strings.ToLower(dir), "/") {
		switch strings.Trim(part, "_.") {
		case "example", "examples", "sample", "samples", "demo", "demos", "doc", "docs":
			return true
		}
	}
	return false
}

// A mention is a word of a question that may name a symbol.
type mention struct {
	text string
	// identifier is set for names of several parts, which are no words of prose, and
	// capital for those that begin with a capital.
	identifier, capital bool
}

// mentions lists what in a question may name a symbol; alone is set if that is all of it.
func mentions(topic string) (list []mention, alone bool) {
	seen := map[string]bool{}
	count := 0
	for word := range strings.FieldsSeq(topic) {
		word = strings.Trim(word, "`'\"()[]{}<>,;:!?.")
		words := token.Words(word)
		if len(words) == 0 || seen[word] {
			continue
		}
		seen[word] = true
		count++
		m := mention{text: word}
		first := words[0]
		m.capital = first.Start == 0 && word[:first.End] != first.Term
		path := strings.ContainsAny(word, "/-")
		m.identifier = !path && len(words) > 1
		for _, w := range words {
			m.identifier = m.identifier || !path && w.To-w.From > 1
		}
		if (count == 1 || m.identifier || m.capital) && len(list) < maxMentions {
			list = append(list, m)
		}
	}
	if count == 1 {
		return list, true
	}
	return slices.DeleteFunc(list, func(m mention) bool { return !m.identifier && !m.capital }), false
}

// declarations finds the chunks that declare what the question names.
func (a *asker) declarations(ctx context.Context) error {
	a.declared = map[int]*evidence{}
	list, alone := mentions(a.topic)
	for _, m := range list {
		if err := a.declaring(ctx, m, alone); err != nil {
			return err
		}
	}
	return nil
}

func (a *asker) declaring(ctx context.Context, m mention, alone bool) error {
	want := wholeWords(m.text)
	var chunks []int
	err := a.text.each(ctx, dict{query.Symbol, wholeTerms}, want[len(want)-1], func(chunk, _ int, _ float64) {
		if a.allowed == nil || a.allowed.has(chunk) {
			chunks = append(chunks, chunk)
		}
	})
	if err != nil {
		return err
	}
	naming := namingOf(&query.Term{Field: query.Symbol, Text: m.text})
	last := lastComponent(m.text)
	types := 0
	type declaration struct {
		chunk       int
		value, kind float32
	}
	var found []declaration
	for _, i := range chunks {
		d := declaration{chunk: i}
		for s := range a.x.cat.Symbols(i) {
			if s.Type == record.Heading || naming(s.Name) == 0 {
				continue
			}
			value := float32(dataValue)
			switch {
			case s.Type.IsType():
				value = 1
			case s.Type.IsCallable() || s.Type == record.Module:
				value = callableValue
			}
			if lastComponent(s.Name) != last {
				value *= otherCase
			}
			if a.x.cat.Traits(i)&traitContinued != 0 {
				value *= continuedRank
			}
			d.value = max(d.value, value)
			if s.Type.IsType() {
				d.kind = max(d.kind, value)
				types++
			}
		}
		if d.value > 0 {
			found = append(found, d)
		}
	}
	if len(found) > poolDeclared {
		slices.SortStableFunc(found, func(a, b declaration) int { return cmp.Compare(b.value, a.value) })
		found = found[:poolDeclared]
	}
	for _, d := range found {
		e := a.declared[d.chunk]
		if e == nil {
			e = &evidence{}
			a.declared[d.chunk] = e
		}
		switch {
		case alone:
			e[Declares] = max(e[Declares], d.value)
		case m.identifier:
			e[Mentioned] = max(e[Mentioned], d.value)
		}
		if !alone && m.capital && types < commonType {
			e[NamedType] = max(e[NamedType], d.kind)
		}
	}
	return nil
}
