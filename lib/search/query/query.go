// Package query is the language of exact search: Parse turns a query into a tree, or into an Error that points to the
// fault. Begin with this file; parse.go is the grammar, term.go reads single terms, field.go has the fields, and
// verbatim.go the patterns of quoted texts.
//
//	handler                 a word, whole or as a part of an identifier
//	"error handling"        successive words
//	sync.RWMutex a::b       names of several words are phrases
//	title:x  path:(a OR b)  in a field; a group may have one
//	a b   a AND b           both; AND binds tighter than OR
//	a OR b   NOT a   -a     +a is the same as a where everything is required
//	Prov*  *mutex  te?t     wildcards
//	/^read.*er$/            a regular expression over single words, anywhere in them without ^ and $
//	hander~  hander~2       at most one or two edits away
//	a^3  "a b"^0.5  (a b)^2 weight in the ranking
//	\(  \*  \-  \AND        taken literally
//
// Operators are upper case, so that and, or and not can be searched for. In std::vector and http://host, the colon
// belongs to the name; before any other colon there must be a field. A term between slashes is a regular expression if
// it ends at the closing slash, the first slash that is neither escaped nor in brackets: /path/like/this is a name.
package query

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cortex/lib/search/token"
)

// Bounds of queries. Parse returns an Error for a query that exceeds one.
const (
	maxLength = 16 << 10 // bytes
	maxDepth  = 64       // nested groups and operators
	maxTerms  = 256
	maxWords  = 1024 // of all terms
	maxFuzzy  = 2
	maxBoost  = 1000
)

// A Node is a part of a query: *And, *Or, *Not or *Term.
type Node interface {
	// String writes the node with all parentheses and fields.
	String() string
}

// And matches what all of its nodes match. It has at least two.
type And struct{ Nodes []Node }

// Or matches what any of its nodes matches. It has at least two.
type Or struct{ Nodes []Node }

// Not matches everything that its node does not match.
type Not struct{ Node Node }

// A Term matches a word, a name or a phrase.
type Term struct {
	Field Field
	// Text is what to look for, without quotes and escapes, or the source of Regexp.
	Text string
	// Phrase is set for a quoted term.
	Phrase bool
	// Literal matches the text verbatim except for white space. It is set for a quoted term with an operator, such as
	// "err != nil", and nil for others: their words must be in succession, with any punctuation between them.
	Literal *regexp.Regexp
	// Regexp is set for a term between slashes.
	Regexp *token.Expression
	// Wild holds the byte offsets in Text, ascending, at which * and ? are wildcards.
	Wild []int
	// Fuzzy is the greatest number of edits, 0 to 2.
	Fuzzy int
	// Boost is the weight in the ranking, more than 0; 1 if none was given.
	Boost float64
	// Query is the query that contains the term; Start and End are the term's byte offsets in it.
	Query      string
	Start, End int
}

func (n *And) String() string { return "(" + join(n.Nodes, " AND ") + ")" }
func (n *Or) String() string  { return "(" + join(n.Nodes, " OR ") + ")" }
func (n *Not) String() string { return "(NOT " + n.Node.String() + ")" }

func join(nodes []Node, by string) string {
	var parts []string
	for _, n := range nodes {
		parts = append(parts, n.String())
	}
	return strings.Join(parts, by)
}

func (t *Term) String() string {
	var b strings.Builder
	b.WriteString(string(t.Field) + ":")
	switch {
	case t.Phrase:
		b.WriteString(strconv.Quote(t.Text))
	case t.Regexp != nil:
		b.WriteString("/" + t.Text + "/")
	default:
		wild := t.Wild
		for i := 0; i < len(t.Text); i++ {
			c := t.Text[i]
			isWild := len(wild) > 0 && wild[0] == i
			if isWild {
				wild = wild[1:]
			}
			if !isWild && strings.IndexByte(`*?\"() ~^`, c) >= 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		}
	}
	if t.Fuzzy > 0 {
		fmt.Fprintf(&b, "~%d", t.Fuzzy)
	}
	if t.Boost != 1 {
		fmt.Fprintf(&b, "^%g", t.Boost)
	}
	return b.String()
}

// IsAnything reports whether the term consists of wildcards, which match any value.
func (t *Term) IsAnything() bool { return len(t.Wild) > 0 && strings.Trim(t.Text, "*?") == "" }

// SignOfCode returns a sign of the query that may be a part of code: "-" for a hyphen that excludes a word, as in
// go test -race, "*" for a lone one beside other words, as in a * b, or the first sign of an operator in a word, as in
// operator== and ~Element. It returns "" if there is none.
func SignOfCode(n Node) string {
	first := func(nodes []Node, sign func(Node) string) string {
		for _, child := range nodes {
			if s := sign(child); s != "" {
				return s
			}
		}
		return ""
	}
	switch n := n.(type) {
	case *And:
		return first(n.Nodes, func(child Node) string {
			if t, ok := child.(*Term); ok && t.Field == Text && t.IsAnything() {
				return "*"
			}
			return SignOfCode(child)
		})
	case *Or:
		return first(n.Nodes, SignOfCode)
	case *Not:
		if t, ok := n.Node.(*Term); ok && !t.Phrase && t.Start > 0 && t.Query[t.Start-1] == '-' {
			return "-"
		}
	case *Term:
		if n.Field == Text && !n.Phrase && !n.IsPattern() && n.Fuzzy == 0 {
			return inWord.FindString(n.Text)
		}
	}
	return ""
}

// inWord matches a sign that tells a word of code from others with the same letters.
var inWord = regexp.MustCompile(`[=<>!+*&|^~@#$%]|->`)

// IsPattern reports whether the term has a wildcard or is a regular expression.
func (t *Term) IsPattern() bool { return len(t.Wild) > 0 || t.Regexp != nil }

// HasPattern reports whether the query has a wildcard or a regular expression.
func HasPattern(n Node) bool {
	return slices.ContainsFunc(Terms(n), (*Term).IsPattern)
}

// Walk calls visit for every term except those under a Not.
func Walk(n Node, visit func(*Term)) {
	switch n := n.(type) {
	case *And:
		for _, child := range n.Nodes {
			Walk(child, visit)
		}
	case *Or:
		for _, child := range n.Nodes {
			Walk(child, visit)
		}
	case *Term:
		visit(n)
	}
}

// Terms returns all terms of the node in order, those under a Not included.
func Terms(n Node) (terms []*Term) {
	switch n := n.(type) {
	case *And:
		for _, child := range n.Nodes {
			terms = append(terms, Terms(child)...)
		}
	case *Or:
		for _, child := range n.Nodes {
			terms = append(terms, Terms(child)...)
		}
	case *Not:
		return Terms(n.Node)
	case *Term:
		return []*Term{n}
	}
	return terms
}
