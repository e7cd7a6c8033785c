// Package lexical has helpers for packages that read text: classes of bytes, lines, spans and names.
package lexical

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxName is the length in bytes of the longest text that counts as a name.
const MaxName = 500

// A Span is a half-open range of byte offsets. The zero Span means none.
type Span struct{ Start, End int }

// Contains reports whether o lies within s.
func (s Span) Contains(o Span) bool { return s.Start <= o.Start && o.End <= s.End }

// Join returns the smallest span that contains both.
func (s Span) Join(o Span) Span {
	if s.End == 0 {
		return o
	}
	if o.End == 0 {
		return s
	}
	return Span{min(s.Start, o.Start), max(s.End, o.End)}
}

// ByStart compares spans by start, then by end.
func ByStart(a, b Span) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) }

// LineStarts returns the byte offset of each line.
func LineStarts(text string) []int { return AppendLineStarts(nil, text) }

// AppendLineStarts appends the byte offset of each line of text to starts.
func AppendLineStarts(starts []int, text string) []int {
	starts = append(slices.Grow(starts, 1+strings.Count(text, "\n")), 0)
	for i := 0; ; {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			return starts
		}
		i += n + 1
		starts = append(starts, i)
	}
}

// NextLine returns the end of the line at start, before its line end, and the start of the next line.
func NextLine(text string, start int) (end, next int) {
	i := strings.IndexByte(text[start:], '\n')
	if i < 0 {
		return len(text), len(text)
	}
	end, next = start+i, start+i+1
	if end > start && text[end-1] == '\r' {
		end--
	}
	return end, next
}

// IsSpace reports whether c is white space, including line ends.
func IsSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// IsUpper reports whether the name begins with a capital.
func IsUpper(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// IsConstantCase reports whether name is written LIKE_THIS.
func IsConstantCase(name string) bool {
	letter := false
	for i := range len(name) {
		switch c := name[i]; {
		case 'A' <= c && c <= 'Z':
			letter = true
		case c == '_' || '0' <= c && c <= '9':
		default:
			return false
		}
	}
	return letter
}

// IsDigit reports whether c is an ASCII digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// Unquote returns s without the quotes around it.
func Unquote(s string) string {
	if strings.HasPrefix(s, `@"`) {
		s = s[1:] // Zig: a name that is no identifier
	}
	if n := len(s); n >= 2 && s[n-1] == s[0] && strings.ContainsRune("\"'`", rune(s[0])) {
		return s[1 : n-1]
	}
	return s
}
