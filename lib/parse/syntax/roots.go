package syntax

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A root is a kind of node at which a pattern can begin. A pattern is tried only at nodes of its roots.
type root struct {
	kind string
	// single is set if the pattern says nothing about the children of the node.
	single   bool
	captures []string
	// needs lists children without which the pattern does not match.
	needs []need
	// flat, if not nil, lists all children in the pattern, and the pattern says nothing else: each child has a field of
	// its own or is the only one, and has no conditions on its position or on its own children.
	flat []need
}

// A need is a child that a pattern requires in a node.
type need struct {
	field string // "" for any
	// kinds lists the allowed kinds, anonymous ones in quotes; nil for any.
	kinds    []string
	captures []string
	needs    []need
	// first is set if no named child may precede it.
	first bool
	// plain is set if it is a single child, which may be optional, without conditions on its children.
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

// A reader splits a query into tokens: brackets, strings with their quotes, and the words between these and blanks.
type reader struct{ rest string }

// peek returns the next token without consuming it, "" at the end.
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

// stringEnd returns the length of the string literal at the start of s.
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

// next consumes and returns the next token.
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

// group reads the rest of a group, a pattern with its predicates, behind its "(".
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

// node reads the rest of a node behind its "(".
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

// A children has the conditions of a pattern on the children of a node.
type children struct {
	// needs lists the required children, all every child in the pattern.
	needs, all []need
	// alone is set if there is nothing but predicates, placed if there is a condition on positions (".") or on missing
	// fields ("!").
	alone, placed bool
}

// isFlat reports whether all children are plain, and each has a field of its own or is the only one.
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

// children reads the rest of a node behind its kind, including its ")".
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

// child reads a child with its quantifier and captures. required is false if the child is optional or a group of nodes.
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

// kinds reads the rest of a list of alternative children behind its "[". It returns the kinds of all, nil for any.
// plain is set if the alternatives have no other conditions.
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

// skip reads to the ")" that closes the current "(".
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

// alternatives reads the rest of a list of alternative patterns behind its "[".
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
