package graph

import (
	"strconv"
	"unicode/utf8"

	"cortex/lib/record"
)

// An encoder appends lines of the file. Equal values give equal bytes.
type encoder struct{ dst []byte }

// key opens the object with the first key, or goes on with another.
func (e *encoder) key(name string) {
	if n := len(e.dst); n > 0 && e.dst[n-1] != '\n' {
		e.dst = append(e.dst, ',', '"')
	} else {
		e.dst = append(e.dst, '{', '"')
	}
	e.dst = append(e.dst, name...)
	e.dst = append(e.dst, '"', ':')
}

func (e *encoder) text(name, value string) {
	if value != "" {
		e.key(name)
		e.dst = appendString(e.dst, value)
	}
}

// first is a key that is written even if its value is empty.
func (e *encoder) first(name, value string) {
	e.key(name)
	e.dst = appendString(e.dst, value)
}

func (e *encoder) number(name string, value int) {
	if value != 0 {
		e.key(name)
		e.dst = strconv.AppendInt(e.dst, int64(value), 10)
	}
}

func (e *encoder) flag(name string, value bool) {
	if value {
		e.key(name)
		e.dst = append(e.dst, "true"...)
	}
}

func (e *encoder) end() { e.dst = append(e.dst, '}', '\n') }

// AppendNode appends the line of a node to dst, which is empty or ends with a line.
func AppendNode(dst []byte, n *Node) []byte {
	e := encoder{dst}
	e.first("node", n.ID)
	e.text("kind", string(n.Kind))
	e.text("name", n.Name)
	e.text("tree", n.Tree)
	e.text("language", n.Language)
	e.text("package", n.Package)
	e.number("start_line", n.StartLine)
	e.number("end_line", n.EndLine)
	e.text("signature", n.Signature)
	e.flag("exported", n.Exported)
	e.flag("test", n.Test)
	e.end()
	return e.dst
}

// AppendTyping appends the line of a typing to dst, which is empty or ends with a line.
func AppendTyping(dst []byte, t *Typing) []byte {
	e := encoder{dst}
	e.first("typing", t.Of)
	e.text("name", t.Name)
	e.text("value", t.Value)
	e.text("signature", t.Signature)
	e.number("line", t.Line)
	e.end()
	return e.dst
}

// AppendMapping appends the line of a mapping to dst, which is empty or ends with a line.
func AppendMapping(dst []byte, m *record.Mapping) []byte {
	e := encoder{dst}
	e.first("mapping", m.Module)
	e.text("path", m.Path)
	e.end()
	return e.dst
}

// AppendOmission appends the line of an omission to dst, which is empty or ends with a line.
func AppendOmission(dst []byte, o *Omission) []byte {
	e := encoder{dst}
	e.first("omission", o.Of)
	e.text("relation", string(o.Relation))
	e.flag("incoming", o.Incoming)
	e.number("held", o.Held)
	e.number("found", o.Found)
	e.end()
	return e.dst
}

// An identifier is that of a node in two parts.
type identifier struct{ path, qualified string }

func (e *encoder) identifier(id identifier) {
	e.dst = appendString(e.dst, id.path)
	if id.qualified != "" {
		e.dst[len(e.dst)-1] = '#'
		e.dst = appendEscaped(e.dst, id.qualified)
		e.dst = append(e.dst, '"')
	}
}

// AppendEdge appends the line of an edge to dst, which is empty or ends with a line.
func AppendEdge(dst []byte, edge *Edge) []byte {
	to := make([]identifier, len(edge.To))
	for i := range edge.To {
		to[i].path = edge.To[i]
	}
	return appendEdge(dst, edge, identifier{path: edge.From}, to)
}

// appendEdge takes the nodes of the edge apart from it.
func appendEdge(dst []byte, edge *Edge, from identifier, to []identifier) []byte {
	e := encoder{dst}
	e.first("edge", string(edge.Relation))
	e.text("written", string(edge.Written))
	e.key("from")
	e.identifier(from)
	e.text("name", edge.Name)
	e.text("receiver", edge.Receiver)
	e.text("module", edge.Module)
	e.text("alias", edge.Alias)
	if len(edge.Lines) > 0 {
		e.key("lines")
		for i, line := range edge.Lines {
			e.dst = append(e.dst, "[,"[min(i, 1)])
			e.dst = strconv.AppendInt(e.dst, int64(line), 10)
		}
		e.dst = append(e.dst, ']')
	}
	e.text("by", string(edge.By))
	if edge.Confidence > 0 {
		e.key("confidence")
		e.dst = appendConfidence(e.dst, edge.Confidence)
	}
	if len(to) > 0 {
		e.key("to")
		for i, id := range to {
			e.dst = append(e.dst, "[,"[min(i, 1)])
			e.identifier(id)
		}
		e.dst = append(e.dst, ']')
	}
	e.text("external", edge.External)
	e.end()
	return e.dst
}

// appendConfidence writes at most three digits after the point.
func appendConfidence(dst []byte, c float64) []byte {
	thousandths := int(c*1000 + 0.5)
	if thousandths >= 1000 {
		return append(dst, '1')
	}
	dst = append(dst, "0."...)
	for digit := 100; thousandths > 0; digit /= 10 {
		dst = append(dst, byte('0'+thousandths/digit))
		thousandths %= digit
	}
	return dst
}

const hexDigits = "0123456789abcdef"

// appendString writes a JSON string. Invalid UTF-8 becomes U+FFFD.
func appendString(dst []byte, s string) []byte {
	return append(appendEscaped(append(dst, '"'), s), '"')
}

func appendEscaped(dst []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			if r, size := utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
			dst = append(append(dst, s[start:i]...), "\uFFFD"...)
		} else {
			dst = append(dst, s[start:i]...)
			switch c {
			case '"', '\\':
				dst = append(dst, '\\', c)
			case '\n':
				dst = append(dst, '\\', 'n')
			case '\t':
				dst = append(dst, '\\', 't')
			case '\r':
				dst = append(dst, '\\', 'r')
			default:
				dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			}
		}
		i++
		start = i
	}
	return append(dst, s[start:]...)
}
