// Package methodset finds which types of Go implement which interfaces. Go does not declare that, so the package compares the signatures of methods.
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

// Find finds which types have all methods of which interfaces. A method is compared by its name and the types of its parameters and
// results, of which each is known by its package and name.
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

// Bounds of what follows from declarations alone, which could grow with their square: with how many types embed how many methods, and with how
// many types have the methods of how many interfaces. The standard library and nine large modules have for each type and method at most 0.5
// methods that embedding promotes, 0.4 edges and 1.4 comparisons.
const (
	// goPromotions is how many methods may be promoted, goEdges how many edges there may be, for each type and method. Of both small trees
	// may have goLeast.
	goPromotions = 16
	goEdges      = 4
	goLeast      = 10_000
	// goComparisons is how many times a method may be compared with one that an interface wants.
	goComparisons = 1 << 25
)

// implement compares the types with the interfaces. If that gives too many edges, no interface gets more than a share, the first of its types.
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

// fairShare is the most that each of the counts may be so that their sum is at most the given one.
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

// candidates are the types that have a method of the name which the fewest have of those that an interface wants.
func (g *goTypes) candidates(wanted *goType) []*goType {
	rarest := ""
	for name := range wanted.all {
		if n, m := len(g.having[name]), len(g.having[rarest]); rarest == "" || n < m || n == m && name < rarest {
			rarest = name
		}
	}
	return g.having[rarest]
}

// A goName is that of something in a package: pkg is the key of one in the tree, or the path of one outside.
type goName struct{ pkg, name string }

// A File is a file with what its names mean.
type File struct {
	*facts.File
	Key     string
	Test    bool
	Imports map[string]string // keys or paths of packages by the name in the file
}

// name is what a name behind a qualifier, which may be "", means.
func (f *File) name(qualifier, name string) goName {
	if qualifier != "" {
		return goName{cmp.Or(f.Imports[qualifier], qualifier), name}
	}
	if types.Universe.Lookup(name) != nil {
		return goName{"", name}
	}
	return goName{f.Key, name}
}

// A goAlias is what an alias stands for.
type goAlias struct {
	goName
	lists int
}

// A goType is a type that is declared at the top of a package.
type goType struct {
	goName
	declaration *facts.Declaration
	test        bool
	own         map[string]goMethod
	embedded    []*goType
	// made are the structs of which the type is made, whose embedded types it has.
	made []*goType
	// foreign are what it embeds that is not in the tree.
	foreign []goName
	// open tells that it has more methods than are known, of something outside of the tree.
	open bool
	// all are its methods, of which some are missing if cut is set.
	all       map[string]goMethod
	cut, busy bool
	// found are the interfaces of which it has the methods, held those to which it gets an edge.
	found, held int
}

// A goMethod is what a method takes and gives; pkg is its package if only that knows it. If cut is set, the end of the signature is not
// known.
type goMethod struct {
	signature, pkg string
	cut            bool
}

// fits reports whether a method is what is wanted, as far as both are known.
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

// goTypes are those of a tree.
type goTypes struct {
	types   map[goName]*goType
	aliases map[goName]goAlias
	list    []*goType
	// having are the types with a method of the name.
	having map[string][]*goType
	// declared is the number of methods, and promotions how many may still be promoted.
	declared, promotions int
}

// findAliases finds what stands for another type.
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

// original is what a name stands for in the end.
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

// embed finds what the types of a file embed.
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
		// A type made from a struct has what that embeds.
		own := g.types[goName{f.Key, t.Symbol}]
		if own == nil || own.declaration == nil || own.declaration.Kind != record.TypeKind || t.Name != "" || strings.Contains(t.Value, "[") {
			continue
		}
		if other := g.types[goName{f.Key, strings.Trim(t.Value, "()")}]; other != nil && other.declaration != nil && other.declaration.Kind == record.Struct {
			own.made = append(own.made, other)
		}
	}
}

// methods are those of a type, with what it embeds. Of several of one name the first counts.
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

// findOpen finds the types that embed something of which the methods are not known, or a type that does.
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

// has reports whether a type, of which the methods are known, has those that are wanted.
func (t *goType) has(wanted map[string]goMethod) bool {
	for name, m := range wanted {
		if have, ok := t.all[name]; !ok || !have.fits(m) {
			return false
		}
	}
	return true
}

// method is what a method of a file takes and gives; text is its signature, either from "func" on or from its parameters on.
func (g *goTypes) method(f *File, text, name string) goMethod {
	m := goMethod{cut: utf8.RuneCountInString(text) >= facts.MaxSignature}
	source := text
	if !strings.HasPrefix(text, "func") {
		source = "func " + name + text
	}
	if m.cut {
		// Up to the last parameter that is whole.
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

// A goWriter writes types in one form.
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

// write writes a type.
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

// goInterfaces are types of the standard library that are often embedded, with their methods.
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
