package graph

import (
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/graph/language"
	"cortex/lib/record"
)

// toyRules returns the rules of two invented families. In "toy", a module is a path without ending, "x/*" imports all
// names of x, and modules that begin with "lib" are outside of the tree. In "open", all files are one package with
// namespaces, and bare names may be members.
func toyRules() []language.Rules {
	return []language.Rules{
		{
			Languages: []string{"toy"},
			Import: func(t *facts.Tree, f *facts.File, ref *record.Reference) []language.Import {
				module, isAll := strings.CutSuffix(ref.Module, "/*")
				i := language.Import{Local: ref.Alias, All: isAll, Name: ref.Name}
				if i.Local == "" && !isAll {
					i.Local = ref.Name
					if ref.Name == "" {
						i.Local = strings.ReplaceAll(module, "/", ".")
					}
				}
				if strings.HasPrefix(module, "lib") {
					i.External = module
				} else if file := t.File(module + ".toy"); file != nil {
					i.Files = []*facts.File{file}
				}
				return []language.Import{i}
			},
			Submodule: func(t *facts.Tree, f *facts.File, name string) *facts.File {
				return t.File(strings.TrimSuffix(f.Path, ".toy") + "/" + name + ".toy")
			},
			Absolute: func(t *facts.Tree, f *facts.File, parts []string) (language.Import, int) {
				if file := t.File(parts[0] + ".toy"); parts[0] == "root" && file != nil {
					return language.Import{Files: []*facts.File{file}}, 1
				}
				return language.Import{}, 0
			},
			Constructors: []string{"new"},
			Unexported:   language.ReachFile,
			Builtin:      func(name string, member bool) bool { return name == "print" },
		},
		{
			Languages:    []string{"open"},
			Package:      func(*facts.Tree, *facts.File) string { return "." },
			Wide:         true,
			ImplicitThis: true,
			Getters:      true,
			TypeCall:     record.Uses,
		},
		{
			Languages:  []string{"dir"},
			Package:    func(t *facts.Tree, f *facts.File) string { return path.Dir(f.Path) },
			Unexported: language.ReachPackage,
			Import: func(t *facts.Tree, f *facts.File, ref *record.Reference) []language.Import {
				return []language.Import{{Local: path.Base(ref.Module), Package: ref.Module}}
			},
		},
	}
}

// parseFacts reads files as: a line "== PATH" for each file, then lines of
//
//	KIND NAME [exported|test]          a symbol
//	SYMBOL: RELATION [RECEIVER.]NAME   a reference; "-" is the top level
//	SYMBOL: NAME = VALUE               a typing; NAME is "()" for a result
//	import MODULE [NAME] [as ALIAS]
func parseFacts(t testing.TB, text string) []*record.File {
	t.Helper()
	var files []*record.File
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		words := strings.Fields(line)
		if words[0] == "==" {
			f := &record.File{FilePath: words[1], Status: record.StatusOK, Language: strings.TrimPrefix(path.Ext(words[1]), ".")}
			if strings.Contains(words[1], "test") {
				f.Tags = []string{"test"}
			}
			files = append(files, f)
			continue
		}
		f := files[len(files)-1]
		symbol, isOf := strings.CutSuffix(words[0], ":")
		symbol = strings.TrimPrefix(symbol, "-")
		switch {
		case words[0] == "import":
			ref := record.Reference{Relation: record.Imports, Module: words[1], Lines: []int{i}}
			rest := words[2:]
			if n := len(rest); n >= 2 && rest[n-2] == "as" {
				ref.Alias, rest = rest[n-1], rest[:n-2]
			}
			ref.Name = strings.Join(rest, "")
			f.References = append(f.References, ref)
		case isOf && len(words) == 4 && words[2] == "=":
			f.Typings = append(f.Typings, record.Typing{Symbol: symbol, Name: strings.TrimSuffix(words[1], "()"), Value: words[3], Line: i})
		case isOf:
			receiver, name := "", words[2]
			if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
				receiver, name = name[:dot], name[dot+1:]
			}
			f.References = append(f.References, record.Reference{Relation: record.Relation(words[1]), Symbol: symbol, Receiver: receiver, Name: name, Lines: []int{i}})
		default:
			s := record.Symbol{Kind: record.Kind(words[0]), QualifiedName: words[1], Name: words[1][strings.LastIndexByte(words[1], '.')+1:], StartLine: i, EndLine: i,
				Exported: strings.Contains(line, "exported"), Test: strings.Contains(line, " test")}
			f.Symbols = append(f.Symbols, s)
		}
	}
	return files
}

// edges returns the edges of the last file, one on each line.
func edges(t testing.TB, text string) string {
	t.Helper()
	b := NewBuilder()
	b.rules = toyRules()
	files := parseFacts(t, text)
	for _, f := range files {
		b.Add("", f)
	}
	write(t, b, 2)
	var out strings.Builder
	last := files[len(files)-1].FilePath
	for _, line := range b.lines(t, 2) {
		e := line.Edge
		if e == nil || e.From != last && !strings.HasPrefix(e.From, last+"#") {
			continue
		}
		name := strings.TrimPrefix(e.Receiver+"."+e.Name, ".")
		if e.Relation == record.Imports {
			name = strings.TrimSpace(e.Module + " " + e.Name)
		}
		to := strings.TrimSpace(string(e.By) + " " + strings.Join(e.To, " ") + e.External)
		fmt.Fprintf(&out, "%s %s: %s\n", e.Relation, name, to)
		if (e.By == "") != (e.Confidence == 0) || e.By != edge.ByCandidates && e.Confidence != edge.Confidences[e.By] {
			t.Errorf("by %q with confidence %v", e.By, e.Confidence)
		}
	}
	return out.String()
}

func TestResolution(t *testing.T) {
	tests := []struct{ name, facts, want string }{
		{"scope", `
== a.toy
function f
function f.inner
function g
class T
class T.Nested
method T.m
method T.n
f: calls inner
f.inner: calls g
g: calls inner
T.m: calls n
T.m: uses Nested
-: calls f`, `
calls f: scope a.toy#f
calls n: `[1:] + `
uses Nested: scope a.toy#T.Nested
calls inner: scope a.toy#f.inner
calls g: scope a.toy#g
calls inner: ` + "\n"},
		{"receivers", `
== b.toy
class Store exported
method Store.get exported
method Store.item exported
class Item exported
method Item.name exported
function open exported
Store.item: () = (Item)
Store: items = (Item[])
open: () = (Store)
== a.toy
import b Store
import b open as start
import b
class S
method S.run
S: store = (Store)
S: made = start()
S.run: calls this.store.get
S.run: calls this.made.get
S.run: calls this.store.item().name
S.run: calls this.store.items[].name
S.run: calls this.store.items.name
S.run: calls start().get
S.run: calls b.open().get
S.run: calls b.Store.get
S.run: calls (Store).absent
S.run: calls Store.new
S.run: calls Store
S.run: calls this.run`, `
imports b Store: import b.toy b.toy#Store
imports b open: import b.toy b.toy#open
imports b: import b.toy
calls this.store.get: receiver b.toy#Store.get
calls this.made.get: receiver b.toy#Store.get
calls this.store.item().name: receiver b.toy#Item.name
calls this.store.items[].name: receiver b.toy#Item.name
calls this.store.items.name: ` + `
calls start().get: receiver b.toy#Store.get
calls b.open().get: receiver b.toy#Store.get
calls b.Store.get: receiver b.toy#Store.get
calls (Store).absent: ` + `
instantiates Store.new: receiver b.toy#Store
instantiates Store: import b.toy#Store
calls this.run: receiver a.toy#S.run
uses b.Store: receiver b.toy#Store
`},
		{"inheritance, in a circle", `
== b.toy
import a Low
class High exported
class Middle exported
method High.far exported
method Middle.near exported
Middle: extends High
High: extends Low
== a.toy
import b Middle
import lib/base Foreign
class Low exported
class Other
method Low.run exported
Low: extends Middle
Other: extends Foreign
method Other.do
Low.run: calls this.near
Low.run: calls super.far
Low.run: calls this.nothing
Low.run: calls super.run
Other.do: calls this.some
Other.do: calls super.any`, `
imports b Middle: import b.toy b.toy#Middle
imports lib/base Foreign: external lib/base.Foreign
extends Middle: import b.toy#Middle
calls this.near: inherited b.toy#Middle.near
calls super.far: inherited b.toy#High.far
calls this.nothing: ` + `
calls super.run: ` + `
extends Foreign: external lib/base.Foreign
calls this.some: external lib/base.Foreign.some
calls super.any: external lib/base.Foreign.any
`},
		{"interfaces after bases", `
== a.toy
interface I
method I.m
class C
method C.m
class B
class A
A: implements I
A: extends B
B: extends C
function f
method f.close
f: calls (A).m
f: calls close`, `
implements I: scope a.toy#I
extends B: scope a.toy#B
extends C: scope a.toy#C
calls (A).m: inherited a.toy#C.m
calls close: ` + "\n"},
		{"modules pass on, in a circle", `
== c.toy
import b/*
import a f
function deep exported
== b.toy
import c/*
import c deep as shallow
== d/e.toy
function sub exported
== d.toy
function whole exported
== a.toy
import b deep
import b shallow
import c/*
import d
import d/e
import b gone
function f
f: calls deep
f: calls shallow
f: calls d.e.sub
f: calls d.whole
f: calls gone
f: calls root.f`, `
imports b deep: import b.toy c.toy#deep
imports b shallow: import b.toy c.toy#deep
imports c/*: import c.toy
imports d: import d.toy
imports d/e: import d/e.toy
imports b gone: import b.toy
calls deep: import c.toy#deep
calls shallow: import c.toy#deep
calls d.e.sub: import d/e.toy#sub
calls d.whole: import d.toy#whole
calls gone: ` + `
calls root.f: ` + "\n"},
		{"absolute", `
== root.toy
class R exported
method R.m exported
== a.toy
function f
f: calls root.R.m
f: uses root.R
f: calls (root.R).m`, `
calls root.R.m: receiver root.toy#R.m
uses root.R: import root.toy#R
calls (root.R).m: receiver root.toy#R.m
uses root.R: receiver root.toy#R
`},
		{"external values", `
== a.toy
import lib/net as net
function f
-: client = net.open()
f: calls net.get
f: calls net.get().body[].close
f: calls client.send
f: uses net.Type
f: calls (net.Type).run
f: calls …run`, `
imports lib/net: external lib/net
calls net.get: external lib/net.get
calls net.get().body[].close: external lib/net.get().body[].close
calls client.send: external lib/net.open().send
uses net.Type: external lib/net.Type
calls (net.Type).run: external lib/net.Type.run
calls …run: ` + "\n"},
		{"guesses", `
== b.toy
class B exported
method B.only exported
method B.two exported
method B.hidden
function alone exported
function print exported
== c.toy
class C exported
method C.two exported
== x_test.toy
function alone exported
method C.only exported
== a.toy
function f
f: calls x.only
f: calls x.two
f: calls x.hidden
f: calls alone
f: calls print
f: uses C
f: calls (B).only
f: uses alone`, `
calls x.only: unique b.toy#B.only
calls x.two: candidates b.toy#B.two c.toy#C.two
calls x.hidden: ` + `
calls alone: unique b.toy#alone
calls print: ` + `
uses C: unique c.toy#C
calls (B).only: unique b.toy#B.only
uses alone: ` + "\n"},
		{"aliases", `
== b.toy
function real exported
class K exported
method K.m exported
-: default = real
-: instance = (K)
class Name exported
Name: () = (K)
== a.toy
import b default as local
import b instance
import b Name
function f
f: calls local
f: calls instance.m
f: calls (Name).m`, `
imports b default: import b.toy b.toy#real
imports b instance: import b.toy
imports b Name: import b.toy b.toy#Name
calls local: import b.toy#real
calls instance.m: receiver b.toy#K.m
calls (Name).m: receiver b.toy#K.m
`},
		{"one package with namespaces", `
== far/b.open
module ns
class ns.T
method ns.T.here
method ns.T.made
ns.T.made: () = (U)
function ns.help
function twice
== near/c.open
class ns.U
method ns.U.go
function twice
function thrice
== far/d.open
function thrice
== near/a.open
module ns
method ns.T.run
function twice_
ns.T.run: calls here
ns.T.run: calls this.here
ns.T.run: calls help
ns.T.run: calls twice
ns.T.run: calls ns.help
ns.T.run: calls made.go
ns.T.run: calls T
twice_: calls thrice`, `
calls here: receiver far/b.open#ns.T.here
calls this.here: receiver far/b.open#ns.T.here
calls help: package far/b.open#ns.help
calls twice: package near/c.open#twice
calls ns.help: receiver far/b.open#ns.help
calls made.go: receiver near/c.open#ns.U.go
uses T: package far/b.open#ns.T
calls thrice: package near/c.open#thrice
`},
		{"folders are packages", `
== p/a.dir
function Open exported
function hidden
class T exported
T: field = (T[])
method T.M exported
== p/a_other.dir
function Open exported
== q/a.dir
import p
import q
function own
own: calls p.Open
own: calls p.hidden
own: calls (p.T).field[].M
own: calls p.T.M`, `
imports p: import p/
imports q: import q/
calls p.Open: import p/a.dir#Open p/a_other.dir#Open
calls p.hidden: ` + `
calls (p.T).field[].M: receiver p/a.dir#T.M
calls p.T.M: receiver p/a.dir#T.M
uses p.T: receiver p/a.dir#T
`},
		{"no rules", `
== b.none
class A
method A.m
function f
== a.none
function g
g: calls f
g: calls x.m
g: calls g
g: imports f`, `
calls f: unique b.none#f
calls x.m: unique b.none#A.m
calls g: scope a.none#g
imports f: ` + "\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := strings.TrimPrefix(test.want, "\n")
			got := edges(t, test.facts)
			if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("%s\ngot:\n%s", diff, got)
			}
		})
	}
}

// Trees do not see each other.
func TestTrees(t *testing.T) {
	b := NewBuilder()
	for _, tree := range []string{"", "one", "two"} {
		for _, f := range parseFacts(t, "== a.zig\nfunction f\nf: calls f"+tree+"\n== b.zig\nfunction f"+tree) {
			b.Add(tree, f)
		}
	}
	lines := write(t, b, 2)
	for _, want := range []string{`"to":["one:b.zig#fone"]`, `"to":["two:b.zig#ftwo"]`, `{"node":"two:a.zig","kind":"file","name":"a.zig","tree":"two","language":"zig"}`} {
		if !strings.Contains(lines, want) {
			t.Errorf("no %s in\n%s", want, lines)
		}
	}
}

// A name that half of the files declare, and modules that all re-export each other, cost no more than the bounds allow.
func TestHostileFacts(t *testing.T) {
	if testing.Short() {
		t.Skip("resolves many facts")
	}
	var text strings.Builder
	const n = 40
	for i := range n {
		fmt.Fprintf(&text, "== f%d.toy\n", i)
		for j := range 20 {
			fmt.Fprintf(&text, "import f%d/*\n", (i+j*7)%n)
		}
		fmt.Fprintf(&text, "class A%d exported\nmethod A%d.same exported\nA%d: extends A%d\nA%d: x = (A%d).x\nA%d: calls nowhere\nA%d: calls z.same\nA%d: calls this.x.x.x.y\n", i, i, i, (i+1)%n, i, (i+1)%n, i, i, i)
		fmt.Fprintf(&text, "-: v = %s\n", strings.Repeat("f0.", 60)+"v")
		fmt.Fprintf(&text, "-: w = %s\n", strings.Repeat("(", 200)+"v")
	}
	b := NewBuilder()
	b.rules = toyRules()
	for _, f := range parseFacts(t, text.String()) {
		b.Add("", f)
	}
	lines := write(t, b, 2)
	if again := write(t, b, 1); again != lines {
		t.Error("not the same again")
	}
}

// synthesized is a tree of n files with about 45 references each.
func synthesized(n int) []*record.File {
	r := rand.New(rand.NewPCG(1, 1))
	var files []*record.File
	for i := range n {
		f := &record.File{FilePath: fmt.Sprintf("pkg%d/file%d.go", i/10, i), Status: record.StatusOK, Language: "go", Package: fmt.Sprintf("pkg%d", i/10)}
		if i == 0 {
			f.Mappings = []record.Mapping{{Module: "example.com/m", Path: "."}}
		}
		line := 1
		for range 3 {
			f.References = append(f.References, record.Reference{Relation: record.Imports, Module: fmt.Sprintf("example.com/m/pkg%d", r.IntN(n/10+1)), Lines: []int{line}})
			line++
		}
		name := fmt.Sprintf("T%d", i)
		f.Symbols = append(f.Symbols, record.Symbol{Kind: record.Struct, Name: name, QualifiedName: name, StartLine: line, EndLine: line + 3, Exported: true})
		f.Typings = append(f.Typings, record.Typing{Symbol: name, Name: "next", Value: fmt.Sprintf("(T%d)", i/10*10+r.IntN(10)), Line: line})
		for m := range 8 {
			method := fmt.Sprintf("Method%d", m)
			f.Symbols = append(f.Symbols, record.Symbol{Kind: record.Method, Name: method, QualifiedName: name + "." + method, Parent: name, StartLine: line, EndLine: line + 9, Exported: true,
				Signature: "func (t *" + name + ") " + method + "(ctx context.Context) error"})
			for range 5 {
				receiver := []string{"", "(" + name + ")", "(" + name + ").next", "fmt", "x"}[r.IntN(5)]
				line++
				f.References = append(f.References, record.Reference{Relation: record.Calls, Symbol: name + "." + method, Receiver: receiver, Name: fmt.Sprintf("Method%d", r.IntN(12)), Lines: []int{line}})
			}
		}
		files = append(files, f)
	}
	return files
}

func BenchmarkBuild(b *testing.B) {
	files := synthesized(5000)
	references := 0
	for _, f := range files {
		references += len(f.References)
	}
	b.ReportAllocs()
	builder := NewBuilder()
	for _, f := range files {
		builder.Add("", f)
	}
	for b.Loop() {
		builder.graph(b, 2)
	}
	b.ReportMetric(float64(references)*float64(b.N)/b.Elapsed().Seconds(), "references/s")
}
