package chunk

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"cortex/lib/chunk/label"
	"cortex/lib/chunk/lines"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

// A source is the text of a file of code by lines, and what is known of each line.
type source struct {
	*lines.File
	// traits are the properties of each line, computed once, since lines may be long.
	traits []trait
	breaks []record.Break
	// comment begins a line comment in the file's language.
	comment string
	// depths[i] is one more than the depth of the break at line i, 0 if there is none. It is computed at its first use.
	depths []int
}

func newSource(f *record.File, comment string) *source {
	s := &source{File: lines.New(f.Text), breaks: f.Breaks, comment: comment}
	s.traits = make([]trait, s.Count())
	for i := range s.traits {
		s.traits[i] = s.traitsOf(s.Line(i))
	}
	return s
}

// A trait is a set of bits with properties of a line.
type trait uint8

const (
	// trivialLine: the line says nothing by itself. It is blank, has only punctuation, or is a word that closes a
	// block, such as "end".
	trivialLine trait = 1 << iota
	// commentLine: the whole line looks like a comment.
	commentLine
)

func (s *source) traitsOf(line string) trait {
	line = strings.TrimSpace(line)
	if line == "" {
		return trivialLine
	}
	var t trait
	if isClosing(line) || strings.IndexFunc(line, lines.IsWord) < 0 {
		t |= trivialLine
	}
	switch {
	case s.comment != "" && strings.HasPrefix(line, s.comment):
		t |= commentLine
	case s.comment == "//" && (strings.HasPrefix(line, "/*") || strings.HasPrefix(line, "* ") || line == "*" || strings.HasSuffix(line, "*/")):
		t |= commentLine
	}
	return t
}

func (s *source) trivial(i int) bool   { return s.traits[i]&trivialLine != 0 }
func (s *source) isComment(i int) bool { return s.traits[i]&commentLine != 0 }

// isClosing reports whether a word ends a block or divides it in two.
func isClosing(line string) bool {
	switch line {
	case "end", "end;", "endif", "else", "fi", "done", "esac":
		return true
	}
	if word, found := strings.CutPrefix(line, "#"); found {
		word = strings.TrimLeft(word, " \t")
		return word == "else" || strings.HasPrefix(word, "else ") || strings.HasPrefix(word, "elif ") || word == "endif" || strings.HasPrefix(word, "endif ")
	}
	name, found := strings.CutPrefix(line, "</")
	return found && strings.IndexByte(name, '>') == len(name)-1
}

// split cuts a range of lines into spans of at most limit characters, at breaks of the lowest depth that make the spans
// about equal. It leaves out blank lines at the cuts. It cuts a single line that exceeds the limit.
func (s *source) split(first, last, limit int) []lines.Span {
	var out []lines.Span
	for {
		first, last = s.Trim(first, last)
		if first == last {
			return out
		}
		if s.Size(first, last) <= limit {
			return append(out, s.Span(first, last))
		}
		if s.Size(first, first+1) > limit {
			for _, cut := range lines.Cut(s.Slice(s.Span(first, first+1)), limit, lines.Runes) {
				from := s.Start[first]
				out = append(out, lines.Span{First: first, Last: first + 1, From: from + cut[0], To: from + cut[1]})
			}
			first++
			continue
		}
		end := s.fit(first, last, limit)
		cut := s.bestCut(first, end, last, limit)
		a, b := s.Trim(first, cut)
		out = append(out, s.Span(a, b))
		first = cut
	}
}

// fit returns the greatest end such that the lines [first, end) have at most limit characters.
func (s *source) fit(first, last, limit int) int {
	return first + sort.Search(last-first, func(i int) bool { return s.Size(first, first+i+1) > limit })
}

// bestCut returns the line in (first, end] at which to cut off the first span of the range that ends at last.
func (s *source) bestCut(first, end, last, limit int) int {
	total := s.Size(first, last)
	want := total / ((total + limit - 1) / limit)
	low := max(first+1, s.fit(first, end, limit/3))
	best, bestRank, bestOff := end, -1, 0
	for at := low; at <= end; at++ {
		rank := s.rank(at)
		off := max(s.Size(first, at)-want, want-s.Size(first, at))
		if bestRank < 0 || rank < bestRank || rank == bestRank && off < bestOff {
			best, bestRank, bestOff = at, rank, off
		}
	}
	return best
}

// Ranks of cuts that are not at a break, greater than those of breaks. Without breaks, blank lines and shallow
// indentation indicate good cuts.
const (
	rankBlank   = 1 << 16
	rankLine    = 1 << 17
	rankClosing = 1 << 18
)

// rank returns how much related text a cut before line i separates. Less is better.
func (s *source) rank(i int) int {
	if depth := s.depth(i); depth > 0 {
		return depth
	}
	if i == 0 || i >= s.Count() {
		return 0
	}
	line := s.Line(i)
	text := strings.TrimLeft(line, " \t")
	indent := min(len(line)-len(text), 1000)
	switch {
	case s.Blank(i), s.Blank(i - 1):
		return rankBlank + indent
	case strings.HasPrefix(text, "}"), strings.HasPrefix(text, ")"), strings.HasPrefix(text, "]"), strings.HasPrefix(text, "end"):
		return rankClosing + indent
	}
	return rankLine + indent
}

// depth returns one more than the depth of the break at line i, or 0.
func (s *source) depth(i int) int {
	if s.depths == nil {
		s.depths = make([]int, s.Count()+1)
		for _, b := range s.breaks {
			at, depth := b.Line()-1, min(max(b.Depth(), 0), rankBlank-2)+1
			if at < 0 || at >= s.Count() {
				continue
			}
			// A comment belongs to the statement below it.
			for range 20 {
				if at == 0 || !s.isComment(at-1) {
					break
				}
				at--
			}
			if s.depths[at] == 0 || depth < s.depths[at] {
				s.depths[at] = depth
			}
		}
	}
	return s.depths[i]
}

// firstSentence returns the first sentence of a documentation comment, on one line of at most limit characters.
func firstSentence(doc string, limit int) string {
	doc = strings.TrimSpace(doc)
	// Only the beginning matters, so do not process a long text.
	if len(doc) > 8*limit {
		doc = strings.ToValidUTF8(doc[:8*limit], "")
	}
	if i := strings.Index(doc, "\n\n"); i >= 0 {
		doc = doc[:i]
	}
	doc = shorten.Line(doc)
	for at := 0; ; {
		i := strings.Index(doc[at:], ". ")
		if i < 0 {
			break
		}
		at += i + 2
		// Abbreviations such as "e.g. " do not end a sentence.
		if next, _ := utf8.DecodeRuneInString(doc[at:]); !unicode.IsLower(next) {
			doc = doc[:at-1]
			break
		}
	}
	return label.Line(doc, limit)
}

// words returns the lower-case words of a path or name, with camelCase split.
func words(name string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	var before rune
	for _, r := range name {
		if !lines.IsWord(r) {
			flush()
		} else {
			if unicode.IsUpper(r) && unicode.IsLower(before) {
				flush()
			}
			word = append(word, r)
		}
		before = r
	}
	flush()
	return out
}
