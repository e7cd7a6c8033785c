package rank

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"cortex/lib/record"
	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
	"cortex/lib/search/wording"
)

// A mention is a word of a question that may name a symbol.
type mention struct {
	text string
	// word is the whole name if text ends in an identifier of several parts, else "", since it may be any word.
	word string
	// identifier is set for names of several parts, which are no prose; capital for those that begin with a capital.
	identifier, capital bool
}

// mentions returns the words of a question that may name symbols; alone reports whether the question is one word.
func mentions(topic string) (list []mention, alone bool) {
	seen := map[string]bool{}
	count := 0
	for word := range strings.FieldsSeq(topic) {
		word = strings.Trim(word, wording.Marks)
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
		if last := words[len(words)-1]; !path && last.To-last.From > 1 {
			m.word = last.Term
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

// declarations finds the chunks that declare or contain the identifiers that the question names.
func (a *Topic) declarations(ctx context.Context) error {
	a.declared = map[int]*evidence{}
	list, alone := mentions(a.topic)
	for _, m := range list {
		if err := a.addDeclarations(ctx, m, alone); err != nil {
			return err
		}
		if m.word != "" && !alone {
			if err := a.addMentions(ctx, m.word); err != nil {
				return err
			}
		}
		if a.Headline == "" && m.word != "" {
			if err := a.addExplained(ctx, m.word, m.text); err != nil {
				return err
			}
		}
		if a.Headline == "" && isVersion(m.text) {
			if err := a.addReleases(ctx, m.text); err != nil {
				return err
			}
		}
	}
	for word := range strings.FieldsSeq(a.topic) {
		flag := strings.Trim(word, wording.Marks)
		words := wording.WholeWords(flag)
		if a.Headline != "" || !strings.HasPrefix(flag, "--") || len(words) == 0 {
			continue
		}
		if err := a.addExplained(ctx, words[len(words)-1], flag); err != nil {
			return err
		}
	}
	return nil
}

// addMentions sets Mentioned for the chunks whose text has the identifier word, unless they are more than maxMentioning.
func (a *Topic) addMentions(ctx context.Context, word string) error {
	chunks, err := a.withWord(ctx, query.Text, word, maxMentioning, false)
	for _, chunk := range chunks {
		a.evidenceOf(chunk)[Mentioned] = 1
	}
	return err
}

// withWord returns the chunks, or the sections of documents, with the word; none if they are more than most.
func (a *Topic) withWord(ctx context.Context, field query.Field, word string, most int, sections bool) ([]int, error) {
	var chunks []int
	err := a.x.Text.Each(ctx, corpus.Dict{Field: field, Kind: corpus.WholeTerms}, word, func(chunk, _ int, _ float64) {
		if len(chunks) <= most && (a.allowed == nil || a.allowed.Has(chunk)) && (!sections || a.x.Generation.ChunkType(chunk) == record.Documentation) {
			chunks = append(chunks, chunk)
		}
	})
	if len(chunks) > most {
		return nil, err
	}
	return chunks, err
}

// isVersion reports whether a word is the number of a version, such as 4.5.0 or v2.40.
func isVersion(word string) bool {
	word = strings.TrimPrefix(word, "v")
	return strings.Contains(word, ".") && strings.Trim(word, "0123456789.") == ""
}

// addReleases sets Mentioned for the sections about a version, which have its number in their titles: single digits,
// the words of a number, occur everywhere. A number that goes on, such as 4.5.1 for 4.5, counts less if there is one that
// does not.
func (a *Topic) addReleases(ctx context.Context, version string) error {
	version = strings.TrimPrefix(version, "v")
	words := wording.WholeWords(version)
	chunks, err := a.withWord(ctx, query.Title, words[len(words)-1], maxMentioning, true)
	if err = cmp.Or(err, a.x.Generation.Prepare(chunks)); err != nil {
		return err
	}
	values := make([]float32, len(chunks))
	best := float32(0)
	for i, chunk := range chunks {
		c, err := a.x.Generation.Chunk(chunk)
		if err != nil {
			return err
		}
		values[i] = namesVersion(c.Title, version)
		best = max(best, values[i])
	}
	for i, chunk := range chunks {
		if values[i] > 0 {
			a.evidenceOf(chunk)[Mentioned] = values[i] / best
		}
	}
	return nil
}

// namesVersion returns how well a title names the version: 1 for its number, longerVersion for one that goes on.
func namesVersion(title, version string) float32 {
	best := float32(0)
	for at := 0; ; {
		i := strings.Index(title[at:], version)
		if i < 0 {
			return best
		}
		before, after := title[:at+i], title[at+i+len(version):]
		at += i + len(version)
		switch {
		case before != "" && strings.IndexByte("0123456789.", before[len(before)-1]) >= 0, after != "" && after[0] >= '0' && after[0] <= '9':
		case len(after) > 1 && after[0] == '.' && after[1] >= '0' && after[1] <= '9':
			best = max(best, longerVersion)
		default:
			return 1
		}
	}
}

// addExplained sets Declares for the sections that explain a flag, option, variable or the like: those in which a line begins
// with its name, as in ".. data:: NAME", "`name`::" or "| name |".
func (a *Topic) addExplained(ctx context.Context, word, name string) error {
	chunks, err := a.withWord(ctx, query.Text, word, maxExplained, true)
	if err = cmp.Or(err, a.x.Generation.Prepare(chunks)); err != nil {
		return err
	}
	for _, chunk := range chunks {
		c, err := a.x.Generation.Chunk(chunk)
		if err != nil {
			return err
		}
		for line := range strings.Lines(c.Text) {
			if beginsWithName(line, name) {
				e := a.evidenceOf(chunk)
				e[Declares] = max(e[Declares], dataValue)
				break
			}
		}
	}
	return nil
}

// maxExplained bounds the sections in which addExplained looks for a name.
const maxExplained = 100

// beginsWithName reports whether a line of a document begins with the name, but for markup, and does not go on as a
// sentence. A name below a directive or macro is its argument.
func beginsWithName(line, name string) bool {
	before, after, found := strings.Cut(line, name)
	if !found {
		return false
	}
	if strings.HasPrefix(strings.TrimLeft(before, " \t"), ".") {
		return len(strings.Fields(before)) <= 2 && strings.HasSuffix(before, " ")
	}
	word := strings.IndexFunc(before, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	if word >= 0 && !(strings.HasPrefix(name, "--") && word > 0 && before[word-1] == '-' && len(before)-word <= 6) { // as in "`-x`, `--name`"
		return false
	}
	after = strings.TrimLeft(after, "`*'\"_]) \t\r\n")
	return after == "" || strings.IndexByte(":|(<-[{", after[0]) >= 0
}

// evidenceOf returns the chunk's evidence from names and lines in the question, and adds it if there is none.
func (a *Topic) evidenceOf(chunk int) *evidence {
	e := a.declared[chunk]
	if e == nil {
		e = &evidence{}
		a.declared[chunk] = e
	}
	return e
}

// pointAt sets Line for the chunk of each line that the text points to: the chunk that declares the named function, if
// any, else the smallest chunk with the line. The first line counts most: in a trace, it is the call that failed.
func (a *Topic) pointAt(lines []corpus.PointedLine) {
	gen := a.x.Generation
	a.Pointed = lines
	for _, l := range lines {
		best, least := -1, 0
		for chunk := range gen.Chunks(l.File) {
			start, end := gen.Lines(chunk)
			if gen.ChunkType(chunk) == record.Symbols || a.allowed != nil && !a.allowed.Has(chunk) {
				continue
			}
			size := end - start
			if l.Function != "" && a.declares(chunk, l.Function) {
				size -= math.MaxInt32
			} else if l.Line < start || l.Line > end {
				continue
			}
			if best < 0 || size < least {
				best, least = chunk, size
			}
		}
		if best >= 0 && !slices.Contains(a.lines, best) {
			a.lines = append(a.lines, best)
		}
	}
	for i, chunk := range a.lines {
		a.evidenceOf(chunk)[Line] = float32(1 / math.Sqrt(float64(i+1)))
	}
}

// declares reports whether the chunk declares a symbol whose name ends in name.
func (a *Topic) declares(chunk int, name string) bool {
	for s := range a.x.Generation.Symbols(chunk) {
		if corpus.LastComponent(s.Name) == name {
			return true
		}
	}
	return false
}

// addDeclarations finds the chunks that declare the name of the mention, and sets Declares, Mentioned and NamedType for them.
func (a *Topic) addDeclarations(ctx context.Context, m mention, alone bool) error {
	want := wording.WholeWords(m.text)
	var chunks []int
	err := a.x.Text.Each(ctx, corpus.Dict{Field: query.Symbol, Kind: corpus.WholeTerms}, want[len(want)-1], func(chunk, _ int, _ float64) {
		if a.allowed == nil || a.allowed.Has(chunk) {
			chunks = append(chunks, chunk)
		}
	})
	if err != nil {
		return err
	}
	naming := wording.NamingOf(&query.Term{Field: query.Symbol, Text: m.text})
	last := corpus.LastComponent(m.text)
	types := 0
	type declaration struct {
		chunk       int
		value, kind float32
		setting     bool // the mention is the path of a key
	}
	var found []declaration
	for _, i := range chunks {
		d := declaration{chunk: i}
		for s := range a.x.Generation.Symbols(i) {
			if s.Type == record.Heading || naming(s.Name) == 0 {
				continue
			}
			value := float32(dataValue)
			switch {
			case s.Type.IsType():
				value = 1
			case s.Type == record.Module || s.Type.IsCallable() && !isConstructor(s.Name):
				value = callableValue
			}
			if corpus.LastComponent(s.Name) != last {
				value *= otherCase
			}
			if a.x.Generation.Traits(i)&corpus.TraitContinued != 0 {
				value *= continuedValue
			}
			d.value = max(d.value, value)
			d.setting = d.setting || s.Type == record.Key && corpus.LastComponent(s.Name) == last && strings.Contains(m.text, ".")
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
		e := a.evidenceOf(d.chunk)
		switch {
		case alone, d.setting && a.Headline == "":
			e[Declares] = max(e[Declares], d.value)
		case m.identifier:
			e[Mentioned] = max(e[Mentioned], declaredOnly*d.value)
		}
		if !alone && m.capital && types < commonType {
			e[NamedType] = max(e[NamedType], d.kind)
		}
	}
	return nil
}

// isConstructor reports whether the name is that of a member with the name of its type.
func isConstructor(name string) bool {
	last := corpus.LastComponent(name)
	owner := strings.TrimSuffix(name, last)
	return owner != "" && corpus.LastComponent(owner[:len(owner)-1]) == last
}

// Values of declarations. The declaration of a type counts 1, that of a constructor dataValue.
const (
	callableValue = 0.9
	dataValue     = 0.6
	// headingValue is that of a section whose heading is the question.
	headingValue = 0.9
	// declaredOnly is the value of a declaration that has the identifier in its name but not as a word in its text.
	declaredOnly = 0.5
	// longerVersion is the value of a title with a longer number than the version in the question.
	longerVersion = 0.5
	// continuedValue is the factor for a further part of what has the name.
	continuedValue = 0.5
	// otherCase is the factor for a name that differs from the mention in case.
	otherCase = 0.55
	// commonType is the number of declarations of a type from which on its name counts as an ordinary word.
	commonType = 5
)

// maxMentioning is the greatest number of chunks with an identifier for which the identifier counts as evidence.
const maxMentioning = 400

// poolDeclared bounds the chunks that declare one name of the question.
const poolDeclared = 500

// maxMentions bounds the names of a question that are looked up.
const maxMentions = 64
