package clients

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// A statement is a table header, or a key with its value, in a TOML text. It is the byte range of whole lines.
type statement struct {
	start, end int
	// header says that the statement is a table header. list says that the header begins an element of an array of
	// tables.
	header, list bool
	keys         []string
	// valueStart and valueEnd are the byte range of the value of a key.
	valueStart, valueEnd int
}

// A tomlText is a TOML text that is edited in place.
type tomlText struct {
	text       string
	values     map[string]any
	statements []statement
}

func parseTOML(text []byte) (*tomlText, error) {
	t := &tomlText{text: string(text)}
	if _, err := toml.Decode(t.text, &t.values); err != nil {
		var fault toml.ParseError
		if errors.As(err, &fault) {
			return nil, fmt.Errorf("line %d: %s", max(fault.Position.Line, 1), fault.Message)
		}
		return nil, err
	}
	t.statements = statements(t.text)
	return t, nil
}

// statements splits a valid text into its statements.
func statements(text string) (all []statement) {
	for at := 0; at < len(text); {
		line := at
		for at < len(text) && strings.IndexByte(" \t\r\n\ufeff", text[at]) >= 0 {
			at++
			if text[at-1] == '\n' {
				line = at
			}
		}
		if at == len(text) {
			break
		}
		s := statement{start: line}
		switch text[at] {
		case '#':
			at = endOfLine(text, at)
			continue
		case '[':
			s.header = true
			at++
			if at < len(text) && text[at] == '[' {
				s.list = true
				at++
			}
			s.keys, at = dotted(text, at)
			at = endOfLine(text, at)
		default:
			s.keys, at = dotted(text, at)
			at++ // =
			for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
				at++
			}
			s.valueStart = at
			at = endOfValue(text, at)
			s.valueEnd = at
			at = endOfLine(text, at)
		}
		s.end = at
		all = append(all, s)
	}
	return all
}

// endOfLine returns the offset after the next line break.
func endOfLine(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// dotted parses a dotted key, and returns its parts and the offset after it.
func dotted(text string, at int) (keys []string, end int) {
	for at < len(text) {
		switch c := text[at]; {
		case c == ' ' || c == '\t' || c == '.':
			at++
		case c == '"' || c == '\'':
			end := endOfString(text, at)
			var key struct{ K string }
			if _, err := toml.Decode("K = "+text[at:end], &key); err == nil {
				keys = append(keys, key.K)
			}
			at = end
		case c == ']' || c == '=' || c == '\n':
			return keys, at
		default:
			start := at
			for at < len(text) && strings.IndexByte(" \t.]=\"'\n", text[at]) < 0 {
				at++
			}
			keys = append(keys, text[start:at])
		}
	}
	return keys, at
}

// endOfString returns the offset after a string.
func endOfString(text string, at int) int {
	quote := text[at : at+1]
	if strings.HasPrefix(text[at:], strings.Repeat(quote, 3)) {
		end := at + 3
		for end < len(text) && !strings.HasPrefix(text[end:], strings.Repeat(quote, 3)) {
			if text[end] == '\\' && quote == `"` {
				end++
			}
			end++
		}
		for end = min(end+3, len(text)); end < len(text) && text[end] == quote[0]; end++ {
			// up to two quotes may precede the closing three
		}
		return end
	}
	for at++; at < len(text) && text[at] != quote[0]; at++ {
		if text[at] == '\\' && quote == `"` {
			at++
		}
	}
	return min(at+1, len(text))
}

// endOfValue returns the offset after a value, without the blanks and comments behind it.
func endOfValue(text string, at int) int {
	depth, end := 0, at
	for at < len(text) {
		switch c := text[at]; {
		case c == '"' || c == '\'':
			at = endOfString(text, at)
			end = at
		case c == '#':
			if depth == 0 {
				return end
			}
			at = endOfLine(text, at)
		case c == '\n' && depth == 0:
			return end
		default:
			if c == '[' || c == '{' {
				depth++
			}
			if c == ']' || c == '}' {
				depth--
			}
			at++
			if strings.IndexByte(" \t\r\n", c) < 0 {
				end = at
			}
		}
	}
	return end
}

func (t *tomlText) newline() string {
	if i := strings.IndexByte(t.text, '\n'); i > 0 && t.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// at returns the value at the path, nil if there is none.
func (t *tomlText) at(path []string) any {
	var value any = t.values
	for _, key := range path {
		table, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = table[key]
	}
	return value
}

// replace replaces a part of the text and parses the result.
func (t *tomlText) replace(start, end int, with string) error {
	next, err := parseTOML([]byte(t.text[:start] + with + t.text[end:]))
	if err != nil {
		return err
	}
	*t = *next
	return nil
}

// body returns the statements of the table whose header has the given index.
func (t *tomlText) body(header int) []statement {
	rest := t.statements[header+1:]
	if i := slices.IndexFunc(rest, func(s statement) bool { return s.header }); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// header returns the index of the header of a table, -1 if it has none.
func (t *tomlText) header(path []string) int {
	return slices.IndexFunc(t.statements, func(s statement) bool { return s.header && !s.list && slices.Equal(s.keys, path) })
}

// set does the same as jsonc.set.
func (t *tomlText) set(path []string, members []member, foreign []string) error {
	for i := 1; i < len(path); i++ {
		if value := t.at(path[:i]); value != nil && reflect.TypeOf(value).Kind() != reflect.Map {
			return fmt.Errorf("%s is no table", joinTOML(path[:i]))
		}
	}
	if t.header(path) < 0 {
		if t.at(path) != nil || t.isInline(path) {
			return errWritten(path)
		}
		nl := t.newline()
		text := t.text
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += nl
		}
		if strings.TrimSpace(text) != "" {
			text += nl
		}
		text += "[" + joinTOML(path) + "]" + nl
		for _, m := range members {
			text += m.key + " = " + renderTOML(m.value) + nl
		}
		if err := t.replace(0, len(t.text), text); err != nil {
			return errWritten(path)
		}
		return nil
	}
	for _, name := range foreign {
		for _, s := range t.body(t.header(path)) {
			if slices.Equal(s.keys, []string{name}) {
				if err := t.replace(s.start, s.end, ""); err != nil {
					return err
				}
				break
			}
		}
	}
	for _, m := range members {
		header := t.header(path)
		body := t.body(header)
		text := renderTOML(m.value)
		i := slices.IndexFunc(body, func(s statement) bool { return slices.Equal(s.keys, []string{m.key}) })
		var err error
		switch {
		case i >= 0:
			var was, is struct{ V any }
			_, e1 := toml.Decode("V = "+t.text[body[i].valueStart:body[i].valueEnd], &was)
			_, e2 := toml.Decode("V = "+text, &is)
			if e1 == nil && e2 == nil && reflect.DeepEqual(was, is) {
				continue
			}
			err = t.replace(body[i].valueStart, body[i].valueEnd, text)
		default:
			end := t.statements[header].end
			if len(body) > 0 {
				end = body[len(body)-1].end
			}
			line := m.key + " = " + text + t.newline()
			if end == len(t.text) && !strings.HasSuffix(t.text, "\n") {
				line = t.newline() + line
			}
			err = t.replace(end, end, line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isInline reports whether a table on the path is written as the value of a key. Such a table cannot be extended
// elsewhere in the text.
func (t *tomlText) isInline(path []string) bool {
	var table []string
	for _, s := range t.statements {
		if s.header {
			table = s.keys
			continue
		}
		if full := slices.Concat(table, s.keys); len(full) <= len(path) && slices.Equal(full, path[:len(full)]) {
			return true
		}
	}
	return false
}

// errWritten reports a table in a form that set and unset cannot edit.
func errWritten(path []string) error {
	return fmt.Errorf("%s is not written as a table with a header of its own", joinTOML(path))
}

// unset does the same as jsonc.unset. It also removes tables below the path. Comments after the last line of a table
// stay.
func (t *tomlText) unset(path []string) (bool, error) {
	if t.at(path) == nil {
		return false, nil
	}
	for {
		i := slices.IndexFunc(t.statements, func(s statement) bool {
			return s.header && len(s.keys) >= len(path) && slices.Equal(s.keys[:len(path)], path)
		})
		if i < 0 {
			break
		}
		start, end := t.statements[i].start, t.statements[i].end
		if body := t.body(i); len(body) > 0 {
			end = body[len(body)-1].end
		}
		// Also remove one of the blank lines around the table.
		before, after := t.text[:start], t.text[end:]
		trimmed := strings.TrimLeft(after, "\r\n")
		switch {
		case before == "":
			end += len(after) - len(trimmed)
		case strings.HasSuffix(before, "\n\n") || strings.HasSuffix(before, "\n\r\n"):
			if trimmed == "" || len(trimmed) < len(after) {
				start -= len(t.newline())
			}
		}
		if err := t.replace(start, end, ""); err != nil {
			return false, err
		}
	}
	if t.at(path) != nil {
		return false, errWritten(path)
	}
	return true, nil
}

func joinTOML(path []string) string {
	var parts []string
	for _, key := range path {
		if strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" || key == "" {
			key = quoteTOML(key)
		}
		parts = append(parts, key)
	}
	return strings.Join(parts, ".")
}

func renderTOML(value any) string {
	switch v := value.(type) {
	case string:
		return quoteTOML(v)
	case []string:
		var items []string
		for _, item := range v {
			items = append(items, quoteTOML(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return `""` // the table of clients has no other types
}

// quoteTOML returns a TOML basic string. Its escapes are those of JSON, except that TOML also requires one for DEL.
func quoteTOML(text string) string { return strings.ReplaceAll(quoteJSON(text), "\x7f", `\u007f`) }

// sameBut reports whether two texts have the same values, apart from the value at the path and empty tables on the way
// there.
func (t *tomlText) sameBut(other *tomlText, path []string) bool {
	return reflect.DeepEqual(without(t.values, path), without(other.values, path))
}

// without returns a copy of a table without the value at the path, and without tables on the path that become empty.
func without(table map[string]any, path []string) map[string]any {
	rest := map[string]any{}
	for key, value := range table {
		if key == path[0] {
			if len(path) == 1 {
				continue
			}
			if inner, ok := value.(map[string]any); ok {
				kept := without(inner, path[1:])
				if len(kept) == 0 {
					continue
				}
				value = kept
			}
		}
		rest[key] = value
	}
	return rest
}
