package shard

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"cortex/lib/record"
	"cortex/lib/record/jsonl"
)

// facts is the part of a file's line that name resolution needs. A list is one string with a line for each item and
// tabs between its fields, which takes a third of the bytes of JSON. If a field contains a tab or a line break, Plain
// has the lists as JSON.
type facts struct {
	Imports    []string         `json:"imports,omitempty"`
	Symbols    string           `json:"symbols,omitempty"`
	References string           `json:"references,omitempty"`
	Typings    string           `json:"typings,omitempty"`
	Mappings   []record.Mapping `json:"mappings,omitempty"`
	Plain      *plain           `json:"plain,omitempty"`
}

type plain struct {
	Symbols    []record.Symbol    `json:"symbols,omitempty"`
	References []record.Reference `json:"references,omitempty"`
	Typings    []record.Typing    `json:"typings,omitempty"`
}

// Facts encodes the facts of a file record for File.Append. It returns nil if there are none.
func Facts(f *record.File) ([]byte, error) {
	if len(f.Imports)+len(f.Symbols)+len(f.References)+len(f.Typings)+len(f.Mappings) == 0 {
		return nil, nil
	}
	out := facts{Imports: f.Imports, Mappings: f.Mappings}
	p := &packer{}
	out.Symbols, out.References, out.Typings = p.symbols(f.Symbols), p.references(f.References), p.typings(f.Typings)
	if p.failed {
		out.Symbols, out.References, out.Typings = "", "", ""
		out.Plain = &plain{f.Symbols, f.References, f.Typings}
	}
	return jsonl.AppendJSON(nil, &out)
}

// addFacts decodes what Facts encoded into the record of the file.
func (f *File) addFacts(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	bad := errors.New("its facts are none")
	var in facts
	if jsonl.Unmarshal(data, &in) != nil {
		return bad
	}
	r := &f.Record
	r.Imports, r.Mappings = in.Imports, in.Mappings
	if in.Plain != nil {
		r.Symbols, r.References, r.Typings = in.Plain.Symbols, in.Plain.References, in.Plain.Typings
	} else {
		u := &unpacker{}
		r.Symbols, r.References, r.Typings = u.symbols(in.Symbols), u.references(in.References), u.typings(in.Typings)
		if u.failed {
			return bad
		}
	}
	for _, m := range r.Mappings {
		if record.CheckFolder(m.Path) != nil {
			return bad
		}
	}
	return nil
}

// A packer encodes lists as text. failed is set if a value cannot be encoded.
type packer struct {
	b      strings.Builder
	failed bool
}

// item writes one line: a letter, then the fields with tabs between them, without trailing empty fields.
func (p *packer) item(letter string, fields ...string) {
	for len(fields) > 0 && fields[len(fields)-1] == "" {
		fields = fields[:len(fields)-1]
	}
	if p.b.Len() > 0 {
		p.b.WriteByte('\n')
	}
	p.b.WriteString(letter)
	for i, field := range fields {
		if strings.ContainsAny(field, "\t\n") {
			p.failed = true
		}
		if i > 0 {
			p.b.WriteByte('\t')
		}
		p.b.WriteString(field)
	}
}

func (p *packer) text() string {
	defer p.b.Reset()
	return p.b.String()
}

// splitName splits a qualified name at its last dot.
func splitName(qualified string) (parent, name string) {
	at := strings.LastIndexByte(qualified, '.')
	return qualified[:max(at, 0)], qualified[at+1:]
}

// number returns n in decimal, "" for 0.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func (p *packer) symbols(list []record.Symbol) string {
	for i := range list {
		s := &list[i]
		if s.Doc != "" || s.StartByte != 0 || s.EndByte != 0 || s.BodyByte != 0 {
			p.failed = true
		}
		letter := "-"
		switch {
		case s.Exported && s.Test:
			letter = "*"
		case s.Exported:
			letter = "+"
		case s.Test:
			letter = "~"
		}
		fields := []string{string(s.Kind), s.QualifiedName, number(s.StartLine), number(s.EndLine - s.StartLine), number(s.DocLine), s.Signature}
		if parent, name := splitName(s.QualifiedName); parent != s.Parent || name != s.Name {
			fields = append(fields, s.Name, s.Parent, ".")
		}
		p.item(letter, fields...)
	}
	return p.text()
}

// symbolLetter begins a line with the symbol to which the following lines belong.
const symbolLetter = "@"

// letters has a letter for each of record.Relations, in their order.
const letters = "icnuxmep"

func (p *packer) references(list []record.Reference) string {
	symbol := ""
	for i := range list {
		r := &list[i]
		if r.Symbol != symbol {
			symbol = r.Symbol
			p.item(symbolLetter, symbol)
		}
		relation := slices.Index(record.Relations, r.Relation)
		if relation < 0 {
			p.failed = true
			return ""
		}
		lines := ""
		for j, n := range r.Lines {
			if j > 0 {
				lines += ","
			}
			lines += strconv.Itoa(n)
		}
		p.item(letters[relation:relation+1], r.Name, lines, r.Receiver, r.Module, r.Alias)
	}
	return p.text()
}

func (p *packer) typings(list []record.Typing) string {
	symbol := ""
	for i := range list {
		t := &list[i]
		if t.Symbol != symbol {
			symbol = t.Symbol
			p.item(symbolLetter, symbol)
		}
		p.item("t", t.Name, number(t.Line), t.Value, t.Signature)
	}
	return p.text()
}

// An unpacker decodes the text of a packer. failed is set if the text is not valid.
type unpacker struct{ failed bool }

// items calls each with the letter and the fields of every line; omitted fields are "".
func (u *unpacker) items(text string, each func(letter byte, fields *[9]string)) {
	for text != "" && !u.failed {
		line, rest, more := strings.Cut(text, "\n")
		if line == "" || more && rest == "" {
			u.failed = true
			return
		}
		text = rest
		var fields [9]string
		letter, n := line[0], 0
		for line = line[1:]; ; n++ {
			field, rest, more := strings.Cut(line, "\t")
			if n == len(fields) {
				u.failed = true
				return
			}
			fields[n] = field
			if line = rest; !more {
				break
			}
		}
		each(letter, &fields)
	}
}

func (u *unpacker) number(text string) int {
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	u.failed = u.failed || err != nil
	return n
}

func (u *unpacker) symbols(text string) (list []record.Symbol) {
	if text != "" {
		list = make([]record.Symbol, 0, strings.Count(text, "\n")+1)
	}
	u.items(text, func(letter byte, f *[9]string) {
		s := record.Symbol{Kind: record.Kind(f[0]), QualifiedName: f[1], StartLine: u.number(f[2]), DocLine: u.number(f[4]), Signature: f[5],
			Exported: letter == '+' || letter == '*', Test: letter == '~' || letter == '*'}
		s.EndLine = s.StartLine + u.number(f[3])
		if s.Parent, s.Name = splitName(s.QualifiedName); f[8] != "" {
			s.Name, s.Parent = f[6], f[7]
		}
		u.failed = u.failed || !strings.ContainsRune("-+~*", rune(letter))
		list = append(list, s)
	})
	return list
}

func (u *unpacker) references(text string) (list []record.Reference) {
	if text != "" {
		list = make([]record.Reference, 0, strings.Count(text, "\n")+1)
	}
	symbol := ""
	lines := make([]int, 0, cap(list))
	u.items(text, func(letter byte, f *[9]string) {
		if letter == symbolLetter[0] {
			symbol = f[0]
			return
		}
		relation := strings.IndexByte(letters, letter)
		if relation < 0 {
			u.failed = true
			return
		}
		r := record.Reference{Relation: record.Relations[relation], Name: f[0], Receiver: f[2], Module: f[3], Alias: f[4], Symbol: symbol}
		if f[1] != "" {
			start := len(lines)
			for number := range strings.SplitSeq(f[1], ",") {
				lines = append(lines, u.number(number))
			}
			r.Lines = lines[start:len(lines):len(lines)]
		}
		list = append(list, r)
	})
	return list
}

func (u *unpacker) typings(text string) (list []record.Typing) {
	symbol := ""
	u.items(text, func(letter byte, f *[9]string) {
		switch letter {
		case symbolLetter[0]:
			symbol = f[0]
		case 't':
			list = append(list, record.Typing{Symbol: symbol, Name: f[0], Line: u.number(f[1]), Value: f[2], Signature: f[3]})
		default:
			u.failed = true
		}
	})
	return list
}

// packRefs encodes the list of a chunk's symbols as text; ok is false if a name contains a tab or a line break.
func packRefs(list []record.SymbolRef) (text string, ok bool) {
	p := &packer{}
	last := 0
	for _, s := range list {
		p.item("-", s.Name, string(s.Type), number(s.Line-last))
		last = s.Line
	}
	if text = p.text(); p.failed {
		return "", false
	}
	return text, true
}

func unpackRefs(text string) (list []record.SymbolRef, ok bool) {
	u := &unpacker{}
	last := 0
	u.items(text, func(_ byte, f *[9]string) {
		last += u.number(f[2])
		list = append(list, record.SymbolRef{Name: f[0], Type: record.Kind(f[1]), Line: last})
	})
	return list, !u.failed
}
