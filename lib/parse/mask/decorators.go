package mask

import "strings"

// PlainDecorators returns a text of TypeScript or JavaScript, of the same length, in which a decorator is a name or one
// call: the grammar parses no chain such as @Returns(200, Array).Of(User).Groups("all"), and takes the name at its end for a
// method. The arguments of all calls become those of the first one, so that the names in them are still found:
// @Returns(200, Array,    User,        "all").
func PlainDecorators(text string) string {
	if strings.IndexByte(text, '@') < 0 {
		return text
	}
	d := decorators{overlay: overlay{text: text}, steps: maskSteps*len(text) + maskStepsBase}
	for pos := 0; pos < len(text); {
		if text[pos] == '@' && (pos == 0 || !inWord(text[pos-1])) {
			d.decorator(pos + 1)
		}
		pos = d.tokenEnd(pos, 0)
	}
	return d.result()
}

type decorators struct {
	overlay
	// before is the last byte of the last token that is not a comment.
	before byte
	// steps is the number of bytes that may still be read to find the ends of brackets, strings and regular expressions.
	steps int
}

// A span is a part of the text, from the offset start to the offset end.
type span struct{ start, end int }

// decorator rewrites the chain of the decorator whose expression begins at pos, if there is one.
func (d *decorators) decorator(pos int) {
	at := d.skip(pos)
	if at < len(d.text) && d.text[at] == '(' {
		end, ok := d.bracketsEnd(at)
		inside := d.skip(at + 1)
		if !ok || d.nameEnd(inside) == inside {
			return
		}
		if calls, links, behind := d.chain(inside); behind == end-1 && len(calls) > 0 {
			d.put(at, ' ')
			d.join(calls, links, end)
		}
		return
	}
	if calls, links, _ := d.chain(at); len(calls) > 1 || len(links) > 0 {
		end := calls[len(calls)-1].end
		if len(links) > 0 {
			end = max(end, links[len(links)-1].end)
		}
		d.join(calls, links, end)
	}
}

// chain reads the chain of names and calls at pos. It returns the parentheses of the calls, what stands between two calls or
// behind the last one, and the position of what follows the chain. There are no calls if one of them does not end.
func (d *decorators) chain(pos int) (calls, links []span, next int) {
	for behind := d.nameEnd(pos); ; {
		next = d.skip(behind)
		switch d.at(next) {
		case '.':
			name := d.skip(next + 1)
			if end := d.nameEnd(name); end > name {
				behind = end
				if len(calls) > 0 {
					links = append(links, span{next, end})
				}
				continue
			}
		case '<':
			if end := d.typesEnd(next); d.at(end) == '(' {
				behind = end
				if len(calls) > 0 {
					links = append(links, span{next, end})
				}
				continue
			}
		case '(':
			end, ok := d.bracketsEnd(next)
			if !ok {
				return nil, nil, next
			}
			calls = append(calls, span{next, end})
			behind = end
			continue
		}
		return calls, links, next
	}
}

// join makes one call of the calls of a chain, which ends at end, as it did, so that the decorator has the same span.
func (d *decorators) join(calls, links []span, end int) {
	for _, s := range links {
		d.blank(s.start, s.end)
	}
	for i := 1; i < len(calls); i++ {
		before := calls[i-1]
		arguments := strings.TrimRight(d.text[before.start+1:before.end-1], " \t\r\n")
		d.put(before.end-1, ' ')
		if arguments != "" && !strings.HasSuffix(arguments, ",") {
			d.put(before.end-1, ',')
		}
		d.put(calls[i].start, ' ')
	}
	d.put(calls[len(calls)-1].end-1, ' ')
	d.put(end-1, ')')
}

// maxTypes is the length in bytes of the longest type arguments that typesEnd reads.
const maxTypes = 400

// typesEnd returns the end of the type arguments at pos, pos if there are none.
func (d *decorators) typesEnd(pos int) int {
	depth := 0
	for at := pos; at < min(len(d.text), pos+maxTypes); at++ {
		switch c := d.text[at]; {
		case c == '<':
			depth++
		case c == '>':
			if depth--; depth == 0 {
				return at + 1
			}
		case !inWord(c) && strings.IndexByte(" .,|&[]'\"$", c) < 0:
			return pos
		}
	}
	return pos
}

// put sets a byte of the result; line ends stay.
func (d *decorators) put(pos int, c byte) { d.fill(pos, pos+1, c) }

// at returns the byte at pos, 0 at the end.
func (d *decorators) at(pos int) byte {
	if pos < len(d.text) {
		return d.text[pos]
	}
	return 0
}

// nameEnd returns the end of the name at pos.
func (d *decorators) nameEnd(pos int) int {
	for pos < len(d.text) && (inWord(d.text[pos]) || d.text[pos] == '$' || d.text[pos] == '#' || d.text[pos] >= 0x80) {
		pos++
	}
	return pos
}

// skip returns the position behind blanks, line ends and comments.
func (d *decorators) skip(pos int) int {
	for pos < len(d.text) {
		switch c := d.text[pos]; {
		case isBlank(c) || c == '\n' || c == '\r':
			pos++
		case c == '/' && (d.at(pos+1) == '/' || d.at(pos+1) == '*'):
			pos = d.commentEnd(pos)
		default:
			return pos
		}
	}
	return pos
}

// bracketsEnd returns the position behind the bracket that closes the one at pos; false if there is none or steps are
// used up.
func (d *decorators) bracketsEnd(pos int) (int, bool) {
	before := d.before
	defer func() { d.before = before }()
	depth := 0
	for at := pos; at < len(d.text) && d.steps > 0; {
		switch d.text[at] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return at + 1, true
			}
		}
		end := d.tokenEnd(at, 0)
		d.steps -= end - at
		at = end
	}
	return pos, false
}

// maxTemplates bounds the nesting of templates that are read.
const maxTemplates = 8

// tokenEnd returns the end of the comment, string, template, regular expression, name or byte at pos, in templates at the
// given depth.
func (d *decorators) tokenEnd(pos, depth int) int {
	c := d.text[pos]
	end := pos + 1
	switch {
	case isBlank(c) || c == '\n' || c == '\r':
		return end
	case c == '/' && (d.at(end) == '/' || d.at(end) == '*'):
		return d.commentEnd(pos)
	case c == '"' || c == '\'':
		end = d.lineEnd(pos, c)
	case c == '`' && depth < maxTemplates:
		end = d.templateEnd(pos, depth)
	case c == '/' && strings.IndexByte("(,=:[!&|?{};+-*%~^\x00", d.before) >= 0:
		end = d.lineEnd(pos, c)
	case d.nameEnd(pos) > pos:
		end = d.nameEnd(pos)
	}
	d.before = d.text[end-1]
	return end
}

func (d *decorators) commentEnd(pos int) int {
	closes := "\n"
	if d.text[pos+1] == '*' {
		closes = "*/"
	}
	n := strings.Index(d.text[pos+2:], closes)
	if n < 0 {
		return len(d.text)
	}
	return pos + 2 + n + len(closes)
}

// lineEnd returns the end of the string or regular expression at pos, which ends with quote in its line; pos + 1 if there is
// no such end.
func (d *decorators) lineEnd(pos int, quote byte) int {
	class := false // within [...] of a regular expression
	for at := pos + 1; at < len(d.text) && d.text[at] != '\n' && d.steps > 0; at++ {
		d.steps--
		switch c := d.text[at]; {
		case c == '\\' && d.at(at+1) != '\n':
			at++
		case c == quote && !class:
			return at + 1
		case quote == '/' && (c == '[' || c == ']'):
			class = c == '['
		}
	}
	return pos + 1
}

// templateEnd returns the end of the template at pos.
func (d *decorators) templateEnd(pos, depth int) int {
	open := 0 // braces that are open in ${}
	for at := pos + 1; at < len(d.text); {
		switch c := d.text[at]; {
		case open == 0 && c == '\\':
			at += 2
			continue
		case open == 0 && c == '`':
			return at + 1
		case open == 0 && c == '$' && d.at(at+1) == '{':
			open, d.before = 1, '{'
			at += 2
			continue
		case open == 0:
			at++
			continue
		case c == '{':
			open++
		case c == '}':
			open--
		}
		at = d.tokenEnd(at, depth+1)
	}
	return len(d.text)
}
