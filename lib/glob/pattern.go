package glob

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// Bounds of patterns. Each byte of a path costs one step for every 64 states of a Set. With maxStates, matching a path
// of 100 bytes takes some 50 µs.
const (
	// MaxLength is the longest pattern, in bytes.
	MaxLength = 1 << 10
	// maxStates bounds all patterns of a Set together: their bytes, counted once for each expansion of braces. maxForms
	// bounds a single pattern in the same way.
	maxStates = 32 << 10
	maxForms  = maxStates / 4
)

// A Pattern is a checked pattern over whole paths with slashes:
//
//   - any characters but a slash
//     ?        one character that is not a slash
//     **       as a whole component, any number of components, none too: a/** matches a and all below it
//     [a-z]    one of these ASCII characters, [!a-z] or [^a-z] any other that is not a slash
//     {a,b}    a or b, which may be patterns themselves, slashes included
//     \*       the character itself
type Pattern struct {
	// forms are the expansions of the braces.
	forms []string
}

// Errors of patterns. The caller prefixes the pattern, so that a sentence results.
var (
	errNotValid = errors.New("is not a valid glob")
	errTooLong  = errors.New("is longer than 1024 bytes")
	errTooMany  = errors.New("has too many alternatives")
	errNotASCII = errors.New("has other than ASCII characters in brackets; write {ä,ö} instead of [äö]")
	errNotUTF8  = errors.New("is not UTF-8")
	errTogether = errors.New("are too many or too long")
)

// Parse checks and expands a pattern.
func Parse(text string) (Pattern, error) {
	switch {
	case len(text) > MaxLength:
		return Pattern{}, errTooLong
	case !utf8.ValidString(text):
		return Pattern{}, errNotUTF8
	}
	x := expansion{}
	if err := x.expand("", text); err != nil {
		return Pattern{}, err
	}
	return Pattern{x.forms}, nil
}

// NewSet returns a Set of patterns, numbered from 0. It returns an error if the patterns are too large together.
func NewSet(patterns ...Pattern) (*Set, error) {
	var b builder
	for i, p := range patterns {
		for _, form := range p.forms {
			b.pattern(i, form)
			if len(b.states) > maxStates {
				return nil, errTogether
			}
		}
	}
	return b.set(), nil
}

// Compile parses patterns and returns their Set.
func Compile(texts ...string) (*Set, error) {
	var patterns []Pattern
	for _, text := range texts {
		p, err := Parse(text)
		if err != nil {
			return nil, err
		}
		patterns = append(patterns, p)
	}
	return NewSet(patterns...)
}

// An expansion expands the braces of one pattern.
type expansion struct {
	forms []string
	// size is the size of the forms in bytes, work the number of bytes examined.
	size, work int
}

// maxWork suffices for maxForms with several levels of nested braces.
const maxWork = 32 * maxForms

// expand adds the expansions of before followed by after. before has no braces.
func (x *expansion) expand(before, after string) error {
	if x.work += len(before) + len(after) + 1; x.work > maxWork {
		return errTooMany
	}
	open, err := findAny(after, "{}")
	if err != nil {
		return err
	}
	if open < 0 {
		form := join(before, after)
		if x.size += len(form) + 1; x.size > maxForms {
			return errTooMany
		}
		x.forms = append(x.forms, form)
		return checkForm(form)
	}
	if after[open] == '}' {
		return errNotValid
	}
	before, inside := join(before, after[:open]), after[open+1:]
	var parts []string
	for depth, start, at := 0, 0, 0; ; at++ {
		next, err := findAny(inside[at:], "{,}")
		if err != nil {
			return err
		}
		if next < 0 {
			return errNotValid
		}
		at += next
		switch c := inside[at]; {
		case c == '{':
			depth++
		case c == '}' && depth > 0:
			depth--
		case depth == 0:
			parts = append(parts, inside[start:at])
			start = at + 1
			if c == '}' {
				inside = inside[start:]
				for _, part := range parts {
					if err := x.expand(before, join(part, inside)); err != nil {
						return err
					}
				}
				return nil
			}
		}
	}
}

// join joins the texts on both sides of a brace. Two stars that meet get a third between them: three stars mean one,
// while two would match across folders.
func join(before, after string) string {
	if strings.HasSuffix(before, "*") && strings.HasPrefix(after, "*") {
		return before + "*" + after
	}
	return before + after
}

// findAny returns the index of the first character in chars that is neither escaped nor in brackets, or -1.
func findAny(text, chars string) (int, error) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '[':
			end, _, err := class(text[i:])
			if err != nil {
				return 0, err
			}
			i += end - 1
		case strings.IndexByte(chars, c) >= 0:
			return i, nil
		}
	}
	return -1, nil
}

// checkForm returns an error for an invalid pattern without braces.
func checkForm(form string) error {
	for i := 0; i < len(form); i++ {
		switch form[i] {
		case '\\':
			if i++; i == len(form) {
				return errNotValid
			}
		case '[':
			end, _, err := class(form[i:])
			if err != nil {
				return err
			}
			i += end - 1
		}
	}
	return nil
}

// class parses the brackets at the start of text, and returns their end and the matching bytes.
func class(text string) (end int, in byteSet, err error) {
	i := 1
	not := i < len(text) && (text[i] == '!' || text[i] == '^')
	if not {
		i++
	}
	char := func() (byte, bool) {
		if i < len(text) && text[i] == '\\' {
			i++
		}
		if i >= len(text) {
			return 0, false
		}
		i++
		return text[i-1], true
	}
	var set byteSet
	for first := true; ; first = false {
		if i < len(text) && text[i] == ']' {
			if first {
				return 0, set, errNotValid
			}
			break
		}
		low, ok := char()
		high := low
		if ok && i+1 < len(text) && text[i] == '-' && text[i+1] != ']' {
			i++
			high, ok = char()
		}
		if !ok {
			return 0, set, errNotValid
		}
		if low >= utf8.RuneSelf || high >= utf8.RuneSelf {
			return 0, set, errNotASCII
		}
		for c := int(low); c <= int(high); c++ {
			set.add(byte(c))
		}
	}
	return i + 1, bytesWhere(func(c byte) bool {
		return c != '/' && utf8.RuneStart(c) && set.has(c) != not
	}), nil
}

// pattern adds a checked form.
func (b *builder) pattern(owner int, form string) {
	b.begin(owner)
	for i := 0; i < len(form); {
		whole := i == 0 || form[i-1] == '/'
		switch c := form[i]; {
		case whole && form[i:] == "**":
			b.here().all = true
			i += 2
		case whole && strings.HasPrefix(form[i:], "**/"):
			b.here().waits = true
			i += 3
		case form[i:] == "/**":
			// The pattern matches the folder itself and everything below it.
			b.end()
			b.literal("/")
			i++
		case c == '*':
			b.here().star = true
			i++
		case c == '?':
			b.pass(bytesWhere(func(c byte) bool { return c != '/' && utf8.RuneStart(c) }))
			b.here().rest = true
			i++
		case c == '[':
			end, in, _ := class(form[i:])
			b.pass(in)
			b.here().rest = true
			i += end
		case c == '\\':
			b.literal(form[i+1 : i+2])
			i += 2
		default:
			b.literal(form[i : i+1])
			i++
		}
	}
	b.end()
}
