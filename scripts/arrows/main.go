// Arrows counts how the files of each package refer to one another, and finds the references that form cycles: those
// between files of which each reaches the other, so that neither can be understood without the other.
//
// usage: go run ./scripts/arrows [--list] [PACKAGE...]
//
// For each package, by default those below lib, it prints the lines of non-test files, the exported names, the imports
// from this module, the arrows (pairs of files of which the first refers to the second), and the arrows in cycles. With
// --list it also prints the arrows in cycles.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	list := flag.Bool("list", false, "name the arrows that point back, and what they refer to")
	flag.Parse()
	patterns := flag.Args()
	if len(patterns) == 0 {
		patterns = []string{"./lib/..."}
	}
	if err := run(patterns, *list); err != nil {
		fmt.Fprintln(os.Stderr, "arrows:", err)
		os.Exit(1)
	}
}

// A listed is a package as go list describes it.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles, CgoFiles       []string
	CompiledGoFiles         []string
	Imports                 []string
	Standard, DepOnly       bool
	Module                  *struct{ Main bool }
}

func run(patterns []string, list bool) error {
	cmd := exec.Command("go", append([]string{"list", "-e", "-export", "-compiled", "-deps", "-json=ImportPath,Dir,Export,GoFiles,CgoFiles,CompiledGoFiles,Imports,Standard,DepOnly,Module"}, patterns...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("list packages: %w", err)
	}
	exports := map[string]string{}
	var packages []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly {
			packages = append(packages, p)
		}
	}
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	fmt.Printf("%-34s %6s %8s %7s %6s %5s\n", "package", "lines", "exported", "imports", "arrows", "back")
	var total counts
	for _, p := range packages {
		c, err := draw(p, lookup, list)
		if err != nil {
			return fmt.Errorf("%s: %w", p.ImportPath, err)
		}
		c.print(p.ImportPath)
		total.lines, total.exported, total.imports = total.lines+c.lines, total.exported+c.exported, total.imports+c.imports
		total.arrows, total.back = total.arrows+c.arrows, total.back+c.back
	}
	total.print("all")
	return nil
}

type counts struct{ lines, exported, imports, arrows, back int }

func (c counts) print(name string) {
	fmt.Printf("%-34s %6d %8d %7d %6d %5d\n", name, c.lines, c.exported, c.imports, c.arrows, c.back)
}

// An arrow leads from a file to a file whose names it uses.
type arrow struct{ from, to string }

func draw(p listed, lookup importer.Lookup, list bool) (counts, error) {
	var c counts
	fset := token.NewFileSet()
	var files []*ast.File
	compiled := p.CompiledGoFiles
	if compiled == nil {
		compiled = p.GoFiles
	}
	for _, name := range compiled {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			return c, err
		}
		files = append(files, f)
	}
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return c, err
		}
		c.lines += bytes.Count(text, []byte("\n"))
	}
	for _, path := range p.Imports {
		if module, _, _ := strings.Cut(p.ImportPath, "/"); strings.HasPrefix(path, module+"/") {
			c.imports++
		}
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", lookup), FakeImportC: true, Error: func(error) {}}
	pkg, _ := conf.Check(p.ImportPath, fset, files, info) // identifiers that cannot be resolved have no arrow
	for _, name := range pkg.Scope().Names() {
		if token.IsExported(name) {
			c.exported++
		}
	}
	names := arrowsOf(pkg, fset, info)
	back := backward(names)
	c.arrows, c.back = len(names), len(back)
	if list {
		slices.SortFunc(back, func(a, b arrow) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
		for _, a := range back {
			slices.Sort(names[a])
			fmt.Printf("  %s -> %s: %s\n", a.from, a.to, strings.Join(names[a], " "))
		}
	}
	return c, nil
}

// arrowsOf returns the arrows between the files of the package, each with the names that are used.
func arrowsOf(pkg *types.Package, fset *token.FileSet, info *types.Info) map[arrow][]string {
	names := map[arrow][]string{}
	for ident, object := range info.Uses {
		if object.Pkg() != pkg || !object.Pos().IsValid() || !stands(pkg, object) {
			continue
		}
		// Position honours //line comments, so files rewritten by cgo keep their original names.
		a := arrow{filepath.Base(fset.Position(ident.Pos()).Filename), filepath.Base(fset.Position(object.Pos()).Filename)}
		if a.from != a.to && !slices.Contains(names[a], object.Name()) {
			names[a] = append(names[a], object.Name())
		}
	}
	return names
}

// backward returns the arrows that are part of a cycle.
func backward(names map[arrow][]string) []arrow {
	reach := map[arrow]bool{}
	for a := range names {
		reach[a] = true
	}
	var all []string
	for a := range names {
		all = append(all, a.from, a.to)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for _, via := range all {
		for _, from := range all {
			if !reach[arrow{from, via}] {
				continue
			}
			for _, to := range all {
				if reach[arrow{via, to}] {
					reach[arrow{from, to}] = true
				}
			}
		}
	}
	var back []arrow
	for a := range names {
		if reach[arrow{a.to, a.from}] {
			back = append(back, a)
		}
	}
	return back
}

// stands reports whether the package declares the object outside of functions: a name of the package, a field or a
// method.
func stands(pkg *types.Package, object types.Object) bool {
	switch o := object.(type) {
	case *types.Var:
		return o.IsField() || o.Parent() == pkg.Scope()
	case *types.Func:
		return true
	}
	return object.Parent() == pkg.Scope()
}
