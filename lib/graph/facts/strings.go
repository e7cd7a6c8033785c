package facts

import (
	"strings"

	"cortex/lib/record"
)

// A factStrings maps the strings of a file's facts to Names. texts is indexed by the number in the facts; known has the
// Names found so far, 0 where there is none yet.
type factStrings struct {
	names *names
	texts []string
	known []Name
}

// parts numbers the parts of an expression too, so that resolution does not depend on whether another file has them as
// names.
func (s *factStrings) parts(expression string) {
	if !strings.ContainsAny(expression, ".()[]") {
		return
	}
	for part := range strings.FieldsFuncSeq(expression, func(c rune) bool { return strings.ContainsRune(".()[]", c) }) {
		s.names.Text(part)
	}
}

func (s *factStrings) name(r *Reader) Name {
	i := r.Int()
	if i >= len(s.known) {
		r.Fault = true
		return 0
	}
	if s.known[i] == 0 && i < len(s.texts) {
		s.known[i] = s.names.Text(s.texts[i])
	}
	return s.known[i]
}

func (s *factStrings) reference(r *Reader, lines *[]int32) Reference {
	ref := Reference{Relation: r.Byte(), Symbol: s.name(r), Name: s.name(r), Receiver: s.name(r), Module: s.name(r), alias: s.name(r), Visible: -1}
	if int(ref.Relation) >= len(record.Relations) {
		ref.Relation, r.Fault = 0, true
	}
	count := r.Count()
	if len(*lines)+count > cap(*lines) {
		*lines = make([]int32, 0, max(64, count))
	}
	start, last := len(*lines), 0
	for range count {
		last += r.Delta()
		*lines = append(*lines, int32(last))
	}
	ref.Lines = (*lines)[start:len(*lines):len(*lines)]
	return ref
}
