package query

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cortex/lib/search/token"
)

func (p *parser) phrase(field Field) (Node, *Error) {
	start := p.at
	var text strings.Builder
	p.at++
	for {
		if p.end() {
			return nil, p.errorf(start, `add " at the end, or write \" to search for the text`, "quote is not closed")
		}
		c := p.query[p.at]
		p.at++
		if c == '"' {
			break
		}
		if c == '\\' && !p.end() && (p.query[p.at] == '"' || p.query[p.at] == '\\') {
			c = p.query[p.at]
			p.at++
		}
		text.WriteByte(c)
	}
	term := &Term{Field: field, Text: text.String(), Phrase: true, Start: start}
	if !p.end() && p.query[p.at] == '~' {
		return nil, p.errorf(p.at, "put ~ behind a single word", "~ after a phrase")
	}
	return p.finish(term)
}

// expressionEnd returns the offset of the slash that closes the expression at the current offset, or 0 if there is
// none. A slash in brackets does not close it, unless the brackets are not closed, which is then a fault of the
// expression.
func (p *parser) expressionEnd() int {
	end := p.slash(true)
	if end < 0 {
		end = p.slash(false)
	}
	if end < 0 {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(p.query[end+1:])
	if end > p.at+1 && (end+1 == len(p.query) || unicode.IsSpace(r) || r == ')' || r == '^') {
		return end
	}
	return 0
}

// slash returns the offset of the next slash after the current offset that is not escaped and, with classes, not in
// brackets; -1 if there is none.
func (p *parser) slash(classes bool) int {
	class := false
	for i := p.at + 1; i < len(p.query); i++ {
		switch p.query[i] {
		case '\\':
			i++
		case '[':
			class = classes
		case ']':
			class = false
		case '/':
			if !class {
				return i
			}
		}
	}
	return -1
}

// onlyInExpressions matches what no path contains: classes, ranges, and repetitions after brackets.
var onlyInExpressions = regexp.MustCompile(`\\[wdsbWDSB]|\[\^|\[[^\]]*\w-\w|\][*+?{]`)

// unclosedExpression returns the end of the word at the current offset if the word can only be a regular expression but
// lacks its closing slash; 0 if it may be a path.
func (p *parser) unclosedExpression() int {
	word, _, _ := strings.Cut(p.query[p.at:], " ")
	if end := p.slash(false); end >= 0 && end < p.at+len(word) || !onlyInExpressions.MatchString(word) {
		return 0
	}
	return p.at + len(word)
}

// expression parses a regular expression up to the slash at end.
func (p *parser) expression(field Field, end int) (Node, *Error) {
	start := p.at
	source := p.query[start+1 : end]
	term := &Term{Field: field, Text: source, Start: start}
	compiled, err := token.NewExpression(source)
	var fault *token.ExpressionError
	if errors.As(err, &fault) {
		return nil, p.errorf(start+1+fault.Offset, `to search for the text, quote it`, "regular expression: %s", fault.Problem)
	}
	term.Regexp = compiled
	p.at = end + 1
	return p.finish(term)
}

// word parses a term up to white space or a character of the syntax.
func (p *parser) word(field Field) (Node, *Error) {
	term := &Term{Field: field, Start: p.at}
	var text strings.Builder
scan:
	for !p.end() {
		r, size := utf8.DecodeRuneInString(p.query[p.at:])
		switch {
		case r == '\\':
			p.at++
			if p.end() {
				return nil, p.errorf(p.at-1, `write \\ to search for a backslash`, `expected a character after \`)
			}
			_, size = utf8.DecodeRuneInString(p.query[p.at:])
			text.WriteString(p.query[p.at : p.at+size])
			p.at += size
			continue
		case r == '(' && strings.HasPrefix(p.query[p.at:], "()") && text.Len() > 0:
			// Empty parentheses of a call are dropped.
			p.at += 2
			continue
		case r == '(' && text.Len() > 0 && (p.calls > 0 || p.isCall()):
			p.calls++
		case r == ')' && p.calls > 0:
			p.calls--
		case unicode.IsSpace(r), r == '(', r == ')', r == '"':
			break scan
		case r == '*', r == '?':
			term.Wild = append(term.Wild, text.Len())
		case r == '~' && text.Len() > 0 && p.suffix():
			if err := p.fuzzy(term); err != nil {
				return nil, err
			}
			break scan
		case r == '^' && text.Len() > 0 && p.suffix():
			break scan
		}
		text.WriteString(p.query[p.at : p.at+size])
		p.at += size
	}
	term.Text = text.String()
	return p.finish(term)
}

// isCall reports whether the parenthesis at the current offset, right after a word, is code, as in parse(ctx, rather
// than a group: it is not closed, or it contains no operator and no field.
func (p *parser) isCall() bool {
	inside, depth := p.query[p.at+1:], 1
	for i := 0; i < len(inside) && depth > 0; i++ {
		switch inside[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				inside = inside[:i]
			}
		}
	}
	return depth > 0 || !slices.ContainsFunc(strings.Fields(inside), func(word string) bool {
		name, _, named := strings.Cut(word, ":")
		_, isField := FieldByName(name)
		return word == "OR" || word == "AND" || word == "NOT" || named && isField
	})
}

// suffix reports whether the ~ or ^ at the current offset is an operator. Only digits, or another suffix, may follow
// before the term ends; in a^b the sign is an ordinary character.
func (p *parser) suffix() bool {
	rest := p.query[p.at+1:]
	rest = strings.TrimLeft(rest, "0123456789.")
	r, _ := utf8.DecodeRuneInString(rest)
	if rest == "" || unicode.IsSpace(r) || r == ')' {
		return true
	}
	return r == '^' && p.query[p.at] == '~'
}

func (p *parser) fuzzy(term *Term) *Error {
	at := p.at
	p.at++
	digits := p.number()
	switch digits {
	case "":
		term.Fuzzy = p.edits
	case "0", "1", "2":
		term.Fuzzy = int(digits[0] - '0')
	default:
		return p.errorf(at, "write ~1 or ~2", "~%s allows too many edits, at most %d are possible", digits, maxFuzzy)
	}
	return nil
}

// boost consumes ^ and its number, if they come next, and returns the number; else it returns 1.
func (p *parser) boost() (float64, *Error) {
	if p.end() || p.query[p.at] != '^' {
		return 1, nil
	}
	at := p.at
	p.at++
	digits := p.number()
	value, err := strconv.ParseFloat(digits, 64)
	if err != nil || value <= 0 || value > maxBoost {
		return 0, p.errorf(at, "write a weight such as ^2 or ^0.5", "expected a number above 0 and at most %d after ^", maxBoost)
	}
	return value, nil
}

func (p *parser) number() string {
	start := p.at
	for !p.end() && (p.query[p.at] == '.' || '0' <= p.query[p.at] && p.query[p.at] <= '9') {
		p.at++
	}
	return p.query[start:p.at]
}

// finish reads the boost of a term and checks the term.
func (p *parser) finish(term *Term) (Node, *Error) {
	boost, err := p.boost()
	if err != nil {
		return nil, err
	}
	term.Boost, term.Query, term.End = boost, p.query, p.at
	if len(term.Wild) > 0 && term.Fuzzy > 0 {
		return nil, p.errorf(term.Start, "use one of them", "wildcards and ~ in one term")
	}
	p.terms++
	if p.terms > maxTerms {
		return nil, p.errorf(term.Start, "search for less at once", "more than %d terms", maxTerms)
	}
	words := len(token.Words(term.Text))
	if p.words += words; p.words > maxWords {
		return nil, p.errorf(term.Start, "search for less at once", "more than %d words", maxWords)
	}
	if rest, negated := strings.CutPrefix(term.Text, "!"); negated && term.Field == FilePath && p.query[term.Start] == '!' {
		return nil, p.errorf(term.Start, "write NOT path:"+rest, "! does not exclude a path")
	}
	if term.Field.HasWords() && term.IsAnything() && strings.Contains(term.Text, "?") {
		return nil, p.errorf(term.Start, "write a letter beside the wildcard, or * alone for any text", "%q has no letter or digit to search for", term.Text)
	}
	if term.IsPattern() {
		return term, nil
	}
	if term.Phrase && term.Field == Text && term.Fuzzy == 0 {
		term.Literal = literal(term.Text)
	}
	if term.Field.HasWords() && words == 0 || strings.TrimSpace(term.Text) == "" {
		fault := p.errorf(term.Start, p.cure(term.Text), "%q has no letter or digit to search for", term.Text)
		fault.IsSign = term.Text != "" && operators[term.Text] == ""
		return nil, fault
	}
	return term, nil
}

// operators has signs that are taken for operators, and the operators to write instead.
var operators = map[string]string{"&&": "AND", "&": "AND", "||": "OR", "|": "OR", "!": "NOT"}

// cure suggests what to write instead of punctuation alone.
func (p *parser) cure(text string) string {
	switch operator := operators[text]; {
	case operator != "":
		return "write " + operator
	case text == "":
		return "put a word between the quotes"
	}
	return `punctuation is found only as a part of names and phrases; quote all that belongs together, such as "err != nil"`
}
