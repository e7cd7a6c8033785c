package expression

import (
	"strings"

	"cortex/lib/parse/lexical"
)

// Selector returns the selector of Objective-C whose first label begins text, such as add:to: for "add:(int)n to:x", and
// the number of bytes read: up to a closing bracket without partner or the end. A ":" without a label is a part of it.
func Selector(text string) (selector string, read int) {
	end := 0
	for end < len(text) && IsNameByte(text[end]) {
		end++
	}
	var labels strings.Builder
	word, depth, conditions := 0, 0, 0 // word is the start of the word that ends at i
	i := 0
	for ; i < len(text) && depth >= 0; i++ {
		c := text[i]
		if IsNameByte(c) {
			continue
		}
		switch {
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == '"' || c == '\'':
			i = literalEnd(text, i) - 1
		case strings.HasPrefix(text[i:], "//"):
			i += lineEnd(text[i:]) - 1
		case strings.HasPrefix(text[i:], "/*"):
			if n := strings.Index(text[i+2:], "*/"); n >= 0 {
				i += n + len("/*") + len("*/") - 1
			}
		case depth > 0:
		case c == '?':
			conditions++
		case c == ':' && conditions > 0:
			conditions--
		case c == ':' && labels.Len() < lexical.MaxName:
			labels.WriteString(labelBefore(text[:i], word))
			labels.WriteByte(':')
		}
		word = i + 1
	}
	if labels.Len() == 0 || labels.Len() > lexical.MaxName {
		return text[:end], i
	}
	return labels.String(), i
}

// labelBefore returns the label at the end of text, whose last word begins at word. With blanks behind it, a word is a label if
// it is the first one or follows another word, as in "add : a to : b", and not the argument x in "add:x :y".
func labelBefore(text string, word int) string {
	trimmed := strings.TrimRight(text, " \t\r\n")
	if word < len(text) || len(trimmed) == len(text) {
		return text[word:]
	}
	start := len(trimmed)
	for start > 0 && IsNameByte(trimmed[start-1]) {
		start--
	}
	before := strings.TrimRight(trimmed[:start], " \t\r\n")
	if before == "" || len(before) < start && strings.IndexByte(":)", before[len(before)-1]) < 0 {
		return trimmed[start:]
	}
	return ""
}

func lineEnd(text string) int {
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		return n
	}
	return len(text)
}

// literalEnd returns the end of the string or character that begins at i, at most the end of its line.
func literalEnd(text string, i int) int {
	quote := text[i]
	for i++; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return min(i, len(text))
}

// Message splits a message of Objective-C without its brackets, such as "shelf add:x": it returns the text of the
// receiver, and that from the first label on. ok is false if text is no message.
func Message(text string) (receiver, rest string, ok bool) {
	text = strings.TrimSpace(text)
	i := 0
	for i < len(text) {
		switch c := text[i]; {
		case c == '(' || c == '[' || c == '{':
			n := matching(text[i:])
			if n < 0 {
				return "", "", false
			}
			i += n + 1
			if c == '(' && i < len(text) && IsNameByte(text[i]) && text[0] == '(' {
				continue // a cast
			}
		case c == '"':
			i = literalEnd(text, i)
		case IsNameByte(c) || c == '.':
			i++
		case strings.HasPrefix(text[i:], "->"):
			i += len("->")
		default:
			rest = strings.TrimSpace(text[i:])
			return text[:i], rest, i > 0 && rest != "" && IsNameByte(rest[0]) && !lexical.IsDigit(rest[0])
		}
		if i < len(text) && i > 0 && (text[i-1] == ']' || text[i-1] == ')') && IsNameByte(text[i]) {
			return text[:i], text[i:], true
		}
	}
	return "", "", false
}

// message returns the expression of a message without its brackets; "" if text is none.
func (g *Reader) message(text string, depth int) string {
	receiver, rest, ok := Message(text)
	if !ok || depth > MaxParentheses {
		return ""
	}
	inner := backward{Reader: g, text: receiver, end: len(receiver), whole: true}
	s := inner.read(depth + 1)
	if s == "" {
		s = Omitted
	}
	selector, _ := Selector(rest)
	return s + "." + selector + "()"
}
