package render

import (
	"fmt"
	"strings"

	"cortex/lib/graph/table"
)

// fewResults is the least number of results for which common notes are written once, above them.
const fewResults = 4

// The notes of a result in the text for assistants: its relation to the target, the method through which a call goes,
// and the confidence.
const (
	relationNote = iota
	throughNote
	surenessNote
	noteCount
)

// A common has the parts that results do not repeat: the notes that most of them have, and the namespace of the target
// if many results are in it.
type common struct {
	notes     [noteCount]string
	namespace string
}

// short returns a name with "…" in place of the common namespace.
func (c *common) short(name string) string {
	if rest, ok := strings.CutPrefix(name, c.namespace); ok && c.namespace != "" && rest != "" {
		return "…" + rest
	}
	return name
}

// notesOf returns the notes of a result, "" for those that follow from the question.
func (p page) notesOf(a *table.Answer, h *table.Hit) (notes [noteCount]string) {
	relation := string(h.Relation)
	if h.Up {
		relation = "is what it " + relation
	}
	switch {
	case h.Via != "" && !(isOfFiles(a) && h.Via == a.Target.Symbol):
		notes[relationNote] = clean(p.tie(relation, h))
	case h.Relation != obvious[a.Operation] || h.Up || a.Operation == table.Path && mixed(a):
		notes[relationNote] = relation
	}
	if h.Through != "" {
		notes[throughNote] = "through " + clean(p.common.short(h.Through))
	}
	switch {
	case h.Confidence >= table.Sure:
	case h.EdgeConfidence >= table.Sure:
		notes[surenessNote] = fmt.Sprintf("chain %.2f", h.Confidence)
	default:
		notes[surenessNote] = sureness(h)
	}
	return notes
}

// inCommon sets p.common to the notes and namespace that most of the results share, and writes them.
func (p *page) inCommon(a *table.Answer, hits []table.Hit) {
	if isOfFiles(a) {
		return
	}
	isMost := func(n int) bool { return n >= fewResults && 2*n > len(hits) }
	in := 0
	for i := range hits {
		if a.Namespace != "" && strings.HasPrefix(hits[i].Symbol.Symbol, a.Namespace) {
			in++
		}
	}
	if in >= fewResults {
		p.common.namespace = a.Namespace
		fmt.Fprintf(p.b, "… is %s\n", clean(a.Namespace))
	}
	var counts [noteCount]map[string]int
	for i := range hits {
		for note, text := range p.notesOf(a, &hits[i]) {
			if counts[note] == nil {
				counts[note] = map[string]int{}
			}
			counts[note][text]++
		}
	}
	var said []string
	differ := false
	for note := range counts {
		for text, n := range counts[note] {
			if text != "" && isMost(n) {
				p.common.notes[note] = text
				said = append(said, text)
				differ = differ || n < len(hits)
			}
		}
	}
	switch {
	case differ:
		p.b.WriteString("unless a line says otherwise: " + strings.Join(said, ", ") + "\n")
	case said != nil:
		p.b.WriteString("all: " + strings.Join(said, ", ") + "\n")
	}
}

// notCommon returns the notes of a result that differ from the common ones.
func (p page) notCommon(a *table.Answer, h *table.Hit) []string {
	var list []string
	for note, text := range p.notesOf(a, h) {
		usual := p.common.notes[note]
		switch {
		case text == usual:
			continue
		case text != "":
		case note == relationNote:
			text = string(h.Relation)
		case note == throughNote:
			text = "direct"
		default:
			text = sureness(h)
		}
		list = append(list, text)
	}
	return list
}

func isOfFiles(a *table.Answer) bool {
	return a.Operation == table.Dependents || a.Operation == table.Dependencies
}
