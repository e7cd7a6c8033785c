package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A member is a key with its value: a string, a []string or a []member.
type member struct {
	key   string
	value any
}

// A node is a value in a JSON text with comments. start and end are its byte offsets.
type node struct {
	start, end int
	// object says that the value is an object. pairs are its members, and comma is the offset of a comma after the last
	// member, 0 if there is none.
	object bool
	pairs  []pair
	comma  int
	// plain is the text of a value other than an object, without comments and blanks.
	plain string
}

type pair struct {
	key      string
	keyStart int
	value    *node
}

// find returns the index in pairs of the member with the key, -1 if there is none.
func (n *node) find(key string) int {
	return slices.IndexFunc(n.pairs, func(p pair) bool { return p.key == key })
}

// at returns the value at the path of keys; nil if there is none.
func (n *node) at(keys []string) *node {
	for _, key := range keys {
		if n == nil || !n.object {
			return nil
		}
		i := n.find(key)
		if i < 0 {
			return nil
		}
		n = n.pairs[i].value
	}
	return n
}

// canonical returns the value as JSON without blanks and comments. It leaves out the value at the path without, and
// objects on that path that become empty or are null.
func (n *node) canonical(without []string) string {
	if !n.object {
		return n.plain
	}
	var parts []string
	for _, p := range n.pairs {
		var text string
		if len(without) > 0 && p.key == without[0] {
			if len(without) == 1 {
				continue
			}
			if text = p.value.canonical(without[1:]); text == "{}" || text == "null" {
				continue
			}
		} else {
			text = p.value.canonical(nil)
		}
		parts = append(parts, quoteJSON(p.key)+":"+text)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// A span is the byte range of a comment.
type span struct{ start, end int }

// A jsonc is a JSON text with comments that is edited in place.
type jsonc struct {
	text     []byte
	root     *node // nil if the text has nothing but comments
	comments []span
}

// maxDepth bounds the nesting of values.
const maxDepth = 200

// parseJSONC parses the text. A repeated key in an object is an error, since clients differ in which of the values they
// use.
func parseJSONC(text []byte) (*jsonc, error) {
	if !utf8.Valid(text) {
		return nil, fmt.Errorf("it is no UTF-8")
	}
	p := &jsoncParser{text: text}
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		p.at = len("\ufeff")
	}
	doc := &jsonc{text: text}
	err := p.blanks()
	if err == nil && p.at < len(text) {
		if doc.root, err = p.value(0); err == nil {
			err = p.blanks()
		}
		if err == nil && p.at < len(text) {
			err = p.fault("unexpected %q behind the end", p.text[p.at])
		}
	}
	doc.comments = p.comments
	return doc, err
}

type jsoncParser struct {
	text     []byte
	at       int
	comments []span
}

func (p *jsoncParser) fault(format string, args ...any) error {
	before := p.text[:min(p.at, len(p.text))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return fmt.Errorf("line %d, column %d: %s", line, column, fmt.Sprintf(format, args...))
}

// blanks skips white space and comments.
func (p *jsoncParser) blanks() error {
	for p.at < len(p.text) {
		rest := p.text[p.at:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			p.at++
		case bytes.HasPrefix(rest, []byte("//")):
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			end = len(bytes.TrimRight(rest[:end], "\r"))
			p.comments = append(p.comments, span{p.at, p.at + end})
			p.at += end
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				return p.fault("the comment has no end")
			}
			p.comments = append(p.comments, span{p.at, p.at + end + 4})
			p.at += end + 4
		default:
			return nil
		}
	}
	return nil
}

func (p *jsoncParser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *jsoncParser) value(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, p.fault("more than %d values in one another", maxDepth)
	}
	n := &node{start: p.at}
	var err error
	switch c := p.peek(); {
	case c == '{':
		n.object = true
		err = p.members(n, depth)
	case c == '[':
		err = p.items(n, depth)
	case c == '"':
		_, err = p.str()
		n.plain = string(p.text[n.start:p.at])
	case p.at >= len(p.text):
		err = p.fault("the text breaks off")
	default:
		for p.at < len(p.text) && strings.IndexByte(" \t\r\n,:]}[{\"/", p.text[p.at]) < 0 {
			p.at++
		}
		n.plain = string(p.text[n.start:p.at])
		if !json.Valid([]byte(n.plain)) {
			p.at = n.start
			err = p.fault("expected a value")
		}
	}
	n.end = p.at
	return n, err
}

func (p *jsoncParser) str() (string, error) {
	start := p.at
	for p.at++; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '\\':
			p.at++
		case '"':
			p.at++
			var s string
			if err := json.Unmarshal(p.text[start:p.at], &s); err != nil {
				p.at = start
				return "", p.fault("the text is not written as JSON writes it")
			}
			return s, nil
		}
	}
	p.at = start
	return "", p.fault("the text has no end")
}

func (p *jsoncParser) members(n *node, depth int) error {
	p.at++
	seen := map[string]bool{}
	for {
		if err := p.blanks(); err != nil {
			return err
		}
		switch {
		case p.peek() == '}':
			p.at++
			return nil
		case len(n.pairs) > 0 && n.comma == 0:
			return p.fault("expected a comma or }")
		case p.peek() != '"':
			return p.fault("expected a key in quotes")
		}
		m := pair{keyStart: p.at}
		var err error
		if m.key, err = p.str(); err != nil {
			return err
		}
		if seen[m.key] {
			p.at = m.keyStart
			return p.fault("the key %q is there twice", m.key)
		}
		seen[m.key] = true
		if err := p.blanks(); err != nil {
			return err
		}
		if p.peek() != ':' {
			return p.fault("expected a colon")
		}
		p.at++
		if err := p.blanks(); err != nil {
			return err
		}
		if m.value, err = p.value(depth + 1); err != nil {
			return err
		}
		n.pairs = append(n.pairs, m)
		if n.comma, err = p.separator(); err != nil {
			return err
		}
	}
}

func (p *jsoncParser) items(n *node, depth int) error {
	p.at++
	var parts []string
	for first, comma := true, 0; ; first = false {
		if err := p.blanks(); err != nil {
			return err
		}
		if p.peek() == ']' {
			p.at++
			n.plain = "[" + strings.Join(parts, ",") + "]"
			return nil
		}
		if !first && comma == 0 {
			return p.fault("expected a comma or ]")
		}
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		parts = append(parts, item.canonical(nil))
		if comma, err = p.separator(); err != nil {
			return err
		}
	}
}

// separator skips a comma, if one is next, and returns its offset, otherwise 0.
func (p *jsoncParser) separator() (int, error) {
	if err := p.blanks(); err != nil || p.peek() != ',' {
		return 0, err
	}
	p.at++
	return p.at - 1, nil
}

// replace replaces a part of the text and parses the result.
func (d *jsonc) replace(start, end int, with string) error {
	text := slices.Concat(d.text[:start], []byte(with), d.text[end:])
	next, err := parseJSONC(text)
	if err != nil {
		return err
	}
	*d = *next
	return nil
}

// newline returns the line ending of the text.
func (d *jsonc) newline() string {
	if i := bytes.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// indentAt returns the white space at the beginning of the line that contains offset at.
func (d *jsonc) indentAt(at int) string {
	line := d.text[bytes.LastIndexByte(d.text[:at], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// isFirst reports whether only blanks precede the offset on its line.
func (d *jsonc) isFirst(at int) bool {
	return len(bytes.TrimLeft(d.text[bytes.LastIndexByte(d.text[:at], '\n')+1:at], " \t")) == 0
}

// unit returns the indentation of one level.
func (d *jsonc) unit() string {
	if d.root != nil && len(d.root.pairs) > 0 {
		if at := d.root.pairs[0].keyStart; d.isFirst(at) && d.indentAt(at) != "" {
			return d.indentAt(at)
		}
	}
	return "  "
}

// inner returns the indentation of the members of an object.
func (d *jsonc) inner(n *node) string {
	if len(n.pairs) > 0 && d.isFirst(n.pairs[0].keyStart) {
		return d.indentAt(n.pairs[0].keyStart)
	}
	return d.indentAt(n.start) + d.unit()
}

// render returns the text of a value on a line with the given indentation.
func (d *jsonc) render(value any, indent string) string {
	switch v := value.(type) {
	case string:
		return quoteJSON(v)
	case []string:
		var items []string
		for _, item := range v {
			items = append(items, quoteJSON(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case []member:
		if len(v) == 0 {
			return "{}"
		}
		nl, inner := d.newline(), indent+d.unit()
		var lines []string
		for _, m := range v {
			lines = append(lines, inner+quoteJSON(m.key)+": "+d.render(m.value, inner))
		}
		return "{" + nl + strings.Join(lines, ","+nl) + nl + indent + "}"
	}
	return "null" // the table has no other types
}

func quoteJSON(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string can always be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// insert adds a member at the end of an object.
func (d *jsonc) insert(n *node, m member) error {
	nl, indent := d.newline(), d.inner(n)
	text := nl + indent + quoteJSON(m.key) + ": " + d.render(m.value, indent)
	// The offset after the last content of the object, which may be a comment.
	tail := n.start + 1
	if len(n.pairs) > 0 {
		tail = max(n.pairs[len(n.pairs)-1].value.end, n.comma+1)
	}
	for _, c := range d.comments {
		if c.start >= tail && c.end < n.end {
			tail = c.end
		}
	}
	closing := d.text[tail : n.end-1]
	rest := string(closing)
	if !bytes.ContainsRune(closing, '\n') {
		rest = nl + d.indentAt(n.start)
	}
	switch {
	case len(n.pairs) == 0:
	case n.comma > 0:
		text += ","
	default:
		end := n.pairs[len(n.pairs)-1].value.end
		text = "," + string(d.text[end:tail]) + text
		tail = end
	}
	return d.replace(tail, n.end-1, text+rest)
}

// remove removes a member from an object, and its line if nothing else is on it.
func (d *jsonc) remove(n *node, i int) error {
	start, end := n.pairs[i].keyStart, n.pairs[i].value.end
	last := i == len(n.pairs)-1
	switch {
	case !last || n.comma > 0:
		comma := n.comma
		if !last {
			comma = d.commaAfter(end)
		}
		// Between the value and its comma are only blanks and comments. The comments stay.
		between := string(d.text[end:comma])
		end = comma + 1
		return d.cut(start, end, strings.TrimSpace(between))
	case i > 0:
		comma := d.commaAfter(n.pairs[i-1].value.end)
		text := slices.Concat(d.text[:comma], d.text[comma+1:])
		d.text = text
		return d.cut(start-1, end-1, "")
	}
	return d.cut(start, end, "")
}

// commaAfter returns the offset of the comma after a value.
func (d *jsonc) commaAfter(at int) int {
	p := &jsoncParser{text: d.text, at: at}
	_ = p.blanks() // they were parsed before without an error
	return p.at
}

// cut replaces a part of the text by keep. If the line has nothing else, cut removes the line.
func (d *jsonc) cut(start, end int, keep string) error {
	text := string(d.text)
	lineStart := strings.LastIndexByte(text[:start], '\n') + 1
	lineEnd := len(text)
	if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
		lineEnd = end + i + 1
	}
	before, after := text[lineStart:start], text[end:lineEnd]
	switch {
	case keep == "" && strings.TrimSpace(before) == "" && strings.TrimSpace(after) == "":
		return d.replace(lineStart, lineEnd, "")
	case keep == "" && strings.TrimSpace(before) != "":
		start = lineStart + len(strings.TrimRight(before, " \t"))
	case keep == "":
		end += len(after) - len(strings.TrimLeft(after, " \t"))
	}
	return d.replace(start, end, keep)
}

// set gives the object at the path the members, and removes the members named foreign. Its other members stay. set
// creates the object if it is missing or null.
func (d *jsonc) set(path []string, members []member, foreign []string) error {
	if d.root == nil {
		text := string(d.text)
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += d.newline()
		}
		end := d.newline()
		if err := d.replace(0, len(d.text), text+"{}"+end); err != nil {
			return err
		}
	}
	for i := range path {
		n := d.root.at(path[:i])
		if !n.object {
			return notObject(path[:i])
		}
		if j := n.find(path[i]); j >= 0 && n.pairs[j].value.plain == "null" {
			if err := d.replace(n.pairs[j].value.start, n.pairs[j].value.end, "{}"); err != nil {
				return err
			}
		} else if j < 0 {
			value := any([]member{})
			if i == len(path)-1 {
				value = members
			}
			if err := d.insert(n, member{path[i], value}); err != nil {
				return err
			}
		}
	}
	if !d.root.at(path).object {
		return notObject(path)
	}
	for _, name := range foreign {
		if n := d.root.at(path); n.find(name) >= 0 {
			if err := d.remove(n, n.find(name)); err != nil {
				return err
			}
		}
	}
	for _, m := range members {
		n := d.root.at(path)
		i := n.find(m.key)
		if i < 0 {
			if err := d.insert(n, m); err != nil {
				return err
			}
			continue
		}
		value := n.pairs[i].value
		if inner, ok := m.value.([]member); ok && value.object {
			if err := d.set(append(slices.Clone(path), m.key), inner, nil); err != nil {
				return err
			}
			continue
		}
		text := d.render(m.value, d.indentAt(n.pairs[i].keyStart))
		same, err := parseJSONC([]byte(text))
		if err != nil {
			return err
		}
		if same.root.canonical(nil) == value.canonical(nil) {
			continue
		}
		if err := d.replace(value.start, value.end, text); err != nil {
			return err
		}
	}
	return nil
}

// notObject returns the error that the value at the path is no object.
func notObject(path []string) error {
	if len(path) == 0 {
		return fmt.Errorf("it holds no object")
	}
	return fmt.Errorf("%s is no object", strings.Join(path, "."))
}

// unset removes the value at the path, and reports whether it existed.
func (d *jsonc) unset(path []string) (bool, error) {
	if d.root == nil {
		return false, nil
	}
	n := d.root.at(path[:len(path)-1])
	if n == nil || !n.object || n.find(path[len(path)-1]) < 0 {
		return false, nil
	}
	if err := d.remove(n, n.find(path[len(path)-1])); err != nil {
		return false, err
	}
	// An object that is now empty is written as {}.
	n = d.root.at(path[:len(path)-1])
	if len(n.pairs) == 0 && len(bytes.TrimSpace(d.text[n.start+1:n.end-1])) == 0 {
		return true, d.replace(n.start, n.end, "{}")
	}
	return true, nil
}

// outside returns the comments that are not inside the value at the path.
func (d *jsonc) outside(path []string) (texts []string) {
	var entry *node
	if d.root != nil {
		entry = d.root.at(path)
	}
	for _, c := range d.comments {
		if entry == nil || c.end <= entry.start || c.start >= entry.end {
			texts = append(texts, string(d.text[c.start:c.end]))
		}
	}
	return texts
}

// sameBut reports whether two texts are the same, comments included, apart from the value at the path.
func (d *jsonc) sameBut(other *jsonc, path []string) bool {
	content := func(d *jsonc) string {
		if d.root == nil {
			return "{}"
		}
		return d.root.canonical(path)
	}
	return content(d) == content(other) && slices.Equal(d.outside(path), other.outside(path))
}
