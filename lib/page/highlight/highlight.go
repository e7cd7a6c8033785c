// Package highlight colours code by its language and marks matches in it, as HTML for the style sheet of the pages.
// Each colour is a class of one letter. All of it is in highlight.go; begin with Lines and Line.
package highlight

import (
	"container/list"
	"html"
	"html/template"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"cortex/lib/terminal"
)

// A Span is a piece of code with one class of the style sheet.
type Span struct {
	Text string
	// Class is 0 for plain text.
	Class byte
}

// The classes of spans.
const (
	keywordClass  = 'k'
	nameClass     = 'f'
	typeClass     = 't'
	stringClass   = 's'
	numberClass   = 'n'
	commentClass  = 'c'
	headingClass  = 'h'
	constantClass = 'b'
)

// maxColoured is the number of bytes of a text that are coloured; the rest is plain. Lexers are slow, since they
// consist of regular expressions.
const maxColoured = 64 << 10

// maxColouring bounds the time for one text, since some texts take a lexer very long.
const maxColouring = time.Second

// classOf returns the class of a token.
func classOf(t chroma.TokenType) byte {
	switch {
	case t == chroma.KeywordConstant, t == chroma.NameConstant, t == chroma.NameBuiltinPseudo:
		return constantClass
	case t == chroma.KeywordType, t == chroma.NameClass, t == chroma.NameBuiltin, t == chroma.NameException:
		return typeClass
	case t.InCategory(chroma.Keyword), t == chroma.NameTag, t == chroma.OperatorWord:
		return keywordClass
	case t == chroma.NameFunction, t == chroma.NameFunctionMagic, t == chroma.NameAttribute, t == chroma.NameDecorator, t == chroma.NameProperty:
		return nameClass
	case t.InSubCategory(chroma.LiteralString):
		return stringClass
	case t.InSubCategory(chroma.LiteralNumber):
		return numberClass
	case t.InCategory(chroma.Comment):
		return commentClass
	case t == chroma.GenericHeading, t == chroma.GenericSubheading:
		return headingClass
	}
	return 0
}

// spansOf returns the coloured spans of code. Joined, their texts are code. lexer is nil for a language without one.
func spansOf(lexer chroma.Lexer, code string) (spans []Span) {
	plain := []Span{{code, 0}}
	if lexer == nil || code == "" {
		return plain
	}
	head, rest := code, ""
	if len(code) > maxColoured {
		cut := strings.LastIndexByte(code[:maxColoured], '\n') + 1
		head, rest = code[:cut], code[cut:]
	}
	defer func() {
		if recover() != nil { // the lexer cannot handle this text, so show it without colours
			spans = plain
		}
	}()
	next, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root", EnsureLF: false}, head)
	if err != nil {
		return plain
	}
	at, begun := 0, time.Now()
	for token := next(); token != chroma.EOF && time.Since(begun) < maxColouring; token = next() {
		if !strings.HasPrefix(head[at:], token.Value) {
			return plain
		}
		at += len(token.Value)
		class := classOf(token.Type)
		if last := len(spans) - 1; last >= 0 && spans[last].Class == class {
			spans[last].Text = head[at-len(token.Value)-len(spans[last].Text) : at]
			continue
		}
		spans = append(spans, Span{head[at-len(token.Value) : at], class})
	}
	return append(spans, Span{head[at:] + rest, 0})
}

// byLine splits spans at the ends of lines.
func byLine(spans []Span) [][]Span {
	lines := [][]Span{nil}
	for _, s := range spans {
		for i, text := range strings.Split(s.Text, "\n") {
			if i > 0 {
				lines = append(lines, nil)
			}
			if text != "" {
				last := len(lines) - 1
				lines[last] = append(lines[last], Span{text, s.Class})
			}
		}
	}
	return lines
}

// maxShown is the number of bytes of a line that are shown.
const maxShown = 2000

// Line returns a line of code as HTML. marks are the byte ranges to mark. Control characters and invisible characters
// are shown as U+FFFD.
func Line(spans []Span, marks [][2]int) template.HTML {
	var b strings.Builder
	at := 0
	marks = slices.Clone(marks)
	slices.SortFunc(marks, func(a, b [2]int) int { return a[0] - b[0] })
	write := func(text string, class byte, marked bool) {
		if text == "" {
			return
		}
		text = html.EscapeString(terminal.Clean(strings.TrimSuffix(text, "\r")))
		if marked {
			b.WriteString("<mark>")
		}
		if class != 0 {
			b.WriteString(`<i class="` + string(class) + `">` + text + `</i>`)
		} else {
			b.WriteString(text)
		}
		if marked {
			b.WriteString("</mark>")
		}
	}
	for _, s := range spans {
		text := s.Text
		cut := at+len(text) > maxShown
		if cut {
			text = strings.ToValidUTF8(text[:maxShown-at], "")
		}
		from := 0
		for _, m := range marks {
			start, end := max(m[0]-at, from), min(m[1]-at, len(text))
			// A cut line may end differently from what the marks assume.
			for start < end && !utf8.RuneStart(text[start]) {
				start++
			}
			for start < end && end < len(text) && !utf8.RuneStart(text[end]) {
				end--
			}
			if start < end {
				write(text[from:start], s.Class, false)
				write(text[start:end], s.Class, true)
				from = end
			}
		}
		write(text[from:], s.Class, false)
		if at += len(s.Text); cut {
			b.WriteString("…")
			break
		}
	}
	return template.HTML(b.String())
}

// Colours caches coloured texts. While a person types, most results stay the same.
type Colours struct {
	mu sync.Mutex
	// lexers are the lexers of languages used so far, nil for languages without one. A lookup takes as long as
	// colouring some lines.
	lexers map[string]chroma.Lexer
	known  map[string]*list.Element
	order  list.List
	size   int
}

type coloured struct {
	key   string
	lines [][]Span
}

// maxKept bounds the code in the cache, in bytes. Its spans take about ten times as much memory.
const maxKept = 1 << 20

// Lines returns the coloured lines of code.
func (c *Colours) Lines(language, code string) [][]Span {
	key := language + "\n" + code
	c.mu.Lock()
	if e := c.known[key]; e != nil {
		c.order.MoveToFront(e)
		c.mu.Unlock()
		return e.Value.(*coloured).lines
	}
	lexer, found := c.lexers[language]
	c.mu.Unlock()
	if !found {
		lexer = c.findLexer(language)
	}
	lines := byLine(spansOf(lexer, key[len(language)+1:])) // key, unlike code, does not refer to the memory of an index
	if len(key) > maxKept/4 {
		return lines
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[string]*list.Element{}
	}
	if c.known[key] == nil {
		c.known[key] = c.order.PushFront(&coloured{key, lines})
		c.size += len(key)
	}
	for c.size > maxKept {
		last := c.order.Back()
		old := c.order.Remove(last).(*coloured)
		delete(c.known, old.key)
		c.size -= len(old.key)
	}
	return lines
}

// maxLexers bounds the cached lexers: documents can name any language.
const maxLexers = 200

func (c *Colours) findLexer(language string) chroma.Lexer {
	lexer := lexers.Get(language)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lexers == nil {
		c.lexers = map[string]chroma.Lexer{}
	}
	if len(c.lexers) < maxLexers {
		c.lexers[strings.Clone(language)] = lexer
	}
	return lexer
}
