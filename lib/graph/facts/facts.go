// Package facts encodes what the graph needs of each file: its declarations, references and imports, before any name is
// resolved. An Encoder makes Facts from a file record; Facts.Read decodes them into a File; a Tree has the Files of a
// whole source tree.
//
// Begin with facts.go, which has the format. encode.go writes it; reader.go and strings.go read it; tree.go has the types
// that reading returns; names.go numbers the strings; compare.go finds how two versions of a file differ.
package facts

import (
	"cortex/lib/record"
)

// Facts are the encoded facts of a file, as AppendFacts writes them: all that resolution needs, in sorted order. Numbers
// are varints. A text is its length and its bytes. A string is its position in the three lists of strings, counted from
// 1 through all lists; 0 is "".
//
//	test (0 or 1), path, language, package
//	number of mappings, then each: module, path
//	three lists of strings: those of typings and visible references, further ones of other references, further ones of
//	  symbols; each: number, size in bytes, texts
//	number of symbols, then each: kind, flags, first line, last line minus first, lines from the start of its comment to the
//	  first line, qualified name, name, parent, signature,
//	  number of further declarations, then each: first line, last line minus first, lines from the start of its comment
//	number of typings, then each: symbol, name, value, line, signature
//	number of references that other files can see, then each: position among all references, then as below
//	number of other references, then each: relation, symbol, name, receiver, module, alias, number of lines, then each line
//	  minus the line before
type Facts []byte

// A Header is the decoded beginning of Facts. Lists has the three lists of strings, still encoded; Rest reads what follows.
type Header struct {
	Test                bool
	Path, Language, Pkg string
	Mappings            []record.Mapping
	counts              [3]int
	Lists               [3][]byte
	Rest                Reader
}

// Header decodes the header. The result shares the memory of f. ok is false if f is damaged.
func (f Facts) Header() (h Header, ok bool) {
	r := Reader{Data: f}
	h.Test = r.Byte() != 0
	h.Path, h.Language, h.Pkg = r.Text(), r.Text(), r.Text()
	for range r.Count() {
		h.Mappings = append(h.Mappings, record.Mapping{Module: r.Text(), Path: r.Text()})
	}
	for i := range h.Lists {
		h.counts[i] = r.Int()
		h.Lists[i] = r.bytes(r.Int())
		r.Fault = r.Fault || h.counts[i] > len(h.Lists[i])
	}
	h.Rest = r
	return h, !r.Fault
}

// strings decodes the lists. It numbers the strings of the first all lists at once, the others when they are first read.
func (h *Header) strings(n *names, all int) *factStrings {
	s := &factStrings{names: n, texts: h.Texts()}
	s.known = make([]Name, len(s.texts))
	numbered := 1
	for _, count := range h.counts[:all] {
		numbered += count
	}
	for i := 1; i < numbered; i++ {
		s.known[i] = n.Text(s.texts[i])
		s.parts(s.texts[i])
	}
	return s
}

// Read decodes the symbols, typings and visible references. If whole is set, it also numbers the strings of the other
// references, so that File.All needs to add no names. It returns ErrFacts if f is damaged.
func (f Facts) Read(n *names, whole bool) (*File, error) {
	h, ok := f.Header()
	if !ok {
		return nil, ErrFacts
	}
	file := &File{Path: h.Path, Language: h.Language, Package: h.Pkg, Test: h.Test, Mappings: h.Mappings, Names: n}
	all := 1
	if whole {
		all = 2
	}
	s, r := h.strings(n, all), &h.Rest
	if count := r.Count(); count > 0 {
		file.Symbols = make([]Symbol, count)
	}
	for i := range file.Symbols {
		now := Symbol{Kind: r.Byte(), Flags: r.Byte(), Start: int32(r.Int())}
		now.End = now.Start + int32(r.Int())
		now.Doc = int32(r.Int())
		now.Qualified, now.Name, now.Parent = s.name(r), s.name(r), s.name(r)
		now.Signature = r.Text()
		r.Declarations(func(start, end, doc int) {
			file.Further = append(file.Further, Further{int32(i), int32(start), int32(end), int32(doc)})
		})
		if int(now.Kind) >= len(record.Kinds) {
			return nil, ErrFacts
		}
		file.Symbols[i] = now
	}
	if count := r.Count(); count > 0 {
		file.Typings = make([]typing, count)
	}
	for i := range file.Typings {
		file.Typings[i] = typing{Symbol: s.name(r), Name: s.name(r), Value: s.name(r), line: int32(r.Int()), Signature: r.Text()}
	}
	if count := r.Count(); count > 0 {
		file.References = make([]Reference, count)
	}
	var lines []int32
	for i := range file.References {
		place := int32(r.Int())
		file.References[i] = s.reference(r, &lines)
		file.References[i].place, file.References[i].Visible = place, int32(i)
	}
	if r.Fault {
		return nil, ErrFacts
	}
	s.texts = nil
	file.rest, file.strings = *r, s
	return file, nil
}

// Texts returns the strings of all lists by number, "" first.
func (h *Header) Texts() []string {
	texts := make([]string, 1, 1+h.counts[0]+h.counts[1]+h.counts[2])
	for i, list := range h.Lists {
		r := Reader{Data: list}
		for range h.counts[i] {
			texts = append(texts, r.Text())
		}
	}
	return texts
}

// Path returns the path of the file in its tree.
func (f Facts) Path() string {
	h, _ := f.Header()
	return h.Path
}
