package expression

import (
	"strings"

	"cortex/lib/parse/lexical"
)

// open returns the offset of the bracket that matches the one before r.end, -1 if the text does not have it.
func (r *backward) open() int {
	depth := 0
	for i := r.end - 1; i >= 0; i-- {
		switch c := r.text[i]; c {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'', '`':
			if j := quoteOpen(r.text, i); j >= 0 {
				i = j
			}
		}
	}
	return -1
}

// quoteOpen returns the start of the string literal that ends at i, or -1. An apostrophe that is no quote, as in a
// lifetime, has no other before it on its line.
func quoteOpen(text string, i int) int {
	q := text[i]
	for j := i - 1; j >= 0; j-- {
		if text[j] == '\n' && q != '`' {
			return -1
		}
		if text[j] != q {
			continue
		}
		slashes := 0
		for k := j - 1; k >= 0 && text[k] == '\\'; k-- {
			slashes++
		}
		if slashes%2 == 0 {
			return j
		}
	}
	return -1
}

// openAngle returns the offset of the "<" that matches the ">" before r.end, or -1. Arguments may be negative numbers
// and characters, as in one<-1, '+'>.
func (r *backward) openAngle() int {
	depth := 0
	for i := r.end - 1; i >= 0; i-- {
		switch c := r.text[i]; {
		case c == '>' && i > 0 && (r.text[i-1] == '-' || r.text[i-1] == '='):
			i--
		case c == '>':
			depth++
		case c == '<':
			if depth--; depth == 0 {
				return i
			}
		case c == '\'' && i > 1 && r.text[i-2] == '\'':
			i -= 2
		case c == '\'' && i > 2 && r.text[i-2] == '\\' && r.text[i-3] == '\'':
			i -= 3
		case c == '-' && lexical.IsDigit(r.text[i+1]):
		case !IsNameByte(c) && !lexical.IsSpace(c) && strings.IndexByte(".,:&*?[]()'|", c) < 0:
			return -1
		}
	}
	return -1
}

// matching returns the index of the bracket that closes the one at the start of s, or -1.
func matching(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// closeAngle returns the index of the ">" that closes the "<" at the start of s, or -1.
func closeAngle(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '<':
			depth++
		case '>':
			if i > 0 && (s[i-1] == '-' || s[i-1] == '=') {
				continue
			}
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// listed returns "<A,B>" for type arguments or the parts of a tuple, which read converts, with empty text for unknown
// ones; "" if all are unknown.
func listed(text string, read func(string) string) string {
	var b strings.Builder
	known := false
	for n := 0; n < maxArguments && text != ""; n++ {
		arg := text
		if i := TopComma(text); i >= 0 {
			arg, text = text[:i], text[i+1:]
		} else {
			text = ""
		}
		if n > 0 {
			b.WriteByte(',')
		}
		if name := read(arg); name != "" {
			known = true
			b.WriteString(name)
		}
	}
	if !known {
		return ""
	}
	return "<" + b.String() + ">"
}

// TopComma returns the index of the first comma in s outside of brackets and strings, or -1.
func TopComma(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}':
			depth--
		case '>':
			if i == 0 || s[i-1] != '-' && s[i-1] != '=' {
				depth--
			}
		case '"', '\'', '`':
			if n := strings.IndexByte(s[i+1:], s[i]); n >= 0 {
				i += n + 1
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}
