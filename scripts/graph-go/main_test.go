package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shelf is a small module with all kinds of calls, interfaces and imports in Go.
const shelf = `
== go.mod
module example.org/shelf

go 1.24

replace example.org/paper => ./paper
== paper/go.mod
module example.org/paper
== paper/sheet.go
package paper

type Sheet struct{}

func (Sheet) Fold() {}
== shelf.go
package shelf

import (
	"io"
	"sync"

	"example.org/shelf/internal/pages"
	cover "example.org/shelf/internal/binding"
)

type Opener interface {
	io.Closer
	Open(name string, page *pages.Page) (book *Book, err error)
}

type turner interface{ turn(n int) }

type empty interface{}

type Book struct {
	sync.Mutex
	*cover.Binding
	pages map[string][]*pages.Page
	last  chan pages.Page
	first pages.Alias
	on    func(*Book)
}

func (b *Book) Close() error { return nil }

func (b *Book) Open(name string, p *pages.Page) (*Book, error) { return b, b.Close() }

func (b *Book) turn(int) { b.on(b) }

// Shelf gets its methods from Book.
type Shelf struct{ Book }

// Other has the names of the methods and not their types.
type Other struct{}

func (Other) Open(name string, p *Other) (*Book, error) { return nil, nil }
func (Other) Close() error                              { return nil }
func (Other) turn(s string)                             {}

var shared = New()

func New() *Book { return &Book{} }

func use(o Opener, t turner, list ...*Book) {
	b, err := o.Open("", nil)
	if err != nil {
		o.Close()
		return
	}
	b.Lock()
	b.turn(1)
	b.Glue().Dry()
	t.turn(2)
	shared.turn(3)
	(&Shelf{}).turn(5)
	for _, l := range list {
		l.turn(6)
	}
	for _, ps := range b.pages {
		for i := range ps {
			ps[i].Read()
		}
	}
	p := <-b.last
	p.Read()
	b.first.Read()
	New := func() pages.Page { return pages.Page{} }
	New()
	fresh := new(pages.Page)
	fresh.Read()
	read := fresh.Read
	read()
	func(t *Shelf) { t.turn(7) }(nil)
	var x any = o
	switch v := x.(type) {
	case *Book:
		v.turn(8)
	case Opener:
		v.Close()
	}
	if b, ok := x.(*Shelf); ok {
		b.turn(9)
	}
	b.turn(10)
	Each([]*Book{b}, func(b *Book) { b.turn(11) })
	Set[int]{}.Add(1)
	Book{}.pages[""][0].
		// further down
		Read()
}

func Each[T any](list []T, f func(T)) {
	for _, v := range list {
		f(v)
	}
}

type Set[T comparable] map[T]bool

func (s Set[T]) Add(v T) { s[v] = true; s.grow() }
func (s Set[T]) grow()   {}
== shelf_linux.go
package shelf

func platform() { use(nil, nil) }
== shelf_windows.go
package shelf

func platform() {}
== own_test.go
package shelf

import "testing"

func TestOwn(t *testing.T) { use(nil, nil); platform(); helper() }

func helper() {}
== out_test.go
package shelf_test

import (
	"testing"

	. "example.org/shelf"
	"example.org/shelf/internal/pages"
)

func TestOut(t *testing.T) { New().Close(); helper(); new(pages.Page).Read() }

func helper() {}
== internal/pages/page.go
package pages

type Page struct{ next *Page }

type Alias = Page

func (p *Page) Read() { p.next.Read(); p.Next().Next().Read() }

func (p *Page) Next() *Page { return p.next }
== internal/binding/v2/skip.go
package binding
== internal/binding/doc.go
// Package glued has another name than its folder.
package glued

type Binding struct{ Glued }

type Glued struct{}

func (g *Glued) Glue() *Binding { return &Binding{*g} }

func (b *Binding) Dry() { b.Glue() }
== internal/binding/ignored.go
//go:build ignore

package main

func main() {}
`

func TestGraphOfAModule(t *testing.T) {
	dir := t.TempDir()
	for file := range strings.SplitSeq(strings.TrimPrefix(shelf, "\n== "), "\n== ") {
		name, text, _ := strings.Cut(file, "\n")
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	got, err := compare(&out, dir, 100)
	if err != nil {
		t.Fatal(err)
	}
	if all := [3]float64{1, 1, 1}; got.precision != all || got.recall != all {
		t.Errorf("%+v\n%s", got, &out)
	}
	for _, want := range []string{"calls: 34,", "implementations: 4,", "dependencies: 3,"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}
