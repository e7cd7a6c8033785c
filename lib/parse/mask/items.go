package mask

import (
	"strings"

	"cortex/lib/parse/lexical"
)

// PlainItems turns what stands for items in the arguments of macros of Rust into items that the grammar can parse. Only
// text directly in the braces of a macro call changes:
//
//   - "if #[cfg(a)] { items } else { items }", as in cfg_if!, loses all but its items,
//   - "struct A: u8 { const B = 1; }", as in bitflags!, becomes an enum,
//   - "fn f(a in values)", as in proptest!, has parameters with types.
//
// The result has the same length.
func PlainItems(text string) string {
	if !strings.Contains(text, "!{") && !strings.Contains(text, "! {") {
		return text
	}
	r := items{overlay: overlay{text: text}}
	for r.pos < len(text) {
		r.next()
	}
	return r.result()
}

// place says what stands directly in a pair of brackets.
type place int8

const (
	otherPlace  place = iota
	callItems         // in the braces of a macro call: items, perhaps
	branchItems       // in a branch of a condition there, whose braces are blanked
	flagItems         // in the braces of a struct of flags
	parameters        // in the parentheses of a function
)

// items has the state of PlainItems: it reads the tokens of a text.
type items struct {
	overlay
	pos int
	// before and earlier are the last two tokens.
	before, earlier string
	// open has the places around pos, the innermost last.
	open []place
	// values is the start of the values of a parameter that are read, 0 if none are; arguments is the number of
	// angle brackets open in them.
	values, arguments int
}

// maxItemsHead is the length of the longest attribute or type that is read in the head of an item.
const maxItemsHead = 1000

// next reads one token.
func (r *items) next() {
	start := r.skip(r.pos)
	if start >= len(r.text) {
		r.pos = start
		return
	}
	end := r.tokenEnd(start)
	token := r.text[start:end]
	r.pos = end
	in := r.innermost()
	switch token {
	case "if":
		if open := r.branch(end); open > 0 && (in == callItems || in == branchItems) {
			r.enterBranch(start, open)
			return
		}
	case "struct":
		if in == callItems || in == branchItems {
			r.flags(start, end)
		}
	case "const":
		if in == flagItems {
			r.blank(start, end)
		}
	case "_":
		// A flag without a name
		if n := strings.IndexByte(r.text[end:min(end+maxItemsHead, len(r.text))], ';'); in == flagItems && n >= 0 {
			r.blank(start, end+n+1)
			r.pos = end + n + 1
		}
	case ";":
		if in == flagItems {
			r.replace(start, end, ",")
		}
	case "in":
		if in == parameters && r.values == 0 {
			r.replace(start, end, ":!")
			r.values, r.arguments = end, 0
		}
	case "<":
		if in == parameters && (r.before == ":" || r.arguments > 0) {
			r.arguments++
		}
	case ">":
		if in == parameters && r.arguments > 0 && r.before != "-" {
			r.arguments--
		}
	case ",":
		if in == parameters && r.arguments == 0 {
			r.endValues(start)
		}
	case "{", "(", "[":
		r.open = append(r.open, r.opened(token))
	case "}", ")", "]":
		if r.close(start) {
			return
		}
	}
	r.earlier, r.before = r.before, token
}

func (r *items) innermost() place {
	if len(r.open) == 0 {
		return otherPlace
	}
	return r.open[len(r.open)-1]
}

// opened returns the place that a bracket opens.
func (r *items) opened(bracket string) place {
	switch in := r.innermost(); {
	case bracket == "{" && r.before == "!":
		return callItems
	case bracket == "(" && r.earlier == "fn" && (in == callItems || in == branchItems):
		return parameters
	}
	return otherPlace
}

// close leaves the place that the bracket at start closes. It reports whether it has read the words behind it too.
func (r *items) close(start int) bool {
	in := r.innermost()
	r.open = r.open[:max(0, len(r.open)-1)]
	switch in {
	case parameters:
		r.endValues(start)
	case branchItems:
		r.blank(start, start+1)
		next := r.skip(start + 1)
		if !strings.HasPrefix(r.text[next:], "else") {
			break
		}
		end := next + len("else")
		open := r.skip(end)
		switch {
		case strings.HasPrefix(r.text[open:], "{"):
			r.enterBranch(next, open)
			return true
		case strings.HasPrefix(r.text[open:], "if") && r.branch(open+len("if")) > 0:
			r.enterBranch(next, r.branch(open+len("if")))
			return true
		}
	}
	return false
}

// enterBranch blanks the head of a branch from start to its opening brace at open, and enters it.
func (r *items) enterBranch(start, open int) {
	r.blank(start, open+1)
	r.open = append(r.open, branchItems)
	r.earlier, r.before, r.pos = "", "", open+1
}

// branch returns the offset of the brace behind the attribute at pos; 0 if there is none.
func (r *items) branch(pos int) int {
	pos = r.skip(pos)
	if !strings.HasPrefix(r.text[pos:], "#[") {
		return 0
	}
	depth := 0
	for limit := min(len(r.text), pos+maxItemsHead); pos < limit; {
		switch r.text[pos] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				if pos = r.skip(pos + 1); strings.HasPrefix(r.text[pos:], "{") {
					return pos
				}
				return 0
			}
		}
		pos = r.skip(r.tokenEnd(pos))
	}
	return 0
}

// flags makes an enum of the struct whose keyword is from start to end, if a type instead of fields is behind its name.
func (r *items) flags(start, end int) {
	name := r.skip(end)
	if name == len(r.text) || !isWordByte(r.text[name]) {
		return
	}
	colon := r.skip(r.tokenEnd(name))
	if !strings.HasPrefix(r.text[colon:], ":") {
		return
	}
	n := strings.IndexAny(r.text[colon:min(colon+maxItemsHead, len(r.text))], "{;()")
	if n < 0 || r.text[colon+n] != '{' {
		return
	}
	r.replace(start, end, "enum  ")
	r.blank(colon, colon+n)
	r.open = append(r.open, flagItems)
	r.pos = colon + n + 1
}

// endValues blanks the values of a parameter up to end.
func (r *items) endValues(end int) {
	if r.values > 0 {
		r.blank(r.values, end)
	}
	r.values = 0
}

// skip returns the start of the next token behind blanks and comments.
func (r *items) skip(pos int) int {
	for pos < len(r.text) {
		rest := r.text[pos:]
		switch {
		case lexical.IsSpace(rest[0]):
			pos++
		case strings.HasPrefix(rest, "//"):
			pos, _ = lexical.NextLine(r.text, pos)
		case strings.HasPrefix(rest, "/*"):
			pos = r.commentEnd(pos)
		default:
			return pos
		}
	}
	return pos
}

// commentEnd returns the end of the block comment at pos, which may have others inside.
func (r *items) commentEnd(pos int) int {
	for depth := 0; pos+1 < len(r.text); pos++ {
		switch r.text[pos : pos+2] {
		case "/*":
			depth++
			pos++
		case "*/":
			pos++
			if depth--; depth == 0 {
				return pos + 1
			}
		}
	}
	return len(r.text)
}

// tokenEnd returns the end of the word, number, literal or other character at pos.
func (r *items) tokenEnd(pos int) int {
	c := r.text[pos]
	switch {
	case c == '"':
		return r.stringEnd(pos)
	case c == '\'':
		return r.characterEnd(pos)
	case !isWordByte(c):
		return pos + 1
	}
	end := pos
	for end < len(r.text) && isWordByte(r.text[end]) {
		end++
	}
	if word := r.text[pos:end]; word == "r" || word == "br" || word == "cr" {
		if closing := r.rawEnd(end); closing > 0 {
			return closing
		}
	}
	return end
}

// stringEnd returns the end of the string whose quote is at pos.
func (r *items) stringEnd(pos int) int {
	for pos++; pos < len(r.text); pos++ {
		switch r.text[pos] {
		case '\\':
			pos++
		case '"':
			return pos + 1
		}
	}
	return len(r.text)
}

// characterEnd returns the end of the character literal at pos, or of the quote if it begins a lifetime.
func (r *items) characterEnd(pos int) int {
	const maxCharacter = len(`'\u{10FFFF}'`)
	rest := r.text[pos:min(pos+maxCharacter, len(r.text))]
	from := 1
	if strings.HasPrefix(rest, `'\`) {
		from = 3
	}
	if from >= len(rest) {
		return pos + 1
	}
	n := strings.IndexByte(rest[from:], '\'')
	if n < 0 || from == 1 && (n == 0 || n > 4 || n > 1 && rest[1] < 0x80) {
		return pos + 1
	}
	return pos + from + n + 1
}

// rawEnd returns the end of the raw string whose hashes begin at pos; 0 if there is none.
func (r *items) rawEnd(pos int) int {
	quote := pos
	for quote < len(r.text) && r.text[quote] == '#' {
		quote++
	}
	if quote == len(r.text) || r.text[quote] != '"' {
		return 0
	}
	closing := `"` + r.text[pos:quote]
	n := strings.Index(r.text[quote+1:], closing)
	if n < 0 {
		return len(r.text)
	}
	return quote + 1 + n + len(closing)
}

// replace writes s, of the same length, over the text from start to end.
func (r *items) replace(start, end int, s string) {
	copy(r.bytes()[start:end], s)
}
