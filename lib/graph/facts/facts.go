// Package facts holds what the graph keeps of each file in compact form: what the file declares, names and imports, before any name is resolved. An Encoder makes Facts
// of file records; Facts.Read makes a File of them, and a Tree has the Files of a whole source tree.
//
// Begin with facts.go, which has the format. encode.go writes it; reader.go and strings.go read it; tree.go has the types that reading returns; names.go numbers the strings;
// compare.go says how two versions of a file differ.
package facts

import (
	"cortex/lib/record"
)

// Facts are what the graph keeps of a file, as AppendFacts wrote it: all that resolution looks at, in an order that follows from the facts. Numbers are varints, a
// text is its length and its bytes, a string the number of a text in the list of strings, where 0 is "" and the rest counts from 1:
//
//	test (0 or 1), path, language, package
//	number of mappings, then each: module, path
//	three lists of strings: in what other files can see, in other references alone, in symbols alone. Each: number, size, texts
//	number of symbols, then each: kind, flags, first line, number of lines, qualified name, name, parent, signature,
//	  number of further declarations, then each: first line, number of lines, lines of its comment
//	number of typings, then each: symbol, name, value, line, signature
//	number of references that other files can see, then each: place among all, and as below
//	number of other references, then each: relation, symbol, name, receiver, module, alias, number of lines, then the lines, each as what it is more than the last
type Facts []byte

// A Header is what stands in front of facts.
type Header struct {
	Test                bool
	Path, Language, Pkg string
	Mappings            []record.Mapping
	counts              [3]int
	Lists               [3][]byte
	Rest                Reader
}

// Header reads what stands in front. All shares the memory of the facts.
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

// strings reads the lists, and numbers those before the list number all at once; others when they are asked for.
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

// Read reads what other files can see, and numbers all strings if whole is set, so that the other references can be read when no names are added.
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

// Texts are all strings.
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

// Path is the path of the file in its tree.
func (f Facts) Path() string {
	h, _ := f.Header()
	return h.Path
}
