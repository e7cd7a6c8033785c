// Package lines gives the text of a file by lines, with their sizes, and cuts long lines between words.
//
// Lines count from 0, and ranges of lines are half open, like ranges of bytes. Sizes are in characters.
package lines

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A File is the text of a file by lines.
type File struct {
	Text string
	// Start[i] is the byte offset of line i. The last element is the length of the text.
	Start []int
	// runes[i] is the number of characters before line i.
	runes []int
	// blank says of each line whether it has nothing but white space. It is computed once, since lines may be long.
	blank []bool
}

// A Span is a range of lines, and the bytes of it that are shown: without the end of the last line, or part of one line
// that is too long.
type Span struct {
	First, Last int
	From, To    int
}

// New divides a text into lines.
func New(text string) *File {
	n := strings.Count(text, "\n") + 1
	f := &File{Text: text, Start: make([]int, 1, n+1)}
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		f.Start = append(f.Start, at)
	}
	if f.Start[len(f.Start)-1] < len(text) {
		f.Start = append(f.Start, len(text))
	}
	f.runes = f.Start
	if !isASCII(text) {
		f.runes = make([]int, len(f.Start))
		for i := range f.Count() {
			f.runes[i+1] = f.runes[i] + utf8.RuneCountInString(f.Line(i))
		}
	}
	f.blank = make([]bool, f.Count())
	for i := range f.blank {
		f.blank[i] = strings.TrimSpace(f.Line(i)) == ""
	}
	return f
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Count returns the number of lines.
func (f *File) Count() int { return len(f.Start) - 1 }

// Line returns line i with its end.
func (f *File) Line(i int) string { return f.Text[f.Start[i]:f.Start[i+1]] }

// LineAt returns the line that contains byte offset at.
func (f *File) LineAt(at int) int {
	return min(max(sort.SearchInts(f.Start, at+1)-1, 0), f.Count()-1)
}

// LineAfter returns the first line that begins at byte offset at or later.
func (f *File) LineAfter(at int) int {
	return min(sort.SearchInts(f.Start, at), f.Count())
}

// Size returns the number of characters in a range of lines.
func (f *File) Size(first, last int) int { return f.runes[last] - f.runes[first] }

// Blank reports whether line i has nothing but white space.
func (f *File) Blank(i int) bool { return f.blank[i] }

// Trim removes blank lines from both ends of a range.
func (f *File) Trim(first, last int) (int, int) {
	for first < last && f.Blank(first) {
		first++
	}
	for first < last && f.Blank(last-1) {
		last--
	}
	return first, last
}

// Span returns the span of whole lines.
func (f *File) Span(first, last int) Span {
	to := f.Start[last]
	if to > f.Start[first] && f.Text[to-1] == '\n' {
		to--
		if to > f.Start[first] && f.Text[to-1] == '\r' {
			to--
		}
	}
	return Span{first, last, f.Start[first], to}
}

// Slice returns the text that a span shows.
func (f *File) Slice(p Span) string { return f.Text[p.From:p.To] }

// A Measure is the unit of a limit.
type Measure bool

// The units.
const (
	Runes Measure = false
	Bytes Measure = true
)

// Cut cuts a text into pieces of at most limit characters or bytes, between words where possible. limit is at least
// the size of a character.
func Cut(text string, limit int, unit Measure) [][2]int {
	weigh := func(s string) int {
		if unit == Bytes {
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
				if !IsWordByte(text[back-1]) {
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

// IsWordByte reports whether b is part of a word. All bytes beyond ASCII are, so that no character is cut.
func IsWordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b >= utf8.RuneSelf
}

// IsWord reports whether a character is a letter or a digit.
func IsWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
		r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
