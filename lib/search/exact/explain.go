package exact

import (
	"fmt"
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
	"cortex/lib/shorten"
	"cortex/lib/terminal"
)

// maxExplained bounds the parts of a query that are explained, maxAdvice the characters of advice on how to write one.
const maxExplained, maxAdvice = 8, 200

// maxAlternatives bounds the terms joined by OR that are looked at one by one.
const maxAlternatives = 100

// explain finds out why the query has no hit among the chunks that the filter allows.
func (e *evaluator) explain(n query.Node) (*answer.NoMatch, error) {
	why := &answer.NoMatch{}
	return why, e.explainNode(why, n)
}

// explainAlternatives says which of the terms that OR joins match nothing that the filter allows, and of the first maxExplained of them
// why; nil if all match, or if there are more than maxAlternatives.
func (e *evaluator) explainAlternatives(n query.Node) (*answer.NoMatch, error) {
	parts := []query.Node{n}
	if and, ok := n.(*query.And); ok {
		parts = and.Nodes
	}
	why := &answer.NoMatch{}
	for _, part := range parts {
		or, ok := part.(*query.Or)
		if !ok || len(or.Nodes) > maxAlternatives {
			continue
		}
		explained, others := 0, []string(nil)
		for _, child := range or.Nodes {
			set, err := e.set(child)
			if err != nil {
				return nil, err
			}
			if set.Intersect(e.allowed); set.Count() > 0 {
				continue
			}
			if explained++; explained > maxExplained {
				others = append(others, written(child))
				continue
			}
			if err := e.explainNode(why, child); err != nil {
				return nil, err
			}
		}
		if len(others) > 0 {
			why.Say("no match either: %s", strings.Join(others, ", "))
		}
	}
	if why.Message == "" {
		return nil, nil
	}
	return why, nil
}

// explainNode adds to why the reason for which a node matches nothing that the filter allows.
func (e *evaluator) explainNode(why *answer.NoMatch, n query.Node) error {
	if err := e.ctx.Err(); err != nil {
		return err
	}
	all, err := e.set(n)
	if err != nil {
		return err
	}
	all.Intersect(e.visible())
	if count := all.Count(); count > 0 {
		by, err := e.excludedBy(all)
		if err == nil {
			why.Say("%s: %s, all excluded by %s%s", written(n), terminal.Count(count, "match", "matches"), by, e.filesOf(all))
		}
		return err
	}
	switch n := n.(type) {
	case *query.Term:
		return e.explainTerm(why, n)
	case *query.Or:
		for _, child := range n.Nodes[:min(len(n.Nodes), maxExplained)] {
			if err := e.explainNode(why, child); err != nil {
				return err
			}
		}
	case *query.Not:
		why.Say("%s: everything is excluded by NOT", written(n))
	case *query.And:
		return e.explainAnd(why, n)
	}
	return nil
}

// excludedBy describes what excludes the matches: the conditions of the filter that exclude all of them, or else the
// whole filter.
func (e *evaluator) excludedBy(matches corpus.Set) (string, error) {
	var alone, all []string
	for _, condition := range e.filter.Conditions() {
		allowed, err := e.x.Allowed(e.ctx, condition.Filter)
		if err != nil {
			return "", err
		}
		all = append(all, condition.Written)
		if allowed != nil && !allowed.Meets(matches) {
			alone = append(alone, condition.Written)
		}
	}
	if len(alone) == 0 {
		return strings.Join(all, " with "), nil
	}
	return strings.Join(alone, " and by "), nil
}

// filesOf names the files of the matches behind a colon; "" if there are more than maxNear.
func (e *evaluator) filesOf(matches corpus.Set) string {
	var files []string
	matches.Each(func(i int) {
		if file := e.x.Generation.FilePath(i); len(files) <= maxNear && !slices.Contains(files, file) {
			files = append(files, file)
		}
	})
	if len(files) > maxNear {
		return ""
	}
	slices.Sort(files) // chunks of an index that grew are in another order
	return ": " + terminal.Clean(strings.Join(files, ", "))
}

func (e *evaluator) explainAnd(why *answer.NoMatch, n *query.And) error {
	var sets []corpus.Set
	failed := 0
	for _, child := range n.Nodes {
		set, err := e.set(child)
		if err != nil {
			return err
		}
		set.Intersect(e.allowed)
		sets = append(sets, set)
		if set.Count() > 0 {
			continue
		}
		if failed++; failed <= maxExplained {
			if err := e.explainNode(why, child); err != nil {
				return err
			}
		}
	}
	if failed > 0 {
		return nil
	}
	for i, a := range sets {
		if err := e.ctx.Err(); err != nil {
			return err
		}
		for j, b := range sets[:i] {
			if !a.Meets(b) {
				why.Apart = []string{written(n.Nodes[j]), written(n.Nodes[i])}
				why.Say("%s and %s: each matches (%d and %d), never both in one place", why.Apart[0], why.Apart[1], b.Count(), a.Count())
				return nil
			}
		}
	}
	why.Say("each part of %s matches, and each pair, but never all in one place", written(n))
	return nil
}

// written returns the source of the node, shortened.
func written(n query.Node) string {
	terms := query.Terms(n)
	first, last := terms[0], terms[len(terms)-1]
	another := func(t *query.Term) bool { return t.Query != first.Query }
	if or, ok := n.(*query.Or); ok && slices.ContainsFunc(terms, another) {
		var parts []string
		for _, child := range or.Nodes {
			parts = append(parts, written(child))
		}
		return answer.Shorten("(" + strings.Join(parts, " OR ") + ")")
	}
	text := first.Query[first.Start:last.End]
	switch n := n.(type) {
	case *query.Term:
		if n.Field != query.Text {
			text = string(n.Field) + ":" + text
		}
	case *query.Not:
		return "NOT " + written(n.Node)
	case *query.Or:
		text = "(" + text + ")"
	}
	return answer.Shorten(shorten.Line(text))
}

// explainTerm says why the term matches nothing: which of its words no possible hit has, and which similar words occur.
func (e *evaluator) explainTerm(why *answer.NoMatch, t *query.Term) error {
	name := strings.TrimRight(written(t), ":")
	unmatched := func(near []answer.NearTerm, reason string) error {
		why.Terms = append(why.Terms, answer.UnmatchedTerm{Term: name, Near: near})
		why.Say("%s: no match%s", name, reason)
		return nil
	}
	none := []answer.NearTerm{}
	switch {
	case t.IsAnything():
		why.Say("%s: no match", name)
		return nil
	case t.Field == query.FilePath:
		return e.explainPath(why, t)
	case t.Regexp != nil:
		return unmatched(none, "; an expression is compared with single words")
	case !t.Field.HasWords():
		near := e.nearValues(t)
		return unmatched(near, nearText(near))
	case t.Advice() != "":
		return unmatched(none, "; "+shorten.End(t.Advice(), maxAdvice))
	case len(t.Wild) > 0:
		return unmatched(none, "")
	}
	named, err := e.namesFile(t)
	if err != nil {
		return err
	}
	if named {
		why.Terms = append(why.Terms, answer.UnmatchedTerm{Term: name, Near: none})
		why.Say("%s: no text has this path; path:%s finds what is there", name, pathOf(t.Text))
		return nil
	}
	words := token.Words(t.Text)
	missing, err := e.missing(t, words)
	switch {
	case err != nil:
		return err
	case len(missing) > 0:
		return e.explainMissing(why, t, name, missing, len(words))
	}
	reason, err := e.apart(t)
	if err != nil {
		return err
	}
	return unmatched(none, reason)
}

// missing returns those of the term's words that no possible hit has: at most maxExplained and one more.
func (e *evaluator) missing(t *query.Term, words []token.Token) (missing []token.Token, err error) {
	for _, w := range words {
		own := *t
		own.Text, own.Phrase, own.Literal = t.Text[w.Start:w.End], len(words) > 1, nil
		m, err := e.words(&own, t.Field)
		if err != nil {
			return nil, err
		}
		if m.Set.Intersect(e.visible()); m.Set.Count() > 0 {
			continue
		}
		if missing = append(missing, w); len(missing) > maxExplained {
			break
		}
	}
	return missing, nil
}

// explainMissing says that words are missing of the term, which has the given number of words.
func (e *evaluator) explainMissing(why *answer.NoMatch, t *query.Term, name string, missing []token.Token, words int) error {
	var reasons []string
	advised := false // a reason names words that occur
	for _, w := range missing[:min(len(missing), maxExplained)] {
		near, advice, err := e.instead(t.Field, w.Term, t.Text[w.Start:w.End])
		if err != nil {
			return err
		}
		label, subject := name, name
		if words > 1 {
			label, subject = t.Text[w.Start:w.End], t.Text[w.Start:w.End]
			if !t.Phrase {
				subject += " of " + name // 5 of 1e-5
			}
		}
		why.Terms = append(why.Terms, answer.UnmatchedTerm{Term: label, Near: near})
		reasons = append(reasons, subject+": no match"+advice)
		advised = advised || advice != ""
	}
	if len(missing) == words && !t.Phrase && !advised {
		reasons = []string{name + ": no match"}
	}
	for _, reason := range reasons {
		why.Say("%s", reason)
	}
	return nil
}

// apart says why a term matches nothing although all of its words occur.
func (e *evaluator) apart(t *query.Term) (string, error) {
	declared, err := e.declaredElsewhere(t)
	switch {
	case err != nil:
		return "", err
	case declared != "":
		return "; declared: " + declared, nil
	case t.Literal != nil:
		return "; its words occur, but not written so", nil
	}
	return "; its words occur, but not next to each other", nil
}

// declaredElsewhere returns the qualified names, at most maxNear, that end in the last component of the term, which is
// a qualified name itself: for Circle.draw, which is inherited, Shape.draw. It returns "" if the filter allows none.
func (e *evaluator) declaredElsewhere(t *query.Term) (string, error) {
	last := corpus.LastComponent(t.Text)
	if t.Phrase || t.Field != query.Text && t.Field != query.Symbol || last == t.Text || last == "" {
		return "", nil
	}
	own := *t
	own.Field, own.Text, own.Literal, own.Fuzzy = query.Symbol, last, nil, 0
	set, err := e.set(&own)
	if err != nil {
		return "", err
	}
	set.Intersect(e.allowed)
	var names []string
	set.Each(func(i int) {
		for s := range e.x.Generation.Symbols(i) {
			if s.Type != record.Heading && s.Name != last && corpus.LastComponent(s.Name) == last {
				names = append(names, s.Name)
			}
		}
	})
	slices.Sort(names)
	names = slices.Compact(names)
	text := strings.Join(names[:min(len(names), maxNear)], ", ")
	if more := len(names) - maxNear; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return terminal.Clean(text), nil
}

// namesFile reports whether the text of a term is the path of a file or folder of the index, or its end.
func (e *evaluator) namesFile(t *query.Term) (bool, error) {
	path := pathOf(t.Text)
	if t.Field != query.Text || !strings.ContainsAny(path, "./") || strings.ContainsAny(path, " ()*?[]{}") {
		return false, nil
	}
	own := *t
	own.Field, own.Text, own.Phrase, own.Literal, own.Fuzzy = query.FilePath, path, false, nil, 0
	set, err := e.set(&own)
	if err != nil {
		return false, err
	}
	return set.Count() > 0, nil
}

// pathOf returns a path without a line behind it, as in a.go:12.
func pathOf(text string) string {
	path, line, _ := strings.Cut(text, ":")
	if strings.Trim(line, "0123456789:") != "" {
		return text
	}
	return path
}

// explainPath says that no file has the path, and names similar files and folders, or else similar words of names.
func (e *evaluator) explainPath(why *answer.NoMatch, t *query.Term) error {
	path, near, nearTerms := t.Text, "", []answer.NearTerm{}
	if t.Regexp != nil {
		path = "/" + path + "/"
	} else if paths := e.x.NearPaths(path); len(paths) > 0 {
		near = "; near: " + strings.Join(paths, ", ")
	} else if words := token.Words(path); len(words) == 1 && len(t.Wild) == 0 {
		var err error
		if nearTerms, err = e.nearest(t.Field, words[0].Term); err != nil {
			return err
		}
		near = nearText(nearTerms)
	}
	why.Terms = append(why.Terms, answer.UnmatchedTerm{Term: written(t), Near: nearTerms})
	why.Say("no file matches the path %q%s", answer.Shorten(path), near)
	skipped, err := e.x.Skipped(e.ctx, path)
	if err == nil && skipped != "" {
		why.Say("%s", skipped)
	}
	return err
}
