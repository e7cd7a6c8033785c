package exact

import (
	"slices"

	"cortex/lib/hint"
	"cortex/lib/notation"
	"cortex/lib/record"
	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// dropContinued removes further parts of a definition from the matches of a query that asks for names and kinds but for
// no text. Each part has the name and the kind of the whole definition, so all of them match; the first part stands for
// them. A part stays if it declares something that the query asks for, or if no earlier part matches.
func (e *evaluator) dropContinued(n query.Node, found corpus.Set) {
	asked := declaredTest(n)
	if asked == nil {
		return
	}
	type definition struct {
		file  uint32
		tier  record.ChunkType
		whole string
	}
	gen := e.x.Generation
	of := func(i int) definition {
		return definition{gen.File(i), gen.ChunkType(i), notation.WithoutPart(gen.ID(i))}
	}
	var further []int
	begins := map[definition]int{} // the first matching line of each definition that has further parts
	found.Each(func(i int) {
		if gen.Traits(i)&corpus.TraitContinued == 0 {
			return
		}
		first, _ := gen.Lines(i)
		own := slices.Collect(gen.Symbols(i))
		if last := len(own) - 1; last >= 0 && own[last].Line == first {
			own = own[:last] // the whole definition, which Symbols puts on the first line of each part
		}
		if !slices.ContainsFunc(own, asked) {
			further = append(further, i)
			begins[of(i)] = first
		}
	})
	if further == nil {
		return
	}
	found.Each(func(i int) {
		d := of(i)
		line, _ := gen.Lines(i)
		if first, ok := begins[d]; ok && line < first {
			begins[d] = line
		}
	})
	for _, i := range further {
		if first, _ := gen.Lines(i); begins[of(i)] < first {
			found.Remove(i)
		}
	}
}

// KindTest returns a test for the symbols of the kinds that the query asks for; nil if it asks for none, or also for
// names or words.
func KindTest(n query.Node) corpus.SymbolTest {
	names := false
	query.Walk(n, func(t *query.Term) { names = names || t.Field == query.Symbol })
	if names {
		return nil
	}
	return declaredTest(n)
}

// declaredTest returns a test for the symbols that satisfy a term of the query for a name or a kind; nil if the query
// has no such term, or one for words of the chunk.
func declaredTest(n query.Node) corpus.SymbolTest {
	var tests []corpus.SymbolTest
	words := false
	query.Walk(n, func(t *query.Term) {
		switch t.Field {
		case query.Symbol:
			tests = append(tests, namePart(t))
		case query.SymbolType:
			match := facetPattern(t)
			if match == nil {
				value := corpus.FacetValue(t.Field, t.Text)
				match = func(kind string) bool { return kind == value }
			}
			tests = append(tests, func(s record.SymbolRef) bool { return match(string(s.Type)) })
		case query.Text, query.Title:
			words = true
		}
	})
	if words || tests == nil {
		return nil
	}
	return func(s record.SymbolRef) bool {
		return slices.ContainsFunc(tests, func(test corpus.SymbolTest) bool { return test(s) })
	}
}

// namePart returns a test for names whose last component has the last word of the term.
func namePart(t *query.Term) corpus.SymbolTest {
	match := func(string) bool { return true }
	switch {
	case t.Regexp != nil:
		match = t.Regexp.Match
	case len(t.Wild) > 0:
		if list := token.Patterns(t.Text, t.Wild); len(list) > 0 {
			match = list[len(list)-1].Match
		}
	default:
		if words := token.Words(t.Text); len(words) > 0 {
			want := words[len(words)-1].Term
			match = func(term string) bool { return hint.Distance(want, term, t.Fuzzy) <= t.Fuzzy }
		}
	}
	return func(s record.SymbolRef) bool {
		has := false
		token.Scan(corpus.LastComponent(s.Name), func(w token.Token) { has = has || match(w.Term) })
		return has
	}
}
