package query

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"cortex/lib/search/token"
)

// Parse parses a query. edits is the number of edits, 0 to 2, that a ~ without a number allows. The error is an
// *Error.
func Parse(query string, edits int) (Node, error) {
	return ParseAny([]string{query}, edits)
}

// ParseAny parses one or more queries into one that matches what any of them matches. The bounds on terms and words
// apply to all of them together. The error is an *Error for the query with the fault.
func ParseAny(queries []string, edits int) (Node, error) {
	var nodes []Node
	p := &parser{edits: edits}
	for _, q := range queries {
		p.query, p.at, p.depth, p.calls = q, 0, 0, 0
		node, err := p.parse()
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, node)
	}
	if len(nodes) == 1 {
		return nodes[0], nil
	}
	return &Or{nodes}, nil
}

// AsWords returns a query for the words of the text, which need not be a query; nil if it has none, or is too long.
func AsWords(text string) Node {
	var all And
	for _, word := range strings.Fields(text) {
		if token.Words(word) != nil {
			all.Nodes = append(all.Nodes, &Term{Field: Text, Text: word, Boost: 1})
		}
	}
	if len(all.Nodes) == 0 || len(all.Nodes) > maxTerms || len(text) > maxLength {
		return nil
	}
	return &all
}

// parser is a recursive-descent parser over the bytes of the query.
type parser struct {
	query string
	at    int
	depth int
	terms int
	words int
	edits int
	// calls is the number of open parentheses that are part of a word, such as those of a call.
	calls int
}

func (p *parser) parse() (Node, *Error) {
	if len(p.query) > maxLength {
		return nil, errorAt(p.query, maxLength, "search for less at once", "query of %d bytes, at most %d are allowed", len(p.query), maxLength)
	}
	p.skipSpace()
	if p.end() {
		return nil, p.errorf(p.at, `write a word, a "phrase" or field:word`, "expected a term")
	}
	node, err := p.or(Text)
	if err != nil {
		return nil, err
	}
	if !p.end() {
		// or stops before the end only at a closing parenthesis.
		return nil, p.errorf(p.at, `write \) to search for the text`, "closing parenthesis without an opening one")
	}
	return node, nil
}

func (p *parser) errorf(offset int, suggestion, format string, args ...any) *Error {
	return errorAt(p.query, offset, suggestion, format, args...)
}

func (p *parser) end() bool { return p.at >= len(p.query) }

func (p *parser) skipSpace() {
	for !p.end() {
		r, size := utf8.DecodeRuneInString(p.query[p.at:])
		if !unicode.IsSpace(r) {
			return
		}
		p.at += size
	}
}

// operator consumes the operator and the space after it if it comes next, and reports whether it did.
func (p *parser) operator(word string) bool {
	if !p.atOperator(word) {
		return false
	}
	p.at += len(word)
	p.skipSpace()
	return true
}

func (p *parser) atOperator(word string) bool {
	rest, ok := strings.CutPrefix(p.query[p.at:], word)
	if !ok {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || unicode.IsSpace(r) || r == '(' || r == ')' || r == '"'
}

func (p *parser) deeper(offset int) *Error {
	p.depth++
	if p.depth > maxDepth {
		return p.errorf(offset, "use fewer parentheses and operators", "nested more than %d deep", maxDepth)
	}
	return nil
}

func (p *parser) or(field Field) (Node, *Error) {
	var nodes []Node
	for {
		node, plus, err := p.and(field)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, node)
		more := p.operator("OR")
		if plus >= 0 && (more || len(nodes) > 1) {
			return nil, p.errorf(plus, "leave out the + or the OR", "+ requires what OR makes optional")
		}
		if !more {
			break
		}
		if err := p.expectTerm("OR"); err != nil {
			return nil, err
		}
	}
	if len(nodes) == 1 {
		return nodes[0], nil
	}
	return &Or{nodes}, nil
}

// and parses terms joined by AND or by nothing. plus is the offset of a + before a sole term, else -1.
func (p *parser) and(field Field) (node Node, plus int, err *Error) {
	var nodes []Node
	plus = -1
	for {
		p.skipSpace()
		for ; !p.end() && p.query[p.at] == ')' && p.calls > 0; p.skipSpace() {
			p.calls--
			p.at++
		}
		if p.end() || p.query[p.at] == ')' || p.atOperator("OR") || p.atOperator("AND") {
			if len(nodes) > 0 && !p.atOperator("AND") {
				break
			}
			if len(nodes) == 0 {
				return nil, -1, p.missingTerm()
			}
			p.operator("AND")
			if err := p.expectTerm("AND"); err != nil {
				return nil, -1, err
			}
		}
		if p.query[p.at] == '+' && len(nodes) == 0 {
			plus = p.at
		}
		node, err := p.unary(field)
		if err != nil {
			return nil, -1, err
		}
		nodes = append(nodes, node)
	}
	if len(nodes) == 1 {
		return nodes[0], plus, nil
	}
	return &And{nodes}, -1, nil
}

// expectTerm returns an error if no term follows the operator.
func (p *parser) expectTerm(operator string) *Error {
	if p.end() || p.query[p.at] == ')' || p.atOperator("OR") || p.atOperator("AND") {
		return p.errorf(p.at, fmt.Sprintf(`write \%s to search for the word`, operator), "expected a term after %s", operator)
	}
	return nil
}

// missingTerm returns the error for a place where a term should begin.
func (p *parser) missingTerm() *Error {
	switch {
	case p.end():
		return p.errorf(p.at, "", "expected a term")
	case p.atOperator("OR"), p.atOperator("AND"):
		word, _, _ := strings.Cut(p.query[p.at:], " ")
		word = strings.TrimRight(word, `()"`)
		return p.errorf(p.at, `write \`+word+" to search for the word", "expected a term before %s", word)
	case p.depth == 0:
		return p.errorf(p.at, `write \) to search for the text`, "closing parenthesis without an opening one")
	}
	return p.errorf(p.at, "put a term between the parentheses", "expected a term before )")
}

func (p *parser) unary(field Field) (Node, *Error) {
	at := p.at
	if err := p.deeper(at); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	switch {
	case p.operator("NOT"):
		if err := p.expectTerm("NOT"); err != nil {
			return nil, err
		}
		return p.negated(field)
	case p.atSign('-'), p.atSign('+'):
		sign := p.query[p.at]
		p.at++
		if r, _ := utf8.DecodeRuneInString(p.query[p.at:]); p.end() || unicode.IsSpace(r) || r == ')' {
			fault := p.errorf(p.at, fmt.Sprintf("put %c directly before a term, or quote it", sign), "expected a term after %c", sign)
			fault.IsSign = strings.TrimSpace(p.query[:p.at-1]) != "" // between words, as in "end - start"
			return nil, fault
		}
		if sign == '-' {
			return p.negated(field)
		}
		return p.unary(field)
	}
	return p.primary(field)
}

func (p *parser) negated(field Field) (Node, *Error) {
	node, err := p.unary(field)
	if err != nil {
		return nil, err
	}
	return &Not{node}, nil
}

// atSign reports whether sign comes next as an operator. Two hyphens before a letter, digit or wildcard begin a
// command-line flag.
func (p *parser) atSign(sign byte) bool {
	if p.query[p.at] != sign {
		return false
	}
	rest := p.query[p.at+1:]
	if sign == '-' && len(rest) > 1 && rest[0] == '-' {
		r, _ := utf8.DecodeRuneInString(rest[1:])
		return !token.IsLetterOrDigit(r) && r != '*' && r != '?'
	}
	return true
}

func (p *parser) primary(field Field) (Node, *Error) {
	named, length, err := p.fieldPrefix()
	if err != nil {
		return nil, err
	}
	if length > 0 {
		name := p.query[p.at : p.at+length]
		field = named
		p.at += length
		if r, _ := utf8.DecodeRuneInString(p.query[p.at:]); p.end() || unicode.IsSpace(r) || r == ')' {
			return nil, p.errorf(p.at, `quote "`+name+`" to search for the text`, "expected a term after %s", name)
		}
	}
	switch p.query[p.at] {
	case '(':
		return p.group(field)
	case '"':
		return p.phrase(field)
	case '/':
		if end := p.expressionEnd(); end > 0 {
			return p.expression(field, end)
		}
		if end := p.unclosedExpression(); end > 0 {
			return nil, p.errorf(end, "write / at its end; to search for the text, quote it", "regular expression without a closing /")
		}
	}
	return p.word(field)
}

func (p *parser) group(field Field) (Node, *Error) {
	open := p.at
	if err := p.deeper(open); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	p.at++
	node, err := p.or(field)
	if err != nil {
		if p.end() && strings.HasPrefix(err.Problem, "expected a term") && strings.TrimSpace(p.query[open+1:]) == "" {
			return nil, p.unclosed(open)
		}
		return nil, err
	}
	if p.end() {
		return nil, p.unclosed(open)
	}
	p.at++
	boost, err := p.boost()
	if err != nil {
		return nil, err
	}
	// The boost of the group applies to its terms.
	for _, t := range Terms(node) {
		t.Boost = min(t.Boost*boost, maxBoost)
	}
	return node, nil
}

func (p *parser) unclosed(open int) *Error {
	return p.errorf(open, `add ) at the end, or write \( to search for the text`, "parenthesis is not closed")
}
