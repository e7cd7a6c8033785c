// Command systems type-checks this module for other operating systems, without cgo: all packages of cmd and lib except
// those that need the grammars, which are in C.
//
//	go run ./scripts/systems darwin windows
//
// It reads the sources of dependencies without function bodies, and writes nothing to the build cache. So it takes
// seconds, where a build for another system takes minutes.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"cortex/lib/cli"
)

func main() {
	cli.Main(cli.Command{
		Name:     "systems",
		Summary:  "type-check the commands and the library for other operating systems",
		Args:     "GOOS...",
		Examples: "go run ./scripts/systems darwin windows",
		Run: func(ctx context.Context, env *cli.Env) error {
			if len(env.Args) == 0 {
				return cli.Usagef("no system named")
			}
			for _, system := range env.Args {
				checked, err := check(ctx, env, system)
				if err != nil {
					return err
				}
				env.Warn("%s: %d packages checked", system, checked)
			}
			return nil
		},
	})
}

// needsC are the packages that need the grammars. Packages that import them are left out as well.
var needsC = []string{"cortex/lib/parse/syntax"}

// A listed is a package as go list describes it.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Deps       []string
	Imports    []string
	ImportMap  map[string]string
	Module     *struct{ Main bool }
}

// check reports the errors of this module's packages for a system, and returns how many packages it has checked.
func check(ctx context.Context, env *cli.Env, system string) (int, error) {
	all, err := list(ctx, env, system)
	if err != nil {
		return 0, err
	}
	c := &checker{set: token.NewFileSet(), sizes: types.SizesFor("gc", "amd64"), packages: map[string]*listed{}, done: map[string]*types.Package{"unsafe": types.Unsafe}, report: env.Report}
	var wanted []string
	for _, p := range all {
		c.packages[p.ImportPath] = p
		leftOut := slices.ContainsFunc(needsC, func(name string) bool { return name == p.ImportPath || slices.Contains(p.Deps, name) })
		if p.Module != nil && p.Module.Main && !leftOut {
			wanted = append(wanted, p.ImportPath)
		}
	}
	c.parse(wanted)
	for _, name := range wanted {
		if _, err := c.load(name); err != nil {
			return 0, err
		}
	}
	return len(wanted), nil
}

// list returns this module's packages and all packages that they need.
func list(ctx context.Context, env *cli.Env, system string) ([]*listed, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-e", "-deps", "-json=ImportPath,Dir,GoFiles,Deps,Imports,ImportMap,Module", "./cmd/...", "./lib/...")
	cmd.Env = append(env.Environ, "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
	cmd.Stderr = env.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list packages for %s: %w", system, err)
	}
	var all []*listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := d.Decode(p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("list packages for %s: %w", system, err)
		}
		all = append(all, p)
	}
}

// A checker type-checks packages from their sources, dependencies first.
type checker struct {
	set      *token.FileSet
	sizes    types.Sizes
	packages map[string]*listed
	files    map[string][]*ast.File
	done     map[string]*types.Package
	report   func(error)
}

// ours reports whether the package belongs to this module.
func (p *listed) ours() bool { return p.Module != nil && p.Module.Main }

// parse parses the sources of the packages and of all packages that they need.
func (c *checker) parse(wanted []string) {
	needed := map[string]bool{}
	for _, name := range wanted {
		needed[name] = true
		for _, dep := range c.packages[name].Deps {
			needed[dep] = true
		}
	}
	c.files = map[string][]*ast.File{}
	var mu sync.Mutex
	var wait sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for name := range needed {
		p := c.packages[name]
		if p == nil {
			continue
		}
		free <- struct{}{}
		wait.Go(func() {
			defer func() { <-free }()
			files := make([]*ast.File, 0, len(p.GoFiles))
			for _, file := range p.GoFiles {
				parsed, err := parser.ParseFile(c.set, filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
				if err != nil {
					c.report(err)
					continue
				}
				files = append(files, parsed)
			}
			mu.Lock()
			c.files[name] = files
			mu.Unlock()
		})
	}
	wait.Wait()
}

// load type-checks a package.
func (c *checker) load(name string) (*types.Package, error) {
	if p, ok := c.done[name]; ok {
		return p, nil
	}
	p := c.packages[name]
	if p == nil {
		return nil, fmt.Errorf("find package %s", name)
	}
	conf := types.Config{
		Importer:         importer{c, p},
		IgnoreFuncBodies: !p.ours(),
		FakeImportC:      true,
		Sizes:            c.sizes,
		Error: func(err error) {
			// Errors in dependencies do not matter, such as declarations without a body, which are implemented in
			// assembler.
			if p.ours() {
				c.report(err)
			}
		},
	}
	checked, _ := conf.Check(name, c.set, c.files[name], nil)
	c.done[name] = checked
	return checked, nil
}

// An importer resolves the imports of one package.
type importer struct {
	c *checker
	p *listed
}

func (i importer) Import(name string) (*types.Package, error) {
	if mapped, ok := i.p.ImportMap[name]; ok {
		name = mapped
	}
	return i.c.load(strings.TrimSpace(name))
}
