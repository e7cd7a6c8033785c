package graph

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"

	"cortex/lib/record"
)

// goImplements finds which types have all methods of which interfaces. A method is compared by its name and the types of its parameters and
// results as they are written, without the packages before them.
func goImplements(t *Tree, files []*File) []Implied {
	g := &goTypes{tree: t, types: map[goTypeKey]*goType{}, signatures: map[string]string{}}
	for _, f := range files {
		g.declare(f)
	}
	for _, f := range files {
		g.embed(f)
	}
	having := map[string][]*goType{} // types by the name of a method
	for _, own := range g.list {
		if own.kind == record.Interface || own.test {
			continue
		}
		for name := range g.methods(own) {
			having[name] = append(having[name], own)
		}
	}
	var out []Implied
	for _, wanted := range g.list {
		if wanted.kind != record.Interface || wanted.test || wanted.open {
			continue
		}
		methods := g.methods(wanted)
		rarest := ""
		for name := range methods {
			if n, m := len(having[name]), len(having[rarest]); rarest == "" || n < m || n == m && name < rarest {
				rarest = name
			}
		}
		if rarest == "" || g.unknown(wanted) {
			continue
		}
		for _, own := range having[rarest] {
			if g.has(own, wanted, methods) {
				out = append(out, Implied{Relation: record.Implements, From: own.declaration, To: wanted.declaration})
			}
		}
	}
	return out
}

// A goTypeKey names a type in a package.
type goTypeKey struct{ pkg, name string }

// A goType is a type that is declared at the top of a package.
type goType struct {
	goTypeKey
	kind        record.Kind
	declaration *Declaration
	test        bool
	own         map[string]goMethod
	embedded    []*goType
	// foreign are what it embeds that is not in the tree.
	foreign []string
	// open: it has a set of types, and no methods alone make a type one of these.
	open bool
	all  map[string]goMethod
	busy bool
}

// A goMethod is what a method takes and gives; pkg is where it is declared if only that package can.
type goMethod struct{ signature, pkg string }

// goTypes are those of a tree.
type goTypes struct {
	tree       *Tree
	types      map[goTypeKey]*goType
	list       []*goType
	signatures map[string]string
}

func (g *goTypes) declare(f *File) {
	pkg := goPackage(path.Dir(f.Path), f.Package)
	test := strings.HasSuffix(f.Path, "_test.go")
	get := func(name string) *goType {
		key := goTypeKey{pkg, name}
		own := g.types[key]
		if own == nil {
			own = &goType{goTypeKey: key, own: map[string]goMethod{}}
			g.types[key] = own
		}
		return own
	}
	for d := range f.Declarations() {
		owner := strings.TrimSuffix(d.Qualified, "."+d.Name)
		switch {
		case d.Kind.IsType() && d.Qualified == d.Name:
			own := get(d.Name)
			if own.declaration == nil {
				g.list = append(g.list, own)
				own.declaration, own.kind, own.test = d, d.Kind, test
			}
		case d.Kind == record.Method && owner != d.Qualified && !strings.Contains(owner, "."):
			m := goMethod{signature: g.signature(d.Signature, d.Name)}
			if !d.Exported && !isUpperName(d.Name) {
				m.pkg = pkg
			}
			get(owner).own[d.Name] = m
		}
	}
}

func isUpperName(s string) bool {
	for _, r := range s {
		return token.IsExported(string(r))
	}
	return false
}

// embed finds what the types of a file embed.
func (g *goTypes) embed(f *File) {
	pkg := goPackage(path.Dir(f.Path), f.Package)
	var imports map[string]Import
	for ref := range f.References() {
		if ref.Relation != record.Embeds {
			continue
		}
		own := g.types[goTypeKey{pkg, ref.Symbol}]
		if own == nil {
			continue
		}
		if ref.Receiver == "" {
			if other := g.types[goTypeKey{pkg, ref.Name}]; other != nil && other.declaration != nil {
				own.embedded = append(own.embedded, other)
			} else if ref.Name == "comparable" {
				own.open = true
			} else {
				own.foreign = append(own.foreign, ref.Name)
			}
			continue
		}
		if imports == nil {
			imports = map[string]Import{}
			for i := range f.References() {
				if i.Relation == record.Imports {
					for _, m := range goImport(g.tree, f, i) {
						imports[m.Local] = m
					}
				}
			}
		}
		m := imports[ref.Receiver]
		if other := g.types[goTypeKey{m.Package, ref.Name}]; m.Package != "" && other != nil {
			own.embedded = append(own.embedded, other)
		} else {
			own.foreign = append(own.foreign, m.External+"."+ref.Name)
		}
	}
	for t := range f.Typings() {
		// What an alias or a type made from an interface has.
		own := g.types[goTypeKey{pkg, t.Symbol}]
		if own == nil || own.kind != record.TypeKind || t.Name != "" || !strings.HasPrefix(t.Value, "(") || strings.Contains(t.Value, "[") {
			continue
		}
		if other := g.types[goTypeKey{pkg, strings.Trim(t.Value, "()")}]; other != nil && other.declaration != nil && other.kind == record.Struct && !isGoAlias(own.declaration.Signature) {
			own.embedded = append(own.embedded, other.embedded...)
		}
	}
}

func isGoAlias(signature string) bool { return strings.Contains(signature, "=") }

// methods are those of a type, with what it embeds.
func (g *goTypes) methods(t *goType) map[string]goMethod {
	if t.all != nil || t.busy {
		return t.all
	}
	if len(t.embedded) == 0 && len(t.foreign) == 0 {
		t.all = t.own
		return t.all
	}
	t.busy = true
	all := map[string]goMethod{}
	for _, name := range t.foreign {
		for method, m := range g.foreign(name) {
			all[method] = m
		}
	}
	for _, e := range slices.Backward(t.embedded) {
		for name, m := range g.methods(e) {
			all[name] = m
		}
	}
	for name, m := range t.own {
		all[name] = m
	}
	t.all, t.busy = all, false
	return all
}

// unknown reports whether an interface demands methods that are not known.
func (g *goTypes) unknown(t *goType) bool {
	if t.busy {
		return false
	}
	t.busy = true
	defer func() { t.busy = false }()
	for _, name := range t.foreign {
		if _, known := goInterfaces[name]; !known {
			return true
		}
	}
	return slices.ContainsFunc(t.embedded, func(e *goType) bool { return e.open || g.unknown(e) })
}

// has reports whether a type has the methods that an interface wants.
func (g *goTypes) has(t, wanted *goType, methods map[string]goMethod) bool {
	own := g.methods(t)
	for name, m := range methods {
		if have, ok := own[name]; !ok || have != m {
			return false
		}
	}
	return true
}

// signature is the types in the signature of a method, in one form.
func (g *goTypes) signature(text, name string) string {
	key := text + "\x00" + name
	if s, ok := g.signatures[key]; ok {
		return s
	}
	s := goSignature(text, name)
	g.signatures[key] = s
	return s
}

// goSignature is the types in the signature of a method, either from "func" on or from its parameters on.
func goSignature(text, name string) string {
	source := "func " + name + text
	if strings.HasPrefix(text, "func") {
		source = text
	}
	// A signature that was cut ends in the middle of something.
	file, _ := parser.ParseFile(token.NewFileSet(), "", "package p; "+source+"\n", parser.SkipObjectResolution)
	if file == nil || len(file.Decls) == 0 {
		return "?"
	}
	f, ok := file.Decls[0].(*ast.FuncDecl)
	if !ok || f.Type == nil {
		return "?"
	}
	var b strings.Builder
	writeGoFunc(&b, f.Type)
	return b.String()
}

func writeGoFunc(b *strings.Builder, f *ast.FuncType) {
	writeGoFields(b, f.Params)
	writeGoFields(b, f.Results)
}

func writeGoFields(b *strings.Builder, list *ast.FieldList) {
	b.WriteByte('(')
	if list != nil {
		for _, field := range list.List {
			for range max(1, len(field.Names)) {
				writeGoType(b, field.Type)
				b.WriteByte(',')
			}
		}
	}
	b.WriteByte(')')
}

// writeGoType writes a type without the packages of names.
func writeGoType(b *strings.Builder, e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
		switch e.Name {
		case "byte":
			b.WriteString("uint8")
		case "rune":
			b.WriteString("int32")
		case "any":
			b.WriteString("interface{}")
		default:
			b.WriteString(e.Name)
		}
	case *ast.SelectorExpr:
		b.WriteString(e.Sel.Name)
	case *ast.ParenExpr:
		writeGoType(b, e.X)
	case *ast.StarExpr:
		b.WriteByte('*')
		writeGoType(b, e.X)
	case *ast.Ellipsis:
		b.WriteString("...")
		writeGoType(b, e.Elt)
	case *ast.ArrayType:
		b.WriteByte('[')
		if l, ok := e.Len.(*ast.BasicLit); ok {
			b.WriteString(l.Value)
		} else if e.Len != nil {
			b.WriteByte('n')
		}
		b.WriteByte(']')
		writeGoType(b, e.Elt)
	case *ast.MapType:
		b.WriteString("map[")
		writeGoType(b, e.Key)
		b.WriteByte(']')
		writeGoType(b, e.Value)
	case *ast.ChanType:
		b.WriteString([]string{"chan ", "chan<- ", "<-chan ", "chan "}[e.Dir&3])
		writeGoType(b, e.Value)
	case *ast.FuncType:
		b.WriteString("func")
		writeGoFunc(b, e)
	case *ast.IndexExpr:
		writeGoType(b, e.X)
		b.WriteByte('[')
		writeGoType(b, e.Index)
		b.WriteByte(']')
	case *ast.IndexListExpr:
		writeGoType(b, e.X)
		b.WriteByte('[')
		for _, index := range e.Indices {
			writeGoType(b, index)
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
				writeGoType(b, m.Type)
				b.WriteByte(';')
			}
		}
		b.WriteByte('}')
	case *ast.StructType:
		b.WriteString("struct")
		writeGoFields(b, e.Fields)
	default:
		b.WriteByte('?')
	}
}

// foreign are the methods of a type outside of the tree, as far as they are known.
func (g *goTypes) foreign(name string) map[string]goMethod {
	all := map[string]goMethod{}
	for _, s := range goInterfaces[name] {
		method, _, _ := strings.Cut(s, "(")
		all[method] = goMethod{signature: g.signature(s[len(method):], method)}
	}
	return all
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
	"heap.Interface":            {"Len() int", "Less(i, j int) bool", "Swap(i, j int)", "Push(x any)", "Pop() any"},
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
		"SetDeadline(t Time) error", "SetReadDeadline(t Time) error", "SetWriteDeadline(t Time) error"},
	"net.Listener":   {"Accept() (Conn, error)", "Close() error", "Addr() Addr"},
	"net.Addr":       {"Network() string", "String() string"},
	"net.Error":      {"Error() string", "Timeout() bool", "Temporary() bool"},
	"io/fs.FileInfo": {"Name() string", "Size() int64", "Mode() FileMode", "ModTime() Time", "IsDir() bool", "Sys() any"},
	"os.FileInfo":    {"Name() string", "Size() int64", "Mode() FileMode", "ModTime() Time", "IsDir() bool", "Sys() any"},
	"io/fs.FS":       {"Open(s string) (File, error)"},
	"io/fs.File":     {"Stat() (FileInfo, error)", "Read(p []byte) (int, error)", "Close() error"},
	"io/fs.DirEntry": {"Name() string", "IsDir() bool", "Type() FileMode", "Info() (FileInfo, error)"},
	"hash.Hash":      {"Write(p []byte) (int, error)", "Sum(b []byte) []byte", "Reset()", "Size() int", "BlockSize() int"},
	"hash.Hash32":    {"Write(p []byte) (int, error)", "Sum(b []byte) []byte", "Reset()", "Size() int", "BlockSize() int", "Sum32() uint32"},
	"hash.Hash64":    {"Write(p []byte) (int, error)", "Sum(b []byte) []byte", "Reset()", "Size() int", "BlockSize() int", "Sum64() uint64"},
}
