package query

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cortex/lib/hint"
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

// AsWritten returns a term that matches the text verbatim except for case and white space, as if it stood in quotes;
// nil if it has no letter or digit, or is too long. An option at its beginning, such as -z, does not match within a-z.
func AsWritten(text string) Node {
	text = strings.TrimSpace(text)
	words := len(token.Words(text))
	if words == 0 || words > maxWords || len(text) > maxLength {
		return nil
	}
	return &Term{Field: Text, Text: text, Phrase: true, Literal: verbatim(text, option.MatchString(text)), Boost: 1, Query: text, End: len(text)}
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

// option matches a command-line option at the beginning of a text.
var option = regexp.MustCompile(`^-\w`)

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

// fieldPrefix returns the field that is named at the current offset, and the length of its name with the colon; 0 if
// there is none.
func (p *parser) fieldPrefix() (Field, int, *Error) {
	rest := p.query[p.at:]
	n := 0
	for n < len(rest) && (rest[n] == '_' || 'a' <= rest[n]|0x20 && rest[n]|0x20 <= 'z') {
		n++
	}
	if n == 0 || n >= len(rest) || rest[n] != ':' || strings.HasPrefix(rest[n:], "::") {
		return "", 0, nil
	}
	name, value := rest[:n], rest[n+1:]
	if field, ok := FieldByName(name); ok {
		return field, n + 1, nil
	}
	near, argument := nearestField(name), slices.Contains(arguments, strings.ToLower(name))
	// A colon at the end is punctuation. In http://host, localhost:80 and C:\temp it is part of the name.
	r, _ := utf8.DecodeRuneInString(value)
	if value == "" || unicode.IsSpace(r) || r == ')' || strings.HasPrefix(value, "//") || near == "" && !argument && (r == '\\' || '0' <= r && r <= '9') {
		return "", 0, nil
	}
	word, _, _ := strings.Cut(rest, " ")
	word = strings.TrimRight(word, `)"`)
	suggestion := fmt.Sprintf(`quote "%s" to search for the text; fields are %s`, word, fieldNames())
	switch {
	case argument:
		suggestion = fmt.Sprintf("it is an argument beside the query: --%s at a terminal; ", strings.ToLower(name)) + suggestion
	case near != "":
		suggestion = fmt.Sprintf("did you mean %s? ", near) + suggestion
	}
	return "", 0, p.errorf(p.at, suggestion, "unknown field %q", name)
}

// arguments has arguments of exact search that are taken for fields.
var arguments = []string{"tests", "limit", "offset", "context", "format"}

func fieldNames() string {
	var names []string
	for _, f := range allFields {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// nearestField returns a field that has name as one of its words, else one that is a word of name, else the nearest one
// within two edits, else "".
func nearestField(name string) Field {
	// Search backwards to find symbol_type before chunk_type: "type" usually means the type of a symbol.
	for _, f := range slices.Backward(allFields) {
		if slices.Contains(strings.Split(string(f), "_"), strings.ToLower(name)) {
			return f
		}
	}
	for _, word := range strings.Split(name, "_") {
		if f, ok := FieldByName(word); ok {
			return f
		}
	}
	best, least := Field(""), 3
	for _, f := range allFields {
		if d := hint.Distance(strings.ToLower(name), string(f), 2); d < least && d < len(name)-1 {
			best, least = f, d
		}
	}
	return best
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
	for _, t := range appendTerms(nil, node) {
		t.Boost = min(t.Boost*boost, maxBoost)
	}
	return node, nil
}

func (p *parser) unclosed(open int) *Error {
	return p.errorf(open, `add ) at the end, or write \( to search for the text`, "parenthesis is not closed")
}

// appendTerms appends all terms of the node, those under a Not included.
func appendTerms(terms []*Term, n Node) []*Term {
	switch n := n.(type) {
	case *And:
		for _, child := range n.Nodes {
			terms = appendTerms(terms, child)
		}
	case *Or:
		for _, child := range n.Nodes {
			terms = appendTerms(terms, child)
		}
	case *Not:
		terms = appendTerms(terms, n.Node)
	case *Term:
		terms = append(terms, n)
	}
	return terms
}

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

// literal returns a pattern for a text with a sign that tells it from others with the same words, verbatim except for
// white space; nil if the text has no such sign. A name with empty parentheses is a name.
func literal(text string) *regexp.Regexp {
	if !telling.MatchString(strings.TrimSuffix(text, "()")) {
		return nil
	}
	return Verbatim(text)
}

// telling matches the signs that tell texts apart: operators and brackets, and others where prose does not have them,
// as in -1, a / b and a ? b.
var telling = regexp.MustCompile(`[=<>!+*&|^~@#$%;"\\(){}\[\]]|->|--|\.\.\.|\?[.?]|(^|[^\w\s])-\w|\s[-/?](\w|\s)`)

// Verbatim returns a pattern that matches the text in any case, with any white space where the text has some; nil if
// the text is not valid UTF-8.
func Verbatim(text string) *regexp.Regexp { return verbatim(text, false) }

// verbatim is Verbatim. With apart, the text does not match right behind a word.
func verbatim(text string, apart bool) *regexp.Regexp {
	fields := strings.Fields(text)
	for i := range fields {
		fields[i] = directive.ReplaceAllString(regexp.QuoteMeta(fields[i]), `#[ \t]*$1`)
	}
	pattern := strings.Join(fields, `\s+`)
	switch {
	case isWordAt(text, 0):
		pattern = `\b` + pattern
	case apart:
		pattern = `\B` + pattern
	}
	if isWordAt(text, len(text)-1) {
		pattern += `\b`
	}
	expression, err := regexp.Compile("(?i)" + pattern)
	if err != nil {
		return nil // not valid UTF-8, so no indexed text has it
	}
	return expression
}

// directive matches a directive of the C preprocessor, which may have white space behind its sign.
var directive = regexp.MustCompile(`^#(define|undef|include|if|ifn?def|el(?:se|if)|endif|pragma|error|warning)\b`)

// Unsigned returns a word that matches the text verbatim without the sign of a directive, which may be apart from it:
// define for #define. Other words stay as they are.
func (t *Term) Unsigned(word string) string {
	if t.Literal != nil && directive.MatchString(word) {
		return word[1:]
	}
	return word
}

// isWordAt reports whether the byte at i is a word character in the sense of \b.
func isWordAt(text string, i int) bool {
	c := text[i]
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
