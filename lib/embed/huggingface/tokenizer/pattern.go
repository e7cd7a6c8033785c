package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"

	"cortex/lib/branches"
)

// A matcher finds its matches in a text, from left to right, and calls f with all parts of the text in order.
type matcher interface {
	each(text string, f func(part string, match bool))
}

var errNothing = errors.New("it matches the empty text")

// literal matches its own text.
type literal string

func (m literal) each(text string, f func(string, bool)) {
	for {
		before, after, found := strings.Cut(text, string(m))
		if !found {
			break
		}
		if before != "" {
			f(before, false)
		}
		f(string(m), true)
		text = after
	}
	if text != "" {
		f(text, false)
	}
}

// runes matches single characters.
type runes func(rune) bool

func (m runes) each(text string, f func(string, bool)) {
	start := 0
	for at, r := range text {
		if !m(r) {
			continue
		}
		if start < at {
			f(text[start:at], false)
		}
		start = at + utf8.RuneLen(r)
		f(text[at:start], true)
	}
	if start < len(text) {
		f(text[start:], false)
	}
}

// pattern matches a regular expression.
type pattern struct{ *regexp.Regexp }

func (m pattern) each(text string, f func(string, bool)) {
	start := 0
	for _, at := range m.FindAllStringIndex(text, -1) {
		if start < at[0] {
			f(text[start:at[0]], false)
		}
		f(text[at[0]:at[1]], true)
		start = at[1]
	}
	if start < len(text) {
		f(text[start:], false)
	}
}

// spaced matches A|\s+(?!\S)|B: one of the alternatives before, then white space that leaves one character to the next
// word, then one of the alternatives after. The patterns of byte-level models have this form, and package regexp has no
// look-ahead.
type spaced struct{ before, after *regexp.Regexp }

func (m spaced) each(text string, f func(string, bool)) {
	start, at := 0, 0
	before, after := finder{pattern: m.before}, finder{pattern: m.after}
	for at < len(text) {
		b0, b1 := before.find(text, at)
		a0, a1 := after.find(text, at)
		// If several match at one place, before wins, then white space.
		_, size := utf8.DecodeRuneInString(text[a0:])
		s0, s1 := spaceRun(text, at, min(b0, a0+size))
		from, to := b0, b1
		if s0 < from {
			from, to = s0, s1
		}
		if a0 < from {
			from, to = a0, a1
		}
		if from == len(text) {
			break
		}
		if start < from {
			f(text[start:from], false)
		}
		f(text[from:to], true)
		start, at = to, to
	}
	if start < len(text) {
		f(text[start:], false)
	}
}

// A finder caches the next match of a pattern until the search has passed it.
type finder struct {
	pattern  *regexp.Regexp
	from, to int
	known    bool
}

// find returns the first match that begins at at or later; if there is none, both results are the length of the text.
func (m *finder) find(text string, at int) (from, to int) {
	if m.known && m.from >= at {
		return m.from, m.to
	}
	m.from, m.to, m.known = len(text), len(text), true
	if m.pattern != nil {
		if found := m.pattern.FindStringIndex(text[at:]); found != nil {
			m.from, m.to = at+found[0], at+found[1]
		}
	}
	return m.from, m.to
}

// spaceRun returns the first match of \s+(?!\S) that begins in [at, limit); if there is none, both results are the
// length of the text.
func spaceRun(text string, at, limit int) (from, to int) {
	for at < limit && at < len(text) {
		length := strings.IndexFunc(text[at:min(limit, len(text))], unicode.IsSpace)
		if length < 0 {
			break
		}
		from = at + length
		rest := strings.TrimLeftFunc(text[from:], unicode.IsSpace)
		end := len(text) - len(rest)
		if rest == "" {
			return from, end
		}
		_, last := utf8.DecodeLastRuneInString(text[from:end])
		if end-last > from {
			return from, end - last
		}
		at = end
	}
	return len(text), len(text)
}

// parseMatcher decodes {"String": TEXT} or {"Regex": PATTERN}.
func parseMatcher(raw json.RawMessage, left *budget) (matcher, error) {
	var s struct {
		String *string `json:"String"`
		Regex  *string `json:"Regex"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	switch {
	case s.String != nil && *s.String == "":
		return nil, errNothing
	case s.String != nil:
		return literal(*s.String), nil
	case s.Regex != nil:
		return compile(*s.Regex, left)
	}
	return nil, errors.New("a pattern needs String or Regex")
}

const (
	// maxPattern is the greatest length of a pattern in bytes.
	maxPattern = 4 << 10
)

// compile makes a matcher of a pattern of the Oniguruma library, if package regexp can express it. Matching takes time
// linear in the text.
func compile(source string, left *budget) (matcher, error) {
	if len(source) > maxPattern {
		return nil, fmt.Errorf("a pattern of %d bytes", len(source))
	}
	fail := func(err error) (matcher, error) {
		return nil, fmt.Errorf("pattern %q is not supported: %w", source, err)
	}
	parts, ok := branches.Of(source)
	if !ok {
		return fail(errors.New("unbalanced brackets"))
	}
	for i, p := range parts {
		if p != `\s+(?!\S)` {
			continue
		}
		if anchors().MatchString(source) {
			return fail(errors.New("an anchor beside (?!\\S)"))
		}
		var m spaced
		var err error
		if m.before, err = compileAlternatives(parts[:i], left); err == nil {
			m.after, err = compileAlternatives(parts[i+1:], left)
		}
		if err != nil {
			return fail(err)
		}
		return m, nil
	}
	re, err := compileAlternatives(parts, left)
	if err != nil {
		return fail(err)
	}
	return pattern{re}, nil
}

// compileAlternatives joins the alternatives into one pattern; nil if there are none.
func compileAlternatives(parts []string, left *budget) (*regexp.Regexp, error) {
	if len(parts) == 0 {
		return nil, nil
	}
	source, err := translate(strings.Join(parts, "|"))
	if err != nil {
		return nil, err
	}
	// In Oniguruma, ^ and $ match at lines.
	source = "(?m)" + source
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil, err
	}
	if left.program -= steps(tree); left.program < 0 {
		return nil, fmt.Errorf("with it, the patterns of the file have more than %d steps", maxProgram)
	}
	re, err := regexp.Compile(source)
	if err == nil && re.MatchString("") {
		err = errNothing
	}
	return re, err
}

// steps estimates the number of instructions of a pattern's program, at most maxProgram+1.
func steps(tree *syntax.Regexp) int {
	n := 1
	if tree.Op == syntax.OpLiteral {
		n = len(tree.Rune)
	}
	for _, part := range tree.Sub {
		n = min(n+steps(part), maxProgram+1)
	}
	if tree.Op == syntax.OpRepeat {
		n *= max(tree.Min, tree.Max, 1)
	}
	return min(n, maxProgram+1)
}

// anchors matches anchors, which depend on the text before a match.
func anchors() *regexp.Regexp { return regexp.MustCompile(`(^|[^\[\\])(\\\\)*\^|\$|\\[AzZG]`) }

// flags matches flags that have another meaning in Oniguruma.
func flags() *regexp.Regexp {
	return regexp.MustCompile(`^\(\?[a-zA-Z]*[^i:)P<=!>a-zA-Z]|^\(\?[i-]*[a-hj-zA-OQ-Z]`)
}

// translate replaces the classes that Oniguruma defines by Unicode with explicit classes. It returns an error for
// syntax that package regexp lacks.
func translate(source string) (string, error) {
	const (
		space = `\t-\r \x{85}\p{Z}`
		word  = `\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}`
		digit = `\p{Nd}`
	)
	var b strings.Builder
	class := false
	for i := 0; i < len(source); i++ {
		c := source[i]
		if c == '[' && class || class && strings.HasPrefix(source[i:], "&&") {
			return "", errors.New("a class in a class")
		}
		if c == '(' && !class && flags().MatchString(source[i:]) {
			return "", errors.New("flags other than i")
		}
		switch {
		case c == '\\' && i+1 < len(source):
			i++
			members := map[byte]string{'s': space, 'S': space, 'w': word, 'W': word, 'd': digit, 'D': digit}[source[i]]
			not := 'A' <= source[i] && source[i] <= 'Z'
			switch {
			case members == "" && (source[i] == 'b' || source[i] == 'B') && !class:
				return "", errors.New("a word boundary")
			case members == "" && source[i] == 'h':
				return "", errors.New(`\h`)
			case members == "":
				b.WriteByte('\\')
				b.WriteByte(source[i])
			case class && not:
				return "", fmt.Errorf(`\%c in a class`, source[i])
			case class:
				b.WriteString(members)
			case not:
				b.WriteString("[^" + members + "]")
			default:
				b.WriteString("[" + members + "]")
			}
			continue
		case c == '[':
			class = true
		case c == ']':
			class = false
		}
		b.WriteByte(c)
	}
	return b.String(), nil
}
