// Package methodset finds which Go types implement which interfaces of the tree, by comparing the signatures of
// methods. Find takes the declarations of all files and returns edges from types to interfaces.
package methodset

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// Find returns an edge from each type to each interface whose methods it has, and omissions where there are too many edges.
// Methods are equal if they have the same name and the same types of parameters and results, by package and name.
func Find(in []*File) ([]facts.Implied, []facts.ImpliedOmission) {
	g := &goTypes{types: map[goName]*goType{}, aliases: map[goName]goAlias{}, having: map[string][]*goType{}}
	for _, f := range in {
		g.findAliases(f)
	}
	for _, f := range in {
		g.declare(f)
	}
	for _, f := range in {
		g.embed(f)
	}
	g.findOpen()
	g.promotions = goLeast + goPromotions*(len(g.list)+g.declared)
	var interfaces []*goType
	for _, own := range g.list {
		switch {
		case own.test:
		case own.declaration.Kind != record.Interface:
			for name := range g.methods(own) {
				g.having[name] = append(g.having[name], own)
			}
		case !own.open && len(g.methods(own)) > 0:
			interfaces = append(interfaces, own)
		}
	}
	return g.implement(interfaces)
}

// Bounds of work that can grow with the square of the number of declarations: promoting methods of embedded types, and
// comparing types with interfaces. In the standard library and nine large modules there are, for each type and method, at
// most 0.5 promoted methods, 0.4 edges and 1.4 comparisons.
const (
	// goPromotions and goEdges bound the promoted methods and the edges, for each type and method of the tree. Any tree
	// may have goLeast of each.
	goPromotions = 16
	goEdges      = 4
	goLeast      = 10_000
	// goComparisons bounds the comparisons of two methods.
	goComparisons = 1 << 25
)

// implement compares types with interfaces. If there are too many edges, each interface keeps only the first of its types,
// up to a share that is equal for all interfaces.
func (g *goTypes) implement(interfaces []*goType) (edges []facts.Implied, omitted []facts.ImpliedOmission) {
	most, comparisons := goLeast+goEdges*(len(g.list)+g.declared), goComparisons
	found := make([]int, len(interfaces))
	for i, wanted := range interfaces {
		candidates := g.candidates(wanted)
		if comparisons -= len(candidates) * len(wanted.all); wanted.cut || comparisons < 0 {
			omitted = append(omitted, facts.ImpliedOmission{Declaration: wanted.declaration, Relation: record.Implements, Incoming: true})
			continue
		}
		for _, own := range candidates {
			if own.has(wanted.all) {
				found[i]++
				own.found++
			}
		}
	}
	share := fairShare(found, most)
	for i, wanted := range interfaces {
		held := min(found[i], share)
		if held < found[i] {
			omitted = append(omitted, facts.ImpliedOmission{Declaration: wanted.declaration, Relation: record.Implements, Incoming: true, Held: held, Found: found[i]})
		}
		for _, own := range g.candidates(wanted) {
			if held == 0 {
				break
			}
			if own.has(wanted.all) {
				edges = append(edges, facts.Implied{Relation: record.Implements, From: own.declaration, To: wanted.declaration})
				own.held++
				held--
			}
		}
	}
	for _, own := range g.list {
		switch {
		case own.cut && own.declaration.Kind != record.Interface:
			omitted = append(omitted, facts.ImpliedOmission{Declaration: own.declaration, Relation: record.Implements, Held: own.held})
		case own.held < own.found:
			omitted = append(omitted, facts.ImpliedOmission{Declaration: own.declaration, Relation: record.Implements, Held: own.held, Found: own.found})
		}
	}
	return edges, omitted
}

// fairShare returns the greatest bound such that the sum of the counts, each cut to the bound, is at most most.
func fairShare(counts []int, most int) int {
	left := most
	for i, n := range slices.Sorted(slices.Values(counts)) {
		if share := left / (len(counts) - i); n > share {
			return share
		}
		left -= n
	}
	return most
}

// candidates returns the types that have the rarest method of an interface, by name.
func (g *goTypes) candidates(wanted *goType) []*goType {
	rarest := ""
	for name := range wanted.all {
		if n, m := len(g.having[name]), len(g.having[rarest]); rarest == "" || n < m || n == m && name < rarest {
			rarest = name
		}
	}
	return g.having[rarest]
}

// A goName is a name in a package: pkg is the key of a package in the tree, or the import path of one outside.
type goName struct{ pkg, name string }

// A File is a Go file with the key of its package.
type File struct {
	*facts.File
	Key     string
	Test    bool
	Imports map[string]string // keys or paths of packages by the name in the file
}

// name returns the meaning of a type's name in the file, with a qualifier or "".
func (f *File) name(qualifier, name string) goName {
	if qualifier != "" {
		return goName{cmp.Or(f.Imports[qualifier], qualifier), name}
	}
	if types.Universe.Lookup(name) != nil {
		return goName{"", name}
	}
	return goName{f.Key, name}
}

// A goAlias is the target of an alias: a name, or with lists above 0 a list of lists of it.
type goAlias struct {
	goName
	lists int
}

// A goType is a type declared at the top level of a package.
type goType struct {
	goName
	declaration *facts.Declaration
	test        bool
	own         map[string]goMethod
	embedded    []*goType
	// made has the struct from which the type is defined ("type T S"): T has the embedded types of S.
	made []*goType
	// foreign has the embedded types outside of the tree.
	foreign []goName
	// open is set if the type has unknown methods, from an embedded type outside of the tree.
	open bool
	// all has the methods, own and promoted; some are missing if cut is set. busy is set while they are collected.
	all       map[string]goMethod
	cut, busy bool
	// found counts the interfaces that the type implements, held those to which it has an edge.
	found, held int
}

// A goMethod has the types of a method's parameters and results in a normal form. pkg is the package of an unexported
// method, "" for an exported one. If cut is set, the end of the signature is unknown.
type goMethod struct {
	signature, pkg string
	cut            bool
}

// fits reports whether a method equals the wanted one, as far as both signatures are known.
func (m goMethod) fits(wanted goMethod) bool {
	switch {
	case m.pkg != wanted.pkg:
		return false
	case m.cut && (!wanted.cut || len(m.signature) < len(wanted.signature)):
		return strings.HasPrefix(wanted.signature, m.signature)
	case wanted.cut:
		return strings.HasPrefix(m.signature, wanted.signature)
	}
	return m.signature == wanted.signature
}

// goTypes has the types of a tree.
type goTypes struct {
	types   map[goName]*goType
	aliases map[goName]goAlias
	list    []*goType
	// having has the types by the names of their methods.
	having map[string][]*goType
	// declared is the number of declared methods, promotions the number of methods that may still be promoted.
	declared, promotions int
}

// findAliases finds the aliases ("type A = B") in a file.
func (g *goTypes) findAliases(f *File) {
	for t := range f.EachTyping() {
		if t.Name != "" || t.Symbol == "" || !strings.HasPrefix(t.Value, "(") {
			continue
		}
		d := f.Declaration(t.Symbol)
		if d == nil || d.Kind != record.TypeKind || !strings.Contains(d.Signature, "=") {
			continue
		}
		target := strings.Trim(t.Value, "()")
		lists := strings.Count(target, "[]")
		qualifier, name, ok := strings.Cut(strings.TrimRight(target, "[]"), ".")
		if !ok {
			qualifier, name = "", qualifier
		}
		g.aliases[goName{f.Key, t.Symbol}] = goAlias{f.name(qualifier, name), lists}
	}
}

// original follows aliases from a name to the type for which it stands.
func (g *goTypes) original(n goName) goName {
	const maxAliases = 8
	for range maxAliases {
		alias, ok := g.aliases[n]
		if !ok || alias.lists > 0 {
			break
		}
		n = alias.goName
	}
	return n
}

func (g *goTypes) get(n goName) *goType {
	own := g.types[n]
	if own == nil {
		own = &goType{goName: n, own: map[string]goMethod{}}
		g.types[n] = own
	}
	return own
}

func (g *goTypes) declare(f *File) {
	for d := range f.Declarations() {
		owner := strings.TrimSuffix(d.Qualified, "."+d.Name)
		switch {
		case d.Kind.IsType() && d.Qualified == d.Name:
			if own := g.get(goName{f.Key, d.Name}); own.declaration == nil {
				g.list = append(g.list, own)
				own.declaration, own.test = d, f.Test
			}
		case d.Kind == record.Method && owner != d.Qualified && !strings.Contains(owner, "."):
			m := g.method(f, d.Signature, d.Name)
			if !token.IsExported(d.Name) {
				m.pkg = f.Key
			}
			g.get(goName{f.Key, owner}).own[d.Name] = m
			g.declared++
		}
	}
}

// embed finds the embedded types of the types in a file.
func (g *goTypes) embed(f *File) {
	for ref := range f.EachReference() {
		if ref.Relation != record.Embeds {
			continue
		}
		own := g.types[goName{f.Key, ref.Symbol}]
		if own == nil {
			continue
		}
		name := g.original(f.name(ref.Receiver, ref.Name))
		if other := g.types[name]; other != nil && other.declaration != nil {
			own.embedded = append(own.embedded, other)
		} else {
			own.foreign = append(own.foreign, name)
		}
	}
	for t := range f.EachTyping() {
		// A type defined from a struct has the embedded types of the struct.
		own := g.types[goName{f.Key, t.Symbol}]
		if own == nil || own.declaration == nil || own.declaration.Kind != record.TypeKind || t.Name != "" || strings.Contains(t.Value, "[") {
			continue
		}
		if other := g.types[goName{f.Key, strings.Trim(t.Value, "()")}]; other != nil && other.declaration != nil && other.declaration.Kind == record.Struct {
			own.made = append(own.made, other)
		}
	}
}

// methods returns the methods of a type, own and promoted. Its own come first, then those of earlier embedded types.
func (g *goTypes) methods(t *goType) map[string]goMethod {
	if t.all != nil || t.busy {
		return t.all
	}
	if len(t.embedded) == 0 && len(t.made) == 0 && len(t.foreign) == 0 {
		t.all = t.own
		return t.all
	}
	t.busy = true
	all := map[string]goMethod{}
	for _, name := range t.foreign {
		for _, s := range goInterfaces[strings.TrimPrefix(name.pkg+"."+name.name, ".")] {
			method, _, _ := strings.Cut(s, "(")
			all[method] = g.method(&File{Key: name.pkg}, s[len(method):], method)
		}
	}
	promote := func(from []*goType) {
		for _, e := range slices.Backward(from) {
			methods := g.methods(e)
			if g.promotions -= 1 + len(methods); g.promotions < 0 {
				t.cut = true
				return
			}
			maps.Copy(all, methods)
			t.cut = t.cut || e.cut
		}
	}
	for _, s := range slices.Backward(t.made) {
		promote(s.embedded)
	}
	promote(t.embedded)
	maps.Copy(all, t.own)
	t.all, t.busy = all, false
	return all
}

// findOpen sets open for types that embed, directly or not, a type whose methods are unknown.
func (g *goTypes) findOpen() {
	embedding := map[*goType][]*goType{}
	var open []*goType
	for _, t := range g.list {
		for _, e := range t.embedded {
			embedding[e] = append(embedding[e], t)
		}
		for _, name := range t.foreign {
			if _, known := goInterfaces[strings.TrimPrefix(name.pkg+"."+name.name, ".")]; !known && !t.open {
				t.open = true
				open = append(open, t)
			}
		}
	}
	for i := 0; i < len(open); i++ {
		for _, t := range embedding[open[i]] {
			if !t.open {
				t.open = true
				open = append(open, t)
			}
		}
	}
}

// has reports whether t.all has all wanted methods.
func (t *goType) has(wanted map[string]goMethod) bool {
	for name, m := range wanted {
		if have, ok := t.all[name]; !ok || !have.fits(m) {
			return false
		}
	}
	return true
}

// method parses the signature of a method in a file. text begins with "func" or with the parameters.
func (g *goTypes) method(f *File, text, name string) goMethod {
	m := goMethod{cut: utf8.RuneCountInString(text) >= facts.MaxSignature}
	source := text
	if !strings.HasPrefix(text, "func") {
		source = "func " + name + text
	}
	if m.cut {
		// Cut the text behind the last complete parameter.
		depth, last := 0, 0
		for i, c := range source {
			switch c {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			case ',':
				if depth == 1 {
					last = i
				}
			}
		}
		if last > 0 && depth > 0 {
			source = source[:last] + ")"
		}
	}
	file, _ := parser.ParseFile(token.NewFileSet(), "", "package p; "+source+"\n", parser.SkipObjectResolution)
	if file == nil || len(file.Decls) == 0 {
		return m
	}
	decl, ok := file.Decls[0].(*ast.FuncDecl)
	if !ok || decl.Type == nil {
		return m
	}
	w := goWriter{goTypes: g, file: f}
	w.function(decl.Type)
	m.signature = w.String()
	if m.cut {
		m.signature = strings.TrimRight(m.signature, ")(")
	}
	return m
}

// A goWriter writes types in a normal form, so that equal types have equal texts.
type goWriter struct {
	strings.Builder
	*goTypes
	file *File
}

func (b *goWriter) function(f *ast.FuncType) {
	b.fields(f.Params)
	b.fields(f.Results)
}

func (b *goWriter) fields(list *ast.FieldList) {
	b.WriteByte('(')
	if list != nil {
		for _, field := range list.List {
			for range max(1, len(field.Names)) {
				b.write(field.Type)
				b.WriteByte(',')
			}
		}
	}
	b.WriteByte(')')
}

// name writes the name of a type with its package.
func (b *goWriter) name(qualifier, name string) {
	switch n := b.original(b.file.name(qualifier, name)); {
	case n.pkg != "":
		b.WriteString(strings.ReplaceAll(n.pkg, "\x00", ":"))
		b.WriteByte('.')
		b.WriteString(n.name)
	case n.name == "byte":
		b.WriteString("uint8")
	case n.name == "rune":
		b.WriteString("int32")
	case n.name == "any":
		b.WriteString("interface{}")
	default:
		b.WriteString(n.name)
	}
}

func (b *goWriter) write(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
		b.name("", e.Name)
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			b.name(x.Name, e.Sel.Name)
		}
	case *ast.ParenExpr:
		b.write(e.X)
	case *ast.StarExpr:
		b.WriteByte('*')
		b.write(e.X)
	case *ast.Ellipsis:
		b.WriteString("...")
		b.write(e.Elt)
	case *ast.ArrayType:
		b.WriteByte('[')
		if l, ok := e.Len.(*ast.BasicLit); ok {
			b.WriteString(l.Value)
		} else if e.Len != nil {
			b.WriteByte('n')
		}
		b.WriteByte(']')
		b.write(e.Elt)
	case *ast.MapType:
		b.WriteString("map[")
		b.write(e.Key)
		b.WriteByte(']')
		b.write(e.Value)
	case *ast.ChanType:
		b.WriteString([]string{"chan ", "chan<- ", "<-chan ", "chan "}[e.Dir&3])
		b.write(e.Value)
	case *ast.FuncType:
		b.WriteString("func")
		b.function(e)
	case *ast.IndexExpr:
		b.write(e.X)
		b.WriteByte('[')
		b.write(e.Index)
		b.WriteByte(']')
	case *ast.IndexListExpr:
		b.write(e.X)
		b.WriteByte('[')
		for _, index := range e.Indices {
			b.write(index)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case *ast.InterfaceType:
		b.WriteString("interface{")
		if e.Methods != nil {
			for _, m := range e.Methods.List {
				for _, name := range m.Names {
					b.WriteString(name.Name)
				}
				b.write(m.Type)
				b.WriteByte(';')
			}
		}
		b.WriteByte('}')
	case *ast.StructType:
		b.WriteString("struct")
		b.fields(e.Fields)
	default:
		b.WriteByte('?')
	}
}

// goInterfaces has the methods of types of the standard library that are often embedded.
var goInterfaces = map[string][]string{
	"error":                     {"Error() string"},
	"any":                       {},
	"fmt.Stringer":              {"String() string"},
	"io.Reader":                 {"Read(p []byte) (int, error)"},
	"io.Writer":                 {"Write(p []byte) (int, error)"},
	"io.Closer":                 {"Close() error"},
	"io.Seeker":                 {"Seek(o int64, w int) (int64, error)"},
	"io.ReaderAt":               {"ReadAt(p []byte, o int64) (int, error)"},
	"io.WriterAt":               {"WriteAt(p []byte, o int64) (int, error)"},
	"io.ReaderFrom":             {"ReadFrom(r Reader) (int64, error)"},
	"io.WriterTo":               {"WriteTo(w Writer) (int64, error)"},
	"io.ByteReader":             {"ReadByte() (byte, error)"},
	"io.ByteWriter":             {"WriteByte(c byte) error"},
	"io.StringWriter":           {"WriteString(s string) (int, error)"},
	"io.ReadCloser":             {"Read(p []byte) (int, error)", "Close() error"},
	"io.WriteCloser":            {"Write(p []byte) (int, error)", "Close() error"},
	"io.ReadWriter":             {"Read(p []byte) (int, error)", "Write(p []byte) (int, error)"},
	"io.ReadWriteCloser":        {"Read(p []byte) (int, error)", "Write(p []byte) (int, error)", "Close() error"},
	"io.ReadSeeker":             {"Read(p []byte) (int, error)", "Seek(o int64, w int) (int64, error)"},
	"io.ReadSeekCloser":         {"Read(p []byte) (int, error)", "Seek(o int64, w int) (int64, error)", "Close() error"},
	"sort.Interface":            {"Len() int", "Less(i, j int) bool", "Swap(i, j int)"},
	"container/heap.Interface":  {"Len() int", "Less(i, j int) bool", "Swap(i, j int)", "Push(x any)", "Pop() any"},
	"sync.Locker":               {"Lock()", "Unlock()"},
	"sync.Mutex":                {"Lock()", "Unlock()", "TryLock() bool"},
	"sync.RWMutex":              {"Lock()", "Unlock()", "RLock()", "RUnlock()", "TryLock() bool", "TryRLock() bool", "RLocker() Locker"},
	"net/http.Handler":          {"ServeHTTP(w ResponseWriter, r *Request)"},
	"net/http.ResponseWriter":   {"Header() Header", "Write(p []byte) (int, error)", "WriteHeader(s int)"},
	"net/http.RoundTripper":     {"RoundTrip(r *Request) (*Response, error)"},
	"net/http.Flusher":          {"Flush()"},
	"context.Context":           {"Deadline() (time.Time, bool)", "Done() <-chan struct{}", "Err() error", "Value(k any) any"},
	"encoding/json.Marshaler":   {"MarshalJSON() ([]byte, error)"},
	"encoding/json.Unmarshaler": {"UnmarshalJSON(p []byte) error"},
	"encoding.TextMarshaler":    {"MarshalText() ([]byte, error)"},
	"encoding.TextUnmarshaler":  {"UnmarshalText(p []byte) error"},
	"encoding.BinaryMarshaler":  {"MarshalBinary() ([]byte, error)"},
	"flag.Value":                {"String() string", "Set(s string) error"},
	"net.Conn": {"Read(p []byte) (int, error)", "Write(p []byte) (int, error)", "Close() error", "LocalAddr() Addr", "RemoteAddr() Addr",
		"SetDeadline(t time.Time) error", "SetReadDeadline(t time.Time) error", "SetWriteDeadline(t time.Time) error"},
	"net.Listener":   {"Accept() (Conn, error)", "Close() error", "Addr() Addr"},
	"net.Addr":       {"Network() string", "String() string"},
	"net.Error":      {"Error() string", "Timeout() bool", "Temporary() bool"},
	"io/fs.FileInfo": {"Name() string", "Size() int64", "Mode() FileMode", "ModTime() time.Time", "IsDir() bool", "Sys() any"},
	"os.FileInfo":    {"Name() string", "Size() int64", "Mode() FileMode", "ModTime() time.Time", "IsDir() bool", "Sys() any"},
	"io/fs.FS":       {"Open(s string) (File, error)"},
	"io/fs.File":     {"Stat() (FileInfo, error)", "Read(p []byte) (int, error)", "Close() error"},
	"io/fs.DirEntry": {"Name() string", "IsDir() bool", "Type() FileMode", "Info() (FileInfo, error)"},
	"hash.Hash":      {"Write(p []byte) (int, error)", "Sum(b []byte) []byte", "Reset()", "Size() int", "BlockSize() int"},
	"hash.Hash32":    {"Write(p []byte) (int, error)", "Sum(b []byte) []byte", "Reset()", "Size() int", "BlockSize() int", "Sum32() uint32"},
	"hash.Hash64":    {"Write(p []byte) (int, error)", "Sum(b []byte) []byte", "Reset()", "Size() int", "BlockSize() int", "Sum64() uint64"},
}
