package syntax

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A root is a kind of node at which a pattern begins. Patterns are tried at the nodes of
// their roots alone.
type root struct {
	kind string
	// single: the pattern says nothing about what is in the node.
	single   bool
	captures []string
	// needs are children without which the pattern does not match.
	needs []need
	// flat, if not nil, are all children of which the pattern speaks, and it says nothing else: each is in a field
	// of its own or the only one, and nothing is said of what is in it or where it stands.
	flat []need
}

// A need is a child that a pattern wants in a node.
type need struct {
	field string // "" for any
	// kinds are the kinds of which it may be; those with quotes are anonymous. nil for any.
	kinds    []string
	captures []string
	needs    []need
	// first: no named child stands before it.
	first bool
	// plain: it is one child, or none if it is optional, of which no more is said.
	plain, optional bool
}

var (
	errRoot   = errors.New("a pattern begins at one named node or at a list of such")
	errClosed = errors.New("a pattern is not closed")
)

// A rooted is a pattern of a query with its roots.
type rooted struct {
	source string
	roots  []root
}

// rootsOf reads the patterns of a query.
func rootsOf(source string) ([]rooted, error) {
	r := reader{rest: source}
	var all []rooted
	for r.peek() != "" {
		from := r.rest
		line := 1 + strings.Count(source[:len(source)-len(from)], "\n")
		roots, err := r.pattern()
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		all = append(all, rooted{from[:len(from)-len(r.rest)], roots})
	}
	return all, nil
}

// A reader takes a query apart into tokens: brackets, strings with their quotes, and what
// stands between them and blanks.
type reader struct{ rest string }

// peek is the next token, "" at the end.
func (r *reader) peek() string {
	for {
		r.rest = strings.TrimLeft(r.rest, " \t\r\n")
		if !strings.HasPrefix(r.rest, ";") {
			break
		}
		_, r.rest, _ = strings.Cut(r.rest, "\n")
	}
	switch {
	case r.rest == "":
		return ""
	case r.rest[0] == '"':
		return r.rest[:stringEnd(r.rest)]
	case strings.ContainsRune("()[]", rune(r.rest[0])):
		return r.rest[:1]
	}
	if n := strings.IndexAny(r.rest, " \t\r\n()[];\""); n >= 0 {
		return r.rest[:n]
	}
	return r.rest
}

// stringEnd is where the string ends with which s begins.
func stringEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// next takes the next token.
func (r *reader) next() string {
	t := r.peek()
	r.rest = r.rest[len(t):]
	return t
}

// pattern reads a pattern with its captures.
func (r *reader) pattern() ([]root, error) {
	var roots []root
	var err error
	switch r.next() {
	case "(":
		if t := r.peek(); t == "(" || t == "[" {
			roots, err = r.group()
		} else {
			roots, err = r.node()
		}
	case "[":
		roots, err = r.alternatives()
	default:
		return nil, errRoot
	}
	if err != nil {
		return nil, err
	}
	if t := r.peek(); t == "*" || t == "+" || t == "?" {
		return nil, errRoot
	}
	for strings.HasPrefix(r.peek(), "@") {
		name := r.next()[1:]
		for i := range roots {
			roots[i].captures = append(roots[i].captures, name)
		}
	}
	return roots, nil
}

// group reads what follows the "(" around a pattern with its predicates.
func (r *reader) group() ([]root, error) {
	roots, err := r.pattern()
	if err != nil {
		return nil, err
	}
	for {
		switch r.next() {
		case ")":
			return roots, nil
		case "(":
			if !strings.HasPrefix(r.peek(), "#") {
				return nil, errRoot
			}
			if err := r.skip(); err != nil {
				return nil, err
			}
		case "":
			return nil, errClosed
		default:
			return nil, errRoot
		}
	}
}

// node reads what follows the "(" of a node.
func (r *reader) node() ([]root, error) {
	kind := r.next()
	if kind == "_" || kind == "MISSING" || strings.ContainsAny(kind, `"#()[]/`) {
		return nil, errRoot
	}
	c, err := r.children()
	out := root{kind: kind, single: c.alone, needs: c.needs}
	if c.isFlat() {
		out.flat = c.all
	}
	return []root{out}, err
}

// A children is what a pattern says of the children of a node.
type children struct {
	// needs are those that are required, all those that are named.
	needs, all []need
	// alone: there is nothing but predicates. placed: something is said of where they stand or of fields that are empty.
	alone, placed bool
}

// isFlat reports whether each of the children is plain and in a field of its own, or plain and the only one.
func (c *children) isFlat() bool {
	if c.placed || len(c.all) == 0 || len(c.all) > maxFlat {
		return false
	}
	for i, n := range c.all {
		if !n.plain || n.field == "" && (len(c.all) > 1 || n.kinds == nil || n.optional) ||
			slices.ContainsFunc(c.all[:i], func(o need) bool { return o.field == n.field }) {
			return false
		}
	}
	return true
}

// maxFlat is the most children of a flat pattern.
const maxFlat = 6

// children reads what stands in a node behind its kind, and its ")".
func (r *reader) children() (c children, err error) {
	c.alone = true
	field, before := "", ""
	for {
		t := r.peek()
		if t == "(" && strings.HasPrefix(strings.TrimLeft(r.rest[1:], " \t\r\n"), "#") {
			r.next()
			if err := r.skip(); err != nil {
				return c, err
			}
			continue
		}
		switch {
		case t == "":
			return c, errClosed
		case t == ")":
			r.next()
			return c, nil
		case t == "." || t[0] == '!':
			r.next()
			c.placed = true
		case strings.HasSuffix(t, ":"):
			r.next()
			field = t[:len(t)-1]
		default:
			n, required, err := r.child()
			if err != nil {
				return c, err
			}
			n.field, n.first = field, before == "."
			if required && (field != "" || n.kinds != nil) {
				c.needs = append(c.needs, n)
			}
			c.all = append(c.all, n)
			field = ""
		}
		if c.alone {
			before = t
		} else if !strings.HasSuffix(t, ":") {
			before = ""
		}
		c.alone = false
	}
}

// child reads a child with its quantifier and captures. It is not required if it can be missing or is
// more than one node.
func (r *reader) child() (n need, required bool, err error) {
	required = true
	switch t := r.next(); {
	case t == "(":
		kind := r.peek()
		if kind == "(" || kind == "[" || strings.HasPrefix(kind, `"`) {
			required = false
			err = r.skip()
			break
		}
		r.next()
		var c children
		c, err = r.children()
		n.needs, n.plain = c.needs, c.alone
		if kind != "_" && kind != "MISSING" && !strings.Contains(kind, "/") {
			n.kinds = []string{kind}
		} else if kind != "_" {
			n.plain = false
		}
	case t == "[":
		n.kinds, n.plain, err = r.kinds()
		n.plain = n.plain && n.kinds != nil
	case t[0] == '"':
		n.kinds, n.plain = []string{t}, true
	case t != "_":
		err = fmt.Errorf("unexpected %q", t)
	}
	if err != nil {
		return n, false, err
	}
	for {
		switch t := r.peek(); {
		case t == "?" || t == "*":
			required = false
			n.plain, n.optional = n.plain && t == "?", true
		case t == "+":
			n.plain = false
		case strings.HasPrefix(t, "@"):
			n.captures = append(n.captures, t[1:])
		default:
			return n, required, nil
		}
		r.next()
	}
}

// kinds reads what follows the "[" of a list of children: the kinds of all, nil for any. It is plain if nothing more is said.
func (r *reader) kinds() (kinds []string, plain bool, err error) {
	kinds, plain = []string{}, true
	anyKind := false
	for {
		t := r.peek()
		switch {
		case t == "":
			return nil, false, errClosed
		case t == "]":
			r.next()
			if anyKind {
				return nil, false, nil
			}
			return kinds, plain, nil
		case strings.HasSuffix(t, ":") || strings.HasPrefix(t, "@"):
			r.next()
			plain = false
			continue
		}
		n, required, err := r.child()
		if err != nil {
			return nil, false, err
		}
		plain = plain && n.plain && n.captures == nil && !n.optional
		anyKind = anyKind || !required || n.kinds == nil
		kinds = append(kinds, n.kinds...)
	}
}

// skip reads to the ")" that closes what is open.
func (r *reader) skip() error {
	for depth := 1; depth > 0; {
		switch r.next() {
		case "(":
			depth++
		case ")":
			depth--
		case "":
			return errClosed
		}
	}
	return nil
}

// alternatives reads what follows a "[".
func (r *reader) alternatives() ([]root, error) {
	var all []root
	for r.peek() != "]" {
		if r.peek() == "" {
			return nil, errClosed
		}
		roots, err := r.pattern()
		if err != nil {
			return nil, err
		}
		all = append(all, roots...)
	}
	r.next()
	return all, nil
}
