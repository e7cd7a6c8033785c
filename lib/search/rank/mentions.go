package rank

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
	"cortex/lib/search/wording"
)

// findMentioned finds the chunks that declare, contain or explain the names in the question.
func (a *Topic) findMentioned(ctx context.Context) error {
	a.mentioned = map[int]*evidence{}
	list, alone := wording.Mentions(a.topic)
	for _, m := range list {
		if err := a.addDeclarations(ctx, m, alone); err != nil {
			return err
		}
		if m.Word != "" && !alone {
			if err := a.addMentions(ctx, m.Word); err != nil {
				return err
			}
		}
		if a.Headline != "" {
			continue
		}
		if m.Word != "" {
			if err := a.addExplained(ctx, m.Word, m.Text); err != nil {
				return err
			}
		}
		if wording.IsVersion(m.Text) {
			if err := a.addReleases(ctx, m.Text); err != nil {
				return err
			}
		}
	}
	if a.Headline != "" {
		return nil
	}
	for word := range strings.FieldsSeq(a.topic) {
		name := strings.Trim(word, wording.Marks)
		words := wording.WholeWords(name)
		if len(words) == 0 || !strings.HasPrefix(name, "--") && !wording.IsHyphenated(name) {
			continue
		}
		longest := ""
		for _, w := range words {
			if len(w) >= len(longest) {
				longest = w
			}
		}
		if err := a.addExplained(ctx, longest, name); err != nil {
			return err
		}
	}
	return nil
}

// addMentions sets Mentioned for the chunks whose text has the identifier word, unless they are more than
// maxMentioning.
func (a *Topic) addMentions(ctx context.Context, word string) error {
	chunks, err := a.withWord(ctx, query.Text, word, maxMentioning, false)
	for _, chunk := range chunks {
		a.evidenceOf(chunk)[Mentioned] = 1
		a.named = true
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

// eachSection calls visit for each section of a document with the word; for none if they are more than most.
func (a *Topic) eachSection(ctx context.Context, field query.Field, word string, most int, visit func(chunk int, c *record.Chunk)) error {
	chunks, err := a.withWord(ctx, field, word, most, true)
	if err = cmp.Or(err, a.x.Generation.Prepare(chunks)); err != nil {
		return err
	}
	for _, chunk := range chunks {
		c, err := a.x.Generation.Chunk(chunk)
		if err != nil {
			return err
		}
		visit(chunk, c)
	}
	return nil
}

// addReleases sets Mentioned for the sections about a version, which have its number in their titles: single digits,
// the words of a number, occur everywhere. A number that goes on, such as 4.5.1 for 4.5, counts less if there is one
// that does not.
func (a *Topic) addReleases(ctx context.Context, version string) error {
	version = strings.TrimPrefix(version, "v")
	words := wording.WholeWords(version)
	values := map[int]float32{} // by chunk
	best := float32(0)
	err := a.eachSection(ctx, query.Title, words[len(words)-1], maxMentioning, func(chunk int, c *record.Chunk) {
		values[chunk] = wording.NamesVersion(c.Title, version)
		best = max(best, values[chunk])
	})
	for chunk, value := range values {
		if value > 0 {
			a.evidenceOf(chunk)[Mentioned] = value / best
		}
	}
	return err
}

// addExplained sets Declares for the sections that explain a flag, option, variable or the like: those in which a line
// begins with its name, as in ".. data:: NAME", "`name`::" or "| name |".
func (a *Topic) addExplained(ctx context.Context, word, name string) error {
	return a.eachSection(ctx, query.Text, word, maxExplained, func(chunk int, c *record.Chunk) {
		for line := range strings.Lines(c.Text) {
			if wording.BeginsWithName(line, name) {
				e := a.evidenceOf(chunk)
				e[Declares] = max(e[Declares], dataValue)
				break
			}
		}
	})
}

// maxExplained bounds the sections in which addExplained looks for a name.
const maxExplained = 100

// evidenceOf returns the chunk's evidence from names and lines in the question, and adds it if there is none.
func (a *Topic) evidenceOf(chunk int) *evidence {
	e := a.mentioned[chunk]
	if e == nil {
		e = &evidence{}
		a.mentioned[chunk] = e
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

// addDeclarations finds the chunks that declare the name of the mention, and sets Declares, Mentioned and NamedType for
// them.
func (a *Topic) addDeclarations(ctx context.Context, m wording.Mention, alone bool) error {
	found, types, err := a.declarationsOf(ctx, m.Text)
	if err == nil && len(found) == 0 && m.Identifier {
		found, err = a.inherited(ctx, m.Text)
	}
	if err != nil {
		return err
	}
	for _, d := range found {
		e := a.evidenceOf(d.chunk)
		switch {
		case alone, d.setting && a.Headline == "":
			e[Declares] = max(e[Declares], d.value)
		case m.Identifier:
			e[Mentioned] = max(e[Mentioned], declaredOnly*d.value)
		}
		if !alone && m.Capital && types < commonType {
			e[NamedType] = max(e[NamedType], d.kind)
		}
	}
	return nil
}

// A declaration is a chunk that declares a name.
type declaration struct {
	chunk       int
	value, kind float32  // kind is the value as the declaration of a type
	setting     bool     // the name is the path of a key
	owners      []string // last components of the names before the name
}

// declarationsOf returns the chunks that declare the name, at most poolDeclared, and the number of types of that name.
func (a *Topic) declarationsOf(ctx context.Context, name string) (found []declaration, types int, err error) {
	want := wording.WholeWords(name)
	chunks, err := a.withWord(ctx, query.Symbol, want[len(want)-1], math.MaxInt, false)
	if err != nil {
		return nil, 0, err
	}
	naming := wording.NamingOf(&query.Term{Field: query.Symbol, Text: name})
	last := corpus.LastComponent(name)
	for _, i := range chunks {
		d := declaration{chunk: i}
		start, _ := a.x.Generation.Lines(i)
		for s := range a.x.Generation.Symbols(i) {
			if s.Type == record.Heading || naming(s.Name) == 0 {
				continue
			}
			own, owner := corpus.LastComponent(s.Name), corpus.Owner(s.Name)
			value := float32(dataValue)
			switch {
			case s.Type.IsType():
				value = 1
			case s.Type == record.Module || s.Type.IsCallable() && owner != own:
				value = callableValue
			case s.Type.IsCallable():
				value = constructorValue
			}
			if own != last {
				value *= otherCase
			}
			// What the chunk continues has the chunk's first line; what it declares in addition has its own.
			continued := s.Line == start && a.x.Generation.Traits(i)&corpus.TraitContinued != 0
			if continued {
				value *= continuedValue
			}
			d.value = max(d.value, value)
			d.setting = d.setting || s.Type == record.Key && own == last && strings.Contains(name, ".")
			if owner != "" {
				d.owners = append(d.owners, owner)
			}
			if s.Type.IsType() {
				d.kind = max(d.kind, value)
				if !continued {
					types++
				}
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
	return found, types, nil
}

// inherited returns the declarations that a name such as Circle.draw, which nothing declares, may mean if Circle is a
// type: those of a member draw whose type is named where Circle is declared, or of any member draw if there are none.
func (a *Topic) inherited(ctx context.Context, name string) ([]declaration, error) {
	owner := corpus.Owner(name)
	if owner == "" {
		return nil, nil
	}
	owners, types, err := a.declarationsOf(ctx, owner)
	if err != nil || types == 0 {
		return nil, err
	}
	members, _, err := a.declarationsOf(ctx, corpus.LastComponent(name))
	if err != nil {
		return nil, err
	}
	owners = slices.DeleteFunc(owners, func(d declaration) bool { return d.kind < 1 })
	named := map[string]bool{}
	for _, d := range owners[:min(len(owners), commonType)] {
		c, err := a.x.Generation.Chunk(d.chunk)
		if err != nil {
			return nil, err
		}
		for _, word := range wording.WholeWords(c.Text) {
			named[word] = true
		}
	}
	members = slices.DeleteFunc(members, func(d declaration) bool { return len(d.owners) == 0 })
	isBase := func(d declaration) bool {
		return slices.ContainsFunc(d.owners, func(owner string) bool { return named[token.FoldAll(owner)] })
	}
	if slices.ContainsFunc(members, isBase) {
		members = slices.DeleteFunc(members, func(d declaration) bool { return !isBase(d) })
	}
	return members, nil
}

// Values of declarations. The declaration of a type counts 1.
const (
	callableValue = 0.9
	dataValue     = 0.6
	// constructorValue is less, as the type of that name is what the name stands for.
	constructorValue = 0.4
	// headingValue is that of a section whose heading is the question.
	headingValue = 0.9
	// declaredOnly is the value of a declaration that has the identifier in its name but not as a word in its text.
	declaredOnly = 0.5
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
