// Package parse turns files into file records: the first stage of the pipeline, which
// all the others know through its records alone.
//
// # Queries
//
// A language is a tree-sitter grammar, a query in queries/ and a row in the tables of
// this package and of package language. What its query captures is all that the engine knows of it:
//
//	@definition.KIND  a declaration of a record.Kind; its span
//	@name             its name; of several in one match, all from the first to the last. All matches with the same @name node make one symbol: the kind is that of
//	                  the first pattern of the file, the span the widest
//	@span             a node around the definition that belongs to it: an export statement, an ungrouped "var"
//	@body             where the body begins; the signature ends before it
//	@value            an initialiser, left out of a signature that would become too long
//	@prefix           a word before the span with which the signature begins: "const" of a group
//	@function, @class a value, with its @body, that makes the definition whose @value it is a function (of
//	                  a field a method) or class. One without a block for its body counts as local data in
//	                  a function
//	@receiver         what qualifies the name: the type of a method declared outside of it, the labels of a
//	                  block. Several are joined
//	@scope            a node that is no symbol; its definitions are members of what its @receiver names: an
//	                  implementation or extension of a type
//	@doc              a doc comment inside the definition: a docstring. Comments directly above need no capture
//	@doc.before       a string or the like that documents what follows it: it counts as a comment
//	@doc.after        a comment that documents what ends directly before it
//	@exported         the definition is visible from outside
//	@exported.name    the name of a top-level definition that is made visible elsewhere
//	@private          the member is not visible
//	@private.name     the name of a member, declared in the same place, that is not visible
//	@private.from     what follows in the same body is not visible, until a @public.from
//	@test             the definition is test code
//	@local            a scope whose data are local though no function's name says so
//	@open             a @local that is none: the body of a namespace
//	@comment          any comment
//	@attribute        a decorator or attribute: it joins the definition that follows and is no part of its signature
//	@attribute.test   one that marks test code
//	@attribute.exported one that makes what it stands at visible
//	@embedded.LANG    text in another language, with symbols of its own; in the same language, between
//	                  brackets, it is read as if it stood there without them, unless it has syntax errors
//	@import           what is imported, with or without quotes; several in one match are one
//	@package          the name of the file's package; with (#set! repeated "join") several nest
//	@_anything        for predicates alone
//
// What the code names, and what of types the syntax tells, becomes record.Reference and record.Typing:
//
//	@reference.RELATION the expression or type that names what is called, used and so on; of several in one match, all from the
//	                  first to the last. Of those that end in one place the first pattern of the file tells the relation, and the widest
//	                  span counts. The names of definitions and their receivers are none
//	@reference.text   text that the grammar leaves as tokens: each name before a "(" is a call
//	@import.module    the module of one imported thing; several in one match are joined with "."
//	@import.name      what is taken from it, the module itself if there is none; without a module, what the file gives away
//	@import.alias     by what name the file knows it
//	@binding          the name of a parameter, variable or field, or a list of names with commas. It is a local in a function, @local or
//	                  @binding.scope from there to the end of the innermost of these, a field directly in a type, otherwise a variable of
//	                  the file. What is a symbol with a body is none. Of several of one name that counts which tells most
//	@binding.type     its type; of several names in one match, that of all
//	@binding.list     the type of its elements: of a parameter that takes any number of arguments
//	@binding.value    what it is set to; of several names that of the first, or one for each
//	@binding.element  that of which it is an element; of several names that of the last
//	@binding.property with one of these, the name of that member of it which it is: of "a" in "const {a} = b"
//	@binding.member   as @binding, the name of a member of the object whose method is around it
//	@binding.scope    in a match with @binding, where that local is known; alone, a node at the end of which locals go
//	@result           the type of what the function around it returns, or for which the type around it stands
//	@result.value     an expression that it returns, of which the first ones count where no type is said
//	@member.method    the name of a method that is no symbol, with its @member.signature, from parameters to result, and perhaps @result
//
// With (#set! module "./") that stands before the @import.module. With (#set! within "type") a @binding counts directly in a type alone, with (#set! within "function") as local alone.
//
// Captured text is turned into record.Expression without regard to the language (expression.go), names of locals give way to what they
// hold (bindings.go), so that no local leaves the file.
//
// Predicates, each with a "not-" form: #eq?, #any-of?, #match? (avoid: slow) and #constant-case? on the
// text of a capture.
//
// (#set! within "file") keeps a pattern's definitions out of functions and local
// scopes; (#set! within "member") makes them members of the type around those, (#set! within "nothing") of nothing;
// (#set! within "type") lets them stand directly in a type alone;
// (#set! value "function") drops those whose @value is neither a @function nor a @class;
// (#set! member "KIND") is the kind where the definition stands in a type;
// (#set! most "N") drops all of a place that has more; (#set! name "=") ends a name before that text;
// (#set! repeated "join") makes one symbol of definitions of the same name and kind that follow each
// other, such as the clauses of a function; (#set! level "1") to "6" lets a definition reach to the next
// one of the same or a higher level, as headings and the stages of a build do. (#file? "GLOB" ...) limits a pattern to files of that base name.
//
// Roots of patterns should be small nodes: a pattern that begins at the file or at the body of a class is
// tried again at every node inside.
//
// The engine adds what is common: the enclosing definition is the parent, a function in a type
// is a method, data inside a function or a local scope is left out.
package parse

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"cortex/lib/language"
	"cortex/lib/record"
	"cortex/lib/source"
)

// Version changes with every change of what is found in the same bytes.
const Version = 6

// file makes the record of a file from its bytes: text, symbols, breaks and what else
// the language's grammar tells. It depends on nothing but its arguments.
func (w *worker) file(path string, lang language.Language, data []byte) *record.File {
	sum := sha256.Sum256(data)
	f := &record.File{
		FilePath: path,
		Language: lang.Name,
		SHA256:   hex.EncodeToString(sum[:]),
		Size:     int64(len(data)),
		Status:   record.StatusUnsupported,
		Text:     validText(data),
	}
	if isTestPath(path) {
		f.Tags = []string{"test"}
	}
	g := grammarFor(lang.Name, path)
	switch {
	case g != nil:
		w.embedded(f, w.extract(f, g, f.Text))
	case lang.Name == "jupyter":
		w.notebookFile(f)
	case lang.Class == language.Document:
		markdownFile(f, lang)
	default:
		f.Reason = "no grammar for " + lang.Name
	}
	f.Mappings = mappingsOf(path, f.Text)
	return f
}

// validText is data as UTF-8 without a byte order mark. Bytes that are none become U+FFFD.
func validText(data []byte) string {
	text := string(source.Decode(data))
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// extract parses readable, which is the text of f or as long as that, and fills in what the
// grammar's query finds. It returns the segments in other languages.
func (w *worker) extract(f *record.File, g *grammar, readable string) []segment {
	p, err := g.compile()
	if err != nil {
		f.Status, f.Reason = record.StatusError, err.Error()
		return nil
	}
	masked := g.prepare(readable)
	var t tree
	if g.retry == nil {
		t, err = w.run(p.query, masked)
	} else {
		masked, t, err = w.better(p.query, g, masked)
	}
	f.ErrorCount = t.errors
	if err != nil {
		f.Status, f.Reason = record.StatusError, err.Error()
		return nil
	}
	f.Status = record.StatusOK
	if t.errors > 0 {
		f.Status, f.Reason = record.StatusPartial, "syntax errors"
	} else if t.dropped {
		f.Status, f.Reason = record.StatusPartial, "too many names in one declaration"
	}
	return w.fill(f, p, masked, t)
}

// prepare is text as the grammar reads it.
func (g *grammar) prepare(text string) string {
	if g.macros {
		text = withoutMacros(text)
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n" // some grammars miss the end of the last line
	}
	return g.masker().mask(text)
}

// fill fills in what a program finds in the tree of a text, and returns the segments in other languages.
func (w *worker) fill(f *record.File, p *program, masked string, t tree) []segment {
	x := extraction{program: p, path: f.FilePath, text: f.Text, masked: masked, room: w.room}
	x.lines, x.facts = appendLineStarts(x.lines[:0], f.Text), x.facts[:0]
	x.mentions.reset()
	defer w.keep(&x)
	x.read(t.captures, 0)
	x.arrange()
	breaks := x.breaks(t.breaks)
	w.readInside(&x)
	f.Package, f.Imports = x.pkg, x.imports
	if p.grammar.modulePath {
		f.Package = modulePath(f.FilePath)
	}
	symbols, ok := x.symbols()
	if !ok {
		f.Status, f.Reason = record.StatusError, "declarations nested or repeated beyond reason"
		return nil
	}
	f.Symbols = symbols
	f.References, f.Typings = x.refer()
	f.Breaks = x.withoutHeads(breaks)
	return x.embedded
}

// better is run for a grammar with masks for what has errors: it parses that once more behind these, and
// returns the better tree with its text.
func (w *worker) better(q *query, g *grammar, text string) (string, tree, error) {
	first, err := w.hold(q, text)
	defer w.drop()
	if err != nil || !first.held {
		return text, first, err
	}
	if masked := g.retrier().mask(text); masked != text {
		first, err = w.count(q, text)
		if err != nil {
			return text, first, err
		}
		second, err := w.run(q, masked)
		if err == nil && second.errors < first.errors {
			return masked, second, nil
		}
	}
	first, err = w.resume(q, text)
	return text, first, err
}
