package chunk

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"cortex/lib/record"
	"cortex/lib/shorten"
)

// A source is the text of a file by lines. Lines count from 0, and ranges of lines are half open, like ranges of bytes.
type source struct {
	text string
	// start[i] is the byte offset of line i. The last element is the length of the text.
	start []int
	// runes[i] is the number of characters before line i.
	runes []int
	// traits are the properties of each line, computed once, since lines may be long.
	traits []trait
	breaks []record.Break
	// comment begins a line comment in the file's language.
	comment string
	// depths[i] is one more than the depth of the break at line i, 0 if there is none. It is computed at its first use.
	depths []int
}

// A span is a range of lines, and the bytes of it that are shown: without the end of the last line, or part of one line
// that is too long.
type span struct {
	first, last int
	from, to    int
}

func newSource(f *record.File, comment string) *source {
	n := strings.Count(f.Text, "\n") + 1
	s := &source{text: f.Text, start: make([]int, 1, n+1), breaks: f.Breaks, comment: comment}
	for at := 0; ; {
		i := strings.IndexByte(f.Text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		s.start = append(s.start, at)
	}
	if s.start[len(s.start)-1] < len(f.Text) {
		s.start = append(s.start, len(f.Text))
	}
	s.runes = s.start
	if !isASCII(f.Text) {
		s.runes = make([]int, len(s.start))
		for i := range s.count() {
			s.runes[i+1] = s.runes[i] + utf8.RuneCountInString(s.line(i))
		}
	}
	s.traits = make([]trait, s.count())
	for i := range s.traits {
		s.traits[i] = s.traitsOf(s.line(i))
	}
	return s
}

// A trait is a set of bits with properties of a line.
type trait uint8

const (
	// blankLine: the line has nothing but white space.
	blankLine trait = 1 << iota
	// trivialLine: the line says nothing by itself. It is blank, has only punctuation, or is a word that closes a
	// block, such as "end".
	trivialLine
	// commentLine: the whole line looks like a comment.
	commentLine
)

func (s *source) traitsOf(line string) trait {
	line = strings.TrimSpace(line)
	if line == "" {
		return blankLine | trivialLine
	}
	var t trait
	if isClosing(line) || strings.IndexFunc(line, isWord) < 0 {
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

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// count returns the number of lines.
func (s *source) count() int { return len(s.start) - 1 }

// line returns line i with its end.
func (s *source) line(i int) string { return s.text[s.start[i]:s.start[i+1]] }

// size returns the number of characters in a range of lines.
func (s *source) size(first, last int) int { return s.runes[last] - s.runes[first] }

func (s *source) blank(i int) bool     { return s.traits[i]&blankLine != 0 }
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
		return word == "else" || strings.HasPrefix(word, "else ") || word == "endif" || strings.HasPrefix(word, "endif ")
	}
	name, found := strings.CutPrefix(line, "</")
	return found && strings.IndexByte(name, '>') == len(name)-1
}

func isWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
		r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// trim removes blank lines from both ends of a range.
func (s *source) trim(first, last int) (int, int) {
	for first < last && s.blank(first) {
		first++
	}
	for first < last && s.blank(last-1) {
		last--
	}
	return first, last
}

// span returns the span of whole lines.
func (s *source) span(first, last int) span {
	to := s.start[last]
	if to > s.start[first] && s.text[to-1] == '\n' {
		to--
		if to > s.start[first] && s.text[to-1] == '\r' {
			to--
		}
	}
	return span{first, last, s.start[first], to}
}

func (s *source) slice(p span) string { return s.text[p.from:p.to] }

// split cuts a range of lines into spans of at most limit characters, at breaks of the lowest depth that make the spans
// about equal. It leaves out blank lines at the cuts. It cuts a single line that exceeds the limit.
func (s *source) split(first, last, limit int) []span {
	var out []span
	for {
		first, last = s.trim(first, last)
		if first == last {
			return out
		}
		if s.size(first, last) <= limit {
			return append(out, s.span(first, last))
		}
		if s.size(first, first+1) > limit {
			for _, cut := range cutLine(s.slice(s.span(first, first+1)), limit, countRunes) {
				from := s.start[first]
				out = append(out, span{first, first + 1, from + cut[0], from + cut[1]})
			}
			first++
			continue
		}
		end := s.fit(first, last, limit)
		cut := s.bestCut(first, end, last, limit)
		a, b := s.trim(first, cut)
		out = append(out, s.span(a, b))
		first = cut
	}
}

// fit returns the greatest end such that the lines [first, end) have at most limit characters.
func (s *source) fit(first, last, limit int) int {
	return first + sort.Search(last-first, func(i int) bool { return s.size(first, first+i+1) > limit })
}

// bestCut returns the line in (first, end] at which to cut off the first span of the range that ends at last.
func (s *source) bestCut(first, end, last, limit int) int {
	total := s.size(first, last)
	want := total / ((total + limit - 1) / limit)
	low := max(first+1, s.fit(first, end, limit/3))
	best, bestRank, bestOff := end, -1, 0
	for at := low; at <= end; at++ {
		rank := s.rank(at)
		off := max(s.size(first, at)-want, want-s.size(first, at))
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
	if i == 0 || i >= s.count() {
		return 0
	}
	line := s.line(i)
	text := strings.TrimLeft(line, " \t")
	indent := min(len(line)-len(text), 1000)
	switch {
	case s.blank(i), s.blank(i - 1):
		return rankBlank + indent
	case strings.HasPrefix(text, "}"), strings.HasPrefix(text, ")"), strings.HasPrefix(text, "]"), strings.HasPrefix(text, "end"):
		return rankClosing + indent
	}
	return rankLine + indent
}

// depth returns one more than the depth of the break at line i, or 0.
func (s *source) depth(i int) int {
	if s.depths == nil {
		s.depths = make([]int, s.count()+1)
		for _, b := range s.breaks {
			at, depth := b.Line()-1, min(max(b.Depth(), 0), rankBlank-2)+1
			if at < 0 || at >= s.count() {
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

// A measure is the unit of a limit.
type measure bool

const (
	countRunes measure = false
	countBytes measure = true
)

// cutLine cuts a text into pieces of at most limit characters or bytes, between words where possible. limit is at least
// the size of a character.
func cutLine(text string, limit int, unit measure) [][2]int {
	weigh := func(s string) int {
		if unit == countBytes {
			return len(s)
		}
		return utf8.RuneCountInString(s)
	}
	var out [][2]int
	from, n := 0, 0
	for at := 0; at < len(text); {
		_, width := utf8.DecodeRuneInString(text[at:])
		weight := weigh(text[at : at+width])
		if n+weight > limit && n > 0 {
			cut := at
			for back := at; back > from+(at-from)*3/4; back-- {
				if !isIdentifierByte(text[back-1]) {
					cut = back
					break
				}
			}
			out = append(out, [2]int{from, cut})
			from, n = cut, weigh(text[cut:at])
		}
		at += width
		n += weight
	}
	if from < len(text) {
		out = append(out, [2]int{from, len(text)})
	}
	return out
}

// isIdentifierByte reports whether b is part of a word. All bytes beyond ASCII are, so that no character is cut.
func isIdentifierByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b >= utf8.RuneSelf
}

// withoutControls replaces control characters by spaces, so that a name or signature fits on one line.
func withoutControls(text string) string {
	if strings.IndexFunc(text, unicode.IsControl) < 0 {
		return text
	}
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsControl(r) || r == ' ' }), " ")
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
	return shorten.End(withoutControls(doc), limit)
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
		if !isWord(r) {
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

// distinct returns the distinct elements that are not empty, in the order of their first occurrence.
func distinct(list []string) []string {
	var out []string
	for _, s := range list {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// lineAt returns the line that contains byte offset at.
func (s *source) lineAt(at int) int {
	return min(max(sort.SearchInts(s.start, at+1)-1, 0), s.count()-1)
}

// lineAfter returns the first line that begins at byte offset at or later.
func (s *source) lineAfter(at int) int {
	return min(sort.SearchInts(s.start, at), s.count())
}
