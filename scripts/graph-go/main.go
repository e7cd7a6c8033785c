// Graph-go compares the graph of a Go module with the results of the type checker (go/types): static calls within the
// module, which types implement which interfaces, and which folders import which. Files that are not indexed, such as
// generated ones, are left out on both sides. So are types that embed types from packages outside of the module and the
// standard library, which the checker does not load. Calls of variables that hold functions do not count.
//
// usage: go run ./scripts/graph-go [--show N] DIR...
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"cortex/lib/graph"
	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/parse"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/source"
)

func main() {
	show := flag.Int("show", 0, "print so many differences of each kind")
	flag.Parse()
	for _, dir := range flag.Args() {
		if _, err := compare(os.Stdout, dir, *show); err != nil {
			fmt.Fprintln(os.Stderr, "graph-go:", err)
			os.Exit(2)
		}
	}
}

// A module has the type checker's results for a module.
type module struct {
	root, path string
	fset       *token.FileSet
	std        types.Importer
	// packages are the checked packages, by folder relative to the root; nil while a package is being checked.
	packages map[string]*types.Package
	// files are the files of the build.
	files map[string]bool
	calls map[call]bool
	// implements are pairs of nodes: type and interface. imports are pairs of folders.
	implements map[[2]string]bool
	imports    map[[2]string]bool
	// unclear are types that the checker sees only in part, and types with type parameters.
	unclear map[string]bool
}

// A call is a call of a node on a line.
type call struct {
	file   string
	line   int
	target string
}

// Figures are precision and recall, each for calls, implementations and dependencies.
type figures struct{ precision, recall [3]float64 }

// compare prints at most show differences of each kind, and the figures.
func compare(w io.Writer, dir string, show int) (f figures, err error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return f, err
	}
	m := &module{root: root, fset: token.NewFileSet(), packages: map[string]*types.Package{}, files: map[string]bool{}, calls: map[call]bool{},
		implements: map[[2]string]bool{}, imports: map[[2]string]bool{}, unclear: map[string]bool{}}
	m.std = importer.ForCompiler(m.fset, "source", nil)
	if err := m.check(); err != nil {
		return f, err
	}
	g, err := readGraph(root)
	if err != nil {
		return f, err
	}
	m.leaveOut(g)
	edges := g.edges
	fmt.Fprintf(w, "%s: %d files\n", m.path, len(m.files))
	f.precision[0], f.recall[0] = m.compareCalls(w, g, show)
	f.precision[1], f.recall[1] = comparePairs(w, "implementations", m.implements, m.graphImplements(edges), show)
	f.precision[2], f.recall[2] = comparePairs(w, "dependencies", m.imports, m.graphImports(edges), show)
	return f, nil
}

// check type-checks all packages of the module.
func (m *module) check() error {
	data, err := os.ReadFile(filepath.Join(m.root, "go.mod"))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "module "); ok {
			m.path = strings.Trim(strings.TrimSpace(rest), `"`)
		}
	}
	err = filepath.WalkDir(m.root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); p != m.root {
			if name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(p, "go.mod")); err == nil {
				return fs.SkipDir
			}
		}
		return m.checkFolder(filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(p, m.root), "/")))
	})
	if err != nil {
		return err
	}
	m.findImplements()
	return nil
}

func (m *module) checkFolder(folder string) error {
	p, err := build.Default.ImportDir(filepath.Join(m.root, folder), 0)
	var none *build.NoGoError
	if errors.As(err, &none) {
		return nil
	}
	if p == nil {
		return err
	}
	var several *build.MultiplePackageError
	if errors.As(err, &several) {
		return nil
	}
	if len(p.GoFiles) > 0 {
		if _, err := m.importFolder(folder); err != nil {
			return err
		}
	}
	for _, names := range [][]string{append(slices.Clone(p.GoFiles), p.TestGoFiles...), p.XTestGoFiles} {
		if len(names) == 0 {
			continue
		}
		files, err := m.parse(folder, names)
		if err != nil {
			return err
		}
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
		_, _ = m.config().Check(path.Join(m.path, folder), m.fset, files, info)
		for _, f := range files {
			m.addFile(folder, f, info)
		}
	}
	return nil
}

func (m *module) parse(folder string, names []string) ([]*ast.File, error) {
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(m.fset, filepath.Join(m.root, folder, name), nil, parser.SkipObjectResolution|parser.ParseComments)
		if f == nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

func (m *module) config() *types.Config {
	return &types.Config{Importer: m, Error: func(error) {}, FakeImportC: true}
}

// Import implements types.Importer.
func (m *module) Import(name string) (*types.Package, error) {
	if folder, ok := m.folder(name); ok {
		return m.importFolder(folder)
	}
	if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ".") {
		return nil, fmt.Errorf("package %s is outside", name)
	}
	return m.std.Import(name)
}

// folder returns the folder of a package in the module.
func (m *module) folder(name string) (string, bool) {
	rest, ok := strings.CutPrefix(name, m.path)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	folder := strings.TrimPrefix(rest, "/")
	entries, err := filepath.Glob(filepath.Join(m.root, folder, "*.go"))
	return folder, err == nil && len(entries) > 0
}

func (m *module) importFolder(folder string) (*types.Package, error) {
	if p, ok := m.packages[folder]; ok {
		if p == nil {
			return nil, fmt.Errorf("package %q imports itself", folder)
		}
		return p, nil
	}
	m.packages[folder] = nil
	p, err := build.Default.ImportDir(filepath.Join(m.root, folder), 0)
	if p == nil {
		return nil, err
	}
	files, err := m.parse(folder, p.GoFiles)
	if err != nil {
		return nil, err
	}
	pkg, _ := m.config().Check(path.Join(m.path, folder), m.fset, files, nil)
	m.packages[folder] = pkg
	return pkg, nil
}

// addFile adds the calls and imports of a file.
func (m *module) addFile(folder string, f *ast.File, info *types.Info) {
	name := m.relative(f.Pos())
	m.files[name] = true
	isGenerated := ast.IsGenerated(f)
	for _, i := range f.Imports {
		if p, err := strconv.Unquote(i.Path.Value); err == nil {
			if to, ok := m.folder(p); ok {
				m.imports[[2]string{folder, to}] = m.imports[[2]string{folder, to}] || !isGenerated
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		id := callee(c.Fun)
		if id == nil {
			return true
		}
		fn, ok := info.Uses[id].(*types.Func)
		if !ok || fn.Pkg() == nil {
			return true
		}
		if target := m.node(fn.Origin()); target != "" {
			m.calls[call{name, m.fset.Position(id.Pos()).Line, target}] = true
		}
		return true
	})
}

// callee returns the identifier of the called function, nil if there is none.
func callee(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr:
		return callee(e.X)
	case *ast.IndexListExpr:
		return callee(e.X)
	}
	return nil
}

func (m *module) relative(pos token.Pos) string {
	name, err := filepath.Rel(m.root, m.fset.Position(pos).Filename)
	if err != nil || strings.HasPrefix(name, "..") {
		return ""
	}
	return filepath.ToSlash(name)
}

// node returns the graph's identifier of a function, method or type of the module, "" for others.
func (m *module) node(o types.Object) string {
	file := m.relative(o.Pos())
	if file == "" || !o.Pos().IsValid() {
		return ""
	}
	name := o.Name()
	if fn, ok := o.(*types.Func); ok {
		if recv := fn.Type().(*types.Signature).Recv(); recv != nil {
			t := recv.Type()
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem()
			}
			named, ok := t.(*types.Named)
			if !ok || named.Obj().Parent() != named.Obj().Pkg().Scope() {
				return ""
			}
			name = named.Obj().Name() + "." + name
		}
	}
	return file + "#" + name
}

// findImplements compares all types with all interfaces.
func (m *module) findImplements() {
	var all, wanted []*types.Named
	for _, p := range m.packages {
		if p == nil {
			continue
		}
		for _, name := range p.Scope().Names() {
			o, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok || o.IsAlias() {
				continue
			}
			named, ok := o.Type().(*types.Named)
			if !ok {
				continue
			}
			if named.TypeParams().Len() > 0 || isUnclear(named, map[types.Type]bool{}) {
				m.unclear[m.node(o)] = true
				continue
			}
			if i, ok := named.Underlying().(*types.Interface); !ok {
				all = append(all, named)
			} else if i.NumMethods() > 0 && i.IsMethodSet() {
				wanted = append(wanted, named)
			}
		}
	}
	for _, i := range wanted {
		for _, t := range all {
			if under := i.Underlying().(*types.Interface); types.Implements(t, under) || types.Implements(types.NewPointer(t), under) {
				m.implements[[2]string{m.node(t.Obj()), m.node(i.Obj())}] = true
			}
		}
	}
}

// isUnclear reports whether a type embeds a type that the checker does not know.
func isUnclear(t types.Type, seen map[types.Type]bool) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.Invalid
	case *types.Struct:
		for i := range u.NumFields() {
			if f := u.Field(i); f.Embedded() && isUnclear(f.Type(), seen) {
				return true
			}
		}
	case *types.Interface:
		for i := range u.NumEmbeddeds() {
			if isUnclear(u.EmbeddedType(i), seen) {
				return true
			}
		}
	}
	return false
}

// leaveOut removes everything in files that are not indexed, since the graph cannot have it.
func (m *module) leaveOut(g *graphFile) {
	maps.DeleteFunc(m.files, func(f string, _ bool) bool { return g.kinds[f] == "" })
	folders := map[string]bool{}
	for f := range g.kinds {
		if strings.HasSuffix(f, ".go") && !strings.HasSuffix(f, "_test.go") {
			folders[strings.Trim(path.Dir(f), ".")] = true
		}
	}
	maps.DeleteFunc(m.calls, func(c call, _ bool) bool { return !m.files[c.file] || !m.files[fileOf(c.target)] })
	maps.DeleteFunc(m.implements, func(p [2]string, _ bool) bool { return !m.files[fileOf(p[0])] || !m.files[fileOf(p[1])] })
	maps.DeleteFunc(m.imports, func(p [2]string, indexed bool) bool { return !indexed || !folders[p[1]] })
}

// A graphFile has the kinds of a graph's nodes by identifier, and its edges.
type graphFile struct {
	kinds map[string]record.Kind
	edges []*graph.Edge
}

// readGraph parses a tree and returns its graph.
func readGraph(root string) (*graphFile, error) {
	ctx := context.Background()
	var stream bytes.Buffer
	w := jsonl.NewWriter(&stream)
	if err := parse.Run(ctx, w, parse.Options{Source: source.Options{Root: root}, Jobs: runtime.NumCPU()}); err != nil {
		return nil, err
	}
	var sources []graph.Source
	encoder := facts.NewEncoder()
	for r := jsonl.NewReader(&stream, "parse"); ; {
		rec, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if f, ok := rec.(*record.File); ok && f.Status.Indexed() {
			sources = append(sources, graph.Source{Facts: encoder.AppendFacts(nil, f)})
		}
	}
	g := &graphFile{kinds: map[string]record.Kind{}}
	err := graph.Statements(ctx, sources, graph.Options{Jobs: runtime.NumCPU()}, func(line graph.Statement) {
		if line.Edge != nil {
			g.edges = append(g.edges, line.Edge)
		} else if n := line.Node; n != nil {
			g.kinds[n.ID] = n.Kind
		}
	})
	return g, err
}

func fileOf(node string) string {
	file, _, _ := strings.Cut(node, "#")
	return file
}

func (m *module) compareCalls(w io.Writer, g *graphFile, show int) (precision, recall float64) {
	found := map[call]bool{}
	right, all := map[edge.By]int{}, map[edge.By]int{}
	total, totalRight := 0, 0
	for _, e := range g.edges {
		if e.Relation != record.Calls || len(e.To) == 0 || !m.files[fileOf(e.From)] || g.kinds[e.To[0]].IsData() {
			continue
		}
		for _, line := range e.Lines {
			ok := false
			for _, to := range e.To {
				if c := (call{fileOf(e.From), line, to}); m.calls[c] {
					ok = true
					if e.By != edge.ByCandidates {
						found[c] = true
					}
				}
			}
			all[e.By]++
			if ok {
				right[e.By]++
			}
			if e.By == edge.ByCandidates {
				continue
			}
			total++
			if ok {
				totalRight++
			} else if show > 0 {
				show--
				fmt.Fprintf(w, "\twrong: %s:%d %s.%s -> %s by %s\n", fileOf(e.From), line, e.Receiver, e.Name, strings.Join(e.To, " "), e.By)
			}
		}
	}
	var missed []call
	for c := range m.calls {
		if !found[c] {
			missed = append(missed, c)
		}
	}
	slices.SortFunc(missed, func(a, b call) int {
		return strings.Compare(fmt.Sprintf("%s:%06d", a.file, a.line), fmt.Sprintf("%s:%06d", b.file, b.line))
	})
	step := max(1, len(missed)/max(1, show))
	for i := 0; i < len(missed) && show > 0; i += step {
		fmt.Fprintf(w, "\tmissed: %s:%d %s\n", missed[i].file, missed[i].line, missed[i].target)
	}
	precision, recall = share(totalRight, total), share(len(found), len(m.calls))
	fmt.Fprintf(w, "calls: %d, precision %.4f of %d, recall %.4f\n", len(m.calls), precision, total, recall)
	for _, by := range edge.Ways {
		if all[by] > 0 {
			fmt.Fprintf(w, "\tby %-10s %6d, right %.4f\n", by, all[by], share(right[by], all[by]))
		}
	}
	return precision, recall
}

func share(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

func (m *module) graphImplements(edges []*graph.Edge) map[[2]string]bool {
	out := map[[2]string]bool{}
	for _, e := range edges {
		if e.By != edge.ByMethods {
			continue
		}
		for _, to := range e.To {
			if m.inBuild(e.From) && m.inBuild(to) && !m.unclear[e.From] && !m.unclear[to] {
				out[[2]string{e.From, to}] = true
			}
		}
	}
	return out
}

func (m *module) inBuild(node string) bool {
	return m.files[fileOf(node)] && !strings.HasSuffix(fileOf(node), "_test.go")
}

func (m *module) graphImports(edges []*graph.Edge) map[[2]string]bool {
	out := map[[2]string]bool{}
	for _, e := range edges {
		if e.Relation != record.Imports || !m.files[fileOf(e.From)] {
			continue
		}
		for _, to := range e.To {
			if folder, ok := strings.CutSuffix(to, "/"); ok {
				out[[2]string{strings.Trim(path.Dir(fileOf(e.From)), "."), strings.Trim(folder, ".")}] = true
			}
		}
	}
	return out
}

func comparePairs(w io.Writer, what string, want, got map[[2]string]bool, show int) (precision, recall float64) {
	right := 0
	for _, pair := range sortedPairs(got) {
		if want[pair] {
			right++
		} else if show > 0 {
			fmt.Fprintf(w, "\twrong: %s -> %s\n", pair[0], pair[1])
		}
	}
	for _, pair := range sortedPairs(want) {
		if !got[pair] && show > 0 {
			fmt.Fprintf(w, "\tmissed: %s -> %s\n", pair[0], pair[1])
		}
	}
	precision, recall = share(right, len(got)), share(right, len(want))
	fmt.Fprintf(w, "%s: %d, precision %.4f of %d, recall %.4f\n", what, len(want), precision, len(got), recall)
	return precision, recall
}

func sortedPairs(set map[[2]string]bool) [][2]string {
	var out [][2]string
	for p := range set {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b [2]string) int { return strings.Compare(a[0]+"\x00"+a[1], b[0]+"\x00"+b[1]) })
	return out
}
