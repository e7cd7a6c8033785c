package shelf

import (
	"context"
	. "math"
	"sync"

	_ "embed"

	"example.org/shop/internal/store"
	pages "example.org/shop/page"
)

var (
	once    sync.Once
	current *store.Store
	lazy    = store.New(context.Background())
	handled = func(b *Book) { b.Close() }
)

type Opener interface {
	pages.Reader
	error
	Open(ctx context.Context, name string) (book *Book, err error)
	close()
}

type Books []*Book

type Alias = pages.Page

type Number interface{ ~int | ~float64 }

type Book struct {
	sync.Mutex
	*pages.Binding
	Shelf
	Title  string
	pages  map[string][]*pages.Page
	turned chan *pages.Page
	inner  struct{ last *Alias }
	on     func(p *pages.Page) error
}

func (b *Book) Turn(names ...string) (*pages.Page, error) {
	b.Lock()
	defer b.Unlock()
	for _, name := range names {
		name.nothing()
	}
	for key, list := range b.pages {
		key.nothing()
		for _, p := range list {
			p.Turn(b.Title)
		}
		list[0].Turn("")
	}
	first := <-b.turned
	first.Close()
	b.on(first)
	p, err := b.find(1)
	if err != nil {
		return nil, store.Wrap(err)
	}
	if q, ok := p.Next().(*pages.Cover); ok {
		q.Bind().Glue()
	}
	p.Close()
	return p, nil
}

func (b Book) find(n int) (page *pages.Page, err error) { return page.Find(n) }

func Map[T Opener, K comparable](in []T, f func(T) K) (out []K) {
	for _, t := range in {
		t.Open(nil, "")
		out = append(out, f(t))
	}
	return out
}

func open(o Opener, any interface{}) {
	b, _ := o.Open(context.TODO(), "")
	b.Turn()
	made := new(Book)
	made.Turn()
	list := make([]Shelf, 1)
	list[0].Dust()
	many := map[string]*Book{"a": {}}
	many["a"].Turn()
	local := func(o *store.Store) { o.Get().Close() }
	local(current)
	(&Book{Title: "x"}).Turn()
	Map[Opener, int](nil, nil)
	store.List[int]{}.Sort()
	switch v := any.(type) {
	case *Book:
		v.Turn()
	case Shelf:
		v.Dust()
	default:
		v.nothing()
	}
	select {
	case p := <-b.turned:
		p.Close()
	}
	func(b *Shelf) { b.Dust() }(nil)
	b.Turn()
	lazy.Get(). // not to be
			Close()
	Sqrt(Abs(1))
	handled(b)
	unknown := 1 + 2
	unknown.nothing()
	Books{b}.Sort()
	Number(1)
}
